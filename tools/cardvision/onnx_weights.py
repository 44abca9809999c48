"""Reads finished weights back into a network, so that its training can go on."""

from pathlib import Path

import torch
from torch import Tensor, nn


def load(net: nn.Module, path: Path, shape: tuple[int, ...]) -> None:
    """Give a network the weights of an ONNX file; ``shape`` is that of what it may see.

    In the file, layers stand in the order in which they work, and their normalisation has become
    part of their weights; so it does nothing here but add what they add.
    """
    import onnx
    from onnx import numpy_helper

    graph = onnx.load(path).graph
    values = {one.name: numpy_helper.to_array(one) for one in graph.initializer}
    stored = [
        [torch.tensor(values[name]) for name in node.input[1:]]
        for node in graph.node
        if node.op_type in ("Conv", "Gemm")
    ]
    layers = _at_work(net, shape)
    for layer in layers:
        if not isinstance(layer, nn.BatchNorm2d):
            weight, bias = stored.pop(0)
            layer.weight.data.copy_(weight)
            if layer.bias is not None:
                layer.bias.data.copy_(bias)
        else:
            nn.init.ones_(layer.weight)
            layer.bias.data.copy_(bias)
            layer.running_mean.zero_()
            layer.running_var.fill_(1 - layer.eps)
    if stored:
        raise ValueError(f"{path} has other layers")


def _at_work(net: nn.Module, shape: tuple[int, ...]) -> list[nn.Module]:
    """Return the layers that have weights, in the order in which they work."""
    layers: list[nn.Module] = []
    hooks = [
        layer.register_forward_hook(lambda layer, _given, _made: layers.append(layer))
        for layer in net.modules()
        if isinstance(layer, nn.Conv2d | nn.Linear | nn.BatchNorm2d)
    ]
    learning = [(layer, layer.training) for layer in net.modules()]
    with torch.no_grad():
        empty: Tensor = torch.zeros(shape)
        net.eval()(empty)
    for layer, state in learning:
        layer.training = state
    for hook in hooks:
        hook.remove()
    return layers
