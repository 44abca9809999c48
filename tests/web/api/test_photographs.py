"""Reading cards in photographs over REST: answers, rights, limits, and hostile pictures."""

import io
import tempfile
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from flask import Flask
from PIL import Image
from werkzeug.test import TestResponse

from bars import some, tried
from pictures import WHOLE, hostile, photograph, scene, stored, with_scans
from rest import Table
from scorekeeper.i18n import LANGUAGES, language
from scorekeeper.services.photographs import MOST_CARDS
from scorekeeper.web import background
from scorekeeper.web.api import photographs
from scorekeeper.workers.pool import Pool

CARDS = "/cards/recognise"
OF_GAME = "/games/{id}/cards/recognise"
DEMANDING = ("large RGB WEBP", "large RGBA WEBP")
"""Hostile pictures that Pillow holds four times while it decodes them."""
JOKER = [["3H", "5H"], ["6S", "5D"], ["JK", "KH"], ["KS", "3C"]]
"""The cards in a photograph."""


def send(table: Table, picture: bytes, path: str = CARDS, **more: Any) -> TestResponse:
    more = {"content_type": "image/jpeg", "secret": "", **more}
    return table.call("POST", path, data=picture, **more)


def in_form(*pictures: bytes) -> dict[str, Any]:
    """Return the body of a form with pictures, and its content type."""
    head = b'--part\r\nContent-Disposition: form-data; name="a"; filename="../canary.jpg"\r\n\r\n'
    body = b"".join(head + picture + b"\r\n" for picture in pictures) + b"--part--\r\n"
    return {"picture": body, "content_type": "multipart/form-data; boundary=part"}


def names(answer: TestResponse) -> list[list[str]]:
    assert answer.status_code == 200, answer.text
    return [[card["card"] for card in row["cards"]] for row in answer.json["rows"]]


def refusal(answer: TestResponse) -> tuple[int, str, str | None]:
    (problem,) = answer.json["problems"]
    return answer.status_code, problem["code"], problem["facts"].get("why")


@pytest.fixture
def pool(app: Flask, request: pytest.FixtureRequest) -> Iterator[Pool]:
    """A pool with limits of the test."""
    small, usual = Pool(**request.param), app.extensions["workers"]
    app.extensions["workers"] = small
    yield small
    app.extensions["workers"] = usual
    small.close()


def pool_with(**limits: Any) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("pool", [{"size": 1, "seconds": 120, **limits}], indirect=True)


# ---- reading -------------------------------------------------------------------------


def test_cards_are_answered_row_by_row_with_their_places(nobody: Table) -> None:
    answer = send(nobody, scene("joker"))

    assert names(answer) == JOKER
    (left, top, width, height), *_ = (
        card["box"] for row in answer.json["rows"] for card in row["cards"]
    )
    assert 0 <= left <= left + width <= 1.001
    assert 0 <= top <= top + height <= 1.001
    assert 0.02 < width < 0.5


def test_a_card_is_sure_or_names_its_likeliest_readings(nobody: Table) -> None:
    cards = [
        card
        for name in ("joker", "hand-of-thirteen", "fan-in-the-dark")
        for row in send(nobody, scene(name)).json["rows"]
        for card in row["cards"]
    ]

    for card in cards:
        assert 0 < card["sure"] <= 1
        if card["alternatives"]:
            first, second = card["alternatives"]
            assert first == card["card"] != second
    sure = [card["sure"] for card in cards if not card["alternatives"]]
    asked = [card["sure"] for card in cards if card["alternatives"]]
    assert sure
    assert max(asked, default=0) < min(sure)


def test_the_deck_of_the_game_helps(app: Flask) -> None:
    gin = Table(app).begin("gin-palast", "AB")
    answer = send(gin, scene("joker"), OF_GAME, secret=gin.watch)
    third = answer.json["rows"][2]["cards"][0]

    assert "JK" not in chain(*names(answer))
    assert third["alternatives"], "what looks like a joker is asked in a game without jokers"


def test_no_more_of_a_card_are_read_than_the_deck_has(nobody: Table) -> None:
    twice = Image.new("RGB", (1600, 1200), "white")
    with Image.open(io.BytesIO(scene("two-melds"))) as picture:
        small = picture.resize((800, 600))
        for place in ((0, 0), (800, 0)):
            twice.paste(small, place)
    two, one = (
        [*chain(*names(send(nobody, stored(twice, quality=95), f"{CARDS}?packs={packs}")))]
        for packs in (2, 1)
    )

    assert max(map(two.count, two)) == 2
    assert max(map(one.count, one)) == 1


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_every_kind_of_picture_is_read_by_itself_and_in_a_form(nobody: Table, kind: str) -> None:
    with Image.open(io.BytesIO(scene("joker"))) as picture:
        data = stored(picture, kind, quality=95)

    assert names(send(nobody, data, content_type=f"image/{kind.lower()}")) == JOKER
    assert names(send(nobody, **in_form(data))) == JOKER


