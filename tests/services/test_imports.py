"""Imports must obey the rules of live games and groups."""

import json
from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest
from flask import Flask

from rest import QUICK, Table, codes
from scorekeeper.cli.output import check_line
from scorekeeper.domain.errors import RuleError
from scorekeeper.domain.game.changes import score_again
from scorekeeper.domain.game.state import Game
from scorekeeper.domain.history.book import Event
from scorekeeper.domain.replay import replay
from scorekeeper.i18n import LANGUAGES, language
from scorekeeper.services import imports
from scorekeeper.services.import_checks import Bounds
from scorekeeper.store.chain import links
from scorekeeper.store.check import check
from scorekeeper.store.exports import BadExport, read_export
from scorekeeper.store.report import Report

Json = dict[str, Any]
ABROAD = "table-7"


@pytest.fixture
def table(app: Flask) -> Table:
    return Table(app).begin()


def forged(table: Table, change: Callable[[Json], object]) -> Json:
    """Return a changed export whose links are valid."""
    data: Json = deepcopy(table.get("/games/{id}/export.json").json)
    change(data)
    events = [Event(**{**event, "texts": {}}) for event in data["events"]]
    *_, head = links(ABROAD, events)
    return data | {"id": ABROAD, "head": head.hex()}


def began(at: str) -> Callable[[Json], object]:
    return lambda data: data["events"][0].update(at=at)


def says(field: str, text: str) -> Callable[[Json], object]:
    return lambda data: data["texts"]["1"].update({field: text})


def test_a_game_is_imported_under_any_id_and_its_next_round_shows_at_once(table: Table) -> None:
    opened = table.post("/games/import", forged(table, says("title", "wie gehabt"))).json
    table.id, table.pen = ABROAD, opened["pen"]
    seen = {"headers": {"If-None-Match": '"1-en"'}}
    unchanged = [table.get("/games/{id}", **seen).status_code for _ in range(2)]

    assert unchanged == [304, 304]
    assert table.post("/games/{id}/rounds", QUICK, key="k").status_code == 201
    assert table.get("/games/{id}", **seen).status_code == 200


@pytest.mark.sqlite  # refused before anything is written
@pytest.mark.parametrize(
    "change",
    [
        began("yesterday"),
        began("2026-02-30T20:00:00Z"),
        began("2026-06-12T20:00:00+02:00"),
        began("0001-01-01T00:00:00Z"),
        began("1899-12-31T23:59:59Z"),
        began("9999-12-31T23:59:59Z"),
        says("name.99", "Anna"),
        says("name.abc", "Anna"),
        says("member.0", "Anna"),
        says("iban.0", "LU28 0019 4006 4475 0000"),
        says("\ud800", "Anna"),
        says("name.0", " Anna"),
        says("name.0", "Rene\u0301e"),
    ],
)
def test_impossible_times_and_texts_are_not_imported(
    table: Table, change: Callable[[Json], object]
) -> None:
    answer = table.post("/games/import", forged(table, change))

    assert answer.status_code == 422
    assert {code for code, _ in codes(answer)} <= {"E_IMPORT", "E_FORM"}


@pytest.mark.parametrize("at", ["1900-01-01T00:00:00Z", "9998-12-31T23:59:59Z"])
def test_the_first_and_the_last_possible_year_are_imported(table: Table, at: str) -> None:
    answer = table.post("/games/import", forged(table, began(at)))

    assert answer.status_code == 201
    assert answer.json["game"]["created_at"] == at


# ---- every rule of a live game -------------------------------------------------------


def event(kind: str, texts: dict[str, str] | None = None, **payload: Any) -> Callable[[Json], None]:
    """Append an event."""

    def change(data: Json) -> None:
        number = len(data["events"]) + 1
        at = data["events"][-1]["at"]
        about = {"number": number, "at": at, "kind": kind, "by": "pen", "payload": payload}
        data["events"].append(about | {"key": None, "digest": None})
        if texts:
            data["texts"][str(number)] = texts

    return change


def several(*changes: Callable[[Json], object]) -> Callable[[Json], object]:
    return lambda data: [change(data) for change in changes]


