"""The table of the rounds on a score sheet, with the totals below.

A cell that needs more width than its column, such as a total below two columns, reaches
into the empty cell beside it. Spans would do the same, but reportlab takes long over them.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from reportlab.lib.colors import black
from reportlab.lib.units import mm
from reportlab.platypus import Flowable, Table

from scorekeeper.domain.game.rows import Row
from scorekeeper.pdf.density import Density
from scorekeeper.pdf.layout import (
    HAIRLINE,
    LARGE,
    SMALL,
    TEXT,
    THICK,
    THIN,
    cuts_names,
    largest_size,
    max_text_width,
    text_width,
    truncate,
    truncate_names,
    wrap_text,
)
from scorekeeper.pdf.tables import GREY, LEADING, Command, cell_style, font, text_height
from scorekeeper.wording import pool
from scorekeeper.wording.sheet import Words


@dataclass(frozen=True, kw_only=True)
class ColumnLayout:
    """Widths of the columns, and the font size of their numbers."""

    size: float
    pad: float
    number: float
    dealer: float
    points: float
    running: float
    """0 where players have one column each: the running total then stands below the points."""
    remarks: float

    @property
    def columns_per_player(self) -> int:
        """The number of columns that a player has."""
        return 2 if self.running else 1

    @property
    def remark_pad(self) -> float:
        return max(self.pad, 3.5)

    @property
    def remark_width(self) -> float:
        return self.remarks - 2 * self.remark_pad

    @property
    def dealer_width(self) -> float:
        return self.dealer - 2 * self.pad

    @property
    def winner_width(self) -> float:
        """The width of a name in a remark, which goes on behind it."""
        return self.remark_width - SMALL

    @property
    def head(self) -> float:
        """The font size of the names in the head."""
        return LARGE if self.running else SMALL

    @property
    def player_width(self) -> float:
        """The width available to text that spans the columns of one player."""
        return self.points + self.running - 2 * self.pad

    def widths(self, sides: int) -> list[float]:
        own = [self.points, self.running][: self.columns_per_player]
        return [self.number, self.dealer, *own * sides, self.remarks]


COLUMN_STEPS = (
    (11, 4.5, 20 * mm),
    (11, 4.5, 14.5 * mm),
    (11, 4.5, 0),
    (11, 3, 0),
    (11, 2.2, 0),
    (10, 2.2, 0),
    (SMALL, 1.7, 0),
)
"""Font size, side padding and least column width, from the widest to the narrowest."""
TOTALS = (14, 12.5, 11, 9.5)
"""Font sizes of the totals."""
REMARKS_WIDTH = 36 * mm
LEAST_REMARKS = 14 * mm
"""The players' columns become narrower than their numbers ask for, rather than the remarks."""


def columns_of(words: Words, width: float, density: Density) -> tuple[ColumnLayout, Density]:
    """Return the columns that fit; they have no names of their own where remarks need the width."""
    layout = fit_columns(words, width, density)
    if layout.remarks < LEAST_REMARKS:
        density = replace(density, subheads=False)
        layout = fit_columns(words, width, density)
    if layout.remarks < LEAST_REMARKS:
        lacking = (LEAST_REMARKS - layout.remarks) / len(words.sides)
        layout = replace(layout, points=layout.points - lacking, remarks=LEAST_REMARKS)
    return layout, density


def has_cut_names(words: Words, layout: ColumnLayout) -> bool:
    """Return whether the table truncates a name."""
    return (
        cuts_names(words.players, "Sans", SMALL, layout.dealer_width)
        or cuts_names(words.sides, "Sans", SMALL, layout.winner_width)
        or cuts_names(words.sides, "Sans-Bold", layout.head, layout.player_width)
    )


def fit_columns(words: Words, width: float, density: Density) -> ColumnLayout:
    """Return the widest columns that leave enough width for the remarks."""
    wanted = min(REMARKS_WIDTH, density.remarks * width)
    ways = (_layouts(words, width, density, below=below) for below in (False, True))
    for layout in chain.from_iterable(ways):
        if layout.remarks >= wanted:
            break
    if layout.running or layout.remarks <= wanted:
        return layout
    spare = (layout.remarks - wanted) / len(words.sides)  # narrow columns: names need it more
    return replace(layout, points=layout.points + spare, remarks=wanted)


