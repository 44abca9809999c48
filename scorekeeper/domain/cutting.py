"""How a hand is cut into pieces so that little is left over: the search of the solver."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache, reduce
from itertools import combinations
from operator import or_

from scorekeeper.domain.cards import Card, Rank
from scorekeeper.domain.fast import Sums, is_plain
from scorekeeper.domain.melds import Meld, card_value, readings
from scorekeeper.domain.options import Ace, Deck, Joker, Melding, RuleSet, Value, Wild
from scorekeeper.domain.pieces import (
    BIT,
    CARDS,
    COPIES,
    FIRST,
    TWOS,
    Law,
    Piece,
    Pieces,
    SpelledOut,
    lowest,
    numbers,
)

# --- one set of rules -------------------------------------------------------------------

CARD_COUNTS = 32
"""A cost is 32 x points + cards: points come first."""


class Kit:
    """What the rules say about pieces and prices, worked out once."""

    def __init__(self, rules: RuleSet, *, twos_apart: bool = False) -> None:
        self.rules = rules
        self.twos_apart = twos_apart
        self.price = {rank: CARD_COUNTS * card_value(Card(rank, None), rules) + 1 for rank in Rank}
        self.joker = CARD_COUNTS * rules.joker.hand_value + 1
        by_rank = (*self.price.values(), *(self.price[Rank.TWO],) * 3)
        self.prices = tuple(by_rank[number >> 2] for number in range(COPIES))
        law = Law.of(rules)
        self.pieces = SpelledOut(rules, by_rank) if twos_apart else Pieces(law, by_rank)
        self.is_sure = twos_apart or not (rules.wild.twos and law.unmistakable)
        """Whether it makes no difference which wild card of several is where."""
        self.naturals = {
            card: bit for card, bit in BIT.items() if not (rules.wild.twos and bit & TWOS)
        }
        self.sums = Sums(rules) if is_plain(rules) else None
        self.melds = lru_cache(maxsize=4096)(self._melds)

    @cached_property
    def surely(self) -> "Kit":
        """A slower kit that tells wild twos apart."""
        return Kit(self.rules, twos_apart=True)

    def cost(self, card: Card) -> int:
        """What it costs to be left with a card."""
        return self.joker if card.rank is None else self.price[card.rank]

    def _melds(self, piece: Piece, wilds: tuple[Card, ...]) -> list[Meld]:
        """Every meld that the piece is with these wild cards; none only if not ``is_sure``."""
        if self.rules.wild.twos:
            return readings([*map(CARDS.__getitem__, numbers(piece.cards)), *wilds], self.rules)
        return self.pieces.melds(piece, wilds)


class _Same:
    """A rule set known by its identity: looked up faster than by what it says."""

    def __init__(self, rules: RuleSet) -> None:
        self.rules = rules  # kept alive, so that its identity stays its own

    def __hash__(self) -> int:
        return id(self.rules)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and self.rules is other.rules


def kit_of(rules: RuleSet) -> Kit:
    """What was worked out for rules that say the same about melds and prices."""
    return _kit(_Same(rules))


@lru_cache(maxsize=64)
def _kit(same: _Same) -> Kit:
    rules = same.rules
    return _kit_for(rules.deck, rules.value, rules.wild, rules.ace, rules.meld, rules.joker)


@lru_cache(maxsize=16)
def _kit_for(deck: Deck, value: Value, wild: Wild, ace: Ace, meld: Melding, joker: Joker) -> Kit:
    return Kit(RuleSet(deck=deck, value=value, wild=wild, ace=ace, meld=meld, joker=joker))


# --- one hand ---------------------------------------------------------------------------


@dataclass(frozen=True)
class Hand:
    """Cards in the roles in which they are tried."""

    naturals: int
    """As bits, second copies higher up."""
    wilds: tuple[Card, ...]
    """The dearest first: those behind are the first to be left over."""
    idle: tuple[Card, ...]
    """What can be in no meld: ranks without suits, jokers where the deck has none."""


def hands(cards: Sequence[Card], kit: Kit) -> Iterator[Hand]:
    """The hand in every role of its wild twos, as themselves first."""
    naturals = 0
    jokers: list[Card] = []
    twos: list[Card] = []
    idle: list[Card] = []
    for card in cards:
        if card.stands_for:
            card = card.physical
        bit = kit.naturals.get(card)
        if bit:
            naturals = _with(naturals, bit)
        elif card.rank and card.suit:
            twos.append(card)
        elif card.is_joker and kit.rules.deck.jokers:
            jokers.append(card)
        else:
            idle.append(card)
    twos.sort(key=BIT.__getitem__)
    jokers_first = kit.joker >= kit.price[Rank.TWO]
    for number in range(1 if kit.twos_apart else len(twos) + 1):
        for wild in dict.fromkeys(combinations(twos, number)):
            wilds = (*jokers, *wild) if jokers_first else (*wild, *jokers)
            held = naturals
            for two in (Counter(twos) - Counter(wild)).elements():
                held = _with(held, _two_apart(two, held) if kit.twos_apart else BIT[two])
            yield Hand(held, wilds, tuple(idle))


def _with(held: int, bit: int) -> int:
    """One more card among the bits, on its own place or on that of a further copy."""
    while held & bit:
        bit <<= COPIES
    return held | bit


def _two_apart(two: Card, held: int) -> int:
    """The first free bit of those that a two has where it must be told from its copies."""
    bits = [1 << number for number in range(COPIES) if CARDS[number] == two]
    return next((bit for bit in bits if not held & bit), bits[0])


def without(held: int, cards: int) -> int:
    """The bits less one copy of these cards: further copies move down."""
    for copy in range(held.bit_length() // COPIES):
        cards |= cards << COPIES * (copy + 1)
    taken = held & cards
    return held ^ taken ^ taken >> COPIES


# --- cutting it -------------------------------------------------------------------------

Chosen = tuple[Piece, ...]


class Cutting:
    """The pieces of one hand, and the search among them.

    The dearest card left decides first: it goes into one of its pieces or is left over.
    How many wild cards the pieces take stays open until the end, since a run may take
    more of them than it needs: ``reach`` has a bit for every number that they may take.
    """

    def __init__(self, hand: Hand, kit: Kit, *, melds: bool) -> None:
        self.hand = hand
        self.kit = kit
        pieces = kit.pieces.among(hand.naturals & FIRST, len(hand.wilds)) if melds else []
        pieces.sort(key=lambda piece: -piece.price)
        copies = hand.naturals.bit_length() // COPIES
        self.planes = sum(1 << COPIES * copy for copy in range(copies + 1))
        self.useful = reduce(or_, (piece.cards for piece in pieces), 0) * self.planes
        free = reduce(or_, (piece.cards for piece in pieces if piece.wilds & 1), 0)
        self.free = free * self.planes
        """Cards that may be in a meld without a wild one."""
        self.rate = 0
        self.by_dearest: dict[int, list[tuple[int, int, Piece]]] = {}
        for piece in pieces:
            bare = piece.price
            if piece.cards & free:
                bare = self._price(piece.cards & ~free)
            if bare:
                self.rate = max(self.rate, -(-bare // lowest(piece.wilds)))
            dearest = self.by_dearest.setdefault(piece.cards.bit_length() - 1, [])
            dearest.append((piece.cards * self.planes, bare, piece))
        self.left_over = [0]
        """What it costs to be left with so many wild cards."""
        for card in reversed(hand.wilds):
            self.left_over.append(self.left_over[-1] + kit.cost(card))
        self.idle = sum(kit.cost(card) for card in hand.idle)

    def _price(self, cards: int) -> int:
        return sum([self.kit.prices[number % COPIES] for number in numbers(cards)])

    def least(self, naturals: int, wilds: int, below: int) -> tuple[int, Chosen] | None:
        """The cheapest way to cut what is left, if it costs less than ``below``.

        No way can be cheaper than what is left over so far, and what needs wild cards
        less the most that each of them can save (``rate``).
        """
        best: tuple[int, Chosen] | None = None
        prices, by_dearest, rate, free = self.kit.prices, self.by_dearest, self.rate, self.free
        left_over = self.left_over
        full = (2 << wilds) - 1
        met: dict[tuple[int, int], int] = {}
        path: list[Piece] = []

        def cut(left: int, reach: int, cost: int, exposed: int) -> None:
            nonlocal best, below
            if not left:
                cost += left_over[wilds + 1 - reach.bit_length()]
                if cost < below:
                    best, below = (cost, tuple(path)), cost
                return
            saved = (wilds - lowest(reach)) * rate
            if cost + max(0, exposed - saved) >= below or met.get((left, reach), below) <= cost:
                return
            met[left, reach] = cost
            dearest = (left & FIRST).bit_length() - 1
            for columns, bare, piece in by_dearest.get(dearest, ()):
                if not piece.cards & ~left and (taking := sums(reach, piece.wilds) & full):
                    taken = left & columns
                    path.append(piece)
                    cut(left ^ taken ^ taken >> COPIES, taking, cost, exposed - bare)
                    path.pop()
            taken = left & self.planes << dearest
            price = prices[dearest]
            left ^= taken ^ taken >> COPIES
            cut(left, reach, cost + price, exposed if free >> dearest & 1 else exposed - price)

        useful = naturals & self.useful
        lost = self.idle + self._price(naturals & ~useful)
        cut(useful, 1, lost, self._price(useful & ~free))
        return best

    def every(self, naturals: int, wilds: int, most: int) -> Iterator[Chosen]:
        """All ways to cut what is left that cost no more than ``most``."""
        prices, left_over = self.kit.prices, self.left_over
        full = (2 << wilds) - 1

        def cut(left: int, reach: int, cost: int, exposed: int, path: Chosen) -> Iterator[Chosen]:
            saved = (wilds - lowest(reach)) * self.rate
            if cost + max(0, exposed - saved) > most:
                return
            if not left:
                if cost + left_over[wilds + 1 - reach.bit_length()] <= most:
                    yield path
                return
            dearest = (left & FIRST).bit_length() - 1
            for columns, bare, piece in self.by_dearest.get(dearest, ()):
                if not piece.cards & ~left and (taking := sums(reach, piece.wilds) & full):
                    taken = left & columns
                    less = left ^ taken ^ taken >> COPIES
                    yield from cut(less, taking, cost, exposed - bare, (*path, piece))
            taken = left & self.planes << dearest
            price = prices[dearest]
            exposed -= 0 if self.free >> dearest & 1 else price
            yield from cut(left ^ taken ^ taken >> COPIES, reach, cost + price, exposed, path)

        useful = naturals & self.useful
        lost = self.idle + self._price(naturals & ~useful)
        yield from cut(useful, 1, lost, self._price(useful & ~self.free), ())


def sums(some: int, others: int) -> int:
    """Every number of the one set added to every number of the other, as bits."""
    found = 0
    while others:
        found |= some * (others & -others)
        others &= others - 1
    return found
