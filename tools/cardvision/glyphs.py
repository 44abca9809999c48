"""Ranks drawn by strokes: the skeleton of each character, and the pens that follow it.

Index faces of cards are made for cards, and few of them exist as fonts. A family of pens is used
either for training, for the threshold or for the test.
"""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from PIL import Image, ImageDraw

from scorekeeper.camera.indices import Pixels
from tools.cardvision.lettering import scaled

ROUND_O = "~ .5,0 .9,.17 1,.5 .9,.83 .5,1 .1,.83 0,.5 .1,.17 .5,0"
SQUARE_O = "~ .5,0 .85,.06 1,.3 1,.7 .85,.94 .5,1 .15,.94 0,.7 0,.3 .15,.06 .5,0"
BOWL = "~ {0} .5,.37 .87,.45 1,.68 .86,.92 .5,1 .15,.95 0,.8"
SKELETONS = {
    "0": (ROUND_O, SQUARE_O),
    "1": (
        "- .5,0 .5,1",
        "- .1,.24 .55,0 .55,1",
        "- .15,.2 .55,0 .55,1; - .1,1 1,1",
        "~ .1,.2 .35,.16 .55,0; - .55,0 .55,1; - .2,1 .9,1",
    ),
    "2": (
        "~ .02,.26 .15,.07 .5,0 .86,.08 .96,.28 .8,.52 .3,.82 0,1; - 0,1 1,1",
        "~ .05,.3 .1,.08 .5,0 .9,.08 .96,.3 .7,.6 .02,.98; ~ .02,.98 .3,.9 .65,1 .9,.98 1,.8",
    ),
    "3": (
        "~ .03,.22 .18,.05 .5,0 .86,.07 .94,.25 .8,.42 .38,.47;"
        " ~ .38,.47 .84,.53 1,.74 .86,.94 .5,1 .14,.95 0,.78",
        "- .05,0 .95,0 .4,.4; ~ .4,.4 .85,.47 1,.7 .86,.93 .5,1 .15,.96 0,.8",
        "- .05,.16 .05,0 .92,0 .35,.42; ~ .35,.42 .85,.47 1,.7 .86,.93 .5,1 .15,.96 0,.78",
    ),
    "4": (
        "- .75,1 .75,0 0,.7 1,.7",
        "- .3,0 0,.62 1,.62; - .72,.3 .72,1",
        "- .6,0 .6,1; - .6,0 0,.75 1,.75",
    ),
    "5": (
        "- .92,0 .15,0 .08,.46; " + BOWL.format(".08,.46"),
        "- .85,0 .12,0 .12,.44; " + BOWL.format(".12,.44"),
        "- .12,.44 .18,0 .5,.06 .9,0; " + BOWL.format(".12,.44"),
    ),
    "6": (
        "~ .93,.16 .72,.01 .4,.03 .1,.3 0,.66 .14,.93 .5,1 .86,.93 1,.69 .86,.46 .5,.38 .15,.46"
        " .02,.62",
        "~ .75,0 .35,.25 .08,.5 0,.72 .15,.94 .5,1 .85,.94 1,.7 .85,.48 .5,.42 .2,.46 .03,.64",
    ),
    "7": (
        "- 0,0 1,0 .35,1",
        "- .03,.2 .03,0 1,0 .4,1",
        "- 0,0 1,0; ~ 1,0 .6,.42 .42,1",
        "- 0,0 1,0 .4,1; - .3,.52 .85,.52",
    ),
    "8": (
        "~ .5,0 .86,.07 .93,.24 .8,.42 .5,.47 .2,.42 .07,.24 .14,.07 .5,0;"
        " ~ .5,.47 .86,.55 1,.74 .86,.94 .5,1 .14,.94 0,.74 .14,.55 .5,.47",
        "~ .5,0 .88,.1 .86,.3 .5,.48 .1,.66 .06,.9 .5,1 .94,.9 .9,.66 .5,.48 .14,.3 .12,.1 .5,0",
    ),
    "A": (
        "- 0,1 .5,0 1,1; - .18,.66 .82,.66",
        "- 0,1 .4,0 .6,0 1,1; - .2,.62 .8,.62",
        "~ 0,1 0,.4 .12,.1 .5,0 .88,.1 1,.4 1,1; - 0,.6 1,.6",
    ),
    "J": (
        "- .8,0 .8,.7; ~ .8,.7 .7,.93 .4,1 .1,.92 0,.7",
        "- .35,0 1,0; - .75,0 .75,.7; ~ .75,.7 .65,.93 .38,1 .1,.92 0,.72",
    ),
    "Q": (
        ROUND_O + "; - .58,.7 1,1.02",
        SQUARE_O + "; - .55,.66 .98,1.05",
        ROUND_O + "; ~ .5,1 .65,1.12 1,1.1",
        ROUND_O + "; ~ .2,.86 .45,.74 .7,.95 1.05,1",
    ),
    "K": (
        "- 0,0 0,1; - .95,0 0,.62; - .34,.4 1,1",
        "- 0,0 0,1; - .95,0 .05,.5 1,1",
        "- 0,0 0,1; ~ .95,0 .6,.34 .05,.5; ~ .05,.5 .6,.6 1,1",
    ),
    "B": (
        "- 0,0 0,1; - 0,0 .5,0; ~ .5,0 .82,.06 .92,.24 .8,.42 .5,.47; - 0,.47 .55,.47;"
        " ~ .55,.47 .88,.55 1,.74 .88,.93 .55,1; - .55,1 0,1",
    ),
    "D": ("- 0,0 0,1; - 0,0 .4,0; ~ .4,0 .8,.1 1,.5 .8,.9 .4,1; - .4,1 0,1",),
    "V": ("- 0,0 .5,1 1,0", "- 0,0 .42,1 .58,1 1,0"),
    "R": (
        "- 0,0 0,1; - 0,0 .5,0; ~ .5,0 .86,.08 .95,.27 .84,.46 .5,.53; - .5,.53 0,.53;"
        " - .45,.53 1,1",
    ),
}
"""The strokes of each character in several forms, in a box of 1 by 1: ``-`` goes straight from
point to point, ``~`` in curves."""
NARROW = {"1": 0.5, "J": 0.8}
HIGH, EDGE = 200, 70
POINTS = 7
"""Points of a curve between two of its skeleton."""
SHAKEN = 0.018
"""How much the points of a skeleton differ between decks."""


