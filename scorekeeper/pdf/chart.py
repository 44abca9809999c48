"""The chart of the running totals: dashed line styles, with the names at the line ends."""

from collections.abc import Sequence
from math import ceil

from reportlab.lib.units import mm
from reportlab.platypus import Flowable

from scorekeeper.domain.sheet import Row
from scorekeeper.export.charts import DASHES, axis_ticks, running_totals, spread_labels
from scorekeeper.pdf.layout import HAIRLINE, SMALL, max_text_width, text_width, truncate_names
from scorekeeper.pdf.tables import GREY, LEADING
from scorekeeper.pdf.words import Words

NAMES_SHARE = 0.3
"""The share of the width that names may take."""
LINE_WIDTH, LEADER_LINE_WIDTH = 0.3 * mm, 0.55 * mm
LEAST_DISTANCE = 1.0
"""Points of a line nearer to each other than this (in pt) are thinned out."""


class Chart(Flowable):  # type: ignore[misc]  # reportlab has no types
    """A line chart of everyone's total after each round; needs at least one counted round."""

    def __init__(self, words: Words, width: float, height: float) -> None:
        super().__init__()
        self.words, self.width, self.height = words, width, height

    def wrap(self, available_width: float, available_height: float) -> tuple[float, float]:
        return self.width, self.height

    def draw(self) -> None:
        words, sheet = self.words, self.words.game.sheet
        rows = sheet.counted
        runs = [running_totals(rows, side, words.measure) for side in range(sheet.sides)]
        values = [value for points in runs for _, value in points]
        steps = axis_ticks(min(values), max(values))
        names = truncate_names(words.sides, "Sans-Bold", SMALL, NAMES_SHARE * self.width)
        left = max_text_width(map(words.lang.number, steps), "Sans", SMALL) + 2 * mm
        right = self.width - max_text_width(names, "Sans-Bold", SMALL) - 2 * mm
        base, top = 5 * mm, self.height - SMALL / 2

        def x(place: int) -> float:
            return float(left + (right - left) * place / len(rows))

        def y(value: int) -> float:
            return float(base + (top - base) * (value - steps[0]) / (steps[-1] - steps[0]))

        self._draw_scale([(y(step), words.lang.number(step)) for step in steps], left, right)
        self._draw_rounds([(x(place), row) for place, row in enumerate(rows, start=1)])
        stride = ceil(LEAST_DISTANCE * len(rows) / (right - left))
        for side, points in enumerate(runs):
            thinned = points[::-stride][::-1]  # counted from the end, so the last point stays
            self._draw_run(side, [(x(place), y(value)) for place, value in thinned])
        ends = [y(points[-1][1]) for points in runs]
        for side, at in enumerate(spread_labels(ends, base, top, SMALL * LEADING)):
            self._set_name_font(side)
            self.canv.drawString(right + 2 * mm, at - 0.35 * SMALL, names[side])

    def _draw_scale(self, steps: Sequence[tuple[float, str]], left: float, right: float) -> None:
        self.canv.setFont("Sans", SMALL)
        self.canv.setLineWidth(HAIRLINE)
        self.canv.setStrokeColor(GREY)
        for at, number in steps:
            self.canv.line(left, at, right, at)
            self.canv.drawRightString(left - 1.5 * mm, at - 0.35 * SMALL, number)

    def _draw_rounds(self, rounds: Sequence[tuple[float, Row]]) -> None:
        """Label the rounds with as many numbers as fit, always including the last."""
        last, row = rounds[-1]
        label_width = text_width(str(row.number), "Sans", SMALL) + 2 * mm
        step = (
            ceil(label_width * len(rounds) / max(last - rounds[0][0], label_width))
            if len(rounds) > 1
            else 1
        )
        for at, row in rounds[::-step]:
            self.canv.drawCentredString(at, 0.8 * mm, str(row.number))

    def _draw_run(self, side: int, points: Sequence[tuple[float, float]]) -> None:
        leads = side in self.words.game.sheet.leaders
        self.canv.saveState()
        self.canv.setStrokeGray(0)
        self.canv.setLineWidth(LEADER_LINE_WIDTH if leads else LINE_WIDTH)
        self.canv.setDash(list(DASHES[side % len(DASHES)]))
        self.canv.setLineJoin(1)
        path = self.canv.beginPath()
        path.moveTo(*points[0])
        for point in points[1:]:
            path.lineTo(*point)
        self.canv.drawPath(path)
        self.canv.restoreState()

    def _set_name_font(self, side: int) -> None:
        leads = side in self.words.game.sheet.leaders
        self.canv.setFont("Sans-Bold" if leads else "Sans", SMALL)
