"""Blank pads: the score sheet of a rule system for the pencil, one, two or four on a paper."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from io import BytesIO
from typing import Any

from reportlab.lib.pagesizes import A2, A3, A4, A5, A6, landscape
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from scorekeeper.domain.cards import Rank
from scorekeeper.domain.options import RuleSet
from scorekeeper.domain.scoring.gin import has_boxes
from scorekeeper.i18n import Language
from scorekeeper.i18n.printable import printable
from scorekeeper.pdf.layout import (
    HAIR,
    LEAVES,
    NO_BREAK,
    SMALL,
    THICK,
    THIN,
    Leaf,
    about,
    fit,
    register_faces,
    widest,
    width,
    wrap,
)
from scorekeeper.pdf.tables import GREY, LEADING

PAPERS = {
    "A6": {1: A6, 2: landscape(A5), 4: A4},
    "A5": {1: A5, 2: landscape(A4), 4: A3},
    "A4": {1: A4, 2: landscape(A3), 4: A2},
}
"""The paper for one, two and four leaves of a size: two lie side by side on it."""
IN_ADVANCE = ("invariant", "initialFontName", "lang")
"""What a canvas must know before it begins."""
CUT = 8 * mm
"""How long a mark is that says where to cut."""
TITLE = {"A4": 20.0, "A5": 18.0, "A6": 15.0}
ROW = {"A4": 8 * mm, "A5": 7 * mm, "A6": 6.2 * mm}
"""The least height of a line: what a pencil needs."""
PENCIL = 9 * mm
"""The least width of a cell."""
TICK = 5 * mm
"""The width of a cell that is only ticked."""


@dataclass(frozen=True)
class Cell:
    """A column that every player has: what stands above it, how wide it is against others."""

    label: str = ""
    short: str = ""
    share: float = 1
    ticked: bool = False


@dataclass(frozen=True)
class Pad:
    """One leaf of a pad, drawn as often as it is wanted."""

    rules: RuleSet
    lang: Language
    size: str
    names: tuple[str, ...]
    """By side; an empty one is filled in by hand."""

    @property
    def leaf(self) -> Leaf:
        return LEAVES[self.size]

    # what stands on it

    @property
    def for_two(self) -> bool:
        """Two players, or two teams: between them there is one difference and no balance."""
        return len(self.names) == 2

    @property
    def kind(self) -> str:
        """The game it is for."""
        return self.lang(f"paper.pad.{self.rules.family}")

    @property
    def cells(self) -> tuple[Cell, ...]:
        """The columns of each player, or of each team."""
        lang = self.lang
        if self.rules.family != "gin":
            return Cell(lang("paper.round")), Cell(lang("paper.running"))
        deadwood = Cell(lang("paper.pad.deadwood"), lang("paper.pad.deadwood.short"))
        ticks = [
            Cell(lang(f"paper.pad.{name}.short"), ticked=True)
            for name in ("knock_mark", "gin_mark", "undercut")
        ]
        partners = 2 if self.rules.teams else 1
        return *[deadwood] * partners, *ticks, Cell(lang("paper.running"))

    def sums(self) -> Iterator[str]:
        """The lines below the rounds."""
        rules, lang = self.rules, self.lang
        if rules.family == "gin" and has_boxes(rules):
            yield lang("paper.pad.boxes")
        yield lang(f"paper.tally.{rules.rank.measure}")
        if rules.score.mode == "minus_plus":
            yield lang("paper.tally.plus")
        if rules.settle.mode == "pairwise" and not self.for_two:
            yield lang("paper.pad.balance")
        if rules.settle.mode != "none":
            yield lang("paper.pad.amount")

    def explained(self) -> Iterator[str]:
        """How the lines below the rounds are reckoned, and what single letters mean."""
        rules, lang = self.rules, self.lang
        if rules.family == "gin":
            yield lang("paper.pad.letters")
        if rules.settle.mode == "pairwise" and self.for_two:
            yield lang("paper.pad.check.two")
        elif rules.settle.mode == "pairwise":
            way = "minus" if rules.settle.measure == "minus" else "most"
            yield lang(f"paper.pad.check.{way}", players=len(self.names))
        if rules.settle.mode == "balance":
            yield lang("paper.pad.check.balance")

    def values(self) -> Iterator[tuple[str, str]]:
        """The strip at the foot: what cards and ends of a round are worth here."""
        rules, lang = self.rules, self.lang
        yield f"{3 if rules.wild.twos else 2}–10", lang("paper.pad.number")
        yield " ".join(map(lang.rank, (Rank.JACK, Rank.QUEEN, Rank.KING))), lang.number(10)
        yield lang.rank_word(Rank.ACE), lang.number(rules.value.ace_hand)
        if rules.deck.jokers:
            yield lang.rank_word(None), lang.number(rules.joker.hand_value)
        if rules.wild.twos:
            worth = 2 if rules.wild.twos_value == "face" else rules.joker.hand_value
            yield lang.rank_word(Rank.TWO), lang.number(worth)
        yield from self._terms()

    def _terms(self) -> Iterator[tuple[str, str]]:
        rules, lang = self.rules, self.lang
        bonus = lang.number
        if rules.family == "lay" and rules.meld.first_min:
            yield lang("paper.pad.first"), lang("paper.pad.from", points=rules.meld.first_min)
        if rules.hand_romme.enabled and rules.family == "lay":
            yield lang("paper.pad.hand_romme"), f"×{NO_BREAK}{rules.hand_romme.factor}"
        if rules.family == "hand":
            yield lang("paper.pad.rest"), lang("paper.pad.to", points=rules.out.max_rest)
        if rules.family == "knock":
            yield lang("paper.pad.rummy"), bonus(rules.knock.rummy_bonus, signed=True)
            yield lang("paper.pad.penalty"), bonus(-rules.knock.penalty)
        if rules.family == "gin":
            if not rules.gin.oklahoma:
                limit = lang("paper.pad.to", points=rules.gin.knock_limit)
                yield lang("paper.pad.knock_mark"), limit
            bonuses = [rules.gin.gin_bonus]
            if rules.teams:
                bonuses = [rules.gin.team_small_gin, rules.gin.team_big_gin]
            yield lang("paper.pad.gin_mark"), " ".join(bonus(one, signed=True) for one in bonuses)
            yield lang("paper.pad.undercut"), bonus(rules.gin.undercut_bonus, signed=True)
            if has_boxes(rules):
                yield lang("paper.pad.box"), bonus(rules.gin.box_bonus, signed=True)

    # how it is drawn

    def draw(self, canvas: Any) -> None:
        """Draw one leaf, its lower left corner where the canvas begins."""
        leaf = self.leaf
        canvas.translate(leaf.side, leaf.bottom)
        top = self._head(canvas, leaf.height)
        base = self._strip(canvas)
        lines = [
            line
            for text in self.explained()
            for line in wrap(text, "Sans", SMALL, leaf.width).split("\n")
        ]
        canvas.setFont("Sans", SMALL)
        for line in reversed(lines):
            canvas.drawString(0, base, line)
            base += SMALL * LEADING
        self._table(canvas, top, base + 1 * mm)

    def _head(self, canvas: Any, top: float) -> float:
        """The bar, what it is, and what is written first; where the table may begin."""
        size, room = TITLE[self.size], self.leaf.width
        canvas.rect(0, top - 1.6 * mm, room, 1.6 * mm, stroke=0, fill=1)
        base = top - 3.4 * mm - 0.76 * size
        canvas.setFont("Serif-Bold", size)
        canvas.drawString(0, base, self.kind)
        left = width(self.kind, "Serif-Bold", size) + 5 * mm
        fields = [self.lang(f"paper.pad.{name}") for name in ("date", "place", "stake")]
        which = self.lang("paper.pad.page")
        narrow = self.size == "A6"
        canvas.setFont("Sans", SMALL)
        if narrow:
            fields.append(self.lang("paper.pad.page.short"))
        else:
            canvas.drawRightString(room, base, which)
            room -= width(which, "Sans", SMALL) + 4 * mm
        system = self.lang.preset(self.rules.preset)
        if system != self.kind:
            canvas.drawString(left, base, fit(system, "Sans", SMALL, room - left))
        for line in (fields[:2], fields[2:]) if narrow else (fields,):
            base -= 7 * mm
            self._fields(canvas, line, base)
        return float(base - 3.5 * mm)

    def _fields(self, canvas: Any, labels: Sequence[str], base: float) -> None:
        """Words with a line behind each, all lines of the same length."""
        gap, before = 4 * mm, 1.5 * mm
        taken = sum(width(label, "Sans", SMALL) + before for label in labels)
        length = (self.leaf.width - taken - gap * (len(labels) - 1)) / len(labels)
        canvas.setLineWidth(HAIR)
        at = 0.0
        for label in labels:
            canvas.drawString(at, base, label)
            at += width(label, "Sans", SMALL) + before
            canvas.line(at, base - 0.5 * mm, at + length, base - 0.5 * mm)
            at += length + gap

    def _strip(self, canvas: Any) -> float:
        """The values at the foot, in as few lines as they fit in; where it ends above."""
        height, base = 9.4 * mm, 0.0
        for cells in reversed(self._packed()):
            rest = (self.leaf.width - sum(wide for wide, _, _ in cells)) / len(cells)
            canvas.setLineWidth(THIN)
            canvas.rect(0, base, self.leaf.width, height)
            at = 0.0
            for wide, title, value in cells:
                if at:
                    canvas.line(at, base, at, base + height)
                middle = at + (wide + rest) / 2
                canvas.setFont("Serif-Bold", 10)
                canvas.drawCentredString(middle, base + 5.2 * mm, title)
                canvas.setFont("Sans", SMALL)
                canvas.drawCentredString(middle, base + 1.6 * mm, value)
                at += wide + rest
            base += height
        return float(base + 2.2 * mm)

    def _packed(self) -> list[list[tuple[float, str, str]]]:
        """The values in lines that fit, about as many in each."""
        cells = [
            (
                max(width(title, "Serif-Bold", 10), width(value, "Sans", SMALL)) + 3 * mm,
                title,
                value,
            )
            for title, value in self.values()
        ]
        for across in range(len(cells), 0, -1):
            lines = [cells[at : at + across] for at in range(0, len(cells), across)]
            if all(sum(wide for wide, _, _ in line) <= self.leaf.width for line in lines):
                break
        return lines

    @cached_property
    def _columns(self) -> tuple[float, list[tuple[float, Cell]]]:
        """How wide the first column is, and the columns of each."""
        labels = [*self.sums(), self.lang("paper.number")]
        first = widest(labels, "Sans", SMALL) + 3 * mm
        own = (self.leaf.width - first) / len(self.names)
        cells = self.cells
        free = own - TICK * sum(cell.ticked for cell in cells)
        each = free / sum(cell.share for cell in cells if not cell.ticked)
        if not any(cell.ticked for cell in cells):
            words = widest([cell.label for cell in cells], "Sans", SMALL) + 1.5 * mm
            if each < max(PENCIL, words):
                return first, [(own, Cell())]  # too narrow for two: what is written is the total
        return first, [(TICK if cell.ticked else each, cell) for cell in cells]

    def _table(self, canvas: Any, top: float, base: float) -> None:
        first, columns = self._columns
        own = sum(wide for wide, _ in columns)
        sums = list(self.sums())
        names, labels = 6.6 * mm, 5 * mm if columns[0][1].label else 0.0
        room = top - base - names - labels
        rows = int(room / ROW[self.size]) - len(sums)
        height = room / (rows + len(sums))
        body, total = top - names - labels, base + height * len(sums)
        right = self.leaf.width

        canvas.setFont("Sans-Bold", 10)
        for side, name in enumerate(self.names):
            shown = fit(name, "Sans-Bold", 10, own - 2 * mm)  # nothing here says whose number it is
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
        canvas.setLineWidth(HAIR)
        for row in (*range(1, rows), *range(rows + 1, rows + len(sums))):
            canvas.line(0, body - row * height, right, body - row * height)
        canvas.setStrokeGray(0)
        for side in range(len(self.names)):
            left = first + side * own
            canvas.setLineWidth(THIN)
            canvas.line(left, top, left, base)
            self._lines(canvas, left, (body + labels, body, total), (rows, height))
        canvas.setLineWidth(THICK)
        for at in (top, body, total, base):
            canvas.line(0, at, right, at)

    def _lines(
        self,
        canvas: Any,
        left: float,
        heights: tuple[float, float, float],
        grid: tuple[int, float],
    ) -> None:
        """The columns of one player: words above, dotted lines between, boxes to tick."""
        above, body, total = heights
        rows, height = grid
        _, columns = self._columns
        for nth, (wide, cell) in enumerate(columns):
            if nth:
                canvas.saveState()
                canvas.setLineWidth(HAIR)
                canvas.setDash(0.3, 1.5)
                canvas.setLineCap(1)
                canvas.line(left, above, left, total)
                canvas.restoreState()
            room = wide - 0.6 * mm
            label = next(
                (text for text in (cell.label, cell.short) if width(text, "Sans", SMALL) <= room),
                cell.short,
            )
            canvas.drawCentredString(left + wide / 2, body + 1.4 * mm, label)
            if cell.ticked:
                canvas.setLineWidth(HAIR)
                side = 3 * mm
                for row in range(1, rows + 1):
                    middle = body - (row - 0.5) * height
                    canvas.rect(left + (wide - side) / 2, middle - side / 2, side, side)
            left += wide


def pages(
    rules: RuleSet, lang: Language, names: Sequence[str], *, size: str, up: int, number: int
) -> bytes:
    """A pad of so many papers as a PDF file; equal wishes make equal bytes."""
    register_faces()
    pad = Pad(rules, lang, size, tuple(map(printable, names)))
    paper, written = PAPERS[size][up], BytesIO()
    told = about(f"{pad.kind}: {lang.preset(rules.preset)}", lang("paper.pad.subject"), lang.code)
    canvas = Canvas(written, pagesize=paper, **{name: told.pop(name) for name in IN_ADVANCE})
    for name, text in told.items():
        getattr(canvas, f"set{name.capitalize()}")(text)
    canvas.setViewerPreference("DisplayDocTitle", "true")
    for _ in range(number):
        for corner in _corners(canvas, paper, up, pad.leaf):
            canvas.saveState()
            canvas.translate(*corner)
            pad.draw(canvas)
            canvas.restoreState()
        canvas.showPage()
    canvas.save()
    return written.getvalue()


def _corners(
    canvas: Any, paper: tuple[float, float], up: int, leaf: Leaf
) -> Iterator[tuple[float, float]]:
    """Where the leaves lie on their paper; marks show where to cut between them."""
    across, down = (1 if up == 1 else 2), (2 if up == 4 else 1)
    wide, high = paper[0] / across, paper[1] / down
    canvas.setLineWidth(HAIR)
    if across == 2:
        canvas.line(wide, 0, wide, CUT)
        canvas.line(wide, paper[1] - CUT, wide, paper[1])
    if down == 2:
        canvas.line(0, high, CUT, high)
        canvas.line(paper[0] - CUT, high, paper[0], high)
        canvas.line(wide - CUT / 2, high, wide + CUT / 2, high)
        canvas.line(wide, high - CUT / 2, wide, high + CUT / 2)
    for row in reversed(range(down)):
        for column in range(across):
            yield (
                column * wide + (wide - leaf.size[0]) / 2,
                row * high + (high - leaf.size[1]) / 2,
            )
