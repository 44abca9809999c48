"""The questions about a CSV score sheet, and their answers."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import tzinfo
from typing import Literal

from scorekeeper.wire.csv_cells import DateOrder

PointsKind = Literal["rounds", "totals", "day_totals"]
POINTS_KINDS: tuple[PointsKind, ...] = ("rounds", "totals", "day_totals")
Action = Literal["replace", "keep", "skip"]
ACTIONS: tuple[Action, ...] = ("replace", "keep", "skip")


@dataclass(frozen=True)
class Choices:
    """The answers to the questions of a sheet."""

    new_members: frozenset[str] = frozenset()
    """Headings that are players although no member has that name, or although it is a word."""
    left_out: frozenset[str] = frozenset()
    """Headings of columns that are no players."""
    points: PointsKind | None = None
    """Whether the cells are points of rounds or running totals; asked if they never fall.

    ``day_totals`` begin anew every day; ``totals`` do if they cannot go on.
    """
    dates: DateOrder | None = None
    """Whether ``3/5/2026`` is in May or in March; asked if no other date of the sheet tells."""
    existing: Mapping[str, Action] = field(default_factory=dict)
    """By day: what to do if the evening is here already. ``keep`` keeps both."""
    zone: tzinfo | None = None
    """The time zone of the table, in which people write days; None is that of this machine."""


NO_CHOICES = Choices()
QUESTIONS = frozenset(("new_member", "doubtful", "running", "day_month", "exists"))
"""The reasons of problems that are questions, which ``Choices`` answer."""
