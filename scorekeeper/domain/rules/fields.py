"""What an option is: a field of a dataclass with its default, range, source and families."""

from collections.abc import Mapping
from dataclasses import field
from typing import Any, Literal, get_args

from scorekeeper.domain.rules.kinds import Kind

Family = Literal["lay", "hand", "gin", "knock"]
FAMILIES: tuple[Family, ...] = get_args(Family)
Measure = Literal["minus", "plus", "net"]
LAY = ("lay",)
HAND = ("hand",)
LAY_HAND = ("lay", "hand")
PLAYERS_ALONE = ("lay", "hand", "knock")
"""The families in which everybody plays alone."""
GIN = ("gin",)
KNOCK = ("knock",)

LISTED = None
"""The kind of an option whose type lists its values, so that mypy knows them too."""


def option(
    default: Any,
    kind: Kind | None,
    source: str,
    families: tuple[str, ...] = FAMILIES,
    usual: tuple[object, ...] = (),
) -> Any:
    """Return a dataclass field that is an option: its default, range, source and families.

    ``usual`` are common values, which forms offer first.
    """
    metadata = {"kind": kind, "source": source, "families": families, "usual": usual}
    if isinstance(default, Mapping):
        return field(default_factory=lambda: default, metadata=metadata)
    return field(default=default, metadata=metadata)
