"""A fast path for hands of natural cards from one pack, with aces low.

Every card is a number with three fields, so that the sum of a hand holds

- a bit for each card, suit by suit with a gap between: three in a row are a run,
- the count of each rank in three bits: three of a rank are a set,
- the cost of all cards.

There is a choice only if a set and a run need the same card. All other hands (jokers, second
packs, high aces) are left to ``search``; the tests compare the two.

This is a second search for an answer that ``cutting`` finds too, and stays only for its speed.
For ten dealt cards ``cutting`` takes nearly three times as long, and at the knock, where sets and
runs share cards, four times; both would miss their limits in ``bench/solver.py``. These are the
hands of most games of gin, and a round with cards arranges several of them.
Compiled with mypyc, ``cutting`` would still take one and a half to two times as long as this does
interpreted.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import combinations, product
from typing import NamedTuple

from scorekeeper.domain.cards.card import Card, Rank, Suit
from scorekeeper.domain.melds import Meld, MeldKind, Place, card_value
from scorekeeper.domain.rules import RuleSet
from scorekeeper.domain.solver.arrangement import CARD_COUNTS, Arrangement
from scorekeeper.domain.solver.bits import lowest, numbers

LANE = len(Rank) + 1
"""The bits of a suit: thirteen and the gap."""
RANKS = LANE * len(Suit)
"""The first bit of the field of ranks."""
COSTS = RANKS + 3 * len(Rank)
"""The first bit of the field of costs."""
CELLS = (1 << RANKS) - 1
ONE = sum(1 << RANKS + 3 * rank for rank in range(len(Rank)))
FOUR = ONE << 2
SUITS = tuple((1 << LANE) - 1 << LANE * suit for suit in range(len(Suit)))
"""The cells of each suit."""
ACES = sum(1 << LANE * suit for suit in range(len(Suit)))
"""The cells of the aces; each further rank is one bit higher."""
MANY_IN_A_ROW = 6
"""The cards of a run that could also be two runs."""

CARD_AT = {LANE * at + rank - 1: Card(rank, suit) for at, suit in enumerate(Suit) for rank in Rank}
PLACE_AT = {at: Place(card, card) for at, card in CARD_AT.items()}


class Found(NamedTuple):
    """A meld. Of several melds, the one that the search prefers is the greatest."""

    dearest: Card
    """Its last card."""
    cost: int
    """The cost of its cards if they were left."""
    is_run: bool
    cells: int
    meld: Meld


Way = list[Found]
"""The melds of an arrangement, the one with the dearest card first."""


def is_plain(rules: RuleSet) -> bool:
    """Return whether natural cards form only sets, and runs from the ace up to the king."""
    whole = rules.deck.ranks == len(CARD_AT) and not rules.ace.high
    meld = rules.meld
    return whole and not meld.rainbow and meld.run_min == 3 and meld.set_suits == "different"


class Sums:
    """The arrangements of hands by the sums of their cards, under rules with low aces."""

    def __init__(self, rules: RuleSet) -> None:
        cost = {at: CARD_COUNTS * card_value(card, rules) + 1 for at, card in CARD_AT.items()}
        self.number: dict[Card, int] = {}
        for at, card in CARD_AT.items():
            if card.rank and card.rank is not rules.wild_rank:
                ranks = 1 << RANKS + 3 * (card.rank - 1)
                self.number[card] = 1 << at | ranks | cost[at] << COSTS
        self.found: dict[int, Found] = {}
        """Every meld by its cells."""
        for cells, meld in natural_melds().items():
            worth = sum(cost[at] for at in numbers(cells))
            last = meld.places[-1].card
            self.found[cells] = Found(last, worth, meld.kind == "run", cells, meld)

    def best(self, hand: Sequence[Card]) -> list[Arrangement]:
        """Return the best arrangements, the preferred one first; none if they need the search.

        A run of six cards or more stays whole, although it could also be two runs.
        """
        total = self._sum(hand)
        if total is None:
            return []
        cells = total & CELLS
        in_runs, in_sets = _in_runs(cells), _in_sets(total + ONE & FOUR) & cells
        if in_runs & in_sets:
            ways = self._choices(cells, in_runs, in_sets)
        else:
            ways = [self._melds(cells, in_sets) if in_runs or in_sets else []]
        return [_arrangement(total, way) for way in ways]

    def _sum(self, hand: Sequence[Card]) -> int | None:
        """Return the sum of the cards; None if they are not different natural cards."""
        try:
            total = sum(map(self.number.__getitem__, hand))
        except KeyError:
            return None
        return total if (total & CELLS).bit_count() == len(hand) else None

    def _choices(self, cells: int, in_runs: int, in_sets: int) -> list[Way]:
        """Return the best choices of melds if sets and runs share cards."""
        sets = [_possible_sets(group, in_runs) for group in _by_rank(in_sets)]
        ways = [self._melds(cells, sum(chosen)) for chosen in product(*sets)]
        most = max(map(_cost, ways))
        best = sorted((way for way in ways if _cost(way) == most), reverse=True)
        runs = (found.meld for way in best for found in way)
        return [] if len(best) > 1 and may_be_split(runs) else best

    def _melds(self, cells: int, in_sets: int) -> Way:
        """Return these cards in sets, and the others in runs as long as possible."""
        groups = (*_by_rank(in_sets), *_in_a_row(cells ^ in_sets))
        return sorted(map(self.found.__getitem__, groups), reverse=True)


@cache
def natural_melds() -> dict[int, Meld]:
    """Return every set and run of natural cards by its cells."""
    suits, ranks = range(len(Suit)), range(len(Rank))
    sets = (
        sum(1 << LANE * suit + rank for suit in some)
        for rank in ranks
        for size in (3, 4)
        for some in combinations(suits, size)
    )
    runs = (
        (1 << last + 1) - (1 << first) << LANE * suit
        for suit in suits
        for first in ranks
        for last in ranks[first + 2 :]
    )
    return {cells: _meld("set", cells) for cells in sets} | {
        cells: _meld("run", cells) for cells in runs
    }


def _meld(kind: MeldKind, cells: int) -> Meld:
    return Meld(kind, tuple(PLACE_AT[at] for at in numbers(cells)))


def _possible_sets(group: int, in_runs: int) -> list[int]:
    """Return the sets of cards of one rank that may be best: runs need all cards left out."""
    needed = group & in_runs
    three = [group ^ 1 << at for at in numbers(needed)] if group.bit_count() == 4 else []
    none = [0] if (group ^ needed).bit_count() < 3 else []
    return [group, *three, *none]


def _cost(way: Way) -> int:
    return sum([found.cost for found in way])


def may_be_split(melds: Iterable[Meld]) -> bool:
    """Return whether one of the melds could also be two runs."""
    return any(len(meld.places) >= MANY_IN_A_ROW for meld in melds)


def _arrangement(total: int, way: Way) -> Arrangement:
    """Return the arrangement with these melds of a hand, which is given by its sum."""
    rest = (total & CELLS) - sum([found.cells for found in way])
    points = ((total >> COSTS) - _cost(way)) // CARD_COUNTS
    return Arrangement(points, tuple([found.meld for found in way]), (), _cards(rest))


def _in_runs(cells: int) -> int:
    """Return all cards that are in runs."""
    lowest_of_three = cells & cells >> 1 & cells >> 2
    return lowest_of_three | lowest_of_three << 1 | lowest_of_three << 2


def _in_a_row(cells: int) -> Iterator[int]:
    """Yield the runs of these cards, as long as possible."""
    left = _in_runs(cells)
    while left:
        run = left & ~(left + (left & -left))
        yield run
        left ^= run


@cache
def _in_sets(ranks: int) -> int:
    """Return all four cells of the ranks whose third bit is set."""
    return sum(ACES << rank for rank in range(len(Rank)) if ranks >> RANKS + 3 * rank + 2 & 1)


def _by_rank(cells: int) -> Iterator[int]:
    """Yield the cards of each rank."""
    while cells:
        group = cells & ACES << lowest(cells) % LANE
        yield group
        cells ^= group


def _cards(cells: int) -> tuple[Card, ...]:
    """Return the cards by suit and rank."""
    clubs, diamonds, hearts, spades = [_of_one_suit(cells & lane) for lane in SUITS]
    return clubs + diamonds + hearts + spades


@lru_cache(maxsize=4096)
def _of_one_suit(cells: int) -> tuple[Card, ...]:
    return tuple([CARD_AT[at] for at in numbers(cells)])
