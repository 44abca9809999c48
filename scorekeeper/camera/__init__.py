"""Reading cards in photographs, with two networks.

This module loads neither numpy nor the networks, so that servers where nobody takes a photograph
need no memory for them.
"""

from functools import cache
from importlib.util import find_spec

MEGABYTE = 1024 * 1024
MEGAPIXEL = 1_000_000
MOST_MEGABYTES, MOST_MEGAPIXELS = 4, 25
MOST_CARDS = 110
"""Two packs with six jokers: nobody lays out more cards."""


@cache
def is_installed() -> bool:
    """Return whether photographs can be read here: with the extra ``scorekeeper[camera]``."""
    return all(map(find_spec, ("numpy", "onnxruntime")))
