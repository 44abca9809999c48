"""Entrants who are known already, schedules that somebody left, tables that stay."""

from typing import Any

import pytest

from club_nights import NAMES, Club
from scorekeeper.domain.errors import RuleError
from scorekeeper.domain.tournament.changes import Entry
from scorekeeper.services import given, groups, tournaments
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


def test_a_draw_is_not_taken_back_after_points_were_given_at_a_table(club: Club) -> None:
    club.draw()
    game = club.now.rounds[0].games[2]
    given.give_points(club.ledger, game, {"side": 1, "minus": 50, "note": "zu spät"}, Write())
    with pytest.raises(RuleError) as refused:
        tournaments.undraw_round(club.ledger, club.id, Write())

    assert problem_of(refused)[1] == "played"
    assert not club.ledger.game(game).thrown_away_at


@pytest.mark.parametrize("name", ["round_robin", "mitchell", "knockout"])
def test_only_who_was_drawn_returns_to_a_schedule_that_is_fixed(ledger: Ledger, name: Any) -> None:
    club = Club(ledger, format=name, size=2)
    tournaments.withdraw(ledger, club.id, 4, Write())
    club.draw()
    with pytest.raises(RuleError) as refused:
        tournaments.bring_back(ledger, club.id, 4, Write())
    assert problem_of(refused)[1] == "too_late"

    tournaments.withdraw(ledger, club.id, 5, Write())
    tournaments.bring_back(ledger, club.id, 5, Write())
    club.play_all()
    club.close()
    club.draw()

    assert 4 not in club.now.rounds[1].entrants
    if name != "knockout":
        assert 5 in club.now.rounds[1].entrants
