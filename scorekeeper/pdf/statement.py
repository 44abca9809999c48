"""Settlement statements: one evening on one page, for all or for one of them."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from reportlab.lib.colors import black
from reportlab.lib.units import mm
from reportlab.platypus import Flowable, Spacer, Table

from scorekeeper.domain.settlement import Settlement, Transfer
from scorekeeper.pdf import tables
from scorekeeper.pdf.layout import (
    HAIR,
    LEAVES,
    NO_BREAK,
    TEXT,
    THICK,
    Edges,
    Leaf,
    build,
    fit,
    register_faces,
    shortened,
    wrap,
)
from scorekeeper.pdf.sheet import parting, settled
from scorekeeper.pdf.words import Words

NUMBERS = 0.42
"""How much of the width is for points and money."""


@dataclass(frozen=True)
class Statement:
    """What an evening came to, for everyone (``side`` None) or for one of them."""

    words: Words
    settlement: Settlement
    head: str | None = None
    side: int | None = None
    leaf: ClassVar[Leaf] = LEAVES["A4"]

    def print(self) -> bytes:
        """The statement as a PDF file of one page."""
        register_faces()
        words = self.words
        subject = words.lang("paper.statement.subject")
        return build(self.story(), self.edges, subject=subject, language=words.lang.code)

    @property
    def edges(self) -> Edges:
        words, kind = self.words, self.words.lang("paper.statement")
        return Edges(self.leaf, kind, words.title, words.page, words.foot(self.head))

    def story(self) -> Iterator[Flowable]:
        """The parts of the statement in their order."""
        words, room = self.words, self.leaf.width
        long = [(words.lang("paper.evening"), words.title)] if self.edges.title_is_cut else []
        yield tables.facts_table(list(words.facts()), long, room)
        yield parting()
        yield self._totals()
        yield parting()
        if self.side is None:
            yield from settled(words, self.settlement, room)
        else:
            yield tables.heading(words.lang("paper.statement.of", player=words.sides[self.side]))
            yield self._account(self.side)
            if stake := words.stake_line():
                yield Spacer(0, 1.4 * mm)
                yield tables.small_print([stake], room)
        yield parting()
        if self.settlement.transfers is not None:
            yield tables.heading(words.lang("paper.payments"))
            yield tables.payments_table(words, self._payments(), room)
            yield Spacer(0, 8 * mm)
        yield tables.signatures(words.sides, room)

    def _payments(self) -> list[Transfer]:
        """The payments that concern who reads this."""
        due = self.settlement.transfers or ()
        return [one for one in due if self.side in (None, one.payer, one.payee)]

    def _totals(self) -> Table:
        """Everyone's total and rank, so that the statement can be read without the sheet."""
        words = self.words
        (label, totals), *_ = words.tally_lines()
        rows = [("", list(words.sides)), (label, totals), (words.lang("paper.rank"), words.ranks())]
        first = self.leaf.width / (len(totals) + 1)
        names = shortened(words.sides, "Sans-Bold", TEXT, first - 2 * tables.PAD)
        data = [[label, *cells] for label, cells in rows]
        data[0][1:] = names
        style = [
            *tables.bare(tables.PAD),
            tables.font((1, 0), (-1, 0), "Sans-Bold", TEXT),
            tables.font((1, 1), (-1, 1), "Serif-Bold", 11),
            ("ALIGN", (1, 0), (-1, -1), "RIGHT"),
            ("LINEABOVE", (0, 1), (-1, 1), HAIR, tables.GREY),
            ("LINEABOVE", (0, 0), (-1, 0), THICK, black),
            ("LINEBELOW", (0, -1), (-1, -1), THICK, black),
        ]
        return Table(data, colWidths=[first] * len(data[0]), rowHeights=[6.4 * mm] * 3, style=style)

    def _account(self, side: int) -> Table:
        """One player against each of the others, the balance, the money."""
        words, settlement = self.words, self.settlement
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
        if settlement.stakes and any(settlement.stakes):
            lines.append((words.lang("paper.table_stake"), words.stakes(settlement)[side]))
        exact, payable = settlement.amounts, settlement.payable_amounts
        if exact is not None and payable is not None:
            if exact != payable:
                lines.append((words.lang("paper.pad.amount"), words.exactly(exact)[side]))
            amount = words.money(payable[side], signed=True).replace(NO_BREAK, " ")
            wrapped = wrap(amount, "Serif-Bold", 11, NUMBERS * self.leaf.width)
            lines.append((words.lang("paper.pad.amount"), wrapped))
        room = self.leaf.width
        numbers = NUMBERS * room
        cells = [[fit(label, "Sans", TEXT, room - numbers), number] for label, number in lines]
        heights = [max(7 * mm, tables.high(number, 11) + 2 * mm) for _, number in cells]
        style = [
            *tables.bare(),
            tables.font((0, 0), (0, -1), "Sans", TEXT),
            tables.font((1, 0), (1, -1), "Serif", 11),
            tables.font((1, bold), (1, -1), "Serif-Bold", 11),
            ("ALIGN", (1, 0), (1, -1), "RIGHT"),
            ("LINEBELOW", (0, 0), (-1, -1), HAIR, tables.GREY),
            ("LINEABOVE", (0, bold), (-1, bold), THICK, black),
        ]
        return Table(
            cells,
            colWidths=[room - numbers, numbers],
            rowHeights=heights,
            style=style,
        )


def pages(words: Words, settlement: Settlement, *, head: str | None, side: int | None) -> bytes:
    """The statement as a PDF file."""
    return Statement(words, settlement, head, side).print()
