"""The geometry of the charts: points of the lines, axis ticks, positions of the labels.

Pages, sheets and pictures draw with it, each in its own unit of length.
"""

from collections.abc import Sequence
from itertools import cycle, islice, pairwise
from math import ceil, floor, log10
from typing import NamedTuple

from scorekeeper.domain.game.rows import Row

DASHES = ((), (7, 3), (2, 3), (10, 3, 2, 3), (14, 4), (5, 2, 1, 2, 1, 2))
"""Dash patterns of up to six sides, so that lines differ without colour."""


class ChartLine(NamedTuple):
    """The values of one line by place, starting at place 0 or later."""

    name: str
    points: Sequence[tuple[int, int]]
    leads: bool


def dashes(leads: Sequence[bool]) -> list[Sequence[int]]:
    """Return the dashes of each line; the line of a single leader has none."""
    if sum(leads) != 1:
        return list(islice(cycle(DASHES), len(leads)))
    others = cycle(DASHES[1:])
    return [() if leading else next(others) for leading in leads]


def running_totals(rows: Sequence[Row], side: int, measure: str) -> list[tuple[int, int]]:
    """Return index and total of a side after every round, starting from 0 before its first."""
    totals = [
        (place, row.tallies[side].of(measure))
        for place, row in enumerate(rows, start=1)
        if side < len(row.tallies)
    ]
    first = totals[0][0] - 1 if totals else len(rows)
    return [(first, 0), *totals]


def axis_ticks(low: int, high: int) -> list[int]:
    """Return a few round numbers that span ``low`` to ``high`` and include zero."""
    low, high = min(low, 0), max(high, 0)
    span = max(high - low, 4)
    power: int = 10 ** floor(log10(span / 4))
    step = next(n * power for n in (1, 2, 5, 10) if span <= 5 * n * power)
    first, last = floor(low / step), ceil(high / step)
    return [step * n for n in range(first, max(last, first + 1) + 1)]


def spread_labels(wanted: Sequence[float], low: float, high: float, gap: float) -> list[float]:
    """Return positions near the wanted ones, within bounds and at least ``gap`` apart."""
    order = sorted(range(len(wanted)), key=lambda side: wanted[side])
    places = list(wanted)
    for below, above in pairwise(order):
        places[above] = max(places[above], places[below] + gap)
    ceiling = high
    for side in reversed(order):
        places[side] = max(low, min(places[side], ceiling))
        ceiling = places[side] - gap
    return places
