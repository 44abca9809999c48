"""The code on printed score sheets: given, withdrawn, and apart from the other rights."""

import io
import re

import pytest
from flask import Flask
from pypdf import PdfReader

from rest import Club, Table
from scorekeeper.i18n import LANGUAGES
from scorekeeper.services import games
from scorekeeper.store.links import LinkKey
from scorekeeper.store.writes import Write
from web.pages.conftest import KEY, Browser, words

HOME = {"Host": "192.168.1.20"}
"""An address that other phones in the room reach."""
SHEETS = ("sheet.pdf", "sheet.pdf?size=A5", "sheet.pdf?details=yes")


@pytest.fixture
def anna(app: Flask) -> Browser:
    reader = Browser(app)
    reader.headers.update(HOME)
    return reader


@pytest.fixture
def table(app: Flask) -> Table:
    return Table(app).begin()


@pytest.fixture
def game(anna: Browser) -> str:
    path = anna.begin(name=["Anna", "Bernd"])
    anna.enter(path, 0, hand__1="12")
    return path


def give(anna: Browser, game: str) -> None:
    answer = anna.send(f"{game}/share", right="paper")

    assert answer.location == f"{game}/share?notice=paper"


def withdraw(anna: Browser, game: str) -> None:
    anna.send(f"{game}/share", right="paper", do="withdraw")


def printed(reader: Browser, path: str) -> str:
    """Return the code that a sheet bears as text; empty if there is none."""
    pages = PdfReader(io.BytesIO(reader.get(path).data)).pages
    text = re.sub(r"\s", "", "".join(page.extract_text() for page in pages))
    found = re.search(r"/enter#([a-z0-9]{10}\.[a-z0-9-]{34})", text)
    return found[1] if found else ""


def test_a_sheet_bears_a_code_only_after_it_was_switched_on(anna, game):
    assert {printed(anna, f"{game}/{sheet}") for sheet in SHEETS} == {""}

    give(anna, game)
    (code,) = {printed(anna, f"{game}/{sheet}") for sheet in SHEETS}

    assert code.startswith(game.rpartition("/")[2])
    assert code not in (anna.code(game), anna.code(game, "pen"))


def test_the_printed_code_opens_the_evening_for_reading(app, anna, game):
    give(anna, game)
    stranger = Browser(app)
    answer = stranger.send("/enter", code=printed(anna, f"{game}/sheet.pdf"))

    assert (answer.status_code, answer.location) == (303, game)
    for page in ("", "/settlement", "/history", "/round/1", "/sheet.pdf", "/tv"):
        assert stranger.get(game + page).status_code == 200
    for page in ("/round", "/share", "/round/1/correct"):
        assert stranger.get(game + page).status_code == 403


def test_a_reader_of_the_sheet_sees_no_code_to_pass_on(app, anna, game):
    give(anna, game)
    code = printed(anna, f"{game}/sheet.pdf")
    reader = Browser(app)
    reader.headers.update(HOME)
    reader.send("/enter", code=code)

    assert printed(reader, f"{game}/sheet.pdf") == ""
    assert 'class="qr"' not in reader.get(f"{game}/tv").text
    assert code.partition(".")[2] not in str(reader.client.get_cookie("link", path=f"{game}/tv"))


def test_a_withdrawn_code_opens_nothing_and_cuts_off_nobody_else(app, anna, bernd, game):
    bernd.send("/enter", code=anna.code(game))
    give(anna, game)
    code, reader = printed(anna, f"{game}/sheet.pdf"), Browser(app)
    reader.send("/enter", code=code)
    withdraw(anna, game)

    assert reader.get(game).status_code == 404
    assert reader.send("/enter", code=code).status_code == 404
    assert printed(anna, f"{game}/sheet.pdf") == ""
    assert bernd.get(game).status_code == 200
    assert anna.get(f"{game}/round").status_code == 200

    give(anna, game)

    assert reader.send("/enter", code=code).status_code == 404
    assert printed(anna, f"{game}/sheet.pdf") not in ("", code)