def _layouts(
    words: Words, width: float, density: Density, *, below: bool
) -> Iterator[ColumnLayout]:
    """Yield layouts from wide to narrow; ``below`` puts running totals below the points."""
    rows, sides = words.game.sheet.rows, range(len(words.sides))
    points = {words.points(row, side) for row in rows for side in sides}
    running = {words.running(row, side) for row in rows for side in sides}
    names = max_text_width(words.players, "Sans", SMALL)
    number, dealer, point, stand = (
        text_width(words.lang(f"paper.{head}"), "Sans", SMALL)
        for head in ("number", "dealer", "round", "running")
    )
    if not density.subheads:
        point = stand = 0
    sums = dict(words.tally_lines())
    totals = max(
        max_text_width(chain.from_iterable(sums.values()), "Serif-Bold", TOTALS[-1]),
        max_text_width(words.ranks(), "Sans-Bold", TEXT),
    )
    others = [label for label, _ in words.other_lines()]
    labels = max_text_width([*sums, words.lang("paper.rank"), *others], "Sans", SMALL)
    most = (20 if width / len(sides) > 40 * mm else 12) * mm
    for size, pad, least in COLUMN_STEPS[4:] if below else COLUMN_STEPS:
        one = max(number, text_width(str(len(rows)), "Sans", SMALL)) + 2 * pad
        two = max(dealer, min(names, most), labels - one) + 2 * pad
        three = max(least, max(point, max_text_width(points, "Serif", size)) + 2 * pad)
        four = max(least, max(stand, max_text_width(running, "Serif", size)) + 2 * pad)
        if below:
            three, four = max(three, four, totals + 2 * pad), 0
        rest = width - one - two - len(sides) * (three + four)
        yield ColumnLayout(
            size=size, pad=pad, number=one, dealer=two, points=three, running=four, remarks=rest
        )


class Written(Flowable):  # type: ignore[misc]  # reportlab has no types
    """A name or a number, perhaps with a line through it, as on paper."""

    def __init__(
        self,
        text: str,
        size: float,
        face: str = "Serif",
        *,
        left: bool = False,
        struck: bool = True,
    ) -> None:
        super().__init__()
        self.text, self.size, self.face = text, size, face
        self.left, self.struck = left, struck

    def wrap(self, available_width: float, available_height: float) -> tuple[float, float]:
        self.width = available_width
        return available_width, self.size * (1 if self.struck else LEADING)

    def draw(self) -> None:
        wide = text_width(self.text, self.face, self.size)
        begin = 0 if self.left else self.width - wide
        self.canv.setFont(self.face, self.size)
        self.canv.drawString(begin, 0.15 * self.size, self.text)
        if self.struck:
            self.canv.setLineWidth(THIN)
            self.canv.line(begin - 1, 0.42 * self.size, begin + wide + 1, 0.42 * self.size)


def rounds_table(words: Words, layout: ColumnLayout, density: Density) -> Table:
    """Return every round with dealer, points, running totals and remark, then the totals."""
    sides = len(words.sides)
    dealers = truncate_names(words.players, "Sans", SMALL, layout.dealer_width)
    winners = truncate_names(words.sides, "Sans", SMALL, layout.winner_width)

    def line(row: Row) -> list[object]:
        cells = [cell for side in range(sides) for cell in _cells(words, layout, row, side)]
        remark = wrap_text(words.mark(row, winners), "Sans", SMALL, layout.remark_width)
        return [str(row.number), dealers[row.dealer], *cells, remark]

    heads = list(_heads(words, layout, density))
    lines = [line(row) for row in words.game.sheet.rows]
    sums = list(_sums(words, layout, density))
    air = 1.4 * mm if density.subheads else 0.6 * mm
    least = density.row if layout.running else 2 * layout.size * LEADING + air
    heights = [
        *(6.4 * mm, 4.6 * mm if layout.running else 8.6 * mm)[: len(heads)],
        *(max(least, text_height(str(cells[-1]), SMALL) + air) for cells in lines),
        *(max(lowest, text_height(str(cells[-1]), SMALL) + air) for lowest, cells in sums),
    ]
    total = len(heads) + len(lines)
    ranks = total + len(list(words.tally_lines()))
    data = [*heads, *lines, *(cells for _, cells in sums)]
    return Table(
        data,
        colWidths=layout.widths(sides),
        rowHeights=heights,
        repeatRows=len(heads),
        style=[
            *_rounds_style(layout, sides, len(heads), len(lines)),
            font((2, total), (-2, total), "Serif-Bold", _total_size(words, layout)),
            *(
                font((at, ranks), (at, ranks), "Sans-Bold", TEXT)
                for side in words.game.sheet.leaders
                for at in [1 + layout.columns_per_player * (side + 1)]
            ),
        ],
    )


