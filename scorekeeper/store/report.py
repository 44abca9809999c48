"""What ``check`` found, as facts; the catalogues word them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

NO_DAMAGE = ("prices", "evenings", "accounts", "space")
SHOWN = 20
"""The number of bad places that are named; all are counted."""


@dataclass(frozen=True)
class Line:
    """One question and its answer."""

    key: str
    ok: bool
    facts: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Report:
    """The answers to all questions."""

    lines: tuple[Line, ...]

    @property
    def good(self) -> bool:
        """Whether the record is whole.

        Old rounds that would be priced differently today, evenings that are kept or would be
        booked differently, or a full disk, are worth knowing and no damage.
        """
        return all(line.ok for line in self.lines if line.key not in NO_DAMAGE)

    @property
    def clean(self) -> bool:
        """Whether nothing at all was found."""
        return all(line.ok for line in self.lines)

    def line(self, key: str) -> Line:
        """Return the answer to one question."""
        return next(line for line in self.lines if line.key == key)
