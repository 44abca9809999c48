"""Decks that others drew, to measure with: of Debian's gnome-cards-data, under the GPL.

They are never trained on, and nothing of them gets into the package.
"""

import gzip
import io
from functools import lru_cache
from pathlib import Path

import numpy as np
from PIL import Image

from scorekeeper.camera.cards import RANKS
from scorekeeper.camera.indices import Pixels
from tools.cardvision.faces import WIDTH, Face, Index

DECKS = {
    "anglo": "international",
    "anglo_poker": "international",
    "guyenne-classic": "international",
    "neoclassical": "international",
    "paris": "international",
    "simplistic": "international",
    "atlasnye_skat": "german",
    "berlin": "german",
    "dondorf": "german",
    "rheinland": "german",
    "ancient_french": "french with 1",
}
ROWS = "CDHS"
COLUMNS, LINES = 13, 5
CORNER = (0.2, 0.3)
"""The part of a two in which nothing is printed but its index."""
EDGE = 0.022
INK = 170


@lru_cache(maxsize=1)
def deck(name: str, folder: Path) -> dict[str, Face]:
    """Return the cards of a deck without its jokers, which have no index in most of them."""
    import resvg_py

    (path,) = folder.rglob(f"cards/{name}.svgz")
    svg = gzip.decompress(path.read_bytes()).decode()
    png = bytes(resvg_py.svg_to_bytes(svg_string=svg, width=COLUMNS * WIDTH))
    sheet = Image.open(io.BytesIO(png)).convert("RGBA")
    cards = {
        rank + suit: _cell(sheet, x, y)
        for x, rank in enumerate(RANKS)
        for y, suit in enumerate(ROWS)
    }
    places = {suit: indices(cards["2" + suit]) for suit in ROWS}
    return {name: Face(name, pixels, places[name[-1]]) for name, pixels in cards.items()}


def _cell(sheet: Image.Image, x: int, y: int) -> Pixels:
    width, height = sheet.width / COLUMNS, sheet.height / LINES
    box = tuple(round(v) for v in (x * width, y * height, (x + 1) * width, (y + 1) * height))
    cell = sheet.crop((box[0], box[1], box[2], box[3]))
    cell = cell.crop(cell.getchannel("A").point(lambda v: 255 * (v > 128)).getbbox())
    size = (WIDTH, round(cell.height * WIDTH / cell.width))
    return np.asarray(cell.resize(size, Image.Resampling.BOX))


def indices(two: Pixels) -> list[Index]:
    """Find the indices of a card that has nothing else in its corners."""
    height, width = two.shape[:2]
    ink = (two[..., :3].min(-1) < INK) & (two[..., 3] > 200)
    edge = round(EDGE * width)
    corner = ink[edge : round(CORNER[1] * height), edge : round(CORNER[0] * width)]
    rows, columns = np.nonzero(corner)
    top, left = rows.min() + edge, columns.min() + edge
    high, wide = int(np.ptp(rows)) + 1, int(np.ptp(columns)) + 1
    x, y, size = left + wide / 2, top + high / 2, max(high, 1.4 * wide)
    places = [(x, y, True), (width - x, height - y, False)]
    if ink[top : top + high, width - left - wide : width - left].mean() > 0.1:
        places += [(width - x, y, True), (x, height - y, False)]
    return [Index((float(x), float(y)), float(size), upright) for x, y, upright in places]
