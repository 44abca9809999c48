"""The pages of a record that lies on the phone of its only reader: evenings shown, copies."""

import json
import re
import zlib
from base64 import urlsafe_b64decode
from collections.abc import Iterator
from html import unescape
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from scorekeeper.app import create_app
from scorekeeper.in_browser.edition import IN_BROWSER, SETTINGS
from scorekeeper.services.clock import set_clock
from scorekeeper.web.pages import snapshots
from web.pages.conftest import Browser, words

READER = "https://cards.example/"
MORNING, EVENING = "2026-03-01T09:00:00Z", "2026-03-01T20:15:00Z"


def phone(data: Path) -> Flask:
    """Return the application of one phone, with its record in a file."""
    given = {"DATA": data, "READER": READER, "TIMEZONE": "Europe/Luxembourg"}
    return create_app({**SETTINGS, **given}, IN_BROWSER)


@pytest.fixture
def app(tmp_path: Path) -> Iterator[Flask]:
    made = phone(tmp_path / "games.sqlite")
    yield made
    made.extensions["ledger"].close()


def played(anna: Browser, **fields: object) -> str:
    """Return a game of three with two rounds, the second of which was struck out."""
    with set_clock(MORNING):
        game = anna.begin(name=["Anna", "Bernd", "Claire"], **fields)
        anna.enter(game, 0, hand__1="12", hand__2="30", hand_romme="yes")
        anna.enter(game, 1, hand__0="7", hand__2="1")
        anna.send(f"{game}/round/2/strike", page=game)
    return game


def shown(anna: Browser, game: str, lang: str = "de") -> list[Any]:
    """Return what the link on the page holds."""
    with set_clock(EVENING):
        page = anna.get(f"{game}/snapshot", **{"Accept-Language": lang}).text
    (link,) = {unescape(one) for one in re.findall(r'data-(?:share|copy)="([^"]*)"', page)}
    address, _, code = link.partition("#e=")
    packed = urlsafe_b64decode(code + "=" * (-len(code) % 4))
    held: list[Any] = json.loads(zlib.decompress(packed, -zlib.MAX_WBITS))

    assert (address, "=" in code) == (READER, False)
    return held


def test_a_link_holds_the_board_of_a_running_evening(anna: Browser) -> None:
    game = played(anna)
    rows = [
        [1, 0, [["0", "0", "Rommé"], ["24", "24", ""], ["60", "60", ""]], []],
        [2, 1, [["7", "", ""], ["0", "", "Rommé"], ["1", "", ""]], []],
    ]

    assert shown(anna, game) == [
        *(1, game[3:], 4, "de", EVENING),
        *("Abend vom 1. März 2026", "Deutsches Familien-Rommé"),
        [
            ["Anna", "0", "führt", 1, ""],
            ["Bernd", "24", "2. Platz", 0, ""],
            ["Claire", "60", "3. Platz", 0, ""],
        ],
        rows,
        ["3", "Bernd gibt 13 Karten", "Claire beginnt"],
        [],
    ]


def test_a_link_says_who_won_in_the_language_of_the_phone(anna: Browser) -> None:
    game = played(anna)
    anna.send(f"{game}/end", page=f"{game}/more")
    _, _, version, lang, _, title, system, heads, rows, under, games = shown(anna, game, "en")

    assert (version, lang, title, system) == (
        5,
        "en",
        "Game on 1 March 2026",
        "German Family Rommé",
    )
    assert [head[2] for head in heads] == ["wins", "2nd", "3rd"]
    assert rows[0][2][0] == ["0", "0", "out"]
    assert (under, games) == (["", "Anna wins."], [])


def test_a_link_names_the_group_of_an_evening_without_a_title(anna: Browser) -> None:
    founded = anna.send("/groups/new", name="Kegelclub", member=["Anna", "Bernd"], do="found")
    group = str(founded.location)

    assert shown(anna, anna.next_evening(group))[5] == "Kegelclub"
    assert shown(anna, anna.next_evening(group, title="Finale"))[5] == "Finale"


def test_a_link_holds_doubts_and_who_is_out(anna: Browser) -> None:
    game = anna.begin(preset="scala-40", name=["Anna", "Bernd", "Claire"])
    for fields in ({"hand__1": "60", "hand__2": "140"}, {"hand__1": "7"}):
        anna.enter(game, 0, **fields)
    *_, heads, rows, _, _ = shown(anna, game)

    assert [head[2] for head in heads] == ["noch 101", "noch 34", "aus in 1"]
    assert rows[1][2] == [["0", "0", "Rommé"], ["7", "67", ""], ["", "", ""]]

    anna.enter(game, 0, hand__1="1")
    (doubt,) = shown(anna, game)[8][2][3]
    assert doubt == "Bernd 1: bitte nachzählen"


def test_a_link_holds_the_three_games_of_hollywood(anna: Browser) -> None:
    game = anna.begin(preset="gin-american", name=["Anna", "Bernd"], **{"gin.hollywood": "yes"})
    for _ in range(2):
        anna.send(f"{game}/round", knocker="0", do="save", **{"hand-0": "3", "hand-1": "43"})
    *_, heads, rows, under, games = shown(anna, game)
    anna.send(f"{game}/end", page=f"{game}/more")

    assert games == [["Spiel 1", "noch 20"], ["Spiel 2", "noch 60"], ["Spiel 3", "noch 100"]]
    assert [head[1] for head in heads] == ["80", "0", "40", "0", "0", "0"]
    assert [cell[0] for cell in rows[1][2]] == ["80", "", "40", "", "", ""]
    assert under == ["3", "Bernd gibt 10 Karten", "Anna beginnt"]
    assert shown(anna, game)[9] == ["", "Anna gewinnt.", "Anna gewinnt mit 195 (195 − 0)"]


