"""A whole game of gin: its end as a reckoning, and the pad of three games at once (Hollywood)."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from scorekeeper.domain.game import gin_game
from scorekeeper.domain.game.gin_game import Column
from scorekeeper.domain.game.state import Game
from scorekeeper.i18n import Language
from scorekeeper.wording import pad


class FinaleRow(NamedTuple):
    """A row of the table, with a cell for each side of each game."""

    kind: str
    """``round`` (the totals after it), ``points``, ``boxes`` (how many), ``boxed`` (their points),
    ``won`` and so on."""
    label: str
    cells: Sequence[str]


class Finale(NamedTuple):
    """The games of an evening side by side: one, or the three of Hollywood."""

    heads: Sequence[tuple[str, str]]
    """The name of each game and how far it is; empty for a single game."""
    rows: Sequence[FinaleRow]
    verdict: str
    """Who wins by how much; empty before the end."""
    rounds: Sequence[FinaleRow] = ()
    """Of three games: the totals that each round has changed."""
    results: Sequence[tuple[str, str]] = ()
    """Of three games: who has won each by how much, and both counts; empty for those that go on."""


def finale(game: Game, lang: Language) -> Finale | None:
    """Return the table of the games; None where only rounds score, or before it says anything."""
    columns = game.sheet.columns
    if not columns or not (game.is_over or game.rules.gin.hollywood):
        return None
    heads = [
        (lang("pages.finale.game", n=number), _state(game, column, lang))
        for number, column in enumerate(columns, start=1)
    ]
    rows = list(_rows(game, columns, lang))
    if len(columns) == 1:
        return Finale((), rows, _verdict(game, lang))
    rounds = [
        FinaleRow("round", str(number), cells) for number, cells in _written(game, lang).items()
    ]
    results = [_result(game, column, lang) for column in columns]
    return Finale(heads, rows, _verdict(game, lang), rounds, results)


def heads(game: Game, lang: Language) -> list[pad.Head]:
    """Return the heads of the pad: a column for each side, of three games for each side of each."""
    if not game.rules.gin.hollywood:
        return pad.heads(game, lang)
    return [
        pad.Head(
            name=name,
            total=lang.number(column.points[side]),
            plus="",
            rank=None,
            leads=column.points[side] > column.points[1 - side],
            place="",
            boxes=column.boxes[side],
            laid=f"{lang('pages.finale.game', n=number)}, {_state(game, column, lang)}",
        )
        for number, column in enumerate(game.sheet.columns, start=1)
        for side, name in enumerate(game.sides)
    ]


def games(game: Game, lang: Language) -> list[str]:
    """Return the names of the three games of Hollywood; nothing of other games."""
    count = gin_game.HOLLYWOOD_GAMES if game.rules.gin.hollywood else 0
    return [lang("pages.finale.game", n=number) for number in range(1, count + 1)]


def lines(game: Game, lang: Language, last: int = 0) -> list[pad.PadLine]:
    """Return the rounds of the pad, or the last few; of three games the totals they changed."""
    shown = pad.lines(game, lang, last)
    if not game.rules.gin.hollywood:
        return shown
    written = _written(game, lang)
    columns = [f"{one}, {name}" for one in games(game, lang) for name in game.sides]
    nothing = [""] * len(columns)
    newest = max(written, default=0)
    return [
        line._replace(
            cells=tuple(map(pad.Cell, columns, written.get(line.number, nothing))),
            notes=(*_hand(game, newest, lang), *line.notes)
            if line.number == newest
            else line.notes,
        )
        for line in shown
    ]


def _written(game: Game, lang: Language) -> dict[int, list[str]]:
    """Return the totals that each round has changed, by side of each of three games."""
    states = pairwise(gin_game.hollywood(game.sheet.counted, game.rules))
    return {
        row.number: [
            lang.number(after.points[side]) if after.entries[side] > before.entries[side] else ""
            for before, after in zip(*columns, strict=True)
            for side in (0, 1)
        ]
        for row, columns in zip(game.sheet.counted, states, strict=True)
    }


def _hand(game: Game, number: int, lang: Language) -> Iterator[str]:
    """Yield how a round ended, with its points, and where it counts."""
    row = game.sheet.row(number)
    points = None if row.score.winner is None else row.points(row.score.winner)
    how = ", ".join(lang.marks(row.score, row.round, game.sides))
    yield f"{how}, {lang.number(points.plus, signed=True)}" if points else how
    yield lang("pages.finale.rule")


def _state(game: Game, column: Column, lang: Language) -> str:
    if column.winner is not None:
        return lang("pages.finale.over")
    return lang("pages.finale.left", n=(game.rules.end.points or 0) - max(column.points))


def _rows(game: Game, columns: Sequence[Column], lang: Language) -> Iterator[FinaleRow]:
    gin = game.rules.gin

    def row(kind: str, numbers: Sequence[int | None], *, signed: bool = False) -> FinaleRow:
        cells = ["" if one is None else lang.number(one, signed=signed) for one in numbers]
        return FinaleRow(kind, lang(f"pages.finale.{kind}", n=gin.box_bonus), cells)

    yield row("points", [one for column in columns for one in column.points])
    if len(columns) > 1:
        yield row("boxes", [one or None for column in columns for one in column.boxes])
    done = [column if game.is_over or column.winner is not None else None for column in columns]
    if not any(done):
        return
    if gin.game_bonus:
        yield row("won", _added(game, done, "game_bonus"), signed=True)
    if gin.box_at == "game":
        yield row("boxed", _added(game, done, "boxes"), signed=True)
    if gin.shutout != "none":
        shutout = row("shutout", _added(game, done, "shutout"), signed=True)
        no = lang("value.no")
        winners = [column and column.winner == side for column in done for side in (0, 1)]
        cells = [
            cell or (no if won else "") for cell, won in zip(shutout.cells, winners, strict=True)
        ]
        yield shutout._replace(cells=cells)
    finals = [column.final(game.rules) if column else (None, None) for column in done]
    yield row("total", [one for final in finals for one in final])


def _added(game: Game, columns: Sequence[Column | None], reason: str) -> list[int | None]:
    """Return what is added for a reason, by side of each game."""
    added: list[int | None] = []
    for column in columns:
        lines = (
            [line for line in column.lines(game.rules) if line.reason == reason] if column else []
        )
        added += [sum(line.plus for line in lines if line.seat == side) or None for side in (0, 1)]
    return added


def _result(game: Game, column: Column, lang: Language) -> tuple[str, str]:
    if column.winner is None:
        return "", ""
    own, other = (column.final(game.rules)[side] for side in (column.winner, 1 - column.winner))
    more = lang.number(own - other, signed=True)
    return f"{game.sides[column.winner]} {more}", lang("pages.finale.count", own=own, other=other)


def _verdict(game: Game, lang: Language) -> str:
    """Return who has more in the end; the rounds alone may say otherwise (8.4)."""
    if game.final is None or game.final[0] == game.final[1]:
        return ""
    best = max((0, 1), key=lambda side: (game.final or ())[side])
    most, least = max(game.final), min(game.final)
    return lang(
        "pages.finale.verdict",
        player=game.sides[best],
        n=most - least,
        most=lang.number(most),
        least=lang.number(least),
    )
