"""The smallest coin of a unit of money, by what people call the unit (RULES 9.8)."""

from fractions import Fraction

UNITS_WITH_CENTS = frozenset(
    (
        *("eur", "€", "euro", "euros"),
        *("chf", "fr", "sfr", "franken", "francs"),
        *("usd", "$", "us$", "dollar", "dollars"),
        *("gbp", "£", "pound", "pounds", "pfund"),
    )
)
"""Units of a hundred cents, rappen or pence; written small and without a full stop."""


def smallest_coin(unit: str) -> Fraction:
    """Return the smallest amount that can be paid in a unit: 1/100 for EUR, 1 for ct and Pf."""
    has_cents = unit.strip().lower().rstrip(".") in UNITS_WITH_CENTS
    return Fraction(1, 100) if has_cents else Fraction(1)