def repeated(data: Json) -> None:
    """Repeat the last round, under its own number or the next one."""
    last = deepcopy(data["events"][-1])
    data["events"].append(last | {"number": len(data["events"]) + 1, "key": None})


def changed(number: int, *place: str | int, to: Any) -> Callable[[Json], None]:
    """Set another value in the payload of an event."""

    def change(data: Json) -> None:
        holder = data["events"][number - 1]["payload"]
        for step in place[:-1]:
            holder = holder[step]
        holder[place[-1]] = to

    return change


EIGHTEEN = several(*(event("player", {f"name.{n}": f"P{n}"}, seat=n) for n in range(4, 22)))
FORBIDDEN: dict[str, Callable[[Json], object]] = {
    "eighteen players more": EIGHTEEN,
    "a player without a name": event("player", seat=4),
    "a player twice": event("player", {"name.4": "A"}, seat=4),
    "a name of 41 letters": event("player", {"name.4": "x" * 41}, seat=4),
    "a name that no face can draw": event("player", {"name.4": "漢"}, seat=4),
    "an invisible letter in a name": event("player", {"name.4": "A\u200b"}, seat=4),
    "a seat further on": event("player", {"name.5": "E"}, seat=5),
    "a place that no face can draw": event("details", {"place": "😀"}, fields=["place"]),
    "a round under the number of the last one": repeated,
    "a round after the end": several(
        event("ended"),
        lambda data: data["events"].append(data["events"].pop(1)),
        lambda data: renumber(data["events"]),
    ),
    "an end after the end": several(event("ended"), event("ended")),
    "a game reopened that goes on": event("reopened"),
    "a round struck that is not there": event("struck", number=9),
    "a round struck twice": several(event("struck", number=1), event("struck", number=1)),
    "a round restored that counts": event("restored", number=1),
    "a payment that nobody owes": event("paid", **{"from": 0, "to": 1, "amount": "1"}),
    "an account with its number": event(
        "account", {"iban.0": "LU280019400644750000"}, side=0, kept=True
    ),
    "an account of a side that is not there": event("account", side=9, kept=False),
    "a right that there is not": event("secret", right="all"),
    "an event that there is not": event("won"),
    "an erased player without a seat": event("erased", seat=9),
    "one more fact": changed(1, "winner", to=0),
    "a mark for nothing": event("as_it_was", rounds=[]),
    "another number of players": changed(1, "players", to=3),
    "rules of no preset": changed(1, "rules", "preset", to="whist"),
    "rules that clash": changed(1, "rules", "options", "players.min", to=6),
    "an option out of its range": changed(1, "rules", "options", "joker.hand_value", to=10**6),
    "a round in no canonical form": changed(2, "round", "seats", 1, "points", to=12.0),
    "a winner without a seat": changed(2, "round", "winner", to=5),
    "a note in the chain": changed(2, "round", "note", to="hi"),
    "a score of too many": changed(2, "score", "scores", to=[[0, 0, 0, None]] * 9),
    "points without a line": changed(2, "score", "scores", 1, 0, to=11),
    "a line for no reason": changed(2, "score", "lines", 0, "reason", to="x"),
    "the same key twice": lambda data: [
        one.update(key="k", digest="d") for one in data["events"][:2]
    ],
    "a gap": lambda data: data["events"][1].update(number=3),
    "an unknown right": lambda data: data["events"][1].update(by="x"),
}


@pytest.mark.sqlite  # refused before anything is written
@pytest.mark.parametrize("change", FORBIDDEN.values(), ids=FORBIDDEN.keys())
@pytest.mark.parametrize("as_it_was", [False, True])
def test_an_import_obeys_every_rule_of_a_live_game(
    table: Table, change: Callable[[Json], object], as_it_was: bool
) -> None:
    table.record(QUICK)
    book, ledger = forged(table, change), table.app.extensions["ledger"]
    with pytest.raises((RuleError, BadExport)) as refused:
        imports.import_game(ledger, book, as_it_was=as_it_was)

    if isinstance(refused.value, RuleError):
        code = refused.value.problems[0].code
        assert code in ("E_IMPORT", "E_FORM", "E_CONFIG", "E_GAME_OVER", "E_POINTS")
    assert ledger.version(ABROAD) is None


