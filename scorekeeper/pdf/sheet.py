"""The score sheet of one game, from its head to the signatures."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from reportlab.lib.units import mm
from reportlab.platypus import Flowable, KeepTogether, PageBreak, Spacer

from scorekeeper.domain.settlement import Settlement
from scorekeeper.pdf import rounds, tables
from scorekeeper.pdf.chart import Chart
from scorekeeper.pdf.details import details
from scorekeeper.pdf.layout import (
    SMALL,
    HeaderFooter,
    PageFormat,
    build,
    build_parts,
    max_text_width,
    register_fonts,
)
from scorekeeper.pdf.qr_code import MAX_ADDRESS_LENGTH, qr_code
from scorekeeper.pdf.settlement import (
    GAP,
    NARROW_COLUMN,
    WIDE_COLUMN,
    fits_narrow,
    payments_table,
    settlement_table,
)
from scorekeeper.pdf.words import Words

LEAST_NOTE_LINES = 3
LEAST_CHART_HEIGHT = 46 * mm
"""Enough for six names at the line ends."""
LEAST_CHART_WIDTH = 70 * mm
"""Beside the settlement; where less is left, the parts are stacked."""


@dataclass(frozen=True)
class ScoreSheet:
    """The score sheet of a game, laid out on pages of one format."""

    words: Words
    settlement: Settlement | None
    page_format: PageFormat
    head: str | None = None
    address: str | None = None
    detailed: bool = False

    def print(self) -> bytes:
        """Return the sheet as a PDF file."""
        register_fonts()
        subject = self.words.lang("paper.subject")
        return build(
            self.story(), self.header_footer, subject=subject, language=self.words.lang.code
        )

    @property
    def header_footer(self) -> HeaderFooter:
        words = self.words
        footer = words.footer(self.head)
        return HeaderFooter(
            self.page_format, words.lang("paper.title"), words.title, words.page_label, footer
        )

    def story(self) -> Iterator[Flowable]:
        """Yield the parts of the sheet from top to bottom."""
        words, width = self.words, self.page_format.width
        layout = rounds.fit_columns(words, width)
        yield tables.summary_table(list(words.summary()), list(self._long_entries(layout)), width)
        yield Spacer(0, 4 * mm)
        yield rounds.rounds_table(words, layout)
        yield Spacer(0, 1.4 * mm)
        yield tables.small_print(list(words.footnotes()), width)
        *parts, last = self._results()
        for part in parts:
            yield KeepTogether([gap(), *part])
        yield KeepTogether([gap(), *last, *self._signatures()])
        if self.detailed:
            yield PageBreak()
            yield from details(words, width)

    def _long_entries(self, layout: rounds.ColumnLayout) -> Iterator[tuple[str, str]]:
        """Yield the house rules, and in full whatever is truncated elsewhere."""
        words = self.words
        if self.header_footer.title_is_cut:
            yield words.lang("paper.evening"), words.title
        if max_text_width(words.sides, "Sans", SMALL) > layout.dealer - 2 * layout.pad:
            yield words.lang("paper.players"), words.numbered_names()
        if house_rules := words.house_rules():
            yield words.lang("paper.house_rules"), house_rules

    def _results(self) -> list[list[Flowable]]:
        """Return chart, settlement, payments and notes, side by side where they fit."""
        width = self.page_format.width
        if self.settlement is None:
            return [
                self._chart(width, LEAST_CHART_HEIGHT),
                notes_part(self.words, LEAST_NOTE_LINES, width),
            ]
        left_width = width - NARROW_COLUMN - GAP
        if left_width < LEAST_CHART_WIDTH or not fits_narrow(self.words, self.settlement):
            return self._stacked(self.settlement, width)
        right = settlement_part(self.words, self.settlement, NARROW_COLUMN)
        height = tables.height(right[1:2], width)
        left = self._chart(left_width, max(LEAST_CHART_HEIGHT, height))
        paying = payments_part(self.words, self.settlement, NARROW_COLUMN)
        lines = max(
            LEAST_NOTE_LINES, int(tables.height(paying[1:], width) / tables.NOTE_LINE_HEIGHT)
        )
        noting = notes_part(self.words, lines, left_width if paying else width)
        return [
            [tables.side_by_side(left, right, NARROW_COLUMN, width)],
            [tables.side_by_side(noting, paying, NARROW_COLUMN, width)] if paying else noting,
        ]

    def _stacked(self, settlement: Settlement, width: float) -> list[list[Flowable]]:
        parts = [
            self._chart(width, LEAST_CHART_HEIGHT),
            settlement_part(self.words, settlement, width),
        ]
        left = width - WIDE_COLUMN - GAP
        paying = payments_part(self.words, settlement, WIDE_COLUMN)
        if not paying:
            return [*parts, notes_part(self.words, LEAST_NOTE_LINES, width)]
        if left < LEAST_CHART_WIDTH:
            paying = payments_part(self.words, settlement, width)
            return [*parts, paying, notes_part(self.words, LEAST_NOTE_LINES, width)]
        noting = notes_part(self.words, LEAST_NOTE_LINES, left)
        return [*parts, [tables.side_by_side(noting, paying, WIDE_COLUMN, width)]]

    def _chart(self, width: float, height: float) -> list[Flowable]:
        """Return the chart; nothing before the first round that counts."""
        if not self.words.game.sheet.counted:
            return []
        return [
            tables.heading(self.words.lang("paper.chart")),
            Chart(self.words, width, height),
        ]

    def _signatures(self) -> Iterator[Flowable]:
        """Yield the signatures and the QR code of the live page."""
        width = self.page_format.width
        yield tables.signatures(self.words.sides, width)
        if self.address and len(self.address) <= MAX_ADDRESS_LENGTH:
            yield Spacer(0, 3 * mm)
            yield qr_code(self.words, self.address, width)


def render_all(sheets: Sequence[ScoreSheet], on_start: Callable[[int], None]) -> bytes:
    """Return several sheets as one PDF file, each with its own page numbers."""
    register_fonts()
    lang = sheets[0].words.lang
    return build_parts(
        [(sheet.header_footer, sheet.story()) for sheet in sheets],
        title=lang("paper.title"),
        subject=lang("paper.subject"),
        language=lang.code,
        on_start=on_start,
    )


def gap() -> Spacer:
    return Spacer(0, 4 * mm)


def settlement_part(words: Words, settlement: Settlement, width: float) -> list[Flowable]:
    """Return the table of the settlement and how to check it."""
    return [
        tables.heading(words.lang(f"paper.settlement.{settlement.mode}")),
        settlement_table(words, settlement, width),
        Spacer(0, 1.4 * mm),
        tables.small_print(
            [line for line in (words.check_line(settlement), words.stake_line()) if line], width
        ),
    ]


def payments_part(words: Words, settlement: Settlement, width: float) -> list[Flowable]:
    """Return the table of payments; nothing where points are worth no money."""
    if settlement.transfers is None:
        return []
    return [
        tables.heading(words.lang("paper.payments")),
        payments_table(words, settlement.transfers, width),
    ]


def notes_part(words: Words, lines: int, width: float) -> list[Flowable]:
    """Return empty lines under a heading."""
    return [tables.heading(words.lang("paper.remarks")), tables.note_lines(lines, width)]
