"""Amounts to pay as people say them: ``5,68 €`` for 568 ct."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from scorekeeper.domain.rules import RuleSet
from scorekeeper.domain.rules.coins import parts_of_a_euro, smallest_coin
from scorekeeper.i18n import Language
from scorekeeper.i18n.formats import NBSP, most_decimals, unit_sign

CENTS_IN_A_EURO = 100


@dataclass(frozen=True)
class AmountFormat:
    """How the amounts of a game are written: in which unit and with how many decimals."""

    unit: str
    parts: int
    """The amounts are in parts of ``unit``: 100 for cents that are written in euro."""
    decimals: int

    def number(self, amount: Fraction, lang: Language, *, signed: bool = True) -> str:
        """Return an amount without its unit."""
        return lang.exact(amount / self.parts, signed, self.decimals)

    def numbers(self, amounts: Sequence[Fraction], lang: Language) -> list[str]:
        """Return exact amounts with signs, all with the decimals that they need."""
        shares = [amount / self.parts for amount in amounts]
        decimals = max(self.decimals, most_decimals(shares))
        return [lang.exact(share, signed=True, decimals=decimals) for share in shares]

    def words(self, amount: Fraction, lang: Language, *, signed: bool = False) -> str:
        """Return an amount with its unit, joined by a no-break space."""
        return self.number(amount, lang, signed=signed) + NBSP + self.unit


def amount_format(unit: str, payable: Fraction) -> AmountFormat:
    """Return how to write amounts that are rounded to ``payable``.

    Whole cents are written in euro, as the codes for banking apps and people say them.
    """
    if parts_of_a_euro(unit) == CENTS_IN_A_EURO and payable.denominator == 1:
        return AmountFormat("€", CENTS_IN_A_EURO, 2)
    return AmountFormat(unit_sign(unit), 1, most_decimals([payable]))


def sums_format(unit: str, sums: Sequence[Fraction]) -> AmountFormat:
    """Return how to write sums over many games, which are exact and may end in fractions."""
    whole = all(amount.denominator == 1 for amount in sums)
    step = Fraction(1, 1 if whole else 10 ** max(1, most_decimals(sums)))
    return amount_format(unit, min(step, smallest_coin(unit)))


def amounts_of(rules: RuleSet) -> AmountFormat:
    """Return how to write the amounts that a game settles."""
    return amount_format(rules.settle.unit, rules.settle.payable)
