"""The season: who stands where after many evenings, by what the group wants to compare."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Literal

from scorekeeper.domain.errors import RuleError
from scorekeeper.domain.group import Group
from scorekeeper.domain.results import Counts

Order = Literal["points", "average", "wins", "money", "league"]
Value = int | Fraction | None
"""What is compared, the more the better; None: there is nothing to compare."""


FIRST_DAY, LAST_DAY = "0000-01-01", "9999-12-31"


@dataclass(frozen=True, kw_only=True)
class Span:
    """Which evenings are meant: days as ``2026-01-31``, both included."""

    first: str = FIRST_DAY
    last: str = LAST_DAY
    family: str | None = None
    """Only those of one family of rules."""
    training: bool = False
    """With those that were for training."""


ALWAYS = Span()
ALL_THERE_ARE = Span(training=True)


@dataclass(frozen=True)
class Choices:
    """What the evenings of a group can be told apart by; of each the most frequent first."""

    years: tuple[str, ...]
    """The latest first."""
    families: tuple[str, ...]
    units: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Figures(Counts):
    """One member's evenings summed up, each figure as in ``results.Result``."""

    member: int
    evenings: int
    evenings_won: int
    amounts: Mapping[str, Fraction] = field(default_factory=dict)
    """Money by its unit; units are never mixed."""


@dataclass(frozen=True, kw_only=True)
class Standing:
    """One member's place in the season."""

    figures: Figures
    rank: int | None
    """None: listed apart, since he played too few rounds or has nothing to compare."""
    value: Value
    """What the table is ordered by."""


@dataclass(frozen=True)
class Question:
    """Which table is wanted."""

    by: Order
    span: Span
    unit: str | None
    min_rounds: int


@dataclass(frozen=True)
class Season:
    """A season table about to be shown."""

    group: Group
    question: Question
    standings: tuple[Standing, ...]

    @property
    def listed(self) -> tuple[Standing, ...]:
        return tuple(one for one in self.standings if one.rank is not None)

    @property
    def apart(self) -> tuple[Standing, ...]:
        """Too few rounds, or nothing to compare."""
        return tuple(one for one in self.standings if one.rank is None)


def standings(
    figures: Sequence[Figures], by: Order, *, unit: str | None = None, min_rounds: int = 0
) -> tuple[Standing, ...]:
    """Everybody in order, those without a rank at the end.

    Equal values share a rank and the next is skipped (1, 1, 3); nothing breaks a tie [dec].
    Raises RuleError E_UNIT for money without the unit that is meant.
    """
    if by == "money" and unit is None:
        known = {name for one in figures for name in one.amounts}
        raise RuleError("E_UNIT", ("unit",), units=tuple(sorted(known)))
    everybody = [Standing(figures=one, rank=None, value=_value(one, by, unit)) for one in figures]
    everybody.sort(key=lambda one: (one.value is None, -(one.value or 0)))
    enough = max(min_rounds, 1)
    listed = [one for one in everybody if one.value is not None and one.figures.played >= enough]
    values = [one.value for one in listed]
    return (
        *(replace(one, rank=1 + values.index(one.value)) for one in listed),
        *(one for one in everybody if one not in listed),
    )


def _value(one: Figures, by: Order, unit: str | None) -> Value:
    """What a member is compared by.

    Points are what the evenings were worth, the more the better: minus points of Rommé and
    plus points of gin would not add up otherwise [dec]. Wins are evenings won [dec].
    """
    match by:
        case "points":
            return one.worth
        case "average":
            return Fraction(one.worth, one.played) if one.played else None
        case "wins":
            return one.evenings_won
        case "money":
            return one.amounts.get(unit or "")
        case "league":
            return one.league
