"""Pictures for court cards and jokers: drawn at random, or from @letele/playing-cards (CC0)."""

from functools import cache
from pathlib import Path

import cv2
import numpy as np
from PIL import Image, ImageDraw

from tools.cardvision.designs import Colour, Design, Rng

INK: Colour = (20, 20, 25)
SKIN: Colour = (245, 225, 205)
PALETTE: list[Colour] = [
    (200, 30, 40), (240, 195, 60), (35, 60, 150), INK, (235, 225, 205),
    (225, 170, 140), (30, 110, 60), (120, 70, 40), (255, 255, 255), (90, 130, 200),
]  # fmt: skip


@cache
def letele(folder: Path, name: str) -> Image.Image:
    """Return the picture of a card of @letele/playing-cards, without its indices."""
    with Image.open(folder / f"{name}.png") as card:
        picture = card.convert("RGB")
    width, height = picture.size
    if name.startswith("J"):
        return picture.crop(
            (int(0.05 * width), int(0.08 * height), int(0.95 * width), int(0.92 * height))
        )
    return picture.crop(
        (int(0.135 * width), int(0.11 * height), int(0.865 * width), int(0.89 * height))
    )


def _robes(rng: Rng, width: int, height: int) -> Image.Image:
    """Draw the upper half of a figure: robes, face, crown, and patterns everywhere."""
    image = Image.new("RGB", (width, height), PALETTE[int(rng.choice([4, 8]))])
    pen = ImageDraw.Draw(image)
    middle = width * rng.uniform(0.4, 0.6)
    for _ in range(int(rng.integers(8, 22))):
        centre = np.array([rng.uniform(0, width), rng.uniform(0.45 * height, height)])
        radius = rng.uniform(0.05, 0.3) * width
        turns = np.sort(rng.uniform(0, 2 * np.pi, int(rng.integers(3, 7))))
        points = [tuple(centre + radius * np.array([np.cos(t), np.sin(t)])) for t in turns]
        pen.polygon(points, fill=PALETTE[int(rng.integers(len(PALETTE)))], outline=INK)
    top, chin = height * rng.uniform(0.1, 0.25), height * rng.uniform(0.5, 0.6)
    side = width * rng.uniform(0.1, 0.16)
    hair = PALETTE[int(rng.choice([1, 3, 4, 7]))]
    pen.ellipse(
        [middle - 1.5 * side, top, middle + 1.5 * side, chin + side], fill=hair, outline=INK
    )
    pen.ellipse([middle - side, top, middle + side, chin], fill=SKIN, outline=INK)
    spikes = [
        (middle + side * x, top + side * (0.2 if i % 2 else -1))
        for i, x in enumerate(np.linspace(-1.3, 1.3, 7))
    ]
    pen.polygon(
        [*spikes, (middle + side, top + side), (middle - side, top + side)],
        fill=PALETTE[1],
        outline=INK,
    )
    for eye in (-0.4, 0.4):
        pen.circle((middle + side * eye, (top + chin) / 2), 3, fill=INK)
    for _ in range(int(rng.integers(4, 14))):
        y, x = rng.uniform(0.6, 1) * height, rng.uniform(0, width)
        step, colour = rng.uniform(5, 12), PALETTE[int(rng.integers(len(PALETTE)))]
        slope = rng.uniform(-0.6, 0.6)
        for i in range(int(rng.integers(3, 12))):
            spot = [x + i * step, y + slope * i * step]
            pen.ellipse([spot[0], spot[1], spot[0] + step / 2, spot[1] + step / 2], fill=colour)
    for _ in range(int(rng.integers(2, 9))):
        pen.line(
            [tuple(rng.uniform(0, 1, 2) * (width, height)) for _ in range(2)],
            fill=INK,
            width=int(rng.integers(1, 4)),
        )
    return image


def court(design: Design, name: str, size: tuple[int, int], folder: Path) -> Image.Image:
    """Return the picture of a court card, equal after half a turn."""
    width, height = size
    rng = np.random.default_rng([design.seed, *name.encode()])
    if design.court == "letele":
        picture = letele(folder, name[-1] + name[0].lower()).resize(size, Image.Resampling.BOX)
        return _tinted(picture, design.seed)
    half = _robes(rng, width, height // 2)
    whole = Image.new("RGB", size)
    whole.paste(half, (0, 0))
    whole.paste(half.rotate(180), (0, height - height // 2))
    return whole


def _tinted(picture: Image.Image, seed: int) -> Image.Image:
    rng = np.random.default_rng(seed)
    turned = cv2.cvtColor(np.asarray(picture), cv2.COLOR_RGB2HSV).astype(np.int16)
    turned[..., 0] = (turned[..., 0] + int(rng.integers(-8, 9))) % 180
    turned[..., 1] = np.clip(turned[..., 1] * rng.uniform(0.6, 1.1), 0, 255)
    return Image.fromarray(cv2.cvtColor(turned.astype(np.uint8), cv2.COLOR_HSV2RGB))


def jester(design: Design, size: tuple[int, int], folder: Path, coloured: bool) -> Image.Image:
    """Return the picture of a joker."""
    if design.court == "letele":
        return letele(folder, "J1" if coloured else "J2").resize(size, Image.Resampling.BOX)
    width, height = size
    rng = np.random.default_rng([design.seed, coloured])
    image = Image.new("RGB", size, design.paper)
    pen = ImageDraw.Draw(image)
    shades = PALETTE if coloured else [INK, (120, 120, 120), (255, 255, 255)]
    for _ in range(int(rng.integers(4, 12))):
        x, y = rng.uniform(0.1, 0.9) * width, rng.uniform(0.3, 0.95) * height
        radius = rng.uniform(0.05, 0.2) * width
        pen.regular_polygon(
            (x, y, radius),
            int(rng.integers(3, 8)),
            float(rng.uniform(0, 360)),
            fill=shades[int(rng.integers(len(shades)))],
            outline=INK,
        )
    side, middle, top = 0.16 * width, width / 2, 0.3 * height
    for bell in (-1.6, 0, 1.6):
        pen.polygon(
            [(middle - side, top), (middle + side, top), (middle + side * bell, top - 1.6 * side)],
            fill=shades[int(rng.integers(len(shades)))],
            outline=INK,
        )
        pen.circle((middle + side * bell, top - 1.6 * side), 6, fill=shades[0])
    pen.ellipse(
        [middle - side, top - side / 2, middle + side, top + 2 * side], fill=SKIN, outline=INK
    )
    return image
