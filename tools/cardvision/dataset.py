"""Writes scenes to disk and reads them again.

A scene follows from its split and number alone, so a folder can be continued or made again.
"""

import json
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from tools.cardvision import assets, designs, faces, others, scenes

Deck = dict[str, faces.Face]

PER_DESIGN = 8
MIXED = 2
"""Of so many decks for training, one has cards of many designs: kinds of jokers and of ranks are
rare, and there are fewer decks than scenes."""
SPLITS = (*designs.SPLITS, "others")
SIZES = [(1024, 768), (768, 1024), (1152, 864), (1280, 960)]
SHARES = [0.45, 0.2, 0.2, 0.15]


def make(split: str, count: int, folder: Path, drawn_with: Path) -> Iterator[int]:
    """Write the scenes of a split that are not there yet; yield the number of those there are."""
    (folder / split).mkdir(parents=True, exist_ok=True)
    decks = [range(first, min(first + PER_DESIGN, count)) for first in range(0, count, PER_DESIGN)]
    with ProcessPoolExecutor() as processes:
        of_deck = partial(_of_deck, split, folder / split, drawn_with)
        for numbers, _ in zip(decks, processes.map(of_deck, decks), strict=True):
            yield numbers.stop


def _of_deck(split: str, folder: Path, drawn_with: Path, numbers: range) -> None:
    """Write the scenes with these numbers, which show one deck."""
    missing = [n for n in numbers if not (folder / f"{n:06}.json").exists()]
    if not missing:
        return
    facts, deck = _deck(split, numbers.start // PER_DESIGN, drawn_with)
    fonts = assets.prints(drawn_with / "fonts", "test" if split == "others" else split)
    for number in missing:
        rng = np.random.default_rng([7, SPLITS.index(split), number])
        size = SIZES[int(rng.choice(len(SIZES), p=SHARES))]
        scene = scenes.compose(rng, deck, size, fonts)
        write(folder / f"{number:06}.jpg", rng, scene, facts)


def _deck(split: str, number: int, drawn_with: Path) -> tuple[dict[str, Any], Deck]:
    """Return a deck, how its court cards are called, and how many indices a card has if known."""
    if split == "others":
        name = list(others.DECKS)[number % len(others.DECKS)]
        return {"letters": others.DECKS[name]}, others.deck(name, drawn_with / "others")
    fonts, letele = drawn_with / "fonts", drawn_with / "letele"
    if split == "train" and number % MIXED == 0:
        return {"letters": "mixed"}, faces.mixed(split, number, fonts, letele)
    design = designs.design(split, number)
    facts = {
        "letters": design.letters,
        "corners": design.corners,
        "glyphs": design.pen or "fonts",
        "joker": design.joker_family,
        "print": "inverted" if design.inverted else "usual",
    }
    return facts, faces.deck(design, fonts, letele)


def write(path: Path, rng: np.random.Generator, scene: scenes.Scene, facts: Any) -> None:
    """Write a scene as JPEG with its facts beside it."""
    quality = [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(55, 95))]
    cv2.imwrite(str(path), np.ascontiguousarray(scene.pixels[..., ::-1]), quality)
    path.with_suffix(".json").write_text(json.dumps(scene.facts() | facts), encoding="utf-8")


def read(folder: Path, split: str) -> list[tuple[Path, dict[str, Any]]]:
    """Return the pictures of a split with their facts."""
    paths = sorted((folder / split).glob("*.json"))
    return [(p.with_suffix(".jpg"), json.loads(p.read_text(encoding="utf-8"))) for p in paths]


def pixels(path: Path) -> Any:
    """Read a picture as RGB."""
    return np.ascontiguousarray(cv2.imread(str(path))[..., ::-1])
