"""Units of money, by what people call them: the smallest coin (RULES 9.8), parts of a euro."""

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
EUROS = {"eur": 1, "€": 1, "euro": 1, "ct": 100, "cent": 100, "c": 100}
"""How many of a unit make a euro."""


def smallest_coin(unit: str) -> Fraction:
    """Return the smallest amount that can be paid in a unit: 1/100 for EUR, 1 for ct and Pf."""
    has_cents = unit.strip().lower().rstrip(".") in UNITS_WITH_CENTS
    return Fraction(1, 100) if has_cents else Fraction(1)


def parts_of_a_euro(unit: str) -> int | None:
    """Return how many of a unit make a euro; None for other units."""
    return EUROS.get(unit.strip().lower())
