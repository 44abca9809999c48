"""How a season came about: its evenings, its records, and the points over time."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from scorekeeper.store.evenings import Best, StoredEvening


@dataclass(frozen=True)
class SeasonHistory:
    """The part of a season sheet below its table."""

    evenings: Sequence[StoredEvening]
    """The first evening first."""
    records: Sequence[tuple[str, Best]]
    times: Sequence[str]
    """When the evenings of ``runs`` began."""
    runs: Mapping[int, Sequence[tuple[int, int]]]
    """By member: the points from the others, summed up by evening."""
    preset: str | None = None
    """The rule system of records and points, if the evenings have several."""
