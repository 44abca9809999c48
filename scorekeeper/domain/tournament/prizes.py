"""Entry fees and prizes: where every cent goes."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby

from scorekeeper.domain.money.settlement import to_payable
from scorekeeper.domain.rules.coins import smallest_coin
from scorekeeper.domain.tournament.plan import Money
from scorekeeper.domain.tournament.standings import Standing


@dataclass(frozen=True)
class Purse:
    """The money of a tournament: ``fees`` is ``kept`` and all prizes together."""

    fees: Fraction
    kept: Fraction
    prizes: tuple[tuple[int, Fraction], ...]
    """Entrants who win money, best first, with their amounts."""


def purse(money: Money, found: Sequence[Standing]) -> Purse:
    """Return the fees of all who entered, and who gets how much of them.

    The club keeps no more than there is. Fewer entrants than prizes share all of it. Entrants who
    share a rank share the prizes of the places they take up. Amounts are whole coins; those left
    over by rounding go to whoever lost most by it, among equals to the better.
    """
    fees = money.fee * len(found)
    kept = min(money.kept, fees)
    shares = money.shares[: len(found)]
    parts: list[Fraction] = []
    for _, same in groupby(found, key=lambda one: one.rank):
        count = len(list(same))
        taken = sum(shares[len(parts) : len(parts) + count])
        parts += [Fraction(taken, count)] * count
    prizes = [(fees - kept) * part / sum(shares) for part in parts] if shares else []
    _, *paid = to_payable((kept - fees, *prizes), smallest_coin(money.unit))
    won = [(one.entrant, amount) for one, amount in zip(found, paid, strict=True) if amount]
    return Purse(fees, kept, tuple(won))
