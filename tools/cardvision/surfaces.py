"""The surfaces below and between the cards: wood, cloth, stone, paper with print, fingers."""

from collections.abc import Sequence
from typing import Any

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont

from scorekeeper.camera.indices import Pixels
from tools.cardvision.designs import Rng

Size = tuple[int, int]
Fonts = Sequence[ImageFont.FreeTypeFont]

WOODS = [(150, 105, 65), (190, 145, 95), (95, 60, 35), (205, 175, 135), (120, 80, 50), (60, 40, 30)]
CLOTHS = [
    (25, 95, 55),
    (20, 70, 45),
    (140, 30, 40),
    (40, 60, 110),
    (210, 205, 195),
    (90, 90, 95),
    (230, 225, 215),
    (30, 30, 34),
    (180, 160, 130),
]
SKINS = [(225, 175, 145), (200, 145, 115), (235, 195, 170), (150, 100, 75), (105, 70, 50)]

LETTERS = list("abcdefghijklmnopqrstuvwxyz")


def _noise(rng: Rng, size: Size, cells: tuple[int, int]) -> Pixels:
    """Return smooth noise of about unit height with so many cells across and down."""
    grid = rng.normal(0, 1, (max(2, cells[1]), max(2, cells[0]))).astype(np.float32)
    return cv2.resize(grid, size, interpolation=cv2.INTER_CUBIC)


def _coloured(shade: Pixels, colour: tuple[int, int, int]) -> Pixels:
    return np.clip(shade[..., None] * np.array(colour, np.float32), 0, 255)


