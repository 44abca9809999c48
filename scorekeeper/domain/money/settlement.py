"""Settlement (*Abrechnung*): balances, money, the fewest payments, all exact (RULES 9)."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from heapq import heapify, heappop, heappush
from itertools import chain
from math import floor
from operator import add

from scorekeeper.domain.errors import RuleError
from scorekeeper.domain.money.netting import most_groups
from scorekeeper.domain.rules import Measure, Settling, SettlingMode

Worth = Sequence[int | None]
"""The worth of one round (or of an evening) to each side; None: absent."""


Balances = tuple[int | Fraction, ...]
"""Points that each side gets or pays, in fractions only if several winners share a payment."""


@dataclass(frozen=True)
class Transfer:
    """One payment of a settlement."""

    payer: int
    payee: int
    amount: Fraction


@dataclass(frozen=True, kw_only=True)
class Settlement:
    """Balances and payments; tuples are by side, amounts in units.

    What was paid already changes only the transfers, not the balances and amounts.
    """

    mode: SettlingMode
    """``none``: points are worth nothing, and only the stake is paid."""
    measure: Measure
    totals: tuple[int, ...]
    """The settled measure of each side."""
    pairs: tuple[tuple[int | None, ...], ...] | None
    """``pairs[i][j]``: points that i gets from j; None on the diagonal and in other modes."""
    balances: Balances | None
    """None if points are worth nothing."""
    stakes: tuple[Fraction, ...] | None
    """The part of the amounts that is the stake; None without one."""
    amounts: tuple[Fraction, ...] | None
    """Exact money; None, like the next two fields, without point value and stake."""
    payable_amounts: tuple[Fraction, ...] | None
    transfers: tuple[Transfer, ...] | None
    """The fewest payments that settle what has not been paid yet (RULES 9.8)."""
    always_present: bool
    """Nobody was ever absent, so *n times own less everyone's* equals each balance."""


def settle(
    rounds: Sequence[Worth],
    terms: Settling,
    *,
    stakes: Sequence[Fraction] | None = None,
    winners: Sequence[int] = (),
    paid: Iterable[Transfer] = (),
) -> Settlement:
    """Return the settlement of rounds, given their worth to each side.

    ``stakes`` is the stake that each side wins or loses; it is added to the exact amounts
    (RULES 9.7). ``winners`` are the sides in first place, whom the others pay if the mode is
    ``winner``. ``paid`` are the payments that were made; whoever paid too much gets the rest back
    (RULES 9.8). Raises RuleError E_NOT_ZERO_SUM if balances are to be paid as they are but do not
    add up to zero.
    """
    sides = len(rounds[0]) if rounds else 0
    totals = tuple(sum(worth[side] or 0 for worth in rounds) for side in range(sides))
    pairs = None
    if terms.mode in ("pairwise", "winner"):
        pairs = pairwise(rounds, sides, -1 if terms.measure == "minus" else 1)
    balances = _balances(terms.mode, totals, pairs, winners)
    amounts = _amounts(balances, terms.point_value, stakes)
    rounded = None if amounts is None else to_payable(amounts, terms.payable)
    return Settlement(
        mode=terms.mode,
        measure=terms.measure,
        totals=totals,
        pairs=pairs if terms.mode == "pairwise" else None,
        balances=balances,
        stakes=None if stakes is None else tuple(stakes),
        amounts=amounts,
        payable_amounts=rounded,
        transfers=None if rounded is None else payments(still_due(rounded, paid))[0],
        always_present=not any(None in worth for worth in rounds),
    )


def _balances(
    mode: SettlingMode,
    totals: tuple[int, ...],
    pairs: Sequence[Sequence[int | None]] | None,
    winners: Sequence[int],
) -> Balances | None:
    if pairs is not None and mode == "winner":
        return from_losers(pairs, winners)
    if pairs is not None:
        return tuple(sum(points or 0 for points in row) for row in pairs)
    if mode != "balance":
        return None
    if sum(totals):
        raise RuleError("E_NOT_ZERO_SUM", sum=sum(totals))
    return totals


def from_losers(pairs: Sequence[Sequence[int | None]], winners: Sequence[int]) -> Balances:
    """Return the balances if every loser pays the difference to the winner (RULES-MORE 9.1).

    As in pairwise settlement, it is that of the rounds that both played. Several winners share
    each payment equally, which may split a point.
    """
    balances: list[int | Fraction] = [0] * len(pairs)
    for winner in winners:
        for side, difference in enumerate(pairs[winner]):
            if side not in winners:
                points = Fraction(difference or 0, len(winners))
                balances[winner] += points
                balances[side] -= points
    return tuple(int(points) if points == int(points) else points for points in balances)


