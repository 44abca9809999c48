"""The body of a rules card: the largest letters that fill one page, in two columns."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from reportlab.lib.units import mm
from reportlab.platypus import Flowable

from scorekeeper.domain.cards.card import Card, Suit
from scorekeeper.domain.rules import RuleSet
from scorekeeper.i18n import Language
from scorekeeper.i18n.formats import NBSP
from scorekeeper.pdf.layout import HAIRLINE, SMALL, THIN, text_width, wrap_text
from scorekeeper.pdf.tables import GREY
from scorekeeper.pdf.values import value_rows

SIZES = (14, 13, 12.5, 12, 11.5, 11, 10.5, 10, 9.5, SMALL)
"""Font sizes of the sentences."""
SMALLER = 0.95
"""By how much letters become smaller where even the smallest of them do not fit."""
LEAST_WITH_CARDS = 9.5
"""In smaller letters there is no room for drawn cards."""
LEADING = 1.36
COLUMN_GAP = 10 * mm
CARD_WIDTH, CARD_HEIGHT = 8 * mm, 11 * mm
STRIP_HEIGHT = 11 * mm
LABEL, VALUE = 9.5, 16
"""Font sizes in the strip of values."""
BEARING = 0.8
"""How far some letters, such as j, reach out to the left."""
CELL_GAP = 5 * mm
NOTE_HEIGHT = 9 * mm
NOTES = 2
"""Lines to write on, at least."""
MAX_AIR = 9 * mm
"""Between two sections."""
HOLLOW = {Suit.CLUBS: "♣", Suit.DIAMONDS: "♢", Suit.HEARTS: "♡", Suit.SPADES: "♠"}
"""Red suits are hollow, so that a black printer is enough."""


@dataclass(frozen=True)
class Text:
    """Sentences of a section."""

    face: str
    words: str


@dataclass(frozen=True)
class Cards:
    """A meld that is drawn."""

    cards: Sequence[Card]


Item = Text | Cards


@dataclass(frozen=True)
class Section:
    """A heading with what stands below it."""

    heading: str
    items: Sequence[Item]


@dataclass(frozen=True)
class Block:
    """A section in a column, its sentences in lines."""

    number: str
    """Empty for examples."""
    heading: str
    lines: Sequence[tuple[str, str]]
    """Typeface and text."""
    drawn: Sequence[Cards]
    size: float

    @property
    def head_height(self) -> float:
        return self.size * 1.2 * LEADING

    @property
    def height(self) -> float:
        cards = len(self.drawn) * (CARD_HEIGHT + 2 * mm)
        return float(self.head_height + len(self.lines) * self.size * LEADING + cards)


def block_of(section: Section, number: str, width: float, size: float) -> Block:
    """Return a section with its sentences in lines of a width."""
    lines = [
        (item.face, line)
        for item in section.items
        if isinstance(item, Text)
        for line in wrap_text(_unbroken(item.words), item.face, size, width).split("\n")
    ]
    with_cards = size >= LEAST_WITH_CARDS
    drawn = [item for item in section.items if isinstance(item, Cards)] if with_cards else []
    return Block(number, section.heading, lines, drawn, size)


def _unbroken(text: str) -> str:
    """Return the text with signs tied to their numbers, so that ``× 2`` is never broken."""
    return text.replace("× ", f"×{NBSP}").replace("= ", f"={NBSP}")


Columns = tuple[Sequence[Block], Sequence[Block]]


def split(rules: Sequence[Block], examples: Sequence[Block], air: float) -> Columns:
    """Return the blocks in two columns of about the same height.

    Rules go on in the right column; examples may stand below the rules of either.
    """
    ways = [
        ([*rules[:at], *examples[:of_them]], [*rules[at:], *examples[of_them:]])
        for of_them in range(len(examples) + 1)
        for at in range(1, len(rules) + 1)
    ]
    return min(ways, key=lambda pair: max(_height(pair[0], air), _height(pair[1], air)))


def _cell_width(title: str, value: str) -> float:
    words = text_width(title, "Sans", LABEL) + text_width(value, "Serif-Bold", VALUE)
    return float(words + 2 * mm + CELL_GAP)


def _height(blocks: Sequence[Block], air: float) -> float:
    return sum(block.height for block in blocks) + air * max(0, len(blocks) - 1)


class CardBody(Flowable):  # type: ignore[misc]  # reportlab has no types
    """Intro, rules in two columns, values of the cards, lines to write on."""

    def __init__(
        self,
        *,
        intro: str,
        sections: Sequence[Section],
        examples: Sequence[Section],
        rules: RuleSet,
        lang: Language,
        size: tuple[float, float],
    ) -> None:
        super().__init__()
        self.intro, self.lang, self.rules = intro, lang, rules
        self.sections, self.examples = sections, examples
        self.width, self.height = size[0], size[1] - 1

    def draw(self) -> None:
        top = self._draw_intro(self.height)
        strip = value_rows(self.rules, self.lang, self.width, _cell_width)
        base = len(strip) * STRIP_HEIGHT + 5 * mm
        columns, tallest = self._fitting(top - base)
        self._draw_divider(top, top - tallest)
        for at, blocks in zip((0.0, (self.width + COLUMN_GAP) / 2), columns, strict=True):
            self._draw_column(at + BEARING, top, blocks, tallest)
        spare = top - tallest - 4 * mm - len(strip) * STRIP_HEIGHT
        self._draw_strip(strip, top - tallest - 4 * mm)
        self._draw_notes(spare)

    def _fitting(self, height: float) -> tuple[Columns, float]:
        """Return the columns in the largest letters that fit, and the height of the taller one.

        Where nothing else helps, examples are left out from the last one on, then the lines to
        write on, and at last the letters are smaller than usual.
        """
        for count in range(len(self.examples), -1, -1):
            for size in SIZES:
                fitting = self._in(size, self.examples[:count], height - NOTES * NOTE_HEIGHT)
                if fitting:
                    return fitting
        size = float(SIZES[-1])
        while not (fitting := self._in(size, (), height)):
            size *= SMALLER
        return fitting

    def _in(
        self, size: float, examples: Sequence[Section], height: float
    ) -> tuple[Columns, float] | None:
        """Return the columns in letters of a size, and the taller one; None if it is too tall."""
        rules = list(self._blocks(self.sections, size, numbered=True))
        columns = split(rules, list(self._blocks(examples, size)), 0.6 * size)
        tallest = max(_height(blocks, 0.6 * size) for blocks in columns)
        if tallest > height:
            return None
        gaps = max(1, *(len(blocks) - 1 for blocks in columns))
        return columns, min(height, tallest + gaps * MAX_AIR)

    def _blocks(
        self, sections: Sequence[Section], size: float, *, numbered: bool = False
    ) -> Iterator[Block]:
        width = (self.width - COLUMN_GAP) / 2 - BEARING
        for number, section in enumerate(sections, start=1):
            yield block_of(section, str(number) if numbered else "", width, size)

    # ---- drawing

    def _draw_intro(self, top: float) -> float:
        size = 13
        base = top - size
        self.canv.setFont("Serif", size)
        for line in wrap_text(self.intro, "Serif", size, self.width - BEARING).split("\n"):
            self.canv.drawString(BEARING, base, line)
            base -= size * LEADING
        self.canv.setLineWidth(THIN)
        rule = base + size * 0.6
        self.canv.line(0, rule, self.width, rule)
        return float(rule - 4 * mm)

    def _draw_divider(self, top: float, base: float) -> None:
        """Draw the line between the two columns."""
        self.canv.saveState()
        self.canv.setStrokeColor(GREY)
        self.canv.setLineWidth(HAIRLINE)
        self.canv.line(self.width / 2, top, self.width / 2, base)
        self.canv.restoreState()

    def _draw_column(self, left: float, top: float, blocks: Sequence[Block], height: float) -> None:
        """Draw a column over the whole height, within the limit of the air between its blocks."""
        gaps = max(1, len(blocks) - 1)
        spare = (height - _height(blocks, 0)) / gaps
        air = min(spare, blocks[0].size * 0.6 + 2 * MAX_AIR) if blocks else 0.0
        for block in blocks:
            base, size = top - block.size * 1.2, block.size * 1.2
            self.canv.setFont("Serif", size)
            self.canv.drawString(left, base, block.number)
            indent = text_width(block.number, "Serif", size) + 2.5 * mm if block.number else 0
            self.canv.setFont("Serif-Bold", size)
            self.canv.drawString(left + indent, base, block.heading)
            base = top - block.head_height - block.size
            for face, line in block.lines:
                self.canv.setFont(face, block.size)
                self.canv.drawString(left, base, line)
                base -= block.size * LEADING
            lowest = base + block.size - 1 * mm
            for row in block.drawn:
                self._draw_cards(left, lowest - CARD_HEIGHT, row.cards)
                lowest -= CARD_HEIGHT + 2 * mm
            top -= block.height + air

    def _draw_cards(self, left: float, base: float, cards: Sequence[Card]) -> None:
        canvas: Any = self.canv
        canvas.setLineWidth(THIN)
        for number, card in enumerate(cards):
            at = left + number * (CARD_WIDTH + 1 * mm)
            middle = at + CARD_WIDTH / 2
            canvas.roundRect(at, base, CARD_WIDTH, CARD_HEIGHT, 1 * mm)
            canvas.setFont("Serif-Bold", 12)
            canvas.drawCentredString(middle, base + 6 * mm, self.lang.rank(card.rank))
            canvas.setFont("Sans", 11)
            if card.suit:
                canvas.drawCentredString(middle, base + 1.8 * mm, HOLLOW[card.suit])

    def _draw_strip(self, rows: Sequence[Sequence[tuple[float, str, str]]], top: float) -> None:
        self.canv.setLineWidth(THIN)
        for cells in rows:
            top -= STRIP_HEIGHT
            self.canv.rect(0, top, self.width, STRIP_HEIGHT)
            spare = (self.width - sum(width for width, _, _ in cells)) / len(cells)
            at = 0.0
            for width, title, value in cells:
                if at:
                    self.canv.line(at, top, at, top + STRIP_HEIGHT)
                self.canv.setFont("Sans", LABEL)
                self.canv.drawString(at + (spare + CELL_GAP) / 2, top + 3.6 * mm, title)
                at += width + spare
                self.canv.setFont("Serif-Bold", VALUE)
                self.canv.drawRightString(at - (spare + CELL_GAP) / 2, top + 3.6 * mm, value)

    def _draw_notes(self, height: float) -> None:
        """Draw lines to write on, as many as there is room for."""
        label = self.lang("paper.card.besides")
        base = height - NOTE_HEIGHT
        if base < 0:
            return
        self.canv.setFont("Serif-Bold", 11)
        self.canv.drawString(0, base + 1.2 * mm, label)
        start = text_width(label, "Serif-Bold", 11) + 2 * mm
        while base >= 0:
            self.canv.line(start, base, self.width, base)
            base, start = base - NOTE_HEIGHT, 0.0
