"""The run of the totals in numbers: its points, its scale, where the names stand."""

from collections.abc import Sequence
from itertools import pairwise
from math import ceil, floor, log10

from scorekeeper.domain.sheet import Row

DASHES = ((), (7, 3), (2, 3), (10, 3, 2, 3), (14, 4), (5, 2, 1, 2, 1, 2))
"""A side's own line, from the first to the sixth: told apart without colour."""


def run(rows: Sequence[Row], side: int, measure: str) -> list[tuple[int, int]]:
    """Place and total of a side after every round, from nothing before its first one."""
    totals = [
        (place, row.tallies[side].of(measure))
        for place, row in enumerate(rows, start=1)
        if side < len(row.tallies)
    ]
    first = totals[0][0] - 1 if totals else len(rows)
    return [(first, 0), *totals]


def scale(low: int, high: int) -> list[int]:
    """Round numbers from at most ``low`` to at least ``high``, zero among them, few of them."""
    low, high = min(low, 0), max(high, 0)
    span = max(high - low, 4)
    power: int = 10 ** floor(log10(span / 4))
    step = next(n * power for n in (1, 2, 5, 10) if span <= 5 * n * power)
    first, last = floor(low / step), ceil(high / step)
    return [step * n for n in range(first, max(last, first + 1) + 1)]


def apart(wanted: Sequence[float], low: float, high: float, gap: float) -> list[float]:
    """Places near the wanted ones, between low and high, none nearer to another than the gap."""
    order = sorted(range(len(wanted)), key=lambda side: wanted[side])
    places = list(wanted)
    for below, above in pairwise(order):
        places[above] = max(places[above], places[below] + gap)
    ceiling = high
    for side in reversed(order):
        places[side] = max(low, min(places[side], ceiling))
        ceiling = places[side] - gap
    return places