def _amounts(
    balances: Balances | None,
    point_value: Fraction | None,
    stakes: Sequence[Fraction] | None,
) -> tuple[Fraction, ...] | None:
    """Return exact money: the balances times the point value (RULES 9.3), plus the stakes."""
    if balances is None or point_value is None:
        return None if stakes is None else tuple(stakes)
    priced = [balance * point_value for balance in balances]
    return tuple(map(add, priced, stakes or [Fraction()] * len(priced)))


def table_stakes(
    stake: Fraction, ranks: Sequence[int | None], *, seats: int = 1
) -> tuple[Fraction, ...]:
    """Return the stake that each side wins or loses (RULES 9.7).

    Every side pays ``stake`` for each of its ``seats``, and the first ones share the pot. So in
    teams every loser pays one winner. A side without a rank has not played a single round and
    pays nothing [dec].
    """
    paid_in = [Fraction() if rank is None else stake * seats for rank in ranks]
    return from_pot(paid_in, [side for side, rank in enumerate(ranks) if rank == 1])


def from_pot(paid_in: Sequence[Fraction], takers: Sequence[int]) -> tuple[Fraction, ...]:
    """Return what each side wins or loses if the takers share what all have paid into a pot.

    If nobody takes it, everybody keeps what they paid (RULES 9.7, RULES-MORE 9.3).
    """
    if not takers:
        return (Fraction(),) * len(paid_in)
    share = sum(paid_in, Fraction()) / len(takers)
    return tuple((side in takers) * share - paid for side, paid in enumerate(paid_in))


def pairwise(rounds: Sequence[Worth], sides: int, sign: int) -> tuple[tuple[int | None, ...], ...]:
    """Return the balance of every pair over the rounds that both played ([001] §6).

    ``sign`` is -1 if fewer points are better. Each pair appears once with either sign, so the
    table adds up to zero whatever the points. A round counts only between those who played it,
    so absence earns nothing (RULES 9.1).
    """

    def between(one: int, other: int) -> int | None:
        if one == other:
            return None
        both = ((worth[one], worth[other]) for worth in rounds)
        return sum(
            sign * (own - theirs) for own, theirs in both if own is not None and theirs is not None
        )

    return tuple(tuple(between(one, other) for other in range(sides)) for one in range(sides))


def to_payable(amounts: Sequence[Fraction], payable: Fraction) -> tuple[Fraction, ...]:
    """Round to payable amounts by the largest remainder, so that the sum stays zero.

    All are rounded down; the missing units go to those who lost most by it, in a tie to the
    lower seat (RULES 9.4). No rounding error is as large as a payable amount.
    """
    exact = [amount / payable for amount in amounts]
    units = [floor(amount) for amount in exact]
    by_loss = sorted(range(len(exact)), key=lambda side: (units[side] - exact[side], side))
    for side in by_loss[: -sum(units)]:
        units[side] += 1
    return tuple(unit * payable for unit in units)


def still_due(amounts: Sequence[Fraction], paid: Iterable[Transfer]) -> tuple[Fraction, ...]:
    """Return amounts less what was paid: 60 paid of a debt of 120 leave -60 (RULES 9.8)."""
    left = list(amounts)
    for payment in paid:
        left[payment.payer] += payment.amount
        left[payment.payee] -= payment.amount
    return tuple(left)


def payments(amounts: tuple[Fraction, ...]) -> tuple[tuple[Transfer, ...], bool]:
    """Return the fewest payments that settle amounts adding up to zero (RULES 9.5).

    Also return whether they are provably the fewest. A group of players whose amounts add up to
    zero needs one payment fewer than it has members, so the most such groups give the fewest
    payments. In practice that is proved for up to twenty players; for many more, the search may
    be abandoned.
    """
    groups, proved = most_groups(amounts)
    return tuple(chain.from_iterable(_within(group, amounts) for group in groups)), proved


def _within(group: Sequence[int], amounts: Sequence[Fraction]) -> Iterator[Transfer]:
    """Yield payments from the largest debtor to the largest creditor; in a tie, the lower side."""
    payers = [(amounts[side], side) for side in group if amounts[side] < 0]
    payees = [(-amounts[side], side) for side in group if amounts[side] > 0]
    heapify(payers)
    heapify(payees)
    while payers:
        (owes, payer), (gets, payee) = heappop(payers), heappop(payees)
        amount = min(-owes, -gets)
        if owes + amount:
            heappush(payers, (owes + amount, payer))
        if gets + amount:
            heappush(payees, (gets + amount, payee))
        yield Transfer(payer, payee, amount)
