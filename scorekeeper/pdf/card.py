"""The rules card: the rules of a table on one page, house rules in bold."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from reportlab.lib.units import mm
from reportlab.platypus import Table

from scorekeeper.domain.options import GROUPS, RuleSet
from scorekeeper.domain.presets import deviations
from scorekeeper.i18n import Language
from scorekeeper.i18n.printable import printable
from scorekeeper.pdf.examples import Examples
from scorekeeper.pdf.layout import (
    FOOTER_HEIGHT,
    HEADER_HEIGHT,
    NBSP,
    PAGE_FORMATS,
    SMALL,
    HeaderFooter,
    build,
    register_fonts,
    wrap_text,
)
from scorekeeper.pdf.tables import Command, cell_style, font, side_by_side, text_height

STAKE = ("settle.point_value", "settle.unit", "settle.payable", "settle.measure", "settle.stake")
OMITTED = frozenset({"family", "players.min", "players.max", *STAKE})
"""Options that the card words in sentences of its own, or not at all."""
FONT_SIZES = (10, 9.5, SMALL)
COLUMN_GAP = 8 * mm
Paragraph = tuple[str, str]
"""Typeface and text."""


@dataclass(frozen=True)
class Card:
    """The rules card of a table."""

    rules: RuleSet
    lang: Language
    title: str = ""

    def print(self) -> bytes:
        """Return the card as a PDF file of one page."""
        register_fonts()
        header_footer, lang = self.header_footer, self.lang
        fit_columns = self._columns(
            header_footer.page_format.width,
            header_footer.page_format.height - HEADER_HEIGHT - FOOTER_HEIGHT,
        )
        return build(
            [fit_columns], header_footer, subject=lang("paper.card.subject"), language=lang.code
        )

    @property
    def header_footer(self) -> HeaderFooter:
        lang = self.lang
        system = lang.preset(self.rules.preset)
        title = ", ".join(filter(None, (system, printable(self.title))))
        footer = lang("paper.card.bold") if self._different else ""
        kind = lang("paper.card.title")
        return HeaderFooter(PAGE_FORMATS["A4"], kind, title, lambda number, pages: "", (footer, ""))

    @property
    def _different(self) -> frozenset[str]:
        return frozenset(one.name for one in deviations(self.rules)) - OMITTED

    def lines(self) -> Iterator[list[Paragraph]]:
        """Yield each group of rules with its heading, then the examples."""
        lang, rules = self.lang, self.rules
        for group, parts in GROUPS.items():
            names = [
                name
                for name in rules.telling()
                if name.partition(".")[0] in parts and name not in OMITTED
            ]
            said = [
                (
                    "Sans-Bold" if name in self._different else "Sans",
                    lang.rule_sentence(name, rules[name]),
                )
                for name in names
            ]
            if group == "deal":
                said.insert(0, ("Sans", self._players()))
            if group == "end":
                said += [("Sans", stake) for stake in self._stakes()]
            if said:
                yield [("Serif-Bold", lang(f"pages.group.{group}")), *said]
        for heading, sentences in Examples(rules, lang).all():
            yield [("Serif-Bold", heading), *(("Sans", sentence) for sentence in sentences)]

    def _players(self) -> str:
        players = self.rules.players
        if players.min == players.max:
            return self.lang("paper.card.players.just", least=players.min)
        return self.lang("paper.card.players", least=players.min, most=players.max)

    def _stakes(self) -> Iterator[str]:
        """Yield the point value and the stake of the table, whichever apply."""
        terms, lang, unit = self.rules.settle, self.lang, printable(self.rules.settle.unit)
        if terms.mode != "none" and terms.point_value is not None:
            steps = lang.money(terms.payable, unit)
            yield lang("paper.card.stake", amount=lang.rate(terms.point_value, unit), steps=steps)
        if terms.stake:
            yield lang("paper.card.table_stake", amount=lang.money(terms.stake, unit))

    def _columns(self, width: float, height: float) -> Table:
        """Return two columns in the largest font that fits, dropping last examples if none does."""
        column_width = (width - COLUMN_GAP) / 2
        groups = list(self.lines())
        while True:
            for size in FONT_SIZES:
                left, right = split([group_column(group, column_width, size) for group in groups])
                if max(left.height, right.height) <= height:
                    parts = [column.table(column_width) for column in (left, right)]
                    return side_by_side(parts[:1], parts[1:], column_width, width)
            groups.pop()


@dataclass(frozen=True)
class Column:
    """A column of text, with the height of every line."""

    lines: Sequence[Paragraph]
    heights: Sequence[float]
    size: float

    @property
    def height(self) -> float:
        return sum(self.heights)

    def __add__(self, other: "Column") -> "Column":
        lines, heights = [*self.lines, *other.lines], [*self.heights, *other.heights]
        return Column(lines, heights, self.size)

    def table(self, width: float) -> Table:
        """Return the column as a table."""
        style: list[Command] = [*cell_style(), ("VALIGN", (0, 0), (-1, -1), "TOP")]
        for row, (face, _) in enumerate(self.lines):
            heading = face == "Serif-Bold"
            style.append(font((0, row), (0, row), face, 11 if heading else self.size))
            if heading:
                style.append(("VALIGN", (0, row), (0, row), "MIDDLE"))
        data = [[text] for _, text in self.lines]
        return Table(data, colWidths=[width], rowHeights=self.heights, style=style, hAlign="LEFT")


def group_column(lines: Sequence[Paragraph], width: float, size: float) -> Column:
    """Return a heading and its sentences as a column."""
    (_, heading), *said = lines
    wrapped = [(face, wrap_text(_unbroken(text), face, size, width)) for face, text in said]
    heights = [text_height(text, size) + 0.8 * mm for _, text in wrapped]
    return Column([("Serif-Bold", heading), *wrapped], [8 * mm, *heights], size)


def _unbroken(text: str) -> str:
    """Return the text with signs tied to their numbers, so that ``× 2`` is never broken."""
    return text.replace("× ", f"×{NBSP}").replace("= ", f"={NBSP}")


def split(groups: Sequence[Column]) -> tuple[Column, Column]:
    """Return the groups in two columns of about the same height."""

    def halves(at: int) -> tuple[Column, Column]:
        empty = Column([], [], SMALL)
        return sum(groups[:at], empty), sum(groups[at:], empty)

    return min(
        (halves(at) for at in range(1, len(groups) + 1)),
        key=lambda pair: max(pair[0].height, pair[1].height),
    )
