"""Cents and euros are one money: balances in both are shown and netted in one unit.

The book keeps every amount in the unit of its evening. Other units have no fixed value in each
other; a group agrees on their rates.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from fractions import Fraction

from scorekeeper.domain.group.state import Group
from scorekeeper.domain.rules.coins import parts_of_a_euro


def in_finest(units: Iterable[str]) -> dict[str, tuple[str, Fraction]]:
    """Return for each unit the one to add it up in, and how many of that it is.

    Euros are added up in the cents beside them, which is exact.
    """
    units = list(units)
    parts = {unit: found for unit in units if (found := parts_of_a_euro(unit))}
    into = {unit: (unit, Fraction(1)) for unit in units}
    if parts:
        finest = max(parts, key=lambda unit: parts[unit])
        into |= {unit: (finest, Fraction(parts[finest], parts[unit])) for unit in parts}
    return into


def moneys(units: Iterable[str]) -> tuple[str, ...]:
    """Return one unit for each money, in the same order: the finest of cents and euros."""
    units = list(units)
    into = in_finest(units)
    return tuple(dict.fromkeys(into[unit][0] for unit in units))


def in_unit(amounts: Mapping[str, Fraction], unit: str) -> Fraction | None:
    """Return the sum in a unit, cents and euros added up; None if no amount is in this money."""
    into = in_finest([unit, *amounts])
    wanted, rate = into[unit]
    found = [amount * into[one][1] for one, amount in amounts.items() if into[one][0] == wanted]
    return sum(found, Fraction()) / rate if found else None


def added_up(amounts: Mapping[str, Fraction]) -> dict[str, Fraction]:
    """Return amounts by unit, with cents and euros added up."""
    sums: dict[str, Fraction] = {}
    into = in_finest(unit for unit, amount in amounts.items() if amount)
    for unit, (other, rate) in into.items():
        sums[other] = sums.get(other, Fraction()) + amounts[unit] * rate
    return sums


def in_one_unit(group: Group) -> Group:
    """Return a group whose balances in cents and euros are added up, to be shown."""
    into = in_finest(unit for unit in group.balances if any(group.balance(unit)))
    balances: dict[str, tuple[Fraction, ...]] = {}
    for unit, (other, rate) in into.items():
        before = balances.get(other, (Fraction(),) * group.members)
        both = zip(before, group.balance(unit), strict=True)
        balances[other] = tuple(sum_ + amount * rate for sum_, amount in both)
    return replace(group, balances=balances)
