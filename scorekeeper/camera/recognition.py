"""Reads cards in a photograph: a network finds their indices, another reads them."""

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from scorekeeper.camera import cards, indices, pictures

WEIGHTS = Path(__file__).with_name("weights")
THRESHOLD = WEIGHTS / "threshold.txt"
VIEWS = (0.92, 1.08)
"""Every index is read twice, a little larger and a little smaller than it was found to be: the
mean of both is right more often than one reading."""


@cache
def _network(name: str) -> Any:
    import onnxruntime  # only where somebody takes a photograph

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.enable_cpu_mem_arena = False
    options.log_severity_level = 3
    # Without the layouts of one kind of processor: they take a fifth more memory, and no less time.
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_EXTENDED
    path = str(WEIGHTS / f"{name}.onnx")
    return onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])


def _run(name: str, values: Any) -> Any:
    try:
        network = _network(name)
        return network.run(None, {network.get_inputs()[0].name: values})[0]
    except Exception as error:  # onnxruntime has a class of its own for each of its failures
        if "bad_alloc" in str(error):
            raise MemoryError from error
        raise


def find(picture: indices.Pixels) -> list[indices.Index]:
    """Return the indices in a picture."""
    factors = {max(1.0, max(picture.shape[:2]) / longest) for longest in indices.LONGEST}
    return indices.distinct(chain.from_iterable(_find(picture, one) for one in sorted(factors)))


def _find(picture: indices.Pixels, factor: float) -> Iterator[indices.Index]:
    """Yield the indices in a picture as the detector sees them if it is smaller by a factor."""
    height, width = picture.shape[:2]
    small = Image.fromarray(picture)
    if factor > 1:
        size = (max(1, round(width / factor)), max(1, round(height / factor)))
        small = small.resize(size, Image.Resampling.BOX)
    maps = _run("detector", indices.padded(np.asarray(small)))[0]
    return (index.scaled(factor) for index in indices.peaks(maps))


def read(picture: indices.Pixels) -> list[cards.Reading]:
    """Return what the indices in a picture say."""
    found = find(picture)
    if not found:
        return []
    views = [[index.grown(factor) for index in found] for factor in VIEWS]
    values = [_run("classifier", indices.patches(picture, view)) for view in views]
    return cards.readings(found, np.mean(values, 0))


def seen(picture: indices.Pixels, copies: Sequence[int] | None = None) -> list[cards.Seen]:
    """Return the cards in a picture; ``copies`` as in ``cards.grouped``."""
    size = (picture.shape[1], picture.shape[0])
    return cards.named(cards.grouped(read(picture), copies), size, copies)


def recognise(data: bytes, copies: Sequence[int] | None = None) -> list[list[cards.Seen]]:
    """Return the cards in a photograph in reading order, row by row."""
    return cards.rows(seen(pictures.read(data), copies))


@cache
def threshold() -> float:
    """Return how sure a card must be not to be asked for; chosen for these weights."""
    return float(THRESHOLD.read_text(encoding="ascii"))
