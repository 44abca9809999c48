"""Shapes: the melds of natural cards only, and the cards that fit them (RULES 5.1, 5.2).

Sets of natural cards are bits of an integer, so that many shapes are compared fast.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, reduce
from itertools import permutations
from operator import or_
from typing import NamedTuple

from scorekeeper.domain.cards.card import CARDS, PACK, Card, Rank, Suit
from scorekeeper.domain.melds.meld import Meld, MeldKind, Place
from scorekeeper.domain.melds.order import Order
from scorekeeper.domain.rules import RuleSet

BIT = {card: 1 << number for number, card in enumerate(PACK)}
"""The bit of each natural card: sets of cards are integers, which compare fast."""
_ITSELF = {card: Place(card, card) for card in PACK}
_ALTERNATING = [
    suits
    for suits in permutations(Suit)
    if suits[0].is_red == suits[2].is_red != suits[1].is_red == suits[3].is_red
]


@dataclass(frozen=True, slots=True, eq=False)
class Shape:
    """A meld of natural cards, in order; a set has all four cards of the rank."""

    kind: MeldKind
    cells: Mapping[int, Card]
    order: Mapping[int, int]
    """The index of each place, from the lowest."""
    bits: int


class Fit(NamedTuple):
    """A shape with the cards that fit it.

    In a set of three, every place without a known card counts as one of a wild card.
    """

    shape: Shape
    natural: int
    """The places of natural cards, as bits."""
    naturals: int
    """The number of natural cards."""
    known: Sequence[Place]
    loose: Sequence[Card]
    free: bool = False
    """Cards of one rank that are a set whatever their suits (``meld.set_suits``)."""

    @property
    def jokers(self) -> int:
        """The number of cards that stand for others."""
        return len(self.known) + len(self.loose) - self.naturals

    @property
    def wild(self) -> int:
        """The places that wild cards take or may take, as bits."""
        return self.shape.bits & ~self.natural

    @property
    def stood_for(self) -> tuple[Card, ...]:
        """The cards that the wild cards stand for, as in ``meld``, without building it."""
        if self.shape.kind == "set":
            return self.meld.wild
        wild = self.wild
        return tuple(card for bit, card in self.shape.cells.items() if bit & wild)

    @property
    def blocks(self) -> list[int]:
        """The places of two or more adjacent wild cards, as bits; in a set all are adjacent.

        In a free set no wild card could stand for another rank. In a set of three, two wild cards
        stand for any two of the missing suits [dec], like a single one (RULES 5.3.3): everybody
        sees three nines, either may be exchanged for any nine that is missing, and RULES 5.3.4
        would refuse the set even with both cards named.
        """
        if self.jokers < 2 or self.free:
            return []
        wild = self.wild
        if self.shape.kind == "set":
            return [wild]
        blocks = [0]
        for cell in self.shape.cells:
            if wild & cell:
                blocks[-1] |= cell
            else:
                blocks.append(0)
        return [block for block in blocks if block & block - 1]

    @property
    def meld(self) -> Meld:
        """The meld; a two in its own place is natural (RULES 5.3.8)."""
        if self.free:
            return self._free_set()
        taken = {BIT[place.at]: place for place in self.known}
        wild: list[Card] = []
        for card in self.loose:
            bit = BIT.get(card, 0)
            if bit & self.natural and bit not in taken:
                taken[bit] = _ITSELF[card]
            else:
                wild.append(card)
        cells = self.shape.cells
        if len(taken) + len(wild) < len(cells):  # a set of three: the missing suit may be any
            places = [taken[bit] for bit in cells if bit in taken]
            open_suit = Card(places[0].at.rank, None)
            return Meld("set", (*places, *(Place(card, open_suit) for card in wild)))
        filling = iter(wild)
        places = [taken.get(bit) or Place(next(filling), cell) for bit, cell in cells.items()]
        return Meld(self.shape.kind, tuple(places))

    def _free_set(self) -> Meld:
        """Return natural cards by suit, then wild cards of no suit in particular."""
        rank = next(iter(self.shape.cells.values())).rank
        natural = [*self.known, *(_ITSELF[card] for card in self.loose if card.rank is rank)]
        natural.sort(key=lambda place: place.at.suit or "")
        wild = [Place(card, Card(rank, None)) for card in self.loose if card.rank is not rank]
        return Meld("set", (*natural, *wild))


def _free_set(known: Sequence[Place], loose: Sequence[Card], rules: RuleSet) -> list[Fit]:
    """Return the set of cards of one rank, if suits do not matter and the deck has so many."""
    rank = known[0].at.rank
    alike = all(place.at.rank is rank for place in known)
    if not alike or not 3 <= len(known) + len(loose) <= 4 * rules.deck.packs:
        return []
    natural = [place.at for place in known if not place.is_wild]
    natural += [card for card in loose if card.rank is rank]
    bits = reduce(or_, (BIT[card] for card in natural), 0)
    shape = _shape("set", (known[0].at.rank or Rank.ACE,) * 4, tuple(Suit))
    return [Fit(shape, bits, len(natural), known, loose, free=True)]


def _shapes_of(size: int, order: Order, rainbow: bool) -> Iterator[Shape]:
    """Yield every shape of this size (RULES 5.1, 5.2)."""
    if size in (3, 4):
        for rank in order.ranks:
            yield _shape("set", (rank,) * 4, tuple(Suit))
    for ranks in order.windows(size):
        for suit in Suit:
            yield _shape("run", ranks, (suit,) * size)
        if rainbow and size == 4:
            for suits in _ALTERNATING:
                yield _shape("rainbow", ranks, suits)


def _shape(kind: MeldKind, ranks: Sequence[Rank], suits: Sequence[Suit]) -> Shape:
    cards = [CARDS[at] for at in zip(ranks, suits, strict=True)]
    cells = {BIT[card]: card for card in cards}
    order = {bit: number for number, bit in enumerate(cells)}
    return Shape(kind, cells, order, sum(cells))


@cache
def _all_shapes(size: int, order: Order, rainbow: bool) -> list[Shape]:
    return list(_shapes_of(size, order, rainbow))


@cache
def shapes_holding(anchor: Card, size: int, order: Order, rainbow: bool) -> list[Shape]:
    """Return every shape of this size that holds a certain card; few enough to cache."""
    every = _all_shapes(size, order, rainbow)
    return [shape for shape in every if shape.bits & BIT[anchor]]


def all_fits(cards: Sequence[Card], rules: RuleSet) -> list[Fit]:
    """Return every way to read the cards as a meld, regardless of the rules of wild cards."""
    return fitting(*known_and_loose(cards, rules), rules)


def known_and_loose(cards: Sequence[Card], rules: RuleSet) -> tuple[list[Place], list[Card]]:
    """Return the cards with a known place, and the undeclared wild cards."""
    wild = rules.wild_rank
    known: list[Place] = []
    loose: list[Card] = []
    for card in cards:
        place = _ITSELF.get(card)
        if place and card.rank is not wild:
            known.append(place)
        elif card.stands_for:
            known.append(Place(card.physical, card.stands_for))
        else:
            loose.append(card)
    return known, loose


def fitting(known: Sequence[Place], loose: Sequence[Card], rules: RuleSet) -> list[Fit]:
    """Return the shapes that hold the known cards, with the wild cards in the other places."""
    if not known:
        return _fit_wild_only(loose, rules)
    if rules.meld.set_suits == "any":
        others = (fit for fit in _of_shapes(known, loose, rules) if fit.shape.kind != "set")
        return [*_free_set(known, loose, rules), *others]
    return _of_shapes(known, loose, rules)


def _of_shapes(known: Sequence[Place], loose: Sequence[Card], rules: RuleSet) -> list[Fit]:
    """Return the shapes of different cards that hold the known ones."""
    size = len(known) + len(loose)
    if size > len(Rank):
        return []
    bits = wild = own = 0
    for place in known:
        bit = BIT[place.at]
        if bits & bit:
            return []  # a meld holds no card twice
        bits |= bit
        if place.is_wild:
            wild |= bit
    for card in loose:
        own |= BIT.get(card, 0)
    natural, least = (bits | own) & ~wild, rules.meld.run_min
    shapes = shapes_holding(known[0].at, size, Order.of(rules), rules.meld.rainbow)
    return [
        Fit(shape, held := natural & shape.bits, held.bit_count(), known, loose)
        for shape in shapes
        if not bits & ~shape.bits and (size >= least or shape.kind != "run")
    ]


def _fit_wild_only(loose: Sequence[Card], rules: RuleSet) -> list[Fit]:
    """Read wild cards only: one of the twos must be natural, because every meld has a natural."""
    found: dict[Meld, Fit] = {}
    for two in dict.fromkeys(card for card in loose if not card.is_joker):
        rest = list(loose)
        rest.remove(two)
        for fit in fitting([_ITSELF[two]], rest, rules):
            found.setdefault(fit.meld, fit)
    return list(found.values())