def test_forged_books_are_imported_without_the_checks(table: Table) -> None:
    table.record(QUICK)
    allowed = several(
        event("player", {"name.4": "E"}, seat=4),
        event("struck", number=1),
        event("restored", number=1),
        event("account", side=0, kept=True),
        event("secret", right="pen"),
        event("ended"),
        event("reopened"),
    )
    answer = table.post("/games/import", forged(table, allowed))

    assert answer.status_code == 201, answer.text
    assert answer.json["game"]["version"] == 9
    assert not answer.json["game"]["as_it_was"]


@pytest.mark.parametrize(
    ("bounds", "problem"),
    [
        (Bounds(events=2), {"why": "events", "count": 3, "most": 2}),
        (Bounds(tallies=0), {"why": "work"}),
    ],
)
def test_a_value_out_of_range_is_refused_with_the_range(
    table: Table, bounds: Bounds, problem: dict[str, Any]
) -> None:
    table.record(QUICK)
    table.record(QUICK)
    book, ledger = forged(table, lambda _: None), table.app.extensions["ledger"]
    with pytest.raises(RuleError) as refused:
        imports.import_game(ledger, book, bounds=bounds)

    assert [(one.code, one.facts) for one in refused.value.problems] == [("E_IMPORT", problem)]
    assert imports.import_game(ledger, book, bounds=Bounds(events=3, tallies=2)).game.version == 3
    for code in LANGUAGES:
        assert "scorekeeper import" in language(code).problem(refused.value.problems[0])


# ---- scores --------------------------------------------------------------------------


def cheated(data: Json) -> None:
    """Give B 9,999 points instead of 12, in the score line too."""
    score = data["events"][1]["payload"]["score"]
    score["scores"][1][0] = 9_999
    line = next(one for one in score["lines"] if one["seat"] == 1)
    line["minus"] = 9_999


def test_differing_points_are_refused_with_both_values(table: Table) -> None:
    table.record(QUICK)
    book = forged(table, cheated)
    answer = table.post("/games/import", book)
    (problem,) = answer.json["problems"]

    assert (answer.status_code, problem["code"]) == (422, "E_IMPORT_DIFFERS")
    assert problem["facts"] == {
        "round": 1,
        "player": "B",
        "stored": 9_999,
        "now": 12,
        "tally": "minus",
    }
    assert "9999" in problem["message"]
    assert "12" in problem["message"]
    assert table.app.extensions["ledger"].version(ABROAD) is None


def test_a_game_imported_as_it_was_keeps_its_mark_when_exported(table: Table) -> None:
    table.record(QUICK)
    taken = table.post("/games/import?as_it_was=true", forged(table, cheated))
    table.id, table.pen = ABROAD, taken.json["pen"]
    whole = table.get("/games/{id}/export.json").json
    again = json.loads(json.dumps(whole).replace(ABROAD, "table-8"))
    events = [Event(**{**one, "texts": {}}) for one in again["events"]]
    *_, head = links("table-8", events)
    anew = table.post("/games/import", again | {"head": head.hex()})

    assert (taken.status_code, taken.json["game"]["as_it_was"]) == (201, True)
    assert taken.json["game"]["totals"][1]["minus"] == 9_999
    assert whole["events"][-1]["kind"] == "as_it_was"
    assert whole["events"][-1]["payload"] == {"rounds": [1]}
    assert (anew.status_code, anew.json["game"]["as_it_was"]) == (201, True)
    history = table.get("/games/{id}/history").json["changes"]
    assert history[-1]["kind"] == "as_it_was"
    lines = table.get("/games/{id}/export.csv").text.splitlines()
    assert lines[1].split(",")[2:4] == ["as it was", "out"]


