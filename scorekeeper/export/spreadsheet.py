"""The rounds of a game and the season table as CSV, safe from formula injection."""

import csv
import re
from collections.abc import Callable
from io import StringIO

from scorekeeper.domain.game import Game
from scorekeeper.domain.season import Season
from scorekeeper.domain.sheet import Row

Wording = Callable[[str], str]
"""Words a heading (``round``, ``Anna minus``) or a value (``struck``) for the reader."""
FORMULA = re.compile(r"(?<![^;,|])([\"\s]*)(?=[=+@＝＋－＠-])")
"""The beginning of a cell that a spreadsheet would evaluate.

German versions of Excel also split cells at semicolons, so a formula may begin inside a text.
"""


def escape_formulas(text: str) -> str:
    """Return a text that spreadsheets show instead of evaluating (OWASP: CSV injection)."""
    return FORMULA.sub(r"\1'", text)


def with_placeholder_names(game: Game, word: Wording) -> Game:
    """Return the game with erased names replaced by ``player 3``."""
    return game.with_stand_ins(lambda seat: f"{word('player')} {seat + 1}")


def rounds_csv(game: Game, word: Wording) -> str:
    """Return all rounds and the totals as CSV, with minus and plus of every side."""
    game, file = with_placeholder_names(game, word), StringIO()
    write = csv.writer(file)
    sides = [escape_formulas(name) for name in game.sides]
    points = [f"{side} {tally}" for side in sides for tally in ("minus", "plus")]
    columns = ["round", "at", "status", "outcome", "winner", *points, "note"]
    write.writerow(map(word, columns))
    for row in game.sheet.rows:
        write.writerow(_cells(game, row, word))
    totals = [n for tally in game.sheet.tallies for n in (tally.minus, tally.plus)]
    write.writerow([word("total"), game.changed_at, "", "", "", *totals, ""])
    return file.getvalue()


def _cells(game: Game, row: Row, word: Wording) -> list[str | int]:
    score = row.score
    winner = "" if score.winner is None else escape_formulas(game.sides[score.winner])
    status, outcome = round_status(game, row, word), word(score.outcome)
    cells: list[str | int] = [row.number, row.at, status, outcome, winner]
    for side in range(game.sheet.sides):
        points = row.points(side)
        cells += [points.minus - row.granted[side], points.plus] if points else ["", ""]
    return [*cells, escape_formulas(game.note(row.number))]


def round_status(game: Game, row: Row, word: Wording) -> str:
    """Return ``struck``, or ``corrected`` and ``as it was`` (imported with its own points)."""
    if row.struck_at:
        return word("struck")
    flags = {"corrected": row.corrected_at, "as it was": row.number in game.as_it_was}
    return ", ".join(word(flag) for flag, is_set in flags.items() if is_set)


def season_csv(season: Season, word: Wording = str) -> str:
    """Return the season table as CSV; money and averages may be fractions, to stay exact."""
    file = StringIO()
    write = csv.writer(file)
    question = season.question
    unit = f" {escape_formulas(question.unit or '')}" if question.by == "money" else ""
    figures = ("evenings", "evenings_won", "rounds", "rounds_won")
    columns = ["rank", "name", *figures]
    write.writerow([*map(word, columns), f"{word(question.by)}{unit}"])
    for one in season.standings:
        of = one.figures
        name = escape_formulas(season.group.players[of.member])
        numbers = [of.evenings, of.evenings_won, of.played, of.won]
        write.writerow([one.rank, name, *numbers, one.value])
    return file.getvalue()
