"""The pieces that a hand can be cut into: natural cards as bits, wild cards as a number.

A meld is what ``melds.readings`` says. The solver asks that of thousands of groups of
cards, so here the same answer is worked out for sets of bits: which natural cards, with
how many wild ones, are a meld. The tests hold the two against each other.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import combinations, permutations
from typing import NamedTuple

from scorekeeper.domain.cards import JOKER, PACK, Card, Rank, Suit
from scorekeeper.domain.melds import Meld, MeldKind, Place, readings
from scorekeeper.domain.options import RuleSet

SUITS = tuple(Suit)
_PACK = tuple(sorted(PACK, key=lambda card: (card.rank, card.suit)))
CARDS = _PACK + 3 * _PACK[4:8]
"""The card of each bit: rank by rank, so that high bits are dear; then three more sets of
twos, for rules under which twos must be told apart."""
BIT = {card: 1 << number for number, card in enumerate(_PACK)}
PLACES = tuple(Place(card, card) for card in CARDS)

COPIES = len(CARDS)
"""Second copies of cards are bits so much higher, third ones twice as much."""
FIRST = (1 << COPIES) - 1
TWOS = FIRST & ~(FIRST >> 12) | 15 << 4

SMALL = 6
"""Pieces of so many cards of a suit are kept; of more there may be thousands."""


def _spread() -> Sequence[int]:
    """Thirteen ranks of one suit, pulled apart to the distance they have among all cards."""
    wide = [0]
    for rank in range(len(Rank)):
        wide += [bits | 1 << rank * len(SUITS) for bits in wide]
    return wide


WIDE = _spread()


def numbers(bits: int) -> Iterator[int]:
    """The numbers of the bits that are set, the lowest first."""
    while bits:
        yield (bits & -bits).bit_length() - 1
        bits &= bits - 1


class Law(NamedTuple):
    """The options that decide what a meld is."""

    high: bool
    corner: bool
    rainbow: bool
    min_naturals: int
    max_adjacent: int
    unmistakable: bool

    @classmethod
    def of(cls, rules: RuleSet) -> "Law":
        joker = rules.joker
        return cls(
            rules.ace.high,
            rules.ace.corner,
            rules.meld.rainbow,
            joker.min_naturals,
            joker.max_adjacent,
            joker.placement == "unique_if_two",
        )


class Piece(NamedTuple):
    """Natural cards that are a meld with some number of wild ones."""

    cards: int
    wilds: int
    """The numbers of wild cards that make it a meld, as bits."""
    price: int
    kind: MeldKind


class Window(NamedTuple):
    """The places of a run (their ranks) or of a rainbow (their cards), in order."""

    places: tuple[int, ...]
    bits: int


class Pieces:
    """Every piece of any hand under one law; a price for each of the thirteen ranks."""

    def __init__(self, law: Law, prices: Sequence[int]) -> None:
        self.law = law
        self.prices = prices
        self._runs = [(), *map(self._run_windows, range(1, 14))]
        self._rainbows = list(self._rainbow_windows()) if law.rainbow else []
        self._few_in_suit = lru_cache(maxsize=4096)(self._in_suit)
        self._few_of_rank = lru_cache(maxsize=4096)(self._of_rank)

    # --- which pieces there are ---------------------------------------------------------

    def among(self, held: int, wilds: int) -> Iterator[Piece]:
        """Every piece of these cards with at most so many wild ones."""
        for suit, lane in enumerate(lanes(held)):
            if lane.bit_count() <= SMALL:
                yield from self._few_in_suit(suit, lane, wilds)
            else:
                yield from self._in_suit(suit, lane, wilds)
        for rank in range(len(Rank)):
            yield from self._few_of_rank(rank, held >> 4 * rank & 15, wilds)
        if self._rainbows:
            yield from self._across(held, wilds)

    def _in_suit(self, suit: int, lane: int, wilds: int) -> list[Piece]:
        """Runs (RULES 5.2)."""
        found: dict[int, int] = {}
        for size in range(3, 14):
            for window in self._runs[size]:
                for naturals in some_of(window.bits & lane, size - wilds):
                    if self._allows(naturals, window, self._runs[size]):
                        count = 1 << size - naturals.bit_count()
                        found[naturals] = found.get(naturals, 0) | count
        return [
            self._piece(WIDE[naturals] << suit, count, "run") for naturals, count in found.items()
        ]

    def _of_rank(self, rank: int, suits: int, wilds: int) -> list[Piece]:
        """Sets (RULES 5.1)."""
        found: list[Piece] = []
        for naturals in some_of(suits, 3 - wilds):
            counts = sum(
                1 << size - naturals.bit_count()
                for size in (3, 4)
                if 0 <= size - naturals.bit_count() <= wilds
                and self._allows_set(rank, naturals, size)
            )
            if counts:
                found.append(self._piece(naturals << 4 * rank, counts, "set"))
        return found

    def _across(self, held: int, wilds: int) -> list[Piece]:
        """Rainbows (RULES 5.2)."""
        found: dict[int, int] = {}
        for window in self._rainbows:
            for naturals in some_of(window.bits & held, 4 - wilds):
                if self._allows(naturals, window, self._rainbows):
                    found[naturals] = 1 << 4 - naturals.bit_count()
        return [self._piece(cards, count, "rainbow") for cards, count in found.items()]

    def _piece(self, cards: int, wilds: int, kind: MeldKind) -> Piece:
        return Piece(cards, wilds, sum(self.prices[n >> 2] for n in numbers(cards)), kind)

    # --- what wild cards may do (RULES 5.3) ----------------------------------------------

    def _allows(self, naturals: int, window: Window, windows: Sequence[Window]) -> bool:
        """Whether these naturals may be a run or a rainbow in just this window."""
        blocks = self._blocks(naturals, window)
        if blocks is None:
            return False
        if not blocks or not self.law.unmistakable:
            return True
        if naturals.bit_count() == 1 and len(window.places) <= 4:
            return False  # a set too
        return all(
            not block & ~(rival.bits & ~naturals)
            for rival in windows
            if not naturals & ~rival.bits and self._blocks(naturals, rival) is not None
            for block in blocks
        )

    def _allows_set(self, rank: int, naturals: int, size: int) -> bool:
        """Whether these suits may be a set of this size."""
        if naturals.bit_count() < min(size, self.law.min_naturals):
            return False
        if naturals.bit_count() > 1 or not self.law.unmistakable:
            return True
        card = naturals << 4 * rank  # neighbouring wild cards that might be a run as well
        rivals = [(1 << rank, window) for window in self._runs[size]]
        rivals += [(card, window) for window in self._rainbows if size == 4]
        return not any(
            bits & window.bits and self._blocks(bits, window) is not None for bits, window in rivals
        )

    def _blocks(self, naturals: int, window: Window) -> list[int] | None:
        """The groups of neighbouring wild cards; None if they are too many."""
        if naturals.bit_count() < self.law.min_naturals:
            return None
        if not (self.law.max_adjacent or self.law.unmistakable):
            return []
        blocks = [0]
        for place in window.places:
            if naturals >> place & 1:
                blocks.append(0)
            else:
                blocks[-1] |= 1 << place
        longest = max(block.bit_count() for block in blocks)
        if longest > (self.law.max_adjacent or longest):
            return None
        return [block for block in blocks if block & block - 1]

    def _run_windows(self, size: int) -> tuple[Window, ...]:
        circle = tuple(range(13)) * 2
        last = 13 if self.law.corner else 13 + self.law.high - size + 1
        starts = range(min(last, 13))
        return tuple(_window(circle[start : start + size]) for start in starts)

    def _rainbow_windows(self) -> Iterator[Window]:
        for window in self._run_windows(4):
            for suits in permutations(range(4)):
                reds = [SUITS[suit].is_red for suit in suits]
                if reds[0] == reds[2] != reds[1] == reds[3]:
                    places = zip(window.places, suits, strict=True)
                    yield _window(tuple(4 * rank + suit for rank, suit in places))

    # --- melds of pieces ----------------------------------------------------------------

    def melds(self, piece: Piece, wilds: Sequence[Card]) -> Iterator[Meld]:
        """Every meld that the piece is with these wild cards."""
        if piece.kind == "set":
            yield _set(piece.cards, wilds)
        elif piece.kind == "rainbow":
            for window in self._rainbows:
                fits = not piece.cards & ~window.bits
                if fits and self._allows(piece.cards, window, self._rainbows):
                    yield _filled("rainbow", window.places, piece.cards, wilds)
        else:
            yield from self._run_melds(piece, wilds)

    def _run_melds(self, piece: Piece, wilds: Sequence[Card]) -> Iterator[Meld]:
        suit = next(numbers(piece.cards)) & 3
        lane = lanes(piece.cards)[suit]
        windows = self._runs[lane.bit_count() + len(wilds)]
        for window in windows:
            if not lane & ~window.bits and self._allows(lane, window, windows):
                places = [4 * rank + suit for rank in window.places]
                yield _filled("run", places, piece.cards, wilds)


def lanes(held: int) -> list[int]:
    """The ranks held in each suit, as thirteen bits."""
    found = [0, 0, 0, 0]
    for number in numbers(held & FIRST):
        found[number & 3] |= 1 << (number >> 2)
    return found


def some_of(bits: int, least: int) -> Iterator[int]:
    """Every part of these bits with at least one and at least so many of them."""
    there = [1 << number for number in numbers(bits)]
    for missing in range(min(len(there) - max(least, 1), len(there)) + 1):
        for gone in combinations(there, missing):
            yield bits - sum(gone)


def _window(places: tuple[int, ...]) -> Window:
    return Window(places, sum(1 << place for place in places))


def _filled(kind: MeldKind, places: Sequence[int], cards: int, wilds: Sequence[Card]) -> Meld:
    """A run or a rainbow, wild cards on the places that no natural takes."""
    filling = iter(wilds)
    return Meld(
        kind,
        tuple(
            PLACES[place] if cards >> place & 1 else Place(next(filling), CARDS[place])
            for place in places
        ),
    )


def _set(cards: int, wilds: Sequence[Card]) -> Meld:
    """A set; the suits of wild cards stay open unless all four are there (RULES 5.3.3)."""
    present = list(numbers(cards))
    if len(present) + len(wilds) == 4:
        rank = present[0] >> 2
        return _filled("set", range(4 * rank, 4 * rank + 4), cards, wilds)
    open_suit = Card(CARDS[present[0]].rank, None)
    places = [PLACES[number] for number in present]
    return Meld("set", (*places, *(Place(wild, open_suit) for wild in wilds)))


class SpelledOut:
    """Pieces by asking ``readings`` of every group of cards: slow, and right for any law.

    Needed where twos are wild and neighbouring jokers must be unmistakable: then it matters
    which two a wild card is. So here only jokers are counted as wild, and twos are cards.
    """

    def __init__(self, rules: RuleSet, prices: Sequence[int]) -> None:
        self.rules = replace(rules, deck=replace(rules.deck, jokers=8))
        self.prices = prices
        law = Law.of(rules)._replace(min_naturals=1, max_adjacent=0, unmistakable=False)
        self._shapes = Pieces(law, prices)
        self._reads = lru_cache(maxsize=4096)(self._asked)

    def among(self, held: int, wilds: int) -> Iterator[Piece]:
        """Every piece of these cards with at most so many jokers."""
        twos = held & TWOS
        fits = {0: FIRST}
        for shape in self._shapes.among(held & ~twos, wilds + twos.bit_count()):
            fits[shape.cards] = fits.get(shape.cards, 0) | shape.wilds
        for known, counts in fits.items():
            for some in (0, *some_of(twos, 1)):
                more = some.bit_count()
                jokers = sum(
                    1 << count
                    for count in range(wilds + 1)
                    if counts >> more + count & 1 and self._is_meld(known, some, count)
                )
                if jokers:
                    price = sum(self.prices[number >> 2] for number in numbers(known | some))
                    yield Piece(known | some, jokers, price, "run")

    def _is_meld(self, known: int, twos: int, jokers: int) -> bool:
        """Beside two naturals only one two, that of their suit, is more than a joker."""
        if known.bit_count() > 1 and not self.rules.meld.rainbow:
            suits = {number & 3 for number in numbers(known)}
            own = [1 << number for number in numbers(twos) if {number & 3} == suits][:1]
            return self._reads(known, sum(own), jokers + twos.bit_count() - len(own))
        return self._reads(known, twos, jokers)

    def _asked(self, known: int, twos: int, jokers: int) -> bool:
        return bool(self._melds(known | twos, (JOKER,) * jokers))

    def melds(self, piece: Piece, wilds: Sequence[Card]) -> Iterator[Meld]:
        """Every meld that the piece is with these jokers."""
        yield from self._melds(piece.cards, wilds)

    def _melds(self, cards: int, wilds: Sequence[Card]) -> list[Meld]:
        group = [*(CARDS[number] for number in numbers(cards)), *wilds]
        return readings(group, self.rules) if len(group) > 2 else []