@pytest.mark.parametrize("right", ["watch", "pen"])
def test_the_printed_code_survives_the_renewal_of_other_links(app, anna, game, right):
    give(anna, game)
    code, reader = printed(anna, f"{game}/sheet.pdf"), Browser(app)
    reader.send("/enter", code=code)
    anna.new_code(game, right)

    assert reader.get(game).status_code == 200
    assert Browser(app).send("/enter", code=code).status_code == 303
    assert printed(anna, f"{game}/sheet.pdf") == code


def test_a_replaced_pen_neither_prints_nor_withdraws_the_code(app, anna, bernd, game):
    bernd.headers.update(HOME)
    bernd.send("/enter", code=anna.code(game, "pen"))
    give(anna, game)
    form = bernd.filled(f"{game}/share", right="paper", do="withdraw")
    anna.new_code(game, "pen")
    bernd.send("/enter", code=anna.code(game))

    assert bernd.post(f"{game}/share", form).status_code == 403
    assert printed(bernd, f"{game}/sheet.pdf") == ""
    assert printed(anna, f"{game}/sheet.pdf")


def test_the_code_of_one_evening_opens_no_other(app, anna, stammtisch):
    one, other = (anna.next_evening(stammtisch) for _ in range(2))
    give(anna, one)
    secret, reader = printed(anna, f"{one}/sheet.pdf").partition(".")[2], Browser(app)

    for book in (other, stammtisch):
        code = f"{book.rpartition('/')[2]}.{secret}"
        assert reader.send("/enter", code=code).status_code == 404
    reader.send("/enter", code=printed(anna, f"{one}/sheet.pdf"))

    assert [reader.get(page).status_code for page in (one, other, stammtisch)] == [200, 404, 404]


def test_a_group_has_no_code_to_print(anna, stammtisch):
    assert "Spielzettel" not in anna.get(f"{stammtisch}/share").text
    assert anna.send(f"{stammtisch}/share", right="paper").status_code == 400


def test_an_erased_name_is_not_read_through_the_printed_code(app, anna, game):
    give(anna, game)
    reader = Browser(app)
    reader.send("/enter", code=printed(anna, f"{game}/sheet.pdf"))
    table = table_of(app, anna, game)
    answer = table.call("DELETE", "/games/{id}/players/1", match=str(version_of(app, game)))

    assert answer.status_code == 200
    assert "Anna" in reader.get(game).text
    assert "Bernd" not in reader.get(game).text


def version_of(app: Flask, game: str) -> int:
    return app.extensions["ledger"].version(game.rpartition("/")[2])


def table_of(app: Flask, anna: Browser, game: str) -> Table:
    table = Table(app)
    table.id, _, table.pen = anna.code(game, "pen").partition(".")
    return table


def test_no_code_is_printed_from_an_address_of_this_machine_only(anna, bernd, game):
    give(anna, game)
    bernd.send("/enter", code=anna.code(game, "pen"))

    assert printed(bernd, f"{game}/sheet.pdf") == ""
    assert "Von hier aus gedruckt fehlt er" in bernd.get(f"{game}/share").text
    assert "Ab jetzt" not in bernd.get(f"{game}/share?notice=paper").text
    assert "Ab jetzt" in anna.get(f"{game}/share?notice=paper").text


def test_a_code_that_another_key_made_can_only_be_replaced_or_withdrawn(app, anna, bernd, game):
    give(anna, game)
    code = printed(anna, f"{game}/sheet.pdf")
    app.extensions["ledger"].links = LinkKey(configured="another key")

    assert printed(anna, f"{game}/sheet.pdf") == ""
    assert "Ein neuer sperrt ihn." in anna.get(f"{game}/share").text
    assert bernd.send("/enter", code=code).status_code == 303

    withdraw(anna, game)

    assert bernd.get(game).status_code == 404