def test_the_mark_covers_only_what_it_names(table: Table) -> None:
    """A wrong round after the mark, or one that it does not name, is a difference again."""
    table.record(QUICK)
    table.record(QUICK)
    other = several(cheated, event("as_it_was", rounds=[2]))
    first = several(event("as_it_was", rounds=[1]), cheated, lambda data: _last_first(data))

    for change in (other, first):
        answer = table.post("/games/import", forged(table, change))
        assert codes(answer)[0][0] == "E_IMPORT_DIFFERS", answer.text


def _last_first(data: Json) -> None:
    """Move the last event to the place after the first."""
    events = data["events"]
    events.insert(1, events.pop())
    renumber(events)


def renumber(events: list[Json]) -> None:
    for number, one in enumerate(events, 1):
        one["number"] = number


def test_a_game_without_differences_is_not_marked(table: Table) -> None:
    table.record(QUICK)
    answer = table.post("/games/import?as_it_was=true", forged(table, lambda _: None))

    assert (answer.json["game"]["as_it_was"], answer.json["game"]["version"]) == (False, 2)


# ---- what check says of them ---------------------------------------------------------


def checked(table: Table) -> Report:
    return check(table.app.extensions["ledger"], score_again)


def test_the_links_of_an_imported_game_can_be_shown(table: Table) -> None:
    table.post("/games/{id}/secrets", {"right": "watch"})
    brought = table.post("/games/import", forged(table, lambda book: None), secret="").json
    ledger = table.app.extensions["ledger"]
    shown = [ledger.link_secret(brought["id"], right) for right in ("pen", "watch")]

    assert shown == [brought["pen"], brought["watch"]]


def findings(report: Report) -> list[str]:
    return [line.key for line in report.lines if not line.ok]


def taken(table: Table, book: Json) -> None:
    """Import a book without any check, as early versions did."""
    book_id, events = read_export(Game, book)
    game = replay(book_id, events)
    table.app.extensions["ledger"].import_book(game, events)


def test_check_mentions_imported_differences_without_failing(table: Table) -> None:
    table.record(QUICK)
    table.record(QUICK)
    before = checked(table)
    table.post("/games/import?as_it_was=true", forged(table, cheated))
    report = checked(table)

    assert all(line.key != "as_it_was" for line in before.lines)
    assert report.clean
    assert report.line("as_it_was").facts == {"n": 1, "places": ((ABROAD, 2),)}
    assert report.line("prices").facts["bad"] == 0
    for code in LANGUAGES:
        assert f"{ABROAD}/2" in check_line(report.line("as_it_was"), language(code))


@pytest.mark.parametrize(
    "marked",
    [
        lambda _: None,
        event("as_it_was", rounds=[2]),
        several(event("as_it_was", rounds=[1]), lambda data: _last_first(data)),
    ],
    ids=["not at all", "for another round", "before"],
)
def test_unmarked_differences_of_points_fail_the_check(
    table: Table, marked: Callable[[Json], object]
) -> None:
    table.record(QUICK)
    table.record(QUICK)
    taken(table, forged(table, several(cheated, marked)))
    report = checked(table)

    assert findings(report) == ["prices"]
    assert report.line("prices").facts["bad"] == 1
    assert all(line.key != "as_it_was" for line in report.lines)


def test_another_winner_with_the_same_points_fails_the_check(table: Table) -> None:
    table.record(QUICK)
    taken(table, forged(table, changed(2, "score", "winner", to=2)))

    assert findings(checked(table)) == ["prices"]


def worded_before(data: Json) -> None:
    """Return the score of a round without its warnings."""
    score = data["events"][1]["payload"]["score"]
    assert score["warnings"]
    score["warnings"] = []


def test_missing_warnings_of_an_old_version_are_no_difference(app: Flask) -> None:
    gin = Table(app).begin("gin-palast", "AB")
    hands = [{"hand": "4C 5C 6C 9H 9S 9D JD QD KD 6H", "discard": "8S", "announced": 4}]
    hands.append({"hand": "2S 3S 4S QH QC QS 7C 9C 10D AC"})
    recorded = gin.record({"outcome": "knock", "knocker": 0, "seats": hands})
    imported = gin.post("/games/import", forged(gin, worded_before))

    assert [one["code"] for one in recorded.json["score"]["warnings"]] == ["W_ANNOUNCED"]
    assert imported.status_code == 201, imported.text
    assert not imported.json["game"]["as_it_was"]
    assert imported.json["game"]["version"] == 2
    assert findings(checked(gin)) == []


