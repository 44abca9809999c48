"""The findings of ``check`` as facts; the catalogues word them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

NO_DAMAGE = ("prices", "evenings", "accounts", "space")
SHOWN = 20
"""The number of bad places that are listed; all are counted."""


@dataclass(frozen=True)
class CheckResult:
    """One check and its outcome."""

    key: str
    ok: bool
    facts: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Report:
    """The outcomes of all checks."""

    lines: tuple[CheckResult, ...]

    @property
    def good(self) -> bool:
        """Whether the database is undamaged.

        Rounds that would be scored differently today, evenings whose stored or booked results
        differ, and a full disk are reported but are no damage.
        """
        return all(line.ok for line in self.lines if line.key not in NO_DAMAGE)

    @property
    def clean(self) -> bool:
        """Whether no check failed."""
        return all(line.ok for line in self.lines)

    def line(self, key: str) -> CheckResult:
        """Return the outcome of one check."""
        return next(line for line in self.lines if line.key == key)
