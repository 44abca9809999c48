"""Stands in for onnxruntime, for which there is no package for browsers: runs a network.

camera/networks.js computes. It has the networks of scorekeeper.camera by the names of their files.
"""

from pathlib import PurePosixPath
from types import SimpleNamespace

import numpy as np
from browser_camera import networks

SessionOptions = SimpleNamespace
GraphOptimizationLevel = SimpleNamespace(ORT_ENABLE_EXTENDED=None)


class InferenceSession:
    """A network, whose only input is an array."""

    def __init__(self, path, options=None, providers=None):
        self._network = getattr(networks, PurePosixPath(path).stem)

    def get_inputs(self):
        return [SimpleNamespace(name="x")]

    def run(self, _, inputs):
        """Return its outputs, of which there is one."""
        return [np.ndarray(self._network.run(inputs["x"].own))]
