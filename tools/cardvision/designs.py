"""Deck designs: everything in which one deck of cards differs from another."""

from dataclasses import dataclass, replace

import numpy as np

from tools.cardvision.assets import FONTS, SUIT_FONTS
from tools.cardvision.glyphs import PENS
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
ACROSS_THE_TOP = "^"
JOKERS: dict[str, dict[str, tuple[str, ...]]] = {
    "train": {
        "letters beneath": (
            "J/O/K/E/R:.62", "J/o/k/e/r:.62", "J O/K/E/R:.48", "@star:.7 J/O/K/E/R:.55",
            "J/O/K/E/R:.55 @cap:.7",
        ),
        "word turned": ("<JOKER:.7", ">JOKER:.7", "<Joker:.75", ">Joker:.75", "@star:.8 <JOKER:.6"),
        "word": ("JOKER:.42", "Joker:.5", "joker:.5", "JOKER:.42 @suit:.6"),
        "stars": ("@star", "@star:.8 @star:.8", "(@star:.7", "@sun", "@star JOKER:.42"),
        "initial and sign": ("J @star", "J @cap", "J @suit:.7", "Jo:.8 @star:.6", "J/K:.9"),
        "letters on each other": ("J+K", "J+O", "J+R", "K+J @star:.5"),
        "signs": ("@cap", "@cap JOKER:.42", "@crown", "@bell", "@bell Joker:.45"),
        "across the top": (
            "^JOKER:.6", "^JOKER", "^Joker", "^Joker:.7 @suit:.5", "^@star:.6 JOKER:.7",
        ),
        "boxed": (
            "[JOKER:.42 @suit:.6", "[Joker:.5", "[<JOKER:.6", "[J:.9 @suit:.6", "[J/O/K/E/R:.5",
        ),
    },
    "check": {
        "ringed letters": ("(J:.8", "(J:.8 JOKER:.38", "(J:.8 @suit:.6", "(Jo:.6"),
        "moon": ("@moon", "@moon JOKER:.42", "@moon:.8 <JOKER:.6", "J @moon:.7"),
    },
    "test": {
        "reversed": ("#JOKER:.45", "#J:.9", "#<JOKER:.6", "#J:.9 @suit:.6", "#J/O/K/E/R:.5"),
        "bow": ("~JOKER:.5", "^~JOKER:.9", "^~Joker", "~JOKER:.5 @star:.7"),
        "face": ("@face", "@face JOKER:.42", "J @face:.8", "@face:.8 <JOKER:.6"),
        "another word": ("J/O/L/L/Y:.62", "<JOLLY:.7", "^Jolly", "JOLLY:.45 @star:.7"),
    },
}  # fmt: skip
"""The families of jokers and their kinds, as ``jokers`` reads them. Nobody has trained on a family
that is measured with."""
STROKES = 0.35
"""The share of decks with ranks that are drawn by strokes."""
INVERTED = 0.1
"""The share of decks with bright print on black."""
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
    joker_family: str
    pen: str | None
    """The family of pens that draws the ranks, instead of the font."""
    worn: float
    inverted: bool


def _tone(rng: Rng, base: Colour, spread: int) -> Colour:
    red, green, blue = (int(np.clip(v + rng.integers(-spread, spread + 1), 0, 255)) for v in base)
    return red, green, blue


def _colours(rng: Rng, split: str, inverted: bool) -> dict[str, Colour]:
    red, black = _tone(rng, (205, 25, 35), 30), _tone(rng, (18, 18, 22), 18)
    if inverted:
        red, black = _tone(rng, (225, 55, 50), 25), _tone(rng, (228, 222, 205), 22)
    four = rng.random() < FOUR_COLOURS[split]
    blue_or_orange = (30, 70, 190) if rng.random() < 0.6 else (225, 120, 20)
    green_or_grey = CLUBS[split][int(rng.integers(len(CLUBS[split])))]
    return {
        "S": black,
        "H": red,
        "D": _tone(rng, blue_or_orange, 20) if four else red,
        "C": _tone(rng, green_or_grey, 20) if four else black,
    }


def another(made: Design, other: Design) -> Design:
    """Return another design on cards of the same shape."""
    return replace(other, aspect=made.aspect)


def design(split: str, number: int, seed: int = 1) -> Design:
    """Return one of the endless deck designs of a split."""
    rng = np.random.default_rng([seed, SPLITS.index(split), number])
    jumbo = rng.random() < 0.2
    rank = rng.uniform(0.15, 0.22) if jumbo else rng.uniform(0.075, 0.14)
    beside = bool(rng.random() < BESIDE[split])
    glyphs = str(rng.choice(SUIT_FONTS[split])) if rng.random() < 0.35 else None
    inverted = bool(rng.random() < INVERTED)
    family = str(rng.choice(list(JOKERS[split])))
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
        colours=_colours(rng, split, inverted),
        paper=_tone(rng, (26, 25, 28), 8) if inverted else _tone(rng, (249, 248, 245), 3),
        court=str(rng.choice(["own", "letele"])) if split == "train" else "own",
        frame=bool(rng.random() < 0.75),
        joker=str(rng.choice(JOKERS[split][family])),
        joker_family=family,
        pen=str(rng.choice(list(PENS[split]))) if rng.random() < STROKES else None,
        worn=rng.uniform(0, 1) ** 2,
        inverted=inverted,
    )