def test_an_imported_evening_has_the_history_but_not_the_code(app, anna, game, make_app, tmp_path):
    for do in (give, withdraw, give):
        do(anna, game)
    code = printed(anna, f"{game}/sheet.pdf")
    whole = table_of(app, anna, game).get("/games/{id}/export.json").json
    there = Table(make_app(DATA=tmp_path / "there.sqlite"))
    answer = there.post("/games/import", whole)
    there.id, there.pen = answer.json["id"], answer.json["pen"]

    assert [event["kind"] for event in whole["events"]].count("secret") == 3
    assert there.get("/games/{id}/export.json").json["events"] == whole["events"]
    assert there.get("/games/{id}/links").json["paper"] is None
    assert there.get("/games/{id}", secret=code.partition(".")[2]).status_code == 404


@pytest.mark.parametrize(
    "payload", [{"right": "paper", "withdrawn": False}, {"right": "pen", "withdrawn": True}]
)
def test_a_forged_withdrawal_is_not_imported(app, anna, game, make_app, tmp_path, payload):
    give(anna, game)
    whole = table_of(app, anna, game).get("/games/{id}/export.json").json
    whole["events"][-1]["payload"] = payload
    there = Table(make_app(DATA=tmp_path / "there.sqlite"))

    assert there.post("/games/import", whole).status_code == 422


@pytest.mark.parametrize("code", LANGUAGES)
def test_the_history_and_the_switch_lack_no_translation(anna, game, code):
    for do in (give, withdraw, give):
        do(anna, game)
        for page in ("share", "history", "more"):
            text = anna.get(f"{game}/{page}", **{"Accept-Language": code}).text

            assert KEY.search(words(text)) is None


# ---- over REST -----------------------------------------------------------------------


def test_a_program_gives_and_withdraws_the_code(table: Table):
    assert table.get("/games/{id}/links").json["paper"] is None

    secret = table.post("/games/{id}/secrets", {"right": "paper"}).json["secret"]
    links = table.get("/games/{id}/links")

    assert links.json["paper"].endswith(f"/enter#{table.id}.{secret}")
    assert links.json["watch"].endswith(table.watch)
    assert links.json["pen"].endswith(table.pen)
    assert links.headers["Cache-Control"] == "no-store"
    assert table.get("/games/{id}", secret=secret).status_code == 200
    assert table.get("/games/{id}/links", secret=secret).status_code == 403
    assert table.post("/games/{id}/secrets", {"right": "pen"}, secret=secret).status_code == 403

    assert table.call("DELETE", "/games/{id}/secrets/paper").status_code == 200
    assert table.get("/games/{id}", secret=secret).status_code == 404
    assert table.get("/games/{id}/links").json["paper"] is None
    assert table.get("/games/{id}", secret=table.watch).status_code == 200


def test_withdrawing_twice_is_one_change(app, table: Table):
    table.post("/games/{id}/secrets", {"right": "paper"})
    versions = []
    for _ in range(2):
        table.call("DELETE", "/games/{id}/secrets/paper")
        versions.append(app.extensions["ledger"].version(table.id))

    assert versions[0] == versions[1]


def test_the_code_of_a_game_lasts_when_it_leaves_its_group(app: Flask):
    club = Club(app).found()
    table = club.evening()
    ledger = app.extensions["ledger"]
    _, secret = games.replace_secret(ledger, table.id, "paper", write=Write())

    assert ledger.rights.of_secret(table.id, secret) == "watch"
    assert ledger.rights.of_secret(club.id, secret) is None
    assert club.post("/groups/{id}/secrets", {"right": "paper"}).status_code == 422


def test_a_typed_short_code_is_exchanged_for_the_secret_to_watch(table: Table):
    code = table.post("/games/{id}/codes", {}).json["code"]
    opened = table.post("/codes", {"code": code.lower()}, secret="")

    assert (opened.status_code, opened.json["kind"], opened.json["id"]) == (200, "game", table.id)
    assert opened.json["secret"] == table.watch
    assert table.post("/games/{id}/codes", {"code": code}).json["code"] == code

    table.post("/games/{id}/codes/end", {"code": code})

    assert table.post("/codes", {"code": code}, secret="").status_code == 404
    assert table.post("/games/{id}/codes", {}, secret=table.watch).status_code == 403