def _total_size(words: Words, layout: ColumnLayout) -> float:
    _, totals = next(words.tally_lines())
    return largest_size(totals, "Serif-Bold", TOTALS, layout.player_width)


def _cells(words: Words, layout: ColumnLayout, row: Row, side: int) -> list[object]:
    """Return a player's points and running total, side by side or one below the other."""
    points, running = words.points(row, side), words.running(row, side)
    if row.struck_at is not None and points:
        return [Written(points, layout.size), ""][: layout.columns_per_player]
    if running and pool.fell(row, side):
        struck = Written(running, layout.size)
        if layout.running:
            return [points, struck]
        return [[Written(points, layout.size, struck=False), struck]]
    return [points, running] if layout.running else [f"{points}\n{running}" if running else points]


def _heads(words: Words, layout: ColumnLayout, density: Density) -> Iterator[list[object]]:
    more = [""] * (layout.columns_per_player - 1)
    names: list[object] = [
        Written(name, layout.head, "Sans-Bold", left=True)
        if side in words.game.sheet.standing.out
        else name
        for side, name in enumerate(
            truncate_names(words.sides, "Sans-Bold", layout.head, layout.player_width)
        )
    ]
    of_players = list(chain.from_iterable((name, *more) for name in names))
    number, dealer, points, running, mark = (
        words.lang(f"paper.{head}") for head in ("number", "dealer", "round", "running", "mark")
    )
    mark = truncate(mark, "Sans", SMALL, layout.remarks - layout.remark_pad)
    if not density.subheads:
        yield [number, dealer, *of_players, mark]
        return
    yield ["", "", *of_players, ""]
    own = [points, running] if layout.running else [f"{points}\n{running}"]
    yield [number, dealer, *own * len(names), mark]


def _sums(
    words: Words, layout: ColumnLayout, density: Density
) -> Iterator[tuple[float, list[object]]]:
    """Yield the least height and the cells of each row below the rounds."""
    more = [""] * (layout.columns_per_player - 1)

    def line(label: str, numbers: Sequence[object], remark: str = "") -> list[object]:
        own = chain.from_iterable((*more, number) for number in numbers)
        return [label, "", *own, wrap_text(remark, "Sans", SMALL, layout.remark_width)]

    (first, totals), *others = words.tally_lines()
    size = _total_size(words, layout)
    shown = [
        Written(total, size, "Serif-Bold") if side in words.game.sheet.standing.out else total
        for side, total in enumerate(totals)
    ]
    yield density.total, line(first, shown, words.direction())
    for label, numbers in others:
        yield density.sums, line(label, numbers)
    yield density.sums, line(words.lang("paper.rank"), words.ranks(), words.ending())
    for label, numbers in words.other_lines():
        yield density.sums, line(label, numbers)


def _rounds_style(layout: ColumnLayout, sides: int, heads: int, rounds: int) -> list[Command]:
    first, total = heads, heads + rounds
    points = [2 + layout.columns_per_player * side for side in range(sides)]
    last = 2 + layout.columns_per_player * sides
    between = [at + 1 for at in points] if layout.running else []
    return [
        *cell_style(layout.pad),
        font((2, 0), (last - 1, 0), "Sans-Bold", layout.head),
        font((2, first), (last - 1, total - 1), "Serif", layout.size),
        font((2, total + 1), (last - 1, -1), "Sans", TEXT),
        ("LEFTPADDING", (last, 0), (last, -1), layout.remark_pad),
        ("ALIGN", (2, 1), (last - 1, -1), "RIGHT"),
        ("VALIGN", (0, 0), (-1, first - 1), "BOTTOM"),
        ("BOTTOMPADDING", (0, 0), (-1, first - 1), 2),
        ("LINEBELOW", (0, first), (-1, -2), HAIRLINE, GREY),
        ("LINEBELOW", (0, "splitlast"), (-1, "splitlast"), THICK, black),
        ("LINEBEFORE", (1, 0), (1, total - 1), HAIRLINE, GREY),
        *(("LINEBEFORE", (at, 1), (at, total - 1), HAIRLINE, GREY) for at in between),
        *(("LINEBEFORE", (at, 0), (at, -1), THIN, black) for at in (*points, last)),
        ("LINEABOVE", (0, 0), (-1, 0), THICK, black),
        ("LINEBELOW", (0, first - 1), (-1, first - 1), THICK, black),
        ("LINEABOVE", (0, total), (-1, total), THICK, black),
        ("LINEBELOW", (0, -1), (-1, -1), THICK, black),
        # Keep the last two rounds with the totals when the table breaks across pages.
        ("NOSPLIT", (0, max(first, total - 2)), (0, -1)),
    ]
