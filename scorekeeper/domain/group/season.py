"""The season: the ranking of members over many evenings, by a chosen figure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, tzinfo
from fractions import Fraction
from types import MappingProxyType
from typing import Literal

from scorekeeper.domain.errors import RuleError
from scorekeeper.domain.group.results import Counts
from scorekeeper.domain.group.state import Group
from scorekeeper.domain.group.units import in_unit

Order = Literal["points", "average", "wins", "money", "league", "rating"]
Value = int | Fraction | None
"""The figure compared, more is better; None if there is nothing to compare."""


FIRST_DAY, LAST_DAY = "0001-01-01", "9999-12-31"


@dataclass(frozen=True, kw_only=True)
class Span:
    """A selection of evenings: days as ``2026-01-31``, both included."""

    first: str = FIRST_DAY
    last: str = LAST_DAY
    zone: tzinfo | None = UTC
    """The time zone of the days; None: that of this machine."""
    family: str | None = None
    """Only games of this family of rules."""
    preset: str | None = None
    """Only games of this rule system."""
    training: bool = False
    """Whether training games are included."""


ALWAYS = Span()
"""All evenings but those played for training."""
WITH_TRAINING = Span(training=True)
"""All evenings."""


@dataclass(frozen=True)
class Choices:
    """The filters for the evenings of a group, without those played for training.

    In each, the most frequent value comes first.
    """

    years: tuple[str, ...]
    """The latest year first."""
    families: tuple[str, ...]
    presets: tuple[str, ...]
    units: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Figures(Counts):
    """The sums of one member's evenings, with the figures of ``results.Result``."""

    member: int
    evenings: int
    evenings_won: int
    amounts: Mapping[str, Fraction] = field(default_factory=dict)
    """Money by unit."""


@dataclass(frozen=True, kw_only=True)
class Standing:
    """The place of one member in the season."""

    figures: Figures
    rank: int | None
    """None if the member played too few rounds or has nothing to compare."""
    value: Value
    """The value that decides the order."""


@dataclass(frozen=True)
class Question:
    """The query for a season table."""

    by: Order
    span: Span
    unit: str | None
    min_rounds: int


@dataclass(frozen=True)
class Season:
    """A season table with its group and query."""

    group: Group
    question: Question
    standings: tuple[Standing, ...]

    @property
    def listed(self) -> tuple[Standing, ...]:
        return tuple(standing for standing in self.standings if standing.rank is not None)

    @property
    def apart(self) -> tuple[Standing, ...]:
        """The standings without a rank."""
        return tuple(standing for standing in self.standings if standing.rank is None)


def standings(
    figures: Sequence[Figures],
    by: Order,
    *,
    unit: str | None = None,
    min_rounds: int = 0,
    rated: Mapping[int, int] = MappingProxyType({}),
) -> tuple[Standing, ...]:
    """Return all members in order, those without a rank at the end; ``rated`` is by member.

    Equal values share a rank and the next is skipped (1, 1, 3); ties are not broken [dec].
    Raises RuleError E_UNIT if money is compared without a unit.
    """
    if by == "money" and unit is None:
        known = {name for figure in figures for name in figure.amounts}
        raise RuleError("E_UNIT", ("unit",), units=tuple(sorted(known)))
    everybody = [
        Standing(figures=figure, rank=None, value=_value(figure, by, unit, rated))
        for figure in figures
    ]
    everybody.sort(key=lambda standing: (standing.value is None, -(standing.value or 0)))
    enough = max(min_rounds, 1)
    ranked, others = list[Standing](), list[Standing]()
    for standing in everybody:
        if standing.value is None or standing.figures.played < enough:
            others.append(standing)
        elif ranked and ranked[-1].value == standing.value:
            ranked.append(replace(standing, rank=ranked[-1].rank))
        else:
            ranked.append(replace(standing, rank=len(ranked) + 1))
    return (*ranked, *others)


def _value(one: Figures, by: Order, unit: str | None, rated: Mapping[int, int]) -> Value:
    """Return the value that decides a member's rank.

    Points are signed such that more is better, whatever a rule system counts. Wins are evenings
    won [dec].
    """
    match by:
        case "points":
            return one.worth
        case "average":
            return Fraction(one.worth, one.played) if one.played else None
        case "wins":
            return one.evenings_won
        case "money":
            return in_unit(one.amounts, unit or "")
        case "league":
            return one.league
        case "rating":
            return rated.get(one.member)
