"""Charts of totals: lines that differ by their dashes, with the names at their ends."""

from collections.abc import Sequence
from math import ceil

from reportlab.lib.units import mm
from reportlab.platypus import Flowable

from scorekeeper.export.charts import ChartLine, axis_ticks, dashes, running_totals, spread_labels
from scorekeeper.i18n import Language
from scorekeeper.pdf.layout import HAIRLINE, SMALL, max_text_width, truncate_names
from scorekeeper.pdf.tables import GREY, LEADING
from scorekeeper.wording.sheet import Words

NAMES_SHARE = 0.3
"""The share of the width that names may take."""
LINE_WIDTH, LEADER_LINE_WIDTH = 0.3 * mm, 0.55 * mm
BASE = 5 * mm
"""The height of the labels below the lines."""
LEAST_DISTANCE = 1.0
"""Points of a line nearer to each other than this (in pt) are thinned out."""


class LineChart(Flowable):  # type: ignore[misc]  # reportlab has no types
    """A chart of sums over time; ``places`` are the labels below, one for each place from 1.

    It is higher than asked for if the names at the right need more.
    """

    def __init__(
        self,
        lines: Sequence[ChartLine],
        places: Sequence[str],
        lang: Language,
        width: float,
        height: float,
    ) -> None:
        super().__init__()
        self.lines, self.places, self.lang = lines, places, lang
        names = (len(lines) - 1) * SMALL * LEADING
        self.width, self.height = width, max(height, BASE + names + SMALL / 2)

    def draw(self) -> None:
        number, lines = self.lang.number, self.lines
        values = [value for line in lines for _, value in line.points]
        steps = axis_ticks(min(values), max(values))
        names = truncate_names(
            [line.name for line in lines], "Sans-Bold", SMALL, NAMES_SHARE * self.width
        )
        left = max_text_width(map(number, steps), "Sans", SMALL) + 2 * mm
        right = self.width - max_text_width(names, "Sans-Bold", SMALL) - 2 * mm
        base, top = BASE, self.height - SMALL / 2

        def x(place: int) -> float:
            return float(left + (right - left) * place / len(self.places))

        def y(value: int) -> float:
            return float(base + (top - base) * (value - steps[0]) / (steps[-1] - steps[0]))

        self._draw_scale([(y(step), number(step)) for step in steps], left, right)
        self._draw_places([(x(at), label) for at, label in enumerate(self.places, start=1)])
        stride = ceil(LEAST_DISTANCE * len(self.places) / (right - left))
        patterns = dashes([line.leads for line in lines])
        for at, line in enumerate(lines):
            thinned = line.points[::-stride][::-1]  # counted from the end, so the last point stays
            run = [(x(place), y(value)) for place, value in thinned]
            self._draw_line(run, patterns[at], line.leads)
        ends = [y(line.points[-1][1]) for line in lines]
        for at, height in enumerate(spread_labels(ends, base, top, SMALL * LEADING)):
            self.canv.setFont("Sans-Bold" if lines[at].leads else "Sans", SMALL)
            self.canv.drawString(right + 2 * mm, height - 0.35 * SMALL, names[at])

    def _draw_scale(self, steps: Sequence[tuple[float, str]], left: float, right: float) -> None:
        self.canv.setFont("Sans", SMALL)
        self.canv.setLineWidth(HAIRLINE)
        self.canv.setStrokeColor(GREY)
        for at, number in steps:
            self.canv.line(left, at, right, at)
            self.canv.drawRightString(left - 1.5 * mm, at - 0.35 * SMALL, number)

    def _draw_places(self, places: Sequence[tuple[float, str]]) -> None:
        """Draw as many labels as fit, always including the last."""
        last, _ = places[-1]
        label_width = max_text_width((label for _, label in places), "Sans", SMALL) + 2 * mm
        step = (
            ceil(label_width * len(places) / max(last - places[0][0], label_width))
            if len(places) > 1
            else 1
        )
        for at, label in places[::-step]:
            self.canv.drawCentredString(at, 0.8 * mm, label)

    def _draw_line(
        self, points: Sequence[tuple[float, float]], dash: Sequence[int], leads: bool
    ) -> None:
        self.canv.saveState()
        self.canv.setStrokeGray(0)
        self.canv.setLineWidth(LEADER_LINE_WIDTH if leads else LINE_WIDTH)
        self.canv.setDash(list(dash))
        self.canv.setLineJoin(1)
        path = self.canv.beginPath()
        path.moveTo(*points[0])
        for point in points[1:]:
            path.lineTo(*point)
        self.canv.drawPath(path)
        self.canv.restoreState()


class Chart(LineChart):
    """Everyone's total after each round; needs at least one counted round."""

    def __init__(self, words: Words, width: float, height: float) -> None:
        sheet = words.game.sheet
        lines = [
            ChartLine(
                name, running_totals(sheet.counted, side, words.measure), side in sheet.leaders
            )
            for side, name in enumerate(words.sides)
        ]
        places = [str(row.number) for row in sheet.counted]
        super().__init__(lines, places, words.lang, width, height)
