"""The run of the totals: lines told apart by their dashes, with the names at their ends."""

from collections.abc import Sequence
from itertools import pairwise
from math import ceil, floor, log10

from reportlab.lib.units import mm
from reportlab.platypus import Flowable

from scorekeeper.domain.sheet import Row
from scorekeeper.pdf.layout import HAIR, SMALL, shortened, widest, width
from scorekeeper.pdf.tables import GREY, LEADING
from scorekeeper.pdf.words import Words

DASHES = ((), (7, 3), (2, 3), (10, 3, 2, 3), (14, 4), (5, 2, 1, 2, 1, 2))
"""A side's own line, from the first to the sixth."""
NAMES = 0.3
"""How much of the width the names may take."""
LINE, LEADING_LINE = 0.3 * mm, 0.55 * mm
FINEST = 1.0
"""Rounds nearer to each other than this are not all drawn."""


class Chart(Flowable):  # type: ignore[misc]  # reportlab has no types
    """Where everyone stood after each round; there must be one that counts."""

    def __init__(self, words: Words, width: float, height: float) -> None:
        super().__init__()
        self.words, self.width, self.height = words, width, height

    def wrap(self, room: float, height: float) -> tuple[float, float]:
        return self.width, self.height

    def draw(self) -> None:
        words, sheet = self.words, self.words.game.sheet
        rows = sheet.counted
        runs = [run(rows, side, words.measure) for side in range(sheet.sides)]
        values = [value for points in runs for _, value in points]
        steps = scale(min(values), max(values))
        names = shortened(words.sides, "Sans-Bold", SMALL, NAMES * self.width)
        left = widest(map(words.lang.number, steps), "Sans", SMALL) + 2 * mm
        right = self.width - widest(names, "Sans-Bold", SMALL) - 2 * mm
        base, top = 5 * mm, self.height - SMALL / 2

        def x(place: int) -> float:
            return float(left + (right - left) * place / len(rows))

        def y(value: int) -> float:
            return float(base + (top - base) * (value - steps[0]) / (steps[-1] - steps[0]))

        self._draw_scale([(y(step), words.lang.number(step)) for step in steps], left, right)
        self._draw_rounds([(x(place), row) for place, row in enumerate(rows, start=1)])
        finest = ceil(FINEST * len(rows) / (right - left))
        for side, points in enumerate(runs):
            kept = points[::-finest][::-1]  # the last one is always there
            self._draw_run(side, [(x(place), y(value)) for place, value in kept])
        ends = [y(points[-1][1]) for points in runs]
        for side, at in enumerate(apart(ends, base, top)):
            self._face(side)
            self.canv.drawString(right + 2 * mm, at - 0.35 * SMALL, names[side])

    def _draw_scale(self, steps: Sequence[tuple[float, str]], left: float, right: float) -> None:
        self.canv.setFont("Sans", SMALL)
        self.canv.setLineWidth(HAIR)
        self.canv.setStrokeColor(GREY)
        for at, number in steps:
            self.canv.line(left, at, right, at)
            self.canv.drawRightString(left - 1.5 * mm, at - 0.35 * SMALL, number)

    def _draw_rounds(self, rounds: Sequence[tuple[float, Row]]) -> None:
        """The numbers of the rounds, as many as have room, the last one always."""
        last, row = rounds[-1]
        room = width(str(row.number), "Sans", SMALL) + 2 * mm
        step = ceil(room * len(rounds) / max(last - rounds[0][0], room)) if len(rounds) > 1 else 1
        for at, row in rounds[::-step]:
            self.canv.drawCentredString(at, 0.8 * mm, str(row.number))

    def _draw_run(self, side: int, points: Sequence[tuple[float, float]]) -> None:
        leads = side in self.words.game.sheet.leaders
        self.canv.saveState()
        self.canv.setStrokeGray(0)
        self.canv.setLineWidth(LEADING_LINE if leads else LINE)
        self.canv.setDash(list(DASHES[side % len(DASHES)]))
        self.canv.setLineJoin(1)
        path = self.canv.beginPath()
        path.moveTo(*points[0])
        for point in points[1:]:
            path.lineTo(*point)
        self.canv.drawPath(path)
        self.canv.restoreState()

    def _face(self, side: int) -> None:
        leads = side in self.words.game.sheet.leaders
        self.canv.setFont("Sans-Bold" if leads else "Sans", SMALL)


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
    """Round numbers from at most ``low`` to at least ``high``, and nothing between them."""
    low, high = min(low, 0), max(high, 0)
    span = max(high - low, 4)
    power: int = 10 ** floor(log10(span / 4))
    step = next(n * power for n in (1, 2, 5, 10) if span <= 5 * n * power)
    first, last = floor(low / step), ceil(high / step)
    return [step * n for n in range(first, max(last, first + 1) + 1)]


def apart(wanted: Sequence[float], low: float, high: float) -> list[float]:
    """Places near the wanted ones, between low and high, so that no name lies on another."""
    gap = SMALL * LEADING
    order = sorted(range(len(wanted)), key=lambda side: wanted[side])
    places = list(wanted)
    for below, above in pairwise(order):
        places[above] = max(places[above], places[below] + gap)
    ceiling = high
    for side in reversed(order):
        places[side] = max(low, min(places[side], ceiling))
        ceiling = places[side] - gap
    return places
