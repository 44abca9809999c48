"""The way from paper to the live page: a code to scan, with its address beside it.

segno finds the pattern, as it does on the pages; it is drawn as one path, no picture.
"""

from itertools import groupby

import segno
from reportlab.lib.units import mm
from reportlab.platypus import Flowable, Table

from scorekeeper.i18n.printable import printable
from scorekeeper.pdf.layout import SMALL, wrap
from scorekeeper.pdf.tables import bare
from scorekeeper.pdf.words import Words

SIZE = 20 * mm
QUIET = 4
"""Modules that must stay white around a code."""
MASK = 4
"""Every reader knows all eight masks; trying them for the smoothest one takes most of the time."""
LONGEST = 200
"""An address that nobody's camera reads off so small a code is left out."""


class Code(Flowable):  # type: ignore[misc]  # reportlab has no types
    """A QR code."""

    def __init__(self, address: str) -> None:
        super().__init__()
        pattern = segno.make_qr(address, error="m", mask=MASK)
        self.rows = [list(row) for row in pattern.matrix]

    def wrap(self, room: float, height: float) -> tuple[float, float]:
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


def code(words: Words, address: str, room: float) -> Table:
    """The code of a live page and what it is for."""
    beside = SIZE + 5 * mm
    text = "\n".join(
        wrap(line, "Sans", SMALL, room - beside)
        for line in (words.lang("paper.code"), printable(address))
    )
    style = [*bare(), ("VALIGN", (0, 0), (-1, -1), "BOTTOM")]
    return Table(
        [[Code(address), text]],
        colWidths=[beside, room - beside],
        rowHeights=[SIZE],
        style=style,
        hAlign="LEFT",
    )
