"""Entrants who are known already, schedules that somebody left, tables that stay."""

from typing import Any

import pytest

from club_nights import NAMES, Club
from scorekeeper.domain.errors import RuleError
from scorekeeper.domain.tournament.changes import Entry
from scorekeeper.services import groups, tournaments
from scorekeeper.store import Ledger
from scorekeeper.store.writes import Write


@pytest.fixture
def club(ledger: Ledger) -> Club:
    return Club(ledger)


def problem_of(refused: pytest.ExceptionInfo[RuleError]) -> Any:
    (problem,) = refused.value.problems
    return problem.code, problem.facts["why"], problem.path


@pytest.mark.parametrize("name", ["anna", "ANNA"])
def test_a_name_in_other_capitals_or_spaces_is_the_same_person(club: Club, name: str) -> None:
    with pytest.raises(RuleError) as refused:
        club.enter(Entry(("Olga  Weis",)), Entry((name,)))
    assert problem_of(refused)[1] == "twice"
    with pytest.raises(RuleError) as refused:
        club.enter(Entry(("Olga Weis",)), Entry(("olga  weis",)))

    assert problem_of(refused) == ("E_TOURNAMENT", "twice", ("entrants", 1))
    assert len(club.now.entrants) == len(NAMES)


def test_a_round_of_a_schedule_in_which_nobody_meets_has_no_tables(ledger: Ledger) -> None:
    """Of three, one leaves who would have met somebody in each of the next two rounds."""
    club = Club(ledger, NAMES[:3], format="round_robin", size=2)
    club.draw()
    (sat_out,) = club.now.rounds[0].out
    club.play_all()
    club.close()
    tournaments.withdraw(club.ledger, club.id, sat_out, Write())
    for _ in range(2):
        club.draw()
        assert club.now.rounds[-1].tables == ()
        assert len(club.now.rounds[-1].out) == 2
        club.close()

    assert club.now.is_over
    assert tournaments.is_draw_confirmed(ledger, club.id, 2)


def test_a_table_stays_in_the_group_of_its_tournament(club: Club) -> None:
    club.draw()
    with pytest.raises(RuleError) as refused:
        groups.release_game(club.ledger, club.id, club.now.rounds[0].games[0], Write())

    assert problem_of(refused) == ("E_GROUP", "table", ("game",))
