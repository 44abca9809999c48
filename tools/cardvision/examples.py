"""Scenes on disk as the networks learn from them."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from scorekeeper.camera.indices import Index, Pixels
from scorekeeper.camera.pictures import levelled
from tools.cardvision import dataset, mistakes
from tools.cardvision.designs import Rng
from tools.cardvision.labels import Label

SEEN = 0.33
"""An index is looked for if this much of it shows."""


@dataclass(frozen=True)
class Example:
    """A picture, its indices, and what the detector took for indices by mistake."""

    picture: Pixels
    labels: list[Label]
    mistaken: list[Index]


class Examples:
    """The scenes of a split; their pictures stay in memory as they are on disk."""

    def __init__(self, folder: Path, split: str) -> None:
        self._items = [
            (path.read_bytes(), [Label(**label) for label in facts["labels"]], mistakes.read(path))
            for path, facts in dataset.read(folder, split)
        ]
        self._threads = ThreadPoolExecutor()

    def draw(self, rng: Rng, count: int) -> list[Example]:
        """Return some of them."""
        return list(self._threads.map(self._example, rng.integers(len(self._items), size=count)))

    def _example(self, number: int) -> Example:
        data, labels, mistaken = self._items[int(number)]
        picture = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
        return Example(levelled(np.ascontiguousarray(picture[..., ::-1])), labels, mistaken)