def test_a_link_that_is_too_long_has_no_code(
    anna: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = played(anna)
    with set_clock(EVENING):
        page = anna.get(f"{game}/snapshot").text
        (link,) = set(re.findall(r'data-copy="([^"]*)"', page))
        monkeypatch.setattr(snapshots, "MAX_CODE", len(link))
        fits = anna.get(f"{game}/snapshot").text
        monkeypatch.setattr(snapshots, "MAX_CODE", len(link) - 1)
        longer = anna.get(f"{game}/snapshot").text

    assert ('class="qr"' in fits, 'class="qr"' in longer) == (True, False)
    assert "zu lang" not in words(fits)
    assert "Dieser Abend ist zu lang für einen Code. Schick den Link." in words(longer)
    assert "Stand 21:15" in words(longer)


# ---- copies --------------------------------------------------------------------------


def opened(reader: Browser, content: bytes) -> TestResponse:
    """Open a file on the page of copies."""
    file = {"file": (BytesIO(content), "copy.jsonl")}
    return reader.client.post("/copies", data=file, headers=reader.headers)


@pytest.fixture
def bernd(tmp_path: Path) -> Iterator[Browser]:
    """The reader of another phone."""
    other = phone(tmp_path / "other.sqlite")
    reader = Browser(other)
    reader.client.set_cookie("browser", "known")
    yield reader
    other.extensions["ledger"].close()


def test_everything_is_kept_in_one_file_that_another_phone_opens(
    anna: Browser, bernd: Browser
) -> None:
    game = played(anna)
    anna.begin(name=["Anna", "Bernd"])
    with set_clock(EVENING):
        file = anna.get("/copies/file")

    about = file.headers["Content-Disposition"], file.mimetype
    assert about == (
        'attachment; filename="scorekeeper 01.03.2026.jsonl"',
        "application/x-ndjson",
    )
    assert "Übernommen. 2 neu" in words(opened(bernd, file.data).text)
    assert bernd.get(f"{game}/history").text == anna.get(f"{game}/history").text

    anna.enter(game, 2, hand__0="5", hand__1="6")
    later = words(opened(bernd, anna.get("/copies/file").data).text)
    assert "Übernommen. 1 weitergeführt 1 war schon hier" in later
    assert shown(bernd, game) == shown(anna, game)


def test_one_evening_goes_on_on_another_phone(anna: Browser, bernd: Browser) -> None:
    game = played(anna)
    file = anna.get(f"{game}/file")

    about = file.headers["Content-Disposition"].partition(";")[0], file.mimetype
    assert about == ("attachment", "application/json")
    assert 'filename="Romme 01.03.2026.json"' in file.headers["Content-Disposition"]
    assert "Übernommen. 1 neu" in words(opened(bernd, file.data).text)
    assert shown(bernd, game) == shown(anna, game)


@pytest.mark.parametrize("content", [b"", b"no copy", b'{"format": "scorekeeper copy 1"}'])
def test_a_file_that_is_no_copy_is_refused(anna: Browser, content: bytes) -> None:
    answer = opened(anna, content)

    assert answer.status_code == 422
    assert "Geht nicht: Das ist keine vollständige, unveränderte Datei" in words(answer.text)
    assert anna.post("/copies", {}).status_code == 422


def test_a_table_is_no_copy_and_belongs_to_a_group(anna: Browser) -> None:
    answer = opened(anna, b"Datum;Anna;Bernd\n5.3.2026;0;35\n")

    assert answer.status_code == 422
    assert "Das ist eine Tabelle (CSV)." in words(answer.text)


def test_a_copy_is_asked_for_until_it_is_kept_or_wanted_later(anna: Browser) -> None:
    def asks(game: str) -> bool:
        return "Eine Kopie behalten" in words(anna.get(f"{game}/end").text)

    game = played(anna)
    anna.send(f"{game}/end", page=f"{game}/more")
    assert asks(game)
    assert "1 Abend ist noch in keiner Kopie." in words(anna.get("/copies").text)

    later = anna.send("/copies/later", page=f"{game}/end")
    assert (later.status_code, later.location) == (303, f"{game}/end")
    assert not asks(game)

    following = played(anna)
    anna.send(f"{following}/end", page=f"{following}/more")
    assert asks(following)
    with set_clock(EVENING):
        anna.get("/copies/file")
        assert asks(following)
        assert anna.post("/copies/file", {}).status_code == 204
    assert not asks(following)
    page = words(anna.get("/copies").text)
    assert "noch in keiner Kopie" not in page
    assert "Die Datei enthält alle 2 Abende." in page

    anna.send(f"{following}/reopen", page=f"{following}/more")
    since = "1 Abend seit dem 1. März 2026 ist noch in keiner Kopie."
    assert since in words(anna.get("/copies").text)
