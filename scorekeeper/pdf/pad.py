"""Blank score pads for a rule system; one, two or four pages share a sheet of paper."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from reportlab.lib.pagesizes import A2, A3, A4, A5, A6, landscape
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from scorekeeper.domain.game.gin_game import HOLLYWOOD_GAMES, scores_game
from scorekeeper.domain.rounds.scoring.gin import has_boxes
from scorekeeper.domain.rules import RuleSet
from scorekeeper.i18n import Language
from scorekeeper.i18n.printable import printable
from scorekeeper.pdf.layout import (
    HAIRLINE,
    PAGE_FORMATS,
    SMALL,
    THICK,
    THIN,
    PageFormat,
    draw_pages,
    max_text_width,
    text_width,
    truncate,
    wrap_text,
)
from scorekeeper.pdf.tables import GREY, LEADING
from scorekeeper.pdf.values import value_rows

PAPERS = {
    "A6": {1: A6, 2: landscape(A5), 4: A4},
    "A5": {1: A5, 2: landscape(A4), 4: A3},
    "A4": {1: A4, 2: landscape(A3), 4: A2},
}
"""The paper for one, two and four pages of a format; two lie side by side."""
CUT_MARK = 8 * mm
"""The length of a cut mark."""
TITLE_SIZE = {"A4": 20.0, "A5": 18.0, "A6": 15.0}
LEAST_ROW_HEIGHT = {"A4": 8 * mm, "A5": 7 * mm, "A6": 6.2 * mm}
"""Enough to write in by hand."""
LEAST_CELL_WIDTH = 9 * mm
"""Enough to write a number in by hand."""
TICK_WIDTH = 5 * mm
"""The width of a column with boxes to tick."""


@dataclass(frozen=True)
class Column:
    """A column that every player has; ``ticked`` ones have boxes to tick."""

    label: str = ""
    short: str = ""
    """Where the label does not fit."""
    ticked: bool = False


@dataclass(frozen=True)
class Pad:
    """One page of a pad."""

    rules: RuleSet
    lang: Language
    size: str
    names: tuple[str, ...]
    """By side; an empty name is filled in by hand."""

    @property
    def page_format(self) -> PageFormat:
        return PAGE_FORMATS[self.size]

    # the texts

    @property
    def for_two(self) -> bool:
        """Whether there are two sides, which settle one difference instead of balances."""
        return len(self.names) == 2

    @property
    def games(self) -> int:
        """How many games are written side by side."""
        return HOLLYWOOD_GAMES if self.rules.gin.hollywood else 1

    @property
    def kind(self) -> str:
        """The name of the game."""
        return self.lang(f"paper.pad.{self.rules.family}")

    @property
    def player_columns(self) -> tuple[Column, ...]:
        """The columns of each player or team."""
        lang = self.lang
        if self.rules.family != "gin":
            return Column(lang("paper.round")), Column(lang("paper.running"))
        deadwood = Column(lang("paper.pad.deadwood"), lang("paper.pad.deadwood.short"))
        ticks = [
            Column(lang(f"paper.pad.{name}.short"), ticked=True)
            for name in ("knock_mark", "gin_mark", "undercut")
        ]
        if self.games > 1:
            return (Column(),)  # the totals, as nothing else fits in six columns
        partners = 2 if self.rules.teams else 1
        return *[deadwood] * partners, *ticks, Column(lang("paper.running"))

    def sums(self) -> Iterator[str]:
        """Yield the labels of the rows below the rounds."""
        rules, lang = self.rules, self.lang
        if rules.family == "gin" and has_boxes(rules):
            yield lang("paper.pad.boxes")
        if scores_game(rules):
            yield from self._reckoning()
        else:
            yield lang(f"paper.tally.{rules.rank.measure}")
        if rules.score.mode == "minus_plus":
            yield lang("paper.tally.plus")
        if rules.settle.mode == "pairwise" and not self.for_two:
            yield lang("paper.pad.balance")
        if rules.settle.mode != "none":
            yield lang("paper.pad.amount")

    def _reckoning(self) -> Iterator[str]:
        """Yield the labels of the rows in which a whole game of gin is counted."""
        gin, lang = self.rules.gin, self.lang
        yield lang("pages.finale.points")
        if gin.game_bonus:
            yield lang("pages.finale.won")
        if gin.box_at == "game":
            yield lang("pages.finale.boxed", n=gin.box_bonus)
        if gin.shutout != "none":
            yield lang("pages.finale.shutout")
        yield lang("pages.finale.total")

    def explanations(self) -> Iterator[str]:
        """Yield how to compute the rows below the rounds, and what single letters mean."""
        rules, lang = self.rules, self.lang
        if self.games > 1:
            yield lang("pages.finale.rule") + "."
        elif rules.family == "gin":
            yield lang("paper.pad.letters")
        if rules.settle.mode == "pairwise" and self.for_two:
            yield lang("paper.pad.check.two")
        elif rules.settle.mode == "pairwise":
            way = "minus" if rules.settle.measure == "minus" else "most"
            yield lang(f"paper.pad.check.{way}", players=len(self.names))
        if rules.settle.mode == "balance":
            yield lang("paper.pad.check.balance")

    # drawing

    def draw(self, canvas: Any) -> None:
        """Draw the page with its lower left corner at the origin of the canvas."""
        page_format = self.page_format
        canvas.translate(page_format.side, page_format.bottom)
        top = self._head(canvas, page_format.height)
        base = self._values_table(canvas)
        lines = [
            line
            for text in self.explanations()
            for line in wrap_text(text, "Sans", SMALL, page_format.width).split("\n")
        ]
        canvas.setFont("Sans", SMALL)
        for line in reversed(lines):
            canvas.drawString(0, base, line)
            base += SMALL * LEADING
        self._table(canvas, top, base + 1 * mm)

    def _head(self, canvas: Any, top: float) -> float:
        """Draw the title and the fields below it; return where the table may begin."""
        size, width = TITLE_SIZE[self.size], self.page_format.width
        canvas.rect(0, top - 1.6 * mm, width, 1.6 * mm, stroke=0, fill=1)
        base = top - 3.4 * mm - 0.76 * size
        canvas.setFont("Serif-Bold", size)
        canvas.drawString(0, base, self.kind)
        left = text_width(self.kind, "Serif-Bold", size) + 5 * mm
        stake = [] if self.rules.settle.mode == "none" else ["stake"]
        fields = [self.lang(f"paper.pad.{name}") for name in ("date", "place", *stake)]
        which = self.lang("paper.pad.page")
        narrow = self.size == "A6"
        canvas.setFont("Sans", SMALL)
        if narrow:
            fields.append(self.lang("paper.pad.page.short"))
        else:
            canvas.drawRightString(width, base, which)
            width -= text_width(which, "Sans", SMALL) + 4 * mm
        system = self.lang.preset(self.rules.preset)
        if system != self.kind:
            canvas.drawString(left, base, truncate(system, "Sans", SMALL, width - left))
        for line in (fields[:2], fields[2:]) if narrow else (fields,):
            base -= 7 * mm
            self._fields(canvas, line, base)
        return float(base - 3.5 * mm)

    def _fields(self, canvas: Any, labels: Sequence[str], base: float) -> None:
        """Draw labels, each followed by a line to write on, all of the same length."""
        gap, before = 4 * mm, 1.5 * mm
        taken = sum(text_width(label, "Sans", SMALL) + before for label in labels)
        length = (self.page_format.width - taken - gap * (len(labels) - 1)) / len(labels)
        canvas.setLineWidth(HAIRLINE)
        at = 0.0
        for label in labels:
            canvas.drawString(at, base, label)
            at += text_width(label, "Sans", SMALL) + before
            canvas.line(at, base - 0.5 * mm, at + length, base - 0.5 * mm)
            at += length + gap

    def _values_table(self, canvas: Any) -> float:
        """Draw the values at the bottom in as few rows as possible; return their top."""
        height, base = 9.4 * mm, 0.0

        def needed(title: str, value: str) -> float:
            widest = max(text_width(title, "Serif-Bold", 10), text_width(value, "Sans", SMALL))
            return float(widest + 3 * mm)

        rows = value_rows(self.rules, self.lang, self.page_format.width, needed)
        for cells in reversed(rows):
            rest = (self.page_format.width - sum(width for width, _, _ in cells)) / len(cells)
            canvas.setLineWidth(THIN)
            canvas.rect(0, base, self.page_format.width, height)
            at = 0.0
            for width, title, value in cells:
                if at:
                    canvas.line(at, base, at, base + height)
                middle = at + (width + rest) / 2
                canvas.setFont("Serif-Bold", 10)
                canvas.drawCentredString(middle, base + 5.2 * mm, title)
                canvas.setFont("Sans", SMALL)
                canvas.drawCentredString(middle, base + 1.6 * mm, value)
                at += width + rest
            base += height
        return float(base + 2.2 * mm)

    @cached_property
    def _columns(self) -> tuple[float, list[tuple[float, Column]]]:
        """The width of the first column, and the columns of each player with their widths."""
        labels = [*self.sums(), self.lang("paper.number")]
        first = max_text_width(labels, "Sans", SMALL) + 3 * mm
        own = (self.page_format.width - first) / (len(self.names) * self.games)
        columns = self.player_columns
        ticked = sum(column.ticked for column in columns)
        each = (own - TICK_WIDTH * ticked) / (len(columns) - ticked)
        if not ticked:
            words = max_text_width([column.label for column in columns], "Sans", SMALL) + 1.5 * mm
            if each < max(LEAST_CELL_WIDTH, words):
                return first, [(own, Column())]  # too narrow for two: players write only the total
        return first, [(TICK_WIDTH if column.ticked else each, column) for column in columns]

    def _table(self, canvas: Any, top: float, base: float) -> None:
        first, columns = self._columns
        own = sum(width for width, _ in columns)
        sums = list(self.sums())
        heads = list(self.names) * self.games
        if self.games > 1:
            top = self._draw_games(canvas, top, first, 2 * own)
        names, labels = 6.6 * mm, 5 * mm if columns[0][1].label else 0.0
        rows_height = top - base - names - labels
        rows = int(rows_height / LEAST_ROW_HEIGHT[self.size]) - len(sums)
        height = rows_height / (rows + len(sums))
        body, total = top - names - labels, base + height * len(sums)
        right = self.page_format.width

        canvas.setFont("Sans-Bold", 10)
        for side, name in enumerate(heads):
            shown = truncate(name, "Sans-Bold", 10, own - 2 * mm)  # no legend for numbers here
            canvas.drawString(first + side * own + 1 * mm, top - 4.8 * mm, shown)
        canvas.setFont("Sans", SMALL)
        canvas.drawString(1 * mm, body + 1.4 * mm, self.lang("paper.number"))
        for row in range(1, rows + 1):
            middle = body - (row - 0.5) * height - 0.35 * SMALL
            canvas.drawCentredString(first / 2, middle, str(row))
        for row, label in enumerate(sums):
            middle = total - (row + 0.5) * height - 0.35 * SMALL
            canvas.drawString(1 * mm, middle, label)

        canvas.setStrokeColor(GREY)
        canvas.setLineWidth(HAIRLINE)
        for row in (*range(1, rows), *range(rows + 1, rows + len(sums))):
            canvas.line(0, body - row * height, right, body - row * height)
        canvas.setStrokeGray(0)
        for side in range(len(heads)):
            left = first + side * own
            canvas.setLineWidth(THICK if self.games > 1 and side % 2 == 0 else THIN)
            canvas.line(left, top, left, base)
            self._draw_columns(canvas, left, (body + labels, body, total), (rows, height))
        canvas.setLineWidth(THICK)
        for at in (top, body, total, base):
            canvas.line(0, at, right, at)

    def _draw_games(self, canvas: Any, top: float, first: float, width: float) -> float:
        """Draw the heads of the games above those of the players; return where these begin."""
        base = top - 6.6 * mm
        canvas.setFont("Serif-Bold", 10)
        canvas.setLineWidth(THICK)
        canvas.line(0, top, self.page_format.width, top)
        for nth in range(self.games):
            left = first + nth * width
            canvas.line(left, top, left, base)
            words = truncate(self.lang("pages.finale.game", n=nth + 1), "Serif-Bold", 10, width)
            canvas.drawCentredString(left + width / 2, top - 4.8 * mm, words)
        return float(base)

    def _draw_columns(
        self,
        canvas: Any,
        left: float,
        heights: tuple[float, float, float],
        grid: tuple[int, float],
    ) -> None:
        """Draw one player's columns: labels, dotted lines between them, boxes to tick."""
        above, body, total = heights
        rows, height = grid
        _, columns = self._columns
        for nth, (width, column) in enumerate(columns):
            if nth:
                canvas.saveState()
                canvas.setLineWidth(HAIRLINE)
                canvas.setDash(0.3, 1.5)
                canvas.setLineCap(1)
                canvas.line(left, above, left, total)
                canvas.restoreState()
            label_width = width - 0.6 * mm
            label = next(
                (
                    text
                    for text in (column.label, column.short)
                    if text_width(text, "Sans", SMALL) <= label_width
                ),
                column.short,
            )
            canvas.drawCentredString(left + width / 2, body + 1.4 * mm, label)
            if column.ticked:
                canvas.setLineWidth(HAIRLINE)
                side = 3 * mm
                for row in range(1, rows + 1):
                    middle = body - (row - 0.5) * height
                    canvas.rect(left + (width - side) / 2, middle - side / 2, side, side)
            left += width


