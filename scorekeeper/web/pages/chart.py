"""The chart of totals, drawn on the server as SVG and readable without colour."""

from collections.abc import Callable, Iterator, Sequence
from math import ceil
from typing import NamedTuple, TypeVar

from scorekeeper.domain.game.state import Game
from scorekeeper.export.charts import ChartLine, axis_ticks, dashes, running_totals, spread_labels
from scorekeeper.i18n import Language
from scorekeeper.wording.pad import shown_as

T = TypeVar("T")

MAX_POINTS = 120
"""Points per line; of longer games only every second, third, ... round is drawn."""
LEFT, TOP, BOTTOM = 40, 10, 24
"""Room for the axis labels."""
GAP = 17
"""Distance between two names, so that they do not overlap."""
LETTERS, LETTER = 10, 9
"""The length at which names are cut (the pad shows them in full), and the width of a letter."""
ON_PHONES = (340, 220)
"""The width and height of most charts."""
SPACE = 24
"""Characters that fit below a chart: eight rounds, or four years."""


class Caption(NamedTuple):
    """The title of a chart, and what it shows in words, for screen readers."""

    title: str
    words: str


class Tick(NamedTuple):
    """A tick of an axis, or the limit: its position and label."""

    at: float
    words: str


class Curve(NamedTuple):
    """The line of one side."""

    name: str
    points: str
    dash: str
    leads: bool
    end: float
    """Vertical position of the last point."""
    label: float
    """Vertical position of the name: beside the last point, or as near as others allow."""


class Chart(NamedTuple):
    """A chart in its own units; ``right`` is where the lines end and the names begin."""

    width: int
    height: int
    left: int
    right: int
    title: str
    words: str
    """The same in words, for screen readers."""
    scale: tuple[Tick, ...]
    rounds: tuple[Tick, ...]
    limit: Tick | None
    """The points that end the game, once the game is near them."""
    curves: tuple[Curve, ...]


def chart(game: Game, lang: Language, size: tuple[int, int] = ON_PHONES) -> Chart | None:
    """Return the chart of totals after each round; None before the first round."""
    sheet, measure = game.sheet, game.rules.rank.measure
    rows = thin_out(sheet.counted)
    if not rows:
        return None
    runs = [running_totals(rows, side, measure) for side in range(sheet.sides)]
    limit = _limit(game, [value for points in runs for _, value in points])
    return line_chart(
        [
            ChartLine(name, points, leads=side in sheet.leaders)
            for side, (name, points) in enumerate(zip(game.sides, runs, strict=True))
        ],
        [str(row.number) for row in rows],
        lang,
        Caption(lang(f"pages.chart.{measure}"), standing(game, lang)),
        limit=None if limit is None else (limit, lang("pages.chart.limit", limit=limit)),
        size=size,
    )


def line_chart(
    lines: Sequence[ChartLine],
    places: Sequence[str],
    lang: Language,
    caption: Caption,
    *,
    limit: tuple[int, str] | None = None,
    size: tuple[int, int] = ON_PHONES,
) -> Chart:
    """Return a chart of lines, with labels below; all lines begin at place 0."""
    width, height = size
    values = [value for line in lines for _, value in line.points]
    values += [] if limit is None else [limit[0]]
    steps = axis_ticks(min(values), max(values))
    names = [_short(line.name) for line in lines]
    right, base = width - 12 - LETTER * max(map(len, names)), height - BOTTOM

    def x(place: int) -> float:
        return round(LEFT + (right - LEFT) * place / len(places), 1)

    def y(value: int) -> float:
        return round(base - (base - TOP) * (value - steps[0]) / (steps[-1] - steps[0]), 1)

    ends = [y(line.points[-1][1]) for line in lines]
    labels = spread_labels(ends, TOP, base, GAP)
    patterns = dashes([line.leads for line in lines])
    return Chart(
        width=width,
        height=height,
        left=LEFT,
        right=right,
        title=caption.title,
        words=caption.words,
        scale=tuple(Tick(y(step), lang.number(step)) for step in steps),
        rounds=tuple(_ticks(places, x)),
        limit=None if limit is None else Tick(y(limit[0]), limit[1]),
        curves=tuple(
            Curve(
                name=names[at],
                points=" ".join(f"{x(place)},{y(value)}" for place, value in line.points),
                dash=" ".join(map(str, patterns[at])),
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
    """Return all totals in words, best first: ``Claire 140, Anna 220``."""
    sheet, measure = game.sheet, game.rules.rank.measure
    order = sorted(range(sheet.sides), key=lambda side: (sheet.ranks[side] or sheet.sides, side))
    return ", ".join(
        f"{game.sides[side]} {shown_as(sheet.tallies[side].of(measure), measure, lang)}"
        for side in order
    )


def thin_out(points: Sequence[T]) -> Sequence[T]:
    """Return no more points than can be told apart, always with the last one."""
    step = ceil(len(points) / MAX_POINTS) or 1
    return points[::-step][::-1]


def _limit(game: Game, totals: Sequence[int]) -> int | None:
    end = game.rules.end
    if end.points is None or end.mode not in ("points", "points_or_rounds"):
        return None
    if end.measure != game.rules.rank.measure:
        return None
    sign = game.rules.limit_sign
    furthest = max(sign * total for total in totals)
    return sign * end.points if 2 * furthest >= end.points else None


def _ticks(places: Sequence[str], x: Callable[[int], float]) -> Iterator[Tick]:
    """Yield as many labels as fit, without repeating one."""
    step = ceil(len(places) / (SPACE // max(3, max(map(len, places))) or 1))
    later = ""
    for place in range(len(places), 0, -step):
        if places[place - 1] != later:
            later = places[place - 1]
            yield Tick(x(place), later)
