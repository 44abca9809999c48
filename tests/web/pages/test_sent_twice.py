"""A form that is sent again, because the answer was lost, is answered and changes nothing more."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

import pytest
from flask import Flask
from werkzeug.datastructures import MultiDict

from web.pages.conftest import Browser, words


class Sent(NamedTuple):
    """A form: where it goes, the page that has it if that is another one, what is typed."""

    path: str
    page: str = ""
    fields: Mapping[str, Any] = MappingProxyType({})


SAVE = {"do": "save"}
LEFT = {"hand-1": "3", "hand-2": "4", "hand-3": "5"}
ACCOUNT = {"holder": "Claire Muster", "iban": "LU28 0019 4006 4475 0000", "do": "keep"}
FORMS = {
    "title": Sent("{game}/edit", fields={**SAVE, "title": "Freitag"}),
    "player": Sent("{game}/edit", fields={**SAVE, "name-1": "Berndt"}),
    "player everywhere": Sent(
        "{game}/edit", fields={**SAVE, "name-1": "Berndt", "everywhere": "yes"}
    ),
    "seats": Sent("{game}/edit", fields={**SAVE, "seat": ["0", "2", "1", "3"]}),
    "day": Sent("{game}/edit", fields={**SAVE, "day": "2026-01-02"}),
    "dealer": Sent("{game}/edit", fields={**SAVE, "dealer-1": "3", "dealer-2": "1"}),
    "rules": Sent("{game}/edit/rules", fields={**SAVE, "joker.hand_value": "50"}),
    "joins": Sent("{game}/players", "{game}/more", {"name": "Emil"}),
    "ends": Sent("{game}/end", "{game}/more"),
    "thrown away": Sent("{game}/throw-away", "{game}/edit"),
    "erased": Sent("{game}/names/1"),
    "corrected": Sent("{game}/round/1/correct", fields={**SAVE, "hand-1": "3"}),
    "inserted": Sent("{game}/round/1/insert", fields={**SAVE, "winner": "0", **LEFT}),
    "struck": Sent("{game}/round/1/strike", "{game}"),
    "points": Sent("{game}/points", fields={"side": "1", "kind": "penalty", "points": "20"}),
    "account": Sent("{game}/settlement/account", "{game}/settlement", {"side": "1", **ACCOUNT}),
    "begins": Sent("{group}/new", fields={"do": "start"}),
    "member": Sent("{group}/members/1", fields={"name": "Berndt"}),
    "new member": Sent("{group}/members", fields={"name": "Emil"}),
    "retires": Sent("{group}/members/1/retire", "{group}/members/1", {"retired": "yes"}),
    "member erased": Sent("{group}/members/1/erase"),
    "group": Sent("{group}/name", fields={"name": "Kegelclub"}),
    "usual rules": Sent("{group}/house", fields={**SAVE, "joker.hand_value": "50"}),
    "payment": Sent(
        "{group}/money",
        fields={"do": "pay", "from": "0", "to": "1", "amount": "5", "unit": "ct"},
    ),
    "plan": Sent("{group}/tournament/plan"),
    "other plan": Sent("{group}/tournament/plan", fields={"rounds": "5"}),
    "described": Sent("{game}/details", "{game}/more", {"title": "Finale", "place": "Küche"}),
    "reopened": Sent("{game}/reopen", "{game}/more"),
    "restored": Sent("{game}/round/1/restore", "{game}/round/1"),
    "reverted": Sent("{game}/round/1/revert", "{game}/round/1"),
    "paid": Sent("{game}/settlement/0", "{game}/end", {"paid": "yes"}),
    "rating": Sent("{group}/rating", "{group}/name", {"on": "yes"}),
    "admitted": Sent("{own}/group", fields={"do": "admit"}),
    "released": Sent("{game}/group", fields={"do": "release"}),
}
BEFORE = {
    "other plan": "plan",
    "reopened": "ends",
    "restored": "struck",
    "reverted": "corrected",
    "paid": "ends",
}
"""What is sent before."""


@pytest.mark.parametrize("what", FORMS)
def test_a_form_sent_again_changes_nothing_more(anna: Browser, app: Flask, what: str) -> None:
    group = anna.found("Freitag", ["Anna", "Bernd", "Claire", "Dieter"])
    game = anna.next_evening(group, point_value="1", unit="ct")
    anna.enter(game, 0, **LEFT)
    own = anna.begin() if what == "admitted" else game

    def filled(what: str) -> tuple[str, MultiDict[str, str]]:
        sent = FORMS[what]
        path, page = (place.format(game=game, group=group, own=own) for place in sent[:2])
        return path, anna.filled(page or path, **sent.fields)

    def versions() -> list[int]:
        return [app.extensions["ledger"].version(book[3:]) for book in (game, group, own)]

    if what in BEFORE:
        assert anna.post(*filled(BEFORE[what])).status_code == 303
    path, form = filled(what)
    before, first = versions(), anna.post(path, form)
    after, again = versions(), anna.post(path, form)

    assert first.status_code == 303, words(first.text)
    assert after != before
    assert (again.status_code, versions()) == (303, after), words(again.text)


PLANS = ("contract-rummy", "phases", "three-thirteen")


@pytest.mark.parametrize("preset", PLANS)
def test_a_round_sent_twice_is_recorded_once_in_a_game_by_a_plan(anna, app, preset):
    """The next round has another row of the plan, by which the repeat must not be read."""
    game = anna.begin(name=["Anna", "Bernd", "Claire"], preset=preset)
    laid = {f"laid-{seat}": "yes" for seat in (1, 2)}
    form = anna.filled(
        f"{game}/round", **SAVE, winner="0", **{"hand-1": "5", "hand-2": "7"}, **laid
    )
    ledger = app.extensions["ledger"]
    answers = [anna.post(f"{game}/round", form).status_code for _ in range(2)]
    correction = anna.filled(f"{game}/round/1/correct", **SAVE, **{"hand-1": "9"})
    answers += [anna.post(f"{game}/round/1/correct", correction).status_code for _ in range(2)]
    anna.send(f"{game}/players", page=f"{game}/more", name="Dora", in_place_of="")
    answers += [anna.post(f"{game}/round", form).status_code]
    answers += [anna.post(f"{game}/round/1/correct", correction).status_code]

    assert answers == [303] * 6
    found = ledger.game(game.rpartition("/")[2])
    assert [len(found.sheet.rows), len(found.sheet.row(1).earlier)] == [1, 1]


def test_melds_of_a_round_sent_twice_are_read_with_the_wild_rank_of_then(anna, app):
    """In one row, a meld ends where the wild rank says: sixes in the fourth round, then sevens."""
    game = anna.begin(name=["Anna", "Bernd"], preset="three-thirteen")
    for _ in range(3):
        anna.enter(game, 0, hand__1="5")
    cards = {"way-0": "cards", "melds-0": "7H 8H 6C 9S 9C 9D", "discard-0": "KD", "hand-1": "5"}
    form = anna.filled(f"{game}/round", **SAVE, notation="en", winner="0", **cards)

    answers = [anna.post(f"{game}/round", form).status_code for _ in range(2)]

    assert answers == [303, 303]
    (*_, row) = app.extensions["ledger"].game(game.rpartition("/")[2]).sheet.rows
    assert row.number == 4
    assert len(row.round.seats[0].melds) == 2