def wood(rng: Rng, size: Size) -> Pixels:
    """Return boards with grain."""
    cells = int(rng.integers(2, 5)), int(rng.integers(25, 70))
    bend = _noise(rng, size, (3, 5))
    lines = np.sin(_noise(rng, size, (3, cells[1] // 4)) * rng.uniform(2, 7) + bend)
    shade = 1 + 0.06 * _noise(rng, size, cells) + 0.06 * lines + 0.02 * _noise(rng, size, (60, 300))
    if rng.random() < 0.5:
        for y in range(0, size[1], int(rng.integers(120, 400))):
            shade[y : y + 2] *= 0.6
    image = _coloured(shade, WOODS[int(rng.integers(len(WOODS)))])
    return np.ascontiguousarray(image[::-1]) if rng.random() < 0.5 else image


def cloth(rng: Rng, size: Size) -> Pixels:
    """Return felt or a tablecloth, with checks or stripes."""
    shade = (
        1
        + 0.05 * _noise(rng, size, (5, 4))
        + 0.05 * _noise(rng, size, (size[0] // 2, size[1] // 2))
    )
    image = _coloured(shade, CLOTHS[int(rng.integers(len(CLOTHS)))])
    kind = rng.random()
    if kind < 0.35:
        step, other = int(rng.integers(14, 120)), np.array(CLOTHS[int(rng.integers(len(CLOTHS)))])
        stripes = (np.arange(size[0]) // step % 2)[None, :, None] * 0.5
        checks = stripes + (np.arange(size[1]) // step % 2)[:, None, None] * 0.5 * (kind < 0.2)
        image = image * (1 - 0.7 * checks) + 0.7 * checks * other
    return image


def weave(rng: Rng, size: Size) -> Pixels:
    """Return threads across each other, in folds: a knitted blanket, a towel, jeans."""
    step, turn = rng.uniform(3, 14), rng.uniform(0, np.pi)
    y, x = np.mgrid[0 : size[1], 0 : size[0]].astype(np.float32)
    wave = 0.15 * step * _noise(rng, size, (6, 5))
    along, across = x * np.cos(turn) + y * np.sin(turn), y * np.cos(turn) - x * np.sin(turn)
    threads = np.sin((along + wave) * 2 * np.pi / step) * np.cos((across + wave) * np.pi / step)
    shade = 1 + rng.uniform(0.08, 0.3) * threads + rng.uniform(0, 0.15) * _noise(rng, size, (4, 3))
    return _coloured(shade, CLOTHS[int(rng.integers(len(CLOTHS)))])


def textile(rng: Rng, size: Size, _: Fonts) -> Pixels:
    """Return something soft: a tablecloth, a blanket, a printed cloth."""
    return [weave, weave, cloth, pattern][int(rng.integers(4))](rng, size)


def stone(rng: Rng, size: Size) -> Pixels:
    """Return a smooth or a speckled table."""
    colour = tuple(int(v) for v in rng.integers(20, 240) + rng.integers(-18, 19, 3))
    shade = (
        1
        + rng.uniform(0, 0.15) * _noise(rng, size, (6, 5))
        + rng.uniform(0, 0.12) * _noise(rng, size, (300, 220))
    )
    return _coloured(shade, (colour[0], colour[1], colour[2]))


def pattern(rng: Rng, size: Size) -> Pixels:
    """Return a busy print: flowers, oilcloth, carpet."""
    image = stone(rng, size).astype(np.uint8)
    shades = rng.integers(0, 256, (5, 3))
    step = int(rng.integers(30, 110))
    reach = int(rng.integers(step // 6, step // 2))
    sides = int(rng.integers(3, 9))
    for row, y in enumerate(range(0, size[1], step)):
        for x in range(step // 2 * (row % 2), size[0], step):
            colour = tuple(int(v) for v in shades[int(rng.integers(5))])
            turns = np.arange(2 * sides) * np.pi / sides
            far = np.where(np.arange(2 * sides) % 2, reach, reach // 2)
            points = np.stack([x + far * np.cos(turns), y + far * np.sin(turns)], 1).astype(
                np.int32
            )
            cv2.fillPoly(image, [points], colour, cv2.LINE_AA)
    return image.astype(np.float32)


def surface(rng: Rng, size: Size, fonts: Fonts) -> Pixels:
    """Return a table top as floating-point pixels; ``fonts`` are for what is written on it."""
    kind = rng.choice(5, p=[0.34, 0.26, 0.2, 0.14, 0.06])
    image = [wood, cloth, stone, pattern, weave][kind](rng, size)
    for _ in range(int(rng.integers(0, 5)) if rng.random() < 0.5 else 0):
        clutter(rng, image, fonts)
    return image


def clutter(rng: Rng, image: Pixels, fonts: Fonts) -> None:
    """Put something on the table that is no card: a sheet with print, a glass, a coin, a phone."""
    height, width = image.shape[:2]
    x, y = int(rng.uniform(-0.1, 1) * width), int(rng.uniform(-0.1, 1) * height)
    kind = rng.random()
    colour = tuple(float(v) for v in rng.integers(0, 256, 3))
    if kind < 0.4:
        _lay_sheet(rng, image, (x, y), fonts)
    elif kind < 0.75:
        radius = int(rng.uniform(10, 120))
        cv2.circle(image, (x, y), radius, colour, -1, cv2.LINE_AA)
        rim, thick = tuple(c * 0.8 for c in colour), int(rng.integers(1, 8))
        cv2.circle(image, (x, y), radius * 8 // 10, rim, thick, cv2.LINE_AA)
    else:
        spread = rng.uniform(40, 300, 2)
        box = cv2.boxPoints(((x, y), spread, float(rng.uniform(0, 180))))
        cv2.fillPoly(image, [box.astype(np.int32)], colour, cv2.LINE_AA)


def _sheet(rng: Rng, fonts: Fonts) -> Pixels:
    """Return paper with print or writing: a letter, a notepad, a score pad."""
    wide, high = int(rng.integers(100, 640)), int(rng.integers(60, 640))
    paper = int(rng.integers(205, 256))
    sheet = Image.new("RGB", (wide, high), (paper, paper, int(paper * rng.uniform(0.9, 1))))
    pen = ImageDraw.Draw(sheet)
    tall = rng.uniform(8, 44)
    if rng.random() < 0.4:  # ruled
        for y in np.arange(2 * tall, high, tall * rng.uniform(1, 1.6)):
            pen.line([(0, y), (wide, y)], (150, 160, 190))
    [_columns, _paragraphs][int(rng.random() < 0.65)](rng, pen, fonts, tall)
    return np.asarray(sheet)


def _paragraphs(rng: Rng, pen: ImageDraw.ImageDraw, fonts: Fonts, tall: float) -> None:
    """Write lines from a corner on; what comes later is smaller."""
    wide, high = pen.im.size
    x, y = rng.uniform(0.02, 0.3) * wide, rng.uniform(0.01, 0.4) * high
    while y < high and tall > 5:
        font, ink = _font(rng, fonts, tall), tuple(int(v) for v in rng.integers(0, 130, 3))
        case = str.upper if rng.random() < 0.4 else str.capitalize
        for _ in range(int(rng.integers(1, 8))):
            words = ["".join(rng.choice(LETTERS, rng.integers(1, 11))) for _ in range(7)]
            text = case(" ".join(words[: int(rng.integers(1, 8))]))
            pen.text((x, y), text, ink, font)
            y += tall * rng.uniform(1.1, 1.3)
        y, tall = y + tall * rng.uniform(0.2, 2), tall * rng.uniform(0.4, 1)
        if rng.random() < 0.3:
            return


def _columns(rng: Rng, pen: ImageDraw.ImageDraw, fonts: Fonts, tall: float) -> None:
    """Write numbers below each other, as a score is kept."""
    wide, high = pen.im.size
    font, ink = _font(rng, fonts, tall), tuple(int(v) for v in rng.integers(0, 130, 3))
    step = tall * rng.uniform(2.2, 4)
    for x in np.arange(rng.uniform(0, step), wide, step):
        pen.text((x, tall / 3), "".join(rng.choice(LETTERS, 3)).capitalize(), ink, font)
        for y in np.arange(1.8 * tall, high * rng.uniform(0.2, 1), tall * 1.2):
            number = int(rng.integers(0, int(rng.choice([10, 100, 1000]))))
            pen.text((x + rng.normal(0, 1), y), str(number), ink, font)


def _font(rng: Rng, fonts: Fonts, tall: float) -> ImageFont.FreeTypeFont:
    return fonts[int(rng.integers(len(fonts)))].font_variant(size=max(5, round(tall)))


def _lay_sheet(rng: Rng, image: Pixels, spot: tuple[int, int], fonts: Fonts) -> None:
    sheet = _sheet(rng, fonts)
    high, wide = sheet.shape[:2]
    turn = cv2.getRotationMatrix2D((0, 0), float(rng.uniform(-180, 180)), 1)
    turn[:, 2] += spot
    size = (image.shape[1], image.shape[0])
    corners = cv2.transform(
        np.array([[[0, 0], [wide, 0], [wide, high], [0, high]]], np.float32), turn
    )
    left, top = np.floor(corners.min((0, 1))).astype(int).clip(0, size)
    right, low = np.ceil(corners.max((0, 1))).astype(int).clip(0, size)
    if right - left < 2 or low - top < 2:
        return
    turn[:, 2] -= (left, top)
    region = image[top:low, left:right]
    cv2.warpAffine(
        sheet.astype(np.float32),
        turn,
        (right - left, low - top),
        region,
        cv2.INTER_LINEAR,
        cv2.BORDER_TRANSPARENT,
    )


def back(rng: Rng, width: int, height: int) -> Pixels:
    """Return the back of a card."""
    image = np.full((height, width, 3), 248, np.uint8)
    colour = tuple(
        int(v) for v in rng.choice([[170, 30, 40], [35, 55, 140], [20, 90, 60], [40, 40, 45]])
    )
    inset = int(rng.integers(4, 22))
    cv2.rectangle(image, (inset, inset), (width - inset, height - inset), colour, -1)
    step, thick = int(rng.integers(8, 26)), int(rng.integers(1, 4))
    for offset in range(-height, width + height, step):
        for top, low in ((offset, offset + height), (offset + height, offset)):
            ends = (top, inset), (low, height - inset)
            cv2.line(image, *ends, (235, 235, 235), thick, cv2.LINE_AA)
    image[:inset], image[-inset:], image[:, :inset], image[:, -inset:] = 248, 248, 248, 248
    return image


def finger(rng: Rng, tip: Any, root: Any, thick: float, size: Size) -> tuple[Pixels, Pixels]:
    """Return the colours and the mask of a finger that reaches from its root to its tip."""
    mask = np.zeros((size[1], size[0]), np.uint8)
    ends = [tuple(int(v) for v in end) for end in (root, tip)]
    cv2.line(mask, *ends, 255, int(thick), cv2.LINE_AA)
    cv2.circle(mask, ends[1], int(thick / 2), 255, -1, cv2.LINE_AA)
    depth = cv2.distanceTransform((mask > 127).astype(np.uint8), cv2.DIST_L2, 3) / (thick / 2)
    skin = np.array(SKINS[int(rng.integers(len(SKINS)))], np.float32)
    colours = skin * (0.62 + 0.38 * np.sqrt(np.clip(depth, 0, 1)))[..., None]
    along = np.array(ends[1], np.float32) - ends[0]
    along /= max(1.0, float(np.hypot(*along)))
    nail = np.array(ends[1]) - along * thick * 0.05
    if rng.random() < 0.7:
        axes = (int(thick * 0.3), int(thick * 0.22))
        angle = float(np.degrees(np.arctan2(along[1], along[0])))
        middle, colour = tuple(int(v) for v in nail), tuple(float(v) for v in skin * 1.08)
        cv2.ellipse(colours, middle, axes, angle, 0, 360, colour, -1, cv2.LINE_AA)
    return colours, mask
