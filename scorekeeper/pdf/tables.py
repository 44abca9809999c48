"""The tables of the score sheet. All cells are plain strings: nothing is read as mark-up.

A cell that needs more room than its column, such as a total below two columns, simply
reaches into the empty one beside it; so no table needs spans, which cost time.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

from reportlab.lib.colors import Color, black
from reportlab.lib.units import mm
from reportlab.platypus import Flowable, Table

from scorekeeper.domain.settlement import Settlement, Transfer
from scorekeeper.domain.sheet import Row
from scorekeeper.pdf.layout import (
    HAIR,
    HEIGHT,
    LARGE,
    NO_BREAK,
    SMALL,
    TEXT,
    THICK,
    THIN,
    WIDTH,
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


def facts_table(short: Sequence[tuple[str, str]], long: Sequence[tuple[str, str]]) -> Table:
    """The head: short facts in two columns, long ones over the whole width."""
    cells = list(zip(short[::2], [*short[1::2], ("", "")], strict=False))
    labels = [label for label, _ in chain(short[::2], long)]
    right_labels = [label for label, _ in short[1::2]]
    first = widest(labels, "Sans", TEXT) + 4 * mm
    third = widest(right_labels, "Sans", TEXT) + 4 * mm
    values = (WIDTH - first - third) / 2
    data = [
        [label, wrap(value, "Sans", TEXT, values - 4 * mm),
         other, wrap(its, "Sans", TEXT, values)]
        for (label, value), (other, its) in cells
    ]  # fmt: skip
    data += [[label, wrap(value, "Sans", TEXT, WIDTH - first), "", ""] for label, value in long]
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
    mark: float

    @property
    def mark_pad(self) -> float:
        return max(self.pad, 3.5)

    @property
    def mark_room(self) -> float:
        return self.mark - 2 * self.mark_pad

    def widths(self, sides: int) -> list[float]:
        return [self.number, self.dealer, *[self.points, self.running] * sides, self.mark]


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
MARK_ROOM = 36 * mm


def columns(words: Words) -> Columns:
    """The widest columns that leave room for the remarks."""
    rows, sides = words.game.sheet.rows, range(len(words.sides))
    points = {words.points(row, side) for row in rows for side in sides}
    running = {words.running(row, side) for row in rows for side in sides}
    names = widest(words.players, "Sans", SMALL)
    number, dealer, point, stand = (
        width(words.lang(f"paper.{head}"), "Sans", SMALL)
        for head in ("number", "dealer", "round", "running")
    )
    sums = [label for label, _ in words.tally_lines()]
    labels = widest([*sums, *map(words.lang, ("paper.rank", "paper.won"))], "Sans", SMALL)
    for size, pad, least in STEPS:
        one = max(number, width(str(len(rows)), "Sans", SMALL)) + 2 * pad
        two = max(dealer, min(names, (20 if len(sides) < 5 else 12) * mm), labels - one) + 2 * pad
        three = max(least, max(point, widest(points, "Serif", size)) + 2 * pad)
        four = max(least, max(stand, widest(running, "Serif", size)) + 2 * pad)
        rest = WIDTH - one - two - len(sides) * (three + four)
        if rest >= MARK_ROOM:
            break
    return Columns(
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
        cells: list[object] = [str(row.number), dealers[row.dealer]]
        for side in range(sides):
            points = words.points(row, side)
            struck = row.struck_at is not None and points
            cells += [Struck(points, shape.size) if struck else points, words.running(row, side)]
        return [*cells, wrap(words.mark(row, winners), "Sans", SMALL, shape.mark_room)]

    heads = list(_heads(words, shape))
    lines = [line(row) for row in words.game.sheet.rows]
    sums = list(_sums(words, shape.mark_room))
    heights = [
        *(6.4 * mm, 4.6 * mm),
        *(max(6.6 * mm, high(str(cells[-1]), SMALL) + 1.4 * mm) for cells in lines),
        *(max(least, high(cells[-1], SMALL) + 1 * mm) for least, cells in sums),
    ]
    data = [*heads, *lines, *(cells for _, cells in sums)]
    return Table(
        data,
        colWidths=shape.widths(sides),
        rowHeights=heights,
        repeatRows=2,
        style=[
            *_rounds_style(shape, sides, len(lines)),
            *(
                font((3 + 2 * side, -2), (3 + 2 * side, -2), "Sans-Bold", TEXT)
                for side in words.game.sheet.leaders
            ),
        ],
    )


def _heads(words: Words, shape: Columns) -> Iterator[list[str]]:
    room = shape.points + shape.running - 2 * shape.pad
    names = shortened(words.sides, "Sans-Bold", LARGE, room)
    yield ["", "", *chain.from_iterable((name, "") for name in names), ""]
    number, dealer, points, running, mark = (
        words.lang(f"paper.{head}") for head in ("number", "dealer", "round", "running", "mark")
    )
    yield [number, dealer, *[points, running] * len(names), mark]


def _sums(words: Words, mark_room: float) -> Iterator[tuple[float, list[str]]]:
    """Least height and cells of the lines below the rounds."""

    def line(label: str, numbers: Sequence[str], remark: str = "") -> list[str]:
        pairs = chain.from_iterable(("", number) for number in numbers)
        return [label, "", *pairs, wrap(remark, "Sans", SMALL, mark_room)]

    (first, totals), *others = words.tally_lines()
    yield 8.5 * mm, line(first, totals, words.direction())
    for label, numbers in others:
        yield 5.6 * mm, line(label, numbers)
    yield 5.6 * mm, line(words.lang("paper.rank"), words.ranks(), words.ending())
    yield 5.6 * mm, line(*words.won())


def _rounds_style(shape: Columns, sides: int, rounds: int) -> list[Command]:
    total = 2 + rounds
    points = [2 + 2 * side for side in range(sides)]
    last = 2 + 2 * sides
    return [
        *bare(shape.pad),
        font((2, 0), (last - 1, 0), "Sans-Bold", LARGE),
        font((2, 2), (last - 1, total - 1), "Serif", shape.size),
        font((2, total), (last - 1, total), "Serif-Bold", 14 if shape.pad > 2 else 11),
        font((2, total + 1), (last - 1, -1), "Sans", TEXT),
        ("LEFTPADDING", (last, 0), (last, -1), shape.mark_pad),
        ("ALIGN", (2, 1), (last - 1, -1), "RIGHT"),
        ("VALIGN", (0, 0), (-1, 1), "BOTTOM"),
        ("BOTTOMPADDING", (0, 0), (-1, 1), 2),
        ("LINEBELOW", (0, 2), (-1, -2), HAIR, GREY),
        ("LINEBELOW", (0, "splitlast"), (-1, "splitlast"), THICK, black),
        ("LINEBEFORE", (1, 0), (1, total - 1), HAIR, GREY),
        *(("LINEBEFORE", (at + 1, 1), (at + 1, total - 1), HAIR, GREY) for at in points),
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
    "exact": Kind("Sans", SMALL, 5 * mm),
    "money": Kind("Serif-Bold", 12, 7.6 * mm),
}
Lines = list[tuple[Kind, list[str]]]
NARROW, WIDE, GAP = 84 * mm, 104 * mm, 8 * mm


def settlement_lines(words: Words, settlement: Settlement, room: float) -> Lines:
    """The table of [001] §6: a column a player, a line an opponent, the sum, the money."""
    lines = [(KINDS["head"], shortened(words.sides, "Sans-Bold", KINDS["head"].size, room))]
    lines += _pair_lines(words, settlement, room)
    lines.append((KINDS["sum"], [words.signed(points) for points in settlement.balances]))
    if settlement.pairs and settlement.always_present:
        lines.append((KINDS["check"], list(words.checks(settlement))))
    exact, payable = settlement.amounts, settlement.payable_amounts
    if exact is not None and payable is not None:
        if exact != payable:
            lines.append((KINDS["exact"], [words.exactly(amount) for amount in exact]))
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
        widest(texts, kind.face, kind.size) <= room
        for kind, texts in settlement_lines(words, settlement, room)
    )


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
    total = next(at for at, (kind, _) in enumerate(lines) if kind is KINDS["sum"])
    style += [("LINEABOVE", (0, at), (-1, at), THICK, black) for at in (0, 1, total)]
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


LINE = 7.4 * mm


def note_lines(number: int, room: float) -> Table:
    """Empty lines for the pencil."""
    style = [*bare(), ("LINEBELOW", *ALL, HAIR, GREY)]
    return Table([[""]] * number, colWidths=[room], rowHeights=[LINE] * number, style=style)


def signatures(words: Words) -> Table:
    """A line for each to sign on, with room above it."""
    across = len(words.sides) if len(words.sides) <= 4 else 3
    gap = 6 * mm
    room = (WIDTH - (across - 1) * gap) / across
    names = shortened(words.sides, "Sans", SMALL, room)
    data: list[list[str]] = []
    style = bare()
    for first in range(0, len(names), across):
        signing = names[first : first + across]
        data += [[""], [cell for name in signing for cell in (name, "")]]
        row = len(data) - 1
        style += [
            ("LINEABOVE", (2 * at, row), (2 * at, row), THIN, black) for at in range(len(signing))
        ]
    return Table(
        data,
        colWidths=[room, gap] * across,
        rowHeights=[10 * mm, 5 * mm] * (len(data) // 2),
        style=style,
        hAlign="LEFT",
    )


def beside(left: Sequence[Flowable], right: Sequence[Flowable], room: float) -> Table:
    """Two stacks of parts side by side; ``room`` is for the right one."""
    style = [*bare(), ("VALIGN", *ALL, "TOP")]
    return Table([[left, right]], colWidths=[WIDTH - room, room], style=style)


def height(parts: Iterable[Flowable]) -> float:
    """How high several parts stand above each other."""
    return sum(float(part.wrap(WIDTH, HEIGHT)[1]) for part in parts)
