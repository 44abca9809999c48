"""Indices: the corners of cards that say what the card is, and how the networks see them."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt
from PIL import Image

Pixels = npt.NDArray[Any]
"""A picture, or any array of more than one dimension."""
Vector = npt.NDArray[Any]

LONGEST = 1152
"""The longer side of what the detector sees at first."""
MOST_PIXELS = LONGEST**2 * 3 // 4
SMALL = 26
"""Indices that are less high in what the detector sees are looked at again, enlarged."""
ENLARGED = 1.7
"""The largest factor; pictures do not become clearer by it."""
SURROUNDINGS, OVERLAP = 5, 2
"""How much more than the places of the indices is then enlarged, and how much two views of the same
picture have in common, in sizes of an index. A card is some ten sizes high."""
STRIDE = 4
BLOCK = 16
"""Its sides are multiples of this."""
REACH = 64.0
UNIT = 32.0
"""The detector says how large an index is as a factor of this, and how far away the middle of its
card is in units of ``REACH`` pixels."""
PATCH = (40, 56)
"""Width and height of what the classifier sees."""
MARGIN = 1.25
"""The height of a patch, in sizes of its index."""
HEAT = 0.3
"""The least heat of an index."""
APART = (0.3, 0.7)
"""How far two indices are from each other at least across or along, in sizes of one. Where cards
with large indices overlap, these are close beside each other; an index found twice is rather found
above and below its middle."""
MOST = 240
"""More indices than the cards of two packs can show."""


@dataclass(frozen=True)
class Index:
    """An index in a picture: its place, its upward direction, its size, the middle of its card."""

    place: Vector
    up: Vector
    size: float
    middle: Vector
    heat: float
    seen: float = np.inf
    """Its size in the view in which it was found."""

    def moved(self, by: Vector) -> "Index":
        """Return the index in a picture that has more to the left and above."""
        return replace(self, place=self.place + by, middle=self.middle + by)

    def scaled(self, factor: float) -> "Index":
        """Return the index in a picture of another size."""
        place, middle = self.place * factor, self.middle * factor
        return replace(self, place=place, size=self.size * factor, middle=middle)

    def grown(self, factor: float) -> "Index":
        """Return the index as if it was larger by a factor."""
        return replace(self, size=self.size * factor)


def padded(picture: Pixels) -> Pixels:
    """Return the input of the detector: a batch of one picture with suitable sides."""
    height, width = picture.shape[:2]
    edges = [(0, -height % BLOCK), (0, -width % BLOCK), (0, 0)]
    whole = np.pad(picture, edges, mode="edge").transpose(2, 0, 1)[None]
    values = whole.astype(np.float32, order="C")
    values /= 255  # in place: a copy would take as much memory as a layer of the network
    values -= 0.5
    return values


@dataclass(frozen=True)
class View:
    """A part of a picture, and the factor by which the detector sees it smaller."""

    left: int
    top: int
    right: int
    bottom: int
    factor: float


def first_view(picture: Pixels) -> View:
    """Return the view of a whole picture, reduced to what the detector sees at a time."""
    height, width = picture.shape[:2]
    return View(0, 0, width, height, max(1.0, max(width, height) / LONGEST))


def more_views(first: View, found: list[Index]) -> list[View]:
    """Return the views for what the first one may have missed, if there are any.

    Small indices are enlarged. Otherwise the picture is reduced, because the indices of cards near
    the camera are larger than those the detector has learned.
    """
    size = float(np.median([index.size for index in found])) if found else np.inf
    if size < SMALL * first.factor:
        places = np.array([index.place for index in found])
        low = np.maximum(0, places.min(0) - SURROUNDINGS * size)
        high = np.minimum((first.right, first.bottom), places.max(0) + SURROUNDINGS * size)
        larger = min(ENLARGED, float((2 * MOST_PIXELS / np.prod(high - low)) ** 0.5))
        left, top, right, bottom = (int(edge) for edge in (*low, *high))
        return _halves(View(left, top, right, bottom, 1 / larger), OVERLAP * size)
    reduced = replace(first, factor=max(1.0, max(first.right, first.bottom) / LONGEST * 2))
    return [reduced] if reduced != first else []


def _halves(view: View, overlap: float) -> list[View]:
    """Return a view, or two if the detector cannot see it at a time."""
    width, height = view.right - view.left, view.bottom - view.top
    if width * height <= MOST_PIXELS * view.factor**2:
        return [view]
    if width > height:
        middle, more = (view.left + view.right) // 2, round(overlap / 2)
        return [replace(view, right=middle + more), replace(view, left=middle - more)]
    middle, more = (view.top + view.bottom) // 2, round(overlap / 2)
    return [replace(view, bottom=middle + more), replace(view, top=middle - more)]


def likelihood(values: Pixels) -> Pixels:
    """Return the likelihoods that a network gives as values of any size."""
    chances: Pixels = 1 / (1 + np.exp(-np.clip(values, -50, 50)))
    return chances


def peaks(maps: Pixels) -> list[Index]:
    """Return the indices in the maps of the detector, some of them twice."""
    heat = likelihood(maps[0])
    edged = np.pad(heat, 1)
    height, width = heat.shape
    around = [edged[y : y + height, x : x + width] for y in range(3) for x in range(3)]
    rows, columns = np.nonzero((heat >= np.max(around, 0)) & (heat > HEAT))
    order = np.argsort(-heat[rows, columns], kind="stable")[:MOST]
    return [
        _index(maps, edged, int(row), int(column))
        for row, column in zip(rows[order], columns[order], strict=True)
    ]


def distinct(found: Iterable[Index]) -> list[Index]:
    """Return the best of the indices found in each place, the best first.

    The hottest is the best, but what is small in its view has a less exact place and direction.
    """
    best = sorted(found, key=lambda index: (index.seen < SMALL, -index.heat))
    if not best:
        return []
    near = _near(best)
    kept: list[int] = []
    for number in range(len(best)):
        if not near[kept, number].any():
            kept.append(number)
    return [best[number] for number in kept[:MOST]]


def _near(indices: list[Index]) -> Pixels:
    """Return a matrix: whether the index of a column is in the place of that of a row."""
    place = np.array([index.place for index in indices])
    up = np.array([index.up for index in indices])[:, None]
    way = (place - place[:, None]) / np.array([index.size for index in indices])[:, None, None]
    across, along = way[..., 0] * up[..., 1] - way[..., 1] * up[..., 0], (way * up).sum(-1)
    near: Pixels = np.hypot(across / APART[0], along / APART[1]) <= 1
    return near


def _index(maps: Pixels, edged: Pixels, row: int, column: int) -> Index:
    weights = edged[row : row + 3, column : column + 3] ** 2
    weights = weights / weights.sum()
    shift = np.array([(weights * [-1, 0, 1]).sum(), (weights.T * [-1, 0, 1]).sum()])
    cell = np.array([column + 0.5, row + 0.5])
    up_x, up_y, log_size, *middle = maps[1:, row, column]
    size = UNIT * float(np.exp(np.clip(log_size, -3, 3)))
    up = np.array([up_x, up_y]) / max(1e-6, float(np.hypot(up_x, up_y)))
    return Index(
        place=(cell + shift) * STRIDE,
        up=up,
        size=size,
        middle=cell * STRIDE + np.array(middle) * REACH,
        heat=float(edged[row + 1, column + 1]),
        seen=size,
    )


def patches(picture: Pixels, indices: list[Index]) -> Pixels:
    """Return the input of the classifier: the indices, upright."""
    levels = [picture]
    cut = [_patch(levels, index) for index in indices]
    values = np.stack(cut).astype(np.float32) / 255 - 0.5
    return np.ascontiguousarray(values.transpose(0, 3, 1, 2))


def _patch(levels: list[Pixels], index: Index) -> Pixels:
    width, height = PATCH
    step = index.size * MARGIN / height
    level = max(0, round(float(np.log2(max(step, 1e-6)))))
    while len(levels) <= level and min(levels[-1].shape[:2]) > 1:
        levels.append(np.asarray(Image.fromarray(levels[-1]).reduce(2)))
    level = min(level, len(levels) - 1)
    source, step, place = levels[level], step / 2**level, (index.place + 0.5) / 2**level - 0.5
    right = np.array([-index.up[1], index.up[0]])
    across = (np.arange(width) - (width - 1) / 2)[None, :, None] * right
    down = (np.arange(height) - (height - 1) / 2)[:, None, None] * -index.up
    return _sampled(source, place + step * (across + down))


def _sampled(picture: Pixels, places: Pixels) -> Pixels:
    """Return the colours of a picture between its pixels."""
    limit = np.array([picture.shape[1], picture.shape[0]]) - 1.0
    places = np.clip(places, 0, limit)
    low = np.minimum(np.floor(places), np.maximum(limit - 1, 0)).astype(int)
    share = places - low
    (x, y), (right, down) = np.moveaxis(low, -1, 0), np.moveaxis(share, -1, 0)[..., None]
    next_x, next_y = np.minimum(x + 1, int(limit[0])), np.minimum(y + 1, int(limit[1]))
    above = picture[y, x] * (1 - right) + picture[y, next_x] * right
    below = picture[next_y, x] * (1 - right) + picture[next_y, next_x] * right
    sampled: Pixels = above * (1 - down) + below * down
    return sampled
