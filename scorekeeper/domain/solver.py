"""The least that a hand can be left with: melds and lay-offs chosen together (RULES 5.6).

A hand is natural cards and a number of wild ones. Every wild two is tried as itself and
as a joker, everything that can be laid off is tried (``layoffs``), and what is then left
is cut into pieces (``cutting``). Arrangements worth the same are told apart by this order:
fewest points, fewest cards, fewest twos as jokers, fewest cards laid off; then the dearest
card, king of spades first, goes into the dearest piece. The order in which a hand is
written has no part in it.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from itertools import islice, product

from scorekeeper.domain.cards import Card, card_named
from scorekeeper.domain.cutting import (
    CARD_COUNTS,
    Chosen,
    Cutting,
    Kit,
    hands,
    kit_of,
    sums,
    without,
)
from scorekeeper.domain.errors import RuleError
from scorekeeper.domain.layoffs import Move, State, lay_on, states
from scorekeeper.domain.melds import Meld
from scorekeeper.domain.options import RuleSet
from scorekeeper.domain.pieces import CARDS, COPIES, SORTED, numbers

ENOUGH = 500
"""So many equally good arrangements are looked at, no more."""


@dataclass(frozen=True)
class Arrangement:
    """A hand set out: what lies in melds, what is laid off, what is left."""

    points: int
    """The value of what is left."""
    melds: tuple[Meld, ...]
    layoffs: tuple[tuple[Card, int], ...]
    """Cards and the meld of the table that each goes on, in an order in which they fit."""
    rest: tuple[Card, ...]


def arrange(
    hand: Sequence[Card], rules: RuleSet, table: Sequence[Meld] = (), *, melds: bool = True
) -> Arrangement:
    """The arrangement that leaves least, own melds and lay-offs chosen together.

    ``table`` are the melds that cards may be laid off on, ``melds`` whether own ones may
    be formed. What the cards are declared to be counts for nothing. At most 16 cards.
    """
    if melds and not table:
        sums = kit_of(rules).sums
        plain = sums and sums.arrangement(hand)
        if plain:
            return Arrangement(plain.points, plain.melds, (), plain.rest)
    return next(_best(hand, rules, table, melds=melds))


def least_rest(rules: RuleSet) -> Callable[[Sequence[str]], int]:
    """A function from the names of cards to the points of the least rest, for many hands."""
    kit = kit_of(rules)
    count = kit.sums.counter() if kit.sums else None

    def least(names: Sequence[str]) -> int:
        points = count(names) if count else None
        if points is None:
            return arrange([*map(card_named, names)], rules).points
        return points

    return least


def best_arrangements(
    hand: Sequence[Card], rules: RuleSet, table: Sequence[Meld] = ()
) -> Iterator[Arrangement]:
    """The arrangements that leave least, that of ``arrange`` first, at most ``ENOUGH``.

    They differ in the cards of a meld or in what a wild card stands for: a knocker chooses
    among them (RULES 7.4.2).
    """
    return islice(_best(hand, rules, table, melds=True), ENOUGH)


def arrangements_within(
    most: int, hand: Sequence[Card], rules: RuleSet, table: Sequence[Meld] = ()
) -> Iterator[Arrangement]:
    """Every arrangement that leaves so many points or fewer, in no useful order."""
    kit = kit_of(rules)
    task = _Task(hand, table, rules, kit if kit.is_sure else kit.surely)
    yield from task.every(CARD_COUNTS * (most + 1) - 1)


def _best(
    hand: Sequence[Card], rules: RuleSet, table: Sequence[Meld], *, melds: bool
) -> Iterator[Arrangement]:
    """The cheapest arrangements.

    Where it matters which wild two is where, those found without regard to that are
    looked at again, and only if none of them stands they are sought in the slow way.
    """
    kit = kit_of(rules)
    task = _Task(hand, table, rules, kit, melds)
    if kit.is_sure:
        yield from task.cheapest()
        return
    stood = False
    for arrangement in islice(task.cheapest(), ENOUGH):
        if _stands(arrangement, rules, table):
            stood = True
            yield arrangement
    if not stood:
        yield from replace(task, kit=kit.surely).cheapest()


def _stands(arrangement: Arrangement, rules: RuleSet, table: Sequence[Meld]) -> bool:
    """Whether every card may be laid off just as it is said."""
    grown = list(table)
    try:
        for card, index in arrangement.layoffs:
            grown[index] = lay_on(grown[index], card, rules)
    except RuleError:
        return False
    return True


@dataclass(frozen=True)
class _Task:
    """A hand to set out."""

    hand: Sequence[Card]
    table: Sequence[Meld]
    rules: RuleSet
    kit: Kit
    melds: bool = True

    def cheapest(self) -> Iterator[Arrangement]:
        """The first of the cheapest arrangements, then the others."""
        least = CARD_COUNTS**3
        found: tuple[Cutting, State, Chosen] | None = None
        for cutting, state in self.tries():
            if least <= cutting.idle:
                break  # nothing costs less
            if cheaper := cutting.least(state.naturals, state.wilds, least):
                least, chosen = cheaper
                found = cutting, state, chosen
        assert found
        first = next(_set_out(*found), None)
        if first:
            yield first
        for arrangement in self.every(least):
            if not first or _melds(arrangement) != _melds(first):
                yield arrangement

    def every(self, most: int) -> Iterator[Arrangement]:
        """All arrangements up to a cost, those with the same melds once."""
        seen = set()
        for cutting, state in self.tries():
            for chosen in cutting.every(state.naturals, state.wilds, most):
                for arrangement in _set_out(cutting, state, chosen):
                    melds = _melds(arrangement)
                    if melds not in seen:
                        seen.add(melds)
                        yield arrangement

    def tries(self) -> Iterator[tuple[Cutting, State]]:
        """The hand in all roles of its twos, after everything that may be laid off."""
        for roles in hands(self.hand, self.kit):
            cutting = Cutting(roles, self.kit, melds=self.melds)
            for state in states(roles, self.table, self.rules, self.kit):
                yield cutting, state


def _melds(arrangement: Arrangement) -> frozenset[tuple[Meld, int]]:
    """The melds, whatever their order."""
    return frozenset(Counter(arrangement.melds).items())


def _set_out(cutting: Cutting, state: State, chosen: Chosen) -> Iterator[Arrangement]:
    """The cut hand as cards: every way to share out the wild cards and to read the melds."""
    hand, kit = cutting.hand, cutting.kit
    reach = reduce(sums, (piece.wilds for piece in chosen), 1) & (2 << state.wilds) - 1
    melding = reach.bit_length() - 1
    laid = len(hand.wilds) - state.wilds
    remaining = reduce(without, (piece.cards for piece in chosen), state.naturals)
    naturals = sorted((number % COPIES for number in numbers(remaining)), key=SORTED.__getitem__)
    rest = (*map(CARDS.__getitem__, naturals), *hand.wilds[melding + laid :], *hand.idle)
    layoffs = _played(state.moves, hand.wilds[melding : melding + laid])
    points = sum(map(kit.cost, rest)) // CARD_COUNTS
    for shares in _shares(chosen, melding):
        for melds in product(*_read(chosen, shares, hand.wilds, kit)):
            yield Arrangement(points, melds, layoffs, rest)


def _played(moves: Sequence[Move], wilds: Sequence[Card]) -> tuple[tuple[Card, int], ...]:
    """The moves with the wild cards that make them."""
    spare = iter(wilds)
    return tuple(
        (next(spare)._replace(stands_for=move.card) if move.wild else move.card, move.meld)
        for move in moves
    )


def _shares(chosen: Chosen, wilds: int) -> Iterator[tuple[int, ...]]:
    """Every way to give so many wild cards to the pieces, the first as many as it can take."""
    if not chosen:
        if not wilds:
            yield ()
        return
    for count in reversed(list(numbers(chosen[0].wilds))):
        if count <= wilds:
            for others in _shares(chosen[1:], wilds - count):
                yield (count, *others)


def _read(
    chosen: Chosen, shares: Sequence[int], wilds: Sequence[Card], kit: Kit
) -> Iterator[list[Meld]]:
    """For each piece the melds that it is with its share of the wild cards."""
    spare = iter(wilds)
    for piece, count in zip(chosen, shares, strict=True):
        yield list(kit.melds(piece, tuple(islice(spare, count))))
