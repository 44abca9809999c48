"""The chart geometry that pages and PDFs share."""

from dataclasses import replace
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from pdf.paper import BEGAN, FOUR, played, rules_of, scored
from scorekeeper.export.charts import axis_ticks, running_totals, spread_labels

FAMILY = rules_of("german-family")
GAP = 17


@given(st.integers(-99_999, 99_999), st.integers(-99_999, 99_999))
def test_axis_ticks_are_few_evenly_spaced_and_include_zero(one, other):
    steps = axis_ticks(min(one, other), max(one, other))

    assert steps[0] <= min(one, other, 0) and steps[-1] >= max(one, other, 0)
    assert 0 in steps and len(steps) <= 8
    assert len({after - before for before, after in pairwise(steps)}) == 1


@given(st.lists(st.floats(0, 130), min_size=1, max_size=6))
def test_labels_at_the_line_ends_do_not_overlap(wanted):
    places = sorted(spread_labels(wanted, 0, 130, GAP))

    assert all(above - below >= GAP - 1e-6 for below, above in pairwise(places))
    assert places[0] >= 0 and places[-1] <= 130


def test_a_line_begins_when_the_player_joined():
    game = played(FAMILY, FOUR[:2], [(0, 10), (20, 0)])
    game = replace(game, sheet=game.sheet.seat_added())
    game = replace(game, sheet=game.sheet.record(BEGAN, *scored(FAMILY, (0, 5, 7))))

    assert running_totals(game.sheet.counted, 0, "minus") == [(0, 0), (1, 0), (2, 20), (3, 20)]
    assert running_totals(game.sheet.counted, 2, "minus") == [(2, 0), (3, 7)]


def test_labels_without_enough_room_stay_within_the_chart():
    assert spread_labels([0, 0, 0], 0, 20, GAP) == [0, 3, 20]
    assert spread_labels([130, 130], 120, 130, GAP) == [120, 130]
    assert min(spread_labels([40.0] * 9, 10, 130, GAP)) == 10


def test_labels_keep_their_order_and_move_only_where_they_must():
    assert spread_labels([100, 20, 60], 0, 130, GAP) == [100, 20, 60]
    assert spread_labels([10, 9], 0, 130, GAP) == [26, 9]
    assert spread_labels([], 0, 130, GAP) == []
