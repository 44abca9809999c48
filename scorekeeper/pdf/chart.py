"""The run of the totals: lines told apart by their dashes, with the names at their ends."""

from collections.abc import Sequence
from math import ceil

from reportlab.lib.units import mm
from reportlab.platypus import Flowable

from scorekeeper.domain.sheet import Row
from scorekeeper.export.charts import DASHES, apart, run, scale
from scorekeeper.pdf.layout import HAIR, SMALL, shortened, widest, width
from scorekeeper.pdf.tables import GREY, LEADING
from scorekeeper.pdf.words import Words

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
        for side, at in enumerate(apart(ends, base, top, SMALL * LEADING)):
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