@pytest.mark.parametrize(
    "later", [{"klopfen": 1}, {"swaps": [{"card": "8S", "meld": {"seat": 1, "index": 0}}]}]
)
def test_rounds_of_version_1_1_that_are_refused_today_are_imported(app: Flask, later: Json) -> None:
    """The points must be right all the same, and today's rounds are refused as before."""
    table = Table(app).begin(
        players="AB", rules={"preset": "german-family", "options": {"klopfen.mode": "palast"}}
    )
    seats: list[Json] = [{}, {"melds": ["6S 7S JK=8S"], "hand": "KD 9H"}]
    body = {"outcome": "out", "winner": 0, "hand_romme": True, "seats": seats}
    table.record(body)

    def before(data: Json) -> None:
        data["events"][1]["payload"]["round"]["seats"][0] |= later

    refused = table.post("/games/import", forged(table, several(before, cheated)))
    imported = table.post("/games/import", forged(table, before))
    seats[0] |= later

    assert (refused.status_code, table.record(body).status_code) == (422, 422)
    assert imported.status_code == 201, imported.text
    assert not imported.json["game"]["as_it_was"]
    assert findings(checked(table)) == []


# ---- payments of earlier versions ----------------------------------------------------


def payment(kind: str, payer: int, payee: int, amount: str, **more: Any) -> Callable[[Json], None]:
    return event(kind, **{"from": payer, "to": payee, "amount": amount, **more})


def test_payments_of_version_1_1_are_imported_and_all_count(table: Table) -> None:
    """Its plan did not change with payments, and it named players and amount to take one back."""
    table.record(QUICK)
    first, *others = table.get("/games/{id}/settlement").json["transfers"]
    assert len(others) == 2
    due = [(one["from"], one["to"], one["amount"]) for one in (first, *others)]
    changes = [payment("paid", *one) for one in due]
    changes += [payment("unpaid", *due[0]), payment("paid", *due[0])]
    opened = table.post("/games/import", forged(table, several(*changes)))

    assert opened.status_code == 201
    table.id, table.pen = ABROAD, opened.json["pen"]
    transfers = table.get("/games/{id}/settlement").json["transfers"]
    assert sorted((one["from"], one["to"], one["amount"]) for one in transfers) == sorted(due)
    assert all(one["paid_at"] for one in transfers)


def test_an_import_pays_nothing_twice_and_takes_nothing_back_twice(table: Table) -> None:
    table.record(QUICK)
    first = table.get("/games/{id}/settlement").json["transfers"][0]
    due = first["from"], first["to"], first["amount"]
    twice = several(payment("paid", *due), payment("paid", *due))
    gone = several(payment("paid", *due), payment("unpaid", *due), payment("unpaid", *due))
    other = several(payment("paid", *due), payment("unpaid", *due, payment=2))

    for wrong in (twice, gone, other):
        with pytest.raises(RuleError, match="E_IMPORT"):
            imports.import_game(table.app.extensions["ledger"], forged(table, wrong))


def test_the_same_payment_made_twice_is_exported_and_imported(table: Table) -> None:
    table.record(QUICK)
    transfers = table.get("/games/{id}/settlement").json["transfers"]
    for number in range(len(transfers)):
        mark(table, number, True)
    table.record(QUICK)
    for number in range(len(transfers), 2 * len(transfers)):
        mark(table, number, True)
    mark(table, 0, False)
    opened = table.post("/games/import", forged(table, lambda _: None))

    assert opened.status_code == 201
    made = table.get("/games/{id}/settlement").json["transfers"]
    table.id, table.pen = ABROAD, opened.json["pen"]
    assert table.get("/games/{id}/settlement").json["transfers"] == made


def mark(table: Table, number: int, paid: bool) -> None:
    path = f"/games/{{id}}/settlement/transfers/{number}"
    assert table.call("PUT", path, {"paid": paid}, match=table.version).status_code == 200
