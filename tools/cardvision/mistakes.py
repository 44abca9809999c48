"""Places that the detector takes for indices by mistake; the classifier learns to refuse them.

An index whose upward direction is wrong is such a mistake too.
"""

import json
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np

from scorekeeper.camera import pictures, recognition
from scorekeeper.camera.indices import Index
from tools.cardvision import dataset
from tools.cardvision.labels import Label

NEAR = 0.5
"""How far from an index, in its sizes, it may be found."""
TURNED = 0.5
"""The least cosine between two directions at which an index is found upright."""


def collect(folder: Path, split: str) -> None:
    """Write the mistakes of the present detector beside every scene of a split."""
    with ProcessPoolExecutor() as processes:
        for _ in processes.map(_collect, *zip(*dataset.read(folder, split), strict=True)):
            pass


def _collect(path: Path, facts: dict[str, Any]) -> None:
    labels = [Label(**label) for label in facts["labels"]]
    found = recognition.find(pictures.levelled(dataset.pixels(path)))
    wrong = [(*index.place, *index.up, index.size) for index in mistaken(found, labels)]
    _beside(path).write_text(json.dumps(np.round(wrong, 3).tolist()), encoding="utf-8")


def mistaken(found: Iterable[Index], labels: list[Label]) -> list[Index]:
    """Return those found indices that are none, or not upright."""
    return [index for index in found if not any(_is_at(index, label) for label in labels)]


def _is_at(index: Index, label: Label) -> bool:
    far = float(np.hypot(*(index.place - label.centre)))
    return far < NEAR * label.size and float(index.up @ label.up) > TURNED


def read(path: Path) -> list[Index]:
    """Return the mistakes in a scene; none if they were not collected."""
    if not _beside(path).exists():
        return []
    wrong = np.array(json.loads(_beside(path).read_text(encoding="utf-8"))).reshape(-1, 5)
    return [Index(row[:2], row[2:4], float(row[4]), row[:2], 1.0) for row in wrong]


def _beside(path: Path) -> Path:
    return path.with_suffix(".mistakes")
