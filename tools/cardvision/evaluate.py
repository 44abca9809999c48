"""Reads the cards of scenes on disk, of decks that were not trained on."""

from collections.abc import Iterator
from pathlib import Path

from scorekeeper.camera import pictures, recognition
from tools.cardvision import dataset
from tools.cardvision.counting import Outcome, judge


def outcomes(folder: Path, split: str) -> Iterator[Outcome]:
    """Yield the outcome of every scene of a split."""
    for path, facts in dataset.read(folder, split):
        picture = pictures.read(path.read_bytes())
        facts["path"] = str(path)
        yield judge(facts, recognition.seen(picture), (picture.shape[1], picture.shape[0]))
