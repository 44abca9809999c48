"""The season table: its members, order and values."""

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.domain.errors import RuleError
from scorekeeper.domain.group.season import Figures, Standing, standings

NOTHING: dict[str, Any] = dict.fromkeys(
    (
        "evenings", "evenings_won", "minus", "plus", "worth", "league", "played", "won",
        "hand_rommes", "gins", "undercuts", "left", "lost", "best", "worst", "streak",
    ),
    0,
)  # fmt: skip


def member(number: int, **figures: Any) -> Figures:
    return Figures(**{**NOTHING, "played": 10, **figures}, member=number)


def listed(found: tuple[Standing, ...]) -> list[tuple[int, int | None]]:
    return [(one.figures.member, one.rank) for one in found]


def test_equal_values_share_a_rank_and_the_next_is_skipped() -> None:
    figures = [member(0, worth=-90), member(1, worth=-40), member(2, worth=-40, won=9)]

    assert listed(standings(figures, "points")) == [(1, 1), (2, 1), (0, 3)]


def test_season_points_are_signed() -> None:
    """Minus points of Rommé count against a member, plus points of gin for them."""
    romme, gin = member(0, minus=140, worth=-140), member(1, plus=123, worth=123)

    found = standings([romme, gin], "points")

    assert [(one.figures.member, one.value) for one in found] == [(1, 123), (0, -140)]


def test_the_average_is_exact() -> None:
    """-100 in 3 rounds is a third of a point less than -33 in one."""
    figures = [member(0, worth=-100, played=3), member(1, worth=-33, played=1)]

    found = standings(figures, "average")

    assert [(one.figures.member, one.value) for one in found] == [(1, -33), (0, Fraction(-100, 3))]


def test_wins_are_evenings_won() -> None:
    figures = [member(0, evenings_won=2, won=30), member(1, evenings_won=3, won=12)]

    assert listed(standings(figures, "wins")) == [(1, 1), (0, 2)]


def test_the_league_does_not_count_boxes() -> None:
    figures = [member(0, worth=214, league=144), member(1, worth=180, league=150)]

    assert listed(standings(figures, "league")) == [(1, 1), (0, 2)]


def test_money_is_compared_in_one_unit_with_that_of_euros_and_others_have_no_rank() -> None:
    figures = [
        member(0, amounts={"ct": Fraction(-5, 3)}),
        member(1, amounts={"Pf": Fraction(90)}),
        member(2, amounts={"ct": Fraction(5, 3), "EUR": Fraction(1), "Pf": Fraction(-90)}),
    ]

    found = standings(figures, "money", unit="ct")

    assert listed(found) == [(2, 1), (0, 2), (1, None)]
    assert [one.value for one in found] == [Fraction(305, 3), Fraction(-5, 3), None]


def test_money_without_a_unit_is_refused_with_the_known_units() -> None:
    figures = [member(0, amounts={"ct": Fraction(1)}), member(1, amounts={"Pf": Fraction(2)})]

    with pytest.raises(RuleError) as refused:
        standings(figures, "money")

    [problem] = refused.value.problems
    assert (problem.code, problem.facts) == ("E_UNIT", {"units": ("Pf", "ct")})


def test_members_with_too_few_rounds_have_no_rank_and_do_not_affect_others() -> None:
    figures = [member(0, worth=-50), member(1, worth=-1, played=9), member(2, worth=-60)]

    assert listed(standings(figures, "points", min_rounds=10)) == [(0, 1), (2, 2), (1, None)]


def test_members_who_never_played_have_no_rank() -> None:
    figures = [member(0, worth=-50, amounts={"ct": Fraction(1)}), member(1, played=0)]

    for by in ("points", "average", "wins", "league", "money"):
        assert listed(standings(figures, by, unit="ct")) == [(0, 1), (1, None)]  # type: ignore[arg-type]


@given(st.lists(st.tuples(st.integers(-40, 40), st.integers(0, 6)), max_size=20), st.integers(0, 5))
def test_everybody_is_listed_and_a_rank_is_one_more_than_those_ahead(
    season: list[tuple[int, int]], least: int
) -> None:
    figures = [member(i, worth=worth, played=n) for i, (worth, n) in enumerate(season)]

    found = standings(figures, "average", min_rounds=least)

    assert sorted(one.figures.member for one in found) == list(range(len(season)))
    enough = [(worth, n) for worth, n in season if n >= max(least, 1)]
    for one in found:
        worth, n = season[one.figures.member]
        ahead = sum(more * n > worth * rounds for more, rounds in enough)
        assert one.rank == (1 + ahead if (worth, n) in enough else None)
