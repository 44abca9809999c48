"""What the classifier learns from: indices cut out of scenes, and places that show none.

They are cut out one by one, with what is around them (``gather``), and turned into patches as the
classifier may get to see them, many at a time (``batch``).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import TypeVar

import cv2
import numpy as np
import torch
from torch import Tensor

from scorekeeper.camera.cards import JOKER, SUITS
from scorekeeper.camera.indices import MARGIN, PATCH, Index, Pixels
from tools.cardvision.designs import Rng
from tools.cardvision.effects import (
    blurred,
    chosen,
    compressed,
    each,
    noisy,
    sampled,
    thickened,
    uniform,
)
from tools.cardvision.examples import SEEN, Example
from tools.cardvision.labels import Label
from tools.cardvision.nets import CLASSES

SIDE = 144
"""The side of a cutting."""
SMALLEST, FAR, LARGEST = 8.0, 36.0, 56.0
"""The smallest index to read, the largest one seen from farther away, and the size to which larger
ones are reduced."""
SLIVER = 0.2
"""An index of which less shows is no index."""
CARDS, ELSEWHERE, MISTAKEN = 6, 2, 6
"""The most indices of a scene that are not of jokers, how many places that show none, and the most
places that the detector took for indices."""
NO_INDEX = (0, len(SUITS), 0)
NUDGED = 16
"""How far cuttings are moved, so that what JPEG does to an index is not always the same."""
SMALLER_SIDE, ROOM = 80, 4.0
"""The side of a cutting seen from farther away, and how far its index is from its middle."""
BLURRED, NOISY, DARK, COMPRESSED, BOLDER = 0.3, 0.25, 0.15, 0.4, 0.3
"""Shares of the indices that are less sharp, noisy, in the dark, compressed, and printed with
thicker or thinner lines."""
SKEW, SKEWED, GROWN = (0.09, 0.35), 0.25, 0.2
"""The errors of direction in radians, of most indices and of a share of them, and the largest error
of size as a logarithm. The detector makes such errors about cards that lie askew."""
WIDER, SLANTED = 0.06, 0.05
"""How much letters are made wider or narrower, as a logarithm, and slanted: there are more fonts
than those of the scenes."""
OF_WORD = 0.4
"""The share of jokers of which the detector finds a part of the word only."""
T = TypeVar("T")


@dataclass(frozen=True)
class Cutting:
    """A part of a picture with a place in its middle: an index, or one that shows none."""

    picture: Pixels
    place: Index
    said: tuple[int, int, int]
    """Its rank, its suit (4 for jokers and no index), and whether it is an index."""


def cuttings(rng: Rng, example: Example) -> list[Cutting]:
    """Return what the classifier learns from an example."""
    shown = [label for label in example.labels if label.visible > SEEN and label.size > SMALLEST]
    jokers = [label for label in shown if label.name.startswith(JOKER)]
    others = [label for label in shown if not label.name.startswith(JOKER)]
    slivers = [label for label in example.labels if label.visible < SLIVER]
    labels = [*jokers, *_some(rng, others, CARDS)]
    places = [_sliver(rng, label, example.labels) for label in _some(rng, slivers, 1)]
    places += [_elsewhere(rng, example.labels) for _ in range(ELSEWHERE if example.labels else 0)]
    places += _some(rng, example.mistaken, MISTAKEN)
    return [
        *(cut(example.picture, index_of(label), said_of(label)) for label in labels),
        *(cut(example.picture, place, NO_INDEX) for place in places if place),
    ]


def cut(picture: Pixels, index: Index, what: tuple[int, int, int]) -> Cutting:
    """Return the surroundings of an index, no larger than the classifier needs them."""
    side = max(SIDE, math.ceil(SIDE * index.size / LARGEST))
    low = np.floor(index.place).astype(int) - (side // 2 - 1)
    middle = low + (side - 1) / 2
    part = cv2.getRectSubPix(picture, (side, side), middle.tolist())  # edges go on beyond
    factor = SIDE / side
    if factor < 1:
        part = cv2.resize(part, (SIDE, SIDE), interpolation=cv2.INTER_AREA)
    middles = np.full(2, factor / 2 - 0.5)  # places are the middles of pixels
    return Cutting(part, index.moved(-low).scaled(factor).moved(middles), what)


def index_of(label: Label) -> Index:
    """Return the index that a label is about."""
    return _index(np.array(label.centre), np.array(label.up), label.size)


def said_of(label: Label) -> tuple[int, int, int]:
    """Return what the classifier shall say about a label."""
    if label.name.startswith(JOKER):
        return CLASSES.index(JOKER), len(SUITS), 1
    return CLASSES.index(label.name[:-1]), SUITS.index(label.name[-1]), 1


def _index(place: Pixels, up: Pixels, size: float) -> Index:
    return Index(place, up, size, middle=place, heat=1.0)


def _some(rng: Rng, values: Sequence[T], most: int) -> list[T]:
    return [values[int(n)] for n in rng.permutation(len(values))[:most]]


def _elsewhere(rng: Rng, labels: list[Label]) -> Index | None:
    """Return what is no index: a pip, a court, the table, an index turned or cut."""
    near = labels[int(rng.integers(len(labels)))]
    far = rng.uniform(0.7, 4) if rng.random() < 0.75 else 30
    turn = rng.uniform(0, 2 * np.pi)
    place = np.array(near.centre) + far * near.size * np.array([np.cos(turn), np.sin(turn)])
    if not _is_free(place, labels):
        return None
    up = np.array(near.up) if rng.random() < 0.6 else np.array([np.sin(turn), np.cos(turn)])
    return _index(place, up, near.size * float(np.exp(rng.normal(0, 0.3))))


def _sliver(rng: Rng, covered: Label, labels: list[Label]) -> Index | None:
    """Return an index that is nearly covered: part of a letter looks like the word on a joker."""
    place = covered.centre + rng.normal(0, 0.2, 2) * covered.size
    shown = [label for label in labels if label.visible >= SLIVER]
    return _index(place, np.array(covered.up), covered.size) if _is_free(place, shown) else None


def _is_free(place: Pixels, labels: list[Label]) -> bool:
    return all(np.hypot(*(place - v.centre)) >= 0.55 * v.size for v in labels)


# ---- many at a time --------------------------------------------------------------------


@dataclass(frozen=True)
class Cuttings:
    """Many cuttings: their pictures, where and how large their indices are, and what they say."""

    pictures: Tensor
    places: Tensor
    sizes: Tensor
    ups: Tensor
    says: Tensor

    def part(self, which: Tensor) -> "Cuttings":
        """Return some of them."""
        return Cuttings(*(getattr(self, field.name)[which] for field in fields(self)))

    def to(self, device: str) -> "Cuttings":
        """Return them on a device."""
        return Cuttings(*(getattr(self, field.name).to(device) for field in fields(self)))


def gather(rng: Rng, examples: list[Example]) -> Cuttings:
    """Return what is cut out of examples."""
    return together([cutting for example in examples for cutting in cuttings(rng, example)])


def together(cuttings: list[Cutting]) -> Cuttings:
    """Return cuttings as tensors."""
    places = [cutting.place for cutting in cuttings]
    values = (
        np.stack([cutting.picture for cutting in cuttings]),
        np.array([index.place for index in places], np.float32),
        np.array([index.size for index in places], np.float32),
        np.array([index.up for index in places], np.float32),
        np.array([cutting.said for cutting in cuttings]),
    )
    return Cuttings(*(torch.from_numpy(value) for value in values))


def batch(cut: Cuttings) -> tuple[Tensor, ...]:
    """Return what the classifier may see, and the rank, the suit and whether it is an index."""
    order = torch.randperm(len(cut.sizes))
    half = len(order) // 2
    far, near = _farther(cut.part(order[:half])), _nudged(cut.part(order[half:]))
    values = torch.cat([_upright(_worse(far)), _upright(_worse(near))]) / 255
    gain = uniform(0.7, 1.3, len(values), 3, 1, 1)
    mean = gain.mean(1, keepdim=True)
    lift = uniform(-0.08, 0.08, len(values), 1, 1, 1)
    values = (values * (mean + (gain - mean) / 4) + lift).clamp(0, 1) - 0.5
    return (values, *cut.says[order].T)


def _pictures(cut: Cuttings) -> Tensor:
    pictures = cut.pictures.permute(0, 3, 1, 2).float()
    shares = uniform(-0.6, 0.6, len(pictures)) * chosen(BOLDER, len(pictures))
    return thickened(pictures, shares)


def _farther(cut: Cuttings) -> Cuttings:
    """Return cuttings as if the camera had been farther away."""
    most = cut.sizes.clamp(SMALLEST, FAR).log()
    sizes = uniform(math.log(SMALLEST), most, len(most)).exp().minimum(cut.sizes)
    factor = (sizes / cut.sizes)[:, None]
    nudge = uniform(-ROOM, ROOM, len(most), 2)
    steps = torch.eye(2) / factor[..., None]
    pictures = sampled(
        _pictures(cut),
        cut.places + nudge / factor,
        (steps[:, 0], steps[:, 1]),
        (SMALLER_SIDE, SMALLER_SIDE),
        fine=3,
    )
    return Cuttings(pictures, (SMALLER_SIDE - 1) / 2 - nudge, sizes, cut.ups, cut.says)


def _nudged(cut: Cuttings) -> Cuttings:
    """Return cuttings whose indices are no longer in their middle."""
    x, y = (int(n) for n in torch.randint(NUDGED + 1, (2,)))
    side = SIDE - NUDGED
    pictures = _pictures(cut)[:, :, y : y + side, x : x + side]
    return Cuttings(pictures, cut.places - torch.tensor([x, y]), cut.sizes, cut.ups, cut.says)


def _worse(cut: Cuttings) -> Cuttings:
    """Return some cuttings less sharp, darker and made bright again, noisy, and compressed."""
    pictures, count = cut.pictures.clone(), len(cut.sizes)
    some = chosen(BLURRED, count)
    widest = (cut.sizes[some] / 15).clamp(0.5, 1.5)
    pictures[some] = blurred(pictures[some], uniform(0.3, widest, len(widest)))
    dark = chosen(DARK, count)
    gain = torch.where(dark, uniform(1.5, 4, count), 1.0)
    loud = dark | chosen(NOISY, count)
    pictures = noisy(pictures / each(gain), uniform(0, 6, count) * loud).round()
    some = chosen(COMPRESSED, count)
    pictures[some] = compressed(pictures[some], uniform(40, 95, int(some.sum())))
    return Cuttings((pictures * each(gain)).clamp(0, 255), cut.places, cut.sizes, cut.ups, cut.says)


def _upright(cut: Cuttings) -> Tensor:
    """Return patches, as inexact as the detector finds indices."""
    count, size = len(cut.sizes), cut.sizes[:, None]
    skew = torch.where(chosen(SKEWED, count), SKEW[1], SKEW[0])
    angle = torch.randn(count) * skew
    grown = torch.randn(count) * skew.clamp(max=GROWN)
    places = cut.places + torch.randn(count, 2) * 0.05 * size
    word = chosen(OF_WORD, count) & (cut.says[:, 0] == CLASSES.index(JOKER))
    places = places + word[:, None] * uniform(-0.25, 0.25, count, 1) * size * cut.ups
    grown = torch.where(word, uniform(-0.55, 0.25, count), grown)
    right, down = _axes(cut.ups, angle)
    step = (cut.sizes * grown.exp() * MARGIN / PATCH[1])[:, None]
    wider = (torch.randn(count, 1) * WIDER).exp()
    slant = torch.randn(count, 1) * SLANTED
    steps = (step * wider * right, step * (down + slant * right))
    return sampled(cut.pictures, places, steps, PATCH[::-1])


def _axes(ups: Tensor, angles: Tensor) -> tuple[Tensor, Tensor]:
    """Return where the right side and the lower edge of indices are, turned by angles."""
    turned = torch.polar(torch.ones_like(angles), angles) * torch.view_as_complex(ups.contiguous())
    up = torch.view_as_real(turned)
    return torch.stack([-up[:, 1], up[:, 0]], 1), -up
