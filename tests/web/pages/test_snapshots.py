"""What the link to an evening holds that is shown without a server."""

import json
import zlib
from base64 import urlsafe_b64decode
from typing import Any

from scorekeeper.web.pages.snapshots import contents, packed

AT = "2026-06-12T23:05:00Z"


def held(anna: Any, game: str, code: str = "de") -> list[Any]:
    """Return what the link to a game holds behind its address and version."""
    app = anna.client.application
    with app.test_request_context(headers={"Accept-Language": code}):
        book = app.extensions["ledger"].game(game.rpartition("/")[2])
        values = contents(book, AT)

    assert values[:5] == [1, book.id, book.version, code, AT]
    return values[5:]


def test_a_link_holds_the_board_and_the_next_deal(anna: Any) -> None:
    game = anna.begin(name=["Anna", "Bernd", "Claire"], title="Freitag")
    anna.enter(game, 0, hand__1="12", hand__2="1")
    anna.enter(game, 1, hand__0="30", hand__2="40")
    anna.send(f"{game}/round/2/strike", page=game)

    title, system, heads, rows, below, games = held(anna, game)

    assert (title, system) == ("Freitag", "Deutsches Familien-Rommé")
    assert heads == [
        ["Anna", "0", "führt", 1, ""],
        ["Bernd", "12", "3. Platz", 0, ""],
        ["Claire", "1", "2. Platz", 0, ""],
    ]
    assert rows == [
        [
            *(1, 0, [["0", "0", "Rommé"], ["12", "12", ""], ["1", "1", ""]]),
            ["Claire 1: bitte nachzählen"],
        ],
        [2, 1, [["30", "", ""], ["0", "", "Rommé"], ["40", "", ""]], []],
    ]
    assert below == ["3", "Bernd gibt 13 Karten", "Claire beginnt"]
    assert games == []


def test_a_link_names_the_one_of_three_who_sits_out(anna: Any) -> None:
    game = anna.begin(name=["Anna", "Bernd", "Claire"], preset="gin-palast", teams="three")

    *_, below, _ = held(anna, game)

    assert below == ["1", "Anna gibt 10 Karten", "Claire beginnt", "Bernd setzt aus"]


def test_a_link_to_three_games_holds_each_and_who_has_won(anna: Any) -> None:
    rules = {"preset": "gin-american", "gin.hollywood": "yes", "end.points": "50"}
    game = anna.begin(name=["Anna", "Bernd"], **rules)
    for _ in range(3):
        anna.send(f"{game}/round", knocker="0", do="save", hand__0="1", hand__1="60")

    *_, heads, rows, below, games = held(anna, game)

    assert [(name, total, leads, state) for name, total, _, leads, state in heads] == [
        (name, total, leads, f"Spiel {number}, zu Ende")
        for number in (1, 2, 3)
        for name, total, leads in (("Anna", "59", 1), ("Bernd", "0", 0))
    ]
    assert [[cell[0] for cell in cells] for _, _, cells, _ in rows] == [
        ["59", "", "", "", "", ""],
        ["", "", "59", "", "", ""],
        ["", "", "", "", "59", ""],
    ]
    assert below == ["", "Anna gewinnt.", "Anna gewinnt mit 852 (852 − 0)"]
    assert games == [(f"Spiel {number}", "zu Ende") for number in (1, 2, 3)]


def test_a_link_is_unpacked_to_what_it_holds() -> None:
    values = [1, "ä", [["–", ""]]]
    data = packed(values)

    assert "=" not in data
    assert json.loads(zlib.decompress(urlsafe_b64decode(f"{data}=="), -zlib.MAX_WBITS)) == values
