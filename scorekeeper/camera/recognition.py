"""Reads cards in a photograph: a network finds their indices, another reads them."""

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from scorekeeper.camera import cards, indices, pictures

WEIGHTS = Path(__file__).with_name("weights")
THRESHOLD = WEIGHTS / "threshold.txt"
SURE = 0.9
VIEWS = (0.84, 1.16)
"""An index that is less sure is read twice more, larger and smaller than it was found to be: the
mean is right more often than one reading. That concerns one index in six."""

HARDLY_ANY = 2
"""A card that lies whole in the picture has as many indices."""


@cache
def _network(name: str) -> Any:
    import onnxruntime  # only where somebody takes a photograph

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.enable_cpu_mem_arena = False
    options.log_severity_level = 3
    # ORT_ENABLE_ALL would arrange data for this processor: that takes up to two thirds more memory
    # and saves at most a seventh of the time.
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
    """Return the indices in a picture, which is looked at more than once."""
    first = indices.first_view(picture)
    found = _find(picture, first)
    for view in indices.more_views(first, found):
        found += _find(picture, view)
    return indices.distinct(found)


def _find(picture: indices.Pixels, view: indices.View) -> list[indices.Index]:
    """Return the indices that the detector sees in a view of a picture."""
    part = Image.fromarray(picture[view.top : view.bottom, view.left : view.right])
    if view.factor != 1:
        width, height = (max(1, round(side / view.factor)) for side in part.size)
        smooth = Image.Resampling.BOX if view.factor > 1 else Image.Resampling.BICUBIC
        part = part.resize((width, height), smooth)
    maps = _run("detector", indices.padded(np.asarray(part)))[0]
    corner = np.array([view.left, view.top])
    return [index.scaled(view.factor).moved(corner) for index in indices.peaks(maps)]


def read(picture: indices.Pixels) -> list[cards.Reading]:
    """Return what the indices in a picture say.

    The networks know cards with dark print on bright paper. Where hardly any are, there may be
    others that look so in the negative.
    """
    found = _read(picture)
    if len(found) >= HARDLY_ANY:
        return found
    return max(found, _read(pictures.negative(picture)), key=len)


def _read(picture: indices.Pixels) -> list[cards.Reading]:
    found = find(picture)
    if not found:
        return []
    values = _run("classifier", indices.patches(picture, found))
    unsure = np.flatnonzero(cards.sureness(values) < SURE)
    if unsure.size:
        views = [[found[n].grown(factor) for n in unsure] for factor in VIEWS]
        more = [_run("classifier", indices.patches(picture, view)) for view in views]
        values[unsure] = np.mean([values[unsure], *more], 0)
    return cards.readings(found, values)


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
