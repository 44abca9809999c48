"""Shapes of letters and how shapes are put together: masks, 255 where something is printed."""

from pathlib import Path

from PIL import Image, ImageDraw

from tools.cardvision.assets import font

DRAWN = 160
CLOSER = 0.9
"""How far two characters are apart, as a share of what the font wants."""


def word(name: str, text: str, height: int, fonts: Path, squeeze: float) -> Image.Image:
    """Return letters of a font as high as asked."""
    letters = font(fonts, name, DRAWN)
    image = Image.new("L", (200 + 130 * len(text), 320))
    pen, x = ImageDraw.Draw(image), 60.0
    for letter in text:
        pen.text((x, 240), letter, 255, letters, anchor="ls")
        x += letters.getlength(letter) * (CLOSER if len(text) == 2 else 1)
    return scaled(image, height, squeeze)


def scaled(image: Image.Image, height: int, squeeze: float = 1.0) -> Image.Image:
    """Return what is printed in an image as high as asked, its width changed by a factor."""
    image = image.crop(image.getbbox())
    width = max(3, round(image.width * height / image.height * squeeze))
    return image.resize((width, max(3, height)), Image.Resampling.BOX)


def fitting(image: Image.Image, width: float, height: float) -> Image.Image:
    """Return an image, reduced if it is larger than that."""
    factor = min(1.0, width / image.width, height / image.height)
    size = (max(1, round(image.width * factor)), max(1, round(image.height * factor)))
    return image.resize(size, Image.Resampling.BOX) if factor < 1 else image


def beneath(parts: list[Image.Image], gap: int) -> Image.Image:
    """Return shapes below each other."""
    image = Image.new(
        "L", (max(p.width for p in parts), sum(p.height for p in parts) + gap * (len(parts) - 1))
    )
    y = 0
    for part in parts:
        image.paste(part, ((image.width - part.width) // 2, y))
        y += part.height + gap
    return image
