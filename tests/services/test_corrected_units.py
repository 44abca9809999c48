"""An evening whose unit of money was corrected, and its group's book and export."""

from collections.abc import Callable
from fractions import Fraction

import pytest

import short
from forged_exports import sealed
from scorekeeper.domain.errors import RuleError
from scorekeeper.domain.game.changes import NewGame
from scorekeeper.domain.game.frame import Frame
from scorekeeper.domain.group.changes import NewGroup
from scorekeeper.services import games, groups, imports
from scorekeeper.services.copies import copy_lines, read_copy, take_copy
from scorekeeper.store import Ledger
from scorekeeper.store.check import check
from scorekeeper.store.writes import PROGRAM
from transfers import sent, taken_in

PLAYERS = ("Anna", "Bernd", "Claire")


class Evening:
    """An evening of a group for a cent a point, in which Bernd lost 12 points and Claire 35."""

    def __init__(self, ledger: Ledger, end: str = "manual") -> None:
        self.ledger = ledger
        self.group = groups.create_group(ledger, NewGroup("Runde", PLAYERS)).group.id
        rules = short.FAMILY.override({"end.mode": end, "end.points": 40})
        about = NewGame("", "", rules, PLAYERS)
        self.game = groups.open_evening(ledger, self.group, about, PROGRAM).id
        short.record(ledger, self.game, 0, 12, 35)

    def end(self) -> None:
        games.end_game(self.ledger, self.game, PROGRAM)

    def reopen(self) -> None:
        games.reopen_game(self.ledger, self.game, PROGRAM)

    def pay(self, paid: bool = True, number: int = 0) -> None:
        games.mark_paid(self.ledger, self.game, number, paid, PROGRAM)

    def in_euros(self) -> None:
        """Correct the unit: the points were for a euro each."""
        rules = self.ledger.game(self.game).rules.override({"settle.unit": "EUR"})
        new = Frame(rules=rules)
        games.correct_frame(self.ledger, self.game, "euros", lambda _: new, PROGRAM)

    def release(self) -> None:
        groups.release_game(self.ledger, self.group, self.game, PROGRAM)

    def admit(self) -> None:
        groups.admit_game(self.ledger, self.group, self.game, PROGRAM)

    def balances(self, unit: str) -> list[int]:
        return [int(amount) for amount in self.ledger.group(self.group).balance(unit)]


def ended(evening: Evening) -> None:
    evening.end()
    evening.reopen()
    evening.in_euros()


def paid_by_mistake(evening: Evening) -> None:
    evening.pay()
    evening.pay(False)
    evening.in_euros()


def paid_again(evening: Evening) -> None:
    paid_by_mistake(evening)
    evening.pay()


def ended_and_paid_again(evening: Evening) -> None:
    evening.end()
    evening.pay()
    evening.pay(False)
    evening.reopen()
    evening.in_euros()
    evening.pay()


def released(evening: Evening) -> None:
    evening.end()
    evening.pay()
    evening.release()
    evening.pay(False)
    evening.reopen()
    evening.in_euros()
    evening.end()
    evening.admit()
    evening.reopen()


CORRECTIONS: dict[str, Callable[[Evening], None]] = {
    correction.__name__: correction
    for correction in (ended, paid_by_mistake, paid_again, ended_and_paid_again, released)
}


@pytest.mark.parametrize("correct", CORRECTIONS.values(), ids=CORRECTIONS.keys())
@pytest.mark.parametrize("over", [False, True])
def test_a_group_is_imported_whose_evening_had_another_unit(
    ledger: Ledger, elsewhere: Ledger, correct: Callable[[Evening], None], over: bool
) -> None:
    evening = Evening(ledger)
    correct(evening)
    if over:
        evening.end()
    there = taken_in(elsewhere, *sent(ledger, evening.group)).group

    assert there == ledger.group(evening.group)
    paid = sum((one.amount for one in ledger.game(evening.game).paid), Fraction())
    assert evening.balances("EUR") == ([47 - paid, 11, paid - 58] if over else [-paid, 0, paid])
    assert not any(evening.balances("ct"))
    assert check(ledger).good
    assert check(elsewhere).good


def test_a_group_is_imported_in_which_a_limit_was_reached_in_another_unit(
    ledger: Ledger, elsewhere: Ledger
) -> None:
    evening = Evening(ledger, "points")
    short.record(ledger, evening.game, 0, 1, 30)
    assert evening.balances("ct") == [78, 39, -117]
    games.strike_round(ledger, evening.game, 2, PROGRAM)
    evening.in_euros()
    short.record(ledger, evening.game, 0, 2, 30)
    there = taken_in(elsewhere, *sent(ledger, evening.group)).group

    assert there == ledger.group(evening.group)
    assert evening.balances("EUR") == [79, 37, -116]


# ---- what is forged ------------------------------------------------------------------


@pytest.mark.sqlite  # refused before anything is written
@pytest.mark.parametrize(
    ("forged", "why"), [([0], "event"), ([1], "event"), ([2], "event"), ([0, 1, 2], "left")]
)
def test_an_evening_with_something_booked_in_another_unit_is_refused(
    ledger: Ledger, forged: list[int], why: str
) -> None:
    """Two payments and the result: nothing may be left in a unit that is not the evening's."""
    evening = Evening(ledger)
    evening.pay()
    evening.pay(number=1)
    evening.end()
    export, evenings = sent(ledger, evening.group)
    entries = [event["payload"] for event in export["events"][-3:]]
    for entry in (entries[number] for number in forged):
        moves = [[member, "EUR", amount] for member, _, amount in entry["moves"]]
        entry.update(unit="EUR", moves=moves)
    with pytest.raises(RuleError) as refused:
        imports.read_group(sealed(export), evenings)

    (problem,) = refused.value.problems
    assert (problem.code, problem.facts["why"]) == ("E_IMPORT", why)


# ---- elsewhere -----------------------------------------------------------------------


@pytest.mark.parametrize("paid", [False, True])
def test_an_evening_that_was_corrected_elsewhere_is_booked_in_its_new_unit(
    ledger: Ledger, elsewhere: Ledger, paid: bool
) -> None:
    """The group went on here, and its evening in a copy."""
    evening = Evening(ledger)
    if paid:
        evening.pay()
    evening.end()
    take_copy(elsewhere, read_copy("".join(copy_lines(ledger)).encode()))
    groups.add_member(ledger, evening.group, "Dieter", PROGRAM)
    evening.ledger = elsewhere
    if paid:
        evening.pay(False)
    evening.reopen()
    evening.in_euros()
    if paid:
        evening.pay()
    evening.end()
    taken = take_copy(ledger, read_copy("".join(copy_lines(elsewhere)).encode()))
    evening.ledger = ledger

    assert taken.diverged == 1
    assert evening.balances("EUR") == ([0, 11, -11, 0] if paid else [47, 11, -58, 0])
    assert not any(evening.balances("ct"))
    assert check(ledger).good
    imports.read_group(*sent(ledger, evening.group))
