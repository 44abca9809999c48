"""The scale of a tournament: what the result of a table is worth, as data.

A scale may combine points by place, the points of the games themselves, bonuses for rounds that
were won, and victory points read from a printed table of differences. Every tournament point is a
line with its reason.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from itertools import pairwise
from typing import Any, Literal, get_args

from scorekeeper.domain.errors import RuleError

TieBreak = Literal["net", "wins", "opponents", "direct", "best", "lot"]
TIE_BREAKS: tuple[TieBreak, ...] = get_args(TieBreak)
Reason = Literal["place", "net", "win", "hand_win", "left", "victory", "cap", "sit_out"]
REASONS: tuple[Reason, ...] = get_args(Reason)

MOST_POINTS = 1_000
"""The most points, and the least as a negative number, in one place of a scale."""
MOST_STEPS = 40
"""The most rows of a table in a scale."""


@dataclass(frozen=True)
class Performance:
    """What one entrant did at a table; for a pair, both partners together."""

    worth: int
    """The points of the game, with a sign such that more is better."""
    wins: int = 0
    """Rounds won without playing from the hand."""
    hand_wins: int = 0
    """Rounds won by going out in one turn (hand rommé)."""
    left: tuple[int, ...] = ()
    """The points left in hand in each lost round, where they are known."""
    place: int | None = None
    """The place by the game's own ranking; None where only the points are known: typed totals,
    and pairs whose two results add up."""


@dataclass(frozen=True)
class Line:
    """Tournament points with their reason."""

    reason: Reason
    points: int
    facts: Mapping[str, int]


@dataclass(frozen=True, kw_only=True)
class Scale:
    """What a table's result is worth."""

    places: tuple[int, ...] = ()
    """Points by place at the table; entrants who tie all get those of the better place [dec]."""
    net: bool = False
    """The points of the game count as they are; minus points are subtracted."""
    win: int = 0
    """For each round won."""
    hand_win: int = 0
    """For each round won from the hand, instead of ``win``."""
    left: tuple[tuple[int, int], ...] = ()
    """For each lost round: at most so many points left in hand, and the bonus; ascending."""
    victory: tuple[tuple[int, int, int], ...] = ()
    """From so many points of difference: the points of the better and of the other one."""
    most: int | None = None
    """The most points at one table."""
    least: int | None = None
    """The least points at one table."""
    sit_out: int = 0
    """For a round that the draw made somebody sit out."""
    tie_breaks: tuple[TieBreak, ...] = ("net", "wins", "lot")
    """What decides between equal points, in this order."""


def check_scale(scale: Scale, size: int) -> None:
    """Raise RuleError E_TOURNAMENT for a scale that cannot be applied to tables of this size."""
    counted = (scale.places, scale.net, scale.win, scale.hand_win, scale.left, scale.victory)
    if not any(counted):
        raise _refused("no_points", "scale")
    if scale.places and len(scale.places) < size:
        raise _refused("places", "scale", "places", size=size, stated=len(scale.places))
    if any(later > earlier for earlier, later in pairwise(scale.places)):
        raise _refused("order", "scale", "places")
    if scale.victory and size != 2:
        raise _refused("victory", "scale", "victory", size=size)
    for name, table in (("left", scale.left), ("victory", scale.victory)):
        firsts = [row[0] for row in table]
        if any(later <= earlier for earlier, later in pairwise(firsts)):
            raise _refused("order", "scale", name)
    if scale.victory and scale.victory[0][0] != 0:
        raise _refused("from_zero", "scale", "victory")
    if None not in (scale.least, scale.most) and scale.least > scale.most:  # type: ignore[operator]
        raise _refused("cap", "scale", "least")
    if len(set(scale.tie_breaks)) < len(scale.tie_breaks):
        raise _refused("twice", "scale", "tie_breaks")
    for number in _numbers(scale):
        if abs(number) > MOST_POINTS:
            raise _refused("range", "scale", most=MOST_POINTS)
    if max(len(scale.left), len(scale.victory), len(scale.places)) > MOST_STEPS:
        raise _refused("steps", "scale", most=MOST_STEPS)


