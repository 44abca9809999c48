"""Jokers: what stands in their corners or across their top, in families.

A kind is written from top to bottom, parts with a blank between them. A part is a word
(``Joker``), letters beneath each other (``J/O/K``), letters on each other (``J+K``) or a sign
(``@star``). Before it may stand what is done to it (``MARKS``), after it how high it is: a factor
of the height of a rank. ``^`` before all says that the whole stands across the top of the card.
"""

from collections.abc import Callable
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageOps

from tools.cardvision.designs import ACROSS_THE_TOP, Design
from tools.cardvision.lettering import beneath, fitting, scaled, word

SIDE = 192
MIDDLE = SIDE / 2
LOW = "aceonr"
"""Letters that are lower than others."""
TALLEST, WIDEST, WIDEST_ACROSS = 0.4, 0.24, 0.72
"""The largest heading, as shares of the height and the width of a card."""
Pen = ImageDraw.ImageDraw


def index(design: Design, height: int, suit: Image.Image, fonts: Path) -> Image.Image:
    """Return the shape of what says joker on a card so high."""
    side, width = round(design.rank_height * height), height / design.aspect
    across = design.joker.startswith(ACROSS_THE_TOP)
    drawn = {**{name: sign(name) for name in SIGNS}, "suit": scaled(suit, SIDE)}
    parts = [
        _part(design, part, side, (drawn, fonts))
        for part in design.joker.removeprefix(ACROSS_THE_TOP).split()
    ]
    widest = WIDEST_ACROSS if across else WIDEST
    return fitting(beneath(parts, max(2, side // 8)), widest * width, TALLEST * height)


def _part(
    design: Design, part: str, side: int, given: tuple[dict[str, Image.Image], Path]
) -> Image.Image:
    """Return the shape of a part; ``given`` are the signs and where the fonts are."""
    text, _, share = part.partition(":")
    high = max(9, round(side * float(share or 1)))
    signs, fonts = given
    if text[0] in MARKS:
        return MARKS[text[0]](_part(design, part[1:], side, given))
    if text[0] == "@":
        return scaled(signs[text[1:]], high)
    if "/" in text:
        heights = [round(high * (0.72 if letter in LOW else 1)) for letter in text.split("/")]
        letters = zip(text.split("/"), heights, strict=True)
        shapes = [word(design.font, letter, max(7, tall), fonts, 0.9) for letter, tall in letters]
        return beneath(shapes, max(1, side // 12))
    if "+" in text:
        return _interlaced([word(design.font, c, high, fonts, 1) for c in text.split("+")])
    return word(design.font, text, high, fonts, design.squeeze if len(text) < 3 else 0.85)


# ---- what is done to a shape -----------------------------------------------------------


def _edged(shape: Image.Image, share: float) -> tuple[Image.Image, int, int]:
    """Return a shape with room around it, how much, and how thick a line is."""
    room = max(3, round(share * min(shape.size)))
    return ImageOps.expand(shape, room), room, max(2, room // 3)


def _boxed(shape: Image.Image) -> Image.Image:
    image, _, line = _edged(shape, 0.4)
    ImageDraw.Draw(image).rectangle([0, 0, image.width - 1, image.height - 1], None, 255, line)
    return image


def _reversed(shape: Image.Image) -> Image.Image:
    return ImageOps.invert(_edged(shape, 0.3)[0])


def _ringed(shape: Image.Image) -> Image.Image:
    side = round(1.5 * max(shape.size))
    image = Image.new("L", (side, side))
    image.paste(shape, ((side - shape.width) // 2, (side - shape.height) // 2))
    ImageDraw.Draw(image).ellipse([0, 0, side - 1, side - 1], None, 255, max(2, side // 14))
    return image


def _bowed(shape: Image.Image) -> Image.Image:
    """Bend a shape upwards in its middle."""
    width, height = shape.size
    image = Image.new("L", (width, round(1.7 * height)))
    for x in range(width):
        drop = round(0.7 * height * (2 * x / width - 1) ** 2)
        image.paste(shape.crop((x, 0, x + 1, height)), (x, drop))
    return image


def _interlaced(letters: list[Image.Image]) -> Image.Image:
    """Lay letters over each other, each a little lower and further right."""
    step = letters[0].height // 4
    image = Image.new(
        "L", tuple(max(v) + step for v in zip(*(s.size for s in letters), strict=True))
    )
    for n, letter in enumerate(letters):
        image.paste(255, (n * step, n * step), letter)
    return image


def _turned(angle: float) -> Callable[[Image.Image], Image.Image]:
    return lambda shape: shape.rotate(angle, expand=True)


MARKS: dict[str, Callable[[Image.Image], Image.Image]] = {
    "<": _turned(90), ">": _turned(-90), "[": _boxed, "#": _reversed, "(": _ringed, "~": _bowed,
}  # fmt: skip

# ---- signs -----------------------------------------------------------------------------


def sign(name: str) -> Image.Image:
    """Return the shape of a sign."""
    image = Image.new("L", (SIDE, SIDE))
    SIGNS[name](ImageDraw.Draw(image))
    return image


def _spikes(pen: Pen, count: int, inner: int, outer: int) -> None:
    turns = np.arange(2 * count) * np.pi / count
    reach = np.where(np.arange(2 * count) % 2, inner, outer)
    spikes = zip(MIDDLE + reach * np.sin(turns), MIDDLE - reach * np.cos(turns), strict=True)
    pen.polygon(list(spikes), fill=255)


def _star(pen: Pen) -> None:
    _spikes(pen, 5, 38, 94)


def _sun(pen: Pen) -> None:
    _spikes(pen, 12, 58, 95)
    pen.circle((MIDDLE, MIDDLE), 30, 0)


def _cap(pen: Pen) -> None:
    """Draw a jester's cap with three bells."""
    half = [(96, 20), (112, 84), (138, 52), (166, 70), (178, 120), (150, 110), (150, 190)]
    pen.polygon(half + [(SIDE - x, y) for x, y in reversed(half)], 255)
    pen.line([(38, 156), (154, 156)], 0, 8)
    for x, y in ((15, 126), (96, 16), (177, 126)):
        pen.circle((x, y), 15, 255)


def _crown(pen: Pen) -> None:
    pen.polygon([(10, 40), (60, 110), (96, 20), (132, 110), (182, 40), (166, 180), (26, 180)], 255)
    pen.line([(26, 150), (166, 150)], 0, 8)


def _bell(pen: Pen) -> None:
    pen.pieslice([36, 20, 156, 200], 180, 360, 255)
    pen.polygon([(36, 108), (156, 108), (182, 160), (10, 160)], 255)
    pen.ellipse([78, 150, 114, 188], 255)


def _moon(pen: Pen) -> None:
    pen.ellipse([10, 6, 182, 186], 255)
    pen.ellipse([62, 0, 214, 164], 0)


def _face(pen: Pen) -> None:
    pen.ellipse([8, 8, 184, 184], 255)
    for x in (66, 126):
        pen.ellipse([x - 14, 58, x + 14, 92], 0)
    pen.chord([48, 70, 144, 158], 10, 170, 0)


SIGNS: dict[str, Callable[[Pen], None]] = {
    "star": _star, "sun": _sun, "cap": _cap, "crown": _crown, "bell": _bell, "moon": _moon,
    "face": _face,
}  # fmt: skip
