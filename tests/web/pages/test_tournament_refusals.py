"""What cannot be in a tournament, over REST and on pages: one sentence each, nothing typed lost."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest
from flask import Flask
from werkzeug.test import TestResponse

import rest
import short
from club_nights import NAMES
from forged_exports import sealed
from scorekeeper.i18n import LANGUAGES
from web.pages.conftest import Browser, words

FEWER, OTHER = (92, 89), (92, 89, 86, 161)


class Night:
    """A club night of a director who has both a browser and a program."""

    def __init__(self, app: Flask) -> None:
        self.app = app
        self.anna = Browser(app)
        path = self.anna.found("Café Zentral", ())
        self.path = f"{path}/tournament"
        self.program = rest.Club(app)
        self.program.id, _, self.program.pen = self.anna.code(path, "pen").partition(".")
        self.anna.send(f"{self.path}/plan", hands="1", rounds="1")

    def call(self, method: str, path: str, body: Any = None, lang: str = "en") -> TestResponse:
        """Make a call about the tournament with the current version."""
        match = None if (method, path) == ("POST", "/entrants") else self.program.version
        where = "/groups/{id}/tournament" + path
        return self.program.call(method, where, body, match=match, lang=lang)

    def enter(self, *names: str) -> None:
        body = {"entrants": [{"names": [name]} for name in names]}
        assert self.call("POST", "/entrants", body).status_code == 201

    def drawn(self, *names: str) -> list[Any]:
        """Let some enter, by default thirteen, draw, and return the tables."""
        self.enter(*(names or NAMES))
        answer = self.call("POST", "/rounds")
        assert answer.status_code == 201, answer.text
        return list(answer.json["rounds"][0]["tables"])

    def state(self, table: Any) -> None:
        scores = [{"points": points} for points in range(len(table["entrants"]))]
        path = f"/rounds/1/tables/{table['number']}/result"
        assert self.call("PUT", path, {"scores": scores}).status_code == 200

    def press(self, reader: Browser, path: str = "", **fields: str) -> TestResponse:
        """Send fields to a page of the night, as a press on an older page would."""
        form = reader.form(self.path + "/entrants")
        return reader.post(self.path + path, {**form, **fields})


def nobody_yet(night: Night) -> None:
    """Nothing has happened."""


def thirteen(night: Night) -> None:
    night.enter(*NAMES)


def one_left(night: Night) -> None:
    thirteen(night)
    assert night.call("DELETE", "/entrants/5").status_code == 200


def one_only(night: Night) -> None:
    night.enter("Anna")


def two_left_where_three_play(night: Night) -> None:
    """Two tables of four play contract rummy, a game for three or more."""
    plan = {"format": "knockout", "preset": "contract-rummy", "rounds": "3", "hands": ""}
    assert night.anna.send(f"{night.path}/plan", **plan).status_code == 303
    for table in night.drawn(*NAMES[:8]):
        night.state(table)
    assert night.call("POST", "/close", {}).status_code == 200


def one_table_missing(night: Night) -> None:
    for table in night.drawn()[:-1]:
        night.state(table)


def other_people_at_a_table(night: Night) -> None:
    """The last table is over, with a guest who was not drawn there."""
    *others, last = night.drawn()
    for table in others:
        night.state(table)
    table = rest.Table(night.app)
    table.id, table.pen = last["game"], night.program.pen
    guest = {"player": {"name": "Zaungast"}}
    joined = table.call("PATCH", "/games/{id}", guest, match=table.version)
    assert joined.status_code == 200, joined.text
    assert table.record(short.body(0, 4, 8, 9)).status_code == 201


@dataclass(frozen=True)
class Wrong:
    """Something that cannot be: how it comes about, both ways of asking for it, the sentence."""

    why: str
    before: Callable[[Night], None]
    call: tuple[str, str, Any]
    place: list[Any]
    fields: dict[str, str]
    sentence: str
    """In English, with what would be right."""
    page: str = ""
    kept: tuple[str, ...] = field(default=())
    """What was typed on the page and is still there."""


def _entrants(*names: str) -> dict[str, Any]:
    return {"entrants": [{"names": [name]} for name in names]}


GUESTS = tuple(f"Gast {number}" for number in range(500))
CASES = {
    "an entrant twice": Wrong(
        "twice", thirteen, ("POST", "/entrants", _entrants("Olga", "Anna")), ["entrants", 1],
        {"do": "enter", "names": "Olga\nAnna"},
        "Anna is entered already. Add something where two have the same name.",
        "/entrants", ("Olga\nAnna",),
    ),
    "an entrant twice on one list": Wrong(
        "twice", nobody_yet, ("POST", "/entrants", _entrants("Olga", "Olga")), ["entrants", 1],
        {"do": "enter", "names": "Olga\nOlga"},
        "Olga is entered already. Add something where two have the same name.",
        "/entrants", ("Olga\nOlga",),
    ),
    "somebody who has left": Wrong(
        "left", one_left, ("POST", "/entrants", _entrants("Emil")), ["entrants", 0],
        {"do": "enter", "names": "Emil"},
        "Emil has left. Let them return in the list of entrants.",
        "/entrants", ("Emil",),
    ),
    "500 entrants": Wrong(
        "many", nobody_yet, ("POST", "/entrants", _entrants(*GUESTS)), ["entrants"],
        {"do": "enter", "names": "\n".join(GUESTS)},
        "A tournament has room for 256. Divide it into two.",
        "/entrants", ("\n".join(GUESTS),),
    ),
    "one entrant": Wrong(
        "few", one_only, ("POST", "/rounds", None), [],
        {"do": "draw"},
        "A table needs 3 players, present: 1. Let more people enter, or end the tournament.",
    ),
    "a final for two where three play": Wrong(
        "few_left", two_left_where_three_play, ("POST", "/rounds", None), [],
        {"do": "draw"},
        "Still in: 2. By these rules at least 3 sit at a table. "
        "End the tournament, and the points decide.",
    ),
    "a table that was not drawn": Wrong(
        "no_table", one_table_missing,
        ("PUT", "/rounds/1/tables/9/result", {"scores": [{"points": n} for n in OTHER]}), ["table"],
        {"do": "state", **{f"points-{place}": f"{n}" for place, n in enumerate(OTHER)}},
        "No table 9 was drawn in round 1. Choose one of the tables 1 to 4.",
        "/1/9", ("92 · 89 · 86 · 161",),
    ),
    "a round that was not drawn": Wrong(
        "no_round", thirteen,
        ("PUT", "/rounds/1/tables/1/result", {"scores": [{"points": n} for n in FEWER]}), ["round"],
        {"do": "state", "points-0": "92", "points-1": "neunundachtzig"},
        "Round 1 has not been drawn; so far there are 0. Draw it first.",
        "/1/1", ("92 · neunundachtzig",),
    ),
    "a table missing": Wrong(
        "missing", one_table_missing, ("POST", "/close", {}), [],
        {"do": "close"},
        "Still missing in round 1: table 4. Enter what is missing.",
    ),
    "a game with other rules": Wrong(
        "other_rules", other_people_at_a_table, ("POST", "/close", {}), [],
        {"do": "close"},
        "Table 4 does not play by the rules of the tournament, or others sit there. "
        "Change that at the table, or enter the final totals.",
    ),
}  # fmt: skip


@pytest.mark.sqlite  # all of them are refused before anything is written
@pytest.mark.parametrize("name", CASES)
def test_what_cannot_be_is_refused_with_what_would_be_right(app: Flask, name: str) -> None:
    case, night = CASES[name], Night(app)
    case.before(night)
    version = night.program.version
    sentences = {}
    for lang in LANGUAGES:
        answer = night.call(*case.call, lang=lang)
        assert answer.status_code == 422, answer.text
        (problem,) = answer.json["problems"]
        assert (problem["code"], problem["facts"]["why"]) == ("E_TOURNAMENT", case.why)
        assert problem["path"] == case.place
        sentences[lang] = problem["message"]

        night.anna.headers = {"Accept-Language": lang}
        shown = night.press(night.anna, case.page, **case.fields)
        assert shown.status_code == 422
        assert words(sentences[lang]) in words(shown.text)
        for typed in case.kept:
            assert typed in shown.text

    assert sentences["en"] == case.sentence
    assert len(set(sentences.values())) == len(LANGUAGES)
    assert night.program.version == version


@pytest.mark.sqlite  # refused before anything is written
def test_a_withdrawn_entrant_in_a_draw_is_refused_with_what_would_be_right(app: Flask) -> None:
    """Nobody can draw by hand; a draw from elsewhere comes with an import."""
    night = Night(app)
    night.drawn()
    export = night.program.get("/groups/{id}/export.json").json
    events = export["events"]
    drawn = next(place for place, event in enumerate(events) if event["kind"] == "drawn")
    leaves = {"kind": "withdrawn", "payload": {"entrant": 4, "after": 0}, "texts": {}, "key": None}
    events.insert(drawn, {**events[drawn], **leaves})
    for number, event in enumerate(events, 1):
        event["number"] = number
    for lang, sentence in {
        "en": "Entrant 5 is not there in this round. Draw without them, or let them return.",
        "de": "Teilnehmer 5 ist in dieser Runde nicht dabei.",
    }.items():
        answer = night.program.post("/groups/import", sealed(export), lang=lang)
        assert answer.status_code == 422
        (problem,) = answer.json["problems"]
        assert sentence in problem["message"]


@pytest.mark.sqlite  # only read
def test_the_page_of_a_table_says_that_it_does_not_count_as_it_was_played(app: Flask) -> None:
    night = Night(app)
    other_people_at_a_table(night)
    said = "An Tisch 4 gelten andere Regeln als im Turnier"

    assert said in words(night.anna.get(f"{night.path}/1/4").text)
    assert said not in words(night.anna.get(f"{night.path}/1/1").text)
    assert re.search(r"Tisch 4 ?spielt", words(night.anna.get(night.path).text))


@pytest.mark.sqlite  # refused before anything is written
@pytest.mark.parametrize("again", [False, True])
def test_a_list_for_a_draw_that_was_taken_back_is_shown_beside_nobody(
    app: Flask, again: bool
) -> None:
    """Others may sit at the table of a new draw."""
    night = Night(app)
    night.drawn()
    form = night.anna.form(f"{night.path}/1/1")
    night.call("DELETE", "/rounds")
    if again:
        night.call("POST", "/rounds")
    shown = night.anna.post(f"{night.path}/1/1", {**form, "points-0": "92", "points-2": "161"})

    assert shown.status_code == 409
    assert "Inzwischen hat sich etwas geändert." in words(shown.text)
    assert "Getippt war: 92 · 161" in words(shown.text)
    assert 'value="92"' not in shown.text


# ---- tables and the bin --------------------------------------------------------------


def test_a_table_is_corrected_but_not_thrown_away(app: Flask) -> None:
    night = Night(app)
    game = f"/g/{night.drawn()[0]['game']}"
    page = night.anna.get(f"{game}/edit").text
    assert f'action="{game}/throw-away"' not in page
    form = night.anna.form(f"{game}/edit")
    keep = {name: form[name] for name in ("csrf_token", "key", "version")}
    answer = night.anna.post(f"{game}/throw-away", keep)

    assert answer.status_code == 422
    assert "Diese Partie ist ein Tisch des Turniers und bleibt darin." in words(answer.text)


def test_the_bin_shows_a_table_of_an_earlier_version_until_it_is_erased(app: Flask) -> None:
    night, ledger = Night(app), app.extensions["ledger"]
    game_id = night.drawn()[0]["game"]
    shown = []
    for kind in ("thrown_away", "discarded"):
        with ledger.book_transaction(game_id) as table:
            table.append(kind, {}, at="2026-06-12T20:00:00Z", by="pen")
        page = night.anna.get(night.path.removesuffix("/tournament"))
        shown.append("Im Papierkorb" in words(page.text))

    assert shown == [True, False]
