"""The settlement on paper: what everybody receives or pays, and the payments to tick."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

from reportlab.lib.colors import black
from reportlab.lib.units import mm
from reportlab.platypus import Table

from scorekeeper.domain.game.state import Payment
from scorekeeper.domain.money.settlement import Settlement
from scorekeeper.i18n.formats import NBSP
from scorekeeper.pdf.density import ROOMY, Density
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
    truncate_names,
    wrap_text,
)
from scorekeeper.pdf.tables import ALL, GREY, PAD, cell_style, font, small_print, text_height
from scorekeeper.wording.finale import Finale
from scorekeeper.wording.sheet import Words


@dataclass(frozen=True)
class RowStyle:
    """The look of a row of the settlement; ``ruled`` draws a line above it."""

    face: str
    size: float
    height: float
    ruled: bool = True


ROW_STYLES = {
    "head": RowStyle("Sans-Bold", 10, 6.6 * mm),
    "name": RowStyle("Sans", SMALL, 4.6 * mm),
    "points": RowStyle("Serif", 11, 5.4 * mm, ruled=False),
    "sum": RowStyle("Serif-Bold", 12.5, 8 * mm),
    "check": RowStyle("Sans", SMALL, 5 * mm),
    "stake": RowStyle("Serif", 11, 5.4 * mm, ruled=False),
    "exact": RowStyle("Sans", SMALL, 5 * mm),
    "money": RowStyle("Serif-Bold", 12, 7.6 * mm),
}
Rows = list[tuple[RowStyle, list[str]]]
WIDE_COLUMN, GAP = 104 * mm, 8 * mm
ENDS = ("points", "total")
"""The rows of a reckoning that have a thick line above them."""
SMALLER = 10.5
"""The size of numbers that do not fit in the usual one."""


def settlement_rows(
    words: Words, settlement: Settlement, cell_width: float, density: Density
) -> Rows:
    """Return the rows of [001] §6: one column a player; opponents, sums, money from the top."""
    rows = [
        (
            ROW_STYLES["head"],
            truncate_names(words.sides, "Sans-Bold", ROW_STYLES["head"].size, cell_width),
        )
    ]
    rows += _pair_rows(words, settlement, cell_width)
    if settlement.balances is not None:
        rows.append((ROW_STYLES["sum"], [words.signed(points) for points in settlement.balances]))
    if density.check and settlement.pairs and settlement.always_present:
        rows.append((ROW_STYLES["check"], list(words.checks(settlement))))
    for label, amounts in words.stake_rows(settlement):
        rows.append((ROW_STYLES["name"], [label] * len(amounts)))
        rows.append((ROW_STYLES["stake"], amounts))
    if settlement.payable_amounts is not None:
        if amounts := exact_amounts(words, settlement, cell_width, density):
            rows.append((ROW_STYLES["exact"], amounts))
        rows.append((ROW_STYLES["money"], _money_cells(words, settlement, cell_width)))
    return rows


def exact_amounts(
    words: Words, settlement: Settlement, cell_width: float, density: Density
) -> list[str]:
    """Return the amounts before they were rounded to payable ones, if they were.

    Where parts stand closer, fractions as long as 1093/700 are left out rather than broken: the
    balances and the stake say the same.
    """
    if settlement.amounts is None or settlement.amounts == settlement.payable_amounts:
        return []
    bare = density.running_text and not has_units(words, settlement, cell_width)
    amounts = words.exactly(settlement.amounts, bare=bare)
    parts = chain.from_iterable(text.split(" ") for text in amounts)
    is_broken = max_text_width(parts, ROW_STYLES["exact"].face, SMALL) > cell_width
    return [] if density.running_text and is_broken else amounts


def _money_cells(words: Words, settlement: Settlement, cell_width: float) -> list[str]:
    """Return everyone's money, with its unit where that fits."""
    amounts = settlement.payable_amounts or ()
    if has_units(words, settlement, cell_width):
        return [words.money(amount, signed=True) for amount in amounts]
    return [words.bare_money(amount) for amount in amounts]


def has_units(words: Words, settlement: Settlement, cell_width: float) -> bool:
    """Return whether every amount fits in its cell together with its unit."""
    amounts = [words.money(amount, signed=True) for amount in settlement.payable_amounts or ()]
    bare = [words.bare_money(amount) for amount in settlement.payable_amounts or ()]
    face = ROW_STYLES["money"].face
    if max_text_width(bare, face, SMALLER) > cell_width:
        return True  # both are too wide, so both are wrapped
    return max_text_width(amounts, face, SMALLER) <= cell_width


