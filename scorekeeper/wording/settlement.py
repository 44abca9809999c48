"""The settlement as a table ([001] §6), the same on pages and in the terminal."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Literal, NamedTuple

from scorekeeper.domain.game.state import Game
from scorekeeper.domain.money.settlement import Settlement
from scorekeeper.i18n import Language
from scorekeeper.wording.amounts import amounts_of


class SettlementRow(NamedTuple):
    """A row of the table, with a cell for each side."""

    label: str
    cells: list[str]
    kind: Literal["", "sum", "money"] = ""


def settlement_rows(
    game: Game, settled: Settlement, lang: Language, nobody: str
) -> Iterator[SettlementRow]:
    """Yield the rows: points, opponents, sums, money.

    ``nobody`` stands where there are no points: on the diagonal.
    """
    written = amounts_of(game.rules)
    points = [lang.number(total, settled.measure == "net") for total in settled.totals]
    yield SettlementRow(lang(f"paper.tally.{settled.measure}"), points)
    for other, player in enumerate(game.sides if settled.pairs else ()):
        column = [row[other] for row in settled.pairs or ()]
        cells = [nobody if won is None else lang.number(won, signed=True) for won in column]
        yield SettlementRow(lang("paper.statement.against", player=player), cells)
    if settled.balances:
        balances = [lang.exact(Fraction(one), signed=True) for one in settled.balances]
        yield SettlementRow(lang("pages.settlement.row.sum"), balances, "sum")
    if settled.stakes and any(settled.stakes):
        yield SettlementRow(lang("paper.table_stake"), written.numbers(settled.stakes, lang))
    if settled.amounts and settled.payable_amounts:
        if settled.amounts != settled.payable_amounts:
            exact = written.numbers(settled.amounts, lang)
            yield SettlementRow(lang("pages.settlement.row.exact", unit=written.unit), exact)
        money = written.numbers(settled.payable_amounts, lang)
        yield SettlementRow(lang("pages.settlement.row.money", unit=written.unit), money, "money")
