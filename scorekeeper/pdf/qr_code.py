"""The QR code that opens an evening."""

from collections.abc import Iterator
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
        self.canv.setFillGray(0)
        self.canv.translate(self.indent, SIZE)
        self.canv.scale(module, -module)
        self.canv.addLiteral(" ".join([*self._bars(), "f"]))  # several times as fast as a path

    def _bars(self) -> Iterator[str]:
        """Yield the dark modules as rectangles, those side by side as one."""
        for down, row in enumerate(self.rows):
            across = 0
            for dark, modules in groupby(row):
                length = len(list(modules))
                if dark:
                    yield f"{across} {down} {length} 1 re"
                across += length
