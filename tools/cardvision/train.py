"""Trains the two networks on scenes on disk; resumes where the last checkpoint stands."""

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from scorekeeper.camera import indices
from scorekeeper.camera.cards import SUITS
from scorekeeper.camera.indices import REACH, STRIDE, UNIT, Index, Pixels
from scorekeeper.camera.pictures import levelled
from tools.cardvision import dataset, mistakes
from tools.cardvision.designs import Rng
from tools.cardvision.labels import Label
from tools.cardvision.nets import CLASSES, HEAT, MIDDLE_X, SIZE, UP_X, Classifier, Detector

Batch = tuple[Tensor, ...]

CROP = 320
CROPS = 4
"""Crops taken from a picture once it is decoded."""
SEEN, HIDDEN = 0.33, 0.12
"""An index is looked for if this much of it shows; if less than the second, it is not there."""
SLIVER = 0.2
"""An index of which less shows is no index to the classifier."""
LOOKED_AT, ELSEWHERE, MISTAKEN = 10, 2, 5
"""The most indices of a scene in a batch, and how many places that show none."""
TURNED = 0.45
"""The share of the crops that are turned anyhow."""
BLURRED, NOISY, DARK, COMPRESSED, SMALLER = 0.3, 0.25, 0.15, 0.4, 0.5
"""Shares of the indices that the classifier sees less sharp, noisy, in the dark, compressed, and
from farther away; of the crops for the detector, half as many are less sharp."""
SMALLEST, FAR, LARGEST = 8.0, 36.0, 56.0
"""The smallest index to read, the largest one seen from farther away, and the size to which larger
ones are reduced."""
AROUND = 1.7
"""How far a picture is cut out around an index, in its sizes."""
OF_WORD = 0.4
"""The share of jokers of which the detector finds a part of the word only."""
JOKER_SHARE = 4
"""The share of jokers in relation to other cards, as a factor."""
SKEW, SKEWED, GROWN = (0.09, 0.35), 0.25, 0.2
"""The errors of direction in radians, of most indices and of a share of them, and the largest error
of size as a logarithm. The detector makes such errors about cards that lie askew."""
SAVE_EVERY = 100


@dataclass(frozen=True)
class Example:
    """A picture, its indices, and what the detector took for indices by mistake."""

    picture: Pixels
    labels: list[Label]
    mistaken: list[Index]


class Scenes:
    """The pictures of a split, at hand in memory as they are on disk."""

    def __init__(self, folder: Path, split: str) -> None:
        self._items = [
            (path.read_bytes(), [Label(**label) for label in facts["labels"]], mistakes.read(path))
            for path, facts in dataset.read(folder, split)
        ]

    def draw(self, rng: Rng) -> Example:
        """Return an example."""
        data, labels, mistaken = self._items[int(rng.integers(len(self._items)))]
        picture = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
        return Example(levelled(np.ascontiguousarray(picture[..., ::-1])), labels, mistaken)


def _blurred(rng: Rng, picture: Pixels) -> Pixels:
    """Return some pictures less sharp and with more noise."""
    if rng.random() < BLURRED / 2:
        picture = cv2.GaussianBlur(picture, (0, 0), rng.uniform(0.4, 1.5))
        noise = rng.normal(0, rng.uniform(0, 8), picture.shape)
        picture = np.clip(picture + noise, 0, 255).astype(np.uint8)
    return picture


# ---- detector ------------------------------------------------------------------------


def _chosen(rng: Rng, labels: list[Label]) -> Label:
    """Return a label, those of jokers more often."""
    shares = np.array([JOKER_SHARE if v.name.startswith("JK") else 1.0 for v in labels])
    return labels[int(rng.choice(len(labels), p=shares / shares.sum()))]


def _view(rng: Rng, picture: Pixels, labels: list[Label]) -> tuple[Pixels, Pixels]:
    """Return a part of the picture, turned and scaled, and the map that leads to it."""
    height, width = picture.shape[:2]
    label = _chosen(rng, labels) if labels and rng.random() < 0.85 else None
    centre = np.array(label.centre if label else rng.uniform(0, 1, 2) * (width, height))
    scale = float(np.exp(rng.uniform(-0.45, 0.35)))
    if label:  # indices in sizes that photographs have
        scale = float(np.clip(scale, 9 / label.size, 95 / label.size))
    turn = rng.uniform(-180, 180) if rng.random() < TURNED else rng.normal(0, 6)
    matrix = cv2.getRotationMatrix2D((0, 0), float(turn), scale)
    matrix[:, 2] = CROP / 2 + rng.uniform(-0.42, 0.42, 2) * CROP - matrix[:, :2] @ centre
    part = cv2.warpAffine(
        picture, matrix, (CROP, CROP),
        flags=cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT_101,
    )  # fmt: skip
    part = _blurred(rng, part)
    gain, lift = rng.uniform(0.75, 1.25), rng.uniform(-18, 18)
    tint = rng.normal(1, 0.04, 3)
    return np.clip(part * (gain * tint) + lift, 0, 255).astype(np.float32), matrix


