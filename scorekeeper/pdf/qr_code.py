"""The QR code that opens an evening."""

from itertools import groupby

import segno
from reportlab.lib.units import mm
from reportlab.platypus import Flowable

SIZE = 20 * mm
MASK = 4
"""A fixed mask: readers know all eight, and choosing the best takes most of the time."""
MAX_ADDRESS_LENGTH = 200
"""Longer addresses make a code too dense for cameras to read at this size."""


class QrCode(Flowable):  # type: ignore[misc]  # reportlab has no types
    """A QR code, drawn as one path."""

    def __init__(self, address: str, indent: float) -> None:
        super().__init__()
        self.indent, self.width, self.height = indent, SIZE + indent, SIZE
        pattern = segno.make_qr(address, error="m", mask=MASK)
        self.rows = [list(row) for row in pattern.matrix]

    def draw(self) -> None:
        module = SIZE / len(self.rows)
        path = self.canv.beginPath()
        for nth, row in enumerate(self.rows, start=1):
            at = 0
            for dark, cells in groupby(row):
                length = len(list(cells))
                if dark:
                    path.rect(
                        self.indent + at * module, SIZE - nth * module, length * module, module
                    )
                at += length
        self.canv.setFillGray(0)
        self.canv.drawPath(path, stroke=0, fill=1)
