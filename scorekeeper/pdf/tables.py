"""Building blocks of all documents: headings, small print, note lines, signatures.

All cells are plain strings, so nothing is ever parsed as mark-up.
"""

from collections.abc import Iterable, Sequence
from itertools import chain
from math import ceil
from typing import Any

from reportlab.lib.colors import Color, black
from reportlab.lib.units import mm
from reportlab.platypus import Flowable, Table

from scorekeeper.pdf.density import ROOMY
from scorekeeper.pdf.layout import (
    HAIRLINE,
    SMALL,
    TEXT,
    THIN,
    max_text_width,
    truncate_names,
    wrap_text,
)

Command = tuple[Any, ...]
ALL = ((0, 0), (-1, -1))
GREY = Color(0.6, 0.6, 0.6)
"""For ruled lines only: text is always black."""
LEADING = 1.25
PAD = 1.6 * mm
UNLIMITED_HEIGHT = 10_000.0


def font(start: tuple[int, int], end: tuple[int, int], face: str, size: float) -> Command:
    """Return the style command that sets the font of cells."""
    return ("FONT", start, end, face, size, size * LEADING)


def cell_style(pad: float = 0) -> list[Command]:
    """Return the style shared by all tables: vertically centred, padded only at the sides."""
    return [
        ("LEFTPADDING", *ALL, pad),
        ("RIGHTPADDING", *ALL, pad),
        ("TOPPADDING", *ALL, 0),
        ("BOTTOMPADDING", *ALL, 0),
        ("VALIGN", *ALL, "MIDDLE"),
        font(*ALL, "Sans", SMALL),
    ]


def text_height(text: str, size: float) -> float:
    """Return the height of a text of one or more lines."""
    return (text.count("\n") + 1) * size * LEADING


# ---- lines of text ---------------------------------------------------------------------


def heading(text: str, height: float = ROOMY.heading, width: float | None = None) -> Table:
    """Return a section heading, in smaller letters if it is wider than ``width``."""
    natural = max_text_width([text], "Serif-Bold", 11)
    size = 11 if width is None else max(SMALL, min(11, 11 * width / natural))
    style = [*cell_style(), font(*ALL, "Serif-Bold", size), ("VALIGN", *ALL, "TOP")]
    return Table([[text]], colWidths=[None], rowHeights=[height], hAlign="LEFT", style=style)


def small_print(texts: Sequence[str], width: float) -> Table:
    """Return sentences in small print; a page may break between any two lines."""
    lines = [[line] for text in texts for line in wrap_text(text, "Sans", SMALL, width).split("\n")]
    return Table(lines, colWidths=[width], rowHeights=SMALL * LEADING, style=cell_style())


def summary_table(
    short: Sequence[tuple[str, str]], long: Sequence[tuple[str, str]], width: float
) -> Table:
    """Return labels and values: short ones in two columns, long ones over the whole width."""
    cells = list(zip(short[::2], [*short[1::2], ("", "")], strict=False))
    labels = [label for label, _ in chain(short[::2], long)]
    right_labels = [label for label, _ in short[1::2]]
    first = max_text_width(labels, "Sans", TEXT) + 4 * mm
    third = max_text_width(right_labels, "Sans", TEXT) + 4 * mm
    second = _share(width - first - third, [value for _, value in short[::2]],
                    [value for _, value in short[1::2]])  # fmt: skip
    fourth = width - first - third - second
    data = [
        [label, wrap_text(value, "Sans", TEXT, second - 4 * mm),
         other, wrap_text(its, "Sans", TEXT, fourth)]
        for (label, value), (other, its) in cells
    ]  # fmt: skip
    data += [
        [label, wrap_text(value, "Sans", TEXT, width - first), "", ""] for label, value in long
    ]
    heights = [max(text_height(cell, TEXT) for cell in row) + 0.6 * mm for row in data]
    style = [*cell_style(), font(*ALL, "Sans", TEXT), ("VALIGN", *ALL, "TOP")]
    return Table(data, colWidths=[first, second, third, fourth], rowHeights=heights, style=style)


def _share(width: float, left: Sequence[str], right: Sequence[str]) -> float:
    """Return the width of the left values: half, or more or less where one side needs it."""
    wanted = max_text_width(left, "Sans", TEXT) + 4.5 * mm
    other = max_text_width(right, "Sans", TEXT) + 0.5 * mm
    if wanted + other > width:
        return float(width * wanted / (wanted + other))
    return float(max(wanted, min(width / 2, width - other)))


NOTE_LINE_HEIGHT = 7 * mm


def note_lines(number: int, width: float) -> Table:
    """Return empty lines for handwritten notes."""
    style = [*cell_style(), ("LINEBELOW", *ALL, HAIRLINE, GREY)]
    return Table(
        [[""]] * number, colWidths=[width], rowHeights=[NOTE_LINE_HEIGHT] * number, style=style
    )


def signatures(signing: Sequence[str], width: float, height: float = ROOMY.signature) -> Table:
    """Return a line for each player to sign on."""
    across = ceil(len(signing) / ceil(len(signing) / 4))
    gap = 6 * mm
    line_width = (width - (across - 1) * gap) / across
    names = truncate_names(signing, "Sans", SMALL, line_width)
    data: list[list[str]] = []
    style = cell_style()
    for first in range(0, len(names), across):
        line = names[first : first + across]
        data += [[""], [cell for name in line for cell in (name, "")]]
        row = len(data) - 1
        style += [
            ("LINEABOVE", (2 * at, row), (2 * at, row), THIN, black) for at in range(len(line))
        ]
    return Table(
        data,
        colWidths=[line_width, gap] * across,
        rowHeights=[height, 5 * mm] * (len(data) // 2),
        style=style,
        hAlign="LEFT",
    )


def side_by_side(
    left: Sequence[Flowable], right: Sequence[Flowable], right_width: float, width: float
) -> Table:
    """Place two stacks of flowables side by side."""
    style = [*cell_style(), ("VALIGN", *ALL, "TOP")]
    return Table([[left, right]], colWidths=[width - right_width, right_width], style=style)


def height(parts: Iterable[Flowable], width: float) -> float:
    """Return the height of a stack of flowables."""
    return sum(float(part.wrap(width, UNLIMITED_HEIGHT)[1]) for part in parts)
