"""The indices that can be seen in a scene."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Label:
    """An index that could be seen: what it says, where, and how much of it is covered."""

    card: int
    name: str
    centre: tuple[float, float]
    up: tuple[float, float]
    size: float
    visible: float
    middle: tuple[float, float]
    """The middle of its card."""
