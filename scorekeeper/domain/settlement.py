"""Settlement (*Abrechnung*): balances, money, the fewest payments, all exact (RULES 9)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import floor
from typing import Literal

from scorekeeper.domain.errors import RuleError
from scorekeeper.domain.netting import most_groups

Mode = Literal["pairwise", "balance"]
Measure = Literal["minus", "plus", "net"]
Worth = Sequence[int | None]
"""What one round (or a whole evening) was worth to each side; None: was not there."""


@dataclass(frozen=True)
class Transfer:
    """One payment that a settlement asks for."""

    payer: int
    payee: int
    amount: Fraction


@dataclass(frozen=True, kw_only=True)
class Settlement:
    """Who stands where and who pays whom; lists are by side, amounts in units."""

    mode: Mode
    measure: Measure
    totals: tuple[int, ...]
    """The measure each side is settled by."""
    pairs: tuple[tuple[int | None, ...], ...] | None
    """``pairs[i][j]``: points that i gets from j; None on the diagonal, and in balance mode."""
    balances: tuple[int, ...]
    amounts: tuple[Fraction, ...] | None
    """Exact money; None without a point value, as the two below."""
    payable_amounts: tuple[Fraction, ...] | None
    transfers: tuple[Transfer, ...] | None
    always_present: bool
    """Nobody was ever absent, so the check line *n times own less everyone's* holds."""


def settle(
    rounds: Sequence[Worth],
    *,
    mode: Mode,
    measure: Measure,
    point_value: Fraction | None,
    payable: Fraction = Fraction(1),
) -> Settlement:
    """Settle what was worth so much to each side, round by round.

    Raises RuleError E_NOT_ZERO_SUM where balances are to be paid as they are, but do not
    add up to nothing.
    """
    sides = len(rounds[0]) if rounds else 0
    pairs = pairwise(rounds, sides, -1 if measure == "minus" else 1)
    totals = tuple(sum(worth[side] or 0 for worth in rounds) for side in range(sides))
    balances = totals if mode == "balance" else tuple(sum(n or 0 for n in row) for row in pairs)
    if sum(balances):
        raise RuleError("E_NOT_ZERO_SUM", sum=sum(balances))
    amounts = rounded = transfers = None
    if point_value is not None:
        amounts = tuple(balance * point_value for balance in balances)
        rounded = to_payable(amounts, payable)
        transfers = fewest_transfers(rounded)
    return Settlement(
        mode=mode,
        measure=measure,
        totals=totals,
        pairs=pairs if mode == "pairwise" else None,
        balances=balances,
        amounts=amounts,
        payable_amounts=rounded,
        transfers=transfers,
        always_present=not any(None in worth for worth in rounds),
    )


def pairwise(rounds: Sequence[Worth], sides: int, sign: int) -> tuple[tuple[int | None, ...], ...]:
    """Every pair settles its difference in each round that both played ([001] §6).

    ``sign`` is -1 where fewer points are better. Each pair appears once with either sign,
    so the whole table adds up to zero whatever the points; and since a round counts only
    between those who played it, staying away earns nothing (RULES 9.1).
    """

    def between(one: int, other: int) -> int | None:
        if one == other:
            return None
        both = ((worth[one], worth[other]) for worth in rounds)
        return sum(sign * (own - his) for own, his in both if own is not None and his is not None)

    return tuple(tuple(between(one, other) for other in range(sides)) for one in range(sides))


def to_payable(amounts: Sequence[Fraction], payable: Fraction) -> tuple[Fraction, ...]:
    """Round to payable amounts by the largest remainder, so that the sum stays zero.

    All are rounded down; the units missing then go to those who lost most by it, of
    equals to the lower seat (RULES 9.4). Nobody is off by a whole payable amount.
    """
    exact = [amount / payable for amount in amounts]
    units = [floor(amount) for amount in exact]
    by_loss = sorted(range(len(exact)), key=lambda side: (units[side] - exact[side], side))
    for side in by_loss[: -sum(units)]:
        units[side] += 1
    return tuple(unit * payable for unit in units)


def fewest_transfers(amounts: Sequence[Fraction]) -> tuple[Transfer, ...]:
    """The fewest payments that settle amounts adding up to zero (RULES 9.5)."""
    transfers, _ = payments(amounts)
    return transfers


def payments(amounts: Sequence[Fraction]) -> tuple[tuple[Transfer, ...], bool]:
    """Payments that settle amounts adding up to zero, and whether they are provably the fewest.

    A group of players that is even among itself needs one payment fewer than it has
    members, so the most such groups make the fewest payments. For a table that is always
    proved; for many more players than sit at one the search may be given up.
    """
    groups, proved = most_groups(amounts)
    return tuple(one for group in groups for one in _within(group, amounts)), proved


def _within(group: Sequence[int], amounts: Sequence[Fraction]) -> Iterator[Transfer]:
    open_amounts = {side: amounts[side] for side in group}
    while any(open_amounts.values()):
        payer = min(open_amounts, key=lambda side: (open_amounts[side], side))
        payee = min(open_amounts, key=lambda side: (-open_amounts[side], side))
        amount = min(-open_amounts[payer], open_amounts[payee])
        open_amounts[payer] += amount
        open_amounts[payee] -= amount
        yield Transfer(payer, payee, amount)