def pages(
    rules: RuleSet, lang: Language, names: Sequence[str], *, size: str, up: int, number: int
) -> bytes:
    """Return a pad of ``number`` sheets of paper as a PDF file; equal pads give equal bytes."""
    pad = Pad(rules, lang, size, tuple(map(printable, names)))
    paper = PAPERS[size][up]

    def draw(canvas: Canvas) -> None:
        for corner in _corners(canvas, paper, up, pad.page_format):
            canvas.saveState()
            canvas.translate(*corner)
            pad.draw(canvas)
            canvas.restoreState()

    title = f"{pad.kind}{lang.sign(':')} {lang.preset(rules.preset)}"
    subject = lang("paper.pad.subject")
    return draw_pages(paper, [draw] * number, title=title, subject=subject, language=lang.code)


def _corners(
    canvas: Any, paper: tuple[float, float], up: int, page_format: PageFormat
) -> Iterator[tuple[float, float]]:
    """Draw the cut marks and yield the lower left corner of each page on the paper."""
    across, down = (1 if up == 1 else 2), (2 if up == 4 else 1)
    width, height = paper[0] / across, paper[1] / down
    canvas.setLineWidth(HAIRLINE)
    if across == 2:
        canvas.line(width, 0, width, CUT_MARK)
        canvas.line(width, paper[1] - CUT_MARK, width, paper[1])
    if down == 2:
        canvas.line(0, height, CUT_MARK, height)
        canvas.line(paper[0] - CUT_MARK, height, paper[0], height)
        canvas.line(width - CUT_MARK / 2, height, width + CUT_MARK / 2, height)
        canvas.line(width, height - CUT_MARK / 2, width, height + CUT_MARK / 2)
    for row in reversed(range(down)):
        for column in range(across):
            yield (
                column * width + (width - page_format.size[0]) / 2,
                row * height + (height - page_format.size[1]) / 2,
            )
