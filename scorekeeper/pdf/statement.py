"""Settlement statements: the result of one evening on one page, for everyone or one player."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from reportlab.lib.colors import black
from reportlab.lib.units import mm
from reportlab.platypus import Flowable, KeepTogether, Spacer, Table

from scorekeeper.domain.game.state import Payment
from scorekeeper.domain.money.settlement import Settlement
from scorekeeper.i18n.formats import NBSP
from scorekeeper.pdf import tables
from scorekeeper.pdf.density import CLOSE, ROOMY, Density, spread
from scorekeeper.pdf.layout import (
    FOOTER_HEIGHT,
    HAIRLINE,
    HEADER_HEIGHT,
    PAGE_FORMATS,
    SMALL,
    TEXT,
    THICK,
    HeaderFooter,
    PageFormat,
    build,
    cuts_names,
    truncate,
    truncate_names,
    wrap_text,
)
from scorekeeper.pdf.settlement import finale_cuts_names, payments_table
from scorekeeper.pdf.sheet import finale_part, settlement_part
from scorekeeper.wording.sheet import Words

NUMBERS = 0.42
"""The share of the width for points and money."""
DENSITIES = (ROOMY, spread(1), spread(0.5), CLOSE)
"""From roomy to close: the first that fits on one page."""


@dataclass(frozen=True)
class Statement:
    """The result of an evening, for everyone (``side`` None) or for one side."""

    words: Words
    settlement: Settlement
    head: str | None = None
    side: int | None = None
    page_format: ClassVar[PageFormat] = PAGE_FORMATS["A4"]

    def print(self) -> bytes:
        """Return the statement as a PDF file of one page."""
        words = self.words
        subject = words.lang("paper.statement.subject")
        return build(self.story(), self.header_footer, subject=subject, language=words.lang.code)

    @property
    def header_footer(self) -> HeaderFooter:
        words, kind = self.words, self.words.lang("paper.statement")
        return HeaderFooter(
            self.page_format, kind, words.title, words.page_label, words.footer(self.head)
        )

    def story(self) -> Iterator[Flowable]:
        """Yield the parts from top to bottom, as far apart as one page allows."""
        room = self.page_format.height - HEADER_HEIGHT - FOOTER_HEIGHT
        for density in DENSITIES:
            top, end = list(self._top(density)), list(self._end(density))
            if tables.height([*top, *end], self.page_format.width) <= room:
                break
        yield from top
        yield KeepTogether(end)

    def _top(self, density: Density) -> Iterator[Flowable]:
        """Yield everything above the payments."""
        words, width = self.words, self.page_format.width
        gap = Spacer(0, density.gap)
        yield tables.summary_table(list(words.summary()), list(self._long_entries()), width)
        yield gap
        yield self._totals(density)
        if behind := words.behind:
            yield Spacer(0, 1.4 * mm)
            yield tables.small_print(behind, width)
        yield gap
        if reckoning := finale_part(words, width, density):
            yield from (*reckoning, gap)
        if self.side is None:
            yield from settlement_part(words, self.settlement, width, density)
        else:
            title = words.lang("paper.statement.of", player=words.sides[self.side])
            title = truncate(title, "Serif-Bold", SMALL, width)
            yield tables.heading(title, density.heading, width)
            yield self._account(self.side, density)
            if stake := words.stake_line():
                yield Spacer(0, 1.4 * mm)
                yield tables.small_print([stake], width)

    def _long_entries(self) -> Iterator[tuple[str, str]]:
        """Yield in full whatever is truncated elsewhere; no column of names is as narrow."""
        words = self.words
        if self.header_footer.title_is_cut:
            yield words.lang("paper.evening"), words.title
        column = self._column - 2 * tables.PAD
        if cuts_names(words.sides, "Sans-Bold", TEXT, column) or finale_cuts_names(
            words, self.page_format.width
        ):
            yield words.lang("paper.players"), words.numbered_names()

    def _end(self, density: Density) -> Iterator[Flowable]:
        """Yield payments and signatures, which stay together."""
        words, width = self.words, self.page_format.width
        yield Spacer(0, density.gap)
        if self.settlement.transfers is not None:
            yield tables.heading(words.lang("paper.payments"), density.heading)
            yield payments_table(words, self._payments(), width, density)
            yield Spacer(0, 2 * density.gap)
        yield tables.signatures(words.sides, width, density.signature)

    def _payments(self) -> list[Payment]:
        """Return the payments that the reader makes or receives."""
        payments = self.words.game.payments
        return [
            payment for payment in payments if self.side in (None, payment.payer, payment.payee)
        ]

    @property
    def _column(self) -> float:
        """The width of a column of the totals."""
        return self.page_format.width / (len(self.words.sides) + 1)

    def _totals(self, density: Density) -> Table:
        """Return everyone's total and rank; the statement must make sense without the sheet."""
        words = self.words
        (label, totals), *_ = words.tally_lines()
        first = self._column
        names = truncate_names(words.sides, "Sans-Bold", TEXT, first - 2 * tables.PAD)
        data = [["", *names], [label, *totals], [words.lang("paper.rank"), *words.ranks()]]
        style = [
            *tables.cell_style(tables.PAD),
            tables.font((1, 0), (-1, 0), "Sans-Bold", TEXT),
            tables.font((1, 1), (-1, 1), "Serif-Bold", 11),
            ("ALIGN", (1, 0), (-1, -1), "RIGHT"),
            ("LINEABOVE", (0, 1), (-1, 1), HAIRLINE, tables.GREY),
            ("LINEABOVE", (0, 0), (-1, 0), THICK, black),
            ("LINEBELOW", (0, -1), (-1, -1), THICK, black),
        ]
        heights = [6.4 * mm * density.settlement] * 3
        return Table(data, colWidths=[first] * len(data[0]), rowHeights=heights, style=style)

    def _account(self, side: int, density: Density) -> Table:
        """Return one player's points against each of the others, their balance and money."""
        words, settlement, width = self.words, self.settlement, self.page_format.width
        numbers = NUMBERS * width
        lines: list[tuple[str, str]] = []
        if settlement.pairs is not None:
            lines += [
                (words.lang("paper.statement.against", player=name), words.signed(points))
                for name, points in zip(words.sides, settlement.pairs[side], strict=True)
                if points is not None
            ]
        bold = len(lines)
        if settlement.balances is not None:
            lines.append((words.lang("paper.pad.balance"), words.signed(settlement.balances[side])))
        lines += [(label, amounts[side]) for label, amounts in words.stake_rows(settlement)]
        exact, payable = settlement.amounts, settlement.payable_amounts
        if exact is not None and payable is not None:
            if exact != payable:
                lines.append((words.lang("paper.pad.amount"), words.exactly(exact)[side]))
            amount = words.money(payable[side], signed=True).replace(NBSP, " ")
            wrapped = wrap_text(amount, "Serif-Bold", 11, numbers)
            lines.append((words.lang("paper.pad.amount"), wrapped))
        cells = [
            [truncate(label, "Sans", TEXT, width - numbers), number] for label, number in lines
        ]
        row = 7 * mm * density.settlement
        heights = [max(row, tables.text_height(number, 11) + 2 * mm) for _, number in cells]
        style = [
            *tables.cell_style(),
            tables.font((0, 0), (0, -1), "Sans", TEXT),
            tables.font((1, 0), (1, -1), "Serif", 11),
            tables.font((1, bold), (1, -1), "Serif-Bold", 11),
            ("ALIGN", (1, 0), (1, -1), "RIGHT"),
            ("LINEBELOW", (0, 0), (-1, -1), HAIRLINE, tables.GREY),
            ("LINEABOVE", (0, bold), (-1, bold), THICK, black),
        ]
        return Table(cells, colWidths=[width - numbers, numbers], rowHeights=heights, style=style)
