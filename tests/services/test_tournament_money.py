"""Fees and prizes of a tournament in the account book of its group."""

import csv
from dataclasses import replace
from fractions import Fraction

import pytest

from club_nights import NAMES, Club
from scorekeeper.domain.errors import RuleError
from scorekeeper.domain.tournament.plan import Money
from scorekeeper.domain.tournament.standings import standings
from scorekeeper.services import tournaments
from scorekeeper.services.exports import group_table
from scorekeeper.store import Ledger
from scorekeeper.store.writes import Write


def test_fees_and_prizes_are_booked_at_the_end_and_follow_corrections(ledger: Ledger) -> None:
    """Four pay 5 each; 20 are divided 2 : 1, which is 13.33 and 6.67 in whole cents."""
    money = Money(fee=Fraction(5), unit="EUR", shares=(2, 1), booked=True)
    club = Club(ledger, NAMES[:4], rounds=2, money=money)
    club.draw()
    club.state(1, 0, 1, 2, 3, 4)
    club.close()
    assert club.group.balances == {}
    club.draw()
    club.state(2, 0, 1, 2, 3, 4)
    club.close()
    first, second, *_ = (one.entrant for one in standings(club.now))
    balance = club.group.balance("EUR")
    assert (balance[first], balance[second]) == (Fraction("8.33"), Fraction("1.67"))
    assert sorted(balance)[:2] == [-5, -5]
    assert sum(balance) == 0

    numbers = {entrant: place for place, entrant in enumerate(club.now.rounds[1].tables[0])}
    points = [50, 50, 50, 50]
    points[numbers[second]] = 0
    club.state(2, 0, *points)
    club.state(1, 0, *[0 if one == second else 9 for one in club.now.rounds[0].tables[0]])
    assert standings(club.now)[0].entrant == second
    assert club.group.balance("EUR")[second] == Fraction("8.33")
    assert sum(club.group.balance("EUR")) == 0
    assert club.kinds().count("prizes") >= 2

    lines = "".join(group_table(ledger, club.group, "settlements")).splitlines()
    rows = list(csv.DictReader(lines))
    assert {row["game"] for row in rows} == {"prizes"}
    for name, balance in zip(NAMES[:4], club.group.balance("EUR"), strict=True):
        own = [Fraction(row["amount"]) for row in rows if row["member"] == name]
        assert sum(own) == balance


def test_what_the_club_keeps_cannot_be_booked(ledger: Ledger) -> None:
    money = Money(fee=Fraction(5), unit="EUR", kept=Fraction(1), booked=True)
    with pytest.raises(RuleError) as refusal:
        Club(ledger, money=money)

    assert refusal.value.problems[0].facts["why"] == "booked"


def test_prizes_of_a_knockout_are_booked_once_it_is_won(ledger: Ledger) -> None:
    """Four at tables of two; more rounds are planned than a knockout of four has."""
    money = Money(fee=Fraction(5), unit="EUR", shares=(1,), booked=True)
    club = Club(ledger, NAMES[:4], format="knockout", size=2, rounds=9, money=money)
    club.draw()
    for table in (0, 1):
        club.state(1, table, 10, 20)
    club.close()
    one, other = (there[0] for there in club.now.rounds[0].tables)
    assert club.group.balances == {}

    tournaments.withdraw(ledger, club.id, one, Write())
    assert club.group.balance("EUR")[other] == 15
    tournaments.bring_back(ledger, club.id, one, Write())
    assert not any(club.group.balance("EUR"))

    club.draw()
    final = club.now.rounds[1]
    club.state(2, 0, *(0 if there == one else 9 for there in final.tables[0]))
    tournaments.draw_round(ledger, club.id, Write(), closing=True)  # nothing is left to draw
    assert club.now.is_over
    assert club.now.rounds[1:] == (replace(club.now.rounds[1], closed=True),)
    assert club.group.balance("EUR")[one] == 15
    with pytest.raises(RuleError) as refusal:
        club.draw()
    assert refusal.value.problems[0].facts["why"] == "over"
