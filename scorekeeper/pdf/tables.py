"""The tables of the score sheet. All cells are plain strings: nothing is read as mark-up.

A cell that needs more room than its column, such as a total below two columns, simply
reaches into the empty one beside it; so no table needs spans, which cost time.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

from reportlab.lib.colors import Color, black
from reportlab.lib.units import mm
from reportlab.platypus import Flowable, Table

from scorekeeper.domain.settlement import Settlement, Transfer
from scorekeeper.domain.sheet import Row
from scorekeeper.pdf.layout import (
    HAIR,
    LARGE,
    NO_BREAK,
    SMALL,
    TEXT,
    THICK,
    THIN,
    shortened,
    widest,
    width,
    wrap,
)
from scorekeeper.pdf.words import Words

Command = tuple[Any, ...]
ALL = ((0, 0), (-1, -1))
GREY = Color(0.6, 0.6, 0.6)
"""For rules alone: whatever is read is black."""
LEADING = 1.25
PAD = 1.6 * mm


def font(start: tuple[int, int], end: tuple[int, int], face: str, size: float) -> Command:
    """The command that sets cells in a face."""
    return ("FONT", start, end, face, size, size * LEADING)


def bare(pad: float = 0) -> list[Command]:
    """Cells in the middle of their row, with room at their sides alone."""
    return [
        ("LEFTPADDING", *ALL, pad),
        ("RIGHTPADDING", *ALL, pad),
        ("TOPPADDING", *ALL, 0),
        ("BOTTOMPADDING", *ALL, 0),
        ("VALIGN", *ALL, "MIDDLE"),
        font(*ALL, "Sans", SMALL),
    ]


def high(text: str, size: float) -> float:
    """How high a text of one or more lines stands."""
    return (text.count("\n") + 1) * size * LEADING


# ---- lines of text ---------------------------------------------------------------------


def heading(text: str) -> Table:
    """A heading within a sheet."""
    style = [*bare(), font(*ALL, "Serif-Bold", 11), ("VALIGN", *ALL, "TOP")]
    return Table([[text]], colWidths=[None], rowHeights=[6.2 * mm], hAlign="LEFT", style=style)


def small_print(texts: Sequence[str], room: float) -> Table:
    """Sentences in small print; they may break between lines from sheet to sheet."""
    lines = [[line] for text in texts for line in wrap(text, "Sans", SMALL, room).split("\n")]
    return Table(lines, colWidths=[room], rowHeights=SMALL * LEADING, style=bare())


def facts_table(
    short: Sequence[tuple[str, str]], long: Sequence[tuple[str, str]], room: float
) -> Table:
    """The head: short facts in two columns, long ones over the whole width."""
    cells = list(zip(short[::2], [*short[1::2], ("", "")], strict=False))
    labels = [label for label, _ in chain(short[::2], long)]
    right_labels = [label for label, _ in short[1::2]]
    first = widest(labels, "Sans", TEXT) + 4 * mm
    third = widest(right_labels, "Sans", TEXT) + 4 * mm
    values = (room - first - third) / 2
    data = [
        [label, wrap(value, "Sans", TEXT, values - 4 * mm),
         other, wrap(its, "Sans", TEXT, values)]
        for (label, value), (other, its) in cells
    ]  # fmt: skip
    data += [[label, wrap(value, "Sans", TEXT, room - first), "", ""] for label, value in long]
    heights = [max(high(cell, TEXT) for cell in row) + 0.6 * mm for row in data]
    style = [*bare(), font(*ALL, "Sans", TEXT), ("VALIGN", *ALL, "TOP")]
    return Table(data, colWidths=[first, values, third, values], rowHeights=heights, style=style)


# ---- the rounds ------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class Columns:
    """How wide the columns of the rounds are, and how large their numbers."""

    size: float
    pad: float
    number: float
    dealer: float
    points: float
    running: float
    """0 where there is no room for two columns a player: the total stands below the points."""
    mark: float

    @property
    def each(self) -> int:
        """Columns that a player has."""
        return 2 if self.running else 1

    @property
    def mark_pad(self) -> float:
        return max(self.pad, 3.5)

    @property
    def mark_room(self) -> float:
        return self.mark - 2 * self.mark_pad

    @property
    def head(self) -> float:
        """The size of the names above."""
        return LARGE if self.running else SMALL

    @property
    def room(self) -> float:
        """For what stands over all columns of a player."""
        return self.points + self.running - 2 * self.pad

    def widths(self, sides: int) -> list[float]:
        own = [self.points, self.running][: self.each]
        return [self.number, self.dealer, *own * sides, self.mark]


STEPS = (
    (11, 4.5, 20 * mm),
    (11, 4.5, 14.5 * mm),
    (11, 4.5, 0),
    (11, 3, 0),
    (11, 2.2, 0),
    (10, 2.2, 0),
    (SMALL, 1.7, 0),
)
"""Size of the numbers, room at their sides, least width: the first that leaves room is taken."""
TOTALS = (14, 12.5, 11, 9.5)
"""Sizes of the totals."""
MARK_ROOM = 36 * mm


def columns(words: Words, room: float) -> Columns:
    """The widest columns that leave room for the remarks."""
    wanted = min(MARK_ROOM, 0.22 * room)
    for shape in chain(_shapes(words, room, below=False), _shapes(words, room, below=True)):
        if shape.mark >= wanted:
            break
    if shape.running or shape.mark <= wanted:
        return shape
    spare = (shape.mark - wanted) / len(words.sides)  # narrow columns: names need it more
    return replace(shape, points=shape.points + spare, mark=wanted)


def _shapes(words: Words, room: float, *, below: bool) -> Iterator[Columns]:
    """Columns from wide to narrow; ``below`` for totals that stand below the points."""
    rows, sides = words.game.sheet.rows, range(len(words.sides))
    points = {words.points(row, side) for row in rows for side in sides}
    running = {words.running(row, side) for row in rows for side in sides}
    names = widest(words.players, "Sans", SMALL)
    number, dealer, point, stand = (
        width(words.lang(f"paper.{head}"), "Sans", SMALL)
        for head in ("number", "dealer", "round", "running")
    )
    sums = dict(words.tally_lines())
    totals = widest(chain.from_iterable(sums.values()), "Serif-Bold", TOTALS[-1])
    labels = widest([*sums, words.lang("paper.rank"), words.won()[0]], "Sans", SMALL)
    most = (20 if room / len(sides) > 40 * mm else 12) * mm
    for size, pad, least in STEPS[4:] if below else STEPS:
        one = max(number, width(str(len(rows)), "Sans", SMALL)) + 2 * pad
        two = max(dealer, min(names, most), labels - one) + 2 * pad
        three = max(least, max(point, widest(points, "Serif", size)) + 2 * pad)
        four = max(least, max(stand, widest(running, "Serif", size)) + 2 * pad)
        if below:
            three, four = max(three, four, totals + 2 * pad), 0
        rest = room - one - two - len(sides) * (three + four)
        yield Columns(
            size=size, pad=pad, number=one, dealer=two, points=three, running=four, mark=rest
        )


class Struck(Flowable):  # type: ignore[misc]  # reportlab has no types
    """A number with a line through it, as on paper."""

    def __init__(self, text: str, size: float) -> None:
        super().__init__()
        self.text, self.size = text, size

    def wrap(self, room: float, height: float) -> tuple[float, float]:
        self.width = room
        return room, self.size

    def draw(self) -> None:
        self.canv.setFont("Serif", self.size)
        self.canv.drawRightString(self.width, 0.15 * self.size, self.text)
        self.canv.setLineWidth(THIN)
        left = self.width - width(self.text, "Serif", self.size)
        self.canv.line(left - 1, 0.42 * self.size, self.width + 1, 0.42 * self.size)


def rounds_table(words: Words, shape: Columns) -> Table:
    """Every round with its dealer, points, running totals and remark, then what they come to."""
    sides = len(words.sides)
    dealers = shortened(words.players, "Sans", SMALL, shape.dealer - 2 * shape.pad)
    winners = shortened(words.sides, "Sans", SMALL, shape.mark_room - SMALL)

    def line(row: Row) -> list[object]:
        cells = [cell for side in range(sides) for cell in _cells(words, shape, row, side)]
        remark = wrap(words.mark(row, winners), "Sans", SMALL, shape.mark_room)
        return [str(row.number), dealers[row.dealer], *cells, remark]

    heads = list(_heads(words, shape))
    lines = [line(row) for row in words.game.sheet.rows]
    sums = list(_sums(words, shape))
    least = 6.3 * mm if shape.running else 2 * shape.size * LEADING + 1.4 * mm
    heights = [
        *(6.4 * mm, 4.6 * mm if shape.running else 8.6 * mm),
        *(max(least, high(str(cells[-1]), SMALL) + 1.4 * mm) for cells in lines),
        *(max(lowest, high(cells[-1], SMALL) + 1 * mm) for lowest, cells in sums),
    ]
    data = [*heads, *lines, *(cells for _, cells in sums)]
    return Table(
        data,
        colWidths=shape.widths(sides),
        rowHeights=heights,
        repeatRows=2,
        style=[
            *_rounds_style(shape, sides, len(lines)),
            font(
                (2, 2 + len(lines)), (-2, 2 + len(lines)), "Serif-Bold", _total_size(words, shape)
            ),
            *(
                font((at, -2), (at, -2), "Sans-Bold", TEXT)
                for side in words.game.sheet.leaders
                for at in [1 + shape.each * (side + 1)]
            ),
        ],
    )


def _total_size(words: Words, shape: Columns) -> float:
    _, totals = next(words.tally_lines())
    return next(
        (size for size in TOTALS if widest(totals, "Serif-Bold", size) <= shape.room), TOTALS[-1]
    )


def _cells(words: Words, shape: Columns, row: Row, side: int) -> list[object]:
    """What a player got in a round and where he stood then, beside or below each other."""
    points, running = words.points(row, side), words.running(row, side)
    if row.struck_at is not None and points:
        return [Struck(points, shape.size), ""][: shape.each]
    return [points, running] if shape.running else [f"{points}\n{running}" if running else points]


def _heads(words: Words, shape: Columns) -> Iterator[list[str]]:
    more = [""] * (shape.each - 1)
    names = shortened(words.sides, "Sans-Bold", shape.head, shape.room)
    yield ["", "", *chain.from_iterable((name, *more) for name in names), ""]
    number, dealer, points, running, mark = (
        words.lang(f"paper.{head}") for head in ("number", "dealer", "round", "running", "mark")
    )
    own = [points, running] if shape.running else [f"{points}\n{running}"]
    yield [number, dealer, *own * len(names), mark]


def _sums(words: Words, shape: Columns) -> Iterator[tuple[float, list[str]]]:
    """Least height and cells of the lines below the rounds."""
    more = [""] * (shape.each - 1)

    def line(label: str, numbers: Sequence[str], remark: str = "") -> list[str]:
        own = chain.from_iterable((*more, number) for number in numbers)
        return [label, "", *own, wrap(remark, "Sans", SMALL, shape.mark_room)]

    (first, totals), *others = words.tally_lines()
    yield 8.5 * mm, line(first, totals, words.direction())
    for label, numbers in others:
        yield 5.6 * mm, line(label, numbers)
    yield 5.6 * mm, line(words.lang("paper.rank"), words.ranks(), words.ending())
    yield 5.6 * mm, line(*words.won())


def _rounds_style(shape: Columns, sides: int, rounds: int) -> list[Command]:
    total = 2 + rounds
    points = [2 + shape.each * side for side in range(sides)]
    last = 2 + shape.each * sides
    between = [at + 1 for at in points] if shape.running else []
    return [
        *bare(shape.pad),
        font((2, 0), (last - 1, 0), "Sans-Bold", shape.head),
        font((2, 2), (last - 1, total - 1), "Serif", shape.size),
        font((2, total + 1), (last - 1, -1), "Sans", TEXT),
        ("LEFTPADDING", (last, 0), (last, -1), shape.mark_pad),
        ("ALIGN", (2, 1), (last - 1, -1), "RIGHT"),
        ("VALIGN", (0, 0), (-1, 1), "BOTTOM"),
        ("BOTTOMPADDING", (0, 0), (-1, 1), 2),
        ("LINEBELOW", (0, 2), (-1, -2), HAIR, GREY),
        ("LINEBELOW", (0, "splitlast"), (-1, "splitlast"), THICK, black),
        ("LINEBEFORE", (1, 0), (1, total - 1), HAIR, GREY),
        *(("LINEBEFORE", (at, 1), (at, total - 1), HAIR, GREY) for at in between),
        *(("LINEBEFORE", (at, 0), (at, -1), THIN, black) for at in (*points, last)),
        ("LINEABOVE", (0, 0), (-1, 0), THICK, black),
        ("LINEBELOW", (0, 1), (-1, 1), THICK, black),
        ("LINEABOVE", (0, total), (-1, total), THICK, black),
        ("LINEBELOW", (0, -1), (-1, -1), THICK, black),
        # The totals never stand alone at the head of a sheet.
        ("NOSPLIT", (0, max(2, total - 2)), (0, -1)),
    ]


# ---- the settlement --------------------------------------------------------------------


@dataclass(frozen=True)
class Kind:
    """How a line of the settlement looks: its face, its height, whether a rule is above it."""

    face: str
    size: float
    height: float
    ruled: bool = True


KINDS = {
    "head": Kind("Sans-Bold", 10, 6.6 * mm),
    "name": Kind("Sans", SMALL, 4.6 * mm),
    "points": Kind("Serif", 11, 5.4 * mm, ruled=False),
    "sum": Kind("Serif-Bold", 12.5, 8 * mm),
    "check": Kind("Sans", SMALL, 5 * mm),
    "stake": Kind("Serif", 11, 5.4 * mm, ruled=False),
    "exact": Kind("Sans", SMALL, 5 * mm),
    "money": Kind("Serif-Bold", 12, 7.6 * mm),
}
Lines = list[tuple[Kind, list[str]]]
NARROW, WIDE, GAP = 84 * mm, 104 * mm, 8 * mm


def settlement_lines(words: Words, settlement: Settlement, room: float) -> Lines:
    """The table of [001] §6: a column a player, a line an opponent, the sum, the money."""
    lines = [(KINDS["head"], shortened(words.sides, "Sans-Bold", KINDS["head"].size, room))]
    lines += _pair_lines(words, settlement, room)
    if settlement.balances is not None:
        lines.append((KINDS["sum"], [words.signed(points) for points in settlement.balances]))
    if settlement.pairs and settlement.always_present:
        lines.append((KINDS["check"], list(words.checks(settlement))))
    if settlement.stakes and any(settlement.stakes):
        label = [words.lang("paper.table_stake")] * len(settlement.stakes)
        lines.append((KINDS["name"], label))
        lines.append((KINDS["stake"], words.stakes(settlement)))
    exact, payable = settlement.amounts, settlement.payable_amounts
    if exact is not None and payable is not None:
        if exact != payable:
            lines.append((KINDS["exact"], words.exactly(exact)))
        lines.append((KINDS["money"], [words.money(amount, signed=True) for amount in payable]))
    return lines


def _pair_lines(words: Words, settlement: Settlement, room: float) -> Lines:
    if settlement.pairs is None:
        return []
    names = shortened(words.sides, "Sans", SMALL, room)
    lines: Lines = []
    for nth in range(len(names) - 1):
        # The nth opponent of each: all but oneself, in the order of the seats.
        others = [nth if nth < own else nth + 1 for own in range(len(names))]
        lines.append((KINDS["name"], [names[other] for other in others]))
        points = [settlement.pairs[own][other] or 0 for own, other in enumerate(others)]
        lines.append((KINDS["points"], [words.signed(number) for number in points]))
    return lines


def fits_narrow(words: Words, settlement: Settlement) -> bool:
    """Whether the settlement may stand beside the payments, or needs the whole width."""
    room = NARROW / len(words.sides) - 2 * PAD
    return len(words.sides) <= 4 and all(
        widest(_lines_of(kind, texts), kind.face, kind.size) <= room
        for kind, texts in settlement_lines(words, settlement, room)
    )


def _lines_of(kind: Kind, texts: Sequence[str]) -> Iterator[str]:
    """What must fit on one line: an exact amount may take two."""
    for text in texts:
        yield from text.split(" ") if kind is KINDS["exact"] else [text]


def settlement_table(words: Words, settlement: Settlement, whole: float) -> Table:
    """The settlement at its width; what is too wide even in small print takes two lines."""
    sides = len(words.sides)
    room = whole / sides - 2 * PAD
    lines = settlement_lines(words, settlement, room)
    data, heights = [], []
    style = [*bare(PAD), ("ALIGN", *ALL, "RIGHT"), ("LINEBEFORE", (1, 0), (-1, -1), HAIR, GREY)]
    for at, (kind, texts) in enumerate(lines):
        size = next(
            (size for size in (kind.size, 10.5) if widest(texts, kind.face, size) <= room), SMALL
        )
        cells = [wrap(text.replace(NO_BREAK, " "), kind.face, size, room) for text in texts]
        data.append(cells)
        heights.append(kind.height + max(high(cell, size) for cell in cells) - high("", size))
        style += [font((0, at), (-1, at), kind.face, size)]
        if kind.ruled:
            style += [("LINEABOVE", (0, at), (-1, at), HAIR, GREY)]
    totals = [at for at, (kind, _) in enumerate(lines) if kind is KINDS["sum"]]
    style += [("LINEABOVE", (0, at), (-1, at), THICK, black) for at in (0, 1, *totals)]
    style += [("LINEBELOW", (0, -1), (-1, -1), THICK, black)]
    return Table(data, colWidths=[whole / sides] * sides, rowHeights=heights, style=style)


# ---- payments, notes, signatures -------------------------------------------------------

BOX, TICKED = "\u2610", "\u2611"
BOX_ROOM = 8 * mm


def payments_table(words: Words, transfers: Sequence[Transfer], room: float) -> Table:
    """A box, who pays whom, how much; ticked where paid, with the time below."""
    if not transfers:
        return small_print([words.lang("paper.nobody_pays")], room)
    amounts = [words.money(transfer.amount) for transfer in transfers]
    size = next((size for size in (12.5, 10) if widest(amounts, "Serif-Bold", size) < room / 3), 9)
    last = min(widest(amounts, "Serif-Bold", size), room / 3)
    middle = room - BOX_ROOM - last
    data: list[list[str]] = []
    heights: list[float] = []
    style = [
        *bare(),
        font((0, 0), (0, -1), "Sans", 16),
        font((1, 0), (1, -1), "Sans", LARGE),
        font((2, 0), (2, -1), "Serif-Bold", size),
        ("ALIGN", (2, 0), (2, -1), "RIGHT"),
    ]
    for transfer, amount in zip(transfers, amounts, strict=True):
        cell = wrap(amount.replace(NO_BREAK, " "), "Serif-Bold", size, last)
        paid = words.paid(transfer)
        data.append([TICKED if paid else BOX, _payment(words, transfer, middle - PAD), cell])
        heights.append(6.6 * mm + high(cell, size) - high("", size))
        if paid:
            data.append(["", paid, ""])
            heights.append(5 * mm)
            style.append(font((1, len(data) - 1), (1, len(data) - 1), "Sans", SMALL))
        style.append(("LINEBELOW", (0, len(data) - 1), (-1, len(data) - 1), HAIR, GREY))
    return Table(data, colWidths=[BOX_ROOM, middle, last], rowHeights=heights, style=style)


def _payment(words: Words, transfer: Transfer, room: float) -> str:
    """Who pays whom; the longer name gets the room that the shorter one leaves."""
    between = width(words.lang("paper.pays", payer="", payee=""), "Sans", LARGE)
    both = room - between
    payer, payee = (
        width(words.sides[side], "Sans", LARGE) for side in (transfer.payer, transfer.payee)
    )
    names = [
        shortened(words.sides, "Sans", LARGE, max(both / 2, both - other))
        for other in (payee, payer)
    ]
    return words.lang("paper.pays", payer=names[0][transfer.payer], payee=names[1][transfer.payee])


LINE = 7 * mm


def note_lines(number: int, room: float) -> Table:
    """Empty lines for the pencil."""
    style = [*bare(), ("LINEBELOW", *ALL, HAIR, GREY)]
    return Table([[""]] * number, colWidths=[room], rowHeights=[LINE] * number, style=style)


def signatures(signing: Sequence[str], whole: float) -> Table:
    """A line for each to sign on, with room above it."""
    across = len(signing) if len(signing) <= 4 else 3
    gap = 6 * mm
    room = (whole - (across - 1) * gap) / across
    names = shortened(signing, "Sans", SMALL, room)
    data: list[list[str]] = []
    style = bare()
    for first in range(0, len(names), across):
        line = names[first : first + across]
        data += [[""], [cell for name in line for cell in (name, "")]]
        row = len(data) - 1
        style += [
            ("LINEABOVE", (2 * at, row), (2 * at, row), THIN, black) for at in range(len(line))
        ]
    return Table(
        data,
        colWidths=[room, gap] * across,
        rowHeights=[8.4 * mm, 5 * mm] * (len(data) // 2),
        style=style,
        hAlign="LEFT",
    )


def beside(left: Sequence[Flowable], right: Sequence[Flowable], room: float, whole: float) -> Table:
    """Two stacks of parts side by side; ``room`` is for the right one."""
    style = [*bare(), ("VALIGN", *ALL, "TOP")]
    return Table([[left, right]], colWidths=[whole - room, room], style=style)


def height(parts: Iterable[Flowable], room: float) -> float:
    """How high several parts stand above each other."""
    return sum(float(part.wrap(room, ENDLESS)[1]) for part in parts)


ENDLESS = 10_000.0
