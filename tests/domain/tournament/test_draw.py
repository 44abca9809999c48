"""The draw: sizes, sit-outs, repeats, clubs, and every format."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations, pairwise
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from scorekeeper.domain.errors import RuleError
from scorekeeper.domain.tournament.draw import draw, is_as_drawn
from scorekeeper.domain.tournament.lots import lot
from scorekeeper.domain.tournament.plan import FORMAT_NAMES, REMAINDERS
from scorekeeper.domain.tournament.standings import standings
from scorekeeper.domain.tournament.state import Entrant, Tournament
from scorekeeper.domain.tournament.tables import sitting_out, table_sizes
from tests.domain.tournament.playing import played, tournament, with_round, with_tables

DRAWN_ANEW = ("random", "danish", "swiss", "series")


@pytest.mark.parametrize(
    ("count", "size", "remainder", "sizes"),
    [
        (14, 4, "smaller", (4, 4, 3, 3)),
        (13, 4, "smaller", (4, 3, 3, 3)),
        (6, 4, "smaller", (3, 3)),
        (5, 4, "smaller", (4,)),  # neither 4 nor 3 divide it: one sits out
        (5, 3, "smaller", (3, 2)),
        (7, 2, "smaller", (2, 2, 2)),
        (14, 4, "sit_out", (4, 4, 4)),
        (3, 4, "sit_out", ()),
        (2, 4, "smaller", ()),
    ],
)
def test_the_sizes_of_the_tables(
    count: int, size: int, remainder: Any, sizes: tuple[int, ...]
) -> None:
    assert table_sizes(count, size, remainder) == sizes


@given(st.integers(2, 300), st.sampled_from((2, 3, 4)), st.sampled_from(REMAINDERS))
def test_as_few_as_possible_sit_out_and_tables_differ_by_one(
    count: int, size: int, remainder: Any
) -> None:
    sizes = table_sizes(count, size, remainder)

    assert set(sizes) <= {size, size - 1 if remainder == "smaller" and size > 2 else size}
    assert 0 <= count - sum(sizes) < size
    if remainder == "smaller" and size > 2 and count > 5:
        assert sum(sizes) == count
        assert sizes.count(size - 1) < size


def test_a_lot_can_be_checked_by_hand() -> None:
    """``printf %s 'abc:1:0' | sha256sum`` gives the same."""
    assert lot("abc", 1, 0).startswith("261127f6")


# ---- properties of every draw --------------------------------------------------------


@st.composite
def evenings(draw_from: st.DrawFn, most: int = 40) -> Tournament:
    """Return a tournament after some rounds, in which people come late and leave."""
    count = draw_from(st.integers(6, most))
    now = tournament(
        count,
        clubs=draw_from(st.integers(0, 6)),
        format=draw_from(st.sampled_from(DRAWN_ANEW)),
        size=draw_from(st.sampled_from((2, 3, 4))),
        remainder=draw_from(st.sampled_from(REMAINDERS)),
        keep_apart=draw_from(st.booleans()),
        split_clubs=draw_from(st.booleans()),
        rounds=9,
    )
    points = draw_from(st.randoms(use_true_random=False))
    for number in range(1, draw_from(st.integers(1, 7))):
        now = with_round(now, lambda *_: points.randrange(-100, 1), f"{points.random()}")
        if draw_from(st.booleans()):
            came = Entrant((len(now.entrants),), since=number + 1)
            now = replace(now, entrants=(*now.entrants, came))
        if draw_from(st.booleans()):
            entrants = list(now.entrants)
            gone = draw_from(st.integers(0, len(entrants) - 1))
            entrants[gone] = replace(entrants[gone], left=number)
            now = replace(now, entrants=tuple(entrants))
    present = [one for one in now.entrants if one.is_present(len(now.rounds) + 1)]
    assume(len(present) >= now.plan.size)
    return now


@given(evenings(), st.text("abc", max_size=3))
@settings(deadline=None, max_examples=40)
def test_everybody_present_is_drawn_once_and_nobody_else(now: Tournament, seed: str) -> None:
    number = len(now.rounds) + 1
    drawn = draw(now, seed)

    seated = [*(one for table in drawn.tables for one in table), *drawn.out]
    present = [one for one, entrant in enumerate(now.entrants) if entrant.is_present(number)]
    assert sorted(seated) == present
    sizes = table_sizes(len(present), now.plan.size, now.plan.remainder)
    assert sorted(map(len, drawn.tables)) == sorted(sizes)


def test_who_has_sat_out_least_often_does_next_and_of_equals_the_last_ones() -> None:
    assert sitting_out([3, 0, 2, 1], {}, 0) == ((),)
    assert sitting_out([3, 0, 2, 1], {}, 1)[0] == (1,)
    assert sitting_out([3, 0, 2, 1], {1: 1}, 1)[0] == (2,)
    assert sitting_out([3, 0, 2, 1], {0: 1, 1: 1, 2: 1}, 2)[0] == (3, 1)
    assert sitting_out([3, 0, 2, 1], {0: 1, 1: 1, 2: 1}, 2)[1:] == ((3, 2), (3, 0))


@given(evenings())
@settings(deadline=None, max_examples=40)
def test_sitting_out_differs_by_one_at_most_among_those_who_were_always_there(
    now: Tournament,
) -> None:
    now = with_round(now)
    always = [n for n, one in enumerate(now.entrants) if one.since == 1 and one.left is None]
    times = [now.sat_out[entrant] for entrant in always]

    assert max(times, default=0) - min(times, default=0) <= 1


@given(evenings(), st.text("abc", max_size=3))
@settings(deadline=None, max_examples=40)
def test_the_same_seed_draws_the_same_round(now: Tournament, seed: str) -> None:
    after = with_round(now, seed=seed)

    assert is_as_drawn(now, after.rounds[-1])


# ---- repeats -------------------------------------------------------------------------


def divisions(entrants: tuple[int, ...], sizes: Sequence[int]) -> Iterator[list[tuple[int, ...]]]:
    """Yield all ways to divide entrants into tables, without any cleverness."""
    if not sizes:
        yield []
        return
    first, others = entrants[0], entrants[1:]
    for size in set(sizes):
        rest = list(sizes)
        rest.remove(size)
        for companions in combinations(others, size - 1):
            left = tuple(one for one in others if one not in companions)
            for tables in divisions(left, rest):
                yield [(first, *companions), *tables]


def fewest_repeats(now: Tournament) -> int:
    """Return the fewest repeated meetings of any draw that is fair to those who sit out."""
    number, met = len(now.rounds) + 1, now.meetings
    present = [one for one, entrant in enumerate(now.entrants) if entrant.is_present(number)]
    sizes = table_sizes(len(present), now.plan.size, now.plan.remainder)
    count = len(present) - sum(sizes)

    def fair(out: tuple[int, ...]) -> bool:
        others = [now.sat_out[one] for one in present if one not in out]
        return not out or max(now.sat_out[one] for one in out) <= min(others)

    fewest = None
    for out in filter(fair, combinations(present, count)):
        playing = tuple(one for one in present if one not in out)
        for tables in divisions(playing, sizes):
            repeats = sum(
                met.get(frozenset(pair), 0) for table in tables for pair in combinations(table, 2)
            )
            fewest = repeats if fewest is None else min(fewest, repeats)
            if fewest == 0:
                return 0
    assert fewest is not None
    return fewest


@given(evenings(most=11))
@settings(deadline=None, max_examples=40)
def test_nobody_meets_again_while_it_can_be_avoided(now: Tournament) -> None:
    """Compared with an exact search; it takes seconds for twelve with many rounds behind them."""
    assume(len(now.entrants) <= 12)
    now = replace(now, plan=replace(now.plan, keep_apart=True, split_clubs=False))
    drawn, met = draw(now, "x"), now.meetings

    repeats = sum(
        met.get(frozenset(pair), 0) for table in drawn.tables for pair in combinations(table, 2)
    )
    assert repeats == fewest_repeats(now)


@pytest.mark.parametrize("name", ["random", "swiss", "series"])
def test_two_hundred_play_eight_rounds_without_meeting_again_or_their_club(name: Any) -> None:
    now = tournament(200, clubs=25, format=name, rounds=9, split_clubs=True)
    now = played(now, 8, lambda number, entrant: -((entrant * 7 + number * 31) % 97))

    assert [len(now.repeats(number)) for number in range(1, 9)] == [0] * 8
    for one in now.rounds:
        for table in one.tables:
            clubs = [now.entrants[entrant].club for entrant in table]
            assert len(set(clubs)) == len(clubs)


def test_fourteen_meet_seven_others_at_tables_of_two() -> None:
    """Beyond the exact search. Whoever has met six can still be paired: all have seven left."""
    now = played(tournament(14, format="random", size=2, rounds=7), 7)

    assert not any(now.repeats(number) for number in range(1, 8))


def test_where_somebody_must_meet_again_the_fewest_do() -> None:
    """Three tables of four: four of twelve cannot come from three tables without a repeat."""
    now = played(tournament(12, rounds=2), 2)

    assert len(now.repeats(2)) == 3


def test_repeats_come_before_clubs() -> None:
    """Two clubs of two: whoever has met the other club meets their own."""
    now = tournament(4, clubs=2, size=2, split_clubs=True)
    now = with_tables(with_tables(now, [(0, 1), (2, 3)]), [(0, 3), (1, 2)])

    assert {frozenset(table) for table in draw(now, "x").tables} == {
        frozenset((0, 2)), frozenset((1, 3)),
    }  # fmt: skip


# ---- formats -------------------------------------------------------------------------


def test_danish_puts_the_first_four_at_the_first_table() -> None:
    now = played(tournament(16, format="danish", keep_apart=False), 1)
    order = [one.entrant for one in standings(now)]

    tables = draw(now, "x").tables
    assert [set(table) for table in tables] == [set(order[at : at + 4]) for at in (0, 4, 8, 12)]


def test_danish_in_pairs_is_first_against_second_and_third_against_fourth() -> None:
    now = played(tournament(6, format="danish", size=2, keep_apart=False), 1)
    order = [one.entrant for one in standings(now)]

    tables = draw(now, "x").tables
    assert [set(table) for table in tables] == [
        set(pair) for pair in zip(order[::2], order[1::2], strict=True)
    ]


def test_the_first_round_is_by_lot_in_every_format() -> None:
    for name in FORMAT_NAMES:
        size = 2 if name in ("round_robin", "mitchell") else 4
        now = tournament(24, format=name, size=size)

        assert draw(now, "one") != draw(now, "two"), name


def test_swiss_folds_those_on_equal_points() -> None:
    """Eight who have not met: of four winners, the first meets the third."""
    now = tournament(8, format="swiss", size=2)
    now = with_tables(now, [(0, 4), (1, 5), (2, 6), (3, 7)])
    order = [one.entrant for one in standings(now)]

    tables = [set(table) for table in draw(now, "x").tables]
    assert tables[:2] == [{order[0], order[2]}, {order[1], order[3]}]


def test_the_last_series_is_seated_by_standing() -> None:
    now = played(tournament(12, format="series", rounds=3, keep_apart=False), 2)
    order = [one.entrant for one in standings(now)]

    tables = draw(now, "x").tables
    assert tables == tuple(tuple(order[at : at + 4]) for at in (0, 4, 8))


@pytest.mark.parametrize("count", [8, 9])
def test_round_robin_lets_everybody_meet_everybody_once(count: int) -> None:
    rounds = count - 1 + count % 2
    now = played(tournament(count, format="round_robin", size=2, rounds=rounds), rounds)

    assert set(now.meetings.values()) == {1}
    assert len(now.meetings) == count * (count - 1) // 2
    with pytest.raises(RuleError, match=f"schedule.*{rounds}"):
        draw(now, "x")


@pytest.mark.parametrize("count", [10, 11])
def test_in_mitchell_every_pair_of_one_line_meets_all_of_the_other(count: int) -> None:
    rounds = -(-count // 2)
    now = played(tournament(count, format="mitchell", size=2, rounds=rounds), rounds)

    opponents = Counter(one for pair in now.meetings for one in pair)
    assert set(now.meetings.values()) == {1}
    assert len(now.meetings) == rounds * (count // 2) == sum(opponents.values()) // 2
    one_line = {next(iter(pair)) for pair in now.meetings}
    assert one_line  # nobody meets their own line: the two lines colour the meetings
    colours = {0: True}
    for _ in range(count):
        for one, other in map(tuple, now.meetings):
            for known, new in ((one, other), (other, one)):
                if known in colours:
                    assert colours.setdefault(new, not colours[known]) != colours[known]


def test_the_opponent_of_somebody_who_left_sits_out_in_a_fixed_schedule() -> None:
    now = played(tournament(6, format="round_robin", size=2, rounds=5), 1)
    entrants = [replace(one, left=1 if n == 2 else None) for n, one in enumerate(now.entrants)]
    now = replace(now, entrants=tuple(entrants))

    drawn = draw(now, "x")
    assert len(drawn.out) == 1
    assert len(drawn.tables) == 2


@pytest.mark.parametrize(("count", "least"), [(0, 3), (1, 3), (2, 3)])
def test_too_few_for_a_table_are_refused(count: int, least: int) -> None:
    with pytest.raises(RuleError) as refused:
        draw(tournament(count), "x")

    assert refused.value.problems[0].facts == {"why": "few", "count": count, "least": least}


def test_late_entrants_do_not_sit_out_before_those_who_were_there() -> None:
    """Five at tables of four: one sits out; whoever came late has missed a round already."""
    now = played(tournament(4), 1)
    now = replace(now, entrants=(*now.entrants, Entrant((4,), since=2)))

    outs = []
    for _ in range(4):
        now = with_round(now)
        outs += now.rounds[-1].out
    assert sorted(outs) == [0, 1, 2, 3]


def test_entrants_who_left_are_not_drawn() -> None:
    now = played(tournament(8), 1)
    entrants = [replace(one, left=1 if n == 3 else None) for n, one in enumerate(now.entrants)]
    now = with_round(replace(now, entrants=tuple(entrants)))

    assert 3 not in now.rounds[-1].entrants
    assert [one.entrant for one in standings(now)].count(3) == 1


def test_seats_are_drawn_by_lot() -> None:
    now = tournament(4)
    seats = {draw(now, f"{number}").tables[0] for number in range(12)}

    assert len({table[0] for table in seats}) == 4


def test_the_lots_of_two_rounds_differ() -> None:
    orders = [sorted(range(8), key=lambda one: lot("s", number, one)) for number in (1, 2, 3)]

    assert all(one != other for one, other in pairwise(orders))
