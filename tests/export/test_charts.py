"""The run of the totals in numbers, which page and paper draw alike."""

from dataclasses import replace
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from pdf.paper import BEGAN, FOUR, played, rules_of, scored
from scorekeeper.export.charts import apart, run, scale

FAMILY = rules_of("german-family")
GAP = 17


@given(st.integers(-99_999, 99_999), st.integers(-99_999, 99_999))
def test_a_scale_has_few_even_steps_with_zero_among_them(one, other):
    steps = scale(min(one, other), max(one, other))

    assert steps[0] <= min(one, other, 0) and steps[-1] >= max(one, other, 0)
    assert 0 in steps and len(steps) <= 8
    assert len({after - before for before, after in pairwise(steps)}) == 1


@given(st.lists(st.floats(0, 130), min_size=1, max_size=6))
def test_names_at_the_ends_of_lines_stand_apart(wanted):
    places = sorted(apart(wanted, 0, 130, GAP))

    assert all(above - below >= GAP - 1e-6 for below, above in pairwise(places))
    assert places[0] >= 0 and places[-1] <= 130


def test_a_line_begins_where_somebody_came_to_the_table():
    game = played(FAMILY, FOUR[:2], [(0, 10), (20, 0)])
    game = replace(game, sheet=game.sheet.seat_added())
    game = replace(game, sheet=game.sheet.record(BEGAN, *scored(FAMILY, (0, 5, 7))))

    assert run(game.sheet.counted, 0, "minus") == [(0, 0), (1, 0), (2, 20), (3, 20)]
    assert run(game.sheet.counted, 2, "minus") == [(2, 0), (3, 7)]
