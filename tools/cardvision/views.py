"""What the detector learns from: parts of scenes, turned and scaled, and the maps it shall draw."""

import math
from dataclasses import dataclass, fields

import numpy as np
import torch
from torch import Tensor

from scorekeeper.camera.cards import JOKER
from scorekeeper.camera.indices import REACH, STRIDE, UNIT
from tools.cardvision.designs import Rng
from tools.cardvision.effects import at, blurred, chosen, each, noisy, uniform
from tools.cardvision.examples import SEEN, Example

SIDE = 512
VIEWS = 2
"""Views taken of a picture once it is decoded."""
HIDDEN = 0.12
"""An index of which less shows is not there; whether one of which less than ``SEEN`` shows is there
does not count."""
SIZES = 6.0, 200.0
"""So large are the indices that count."""
SHOWN = 9.0, 170.0
"""So large are those in whose surroundings a view is."""
NEAR = 2.6
"""The square of how far from an index its direction, size and middle are learned, in places."""
AIMED, TURNED, BLURRED = 0.85, 0.45, 0.15
"""Shares of the views that show an index, that are turned anyhow, and that are less sharp."""
JOKER_SHARE = 4
"""The share of jokers in relation to other cards, as a factor."""


@dataclass(frozen=True)
class Scenes:
    """Pictures, of one size with what is beyond their edges, and the indices that they have."""

    pictures: Tensor
    sizes: Tensor
    """Width and height without what is beyond."""
    places: Tensor
    ups: Tensor
    heights: Tensor
    """How large the indices are."""
    middles: Tensor
    visible: Tensor
    """How much of each index shows; 0 where there is none."""
    shares: Tensor
    """How often views are taken of each index in relation to others."""

    def to(self, device: str) -> "Scenes":
        """Return them on a device."""
        return Scenes(*(getattr(self, field.name).to(device) for field in fields(self)))


def gather(_: Rng, examples: list[Example]) -> Scenes:
    """Return examples as tensors."""
    count, most = len(examples), max(1, *(len(example.labels) for example in examples))
    sizes = np.array([example.picture.shape[1::-1] for example in examples])
    pictures = np.zeros((count, *sizes.max(0)[::-1], 3), np.uint8)
    values = np.zeros((count, most, 9), np.float32)
    for n, example in enumerate(examples):
        height, width = example.picture.shape[:2]
        pictures[n, :height, :width] = example.picture
        for m, label in enumerate(example.labels):
            share = JOKER_SHARE if label.name.startswith(JOKER) else 1
            pairs = (*label.centre, *label.up, *label.middle)
            values[n, m] = (*pairs, label.size, label.visible, share)
    place, up, middle, single = torch.from_numpy(values).split([2, 2, 2, 3], -1)
    height, visible, shares = single.unbind(-1)
    sizes = torch.from_numpy(sizes.astype(np.float32))
    return Scenes(torch.from_numpy(pictures), sizes, place, up, height, middle, visible, shares)


