"""The pieces that a hand can be cut into: natural cards as bits, wild cards as a number.

``melds.readings`` defines what a meld is. The solver needs the answer for thousands of
groups of cards, so it is computed here on bits: which natural cards form a meld with how
many wild ones. The tests compare the two.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache, reduce
from itertools import pairwise, permutations, product
from math import comb
from operator import and_
from typing import NamedTuple

from scorekeeper.domain.budget import Budget
from scorekeeper.domain.cards.card import JOKER, PACK, Card, Rank, Suit
from scorekeeper.domain.melds import Meld, MeldKind, Order, Place
from scorekeeper.domain.rules import RuleSet
from scorekeeper.domain.solver.bits import lowest, numbers, some_of

SUITS = tuple(Suit)
_PACK = tuple(sorted(PACK, key=lambda card: (card.rank, card.suit)))
CARDS = _PACK + 3 * _PACK[4:8]
"""The card of each bit: rank by rank, so that high bits are dear; then three more copies of
the twos, for rules under which twos must be told apart."""
BIT = {card: 1 << number for number, card in enumerate(_PACK)}
SORTED = tuple(PACK.index(card) for card in CARDS)
"""The position of each card in a hand sorted by suit and rank."""
PLACES = tuple(Place(card, card) for card in CARDS)

COPIES = len(CARDS)
"""Second copies of cards are this many bits higher, third copies twice as many."""
FIRST = (1 << COPIES) - 1
EVERY_COPY = tuple(sum(1 << COPIES * copy for copy in range(most + 1)) for most in range(25))
"""Factors: cards as bits times one of them are these cards with 0, 1, 2 ... further copies."""
TWOS_OF = tuple(
    sum(1 << number for number, card in enumerate(CARDS) if (card.rank, card.suit) == (2, suit))
    for suit in SUITS
)
TWOS = sum(TWOS_OF)
"""The bits of all twos."""
LANE = sum(1 << len(Suit) * rank for rank in range(len(Rank)))
"""The thirteen clubs; the other suits are one, two and three bits higher."""
DECK = 15 * LANE
"""All cards, without further copies."""

MAX_CACHED = 6
"""The most cards of a suit for which pieces are cached; for more there may be thousands."""


def cards_of(held: int) -> Iterator[Card]:
    """Return the cards, further copies included, by suit and rank."""
    places = []
    while held:
        places.append(SORTED[(held & -held).bit_length() % COPIES - 1])
        held &= held - 1
    places.sort()
    return map(PACK.__getitem__, places)


def natural_cards(held: int) -> list[Card]:
    """Return the cards, further copies included, by rank."""
    return [CARDS[number % COPIES] for number in numbers(held)]


def some_copies(held: int, least: int) -> Iterator[int]:
    """Yield all subsets of these cards of a minimal size; of identical cards, the first ones."""
    if held <= FIRST:
        yield from some_of(held, least)
        return
    firsts = [1 << number for number in numbers(held & FIRST)]
    copies = [[0] for _ in firsts]
    for first, ways in zip(firsts, copies, strict=True):
        there = (held & first * EVERY_COPY[-1]).bit_count()
        ways += [first * EVERY_COPY[further] for further in range(there)]
    for some in map(sum, product(*copies)):
        if some.bit_count() >= max(least, 1):
            yield some


class MeldOptions(NamedTuple):
    """The options that define what a meld is."""

    order: Order
    rainbow: bool
    min_naturals: int
    max_adjacent: int
    unambiguous: bool
    run_min: int
    free_sets: int
    """The most cards of a set if suits do not matter (``meld.set_suits``), else 0."""

    @classmethod
    def of(cls, rules: RuleSet) -> "MeldOptions":
        joker = rules.joker
        return cls(
            Order.of(rules),
            rules.meld.rainbow,
            joker.min_naturals,
            joker.max_adjacent,
            joker.placement == "unique_if_two",
            rules.meld.run_min,
            4 * rules.deck.packs if rules.meld.set_suits == "any" else 0,
        )


class Piece(NamedTuple):
    """Natural cards that form a meld with some number of wild ones, or go onto one on the table."""

    kind: MeldKind
    cards: int
    """The natural cards as bits; a set may hold further copies if suits do not matter."""
    wilds: int
    """The possible numbers of wild cards, as bits."""
    price: int
    """The cost of the natural cards if they are left."""
    onto: int = 0
    """The meld on the table that takes them, as a bit; 0 if they are a meld of their own."""
    needs: int = 0
    """The meld on the table, as a bit, that must take a piece before, because it is equal."""

    @property
    def meld(self) -> int:
        """The index of the meld on the table."""
        return self.onto.bit_length() - 1


class Window(NamedTuple):
    """The places of a run or of a rainbow in order, as numbers of cards."""

    places: tuple[int, ...]
    bits: int
    pairs: tuple[int, ...]
    """Each two adjacent places, as bits."""
    points: int
    """The points as a first meld (RULES 5.4)."""


class Pieces:
    """The pieces of any hand under given rules, with a price for each card."""

    def __init__(self, options: MeldOptions, prices: Sequence[int]) -> None:
        self.options = options
        self.prices = prices
        self._by_suit = any(prices[at] != prices[at & ~3] for at in range(len(PACK)))
        self._of_one_rank = 15 * EVERY_COPY[-1 if options.free_sets else 0]
        self._runs = _runs(options.order)
        self._rainbows = _rainbows(options.order) if options.rainbow else []
        self._few_clubs = lru_cache(maxsize=4096)(self._in_clubs)
        self._few_of_rank = lru_cache(maxsize=4096)(self._of_rank)
        self._effort = lru_cache(maxsize=512)(self._estimated)

    # --- which pieces there are ---------------------------------------------------------

    def among(self, held: int, wilds: int, budget: Budget) -> list[Piece]:
        """Return every piece of these cards with at most this many wild ones."""
        found: list[Piece] = []
        near = self._near_in_suit(held & FIRST, wilds)
        for suit in range(4):
            if lane := near & LANE << suit:
                budget.spend(self._effort(lane.bit_count(), wilds))
                found += self._in_suit(lane, suit, wilds)
        if self._rainbows:
            found += self._fitting("rainbow", [self._rainbows], held & FIRST, wilds)
        alike = held if self.options.free_sets else self._alike(held & FIRST, wilds)
        while alike:
            group = alike & self._of_one_rank << (lowest(alike) & ~3)
            found += self._few_of_rank(group, wilds)
            alike ^= group
        budget.spend(len(found) // 4)
        return found

    def _near_in_suit(self, held: int, wilds: int) -> int:
        """Return the cards with enough others near them for a run, around the corner too."""
        if len(self.options.order.ranks) < len(Rank):  # the neighbours are others
            return held
        if not wilds:
            middle = held & _turned(held, 1) & _turned(held, -1)
            return middle | _beside(middle, 1) if middle else 0
        if wilds > 1 and self.options.min_naturals < 2:
            return held
        near = 0
        for steps in range(1, wilds + 2):
            near |= _beside(held, steps)
        return held & near

    def _alike(self, held: int, wilds: int) -> int:
        """Return the cards with enough others of their rank for a set."""
        if wilds > 1 and self.options.min_naturals < 2:
            return held
        both, either = held & held >> 1, held | held >> 1  # of two suits
        pairs = both | both >> 2 | either & either >> 2
        threes = both & either >> 2 | either & both >> 2
        return held & 15 * ((pairs if wilds else threes) & LANE)

    def _in_suit(self, lane: int, suit: int, wilds: int) -> list[Piece]:
        """Return the runs among cards of one suit (RULES 5.2): as in clubs, so one cache serves."""
        in_clubs = self._few_clubs if lane.bit_count() <= MAX_CACHED else self._in_clubs
        runs = in_clubs(lane >> suit, wilds)
        if not suit:
            return runs
        if self._by_suit:
            return [self._piece("run", run.cards << suit, run.wilds) for run in runs]
        return [Piece("run", cards << suit, some, price) for _, cards, some, price, _, _ in runs]

    def _in_clubs(self, lane: int, wilds: int) -> list[Piece]:
        """Return the runs among clubs."""
        most = min(lane.bit_count() + wilds, len(self.options.order.ranks))
        sizes = range(self.options.run_min, most + 1)
        return self._fitting("run", [self._runs[0][size] for size in sizes], lane, wilds)

    def _estimated(self, cards: int, wilds: int) -> int:
        """Return the estimated steps to find the runs among this many cards of a suit."""
        groups = _groups(cards, wilds)
        return groups // 2 if self._is_plain(wilds) else 3 * groups

    def _of_rank(self, group: int, wilds: int) -> list[Piece]:
        """Return the sets among cards of one rank (RULES 5.1)."""
        found: list[Piece] = []
        most = self.options.free_sets or len(Suit)
        for naturals in some_copies(group, 3 - wilds):
            there = naturals.bit_count()
            counts = sum(
                1 << size - there
                for size in range(max(3, there), min(most, there + wilds) + 1)
                if self._is_set(naturals, size)
            )
            if counts:
                found.append(self._piece("set", naturals, counts))
        return found

    def _fitting(
        self, kind: MeldKind, sizes: Iterable[Sequence[Window]], held: int, wilds: int
    ) -> list[Piece]:
        """Return the pieces that fit windows, given size by size."""
        found: dict[int, int] = {}
        for windows in sizes:
            size = len(windows[0].places)
            least = max(size - wilds, min(size, self.options.min_naturals))
            within = {window.bits & held for window in windows}
            fitting = {
                naturals
                for most in within
                if most.bit_count() >= least
                for naturals in some_of(most, least)
            }
            for naturals in sorted(fitting):
                wild = size - naturals.bit_count()
                if self._is_plain(wild) or self._readings(naturals, size, windows):
                    found[naturals] = found.get(naturals, 0) | 1 << wild
        return [self._piece(kind, naturals, counts) for naturals, counts in found.items()]

    def _piece(self, kind: MeldKind, cards: int, wilds: int) -> Piece:
        return Piece(kind, cards, wilds, sum(self.prices[n % COPIES] for n in numbers(cards)))

    # --- the rules of wild cards (RULES 5.3) ---------------------------------------------

    def _readings(self, naturals: int, size: int, windows: Sequence[Window]) -> list[Window]:
        """Return the windows of one size in which these naturals form a run or a rainbow."""
        around = [window for window in windows if not naturals & ~window.bits]
        if self._is_plain(size - naturals.bit_count()):
            return around
        seen = [
            (window, crowded)
            for window in around
            if (crowded := self._crowded(naturals, window)) is not None
        ]
        if not self.options.unambiguous:
            return [window for window, _ in seen]
        if naturals.bit_count() == 1 and size <= (self.options.free_sets or 4):
            # adjacent jokers might form a set
            return [window for window, crowded in seen if not crowded]
        always = reduce(and_, (window.bits for window, _ in seen), ~naturals)
        return [window for window, crowded in seen if not crowded & ~always]

    def is_run(self, naturals: int, size: int, first: Card) -> bool:
        """Return whether naturals and wild cards form the run of this size from ``first`` on."""
        if self._is_plain(size - naturals.bit_count()):
            return True
        start = BIT[first]
        return any(1 << window.places[0] == start for window in self._runs_of(naturals, size))

    def _runs_of(self, naturals: int, size: int) -> list[Window]:
        """Return the runs of one size that these naturals of one suit can form."""
        return self._readings(naturals, size, self._runs[lowest(naturals) & 3][size])

    def _is_plain(self, wild: int) -> bool:
        """Return whether no rule restricts the places of this many wild cards."""
        return wild < 2 or not (self.options.max_adjacent or self.options.unambiguous)

    def _crowded(self, naturals: int, window: Window) -> int | None:
        """Return the places of adjacent wild cards; None if too many are adjacent."""
        wild = window.bits & ~naturals
        crowded = 0
        for pair in window.pairs:
            if not pair & ~wild:
                crowded |= pair
        if crowded and self.options.max_adjacent:
            in_a_row = 0
            for place in window.places:
                in_a_row = in_a_row + 1 if wild >> place & 1 else 0
                if in_a_row > self.options.max_adjacent:
                    return None
        return crowded

    def _is_set(self, naturals: int, size: int) -> bool:
        """Return whether these naturals can form a set of this size."""
        there = naturals.bit_count()
        if there < min(size, self.options.min_naturals):
            return False
        if there > 1 or not self.options.unambiguous or self.options.free_sets:
            return True
        suit = lowest(naturals) & 3  # with one natural, the jokers might also form a run
        rivals = self._runs[suit][size] if size >= self.options.run_min else []
        rivals = rivals + (self._rainbows if size == 4 else [])
        return all(
            naturals & ~window.bits or self._crowded(naturals, window) is None for window in rivals
        )

    # --- melds of pieces ----------------------------------------------------------------

    def melds(self, piece: Piece, wilds: Sequence[Card]) -> list[Meld]:
        """Return every meld that the piece forms with these wild cards."""
        if piece.kind == "set":
            return [self._set(piece.cards, wilds)]
        return [
            _filled(piece.kind, window.places, piece.cards, wilds)
            for window in self._lying(piece, len(wilds))
        ]

    def worths(self, piece: Piece, wilds: int) -> set[int]:
        """Return the possible points of the piece as a first meld with this many wild cards."""
        if piece.kind == "set":
            return {self._set(piece.cards, (JOKER,) * wilds).points}
        return {window.points for window in self._lying(piece, wilds)}

    def _set(self, cards: int, wilds: Sequence[Card]) -> Meld:
        """Return a set; the suits of wild cards stay open unless all four are there (5.3.3)."""
        present = sorted(number % COPIES for number in numbers(cards))
        if len(present) + len(wilds) == len(Suit) and not self.options.free_sets:
            rank = present[0] >> 2
            return _filled("set", range(4 * rank, 4 * rank + 4), cards, wilds)
        open_suit = Card(CARDS[present[0]].rank, None)
        places = [PLACES[number] for number in present]
        return Meld("set", (*places, *(Place(wild, open_suit) for wild in wilds)))

    def _lying(self, piece: Piece, wilds: int) -> list[Window]:
        """Return the windows of a run or a rainbow with this many wild cards."""
        size = piece.cards.bit_count() + wilds
        runs = piece.kind == "run"
        windows = self._runs[lowest(piece.cards) & 3][size] if runs else self._rainbows
        return self._readings(piece.cards, size, windows)


def _turned(held: int, steps: int) -> int:
    """Return the cards some ranks higher in the circle of ranks, or lower ones."""
    higher = 4 * (steps % 13)
    return (held << higher | held >> 52 - higher) & DECK


def _beside(held: int, steps: int) -> int:
    """Return the cards some ranks higher or lower in the circle of ranks."""
    higher = 4 * (steps % 13)
    lower = 52 - higher
    return (held << higher | held >> higher | held << lower | held >> lower) & DECK


@cache
def _groups(cards: int, missing: int) -> int:
    """Return in how many ways up to ``missing`` of some cards can be left out."""
    return sum(comb(cards, some) for some in range(min(cards, missing) + 1))


@cache
def _runs(order: Order) -> list[list[list[Window]]]:
    """Return every run by suit and size, for a given order of ranks."""
    return [[list(_in_a_row([suit] * size, order)) for size in range(14)] for suit in range(4)]


@cache
def _rainbows(order: Order) -> list[Window]:
    """Return every rainbow, for a given order of ranks."""
    return [
        window
        for suits in permutations(range(4))
        if _alternating(suits)
        for window in _in_a_row(suits, order)
    ]


def _in_a_row(suits: Sequence[int], order: Order) -> Iterator[Window]:
    """Yield windows of these suits from every rank that the order allows (RULES 5.2)."""
    for ranks in order.windows(len(suits)) if suits else ():
        places = (4 * (rank - 1) + suit for rank, suit in zip(ranks, suits, strict=True))
        yield _window(tuple(places))


def _alternating(suits: Sequence[int]) -> bool:
    """Return whether red and black alternate, as in a rainbow."""
    reds = [SUITS[suit].is_red for suit in suits]
    return reds[0] == reds[2] != reds[1] == reds[3]


def _window(places: tuple[int, ...]) -> Window:
    meld = Meld("run", tuple(PLACES[place] for place in places))
    pairs = tuple(1 << one | 1 << other for one, other in pairwise(places))
    return Window(places, sum(1 << place for place in places), pairs, meld.points)


def _filled(kind: MeldKind, places: Sequence[int], cards: int, wilds: Sequence[Card]) -> Meld:
    """Return a run or a rainbow with wild cards in the places without a natural card."""
    filling = iter(wilds)
    return Meld(
        kind,
        tuple(
            PLACES[place] if cards >> place & 1 else Place(next(filling), CARDS[place])
            for place in places
        ),
    )
