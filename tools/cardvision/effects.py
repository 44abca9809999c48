"""What happens to pictures on their way to a network, to many at a time.

Pictures are tensors, number x 3 x height x width, with colours from 0 to 255. Everything else has
one value for each picture. torch makes the random choices.
"""

import math

import torch
from torch import Tensor
from torch.nn import functional

BLOCK = 8
"""The side of what JPEG compresses at a time."""
FACTOR = 2
"""How much coarser JPEG keeps colours than brightness."""
BRIGHTNESS = """
    16 11 10 16  24  40  51  61    12 12 14 19  26  58  60  55
    14 13 16 24  40  57  69  56    14 17 22 29  51  87  80  62
    18 22 37 56  68 109 103  77    24 35 55 64  81 104 113  92
    49 64 78 87 103 121 120 101    72 92 95 98 112 100 103  99
"""
COLOUR = """
    17 18 24 47 99 99 99 99    18 21 26 66 99 99 99 99
    24 26 56 99 99 99 99 99    47 66 99 99 99 99 99 99
    99 99 99 99 99 99 99 99    99 99 99 99 99 99 99 99
    99 99 99 99 99 99 99 99    99 99 99 99 99 99 99 99
"""
"""The tables of the standard (ITU T.81, annex K)."""
REACH = 4
"""How far a blur reaches, in pixels."""


def uniform(low: Tensor | float, high: Tensor | float, *shape: int) -> Tensor:
    """Return random numbers of a shape between two bounds."""
    numbers: Tensor = low + (high - low) * torch.rand(shape)
    return numbers


def chosen(share: float, count: int) -> Tensor:
    """Return for each of a count whether it is among a random share."""
    return torch.rand(count) < share


def each(values: Tensor) -> Tensor:
    """Return one value for each picture in a form that can be multiplied with pictures."""
    return values[:, None, None, None]


def at(pictures: Tensor, places: Tensor) -> Tensor:
    """Return the colours of pictures at places, also between their pixels and beyond their edges.

    ``places`` is number x height x width x 2.
    """
    height, width = pictures.shape[2:]
    grid = (places + 0.5) * 2 / torch.tensor([width, height]) - 1
    return functional.grid_sample(pictures, grid, padding_mode="border", align_corners=False)


def sampled(
    pictures: Tensor,
    places: Tensor,
    steps: tuple[Tensor, Tensor],
    size: tuple[int, int],
    fine: int = 1,
) -> Tensor:
    """Return a part of each picture around a place, so many pixels high and wide.

    ``steps`` are the ways in the picture from one pixel of the part to the next one on its right
    and to the one below. Each pixel is the mean of ``fine`` by ``fine`` places.
    """
    rows, columns = ((torch.arange(side * fine) + 0.5)[:, None] / fine - side / 2 for side in size)
    right, down = (step[:, None, None] for step in steps)
    places = places[:, None, None] + columns * right + rows[:, None] * down
    return functional.avg_pool2d(at(pictures, places), fine)


def blurred(pictures: Tensor, sigmas: Tensor) -> Tensor:
    """Return pictures blurred by normal distributions of these widths, in pixels."""
    offsets = torch.arange(-REACH, REACH + 1)
    weights = torch.exp(-(offsets**2) / (2 * sigmas[:, None] ** 2))
    weights /= weights.sum(1, keepdim=True)
    for axis, edges in ((2, (0, 0, REACH, REACH)), (3, (REACH, REACH, 0, 0))):
        length, wide = pictures.shape[axis], functional.pad(pictures, edges, mode="replicate")
        pictures = torch.zeros_like(pictures)
        for n in range(len(offsets)):
            pictures += each(weights[:, n]) * wide.narrow(axis, n, length)
    return pictures


def noisy(pictures: Tensor, sigmas: Tensor) -> Tensor:
    """Return pictures with noise of these widths."""
    return (pictures + torch.randn_like(pictures) * each(sigmas)).clamp(0, 255)


def thickened(pictures: Tensor, shares: Tensor) -> Tensor:
    """Return pictures in which dark lines are up to one pixel thicker or, below 0, thinner."""
    thicker = -functional.max_pool2d(-pictures, 3, 1, 1)
    thinner = functional.max_pool2d(pictures, 3, 1, 1)
    other = torch.where(each(shares) > 0, thicker, thinner)
    changed: Tensor = pictures + each(shares).abs() * (other - pictures)
    return changed


def compressed(pictures: Tensor, qualities: Tensor) -> Tensor:
    """Return pictures as JPEG keeps them at these qualities; their sides are multiples of 16."""
    scale = torch.where(qualities < 50, 50 / qualities, 2 - qualities / 50)
    red, green, blue = pictures.unbind(1)
    light = 0.299 * red + 0.587 * green + 0.114 * blue
    colours = torch.stack([(blue - light) * 0.564, (red - light) * 0.713], 1)
    light = _quantised((light - 128)[:, None], BRIGHTNESS, scale)[:, 0] + 128
    coarse = _quantised(functional.avg_pool2d(colours, FACTOR), COLOUR, scale)
    bluer, redder = functional.interpolate(coarse, scale_factor=FACTOR, mode="bilinear").unbind(1)
    green = light - 0.714 * redder - 0.344 * bluer
    kept = torch.stack([light + 1.403 * redder, green, light + 1.773 * bluer], 1)
    return kept.clamp(0, 255).round()


def _quantised(planes: Tensor, table: str, scale: Tensor) -> Tensor:
    """Return planes of blocks whose frequencies are multiples of the steps of a table."""
    steps = torch.tensor([float(step) for step in table.split()]).reshape(BLOCK, BLOCK)
    steps = (steps * scale[:, None, None]).round().clamp(1, 255)[:, None, None, None]
    frequency, place = torch.arange(BLOCK)[:, None], torch.arange(BLOCK) + 0.5
    waves = torch.cos(frequency * place * math.pi / BLOCK) / BLOCK**0.5 * 2**0.5
    waves[0] /= 2**0.5
    count, layers, height, width = planes.shape
    blocks = planes.reshape(count, layers, height // BLOCK, BLOCK, width // BLOCK, BLOCK)
    blocks = blocks.transpose(3, 4)
    kept = ((waves @ blocks @ waves.T) / steps).round() * steps
    return (waves.T @ kept @ waves).transpose(3, 4).reshape(planes.shape)