def targets(labels: list[Label], matrix: Pixels, side: int) -> tuple[Pixels, Pixels]:
    """Return the maps to learn, and the weights of each place for heat and for the rest."""
    small = side // STRIDE
    maps, weights = np.zeros((6, small, small), np.float32), np.zeros((2, small, small), np.float32)
    weights[0] = 1
    scale = float(np.hypot(matrix[0, 0], matrix[0, 1]))
    y, x = np.mgrid[0:small, 0:small]
    for label in labels:
        place = matrix[:, :2] @ label.centre + matrix[:, 2]
        size = label.size * scale
        column, row = place / STRIDE - 0.5
        if not (-2 < column < small + 1 and -2 < row < small + 1) or label.visible < HIDDEN:
            continue
        far = (x - column) ** 2 + (y - row) ** 2
        if label.visible < SEEN or not 6 < size < 140:
            weights[0][far < (size / STRIDE / 3) ** 2] = 0
            continue
        spread = max(0.8, size / STRIDE / 9)
        maps[HEAT] = np.maximum(maps[HEAT], np.exp(-far / (2 * spread**2)))
        near = far <= 2.6
        maps[HEAT][far <= 0.5] = 1
        up, middle = matrix[:, :2] @ label.up / scale, matrix[:, :2] @ label.middle + matrix[:, 2]
        maps[UP_X][near], maps[UP_X + 1][near] = up
        maps[SIZE][near] = math.log(size / UNIT)
        maps[MIDDLE_X][near] = (middle[0] - (x[near] + 0.5) * STRIDE) / REACH
        maps[MIDDLE_X + 1][near] = (middle[1] - (y[near] + 0.5) * STRIDE) / REACH
        weights[1][near] = 1
    return maps, weights


