"""A picture on a canvas, and a photograph, which is an array of pixels."""

import struct
import zlib
from enum import Enum

from PIL import UnidentifiedImageError


class Resampling(Enum):
    BOX = "box"
    BICUBIC = "bicubic"


class Dither(Enum):
    NONE = "none"


class Image:
    """A canvas with its brush."""

    def __init__(self, size):
        from js import OffscreenCanvas

        self.size = size
        self.canvas = OffscreenCanvas.new(*size)
        self.brush = self.canvas.getContext("2d")

    def resize(self, size, resample=None):
        small = Image(size)
        small.brush.imageSmoothingQuality = "high"
        small.brush.drawImage(self.canvas, 0, 0, *size)
        return small

    def quantize(self, colors=256, dither=None):
        """Return the picture itself: fewer colours would only make the file smaller."""
        return self

    def save(self, file, format, **_):
        """Write a PNG."""
        file.write(b"\x89PNG\r\n\x1a\n")
        header = struct.pack(">IIBBBBB", *self.size, 8, 2, 0, 0, 0)
        for kind, data in (
            (b"IHDR", header),
            (b"IDAT", zlib.compress(self._rows())),
            (b"IEND", b""),
        ):
            crc = zlib.crc32(kind + data)
            file.write(struct.pack(">I", len(data)) + kind + data + struct.pack(">I", crc))

    def _rows(self):
        """Return the pixels without their opacity, each row after the number of its filter."""
        width, height = self.size
        pixels = self.brush.getImageData(0, 0, width, height).data.to_bytes()
        rows = bytearray()
        for top in range(0, len(pixels), 4 * width):
            row = bytearray(3 * width)
            for part in range(3):
                row[part::3] = pixels[top + part : top + 4 * width : 4]
            rows += b"\0" + row
        return bytes(rows)


def new(mode, size, color):
    """Return a picture in one colour."""
    image = Image(size)
    image.brush.fillStyle = color
    image.brush.fillRect(0, 0, *size)
    return image


# ---- photographs -----------------------------------------------------------------------


class DecompressionBombError(Exception):
    """A picture is far too large; a browser says that it is none."""


class Photograph:
    """Pixels in three colours."""

    mode, has_transparency_data = "RGB", False

    def __init__(self, pixels):
        from numpy import ndarray

        self._pixels = pixels
        self._array = ndarray(pixels)
        self.height, self.width, _ = self._array.shape
        self.size = self.width, self.height

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass

    @property
    def own(self):
        """The pixels for numpy."""
        return self._pixels

    def draft(self, mode, size):
        """Do nothing: the picture is decoded."""

    def convert(self, mode):
        return self

    def resize(self, size, resample):
        from browser_camera import pictures

        return Photograph(pictures.resized(self._pixels, *size, resample.value))

    def reduce(self, factor):
        from browser_camera import pictures

        return Photograph(pictures.halved(self._pixels))


def open(file, formats=()):
    """Return the picture of the request that is answered: the worker has decoded it."""
    from browser_camera import pictures

    if not pictures.sent:
        raise UnidentifiedImageError
    return Photograph(pictures.sent)


def fromarray(pixels):
    return Photograph(pixels.own)
