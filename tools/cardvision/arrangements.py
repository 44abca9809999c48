"""Arrangements of cards on a table or in a hand.

Places are in widths of a card, turns in radians; later cards lie on top.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from tools.cardvision.designs import Rng


@dataclass(frozen=True)
class Place:
    """The middle of a card, and how far it is turned."""

    x: float
    y: float
    turn: float


Layout = list[Place]


def _flip(rng: Rng) -> float:
    return float(np.pi * (rng.random() < 0.5))


def apart(rng: Rng, aspect: float) -> Layout:
    """Lay cards side by side without overlap."""
    count, across = int(rng.integers(1, 15)), int(rng.integers(2, 8))
    loose = rng.uniform(0, 0.12)
    step_x, step_y = 1.08 + loose + rng.uniform(0, 0.3), aspect + 0.08 + loose
    shift = rng.normal(0, loose / 3, (count, 3))
    return [
        Place(n % across * step_x + dx, n // across * step_y + dy, da * 1.5 + _flip(rng))
        for n, (dx, dy, da) in enumerate(shift)
    ]


def rows(rng: Rng, aspect: float) -> Layout:
    """Lay melds in rows, the cards of each overlapping."""
    layout, y, step = [], 0.0, rng.uniform(0.2, 0.7)
    for _ in range(int(rng.integers(1, 6))):
        x, lean = rng.uniform(0, 1), rng.normal(0, 0.03)
        backwards = rng.random() < 0.07
        meld = [
            Place(
                x + n * step * rng.uniform(0.85, 1.15),
                y + n * lean + rng.normal(0, 0.02),
                rng.normal(0, 0.03),
            )
            for n in range(int(rng.integers(3, 7)))
        ]
        layout += meld[::-1] if backwards else meld
        y += aspect + rng.uniform(0.06, 0.4)
    return layout


def spread(rng: Rng, aspect: float) -> Layout:
    """Spread a hand on the table in one or two overlapping rows."""
    count, step = int(rng.integers(7, 15)), rng.uniform(0.2, 0.55)
    bow = rng.uniform(0, 0.05)
    two = count > 9 and rng.random() < 0.5
    layout = []
    for row, size in enumerate([count // 2, count - count // 2] if two else [count]):
        for n in range(size):
            middle = n - size / 2
            place = Place(
                middle * step, bow * step * middle**2 / 2 + row * (aspect + 0.1), bow * middle
            )
            layout.append(Place(place.x, place.y, place.turn + rng.normal(0, 0.025)))
    return layout


def fan(rng: Rng, aspect: float) -> Layout:
    """Hold cards as a fan."""
    count, angle = int(rng.integers(5, 14)), rng.uniform(0.09, 0.2)
    reach = aspect * rng.uniform(0.6, 1.1)
    layout = []
    for n in range(count):
        turn = (n - (count - 1) / 2) * angle + rng.normal(0, 0.015)
        far = reach + rng.normal(0, 0.02)
        layout.append(Place(far * np.sin(turn), -far * np.cos(turn), turn))
    return layout


def column(rng: Rng, aspect: float) -> Layout:
    """Lay cards beneath each other so that their upper edges show."""
    layout = []
    for x in range(int(rng.integers(1, 5))):
        step = aspect * rng.uniform(0.24, 0.45)
        for n in range(int(rng.integers(2, 7))):
            layout.append(Place(x * rng.uniform(1.08, 1.3), n * step, rng.normal(0, 0.03)))
    return layout


def scattered(rng: Rng, aspect: float) -> Layout:
    """Throw cards on the table."""
    count = int(rng.integers(2, 13))
    far = rng.uniform(1.0, 1.6) * np.sqrt(count)
    return [Place(x, y, rng.uniform(0, 2 * np.pi)) for x, y in rng.uniform(0, far, (count, 2))]


def heap(rng: Rng, aspect: float) -> Layout:
    """Push cards together on a cloth, across each other."""
    count = int(rng.integers(4, 13))
    far = rng.uniform(0.55, 0.95) * np.sqrt(count)
    return [Place(x, y, rng.uniform(0, 2 * np.pi)) for x, y in rng.uniform(0, far, (count, 2))]


LAYOUTS: dict[str, Callable[[Rng, float], Layout]] = {
    "apart": apart, "rows": rows, "spread": spread, "fan": fan,
    "column": column, "scattered": scattered, "heap": heap,
}  # fmt: skip