def batch(scenes: Scenes) -> tuple[Tensor, ...]:
    """Return parts of pictures, the maps to learn, and the weights of each of their places.

    The weights are number x 2 x height x width: for heat and for all else.
    """
    several = Scenes(
        scenes.pictures,
        *(getattr(scenes, field.name).repeat_interleave(VIEWS, 0) for field in fields(scenes)[1:]),
    )
    turned, shift = _aimed(several)
    return _parts(several, turned, shift), *maps(several, turned, shift, SIDE // STRIDE)


def _aimed(scenes: Scenes) -> tuple[Tensor, Tensor]:
    """Return matrices and shifts that lead from pictures to their views."""
    count = len(scenes.sizes)
    index = torch.multinomial(scenes.shares + 1e-9, 1)
    aimed = chosen(AIMED, count) & (scenes.shares.sum(1) > 0)
    place = scenes.places.take_along_dim(index[..., None], 1)[:, 0]
    height = scenes.heights.take_along_dim(index, 1)[:, 0].clamp(min=1)
    centre = torch.where(aimed[:, None], place, torch.rand(count, 2) * scenes.sizes)
    scale = uniform(-0.45, 0.35, count).exp()
    fitting = scale.maximum(SHOWN[0] / height).minimum(SHOWN[1] / height)
    scale = torch.where(aimed, fitting, scale)
    slightly = torch.randn(count) * math.radians(6)
    turn = torch.where(chosen(TURNED, count), uniform(-math.pi, math.pi, count), slightly)
    cosine, sine = scale * turn.cos(), scale * turn.sin()
    turned = torch.stack([cosine, sine, -sine, cosine], 1).reshape(count, 2, 2)
    middle = SIDE / 2 + uniform(-0.42, 0.42, count, 2) * SIDE
    return turned, middle - _led(centre[:, None], turned)[:, 0]


def _led(ways: Tensor, turned: Tensor) -> Tensor:
    """Return ways (number x indices x 2) as the views have them."""
    return ways @ turned.transpose(1, 2)


def _parts(scenes: Scenes, turned: Tensor, shift: Tensor) -> Tensor:
    """Return the views, with other light and some of them less sharp."""
    count = len(shift)
    pixels = torch.cartesian_prod(torch.arange(SIDE), torch.arange(SIDE)).flip(1)
    places = _led(pixels - shift[:, None], torch.linalg.inv(turned))
    last = scenes.sizes[:, None] - 1
    places = last - (last - places.abs() % (2 * last)).abs()  # mirrored at the edges
    pictures = scenes.pictures.permute(0, 3, 1, 2).float()
    parts = at(pictures, places.reshape(len(pictures), VIEWS * SIDE, SIDE, 2))
    parts = parts.unflatten(2, (VIEWS, SIDE)).transpose(1, 2).flatten(0, 1)
    some = chosen(BLURRED, count)
    few = int(some.sum())
    parts[some] = noisy(blurred(parts[some], uniform(0.4, 1.5, few)), uniform(0, 8, few))
    tint = 1 + 0.04 * torch.randn(count, 3, 1, 1)
    gain, lift = uniform(0.75, 1.25, count), uniform(-18, 18, count)
    return (parts * tint * each(gain) + each(lift)).clamp(0, 255) / 255 - 0.5


def maps(scenes: Scenes, turned: Tensor, shift: Tensor, side: int) -> tuple[Tensor, Tensor]:
    """Return the maps that the detector shall draw of views, and the weights of their places."""
    count, scale = len(shift), torch.linalg.det(turned).sqrt()[:, None]
    sizes = scenes.heights * scale
    cells = (_led(scenes.places, turned) + shift[:, None]) / STRIDE - 0.5
    there = (scenes.visible >= HIDDEN) & ((cells > -2) & (cells < side + 1)).all(-1)
    counts = there & (scenes.visible >= SEEN) & (sizes > SIZES[0]) & (sizes < SIZES[1])
    rows, columns = torch.meshgrid(torch.arange(side), torch.arange(side), indexing="ij")
    heat, weight = torch.zeros(count, side, side), torch.ones(count, side, side)
    least, nearest = torch.full_like(heat, torch.inf), torch.zeros(count, side, side).long()
    for n in range(cells.shape[1]):
        x, y = cells[:, n, :, None, None].unbind(1)
        far, size = (columns - x) ** 2 + (rows - y) ** 2, sizes[:, n, None, None] / STRIDE
        here, doubted = counts[:, n, None, None], (there & ~counts)[:, n, None, None]
        warm = torch.exp(-far / (2 * (size / 9).clamp(min=0.8) ** 2))
        heat = torch.where(here, heat.maximum(torch.where(far <= 0.5, 1, warm)), heat)
        weight = torch.where(doubted & (far < (size / 3) ** 2), 0, weight)
        closer = here & (far < least)
        least, nearest = torch.where(closer, far, least), torch.where(closer, n, nearest)
    near = (least <= NEAR).float()
    ups = _led(scenes.ups, turned) / scale[..., None]
    middles = (_led(scenes.middles, turned) + shift[:, None]) / REACH
    logs = (sizes / UNIT).clamp(min=1e-3).log()
    values = torch.cat([ups, logs[..., None], middles], 2)
    drawn = values.take_along_dim(nearest.reshape(count, -1, 1), 1).reshape(count, side, side, 5)
    drawn[..., 3:] -= (torch.stack([columns, rows], -1) + 0.5) * STRIDE / REACH
    drawn = drawn.permute(0, 3, 1, 2) * near[:, None]
    return torch.cat([heat[:, None], drawn], 1), torch.stack([weight, near], 1)
