"""Trains the two networks on scenes on disk; resumes where the last checkpoint stands.

A graphics card is used if there is one.
"""

import math
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn

from scorekeeper.camera.cards import SUITS
from scorekeeper.camera.indices import PATCH
from tools.cardvision import onnx_weights, patches, views
from tools.cardvision.designs import Rng
from tools.cardvision.examples import Example, Examples
from tools.cardvision.nets import CLASSES, HEAT, UP_X, Classifier, Detector

Batch = tuple[Tensor, ...]

MEMORY = 0.998
"""What is exported is a running mean of the weights; so much of it stays at every step."""
RISE = 200
"""Steps until the learning rate is at its peak."""
SAVE_EVERY = 100
JOKERS_WEIGH = 0.1
"""How much the loss counts that is about whether jokers are an index."""
FINER, FEWER = 0.02, 8
"""Networks that go on from finished weights learn at this rate, as a factor, and from so many times
fewer scenes at a step: most of what they see they know."""


def detector_loss(found: Tensor, batch: Batch) -> Tensor:
    """Return the focal loss of the heat plus the error of direction, size and middle."""
    _, wanted, weights = batch
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


def classifier_loss(values: Tensor, batch: Batch) -> Tensor:
    """Return the cross entropies of rank and suit where there are any, and of being an index.

    Jokers are few, so whether they are an index is a loss of its own: among all others, one that
    is taken for no index would hardly count.
    """
    _, ranks, suits, valid = batch
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
    jokers = (valid == 1) & ~suited
    loss_joker = (loss_valid * jokers).sum() / jokers.sum().clamp(min=1)
    loss: Tensor = (loss_rank * valid + loss_suit * suited + loss_valid).mean()
    return loss + JOKERS_WEIGH * loss_joker


@dataclass(frozen=True)
class Plan:
    """How a network is trained."""

    network: Callable[[], nn.Module]
    gather: Callable[[Rng, list[Example]], Any]
    """Takes out of scenes what a step needs; this runs on a processor, during the step before."""
    batch: Callable[[Any], Batch]
    """Turns that into what the network sees and what it shall say."""
    loss: Callable[[Tensor, Batch], Tensor]
    scenes: int
    """How many scenes a step looks at."""
    peak: float
    """The highest learning rate."""
    example: tuple[int, ...]
    """The shape of what the network may see."""


PLANS = {
    "detector": Plan(Detector, views.gather, views.batch, detector_loss, 16, 2e-3, (1, 3, 64, 64)),
    "classifier": Plan(
        Classifier, patches.gather, patches.batch, classifier_loss, 220, 4e-3, (2, 3, *PATCH[::-1])
    ),
}


def pace(step: int, steps: int, peak: float) -> float:
    """Return the learning rate of a step: a short rise, then down to nearly nothing."""
    rise = min(1.0, (step + 1) / min(RISE, max(1, steps / 20)))
    return peak * rise * (0.01 + 0.99 * (1 + math.cos(math.pi * min(1.0, step / steps))) / 2)


def load(
    name: str, checkpoint: Path, memory: float = MEMORY
) -> tuple[nn.Module, AveragedModel, dict[str, Any]]:
    """Return a network as the checkpoint holds it, its running mean, and the whole checkpoint."""
    torch.manual_seed(1)
    net = PLANS[name].network()
    mean = AveragedModel(net, multi_avg_fn=get_ema_multi_avg_fn(memory), use_buffers=True)
    state = {}
    if checkpoint.exists():
        state = torch.load(checkpoint, weights_only=True, map_location="cpu")
        net.load_state_dict(state["net"])
        mean.load_state_dict(state["mean"])
    return net, mean, state


def train(
    name: str, scenes_folder: Path, checkpoint: Path, steps: int, start: Path | None = None
) -> None:
    """Train a network for a number of steps, and print how it goes.

    ``start`` are finished weights to go on from. Their normalisation has become part of the layers
    and stays as it is.
    """
    cv2.setNumThreads(1)
    torch.set_num_threads(1)  # two threads that wait for each other are slower on a busy machine
    device = "cuda" if torch.cuda.is_available() else "cpu"
    torch.set_default_device(device)
    plan = PLANS[name]
    peak, scenes = plan.peak, plan.scenes
    net, mean, state = load(name, checkpoint, min(MEMORY, 1 - 10 / max(steps, 11)))
    net.to(memory_format=torch.channels_last).train()
    if start:
        peak, scenes = FINER * plan.peak, max(1, plan.scenes // FEWER)
        for layer in net.modules():
            layer.train(not isinstance(layer, nn.BatchNorm2d))
        if not state:
            onnx_weights.load(net, start, plan.example)
            mean.module.load_state_dict(net.state_dict())
    optimiser = torch.optim.AdamW(net.parameters(), lr=peak, weight_decay=1e-3)
    if state:
        optimiser.load_state_dict(state["optimiser"])
    examples, losses, began = Examples(scenes_folder, "train"), [], time.monotonic()

    def gathered(step: int) -> Any:
        rng = np.random.default_rng([3, step])
        return plan.gather(rng, examples.draw(rng, scenes))

    with ThreadPoolExecutor(1) as ahead:
        first = state.get("step", 0)
        following: Future[Any] = ahead.submit(gathered, first)
        for step in range(first, steps):
            gathered_now, following = following.result(), ahead.submit(gathered, step + 1)
            torch.manual_seed(step)
            with torch.no_grad():
                batch = plan.batch(gathered_now.to(device))
            for group in optimiser.param_groups:
                group["lr"] = pace(step, steps, peak)
            pictures = batch[0].to(memory_format=torch.channels_last)
            with torch.autocast(device, torch.bfloat16, enabled=device == "cuda"):
                values = net(pictures)
            loss = plan.loss(values.float(), batch)
            optimiser.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(net.parameters(), 5.0)
            optimiser.step()
            mean.update_parameters(net)
            losses.append(loss.item())
            if (step + 1) % SAVE_EVERY == 0 or step + 1 == steps:
                average, losses = sum(losses) / len(losses), []
                print(
                    f"{name} {step + 1}/{steps}: loss {average:.4f},"
                    f" {time.monotonic() - began:.0f} s",
                    flush=True,
                )
                torch.save(
                    {
                        "net": net.state_dict(),
                        "mean": mean.state_dict(),
                        "optimiser": optimiser.state_dict(),
                        "step": step + 1,
                    },
                    checkpoint,
                )
