"""Deck designs: everything in which one deck of cards differs from another."""

from dataclasses import dataclass

import numpy as np

from tools.cardvision.assets import FONTS, SUIT_FONTS
from tools.cardvision.suits import SuitStyle

Rng = np.random.Generator
Colour = tuple[int, int, int]

SPLITS = ("train", "check", "test")
LETTERS = {
    "international": {},
    "german": {"J": "B", "Q": "D"},
    "french": {"J": "V", "Q": "D", "K": "R"},
    "french with 1": {"A": "1", "J": "V", "Q": "D", "K": "R"},
}
JOKER_INDICES = {
    "stacked": 0.35, "turned": 0.15, "star": 0.12, "word": 0.12, "star and word": 0.14,
    "initial and star": 0.12,
}  # fmt: skip
"""The kinds of corners of jokers, with their shares in ``check`` and ``test``."""
MORE_JOKERS = ("turned back", "mixed case", "large initial", "ringed star", "cap", "cap and word")
"""Kinds of corners that only some decks for training have."""
BESIDE = {"train": 0.15, "check": 0.06, "test": 0.06}
"""The share of decks with suits to the right of the ranks. Rare designs are trained more often than
they are measured; for the same reason all kinds of jokers have equal shares in training."""
FOUR_COLOURS = {"train": 0.25, "check": 0.15, "test": 0.15}
"""The share of decks with four colours."""
GREEN, GREY = (15, 120, 50), (125, 125, 128)
CLUBS = {"train": [GREEN, GREY], "check": [GREEN], "test": [GREEN]}
"""The colours of clubs in such decks."""


@dataclass(frozen=True)
class Design:
    """A deck of cards before it is drawn; measures are shares of the width or height of a card."""

    seed: int
    split: str
    letters: str
    font: str
    squeeze: float
    """The width of the letters of an index, as a factor."""
    rank_height: float
    suit_height: float
    gap: float
    margin: tuple[float, float]
    beside: bool
    """The suit of an index stands to the right of its rank."""
    corners: int
    aspect: float
    suits: SuitStyle
    colours: dict[str, Colour]
    paper: Colour
    court: str
    frame: bool
    joker: str
    worn: float


def _tone(rng: Rng, base: Colour, spread: int) -> Colour:
    red, green, blue = (int(np.clip(v + rng.integers(-spread, spread + 1), 0, 255)) for v in base)
    return red, green, blue


def _colours(rng: Rng, split: str) -> dict[str, Colour]:
    red, black = _tone(rng, (205, 25, 35), 30), _tone(rng, (18, 18, 22), 18)
    four = rng.random() < FOUR_COLOURS[split]
    blue_or_orange = (30, 70, 190) if rng.random() < 0.6 else (225, 120, 20)
    green_or_grey = CLUBS[split][int(rng.integers(len(CLUBS[split])))]
    return {
        "S": black,
        "H": red,
        "D": _tone(rng, blue_or_orange, 20) if four else red,
        "C": _tone(rng, green_or_grey, 20) if four else black,
    }


def _joker(rng: Rng, split: str) -> str:
    if split == "train":
        return str(rng.choice([*JOKER_INDICES, *MORE_JOKERS]))
    return str(rng.choice(list(JOKER_INDICES), p=list(JOKER_INDICES.values())))


def design(split: str, number: int, seed: int = 1) -> Design:
    """Return one of the endless deck designs of a split."""
    rng = np.random.default_rng([seed, SPLITS.index(split), number])
    jumbo = rng.random() < 0.2
    rank = rng.uniform(0.15, 0.22) if jumbo else rng.uniform(0.075, 0.14)
    beside = bool(rng.random() < BESIDE[split])
    glyphs = str(rng.choice(SUIT_FONTS[split])) if rng.random() < 0.35 else None
    return Design(
        seed=int(rng.integers(1 << 31)),
        split=split,
        letters=str(rng.choice(list(LETTERS), p=[0.52, 0.3, 0.14, 0.04])),
        font=str(rng.choice(FONTS[split].split())),
        squeeze=rng.uniform(0.62, 1.05),
        rank_height=rank,
        suit_height=rank * rng.uniform(0.55, 0.95),
        gap=rank * rng.uniform(0.08, 0.3),
        margin=(rng.uniform(0.025, 0.06), rng.uniform(0.022, 0.05)),
        beside=beside,
        corners=4 if not beside and rng.random() < 0.3 else 2,
        aspect=rng.choice([1.397, 1.56, 1.54]) * rng.uniform(0.99, 1.01),
        suits=SuitStyle(
            glyphs,
            rng.uniform(0.82, 1.0),
            rng.uniform(0, 0.5),
            rng.uniform(0.7, 1.2),
            rng.uniform(0, 1),
        ),
        colours=_colours(rng, split),
        paper=_tone(rng, (249, 248, 245), 3),
        court=str(rng.choice(["own", "letele"])) if split == "train" else "own",
        frame=bool(rng.random() < 0.75),
        joker=_joker(rng, split),
        worn=rng.uniform(0, 1) ** 2,
    )
