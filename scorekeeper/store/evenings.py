"""The stored results of a group's evenings, so that a season needs one query and no replay.

They are derived from the events, in the same transaction as the change itself, and can be
derived again at any time.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal, NamedTuple

from scorekeeper.domain.game.state import Game
from scorekeeper.domain.group.results import Encounter, Evening, Result, evening
from scorekeeper.domain.group.state import Seating

SUMS = (
    *("minus", "plus", "worth", "league", "played", "won"),
    *("hand_rommes", "gins", "undercuts", "left_over", "lost"),
)
"""Figures that are summed over evenings."""
Record = Literal["worst", "won", "streak", "rounds", "lead", "lost_by", "hand_rommes", "gins"]
COLUMNS = ("place", *SUMS, "best", "worst", "streak", "numerator", "denominator")
TABLES = {
    "evenings": (
        *("game", "group_id", "began", "training", "over"),
        *("rounds", "family", "preset", "unit"),
    ),
    "results": ("group_id", "game", "seat", "member", *COLUMNS),
    "encounters": ("group_id", "game", "one", "other", "points", "rounds", "won", "lost"),
}
"""The columns of the rows, by table."""
FIELDS = {"left_over": "left", "place": "rank"}
"""The fields of a result whose names are reserved words in SQL, by column."""


@dataclass(frozen=True, kw_only=True)
class StoredEvening:
    """One evening of a group as it is stored."""

    game: str
    began: str
    """When its game began, UTC."""
    seating: Seating
    over: bool
    evening: Evening

    @property
    def day(self) -> str:
        """The UTC day, ``2026-01-31``; what people read is worded from ``began``."""
        return self.began[:10]


class Attendance(NamedTuple):
    """One member at one evening."""

    game: str
    began: str
    member: int
    rank: int | None
    points: int
    """The points won from the others, summed over all pairs ([001] §6)."""


@dataclass(frozen=True)
class Best:
    """The record holder of a figure: who, in which game, and the value."""

    game: str
    began: str
    member: int
    value: int


Rows = dict[str, list[tuple[Any, ...]]]
"""The rows by table, with the columns of ``TABLES``."""


def stored_evening(game: Game, seating: Seating) -> StoredEvening:
    """Return the evening that a game makes for its group."""
    return StoredEvening(
        game=game.id,
        began=game.created_at,
        seating=seating,
        over=game.has_result,
        evening=evening(game),
    )


def rows_of(group_id: str, stored: StoredEvening) -> Rows:
    """Return an evening as rows, in the order of seats and of pairs."""
    evening, members, ids = stored.evening, stored.seating.members, (group_id, stored.game)
    about = stored.game, group_id, stored.began, stored.seating.training, stored.over
    played = evening.rounds, evening.family, evening.preset, evening.unit
    return {
        "evenings": [(*about, *played)],
        "results": [
            (*ids, result.seat, members[result.seat], *_columns(result))
            for result in evening.results
        ],
        "encounters": sorted((*ids, *_between(met, members)) for met in evening.encounters),
    }


def _columns(one: Result) -> list[Any]:
    """Return the columns of a result, without seat and member."""
    amount = one.amount
    parts = (None, None) if amount is None else (str(amount.numerator), str(amount.denominator))
    return [*(getattr(one, FIELDS.get(name, name)) for name in COLUMNS[:-2]), *parts]


def read_result(columns: Iterable[Any]) -> Result:
    seat, *values, numerator, denominator = columns
    named = {FIELDS.get(name, name): value for name, value in zip(COLUMNS, values, strict=False)}
    amount = None if numerator is None else Fraction(int(numerator), int(denominator))
    return Result(seat=seat, amount=amount, **named)


def _between(met: Encounter, members: Sequence[int]) -> tuple[int, ...]:
    """Return an encounter of two seats as one of two members, the lower index first."""
    one, other, sign, won, lost = members[met.one], members[met.other], 1, met.won, met.lost
    if one > other:
        one, other, sign, won, lost = other, one, -1, lost, won
    return one, other, sign * met.points, met.rounds, won, lost


def read_stored_evening(row: Sequence[Any], results: Sequence[tuple[int, Result]]) -> StoredEvening:
    game, began, training, over, rounds, family, preset, unit = row
    return StoredEvening(
        game=game,
        began=began,
        seating=Seating(tuple(member for member, _ in results), bool(training)),
        over=bool(over),
        evening=Evening(
            results=tuple(result for _, result in results),
            encounters=(),
            rounds=rounds,
            unit=unit,
            family=family,
            preset=preset,
        ),
    )
