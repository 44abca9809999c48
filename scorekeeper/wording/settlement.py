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


def stake_parts(
    game: Game, settled: Settlement, lang: Language
) -> Iterator[tuple[str, tuple[Fraction, ...]]]:
    """Yield the stakes of each side with their names.

    They are one row, unless more than the stake of the table was paid: then they are what each
    has put in and taken from the pot, and what the rounds have brought.
    """
    if not settled.stakes or not any(settled.stakes):
        return
    terms, tallies = game.rules.settle, game.sheet.tallies
    again = terms.stake if terms.rejoin_stake is None else terms.rejoin_stake
    back = tuple(-again * tally.entries for tally in tallies)
    if not any(back) and not any(game.round_stakes):
        yield lang("paper.table_stake"), settled.stakes
        return
    if game.is_over:
        paid = tuple(-terms.stake * (rank is not None) for rank in game.sheet.ranks)
        won = tuple(part - own - more for part, own, more in zip(game.pot, paid, back, strict=True))
        named = {"pot.paid": paid, "pot.again": back, "pot": won}
        yield from ((lang(f"paper.{name}"), parts) for name, parts in named.items() if any(parts))
    if any(game.round_stakes):
        yield lang("paper.round_stakes"), game.round_stakes


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
    for label, parts in stake_parts(game, settled, lang):
        yield SettlementRow(label, written.numbers(parts, lang))
    if settled.amounts and settled.payable_amounts:
        if settled.amounts != settled.payable_amounts:
            exact = written.numbers(settled.amounts, lang)
            yield SettlementRow(lang("pages.settlement.row.exact", unit=written.unit), exact)
        money = written.numbers(settled.payable_amounts, lang)
        yield SettlementRow(lang("pages.settlement.row.money", unit=written.unit), money, "money")