def _refused(why: str, *path: str, **facts: object) -> RuleError:
    return RuleError("E_TOURNAMENT", path, why=f"scale_{why}", **facts)


def _numbers(scale: Scale) -> Iterator[int]:
    yield from scale.places
    yield from (scale.win, scale.hand_win, scale.sit_out, scale.most or 0, scale.least or 0)
    for row in (*scale.left, *scale.victory):
        yield from row


def places_of(table: Sequence[Performance]) -> tuple[int, ...]:
    """Return the place of each entrant at the table: as the game ranks them, else by points.

    By points, equal ones share a place.
    """
    ranked = tuple(one.place for one in table if one.place)
    if len(ranked) == len(table):
        return ranked
    return tuple(1 + sum(other.worth > one.worth for other in table) for one in table)


def points_at(table: Sequence[Performance], scale: Scale) -> tuple[tuple[Line, ...], ...]:
    """Return the tournament points of each entrant at a table, line by line.

    >>> [line.points for (line,) in points_at(
    ...     [Performance(-92), Performance(-86), Performance(-161)], Scale(places=(4, 3, 2, 1)))]
    [3, 4, 2]
    """
    return tuple(
        _capped(tuple(_lines(one, place, table, scale)), scale)
        for one, place in zip(table, places_of(table), strict=True)
    )


def _lines(
    one: Performance, place: int, table: Sequence[Performance], scale: Scale
) -> Iterator[Line]:
    if scale.places:
        yield Line("place", scale.places[place - 1], {"place": place})
    if scale.net:
        yield Line("net", one.worth, {})
    if scale.win and one.wins:
        yield Line("win", scale.win * one.wins, {"count": one.wins, "each": scale.win})
    if one.hand_wins and (each := scale.hand_win or scale.win):
        yield Line("hand_win", each * one.hand_wins, {"count": one.hand_wins, "each": each})
    for most, bonus in scale.left:
        least = max((step for step, _ in scale.left if step < most), default=-1)
        if count := sum(least < points <= most for points in one.left):
            yield Line("left", bonus * count, {"count": count, "each": bonus, "most": most})
    if scale.victory and len(table) == 2:
        difference = 2 * one.worth - sum(each.worth for each in table)
        _, better, other = max(row for row in scale.victory if row[0] <= abs(difference))
        points = better if place == 1 else other
        yield Line("victory", points, {"difference": difference})


def _capped(lines: tuple[Line, ...], scale: Scale) -> tuple[Line, ...]:
    """Return the lines with one more that brings their sum within the limits of the scale."""
    total = sum(line.points for line in lines)
    allowed = total
    if scale.most is not None:
        allowed = min(allowed, scale.most)
    if scale.least is not None:
        allowed = max(allowed, scale.least)
    return lines if allowed == total else (*lines, Line("cap", allowed - total, {"limit": allowed}))


# ---- stored form ---------------------------------------------------------------------


def encode_scale(scale: Scale) -> dict[str, Any]:
    """Return a scale as JSON values."""
    return {name: _listed(getattr(scale, name)) for name in _NAMES}


def decode_scale(values: Mapping[str, Any]) -> Scale:
    """Return the scale of ``encode_scale``; raise ValueError for values of another kind."""
    scale = Scale(**{name: _tupled(value) for name, value in values.items()})
    numbers = (*_numbers(scale), *(scale.most, scale.least))
    if any(one is not None and type(one) is not int for one in numbers):
        raise ValueError("a number of the scale is none")
    if type(scale.net) is not bool or not set(scale.tie_breaks) <= set(TIE_BREAKS):
        raise ValueError("no scale")
    if any(len(row) != 2 for row in scale.left) or any(len(row) != 3 for row in scale.victory):
        raise ValueError("no table of a scale")
    return scale


_NAMES = tuple(field.name for field in fields(Scale))


def _listed(value: Any) -> Any:
    return [_listed(one) for one in value] if isinstance(value, tuple) else value


def _tupled(value: Any) -> Any:
    return tuple(_tupled(one) for one in value) if isinstance(value, list) else value
