"""The sheet as CSV: a row a round, numbers that stay numbers, words that stay words."""

import csv
import re
from io import StringIO

from scorekeeper.domain.game import Game
from scorekeeper.domain.season import Season
from scorekeeper.domain.sheet import Row

FORMULA = re.compile(r"(?<![^;,|])([\"\s]*)(?=[=+@＝＋－＠-])")
"""How a cell begins that a spreadsheet would reckon instead of show.

In German Excel a cell ends at a semicolon, whatever ends it in the file, so that another one
may begin within a text.
"""


def inert(text: str) -> str:
    """A text that a spreadsheet shows as it is (OWASP: CSV injection)."""
    return FORMULA.sub(r"\1'", text)


def in_table(game: Game) -> Game:
    """The game as tables name its players: an erased one is a number."""
    return game.called(lambda seat: f"player {seat + 1}")


def as_csv(game: Game) -> str:
    """All rounds and the totals; minus and plus of every player, in teams of every side."""
    game, file = in_table(game), StringIO()
    write = csv.writer(file)
    sides = [inert(name) for name in game.sides]
    points = [f"{side} {tally}" for side in sides for tally in ("minus", "plus")]
    write.writerow(["round", "at", "status", "outcome", "winner", *points, "note"])
    for row in game.sheet.rows:
        write.writerow(_cells(game, row))
    totals = [n for tally in game.sheet.tallies for n in (tally.minus, tally.plus)]
    write.writerow(["total", game.changed_at, "", "", "", *totals, ""])
    return file.getvalue()


def _cells(game: Game, row: Row) -> list[str | int]:
    score = row.score
    winner = "" if score.winner is None else inert(game.sides[score.winner])
    cells: list[str | int] = [row.number, row.at, status(game, row), score.outcome, winner]
    for side in range(game.sheet.sides):
        points = row.points(side)
        cells += [points.minus - row.granted[side], points.plus] if points else ["", ""]
    return [*cells, inert(game.note(row.number))]


def status(game: Game, row: Row) -> str:
    """``struck``, or ``corrected`` and ``as it was``: imported with points of its own."""
    if row.struck_at:
        return "struck"
    found = {"corrected": row.corrected_at, "as it was": row.number in game.as_it_was}
    return ", ".join(word for word, is_so in found.items() if is_so)


def season_csv(season: Season) -> str:
    """The season table; money and averages exact, as fractions where they are ones."""
    file = StringIO()
    write = csv.writer(file)
    unit = f" {inert(season.question.unit or '')}" if season.question.by == "money" else ""
    figures = ("evenings", "evenings_won", "rounds", "rounds_won")
    write.writerow(["rank", "name", *figures, f"{season.question.by}{unit}"])
    for one in season.standings:
        of = one.figures
        name = inert(season.group.players[of.member])
        numbers = [of.evenings, of.evenings_won, of.played, of.won]
        write.writerow([one.rank, name, *numbers, one.value])
    return file.getvalue()
