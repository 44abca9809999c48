"""The outlines of the four suits, drawn in many proportions or taken from a font."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw

from scorekeeper.camera.cards import SUITS
from tools.cardvision.assets import font

SIDE = 192
GLYPHS = dict(zip(SUITS, "♠♥♦♣", strict=True))


@dataclass(frozen=True)
class SuitStyle:
    """The proportions of the suits in a deck."""

    glyphs: str | None
    """A font that has suits, instead of the following."""
    width: float
    waist: float
    """How far the sides of hearts and diamonds curve inwards."""
    lobes: float
    stem: float


def _heart(style: SuitStyle) -> list[tuple[float, float]]:
    t = np.linspace(0, 2 * np.pi, 120)
    x = np.sign(np.sin(t)) * np.abs(np.sin(t)) ** (2.2 + style.waist)
    y = -(13 * np.cos(t) - (5 * style.lobes) * np.cos(2 * t) - 2 * np.cos(3 * t) - np.cos(4 * t))
    y = (y - y.min()) / (y.max() - y.min())
    return list(zip(0.5 + 0.48 * style.width * x, 0.03 + 0.94 * y, strict=True))


def _diamond(style: SuitStyle) -> list[tuple[float, float]]:
    t = np.linspace(0, 2 * np.pi, 121)
    power = 1.6 + 1.6 * style.waist
    x = np.sign(np.cos(t)) * np.abs(np.cos(t)) ** power
    y = np.sign(np.sin(t)) * np.abs(np.sin(t)) ** power
    return list(zip(0.5 + 0.42 * style.width * x, 0.5 + 0.48 * y, strict=True))


def _stem(pen: ImageDraw.ImageDraw, style: SuitStyle, top: float) -> None:
    foot, thin = 0.12 + 0.14 * style.stem, 0.03 + 0.03 * style.stem
    points = [(0.5 - thin, top), (0.5 - thin, 0.82), (0.5 - foot, 0.98)]
    points += [(1 - x, y) for x, y in reversed(points)]
    pen.polygon([(x * SIDE, y * SIDE) for x, y in points], fill=255)


def _drawn(suit: str, style: SuitStyle) -> Image.Image:
    image = Image.new("L", (SIDE, SIDE))
    pen = ImageDraw.Draw(image)
    if suit == "D":
        pen.polygon([(x * SIDE, y * SIDE) for x, y in _diamond(style)], fill=255)
    elif suit == "C":
        radius = 0.19 + 0.05 * style.lobes
        for x, y in [
            (0.5, 0.24),
            (0.26 / style.width**0.5, 0.56),
            (1 - 0.26 / style.width**0.5, 0.56),
        ]:
            box = [
                (x - radius) * SIDE,
                (y - radius) * SIDE,
                (x + radius) * SIDE,
                (y + radius) * SIDE,
            ]
            pen.ellipse(box, fill=255)
        pen.polygon(
            [(v * SIDE, w * SIDE) for v, w in [(0.42, 0.3), (0.58, 0.3), (0.62, 0.6), (0.38, 0.6)]],
            fill=255,
        )
        _stem(pen, style, 0.45)
    else:
        outline = (
            [(x, 0.85 - 0.82 * (y - 0.03)) for x, y in _heart(style)]
            if suit == "S"
            else _heart(style)
        )
        pen.polygon([(x * SIDE, y * SIDE) for x, y in outline], fill=255)
        if suit == "S":
            _stem(pen, style, 0.5)
    return image


def mask(suit: str, style: SuitStyle, fonts: Path) -> Image.Image:
    """Return the shape of a suit, cropped to its edges."""
    if style.glyphs:
        image = Image.new("L", (SIDE * 2, SIDE * 2))
        shape = font(fonts, style.glyphs, SIDE)
        ImageDraw.Draw(image).text((SIDE, SIDE), GLYPHS[suit], 255, shape, anchor="mm")
    else:
        image = _drawn(suit, style)
    return image.crop(image.getbbox())
