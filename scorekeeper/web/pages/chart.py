"""The run of the totals as lines: drawn here, on the server, and readable without colour."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import ceil
from typing import TypeVar

from scorekeeper.domain.game import Game
from scorekeeper.export.charts import DASHES, axis_ticks, running_totals, spread_labels
from scorekeeper.i18n import Language
from scorekeeper.web.pages.pad import shown_as

T = TypeVar("T")

MOST_POINTS = 120
"""A line of more rounds is drawn from every so many of them."""
LEFT, TOP, BOTTOM = 40, 10, 24
"""Room for the figures beside the drawing and below it."""
GAP = 17
"""From one name to the next, so that none lies over another."""
LETTERS = 10
"""A longer name is cut; the pad has it whole."""
SPACE = 24
"""So many letters fit below a drawing: eight rounds, or four years."""


@dataclass(frozen=True)
class Line:
    """Values to be drawn, each with its place."""

    name: str
    points: Sequence[tuple[int, int]]
    leads: bool = False


@dataclass(frozen=True)
class Mark:
    """A line of the scale: where it lies and what it says."""

    at: float
    words: str


@dataclass(frozen=True)
class Curve:
    """The totals of one side."""

    name: str
    points: str
    dash: str
    leads: bool
    end: float
    """Where its last point lies."""
    label: float
    """Where its name stands: beside the last point, or as near as the others allow."""


@dataclass(frozen=True)
class Chart:
    """A drawing in units of its own; ``right`` is where the lines end and the names begin."""

    width: int
    height: int
    left: int
    right: int
    base: float
    title: str
    words: str
    """The same in words, for who does not see it."""
    scale: tuple[Mark, ...]
    rounds: tuple[Mark, ...]
    limit: Mark | None
    """Where the game ends, once that is near enough to be drawn."""
    curves: tuple[Curve, ...]


def chart(game: Game, lang: Language, width: int, height: int) -> Chart | None:
    """The totals after each round; None before the second point of any line."""
    sheet, measure = game.sheet, game.rules.rank.measure
    rows = thinned(sheet.counted)
    if not rows:
        return None
    runs = [running_totals(rows, side, measure) for side in range(sheet.sides)]
    limit = _limit(game, [value for points in runs for _, value in points])
    return drawn(
        [
            Line(name, points, leads=side in sheet.leaders)
            for side, (name, points) in enumerate(zip(game.sides, runs, strict=True))
        ],
        [str(row.number) for row in rows],
        lang,
        title=lang(f"pages.chart.{measure}"),
        words=standing(game, lang),
        limit=None if limit is None else (limit, lang("pages.chart.limit", limit=limit)),
        size=(width, height),
    )


def drawn(
    lines: Sequence[Line],
    places: Sequence[str],
    lang: Language,
    *,
    title: str,
    words: str,
    limit: tuple[int, str] | None = None,
    size: tuple[int, int] = (340, 220),
) -> Chart:
    """Lines over places that are named below them, from place 0, where all begins."""
    width, height = size
    values = [value for line in lines for _, value in line.points]
    values += [] if limit is None else [limit[0]]
    steps = axis_ticks(min(values), max(values))
    right, base = width - 92, height - BOTTOM

    def x(place: int) -> float:
        return round(LEFT + (right - LEFT) * place / len(places), 1)

    def y(value: int) -> float:
        return round(base - (base - TOP) * (value - steps[0]) / (steps[-1] - steps[0]), 1)

    ends = [y(line.points[-1][1]) for line in lines]
    labels = spread_labels(ends, TOP, base, GAP)
    return Chart(
        width=width,
        height=height,
        left=LEFT,
        right=right,
        base=base,
        title=title,
        words=words,
        scale=tuple(Mark(y(step), lang.number(step)) for step in steps),
        rounds=tuple(_marks(places, x)),
        limit=None if limit is None else Mark(y(limit[0]), limit[1]),
        curves=tuple(
            Curve(
                name=_short(line.name),
                points=" ".join(f"{x(place)},{y(value)}" for place, value in line.points),
                dash=" ".join(map(str, DASHES[at % len(DASHES)])),
                leads=line.leads,
                end=ends[at],
                label=labels[at],
            )
            for at, line in enumerate(lines)
        ),
    )


def _short(name: str) -> str:
    return name if len(name) <= LETTERS else f"{name[: LETTERS - 1].rstrip()}…"


def standing(game: Game, lang: Language) -> str:
    """Everyone's total in words, who leads first: ``Claire 140, Anna 220``."""
    sheet, measure = game.sheet, game.rules.rank.measure
    order = sorted(range(sheet.sides), key=lambda side: (sheet.ranks[side] or sheet.sides, side))
    return ", ".join(
        f"{game.sides[side]} {shown_as(sheet.tallies[side].of(measure), measure, lang)}"
        for side in order
    )


def thinned(points: Sequence[T]) -> Sequence[T]:
    """No more points than can be told apart; the last one is always there."""
    step = ceil(len(points) / MOST_POINTS) or 1
    return points[::-step][::-1]


def _limit(game: Game, totals: Sequence[int]) -> int | None:
    """The points that end the game, once somebody is halfway there."""
    end = game.rules.end
    if end.points is None or end.mode not in ("points", "points_or_rounds"):
        return None
    if end.measure != game.rules.rank.measure:
        return None
    sign = game.rules.limit_sign
    furthest = max(sign * total for total in totals)
    return sign * end.points if 2 * furthest >= end.points else None


def _marks(places: Sequence[str], x: Callable[[int], float]) -> Iterator[Mark]:
    """The names of the places, no more than fit, none twice in a row."""
    step = ceil(len(places) / (SPACE // max(3, max(map(len, places))) or 1))
    later = ""
    for place in range(len(places), 0, -step):
        if places[place - 1] != later:
            later = places[place - 1]
            yield Mark(x(place), later)
