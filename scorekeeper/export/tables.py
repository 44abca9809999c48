"""The tables of an evening as CSV: rounds, totals, settlement, payments.

Amounts are decimals; where a decimal would be rounded, the exact fraction stands beside it.
"""

import csv
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Literal, get_args

from scorekeeper.domain.game import Game
from scorekeeper.domain.settlement import Settlement
from scorekeeper.export.spreadsheet import (
    Wording,
    escape_formulas,
    rounds_csv,
    with_placeholder_names,
)

Table = Literal["rounds", "totals", "settlements", "payments"]
TABLES: tuple[Table, ...] = get_args(Table)
BOM = "\ufeff"
"""The byte order mark, by which Excel recognises UTF-8."""
DECIMALS = 6

CsvRow = Sequence[str | int | None]


def game_table(game: Game, table: Table, word: Wording = str) -> str:
    """Return a table of one evening; raises RuleError if it cannot be settled."""
    if table == "rounds":
        return BOM + rounds_csv(game, word)
    return "".join(csv_lines(_GAME_TABLES[table](with_placeholder_names(game, word)), word))


def decimal(amount: Fraction) -> str:
    """Return an amount for spreadsheets, rounded to six decimals: ``-2.333333``."""
    millionths = round(abs(amount) * 10**DECIMALS)
    whole, part = divmod(millionths, 10**DECIMALS)
    sign = "-" if amount < 0 and millionths else ""
    return f"{sign}{whole}.{part:0{DECIMALS}}".rstrip("0").rstrip(".")


class _Echo:
    """A file-like object that returns what is written to it."""

    def write(self, line: str) -> str:
        return line


def csv_lines(rows: Iterable[CsvRow], word: Wording) -> Iterator[str]:
    """Yield the lines of a table; ``word`` words the first one."""
    yield BOM
    write = csv.writer(_Echo()).writerow
    for number, row in enumerate(rows):
        yield str(write(row if number else [word(str(heading)) for heading in row]))


def money_cells(amount: Fraction, unit: str) -> CsvRow:
    """Return amount, exact fraction where the decimal is rounded, and unit."""
    # The apostrophe keeps spreadsheets from reading 5/3 as a date.
    exact = "" if Fraction(decimal(amount)) == amount else f"'{amount}"
    return decimal(amount), exact, escape_formulas(unit)


MONEY_COLUMNS = ("amount", "exact", "unit")


# ---- one evening ---------------------------------------------------------------------


def _totals(game: Game) -> Iterator[CsvRow]:
    yield "player", "rank", "minus", "plus", "worth", "league", "rounds", "won"
    measure = game.rules.rank.measure
    for name, rank, tally in zip(game.sides, game.sheet.ranks, game.sheet.tallies, strict=True):
        worth = tally.worth(measure)
        counted = tally.minus, tally.plus, worth, tally.league, tally.played, tally.won
        yield escape_formulas(name), rank, *counted


def _settlement(game: Game) -> Iterator[CsvRow]:
    yield "player", "points", "stake", *MONEY_COLUMNS, "payable"
    settled = game.settlement()
    for side, name in enumerate(game.sides if settled else ()):
        assert settled
        balance = settled.balances[side] if settled.balances else ""
        stake = decimal(settled.stakes[side]) if settled.stakes else ""
        yield escape_formulas(name), balance, stake, *_side_money_cells(settled, side, game)


def _side_money_cells(settled: Settlement, side: int, game: Game) -> CsvRow:
    if settled.amounts is None or settled.payable_amounts is None:
        return "", "", "", ""
    unit = game.rules.settle.unit
    return *money_cells(settled.amounts[side], unit), decimal(settled.payable_amounts[side])


def _payments(game: Game) -> Iterator[CsvRow]:
    yield "from", "to", *MONEY_COLUMNS, "paid"
    settled = game.settlement()
    for due in (settled and settled.transfers) or ():
        payer, payee = (escape_formulas(game.sides[side]) for side in (due.payer, due.payee))
        money = money_cells(Fraction(due.amount), game.rules.settle.unit)
        yield payer, payee, *money, game.paid_at(due) or ""


_GAME_TABLES: dict[Table, Callable[[Game], Iterator[CsvRow]]] = {
    "totals": _totals,
    "settlements": _settlement,
    "payments": _payments,
}