def detector_batch(scenes: Scenes, rng: Rng, size: int) -> Batch:
    """Return pictures, maps and weights."""
    parts, maps, weights = [], [], []
    for _ in range(size // CROPS):
        example = scenes.draw(rng)
        for _ in range(CROPS):
            part, matrix = _view(rng, example.picture, example.labels)
            wanted, weight = targets(example.labels, matrix, CROP)
            parts.append(part.transpose(2, 0, 1) / 255 - 0.5)
            maps.append(wanted)
            weights.append(weight)
    return tuple(torch.from_numpy(np.stack(v).astype(np.float32)) for v in (parts, maps, weights))


def detector_loss(net: nn.Module, batch: Batch) -> Tensor:
    """Return the focal loss of the heat plus the error of direction, size and middle."""
    pictures, wanted, weights = batch
    found = net(pictures)
    heat, aim = found[:, HEAT], wanted[:, HEAT]
    sure = torch.sigmoid(heat)
    hit = (aim == 1).float()
    loss_hit = -hit * (1 - sure) ** 2 * functional.logsigmoid(heat)
    loss_miss = -(1 - hit) * (1 - aim) ** 4 * sure**2 * functional.logsigmoid(-heat)
    count = hit.sum().clamp(min=1)
    loss = ((loss_hit + loss_miss) * weights[:, 0]).sum() / count
    rest = functional.smooth_l1_loss(found[:, UP_X:], wanted[:, UP_X:], reduction="none", beta=0.1)
    scales = torch.tensor([1.0, 1.0, 1.0, 0.5, 0.5])[None, :, None, None]
    near = weights[:, 1:2]
    error: Tensor = loss + (rest * scales * near).sum() / near.sum().clamp(min=1)
    return error


# ---- classifier ----------------------------------------------------------------------


@dataclass(frozen=True)
class Cutting:
    """A part of a picture with one place in it: an index, or one that shows none."""

    picture: Pixels
    place: Index
    said: tuple[int, int, int]
    """Its rank, its suit (4 for jokers and no index), and whether it is an index."""


NO_INDEX = (0, len(SUITS), 0)


def cuttings(rng: Rng, example: Example) -> list[Cutting]:
    """Return what the classifier learns from an example."""
    shown = [label for label in example.labels if label.visible > SEEN and label.size > SMALLEST]
    cut = [
        _cut(example.picture, _index(np.array(v.centre), np.array(v.up), v.size), _said(v))
        for v in _looked_at(rng, shown)
    ]
    slivers = [label for label in example.labels if label.visible < SLIVER]
    places = [_sliver(rng, v, example.labels) for v in _looked_at(rng, slivers)[:ELSEWHERE]]
    places += [_elsewhere(rng, example.labels) for _ in range(ELSEWHERE if example.labels else 0)]
    cut += [_cut(example.picture, place, NO_INDEX) for place in places if place]
    for n in rng.permutation(len(example.mistaken))[:MISTAKEN]:
        cut.append(_cut(example.picture, example.mistaken[int(n)], NO_INDEX))
    return cut


def _cut(picture: Pixels, index: Index, said: tuple[int, int, int]) -> Cutting:
    """Return the surroundings of an index, no larger than the classifier needs them."""
    size = picture.shape[1::-1]
    low = np.clip(np.floor(index.place - AROUND * index.size), 0, np.array(size) - 8).astype(int)
    high = np.clip(np.ceil(index.place + AROUND * index.size), low + 8, size).astype(int)
    part = picture[low[1] : high[1], low[0] : high[0]]
    factor = min(1.0, LARGEST / index.size)
    return Cutting(_resized(part, factor), _scaled(index.moved(-low), factor), said)


def _resized(picture: Pixels, factor: float) -> Pixels:
    height, width = (max(1, round(side * factor)) for side in picture.shape[:2])
    return cv2.resize(picture, (width, height), interpolation=cv2.INTER_AREA)


def _scaled(index: Index, factor: float) -> Index:
    """Return where an index is when its picture is resized: places are the middles of pixels."""
    return index.scaled(factor).moved(np.full(2, factor / 2 - 0.5))


def _farther(rng: Rng, cut: Cutting) -> Cutting:
    """Return some cuttings as if the camera had been farther away."""
    most = min(FAR, cut.place.size)
    if most <= SMALLEST or rng.random() >= SMALLER:
        return cut
    factor = float(np.exp(rng.uniform(np.log(SMALLEST), np.log(most)))) / cut.place.size
    return replace(cut, picture=_resized(cut.picture, factor), place=_scaled(cut.place, factor))


def _worse(rng: Rng, picture: Pixels, size: float) -> Pixels:
    """Return some pictures less sharp, darker and made bright again, noisy, and compressed."""
    if rng.random() < BLURRED:
        picture = cv2.GaussianBlur(picture, (0, 0), rng.uniform(0.3, np.clip(size / 15, 0.5, 1.5)))
    gain = rng.uniform(1.5, 4) if rng.random() < DARK else 1.0
    if gain > 1 or rng.random() < NOISY:
        noise = rng.standard_normal(picture.shape, np.float32) * rng.uniform(0, 6)
        picture = np.clip(picture / gain + noise, 0, 255).astype(np.uint8)
    if rng.random() < COMPRESSED:
        quality = [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(40, 95))]
        picture = cv2.imdecode(cv2.imencode(".jpg", picture, quality)[1], cv2.IMREAD_COLOR)
    if gain > 1:
        picture = np.clip(picture * gain, 0, 255).astype(np.uint8)
    return picture


def _shaken(rng: Rng, index: Index, is_joker: bool) -> Index:
    """Return an index as inexactly as the detector finds it."""
    skew = SKEW[int(rng.random() < SKEWED)]
    cosine, sine = np.cos(angle := rng.normal(0, skew)), np.sin(angle)
    place = index.place + rng.normal(0, 0.05, 2) * index.size
    grown = rng.normal(0, min(GROWN, skew))
    if is_joker and rng.random() < OF_WORD:
        place += rng.uniform(-0.25, 0.25) * index.size * index.up
        grown = rng.uniform(-0.55, 0.25)
    up = np.array([[cosine, -sine], [sine, cosine]]) @ index.up
    return _index(place, up, index.size * float(np.exp(grown)))


def _index(place: Pixels, up: Pixels, size: float) -> Index:
    return Index(place, up, size, middle=place, heat=1.0)


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


def _said(label: Label) -> tuple[int, int, int]:
    if label.name.startswith("JK"):
        return CLASSES.index("JK"), len(SUITS), 1
    return CLASSES.index(label.name[:-1]), SUITS.index(label.name[-1]), 1


def _looked_at(rng: Rng, labels: list[Label]) -> list[Label]:
    """Return some labels, those of jokers more often."""
    order = rng.permutation(len(labels)) / [
        JOKER_SHARE if label.name.startswith("JK") else 1 for label in labels
    ]
    return [labels[int(n)] for n in np.argsort(order)[:LOOKED_AT]]


