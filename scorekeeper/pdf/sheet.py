"""The score sheet of one game, from its head to the signatures.

Usually the sheet is laid out as at the left. If fewer pages are enough when the parts move closer,
they do, as in the middle (``density.CLOSE``), but no closer than needed; lines for notes are added
where there is room. If the table of the settlement is too wide, the parts stand below each other,
as at the right.

    beside                      close                       stacked
    summary        | QR code    summary        | QR code    summary        | QR code
    rounds                      rounds                      rounds
    chart          | settlement chart, below   | settlement chart
    notes          | payments     it payments  |            settlement
    signatures                  signatures                  notes          | payments
                                                            signatures
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from reportlab.lib.units import mm
from reportlab.platypus import Flowable, KeepTogether, PageBreak, Spacer

from scorekeeper.domain.money.settlement import Settlement
from scorekeeper.pdf import rounds, tables
from scorekeeper.pdf.chart import Chart
from scorekeeper.pdf.density import CLOSE, ROOMY, Density, spread
from scorekeeper.pdf.details import details
from scorekeeper.pdf.layout import (
    FOOTER_HEIGHT,
    HEADER_HEIGHT,
    HeaderFooter,
    PageFormat,
    build,
    build_parts,
)
from scorekeeper.pdf.qr_code import MAX_ADDRESS_LENGTH, SIZE, QrCode
from scorekeeper.pdf.settlement import (
    GAP,
    WIDE_COLUMN,
    exact_amounts,
    finale_cuts_names,
    finale_table,
    fits_narrow,
    has_cut_names,
    has_units,
    payments_table,
    settlement_table,
)
from scorekeeper.wording.sheet import Words

MAX_ROUNDS_TO_FIT = 40
"""With more rounds, the parts do not move closer."""
CODE_GAP = 4 * mm
"""Between the summary and the code."""
NOTES_HEAD = ROOMY.gap + ROOMY.heading
"""The height that lines for notes need besides themselves."""
Part = list[Flowable]


@dataclass(frozen=True)
class ScoreSheet:
    """The score sheet of a game, laid out on pages of one format."""

    words: Words
    page_format: PageFormat
    head: str | None = None
    address: str | None = None
    detailed: bool = False
    found_at: str = ""

    @property
    def settlement(self) -> Settlement | None:
        return self.words.game.settled

    def print(self) -> bytes:
        """Return the sheet as a PDF file."""
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
        """Yield the parts of the sheet from top to bottom, closer if that saves a page."""
        top, *results = self._laid_out()
        yield from top
        for part in results:
            yield KeepTogether(part)
        if self.detailed:
            yield PageBreak()
            yield from details(self.words, self.page_format.width)

    def _laid_out(self) -> list[Part]:
        """Return the parts as far apart as the fewest pages allow."""
        usual = self._parts(ROOMY)
        most = self._pages(usual)
        if most == 1 or len(self.words.game.sheet.rows) > MAX_ROUNDS_TO_FIT:
            return usual
        close = self._parts(CLOSE)
        fewest = self._pages(close)
        if fewest == most:
            return usual
        if fewest > 1:
            apart = self._parts(spread(1, ROOMY.note_lines))
            return apart if self._pages(apart) == fewest else close
        return self._spread_out(close, most=-self._spare(usual))

    def _spread_out(self, close: list[Part], most: float) -> list[Part]:
        """Return the parts of one page, spread over its height, with lines for notes.

        ``most`` is the height that the page lacks for the usual parts.
        """
        spare = self._spare(close)
        if spare < self._room / 8:  # too little to be missed on the page
            return close
        share = spare / (spare + most)
        apart = self._parts(spread(share))
        left = self._spare(apart)
        lines = min(ROOMY.note_lines, int((left - NOTES_HEAD) // tables.NOTE_LINE_HEIGHT))
        noted = self._parts(spread(share, lines)) if lines > 1 else apart
        return next((parts for parts in (noted, apart) if self._spare(parts) >= 0), close)

    def _pages(self, parts: Sequence[Part]) -> int:
        """Return the number of pages that the parts take; only the first may break across pages."""
        room, (top, *results) = self._room, map(self._height, parts)
        pages, used = 1 + int(top // room), top % room
        for height in results:
            fits = used + height <= room
            pages, used = (pages, used + height) if fits else (pages + 1, height)
        return pages

    def _spare(self, parts: Sequence[Part]) -> float:
        """Return the height that the parts leave of a page; negative if they need more."""
        return self._room - sum(map(self._height, parts))

    @property
    def _room(self) -> float:
        return float(self.page_format.height - HEADER_HEIGHT - FOOTER_HEIGHT)

    def _height(self, part: Part) -> float:
        return float(tables.height(part, self.page_format.width))

    def _parts(self, density: Density) -> list[Part]:
        """Return the part that may break across pages, then those below that stay together."""
        top = list(self._top(density))
        *parts, last = [
            finale_part(self.words, self.page_format.width, density),
            *self._results(density),
        ]
        signing = tables.signatures(self.words.sides, self.page_format.width, density.signature)
        gap = Spacer(0, density.gap)
        return [top, *([gap, *part] for part in parts if part), [gap, *last, signing]]

    def _top(self, density: Density) -> Iterator[Flowable]:
        """Yield the summary, the rounds and the small print."""
        words, width = self.words, self.page_format.width
        layout, density = rounds.columns_of(words, width, density)
        yield self._summary(layout, density)
        yield Spacer(0, density.gap)
        yield rounds.rounds_table(words, layout, density)
        yield Spacer(0, 1.4 * mm)
        notes = list(self._footnotes(density))
        yield tables.small_print([" ".join(notes)] if density.running_text else notes, width)

    def _summary(self, layout: rounds.ColumnLayout, density: Density) -> Flowable:
        """Return the entries at the top, with the code of the evening at the right."""
        words, width = self.words, self.page_format.width
        short = list(words.summary(short_date=density.running_text))
        long = list(self._long_entries(layout, density))
        if not self._code:
            return tables.summary_table(short, long, width)
        column = SIZE + CODE_GAP
        summary = tables.summary_table(short, long, width - column)
        return tables.side_by_side([summary], [self._code], column, width)

    @cached_property
    def _code(self) -> QrCode | None:
        if not self.address or len(self.address) > MAX_ADDRESS_LENGTH:
            return None
        return QrCode(self.address, indent=CODE_GAP)

    def _footnotes(self, density: Density) -> Iterator[str]:
        if not density.subheads:
            yield self.words.lang("paper.columns")
        yield from self.words.footnotes()
        if self._code:
            yield self.words.lang("paper.code", address=self.address)
        if self.found_at:
            yield self.words.lang("paper.found_at", address=self.found_at)

    def _long_entries(
        self, layout: rounds.ColumnLayout, density: Density
    ) -> Iterator[tuple[str, str]]:
        """Yield the house rules, and in full whatever is truncated elsewhere."""
        words = self.words
        if self.header_footer.title_is_cut:
            yield words.lang("paper.evening"), words.title
        if (
            rounds.has_cut_names(words, layout)
            or self._settlement_cuts_names(density)
            or finale_cuts_names(words, self.page_format.width)
        ):
            yield words.lang("paper.players"), words.numbered_names()
        if house_rules := words.house_rules():
            yield words.lang("paper.house_rules"), house_rules

    def _settlement_cuts_names(self, density: Density) -> bool:
        if self.settlement is None:
            return False
        beside = self._is_beside(self.settlement, density)
        width = density.column if beside else self.page_format.width
        return has_cut_names(self.words, width, density)

    def _left_width(self, density: Density) -> float:
        """Return the width of the chart beside the settlement."""
        return float(self.page_format.width - density.column - min(GAP, 2 * density.gap))

    def _is_beside(self, settlement: Settlement, density: Density) -> bool:
        narrow = fits_narrow(self.words, settlement, density)
        return narrow and self._left_width(density) >= density.chart_width

    def _results(self, density: Density) -> list[Part]:
        """Return chart, settlement, payments and notes, side by side where they fit."""
        width = self.page_format.width
        if self.settlement is None:
            chart = self._chart(width, density.chart_height, density)
            return [chart, notes_part(self.words, density.note_lines, width, density)]
        if not self._is_beside(self.settlement, density):
            return self._stacked(self.settlement, width, density)
        left_width = self._left_width(density)
        if density.running_text:
            return self._close(self.settlement, left_width, density)
        return self._beside(self.settlement, left_width, density)

    def _beside(self, settlement: Settlement, left_width: float, density: Density) -> list[Part]:
        """Return chart and settlement side by side, below them the notes and the payments."""
        width, column = self.page_format.width, density.column
        right = settlement_part(self.words, settlement, column, density)
        height = tables.height(right[1:2], width)
        left = self._chart(left_width, max(density.chart_height, height), density)
        paying = payments_part(self.words, settlement, column, density)
        lines = max(
            density.note_lines, int(tables.height(paying[1:], width) / tables.NOTE_LINE_HEIGHT)
        )
        noting = notes_part(self.words, lines, left_width if paying else width, density)
        return [
            [tables.side_by_side(left, right, column, width)],
            [tables.side_by_side(noting, paying, column, width)] if paying else noting,
        ]

    def _close(self, settlement: Settlement, left_width: float, density: Density) -> list[Part]:
        """Return the chart and the payments below it beside the settlement."""
        width, column = self.page_format.width, density.column
        *right, small_print = settlement_part(self.words, settlement, column, density, width)
        paying = payments_part(self.words, settlement, left_width, density)
        room = tables.height(right, width) - tables.height(paying, width) - density.heading
        chart = self._chart(left_width, max(density.chart_height, room), density)
        both = tables.side_by_side([*chart, *paying], right, column, width)
        noting = notes_part(self.words, density.note_lines, width, density)
        return [[both, small_print], noting] if noting else [[both, small_print]]

    def _stacked(self, settlement: Settlement, width: float, density: Density) -> list[Part]:
        lines = density.note_lines
        parts = [
            self._chart(width, density.chart_height, density),
            settlement_part(self.words, settlement, width, density),
        ]
        left = width - WIDE_COLUMN - GAP
        paying = payments_part(self.words, settlement, WIDE_COLUMN, density)
        if not paying:
            return [*parts, notes_part(self.words, lines, width, density)]
        if left < density.chart_width:
            paying = payments_part(self.words, settlement, width, density)
            return [*parts, paying, notes_part(self.words, lines, width, density)]
        beside = int(tables.height(paying[1:], width) / tables.NOTE_LINE_HEIGHT)
        noting = notes_part(self.words, max(lines, beside), left, density)
        return [*parts, [tables.side_by_side(noting, paying, WIDE_COLUMN, width)]]

    def _chart(self, width: float, height: float, density: Density) -> Part:
        """Return the chart; nothing before the first round that counts."""
        if not self.words.game.sheet.counted:
            return []
        return [
            tables.heading(self.words.lang("paper.chart"), density.heading),
            Chart(self.words, width, height),
        ]


def render_all(sheets: Sequence[ScoreSheet], on_start: Callable[[int], None]) -> bytes:
    """Return several sheets as one PDF file, each with its own page numbers."""
    lang = sheets[0].words.lang
    return build_parts(
        [(sheet.header_footer, sheet.story()) for sheet in sheets],
        title=lang("paper.title"),
        subject=lang("paper.subject"),
        language=lang.code,
        on_start=on_start,
    )


def finale_part(words: Words, width: float, density: Density = ROOMY) -> Part:
    """Return the final count of a whole game of gin under a heading; nothing without one."""
    if words.finale is None:
        return []
    key = "pages.finale.games" if words.finale.heads else "pages.finale"
    part = [
        tables.heading(words.lang(key), density.heading),
        finale_table(words, words.finale, width, density),
    ]
    if words.finale.verdict:
        part += [Spacer(0, 1.4 * mm), tables.small_print([words.finale.verdict], width)]
    return part


def settlement_part(
    words: Words,
    settlement: Settlement,
    width: float,
    density: Density = ROOMY,
    print_width: float | None = None,
) -> Part:
    """Return the table of the settlement and how to check it; the last item is small print."""
    lines = [words.check_line(settlement), words.stake_line()]
    cell_width = width / len(words.sides) - 2 * density.pad
    if not has_units(words, settlement, cell_width):
        exact = exact_amounts(words, settlement, cell_width, density)
        lines.append(words.amounts_unit(rounded=bool(density.running_text and exact)))
    return [
        tables.heading(words.lang(f"paper.settlement.{settlement.mode}"), density.heading, width),
        settlement_table(words, settlement, width, density),
        Spacer(0, 1.4 * mm),
        tables.small_print([" ".join(line for line in lines if line)], print_width or width),
    ]


def payments_part(words: Words, settlement: Settlement, width: float, density: Density) -> Part:
    """Return the table of payments; nothing where points are worth no money."""
    if settlement.transfers is None:
        return []
    return [
        tables.heading(words.lang("paper.payments"), density.heading),
        payments_table(words, words.game.payments, width, density),
    ]


def notes_part(words: Words, lines: int, width: float, density: Density) -> Part:
    """Return empty lines under a heading, if there are any."""
    if not lines:
        return []
    heading = tables.heading(words.lang("paper.remarks"), density.heading)
    return [heading, tables.note_lines(lines, width)]
