"""The end of a whole game of gin: points, game, boxes and shutout of each of its games."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from scorekeeper.domain.game.gin_game import Column
from scorekeeper.domain.game.state import Game
from scorekeeper.i18n import Language


class FinaleRow(NamedTuple):
    """A row of the table, with a cell for each side of each game."""

    kind: str
    """``points``, ``boxes`` (how many), ``boxed`` (their points), ``won`` and so on."""
    label: str
    cells: Sequence[str]


class Finale(NamedTuple):
    """The games of an evening side by side: one, or the three of Hollywood."""

    heads: Sequence[tuple[str, str]]
    """The name of each game and how far it is; empty for a single game."""
    rows: Sequence[FinaleRow]
    verdict: str
    """Who wins by how much; empty before the end."""


def finale(game: Game, lang: Language) -> Finale | None:
    """Return the table of the games; None where only rounds score, or before it says anything."""
    columns = game.sheet.columns
    if not columns or not (game.is_over or (len(columns) > 1 and game.sheet.counted)):
        return None
    heads = [
        (lang("pages.finale.game", n=number), _state(game, column, lang))
        for number, column in enumerate(columns, start=1)
    ]
    rows = list(_rows(game, columns, lang))
    return Finale(heads if len(columns) > 1 else (), rows, _verdict(game, lang))


def in_sentences(game: Game, lang: Language) -> Iterator[str]:
    """Yield the reckoning of each side of each game as a sentence, for paper."""
    shown = finale(game, lang) if game.is_over else None
    if shown is None:
        return
    sides = len(game.sides)
    for place, name in enumerate(game.sides * len(game.sheet.columns)):
        parts = [
            f"{row.label} {row.cells[place]}"
            for row in shown.rows
            if row.kind != "boxes" and row.cells[place]
        ]
        of_game = f" ({shown.heads[place // sides][0]})" if shown.heads else ""
        yield f"{name}{of_game}{lang.sign(':')} {', '.join(parts)}."


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