@dataclass(frozen=True)
class Pen:
    """What a family of pens has in common; ranges from which each deck has one value."""

    corners: int
    """A nib of 4 corners ends lines flat, one of many ends them round."""
    thin: tuple[float, float]
    """The height of the nib, as a factor of its width: how thin lines across are."""
    serif: tuple[float, float] = (0, 0)
    """How far lines go on at both sides of their ends, in widths of the nib."""
    wide: tuple[float, float] = (0.5, 0.7)
    turn: float = 0
    """The angle of the nib in degrees."""
    bold: tuple[float, float] = (0.09, 0.22)


ROUND, FLAT = 12, 4
PENS = {
    "train": {
        "round": Pen(ROUND, (0.85, 1)),
        "flat": Pen(FLAT, (0.7, 1)),
        "broad": Pen(FLAT, (0.3, 0.6)),
        "slab": Pen(FLAT, (0.6, 1), (0.8, 1.4)),
        "soft slab": Pen(ROUND, (0.5, 0.9), (0.6, 1.2)),
        "fine serif": Pen(FLAT, (0.2, 0.4), (0.6, 1.3)),
        "wide": Pen(FLAT, (0.5, 1), wide=(0.8, 1.15)),
        "slanted": Pen(FLAT, (0.3, 0.6), turn=-25),
    },
    "check": {
        "wide round": Pen(ROUND, (0.7, 1), wide=(0.8, 1.1)),
        "slanted slab": Pen(FLAT, (0.4, 0.7), (0.6, 1.1), turn=-15),
    },
    "test": {
        "wide slab": Pen(FLAT, (0.45, 0.8), (0.6, 1.2), (0.8, 1.15)),
        "oval": Pen(ROUND, (0.3, 0.55)),
        "brush": Pen(ROUND, (0.3, 0.55), turn=-35),
    },
}