def test_a_picture_taken_sideways_shows_the_same_cards(nobody: Table) -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    with Image.open(io.BytesIO(scene("joker"))) as picture:
        turned = picture.transpose(Image.Transpose.ROTATE_90)

    assert names(send(nobody, stored(turned, exif=exif, quality=95))) == JOKER


# ---- refusals ------------------------------------------------------------------------


def test_a_picture_without_cards_says_how_to_lay_them(nobody: Table) -> None:
    answer = send(nobody, stored(Image.new("RGB", (800, 600), "green")))

    assert refusal(answer) == (422, "E_NO_CARDS", None)
    assert answer.json["detail"] == "I see no card: lay them side by side, closer, in more light."


@pytest.mark.parametrize(
    ("picture", "status", "why"),
    [
        (b"GIF89a", 422, "kind"),
        (b"", 422, "kind"),
        (WHOLE["JPEG"][:300], 422, "damaged"),
        (stored(photograph((5001, 5000))), 422, "pixels"),
        (WHOLE["PNG"] + bytes(photographs.MAX_PICTURE), 413, "bytes"),
        (bytes(photographs.MAX_UPLOAD + 1), 413, "bytes"),
    ],
    ids=["kind", "empty", "damaged", "pixels", "bytes", "too many bytes to read"],
)
def test_a_refused_picture_is_told_why(
    nobody: Table, picture: bytes, status: int, why: str
) -> None:
    assert refusal(send(nobody, picture)) == (status, "E_PICTURE", why)


def test_a_webp_of_twelve_megapixels_is_read(nobody: Table) -> None:
    with Image.open(io.BytesIO(scene("joker"))) as picture:
        data = stored(picture.resize((4000, 3000)), "WEBP", quality=60, method=0)

    assert names(send(nobody, data, content_type="image/webp")) == JOKER


def test_a_picture_of_the_most_bytes_is_read(nobody: Table) -> None:
    picture = scene("joker")

    assert names(send(nobody, picture + bytes(photographs.MAX_PICTURE - len(picture)))) == JOKER