def _pair_rows(words: Words, settlement: Settlement, cell_width: float) -> Rows:
    if settlement.pairs is None:
        return []
    names = truncate_names(words.sides, "Sans", SMALL, cell_width)
    rows: Rows = []
    for nth in range(len(names) - 1):
        # Each player's nth opponent in seat order.
        others = [nth if nth < own else nth + 1 for own in range(len(names))]
        rows.append((ROW_STYLES["name"], [names[other] for other in others]))
        points = [settlement.pairs[own][other] or 0 for own, other in enumerate(others)]
        rows.append((ROW_STYLES["points"], [words.signed(number) for number in points]))
    return rows


def fits_narrow(words: Words, settlement: Settlement, density: Density) -> bool:
    """Return whether the settlement fits in a narrow column beside the chart."""
    cell_width = density.column / len(words.sides) - 2 * density.pad
    rows = settlement_rows(words, settlement, cell_width, density)
    return len(words.sides) <= 4 and all(
        max_text_width(_unbreakable(style, texts), style.face, min(style.size, SMALLER))
        <= cell_width
        for style, texts in rows
    )


def _unbreakable(style: RowStyle, texts: Sequence[str]) -> Iterator[str]:
    """Yield the parts of the texts that must fit on one line; an exact amount may take two."""
    for text in texts:
        yield from text.split(" ") if style is ROW_STYLES["exact"] else [text]


def has_cut_names(words: Words, width: float, density: Density) -> bool:
    """Return whether the table of a settlement truncates a name."""
    head = ROW_STYLES["head"]
    cell_width = width / len(words.sides) - 2 * density.pad
    return cuts_names(words.sides, head.face, head.size, cell_width)


def settlement_table(words: Words, settlement: Settlement, width: float, density: Density) -> Table:
    """Return the settlement as a table; amounts too wide even in small print are wrapped."""
    sides = len(words.sides)
    cell_width = width / sides - 2 * density.pad
    rows = settlement_rows(words, settlement, cell_width, density)
    data, heights = [], []
    commands = [
        *cell_style(density.pad),
        ("ALIGN", *ALL, "RIGHT"),
        ("LINEBEFORE", (1, 0), (-1, -1), HAIRLINE, GREY),
    ]
    for at, (style, texts) in enumerate(rows):
        size = largest_size(texts, style.face, (style.size, SMALLER, SMALL), cell_width)
        cells = [wrap_text(text.replace(NBSP, " "), style.face, size, cell_width) for text in texts]
        data.append(cells)
        height = max(style.height * density.settlement, text_height("", size))
        heights.append(
            height + max(text_height(cell, size) for cell in cells) - text_height("", size)
        )
        commands += [font((0, at), (-1, at), style.face, size)]
        if style.ruled:
            commands += [("LINEABOVE", (0, at), (-1, at), HAIRLINE, GREY)]
    totals = [at for at, (style, _) in enumerate(rows) if style is ROW_STYLES["sum"]]
    commands += [("LINEABOVE", (0, at), (-1, at), THICK, black) for at in (0, 1, *totals)]
    commands += [("LINEBELOW", (0, -1), (-1, -1), THICK, black)]
    return Table(data, colWidths=[width / sides] * sides, rowHeights=heights, style=commands)


def _finale_columns(words: Words, finale: Finale, width: float) -> tuple[float, float]:
    """Return the widths of the labels and of each other column of a reckoning."""
    labels = [row.label for row in (*finale.rounds, *finale.rows)]
    first = min(width / 3, max_text_width(labels, "Sans", TEXT) + 2 * PAD)
    return first, (width - first) / (len(words.sides) * (len(finale.heads) or 1))


def finale_cuts_names(words: Words, width: float) -> bool:
    """Return whether the reckoning of a whole game, if there is one, truncates a name."""
    if words.finale is None:
        return False
    _, own = _finale_columns(words, words.finale, width)
    return cuts_names(words.sides, "Sans-Bold", TEXT, own - 2 * PAD)


