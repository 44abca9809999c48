"""Tables of an evening for a spreadsheet: its rounds, totals, settlement, payments.

Numbers stay numbers: an amount as a decimal, and beside it the exact fraction where it has no end.
"""

import csv
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Literal, get_args

from scorekeeper.domain.game import Game
from scorekeeper.domain.settlement import Settlement
from scorekeeper.export.spreadsheet import as_csv, in_table, inert

Table = Literal["rounds", "totals", "settlements", "payments"]
TABLES: tuple[Table, ...] = get_args(Table)
BEGINNING = "\ufeff"
"""The mark by which Excel knows UTF-8."""
PLACES = 6

Cells = Sequence[str | int | None]


def game_table(game: Game, table: Table) -> str:
    """A table of one evening; RuleError where it cannot be settled."""
    if table == "rounds":
        return BEGINNING + as_csv(game)
    return "".join(csv_lines(_OF_A_GAME[table](in_table(game))))


def decimal(amount: Fraction) -> str:
    """An amount as spreadsheets read it, to six places: ``-2.333333``."""
    millionths = round(abs(amount) * 10**PLACES)
    whole, part = divmod(millionths, 10**PLACES)
    sign = "-" if amount < 0 and millionths else ""
    return f"{sign}{whole}.{part:0{PLACES}}".rstrip("0").rstrip(".")


class _Line:
    """A file that gives back what is written to it."""

    def write(self, line: str) -> str:
        return line


def csv_lines(rows: Iterable[Cells]) -> Iterator[str]:
    yield BEGINNING
    write = csv.writer(_Line()).writerow
    for row in rows:
        yield str(write(row))


def money_cells(amount: Fraction, unit: str) -> Cells:
    """Amount, what it is exactly where a decimal cannot say it, unit."""
    exact = "" if Fraction(decimal(amount)) == amount else f"'{amount}"  # 5/3 would be a day
    return decimal(amount), exact, inert(unit)


MONEY = ("amount", "exact", "unit")


# ---- one evening ---------------------------------------------------------------------


def _totals(game: Game) -> Iterator[Cells]:
    yield "player", "rank", "minus", "plus", "worth", "league", "rounds", "won"
    measure = game.rules.rank.measure
    for name, rank, tally in zip(game.sides, game.sheet.ranks, game.sheet.tallies, strict=True):
        worth = tally.worth(measure)
        counted = tally.minus, tally.plus, worth, tally.league, tally.played, tally.won
        yield inert(name), rank, *counted


def _settlement(game: Game) -> Iterator[Cells]:
    yield "player", "points", "stake", *MONEY, "payable"
    settled = game.settlement()
    for side, name in enumerate(game.sides if settled else ()):
        assert settled
        balance = settled.balances[side] if settled.balances else ""
        stake = decimal(settled.stakes[side]) if settled.stakes else ""
        yield inert(name), balance, stake, *_sidemoney_cells(settled, side, game)


def _sidemoney_cells(settled: Settlement, side: int, game: Game) -> Cells:
    if settled.amounts is None or settled.payable_amounts is None:
        return "", "", "", ""
    unit = game.rules.settle.unit
    return *money_cells(settled.amounts[side], unit), decimal(settled.payable_amounts[side])


def _payments(game: Game) -> Iterator[Cells]:
    yield "from", "to", *MONEY, "paid"
    settled = game.settlement()
    for due in (settled and settled.transfers) or ():
        payer, payee = (inert(game.sides[side]) for side in (due.payer, due.payee))
        money = money_cells(Fraction(due.amount), game.rules.settle.unit)
        yield payer, payee, *money, game.paid_at(due) or ""


_OF_A_GAME: dict[Table, Callable[[Game], Iterator[Cells]]] = {
    "totals": _totals,
    "settlements": _settlement,
    "payments": _payments,
}
