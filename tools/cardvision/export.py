"""Writes trained networks in the form that the program reads."""

from pathlib import Path

import torch

from tools.cardvision.train import PLANS, load


def export(name: str, checkpoint: Path, target: Path) -> None:
    """Write a network as ONNX."""
    net = load(name, checkpoint)[1].module.eval()
    example = torch.zeros(PLANS[name].example)
    axes = {0: "n", 2: "h", 3: "w"} if name == "detector" else {0: "n"}
    target.parent.mkdir(parents=True, exist_ok=True)
    torch.onnx.export(
        net, (example,), str(target), dynamo=False, opset_version=17,
        input_names=["x"], output_names=["y"], dynamic_axes={"x": axes, "y": axes},
    )  # fmt: skip
