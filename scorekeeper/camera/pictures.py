"""Reading a photograph within bounds, without keeping anything of it."""

import io
import warnings
from typing import Literal

import numpy as np
from PIL import Image, ImageOps, UnidentifiedImageError

from scorekeeper.camera import MEGABYTE, MEGAPIXEL, MOST_MEGABYTES, MOST_MEGAPIXELS
from scorekeeper.camera.indices import Pixels

Reason = Literal["kind", "damaged", "bytes", "pixels"]

MOST_BYTES = MOST_MEGABYTES * MEGABYTE
MOST_PIXELS = MOST_MEGAPIXELS * MEGAPIXEL
LONGEST = 1600
"""The longer side of what is looked at; larger photographs are made smaller."""
FORMATS = ("JPEG", "PNG", "WEBP")
BRIGHTEST = 240.0
MOST_GAIN = 8.0


class Unreadable(Exception):
    """The bytes are no picture of a known kind, a damaged one, or one that is too large."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(reason)
        self.reason = reason


def read(data: bytes) -> Pixels:
    """Return an upright RGB picture, whose longer side has at most ``LONGEST`` pixels."""
    if len(data) > MOST_BYTES:
        raise Unreadable("bytes")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about damaged metadata, which nothing here needs
        try:
            return levelled(np.asarray(_decoded(data)))
        except Image.DecompressionBombError:
            raise Unreadable("pixels") from None
        except UnidentifiedImageError:
            raise Unreadable("kind") from None
        except (OSError, ValueError, SyntaxError, EOFError, OverflowError, TypeError):
            raise Unreadable("damaged") from None  # what Pillow raises for damaged files


def _decoded(data: bytes) -> Image.Image:
    with Image.open(io.BytesIO(data), formats=FORMATS) as picture:
        if picture.width * picture.height > MOST_PIXELS:
            raise Unreadable("pixels")
        picture.draft("RGB", (LONGEST, LONGEST))  # a JPEG is decoded in a reduced size
        upright = ImageOps.exif_transpose(_reduced(picture))
    if upright.mode.startswith("I;16"):
        upright = upright.point(lambda value: value / 256).convert("L")
    if upright.has_transparency_data:
        white = Image.new("RGBA", upright.size, "white")
        upright = Image.alpha_composite(white, upright.convert("RGBA"))
    return upright.convert("RGB")


def _reduced(picture: Image.Image) -> Image.Image:
    longest = max(picture.size)
    if longest <= LONGEST:
        return picture
    shrink = LONGEST / longest
    size = (max(1, round(picture.width * shrink)), max(1, round(picture.height * shrink)))
    return picture.resize(size, Image.Resampling.BOX)


def levelled(picture: Pixels) -> Pixels:
    """Make a dark picture as bright as others: its lightest parts become nearly white."""
    sample = picture[::8, ::8].max(-1)
    gain = min(MOST_GAIN, BRIGHTEST / max(1.0, float(np.percentile(sample, 98))))
    if gain <= 1:
        return picture
    table = np.minimum(np.arange(256) * gain, 255).astype(np.uint8)
    levels: Pixels = table[picture]
    return levels


def negative(picture: Pixels) -> Pixels:
    """Make dark parts bright and bright ones dark, and leave colours as they are: red stays red."""
    high, low = picture.max(-1, keepdims=True), picture.min(-1, keepdims=True)
    swapped: Pixels = (picture - low) + (255 - high)  # no sum is above 255
    return swapped
