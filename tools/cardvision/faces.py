"""Draws the faces of a deck, with the place of every index."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from PIL import Image, ImageDraw

from scorekeeper.camera.cards import RANKS, SUITS
from scorekeeper.camera.indices import Pixels
from tools.cardvision import courts, glyphs, jokers, lettering, suits
from tools.cardvision.designs import ACROSS_THE_TOP, LETTERS, Design, another, design

WIDTH = 320
FINE = 2
"""Faces are drawn this much larger and then reduced."""
JOKERS = ("JK1", "JK2")
MORE_JOKERS = tuple(f"JK{n}" for n in range(3, 11))
"""Those of a deck in which every card has another design."""
LEFT, MIDDLE, RIGHT = 0.3, 0.5, 0.7
PIPS = {
    "A": [],
    "2": [(MIDDLE, 0.18), (MIDDLE, 0.82)],
    "3": [(MIDDLE, 0.18), (MIDDLE, 0.5), (MIDDLE, 0.82)],
    "4": [(x, y) for x in (LEFT, RIGHT) for y in (0.18, 0.82)],
    "5": [(x, y) for x in (LEFT, RIGHT) for y in (0.18, 0.82)] + [(MIDDLE, 0.5)],
    "6": [(x, y) for x in (LEFT, RIGHT) for y in (0.18, 0.5, 0.82)],
    "7": [(x, y) for x in (LEFT, RIGHT) for y in (0.18, 0.5, 0.82)] + [(MIDDLE, 0.34)],
    "8": [(x, y) for x in (LEFT, RIGHT) for y in (0.18, 0.5, 0.82)]
    + [(MIDDLE, 0.34), (MIDDLE, 0.66)],
    "9": [(x, y) for x in (LEFT, RIGHT) for y in (0.18, 0.393, 0.607, 0.82)] + [(MIDDLE, 0.5)],
    "10": [(x, y) for x in (LEFT, RIGHT) for y in (0.18, 0.393, 0.607, 0.82)]
    + [(MIDDLE, 0.287), (MIDDLE, 0.713)],
}
NAMES = [rank + suit for suit in SUITS for rank in RANKS]


@dataclass(frozen=True)
class Index:
    """A corner of a card that says what it is."""

    centre: tuple[float, float]
    size: float
    """Its height, or 1.4 times its width where that is more."""
    upright: bool


@dataclass(frozen=True)
class Face:
    """The picture of a card, with an opaque fourth channel inside its rounded corners."""

    name: str
    pixels: Pixels
    indices: list[Index]


def _card_index(
    design: Design, rank: str, suit: Image.Image, height: int, fonts: Path
) -> Image.Image:
    letter = LETTERS[design.letters].get(rank, rank)
    squeeze = design.squeeze * (0.72 if rank == "10" else 1)
    high = round(design.rank_height * height)
    if design.pen:
        word = glyphs.word(design.split, design.pen, design.seed, letter, high)
    else:
        word = lettering.word(design.font, letter, high, fonts, squeeze)
    side = round(design.suit_height * height)
    pip = suit.resize((max(4, round(suit.width / suit.height * side)), side), Image.Resampling.BOX)
    gap = round(design.gap * height)
    if not design.beside:
        return lettering.beneath([word, pip], gap)
    image = Image.new("L", (word.width + pip.width + gap // 2, word.height))
    image.paste(word, (0, 0))
    image.paste(pip, (word.width + gap // 2, (word.height - pip.height) // 2))
    return image


def _pips(image: Image.Image, design: Design, rank: str, pip_and_index: Any, colour: Any) -> None:
    """Paint the pips of a numeral, between its indices."""
    suit, index = pip_and_index
    width, height = image.size
    rng = np.random.default_rng(design.seed)
    side = round(rng.uniform(0.13, 0.19) * width)
    if rank == "A":
        side = round(rng.uniform(0.2, 0.55) * width)
    left = design.margin[0] * width + index.width + side / 2
    spread = min(rng.uniform(0.92, 1.05), (0.51 - left / width) / 0.2)
    pip = suit.resize((round(side * suit.width / suit.height), side), Image.Resampling.BOX)
    for x, y in PIPS[rank] or [(MIDDLE, 0.5)]:
        shape = pip.rotate(180) if y > 0.5 else pip
        spot = (
            round((0.5 + (x - 0.5) * spread) * width - shape.width / 2),
            round(y * height - shape.height / 2),
        )
        image.paste(colour, spot, shape)


def _paste_indices(
    image: Image.Image, design: Design, shape: Image.Image, colour: Any, across: bool
) -> list[Index]:
    """Paint an index into the corners or across the top; those below stand upside down."""
    width, height = image.size
    left = design.margin[0] * width
    centre = max(left + shape.width / 2, (design.margin[0] + 0.055) * width)
    centre = width / 2 if across else centre
    spots = [(centre, True), (width - centre, False)]
    if design.corners == 4 and not across:
        spots += [(width - centre, True), (centre, False)]
    indices = []
    for x, upright in spots:
        y = design.margin[1] * height + shape.height / 2
        y = y if upright else height - y
        if shape.width > 0.15 * width:  # large indices stand on white
            reach = (shape.width / 2 + 5, shape.height / 2 + 5)
            pen = ImageDraw.Draw(image)
            pen.rectangle([x - reach[0], y - reach[1], x + reach[0], y + reach[1]], design.paper)
        turned = shape if upright else shape.rotate(180)
        image.paste(colour, (round(x - shape.width / 2), round(y - shape.height / 2)), turned)
        size = max(shape.height, 1.4 * shape.width)
        indices.append(Index((x / FINE, y / FINE), size / FINE, upright))
    return indices


def _wear(pixels: Pixels, design: Design, rng: np.random.Generator) -> Pixels:
    """Soil the paper, whiten the edges, crease it."""
    height, width = pixels.shape[:2]
    rough = cv2.resize(
        rng.normal(0, 1, (7, 5)).astype(np.float32), (width, height), interpolation=cv2.INTER_CUBIC
    )
    shade = 1 - 0.02 * design.worn * np.abs(rough)
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    edge = np.minimum(np.minimum(x, width - x), np.minimum(y, height - y))
    shade -= 0.18 * design.worn * np.exp(-edge / 5)
    result = pixels * shade[..., None]
    if rng.random() < 0.3 * design.worn:
        ends = [tuple(int(v) for v in rng.uniform(0, 1, 2) * (width, height)) for _ in range(2)]
        cv2.line(result, *ends, (170, 165, 160), 1, cv2.LINE_AA)
    return np.clip(result, 0, 255).astype(np.uint8)


def _rounded(width: int, height: int) -> Pixels:
    image = Image.new("L", (width * 2, height * 2))
    box = [2, 2, width * 2 - 3, height * 2 - 3]
    ImageDraw.Draw(image).rounded_rectangle(box, radius=width * 0.1, fill=255)
    return np.asarray(image.resize((width, height), Image.Resampling.BOX))


def _finish(name: str, image: Image.Image, design: Design, indices: list[Index]) -> Face:
    rng = np.random.default_rng([design.seed, *name.encode()])
    size = (WIDTH, image.height // FINE)
    worn = _wear(np.asarray(image.resize(size, Image.Resampling.BOX)), design, rng)
    return Face(name, np.dstack([worn, _rounded(*size)]), indices)


def _court_card(image: Image.Image, design: Design, name: str, index: int, folder: Path) -> None:
    width, height = image.size
    rng = np.random.default_rng(design.seed)
    left = max(width * rng.uniform(0.1, 0.2), index + width * design.margin[0])
    inset = (round(min(left, 0.28 * width)), round(height * rng.uniform(0.06, 0.12)))
    size = (width - 2 * inset[0], height - 2 * inset[1])
    image.paste(courts.court(design, name, size, folder), inset)
    if design.frame:
        box = [*inset, inset[0] + size[0], inset[1] + size[1]]
        ImageDraw.Draw(image).rectangle(box, outline=(40, 60, 140), width=2)


def draw(design: Design, name: str, fonts: Path, letele: Path) -> Face:
    """Draw a card: a rank and a suit, or one of ``JOKERS``."""
    height = round(WIDTH * FINE * design.aspect)
    image = Image.new("RGB", (WIDTH * FINE, height), design.paper)
    across = False
    if name in (*JOKERS, *MORE_JOKERS):
        suit = "HS"[int(name[2:]) % 2 == 0]
        size = (round(image.width * 0.62), round(height * 0.62))
        image.paste(
            courts.jester(design, size, letele, suit == "H"),
            (round(image.width * 0.19), round(height * 0.19)),
        )
        pip, colour = suits.mask(suit, design.suits, fonts), design.colours[suit]
        shape = jokers.index(design, height, pip, fonts)
        across = design.joker.startswith(ACROSS_THE_TOP)
    else:
        rank, suit = name[:-1], name[-1]
        pip, colour = suits.mask(suit, design.suits, fonts), design.colours[suit]
        shape = _card_index(design, rank, pip, height, fonts)
        if rank in "JQK":
            _court_card(image, design, name, shape.width, letele)
        else:
            _pips(image, design, rank, (pip, shape), colour)
    indices = _paste_indices(image, design, shape, colour, across)
    return _finish(name, image, design, indices)


def deck(design: Design, fonts: Path, letele: Path) -> dict[str, Face]:
    """Draw all cards of a deck."""
    return {name: draw(design, name, fonts, letele) for name in (*NAMES, *JOKERS)}


def mixed(split: str, number: int, fonts: Path, letele: Path) -> dict[str, Face]:
    """Draw cards of one shape, each of another design, many of them jokers."""
    first = design(split, number)
    return {
        name: draw(another(first, design(split, number, seed=2 + n)), name, fonts, letele)
        for n, name in enumerate((*NAMES, *JOKERS, *MORE_JOKERS))
    }
