"""What the result of a table is worth, counted by hand."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.domain.errors import RuleError
from scorekeeper.domain.tournament.scale import (
    Performance,
    Scale,
    check_scale,
    decode_scale,
    encode_scale,
    points_at,
)

WEBER, NOVAK, THILL, DIEDERICH = map(Performance, (-92, -89, -86, -161))
"""Table 1 of a club night: minus points of four rounds."""


def totals(table: list[Performance], scale: Scale) -> list[int]:
    return [sum(line.points for line in lines) for lines in points_at(table, scale)]


def test_places_are_worth_four_three_two_one() -> None:
    table = [WEBER, NOVAK, THILL, DIEDERICH]

    assert totals(table, Scale(places=(4, 3, 2, 1))) == [2, 3, 4, 1]


def test_a_table_of_three_gives_the_first_three_places() -> None:
    assert totals([WEBER, NOVAK, THILL], Scale(places=(4, 3, 2, 1))) == [2, 3, 4]


def test_equal_points_share_the_better_place() -> None:
    table = [WEBER, Performance(-92), DIEDERICH, THILL]

    assert totals(table, Scale(places=(4, 3, 2, 1))) == [3, 3, 1, 4]


def test_a_place_by_the_ranking_of_the_game_counts_before_the_points() -> None:
    table = [Performance(125, place=2), Performance(114, place=1)]

    assert totals(table, Scale(places=(2, 0))) == [0, 2]
    assert totals(table, Scale(victory=((0, 10, 10), (10, 12, 8)))) == [8, 12]


def test_net_points_count_as_they_are() -> None:
    assert totals([WEBER, Performance(140)], Scale(net=True)) == [-92, 140]


def test_bonuses_for_wins_hand_wins_and_few_points_left() -> None:
    """5 for a win, 8 from the hand; 3, 2, 1 for up to 10, 20, 30 points left."""
    scale = Scale(win=5, hand_win=8, left=((10, 3), (20, 2), (30, 1)))
    table = [Performance(-74, wins=2, hand_wins=1, left=(10, 11, 31)), Performance(-40, left=(30,))]

    first, second = points_at(table, scale)
    assert [(line.reason, line.points) for line in first] == [
        ("win", 10), ("hand_win", 8), ("left", 3), ("left", 2),
    ]  # fmt: skip
    assert [(line.reason, line.points, line.facts) for line in second] == [
        ("left", 1, {"count": 1, "each": 1, "most": 30})
    ]


def test_a_win_from_the_hand_is_a_win_where_it_has_no_bonus_of_its_own() -> None:
    assert totals([Performance(0, wins=1, hand_wins=1)], Scale(win=5)) == [10]


@pytest.mark.parametrize(
    ("worths", "points"),
    [((-60, -60), [10, 10]), ((-60, -79), [10, 10]), ((-60, -80), [12, 8]), ((-300, 0), [1, 20])],
)
def test_victory_points_are_read_from_the_printed_scale(
    worths: tuple[int, int], points: list[int]
) -> None:
    scale = Scale(victory=((0, 10, 10), (20, 12, 8), (100, 20, 1)))

    assert totals([Performance(worth) for worth in worths], scale) == points


@pytest.mark.parametrize(("worth", "points"), [(-900, -500), (-10, -10), (700, 500)])
def test_a_cap_is_a_line_of_its_own(worth: int, points: int) -> None:
    scale = Scale(net=True, most=500, least=-500)
    (lines,) = points_at([Performance(worth)], scale)

    assert sum(line.points for line in lines) == points
    assert [line.reason for line in lines[1:]] == ([] if worth == points else ["cap"])


SCALES = st.builds(
    Scale,
    places=st.just((4, 3, 2, 1)) | st.just((12, 7, 7, 0)),
    net=st.booleans(),
    win=st.integers(0, 9),
    hand_win=st.integers(0, 9),
    most=st.none() | st.integers(0, 20),
    least=st.none() | st.integers(-20, 0),
)
TABLES = st.lists(
    st.builds(Performance, st.integers(-300, 300), st.integers(0, 4), st.integers(0, 2)),
    min_size=2,
    max_size=4,
)


@given(TABLES, SCALES)
def test_a_better_result_is_never_worth_less(table: list[Performance], scale: Scale) -> None:
    found = totals([Performance(one.worth) for one in table], scale)
    ranked = sorted(zip(table, found, strict=True), key=lambda each: each[0].worth)

    points = [each for _, each in ranked]
    assert points == sorted(points)
    if scale.most is not None:
        assert max(found) <= scale.most


@given(SCALES)
def test_a_scale_is_stored_and_read_back(scale: Scale) -> None:
    assert decode_scale(encode_scale(scale)) == scale


@pytest.mark.parametrize(
    ("why", "scale", "size"),
    [
        ("no_points", {}, 4),
        ("places", {"places": (3, 2)}, 4),
        ("order", {"places": (1, 2, 3, 4)}, 4),
        ("order", {"win": 1, "left": ((20, 2), (10, 3))}, 4),
        ("victory", {"victory": ((0, 10, 10),)}, 4),
        ("from_zero", {"victory": ((5, 12, 8),)}, 2),
        ("cap", {"net": True, "most": 1, "least": 2}, 4),
        ("twice", {"net": True, "tie_breaks": ("lot", "lot")}, 4),
        ("range", {"win": 1_001}, 4),
        ("steps", {"win": 1, "left": tuple((n, 1) for n in range(41))}, 4),
    ],
)
def test_a_scale_that_cannot_be_applied_is_refused(
    why: str, scale: dict[str, Any], size: int
) -> None:
    with pytest.raises(RuleError) as refused:
        check_scale(Scale(**scale), size)

    assert refused.value.problems[0].facts["why"] == f"scale_{why}"