def test_too_many_cards_are_refused(nobody: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    def in_this_process(_: object, job: Any, *args: Any) -> Any:
        with monkeypatch.context() as patch:
            patch.setattr("scorekeeper.services.photographs.MOST_CARDS", 7)
            return job(*args)

    monkeypatch.setattr(photographs, "in_pool_unless", in_this_process)
    answer = send(nobody, scene("joker"))

    assert MOST_CARDS > 108
    assert refusal(answer) == (422, "E_MANY_CARDS", None)
    assert answer.json["problems"][0]["facts"] == {"count": 8, "most": 7}


@pytest.mark.parametrize("kind", [None, "text/plain", "application/json", "image/gif", "image/svg"])
def test_other_kinds_of_bodies_are_refused(nobody: Table, kind: str | None) -> None:
    assert send(nobody, scene("joker"), content_type=kind).status_code == 415


@pytest.mark.parametrize("files", [0, 2])
def test_a_form_has_one_picture(nobody: Table, files: int) -> None:
    answer = send(nobody, **in_form(*[scene("joker")] * files))

    assert refusal(answer) == (422, "E_PICTURE", "kind")


@pytest.mark.parametrize("query", ["packs=5", "packs=x", "jokers=9", "jokers=-1"])
def test_an_impossible_deck_is_refused(nobody: Table, query: str) -> None:
    assert send(nobody, scene("joker"), f"{CARDS}?{query}").status_code == 422


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize("key", ["E_NO_CARDS", "E_PICTURE.kind", "refused.no_camera"])
def test_every_refusal_is_worded_in_every_language(
    nobody: Table, code: str, key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(photographs, "is_installed", lambda: key != "refused.no_camera")
    picture = b"no picture" if key == "E_PICTURE.kind" else stored(photograph())
    answer = send(nobody, picture, lang=code)

    assert answer.json["detail"] == language(code)(key)


def test_without_the_extra_the_answer_is_501(
    app: Flask, nobody: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(photographs, "is_installed", lambda: False)
    table = Table(app).begin()

    for answer in (send(nobody, scene("joker")), send(table, b"", OF_GAME, secret=table.watch)):
        assert answer.status_code == 501
        assert "scorekeeper[camera]" in answer.json["detail"]


# ---- rights --------------------------------------------------------------------------


def test_the_deck_of_a_game_needs_a_right_in_it(app: Flask) -> None:
    table, other = Table(app).begin(), Table(app).begin()
    picture = scene("joker")

    assert names(send(table, picture, OF_GAME, secret=table.watch)) == JOKER
    assert names(send(table, picture, OF_GAME, secret=table.pen)) == JOKER
    for secret in ("", other.pen, "aaaa-bbbb-cccc-dddd"):
        assert send(table, picture, OF_GAME, secret=secret).status_code == 404


# ---- limits of the pool --------------------------------------------------------------


@pool_with(places=0)
def test_a_full_pool_says_when_to_try_again(nobody: Table, pool: Pool) -> None:
    answer = send(nobody, scene("joker"))

    assert answer.status_code == 503
    assert answer.headers["Retry-After"] == str(background.RETRY_AFTER_S)
    assert answer.json["detail"].startswith("The server is busy")


@pool_with(seconds=1)
def test_a_picture_that_takes_too_long_is_refused(nobody: Table, pool: Pool) -> None:
    """Thousands of passes over the same pixels fit into four megabytes."""
    picture = with_scans(20_000)

    assert len(picture) < photographs.MAX_PICTURE
    assert refusal(send(nobody, picture)) == (422, "E_PICTURE", "work")
    assert pool._idle == []


@pool_with()
def test_a_client_that_has_gone_is_not_worked_for(nobody: Table, pool: Pool) -> None:
    gone = Event()
    gone.set()
    environ = {background.DISCONNECTED: gone}

    assert send(nobody, scene("joker"), environ_overrides=environ).status_code == 503
    assert pool._idle == []


@pool_with()
def test_the_networks_are_loaded_with_the_first_picture(nobody: Table, pool: Pool) -> None:
    pool.run(int)
    (worker,) = pool._idle
    before = libraries(worker.process.pid)
    send(nobody, scene("joker"))

    assert pool._idle == [worker]
    assert not before & {"numpy", "onnxruntime"}
    assert libraries(worker.process.pid) == {"numpy", "onnxruntime"}


def libraries(process: int | None) -> set[str]:
    """Return the libraries of networks that a process has loaded."""
    maps = Path(f"/proc/{process}/maps")
    if not maps.exists():
        pytest.skip(
            "the libraries that a process has loaded are listed in /proc, which only Linux has"
        )
    text = maps.read_text()
    return {name for name in ("numpy", "onnxruntime") if f"/{name}/" in text}


# ---- hostile pictures ----------------------------------------------------------------


@pytest.mark.long
@pytest.mark.bar("P3")
@pool_with()
def test_a_hostile_picture_is_read_or_refused_within_the_limits(nobody: Table, pool: Pool) -> None:
    """Workers end only with the pictures that need more memory than one may have."""
    assert len(hostile()) >= 60

    workers = set()
    for name in some("P3", list(hostile())):
        answer = send(nobody, hostile()[name])
        workers |= {worker.process.pid for worker in pool._idle}

        assert answer.status_code in (200, 413, 422), (name, answer.text)
        if answer.status_code != 200:
            assert answer.json["problems"][0]["code"] in ("E_PICTURE", "E_NO_CARDS"), name
            if name not in DEMANDING:
                assert answer.json["problems"][0]["facts"].get("why") != "work", name
        tried()

    assert len(workers) <= 1 + len(DEMANDING)
    assert names(send(nobody, scene("joker"))) == JOKER


def test_nothing_of_a_picture_is_stored_or_logged(
    app: Flask, nobody: Table, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("a file is written")

    caplog.set_level(0)
    table = Table(app).begin()
    before = app.extensions["ledger"].head(table.id)
    for name in ("TemporaryFile", "NamedTemporaryFile", "SpooledTemporaryFile", "mkstemp"):
        monkeypatch.setattr(tempfile, name, refuse)
        monkeypatch.setattr(f"werkzeug.formparser.{name}", refuse, raising=False)
    exif = Image.Exif()
    exif[0x010F] = "Canary camera"
    with Image.open(io.BytesIO(scene("joker"))) as picture:
        taken = stored(picture.resize((2400, 1800)), exif=exif, quality=95)
    caplog.clear()  # Pillow has told how it was made
    answer = send(table, path=OF_GAME, secret=table.pen, **in_form(taken))

    assert len(taken) > 500_000, "werkzeug would write it to the disk"
    assert names(answer) == JOKER
    assert "anary" not in answer.text + caplog.text
    assert app.extensions["ledger"].head(table.id) == before