def word(split: str, family: str, seed: int, text: str, height: int) -> Image.Image:
    """Return the characters of a rank as a deck has them; a seed stands for one deck."""
    rng = np.random.default_rng(seed)
    pen = PENS[split][family]
    bold, thin, serif, wide = (rng.uniform(*v) for v in (pen.bold, pen.thin, pen.serif, pen.wide))
    apart = rng.uniform(0.5, 2.2) * bold  # below 1, the characters of the 10 are joined
    nib = _nib(pen, bold * HIGH, thin)
    image = Image.new("L", (2 * EDGE + 3 * HIGH, 2 * EDGE + round(1.2 * HIGH)))
    draw, x = ImageDraw.Draw(image), 0.0
    for character in text:
        across = wide * NARROW.get(character, 0.85 if len(text) > 1 else 1)
        for line in skeleton(character, seed):
            points = EDGE + HIGH * (line * (across, 1) + (x, 0))
            _follow(draw, points, nib)
            if serif:
                _serifs(draw, points, serif * bold * HIGH, thin * bold * HIGH)
        x += across + apart
    return scaled(image, height)


def skeleton(character: str, seed: int) -> list[Pixels]:
    """Return the lines of a character as a deck has them."""
    if character == "9":
        return [1 - line for line in skeleton("6", seed)]
    rng = np.random.default_rng([seed, ord(character)])
    forms = SKELETONS[character]
    strokes = forms[int(rng.integers(len(forms)))].split(";")
    shaken: dict[str, Pixels] = {}  # what meets in a point still does
    lines = []
    for stroke in strokes:
        kind, *points = stroke.split()
        for point in points:
            if point not in shaken:
                place = np.array([float(v) for v in point.split(",")])
                shaken[point] = place + rng.normal(0, SHAKEN, 2) * (place % 1 != 0)
        lines.append(_dense(np.array([shaken[point] for point in points]), kind == "~"))
    return lines


def _dense(points: Pixels, curved: bool) -> Pixels:
    """Return a line through points, in curves (those of Catmull and Rom) with many more."""
    if not curved:
        return points
    t = np.linspace(0, 1, POINTS)[:, None]
    closed = (points[0] == points[-1]).all()
    first, last = (points[-2], points[1]) if closed else (points[0], points[-1])
    way = np.concatenate([[first], points, [last]])
    return np.concatenate([
        0.5 * (2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t**2
               + (3 * b - a - 3 * c + d) * t**3)
        for a, b, c, d in zip(way, way[1:], way[2:], way[3:], strict=False)
    ])  # fmt: skip


def _nib(pen: Pen, width: float, thin: float) -> Pixels:
    turns = (np.arange(pen.corners) + 0.5) * 2 * np.pi / pen.corners
    reach = width / 2 / np.cos(np.pi / pen.corners)
    nib = np.stack([reach * np.cos(turns), thin * reach * np.sin(turns)], 1)
    cosine, sine = np.cos(np.radians(pen.turn)), np.sin(np.radians(pen.turn))
    turned: Pixels = nib @ np.array([[cosine, sine], [-sine, cosine]])
    return turned


def _follow(draw: ImageDraw.ImageDraw, points: Pixels, nib: Pixels) -> None:
    """Draw what a nib covers between neighbouring points: a band for each of its edges."""
    for a, b in pairwise(points):
        for p, q in zip(nib, np.roll(nib, 1, 0), strict=True):
            draw.polygon([tuple(v) for v in (a + p, a + q, b + q, b + p)], 255)
    for point in points:
        draw.polygon([tuple(v) for v in point + nib], 255)


def _serifs(draw: ImageDraw.ImageDraw, points: Pixels, reach: float, thick: float) -> None:
    """End lines that come from above or below with a bar."""
    for end, before in ((points[0], points[1]), (points[-1], points[-2])):
        at_edge = min(abs(end[1] - EDGE), abs(end[1] - EDGE - HIGH)) < 1
        if at_edge and abs(end[1] - before[1]) > abs(end[0] - before[0]):
            (x, y), half = end, thick / 2
            draw.rectangle([x - reach, y - half, x + reach, y + half], 255)
