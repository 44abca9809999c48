"""Standings, tie-breaks in their order, and prizes."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.domain.errors import RuleError
from scorekeeper.domain.tournament import changes
from scorekeeper.domain.tournament.changes import MAX_WINS, MAX_WORTH
from scorekeeper.domain.tournament.lots import lots
from scorekeeper.domain.tournament.plan import Money
from scorekeeper.domain.tournament.prizes import purse
from scorekeeper.domain.tournament.scale import Performance, Scale, TieBreak
from scorekeeper.domain.tournament.standings import Standing, standings
from scorekeeper.domain.tournament.state import Tournament
from tests.domain.tournament.playing import played, tournament, with_tables


def ranked(found: tuple[Standing, ...]) -> list[tuple[int, int, str | None]]:
    return [(one.rank, one.entrant, one.decided_by) for one in found]


def two_tables(*breaks: TieBreak, **scale: Any) -> tuple[Standing, ...]:
    """Return the standings of two tables of two with -10 and -40, -5 and -60 points."""
    worth = {0: -10, 1: -40, 2: -5, 3: -60}
    now = tournament(4, size=2, scale=Scale(**{"places": (2, 0), **scale}, tie_breaks=breaks))
    return standings(with_tables(now, [(0, 1), (2, 3)], worth=lambda _, one: worth[one]))


def test_fewer_minus_points_decide_between_equal_points() -> None:
    assert ranked(two_tables("net")) == [
        (1, 2, None), (2, 0, "net"), (3, 1, None), (4, 3, "net"),
    ]  # fmt: skip


def test_without_a_tie_break_a_rank_is_shared() -> None:
    assert ranked(two_tables("wins")) == [(1, 0, None), (1, 2, None), (3, 1, None), (3, 3, None)]


def test_the_lot_decides_last_and_can_be_checked() -> None:
    found = two_tables("wins", "lot")

    assert [one.entrant for one in found] == [*lots((0, 2), "seed", 0), *lots((1, 3), "seed", 0)]
    assert [one.decided_by for one in found] == [None, "lot", None, "lot"]


def test_the_points_of_opponents() -> None:
    """0 and 2 win once; 0 has beaten somebody who wins the second round."""
    worth = {(1, 0): 5, (1, 2): 5, (2, 1): 5, (2, 4): 5}
    now = tournament(6, size=2, scale=Scale(places=(2, 0), tie_breaks=("opponents",)))
    now = with_tables(now, [(0, 1), (2, 3)], worth=lambda *one: worth.get(one, 0))
    now = with_tables(now, [(1, 5), (4, 3)], worth=lambda *one: worth.get(one, 0))
    found = {one.entrant: one for one in standings(now)}

    assert found[0].values["opponents"] == 2
    assert found[2].values["opponents"] == 0
    assert found[0].rank < found[2].rank


def test_direct_meetings_count_only_if_all_equal_ones_have_met() -> None:
    """Each of three wins once against another: with all three met, nobody is better."""
    now = tournament(3, size=2, rounds=9, scale=Scale(places=(2, 0), tie_breaks=("direct",)))
    win = {(1, 0), (2, 1), (3, 0), (4, 1)}
    worth = lambda *one: int(one in win)  # noqa: E731
    now = with_tables(now, [(0, 1)], worth=worth)
    now = with_tables(now, [(1, 2)], worth=worth)
    assert ranked(standings(now))[:2] == [(1, 0, None), (2, 1, "direct")]

    now = with_tables(now, [(0, 2)], worth=worth)
    now = with_tables(now, [(1, 2)], worth=worth)
    assert ranked(standings(now))[:2] == [(1, 0, None), (2, 1, "direct")]


def test_the_best_round_counts() -> None:
    now = tournament(4, size=2, scale=Scale(net=True, tie_breaks=("best",)))
    worth = {(1, 0): 3, (2, 0): 3, (1, 2): 6, (2, 2): 0}
    for _ in range(2):
        now = with_tables(now, [(0, 1), (2, 3)], worth=lambda *one: worth.get(one, -9))
    assert [one.entrant for one in standings(now)][:2] == [2, 0]


def test_those_who_sat_out_get_the_points_of_the_scale() -> None:
    now = tournament(3, size=2, scale=Scale(places=(2, 0), sit_out=1))
    now = with_tables(now, [(0, 1)], [2])
    found = {one.entrant: one for one in standings(now)}

    assert found[2].points == 1
    assert [line.reason for line in found[2].rounds[0].lines] == ["sit_out"]


def test_who_left_before_their_first_round_has_no_place_and_pays_nothing() -> None:
    now = played(tournament(6), 1)
    late, gone = replace(now.entrants[4], left=1), replace(now.entrants[5], since=2, left=1)
    found = standings(replace(now, entrants=(*now.entrants[:4], late, gone)))

    assert sorted(one.entrant for one in found) == [0, 1, 2, 3, 4]
    assert purse(Money(fee=Fraction(5), unit="EUR"), found).fees == 25


def test_standings_after_an_earlier_round() -> None:
    now = played(tournament(8), 3)

    assert standings(now, 2) == standings(played(tournament(8), 2))


@given(
    st.lists(st.integers(-5, 5), min_size=4, max_size=4),
    st.permutations(["net", "wins", "opponents", "direct", "best", "lot"]),
)
def test_ranks_are_numbered_and_points_fall(worths: list[int], breaks: list[TieBreak]) -> None:
    now = tournament(4, size=2, scale=Scale(places=(2, 0), tie_breaks=tuple(breaks)))
    now = with_tables(now, [(0, 1), (2, 3)], worth=lambda _, one: worths[one])
    found = standings(now)

    assert [one.rank for one in found] == [1, 2, 3, 4]  # the lot is among the tie-breaks
    assert [one.points for one in found] == sorted((one.points for one in found), reverse=True)


# ---- prizes --------------------------------------------------------------------------


def test_the_prizes_and_what_the_club_keeps_are_all_the_fees() -> None:
    """Seven at 5 EUR: 35, of which 10 for the room; 25 shared 50, 30, 20."""
    found = standings(played(tournament(7), 3))
    money = Money(fee=Fraction(5), unit="EUR", kept=Fraction(10))

    assert [amount for _, amount in purse(money, found).prizes] == [
        Fraction(25, 2), Fraction(15, 2), 5,
    ]  # fmt: skip


def test_equal_ranks_share_their_prizes() -> None:
    found = two_tables("wins")
    money = Money(fee=Fraction(10), unit="EUR", shares=(50, 30, 20))

    assert purse(money, found).prizes == ((0, 16), (2, 16), (1, 4), (3, 4))


@given(
    st.integers(2, 12),
    st.integers(0, 999),
    st.integers(0, 9_999),
    st.lists(st.integers(1, 60), min_size=1, max_size=14),
)
def test_every_cent_is_told(count: int, fee: int, kept: int, shares: list[int]) -> None:
    found = standings(played(tournament(count, size=2), 1))
    falling = tuple(sorted(shares, reverse=True))
    money = Money(fee=Fraction(fee, 100), unit="EUR", kept=Fraction(kept, 100), shares=falling)
    told = purse(money, found)
    amounts = [amount for _, amount in told.prizes]

    assert told.fees == count * money.fee
    assert told.kept + sum(amounts) == told.fees
    assert all(amount * 100 == int(amount * 100) > 0 for amount in amounts)


def one_table(*scores: Performance) -> Tournament:
    """Return a tournament with a first round that has no result yet, for as many as scores."""
    now = with_tables(tournament(len(scores), rounds=1), [range(len(scores))])
    (drawn,) = now.rounds
    return replace(now, rounds=(replace(drawn, results={}, closed=False),))


@pytest.mark.parametrize(
    ("score", "path"),
    [
        (Performance(MAX_WORTH + 1), ("scores", 2)),
        (Performance(0, wins=MAX_WINS + 1), ("scores", 2)),
        (Performance(0, wins=-1), ("scores", 2, "hand_wins")),
        (Performance(0, left=(MAX_WORTH + 1,)), ("scores", 2)),
    ],
)
def test_a_result_beyond_all_limits_is_refused_at_its_place(
    score: Performance, path: tuple[str | int, ...]
) -> None:
    scores = [Performance(-1), Performance(-2), score]

    with pytest.raises(RuleError) as refused:
        changes.result(one_table(*scores), 1, 0, scores, "stated")

    assert refused.value.problems[0].path == path


def test_a_list_may_lack_a_result_but_a_game_may_not() -> None:
    scores = [Performance(-1), None, Performance(-3)]
    now = one_table(*map(Performance, range(3)))

    typed = changes.result(now, 1, 0, scores, "stated")
    assert typed and typed.kind == "result"
    with pytest.raises(RuleError) as refused:
        changes.result(now, 1, 0, scores, "game")
    assert refused.value.problems[0].facts == {"why": "missing", "number": 1, "tables": [1]}


def test_the_event_that_takes_back_a_draw_names_its_round() -> None:
    draft = changes.undraw(one_table(*map(Performance, range(3))))

    assert (draft.kind, draft.payload) == ("undrawn", {"round": 1})
