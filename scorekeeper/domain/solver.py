"""The least that a hand can be left with: melds and lay-offs chosen together (RULES 5.6).

A hand is natural cards and a number of wild ones, a wild two both at once. What can be
melded (``pieces``) and what the table can take (``layoffs``) are pieces of the hand, and the
search cuts the hand into them (``cutting``). Arrangements worth the same are told apart by
this order: fewest points, fewest cards; then the dearest card, king of spades first, goes
into the dearest piece, runs of up to five cards before longer ones, and runs that are one run
are joined. The order in which a hand is written has no part in it.

All searches spend from a budget of work; E_TOO_MUCH if it does not suffice.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from itertools import accumulate, islice, product

from scorekeeper.domain.budget import current, kept
from scorekeeper.domain.cards import Card, card_named
from scorekeeper.domain.cutting import (
    ANYTHING,
    CARD_COUNTS,
    Chosen,
    Condition,
    Cutting,
    Kit,
    LayOff,
    hand_of,
    kit_of,
    sums,
    without,
)
from scorekeeper.domain.errors import RuleError
from scorekeeper.domain.layoffs import Table, lay_on
from scorekeeper.domain.melds import Meld
from scorekeeper.domain.options import RuleSet
from scorekeeper.domain.pieces import CARDS, COPIES, FIRST, SORTED, Piece, numbers

LOOKED_AT = 50
"""So many arrangements that may stand are looked at before they are sought in the slow way."""


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
    """Return the arrangement that leaves least, own melds and lay-offs chosen together.

    ``table`` are the melds that cards may be laid off on, ``melds`` whether own ones may
    be formed. What the cards are declared to be counts for nothing. At most 24 cards.
    Raises TooMuch if the budget of work does not suffice.
    """
    if melds and not table:
        sums = kit_of(rules).sums
        plain = sums and sums.arrangement(hand)
        if plain:
            return Arrangement(plain.points, plain.melds, (), plain.rest)
    return next(search_of(hand, rules, table).best(hand, melds=melds))


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
    """Return the arrangements that leave least, that of ``arrange`` first.

    They differ in the cards of a meld or in what a wild card stands for: a knocker chooses
    among them (RULES 7.4.2).
    """
    search = Search(hand, rules, table)
    first = next(search.best(hand))
    yield first
    for other in search.within(first.points, hand):
        if len(other.rest) == len(first.rest) and _melds(other) != _melds(first):
            yield other


def arrangements_within(
    most: int, hand: Sequence[Card], rules: RuleSet, table: Sequence[Meld] = ()
) -> Iterator[Arrangement]:
    """Return every arrangement that leaves so many points or fewer, in no useful order."""
    return Search(hand, rules, table).within(most, hand)


def search_of(cards: Sequence[Card], rules: RuleSet, table: Sequence[Meld] = ()) -> "Search":
    """Return the search among arrangements; within one ``limited`` the same one again.

    So what one part of a question has found out serves the others.
    """
    searches = kept()
    if rules.layoff.scope == "none":  # the table makes no difference
        table = ()
    key = tuple(cards), tuple(table), id(rules)
    search = searches.get(key)
    if not isinstance(search, Search):
        search = searches[key] = Search(cards, rules, table)
    return search


class Search:
    """The search among the arrangements of some cards, or of a part of them, on one table.

    All its searches spend from one budget: the one in force, else one of its own.
    """

    def __init__(self, cards: Sequence[Card], rules: RuleSet, table: Sequence[Meld] = ()) -> None:
        self.cards = cards
        self.rules = rules
        self.melds = table
        self.budget = current()
        self._tables: dict[bool, Table] = {}
        self._cuttings: dict[tuple[bool, Condition | None, bool], Cutting] = {}

    def best(
        self,
        hand: Sequence[Card],
        *,
        melds: bool = True,
        most: int | None = None,
        condition: Condition | None = None,
    ) -> Iterator[Arrangement]:
        """The cheapest arrangements of the hand; none if they leave more than ``most`` points.

        Under a condition only the melds that satisfy it are sought, and of those as good as
        the cheapest not all are found. Where it matters which wild two is where, arrangements
        are sought without regard to that and looked at again, and only if none of them stands
        they are sought in the slow way.
        """
        below = ANYTHING if most is None else CARD_COUNTS * (most + 1)
        kit = kit_of(self.rules)
        task = _Task(self, hand, kit, melds, condition)
        if kit.is_sure:
            yield from task.cheapest(below)
            return
        stood = False
        for arrangement in islice(task.cheapest(below), LOOKED_AT):
            if self._stands(arrangement, condition):
                stood = True
                yield arrangement
        if not stood and task.costs_less(below):
            yield from replace(task, kit=kit.surely).cheapest(below)

    def within(self, most: int, hand: Sequence[Card]) -> Iterator[Arrangement]:
        """Every arrangement of the hand that leaves so many points or fewer."""
        kit = kit_of(self.rules)
        task = _Task(self, hand, kit if kit.is_sure else kit.surely)
        return task.every(CARD_COUNTS * (most + 1) - 1)

    def table(self, kit: Kit) -> Table:
        """What the table can take from the cards."""
        if kit.twos_apart not in self._tables:
            table = Table(self.melds, hand_of(self.cards, kit), self.rules, kit, self.budget)
            self._tables[kit.twos_apart] = table
        return self._tables[kit.twos_apart]

    def cutting(self, kit: Kit, condition: Condition | None, *, melds: bool) -> Cutting:
        """All cards with their pieces, worked out once for the searches of their parts."""
        key = kit.twos_apart, condition, melds
        if key not in self._cuttings:
            hand = hand_of(self.cards, kit)
            pieces: list[Piece | LayOff] = []
            if melds:
                held = hand.naturals & FIRST
                pieces += kit.among(held, len(hand.wilds), self.budget)
            if self.melds:
                pieces += self.table(kit).layoffs
            self.budget.spend(len(pieces))
            self._cuttings[key] = Cutting(hand, kit, pieces, self.budget, condition)
        return self._cuttings[key]

    def _stands(self, arrangement: Arrangement, condition: Condition | None) -> bool:
        """Whether every card may be laid off just as it is said, and the melds are enough."""
        if condition and not _satisfies(arrangement.melds, condition):
            return False
        grown = list(self.melds)
        try:
            for card, index in arrangement.layoffs:
                grown[index] = lay_on(grown[index], card, self.rules)
        except RuleError:
            return False
        return True


def _satisfies(melds: Sequence[Meld], condition: Condition) -> bool:
    """Whether melds are what a condition asks."""
    points = sorted((meld.points for meld in melds), reverse=True)
    reached = sum(points[: condition.counted or None])
    return reached >= condition.needed and len(melds) <= (condition.most or len(melds))


@dataclass(frozen=True)
class _Task:
    """A hand to set out."""

    search: Search
    hand: Sequence[Card]
    kit: Kit
    melds: bool = True
    condition: Condition | None = None

    def cheapest(self, below: int) -> Iterator[Arrangement]:
        """The first of the cheapest arrangements, then the others; none costs ``below``."""
        cutting = self.cutting()
        found = cutting.least(hand_of(self.hand, self.kit), below)
        if not found:
            return
        least, chosen = found
        if self.condition:
            condition = self.condition
            ways = self._set_out(cutting, chosen)
            yield from (way for way in ways if _satisfies(way.melds, condition))
            return
        first = next(self._set_out(cutting, chosen), None)
        if first:
            yield first
        for arrangement in self.every(least):
            if not first or _melds(arrangement) != _melds(first):
                yield arrangement

    def costs_less(self, below: int) -> bool:
        """Return whether the hand can be cut at less cost, even if that reads as no melds."""
        return self.cutting().least(hand_of(self.hand, self.kit), below) is not None

    def every(self, most: int) -> Iterator[Arrangement]:
        """All arrangements up to a cost, those with the same melds once."""
        seen = set()
        cutting = self.cutting()
        for chosen in cutting.every(hand_of(self.hand, self.kit), most):
            for arrangement in self._set_out(cutting, chosen):
                own = _melds(arrangement)
                if own not in seen:
                    seen.add(own)
                    yield arrangement

    def cutting(self) -> Cutting:
        """The pieces among which the hand is cut."""
        return self.search.cutting(self.kit, self.condition, melds=self.melds)

    def _set_out(self, cutting: Cutting, chosen: Chosen) -> Iterator[Arrangement]:
        """The cut hand as cards: every way to share out the wild cards and to read the melds."""
        kit = cutting.kit
        hand = hand_of(self.hand, kit)
        melds = [piece for piece in chosen if isinstance(piece, Piece)]
        laid = _in_use(chosen, cutting.sinks)
        wanted = [piece.wilds for piece in melds] + [layoff.wilds for layoff in laid]
        taken = [piece.cards for piece in chosen]
        wilds = wild_cards(hand.wilds, [cards & cutting.twos for cards in taken], kit)
        placed = (reduce(sums, wanted, 1) & (2 << len(wilds)) - 1).bit_length() - 1
        remaining = reduce(without, taken, hand.naturals) & ~(cutting.twos * cutting.planes)
        left = sorted((number % COPIES for number in numbers(remaining)), key=SORTED.__getitem__)
        rest = (*map(CARDS.__getitem__, left), *wilds[placed:], *hand.idle)
        points = sum(map(kit.cost, rest)) // CARD_COUNTS
        for melding in range(placed, -1, -1):
            others = next(_shares(wanted[len(melds) :], placed - melding), None)
            if others is None:
                continue
            layoffs = self._played(laid, others, wilds[melding:placed])
            for shares in _shares(wanted[: len(melds)], melding):
                for read in product(*_read(melds, shares, wilds, kit)):
                    self.search.budget.spend()
                    yield Arrangement(points, read, layoffs, rest)

    def _played(
        self, laid: Sequence[LayOff], shares: Sequence[int], wilds: Sequence[Card]
    ) -> tuple[tuple[Card, int], ...]:
        """The lay-offs in an order in which they fit, with the wild cards that are among them."""
        spare = iter(wilds)
        return tuple(
            (next(spare)._replace(stands_for=move.card) if move.wild else move.card, piece.meld)
            for piece, share in zip(laid, shares, strict=True)
            for move in self.search.table(self.kit).moves[piece.meld, piece.cards, share]
        )


def wild_cards(wilds: Sequence[Card], themselves: Sequence[int], kit: Kit) -> list[Card]:
    """The wild cards without the twos that are themselves, the dearest first."""
    left = Counter(wilds)
    left.subtract(CARDS[number] for cards in themselves for number in numbers(cards))
    return sorted(left.elements(), key=kit.cost, reverse=True)


def _in_use(chosen: Chosen, sinks: Sequence[LayOff]) -> list[LayOff]:
    """What goes onto each meld of the table: a chosen piece, else perhaps wild cards alone."""
    laid = {sink.meld: sink._replace(wilds=sink.wilds | 1) for sink in sinks}
    laid |= {piece.meld: piece for piece in chosen if isinstance(piece, LayOff)}
    return [laid[meld] for meld in sorted(laid)]


def _melds(arrangement: Arrangement) -> frozenset[tuple[Meld, int]]:
    """The melds, whatever their order."""
    return frozenset(Counter(arrangement.melds).items())


def _shares(wanted: Sequence[int], wilds: int) -> Iterator[tuple[int, ...]]:
    """Every way to give so many wild cards to pieces, the first as many as it can take.

    ``wanted`` has for each piece the numbers that it can take, as bits.
    """
    within = [*accumulate(reversed(wanted), sums, initial=1)][::-1]

    def share(at: int, left: int) -> Iterator[tuple[int, ...]]:
        """What the pieces from this one on can take in all, ``within`` says."""
        if at == len(wanted):
            yield ()
            return
        for count in reversed(list(numbers(wanted[at]))):
            if count <= left and within[at + 1] >> left - count & 1:
                for others in share(at + 1, left - count):
                    yield (count, *others)

    if within[0] >> wilds & 1:
        yield from share(0, wilds)


def _read(
    melds: Sequence[Piece], shares: Sequence[int], wilds: Sequence[Card], kit: Kit
) -> Iterator[list[Meld]]:
    """For each piece the melds that it is with its share of the wild cards."""
    spare = iter(wilds)
    for piece, count in zip(melds, shares, strict=True):
        yield list(kit.melds(piece, tuple(islice(spare, count))))
