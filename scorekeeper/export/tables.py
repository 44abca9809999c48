"""The tables that are exported as CSV: rounds, totals, settlement, payments; the season."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Literal, get_args

from scorekeeper.domain.game.gin_game import boxes_of
from scorekeeper.domain.game.given import note_field
from scorekeeper.domain.game.rows import Row
from scorekeeper.domain.game.state import Game
from scorekeeper.domain.group.season import Season
from scorekeeper.domain.history.codec import encode_round
from scorekeeper.domain.money.settlement import Settlement
from scorekeeper.domain.rounds.facts import Seat
from scorekeeper.export.spreadsheet import (
    MONEY_COLUMNS,
    CsvRow,
    Wording,
    csv_lines,
    decimal,
    money_cells,
)
from scorekeeper.i18n.formulas import escape_formulas

Told = Callable[[Game, Row], Iterable[str]]
"""What a round tells about players, or about itself."""
Table = Literal["rounds", "totals", "settlements", "payments"]
TABLES: tuple[Table, ...] = get_args(Table)


def game_table(game: Game, table: Table, word: Wording = str, decimal_sign: str = ".") -> str:
    """Return a table of one evening; raises RuleError if it cannot be settled."""
    rows = _GAME_TABLES[table](with_placeholder_names(game, word), word)
    return "".join(csv_lines(rows, word, decimal_sign))


def with_placeholder_names(game: Game, word: Wording) -> Game:
    """Return the game with erased names replaced by ``player 3``."""
    return game.with_stand_ins(lambda seat: f"{word('player')} {seat + 1}")


def _rounds(game: Game, word: Wording) -> Iterator[CsvRow]:
    """Yield all rounds and the totals, with minus and plus of every side.

    The last column holds a round as it was entered, so that the table can be imported.
    """
    sides = [escape_formulas(name) for name in game.sides]
    points = [f"{side} {tally}" for side in sides for tally in ("minus", "plus")]
    facts = facts_told(game)
    yield "round", "at", "status", "outcome", "winner", *points, "note", *facts, "record"
    for row, at, (number, *cells) in point_lines(game, range(game.sheet.sides), word):
        told = [escape_formulas(", ".join(TOLD[fact](game, row))) if row else "" for fact in facts]
        yield number, at, *cells, *told, _record(row) if row and not row.struck_at else ""
    totals = [n for tally in game.sheet.tallies for n in (tally.minus, tally.plus)]
    yield word("total"), game.changed_at, "", "", "", *totals, "", *[""] * len(facts), ""


def _record(row: Row) -> str:
    """Return the facts of a round as JSON, in the form that REST takes."""
    return json.dumps(encode_round(replace(row.round, note="")), separators=(",", ":"))


def facts_told(game: Game) -> list[str]:
    """Return the facts beside the points that some round of a game tells."""
    return [
        fact for fact, told in TOLD.items() if any(any(told(game, row)) for row in game.sheet.rows)
    ]


def _who(holds: Callable[[Seat], bool]) -> Told:
    """Return what names the players whose seat holds something."""

    def told(game: Game, row: Row) -> Iterator[str]:
        seats = zip(game.players, row.round.seats, strict=False)
        yield from (name for name, seat in seats if holds(seat))

    return told


def _winner_if(holds: Callable[[Row], bool]) -> Told:
    def told(game: Game, row: Row) -> Iterator[str]:
        if row.score.winner is not None and holds(row):
            yield game.sides[row.score.winner]

    return told


def _laid(game: Game, row: Row) -> Iterator[str]:
    """Yield the names of players who laid cards, with the points of these cards if they score."""
    laid = {line.seat: line.plus for line in row.score.lines if line.reason == "laid"}
    for side, name in enumerate(game.players[: len(row.round.seats)]):
        if side in laid:
            yield f"{name} {laid[side]}"
        elif row.round.seats[side].has_laid:
            yield name


def _contract(game: Game, row: Row) -> Iterator[str]:
    """Yield what the round asked for; by player where each has an own row."""
    plan, number = row.rules.round.plan, row.round.plan_row
    rows = number if isinstance(number, tuple) else (number,)
    yield from (" ".join(map(str, plan[one - 1].need)) for one in rows if one and plan)


def _boxes(game: Game, row: Row) -> Iterator[str]:
    if game.sheet.columns:
        yield from (f"{game.sides[side]} {n}" for side, n in enumerate(boxes_of(row.score)) if n)


TOLD: Mapping[str, Told] = {
    "at once": _winner_if(lambda row: row.round.hand_romme or row.round.big_gin),
    "one run": _winner_if(lambda row: any(line.reason == "one_run" for line in row.score.lines)),
    "laid": _laid,
    "first drop": _who(lambda seat: seat.drop == "first"),
    "middle drop": _who(lambda seat: seat.drop == "middle"),
    "wrong show": _who(lambda seat: seat.wrong),
    "back": lambda game, row: (game.players[seat] for seat in row.round.rejoin),
    "wild": lambda game, row: [str(row.round.wild)] if row.round.wild else [],
    "contract": _contract,
    "no lives": lambda game, row: (
        game.sides[line.seat] for line in row.score.lines if line.reason == "no_lives"
    ),
    "eliminated": lambda game, row: (
        game.sides[side] for side, tally in enumerate(row.tallies) if tally.out == row.number
    ),
    "boxes": _boxes,
}
"""Facts beside the points, with what tells them; a sheet that is typed may have the first ones."""


def point_lines(
    game: Game, sides: Sequence[int | None], word: Wording
) -> Iterator[tuple[Row | None, str, list[str | int]]]:
    """Yield each round with its time and its cells, and a line for all other points.

    The other points are those with which a player came back, and points without a round. All lines
    add up to the totals. A side that is None stands for nobody.
    """
    for row in game.sheet.rows:
        if any(row.adjusted):
            back = _cells_of(
                {n: (minus, "") for n, minus in enumerate(row.adjusted) if minus}, sides
            )
            yield None, row.at, ["", word("back"), "", "", *back, ""]
        yield row, row.at, [*_round_cells(game, row, sides, word)]
    for one in game.sheet.given:
        points = _cells_of({one.side: (one.points.minus, one.points.plus)}, sides)
        note = escape_formulas(game.texts.get(note_field(one.event), ""))
        yield None, one.at, ["", word("given"), "", "", *points, note]


def _round_cells(
    game: Game, row: Row, sides: Iterable[int | None], word: Wording
) -> Iterator[str | int]:
    winner = row.score.winner
    yield from (row.number, round_status(game, row, word), word(row.score.outcome))
    yield "" if winner is None else escape_formulas(game.sides[winner])
    for side in sides:
        worth = [None if side is None else row.worth(side, name) for name in ("minus", "plus")]
        yield from ("" if points is None else points for points in worth)
    yield escape_formulas(game.note(row.number))


def _cells_of(
    points: Mapping[int, tuple[int, int | str]], sides: Iterable[int | None]
) -> Iterator[int | str]:
    """Yield the minus and plus points of some sides, and nothing for the others."""
    for side in sides:
        yield from ("", "") if side is None else points.get(side, ("", ""))


def round_status(game: Game, row: Row, word: Wording) -> str:
    """Return ``struck``, or ``corrected`` and ``as it was`` (imported with its own points)."""
    if row.struck_at:
        return word("struck")
    flags = {"corrected": row.corrected_at, "as it was": row.ordinal in game.as_it_was}
    return ", ".join(word(flag) for flag, is_set in flags.items() if is_set)


def _totals(game: Game, word: Wording) -> Iterator[CsvRow]:
    yield "player", "rank", "minus", "plus", "worth", "league", "rounds", "won"
    measure = game.rules.rank.measure
    for name, rank, tally in zip(game.sides, game.sheet.ranks, game.sheet.tallies, strict=True):
        worth = tally.worth(measure)
        counted = tally.minus, tally.plus, worth, tally.league, tally.played, tally.won
        yield escape_formulas(name), rank, *counted


def _settlement(game: Game, word: Wording) -> Iterator[CsvRow]:
    yield "player", "points", "stake", *MONEY_COLUMNS, "payable"
    if not (settled := game.settlement()):
        return
    for side, name in enumerate(game.sides):
        balance = settled.balances[side] if settled.balances else ""
        stake = decimal(settled.stakes[side]) if settled.stakes else ""
        yield escape_formulas(name), balance, stake, *_side_money_cells(settled, side, game)


def _side_money_cells(settled: Settlement, side: int, game: Game) -> CsvRow:
    if settled.amounts is None or settled.payable_amounts is None:
        return "", "", "", ""
    unit = game.rules.settle.unit
    return *money_cells(settled.amounts[side], unit), decimal(settled.payable_amounts[side])


def _payments(game: Game, word: Wording) -> Iterator[CsvRow]:
    yield "from", "to", *MONEY_COLUMNS, "paid"
    game.settlement()  # RuleError if it is impossible
    for payment in game.payments:
        payer, payee = (
            escape_formulas(game.sides[side]) for side in (payment.payer, payment.payee)
        )
        money = money_cells(payment.amount, game.rules.settle.unit)
        yield payer, payee, *money, payment.paid_at or ""


_GAME_TABLES: dict[Table, Callable[[Game, Wording], Iterator[CsvRow]]] = {
    "rounds": _rounds,
    "totals": _totals,
    "settlements": _settlement,
    "payments": _payments,
}


def season_csv(season: Season, word: Wording = str, decimal_sign: str = ".") -> str:
    """Return the season table; money and averages may be fractions, to stay exact."""
    return "".join(csv_lines(_season(season, word), str, decimal_sign))


def _season(season: Season, word: Wording) -> Iterator[CsvRow]:
    question = season.question
    unit = f" {escape_formulas(question.unit or '')}" if question.by == "money" else ""
    columns = ("rank", "name", "evenings", "evenings_won", "rounds", "rounds_won")
    yield *map(word, columns), f"{word(question.by)}{unit}"
    for standing in season.standings:
        of = standing.figures
        name = escape_formulas(season.group.players[of.member])
        yield standing.rank, name, of.evenings, of.evenings_won, of.played, of.won, standing.value
