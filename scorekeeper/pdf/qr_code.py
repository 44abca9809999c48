"""The QR code of the live page, with its address beside it."""

from itertools import groupby

import segno
from reportlab.lib.units import mm
from reportlab.platypus import Flowable, Table

from scorekeeper.i18n.printable import printable
from scorekeeper.pdf.layout import SMALL, wrap_text
from scorekeeper.pdf.tables import cell_style
from scorekeeper.pdf.words import Words

SIZE = 20 * mm
MASK = 4
"""A fixed mask: readers know all eight, and choosing the best takes most of the time."""
MAX_ADDRESS_LENGTH = 200
"""Longer addresses make a code too dense for cameras to read at this size."""


class QrCode(Flowable):  # type: ignore[misc]  # reportlab has no types
    """A QR code, drawn as one path."""

    def __init__(self, address: str) -> None:
        super().__init__()
        pattern = segno.make_qr(address, error="m", mask=MASK)
        self.rows = [list(row) for row in pattern.matrix]

    def wrap(self, available_width: float, available_height: float) -> tuple[float, float]:
        return SIZE, SIZE

    def draw(self) -> None:
        module = SIZE / len(self.rows)
        path = self.canv.beginPath()
        for nth, row in enumerate(self.rows, start=1):
            at = 0
            for dark, cells in groupby(row):
                length = len(list(cells))
                if dark:
                    path.rect(at * module, SIZE - nth * module, length * module, module)
                at += length
        self.canv.setFillGray(0)
        self.canv.drawPath(path, stroke=0, fill=1)


def qr_code(words: Words, address: str, width: float) -> Table:
    """Return the code of a live page and the words beside it."""
    code_width = SIZE + 5 * mm
    text = "\n".join(
        wrap_text(line, "Sans", SMALL, width - code_width)
        for line in (words.lang("paper.code"), printable(address))
    )
    style = [*cell_style(), ("VALIGN", (0, 0), (-1, -1), "BOTTOM")]
    return Table(
        [[QrCode(address), text]],
        colWidths=[code_width, width - code_width],
        rowHeights=[SIZE],
        style=style,
        hAlign="LEFT",
    )