def finale_table(words: Words, finale: Finale, width: float, density: Density) -> Table:
    """Return the reckoning of a game of gin, or of three: a row for each part, a column a side."""
    games = len(finale.heads) or 1
    rows = [*finale.rounds, *finale.rows]
    first, own = _finale_columns(words, finale, width)
    columns = len(words.sides) * games
    shown = truncate_names(words.sides, "Sans-Bold", TEXT, own - 2 * PAD)
    data = [["", *shown * games]]
    if finale.heads:
        heads = [f"{name}, {state}" for name, state in finale.heads]
        data.insert(0, ["", *(text for head in heads for text in (head, ""))])
    above = len(data)
    data += [[row.label, *row.cells] for row in rows]
    kinds = {row.kind: at for at, row in enumerate(rows, start=above)}
    style = [
        *cell_style(PAD),
        font((0, 0), (-1, -1), "Sans", TEXT),
        font((1, above - 1), (-1, above - 1), "Sans-Bold", TEXT),
        font((1, above), (-1, -1), "Serif", 11),
        ("ALIGN", (1, above - 1), (-1, -1), "RIGHT"),
        ("LINEBELOW", (0, above), (-1, -2), HAIRLINE, GREY),
        *(("LINEABOVE", (0, at), (-1, at), THICK, black) for at in (0, above)),
        ("LINEBELOW", (0, -1), (-1, -1), THICK, black),
        *(
            (
                "LINEBEFORE",
                (at, 0 if at % 2 else above - 1),
                (at, -1),
                THIN if at % 2 else HAIRLINE,
                black,
            )
            for at in range(1, columns + 1)
        ),
        *(("LINEABOVE", (0, kinds[k]), (-1, kinds[k]), THICK, black) for k in ENDS if k in kinds),
    ]
    if "total" in kinds:
        style.append(font((1, kinds["total"]), (-1, kinds["total"]), "Serif-Bold", 12.5))
    heights = [6 * mm * max(density.settlement, 0.9)] * len(data)
    return Table(data, colWidths=[first] + [own] * columns, rowHeights=heights, style=style)


BOX, TICKED = "\u2610", "\u2611"


def payments_table(
    words: Words, payments: Sequence[Payment], width: float, density: Density = ROOMY
) -> Table:
    """Return a row for each payment: a tick box, payer and payee, when it was paid, the amount.

    When it was paid stands below, if it does not fit beside the names.
    """
    if not payments:
        return small_print([words.lang("paper.nobody_pays")], width)
    amounts = [words.money(payment.amount) for payment in payments]
    size = largest_size(amounts, "Serif-Bold", (12.5, 10, SMALL), width / 3)
    last = min(max_text_width(amounts, "Serif-Bold", size), width / 3)
    times = _times_beside(words, payments, width - density.box - last - 2 * PAD)
    third = max_text_width(times, "Sans", SMALL) + 2 * PAD if any(times) else 0
    middle = width - density.box - last - third
    data: list[list[str]] = []
    heights: list[float] = []
    style = [
        *cell_style(),
        font((0, 0), (0, -1), "Sans", 16),
        font((1, 0), (1, -1), "Sans", LARGE),
        font((3, 0), (3, -1), "Serif-Bold", size),
        ("ALIGN", (2, 0), (3, -1), "RIGHT"),
        ("RIGHTPADDING", (2, 0), (2, -1), PAD),
    ]
    for payment, amount, time in zip(payments, amounts, times, strict=True):
        cell = wrap_text(amount.replace(NBSP, " "), "Serif-Bold", size, last)
        paid = words.paid(payment)
        names = _payment(words, payment, middle - PAD)
        data.append([TICKED if paid else BOX, names, time, cell])
        heights.append(density.payment + text_height(cell, size) - text_height("", size))
        if paid and not time and density.paid_below:
            data.append(["", paid, "", ""])
            heights.append(5 * mm)
            style.append(font((1, len(data) - 1), (1, len(data) - 1), "Sans", SMALL))
        style.append(("LINEBELOW", (0, len(data) - 1), (-1, len(data) - 1), HAIRLINE, GREY))
    columns = [density.box, middle, third, last]
    return Table(data, colWidths=columns, rowHeights=heights, style=style)


def _times_beside(words: Words, payments: Sequence[Payment], width: float) -> list[str]:
    """Return when each payment was made, in the longest form that fits beside all names."""
    names = max(
        text_width(
            words.pays(words.sides[payment.payer], words.sides[payment.payee]), "Sans", LARGE
        )
        for payment in payments
    )
    ways = zip(*map(words.ways_paid, payments), strict=True)
    room = width - names - PAD
    fitting = (list(way) for way in ways if 0 < max_text_width(way, "Sans", SMALL) <= room)
    return next(fitting, [""] * len(payments))


def _payment(words: Words, payment: Payment, width: float) -> str:
    """Return who pays whom; a short name leaves the rest of its half to the other one."""
    between = text_width(words.pays("", ""), "Sans", LARGE)
    both = width - between
    payer, payee = (
        text_width(words.sides[side], "Sans", LARGE) for side in (payment.payer, payment.payee)
    )
    names = [
        truncate_names(words.sides, "Sans", LARGE, max(both / 2, both - other))
        for other in (payee, payer)
    ]
    return words.pays(names[0][payment.payer], names[1][payment.payee])
