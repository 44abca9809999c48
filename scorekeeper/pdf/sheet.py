"""The score sheet of one game, from its head to the signatures."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from reportlab.lib.units import mm
from reportlab.platypus import Flowable, KeepTogether, PageBreak, Spacer

from scorekeeper.domain.settlement import Settlement
from scorekeeper.pdf import tables
from scorekeeper.pdf.chart import Chart
from scorekeeper.pdf.code import LONGEST, code
from scorekeeper.pdf.details import details
from scorekeeper.pdf.layout import SMALL, Edges, Leaf, bind, build, register_faces, widest
from scorekeeper.pdf.words import Words

LEAST_LINES = 3
"""For the pencil."""
LOWEST = 46 * mm
"""The least height of a chart in which six names have room."""
BESIDE = 70 * mm
"""What must be left beside the settlement for anything to stand there."""


@dataclass(frozen=True)
class Sheet:
    """A score sheet about to be printed."""

    words: Words
    settlement: Settlement | None
    leaf: Leaf
    head: str | None = None
    address: str | None = None
    detailed: bool = False

    def print(self) -> bytes:
        """The sheet as a PDF file."""
        register_faces()
        subject = self.words.lang("paper.subject")
        return build(self.story(), self.edges, subject=subject, language=self.words.lang.code)

    @property
    def edges(self) -> Edges:
        words = self.words
        foot = words.foot(self.head)
        return Edges(self.leaf, words.lang("paper.title"), words.title, words.page, foot)

    def story(self) -> Iterator[Flowable]:
        """The parts of the sheet in their order."""
        words, room = self.words, self.leaf.width
        shape = tables.columns(words, room)
        yield tables.facts_table(list(words.facts()), list(self._long_facts(shape)), room)
        yield Spacer(0, 4 * mm)
        yield tables.rounds_table(words, shape)
        yield Spacer(0, 1.4 * mm)
        yield tables.small_print(list(words.footnotes()), room)
        *parts, last = self._settled()
        for part in parts:
            yield KeepTogether([parting(), *part])
        yield KeepTogether([parting(), *last, *self._signed()])
        if self.detailed:
            yield PageBreak()
            yield from details(words, room)

    def _long_facts(self, shape: tables.Columns) -> Iterator[tuple[str, str]]:
        """What takes a line of its own: the house rules, and whatever is cut elsewhere."""
        words = self.words
        if self.edges.title_is_cut:
            yield words.lang("paper.evening"), words.title
        if widest(words.sides, "Sans", SMALL) > shape.dealer - 2 * shape.pad:
            yield words.lang("paper.players"), words.everyone()
        if house_rules := words.house_rules():
            yield words.lang("paper.house_rules"), house_rules

    def _settled(self) -> list[list[Flowable]]:
        """Chart, settlement, payments and notes: side by side where they have the room."""
        room = self.leaf.width
        if self.settlement is None:
            return [self._chart(room, LOWEST), notes(self.words, LEAST_LINES, room)]
        beside = room - tables.NARROW - tables.GAP
        if beside < BESIDE or not tables.fits_narrow(self.words, self.settlement):
            return self._stacked(self.settlement, room)
        right = settled(self.words, self.settlement, tables.NARROW)
        height = tables.height(right[1:2], room)
        left = self._chart(beside, max(LOWEST, height))
        paying = payments(self.words, self.settlement, tables.NARROW)
        lines = max(LEAST_LINES, int(tables.height(paying[1:], room) / tables.LINE))
        noting = notes(self.words, lines, beside if paying else room)
        return [
            [tables.beside(left, right, tables.NARROW, room)],
            [tables.beside(noting, paying, tables.NARROW, room)] if paying else noting,
        ]

    def _stacked(self, settlement: Settlement, room: float) -> list[list[Flowable]]:
        parts = [self._chart(room, LOWEST), settled(self.words, settlement, room)]
        left = room - tables.WIDE - tables.GAP
        paying = payments(self.words, settlement, tables.WIDE)
        if not paying:
            return [*parts, notes(self.words, LEAST_LINES, room)]
        if left < BESIDE:
            paying = payments(self.words, settlement, room)
            return [*parts, paying, notes(self.words, LEAST_LINES, room)]
        noting = notes(self.words, LEAST_LINES, left)
        return [*parts, [tables.beside(noting, paying, tables.WIDE, room)]]

    def _chart(self, room: float, height: float) -> list[Flowable]:
        """How the totals ran, once there is a round to draw."""
        if not self.words.game.sheet.counted:
            return []
        return [
            tables.heading(self.words.lang("paper.chart")),
            Chart(self.words, room, height),
        ]

    def _signed(self) -> Iterator[Flowable]:
        """Signatures, and the way back to the live page."""
        room = self.leaf.width
        yield tables.signatures(self.words.sides, room)
        if self.address and len(self.address) <= LONGEST:
            yield Spacer(0, 3 * mm)
            yield code(self.words, self.address, room)


def bound(sheets: Sequence[Sheet], begun: Callable[[int], None]) -> bytes:
    """Several sheets in one PDF file, each counting its own pages."""
    register_faces()
    lang = sheets[0].words.lang
    return bind(
        [(sheet.edges, sheet.story()) for sheet in sheets],
        title=lang("paper.title"),
        subject=lang("paper.subject"),
        language=lang.code,
        begun=begun,
    )


def parting() -> Spacer:
    """The room between two parts."""
    return Spacer(0, 4 * mm)


def settled(words: Words, settlement: Settlement, room: float) -> list[Flowable]:
    """The table of the settlement and its check."""
    return [
        tables.heading(words.lang(f"paper.settlement.{settlement.mode}")),
        tables.settlement_table(words, settlement, room),
        Spacer(0, 1.4 * mm),
        tables.small_print(
            [line for line in (words.check_line(settlement), words.stake_line()) if line], room
        ),
    ]


def payments(words: Words, settlement: Settlement, room: float) -> list[Flowable]:
    """Who pays whom, where points are worth money."""
    if settlement.transfers is None:
        return []
    return [
        tables.heading(words.lang("paper.payments")),
        tables.payments_table(words, settlement.transfers, room),
    ]


def notes(words: Words, lines: int, room: float) -> list[Flowable]:
    """Room for what is to be remembered."""
    return [tables.heading(words.lang("paper.remarks")), tables.note_lines(lines, room)]