def classifier_batch(scenes: Scenes, rng: Rng, size: int) -> Batch:
    """Return patches, ranks, suits (4 for jokers and no index) and whether they are indices."""
    cut: list[Cutting] = []
    while len(cut) < size:
        cut += cuttings(rng, scenes.draw(rng))
    return patches_of(rng, cut[:size])


def patches_of(rng: Rng, cut: list[Cutting]) -> Batch:
    """Return cuttings as the classifier may see them, and what they say."""
    patches = []
    for one in (_farther(rng, each) for each in cut):
        picture = _worse(rng, one.picture, one.place.size)
        place = _shaken(rng, one.place, one.said[0] == CLASSES.index("JK"))
        patches.append(indices.patches(picture, [place]))
    size = len(cut)
    values = np.concatenate(patches) + 0.5
    gain, lift = rng.uniform(0.7, 1.3, (size, 3, 1, 1)), rng.uniform(-0.08, 0.08, (size, 1, 1, 1))
    gain = gain.mean(1, keepdims=True) + (gain - gain.mean(1, keepdims=True)) * 0.25
    values = np.clip(values * gain + lift, 0, 1) - 0.5
    pictures = torch.from_numpy(values.astype(np.float32))
    return (pictures, *torch.tensor([one.said for one in cut]).T)


def classifier_loss(net: nn.Module, batch: Batch) -> Tensor:
    """Return the cross entropies of rank and suit where there are any, and of being an index."""
    patches, ranks, suits, valid = batch
    values = net(patches)
    count = len(CLASSES)
    loss_rank = functional.cross_entropy(
        values[:, :count], ranks, reduction="none", label_smoothing=0.02
    )
    suited = suits < len(SUITS)
    loss_suit = functional.cross_entropy(
        values[:, count:-1], suits.clamp(max=3), reduction="none", label_smoothing=0.02
    )
    loss_valid = functional.binary_cross_entropy_with_logits(
        values[:, -1], valid.float(), reduction="none"
    )
    loss: Tensor = (loss_rank * valid + loss_suit * suited + loss_valid).mean()
    return loss


# ---- both ----------------------------------------------------------------------------

Plan = tuple[
    Callable[[], nn.Module], Callable[[Scenes, Rng, int], Batch], Callable[..., Tensor], int, float
]
PLANS: dict[str, Plan] = {
    "detector": (Detector, detector_batch, detector_loss, 16, 2e-3),
    "classifier": (Classifier, classifier_batch, classifier_loss, 128, 2e-3),
}


def pace(step: int, steps: int, peak: float) -> float:
    """Return the learning rate of a step: a short rise, then down to nearly nothing."""
    rise = min(1.0, (step + 1) / 60)
    return peak * rise * (0.02 + 0.98 * (1 + math.cos(math.pi * min(1.0, step / steps))) / 2)


def load(name: str, checkpoint: Path) -> tuple[nn.Module, dict[str, Any]]:
    """Return a network as the checkpoint holds it, and the rest of the checkpoint."""
    torch.manual_seed(1)
    net = PLANS[name][0]()
    state = torch.load(checkpoint, weights_only=True) if checkpoint.exists() else {}
    if state:
        net.load_state_dict(state["net"])
    return net, state


def train(name: str, scenes_folder: Path, checkpoint: Path, steps: int) -> None:
    """Train a network for a number of steps, and print how it goes."""
    cv2.setNumThreads(1)
    torch.set_num_threads(1)  # two threads that wait for each other are slower on a busy machine
    _, batch_of, loss_of, size, peak = PLANS[name]
    net, state = load(name, checkpoint)
    optimiser = torch.optim.AdamW(net.parameters(), lr=peak, weight_decay=1e-4)
    if state:
        optimiser.load_state_dict(state["optimiser"])
    scenes, losses, start = Scenes(scenes_folder, "train"), [], time.monotonic()
    net.to(memory_format=torch.channels_last).train()
    for step in range(state.get("step", 0), steps):
        for group in optimiser.param_groups:
            group["lr"] = pace(step, steps, peak)
        batch = batch_of(scenes, np.random.default_rng([3, step]), size)
        with torch.autocast("cpu", torch.bfloat16):
            loss = loss_of(net, batch)
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        optimiser.step()
        losses.append(loss.item())
        if (step + 1) % SAVE_EVERY == 0 or step + 1 == steps:
            mean, losses = sum(losses) / len(losses), []
            print(
                f"{name} {step + 1}/{steps}: loss {mean:.4f}, {time.monotonic() - start:.0f} s",
                flush=True,
            )
            kept = {"net": net.state_dict(), "optimiser": optimiser.state_dict(), "step": step + 1}
            torch.save(kept, checkpoint)
