"""A fast path for hands of natural cards from one pack, with aces low.

Every card is a number with three fields, so that the sum of a hand holds

- a bit for each card, suit by suit with a gap between: three in a row are a run,
- the count of each rank in three bits: three of a rank are a set,
- the points of all cards.

A search is needed only if a set and a run need the same card. All other hands (jokers,
second packs, high aces) are left to ``solver``; the tests compare the two.
"""

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations, product
from typing import NamedTuple

from scorekeeper.domain.cards import Card, Rank, Suit
from scorekeeper.domain.melds import Meld, Place, card_value
from scorekeeper.domain.options import RuleSet
from scorekeeper.domain.solver.bits import numbers

LANE = len(Rank) + 1
"""The bits of a suit: thirteen and the gap."""
RANKS = LANE * len(Suit)
"""The first bit of the field of ranks."""
POINTS = RANKS + 3 * len(Rank)
"""The first bit of the field of points."""
CELLS = (1 << RANKS) - 1
ONE = sum(1 << RANKS + 3 * rank for rank in range(len(Rank)))
FOUR = ONE << 2

CACHE_SIZE = 4096
"""The size of each cache: runs, sets, the cards of a suit."""

CARD_AT = {LANE * at + rank - 1: Card(rank, suit) for at, suit in enumerate(Suit) for rank in Rank}
PLACE_AT = {at: Place(card, card) for at, card in CARD_AT.items()}


class Plain(NamedTuple):
    """The arrangement of a hand on the fast path."""

    points: int
    melds: tuple[Meld, ...]
    rest: tuple[Card, ...]


def is_plain(rules: RuleSet) -> bool:
    """Return whether natural cards form only sets, and runs from the ace up to the king."""
    return not rules.ace.high and not rules.meld.rainbow


class Sums:
    """The arrangements of hands by the sums of their cards, under rules with low aces."""

    def __init__(self, rules: RuleSet) -> None:
        self.points = {at: card_value(card, rules) for at, card in CARD_AT.items()}
        self.number: dict[Card, int] = {}
        for at, card in CARD_AT.items():
            if card.rank and not (rules.wild.twos and card.rank is Rank.TWO):
                ranks = 1 << RANKS + 3 * (card.rank - 1)
                number = 1 << at | ranks | self.points[at] << POINTS
                self.number[card] = number
        self.in_runs = lru_cache(maxsize=CACHE_SIZE)(self._points_of_runs)
        self.in_sets = lru_cache(maxsize=CACHE_SIZE)(self._points_of_sets)
        self.choices = lru_cache(maxsize=CACHE_SIZE)(self._choices)

    def arrangement(self, hand: Sequence[Card]) -> Plain | None:
        """Return points, melds and rest of a hand; None if it needs the search of the solver."""
        try:
            total = sum(map(self.number.__getitem__, hand))
        except KeyError:
            return None
        cells = total & CELLS
        if cells.bit_count() != len(hand):
            return None
        runs = total & total >> 1 & total >> 2 & CELLS
        sets = total + ONE & FOUR
        points = total >> POINTS
        if not runs and not sets:
            return Plain(points, (), _cards(cells))
        in_runs, in_sets = _cells_of_runs(runs), _cells_of_sets(sets) & cells
        if in_runs & in_sets:
            covered, in_sets = self._resolve_conflicts(cells, sets)
            if in_sets < 0:
                return None
            left = cells & ~in_sets
            in_runs = _cells_of_runs(left & left >> 1 & left >> 2)
        else:
            covered = self.in_runs(runs) + self.in_sets(sets, total & FOUR)
        rest = _cards(cells & ~in_runs & ~in_sets)
        return Plain(points - covered, _melds(in_runs, in_sets), rest)

    def _points_of_runs(self, runs: int) -> int:
        """Return the points of all cards in runs; ``runs`` has the lowest of every three."""
        return self._points_of(_cells_of_runs(runs))

    def _points_of_sets(self, three: int, four: int) -> int:
        """Return the points of all cards in sets of three or four, and of four."""
        return sum(
            self.points[rank] * (3 * _has(three, rank) + _has(four, rank)) for rank in range(13)
        )

    def _points_of(self, cells: int) -> int:
        return sum(self.points[at] for at in numbers(cells))

    def _resolve_conflicts(self, cells: int, sets: int) -> tuple[int, int]:
        """Return the most points in melds, and the cards in sets, if sets and runs share cards.

        The cards are -1 if several choices are equally good.
        """
        wanted = _cells_of_sets(sets) & cells
        groups = [wanted & _RANK << rank for rank in range(13) if wanted & _RANK << rank]
        most, best = 0, 0
        for chosen in product(*map(self.choices, groups)):
            left = cells
            points = 0
            for taken, worth in chosen:
                left ^= taken
                points += worth
            runs = left & left >> 1 & left >> 2
            if runs:
                points += self.in_runs(runs)
            if points > most:
                most, best = points, cells ^ left
            elif points == most:
                best = -1
        return most, best

    def _choices(self, group: int) -> tuple[tuple[int, int], ...]:
        """Return the possible sets among cards of one rank, and the choice of none, with points."""
        there = [1 << at for at in numbers(group)]
        sets = [sum(some) for size in (3, 4) for some in combinations(there, size)]
        return tuple((taken, self._points_of(taken)) for taken in (0, *sets))


_RANK = sum(1 << LANE * suit for suit in range(4))
"""The four aces; each further rank is one bit higher."""


def _cells_of_runs(runs: int) -> int:
    return runs | runs << 1 | runs << 2


@lru_cache(maxsize=CACHE_SIZE)
def _cells_of_sets(sets: int) -> int:
    """Return all four cells of every rank that has a set."""
    return sum(_RANK << rank for rank in range(13) if _has(sets, rank))


def _has(sets: int, rank: int) -> int:
    """Return 1 if this rank has a set, else 0."""
    return sets >> RANKS + 3 * rank + 2 & 1


def _cards(cells: int) -> tuple[Card, ...]:
    """Return the cards by suit and rank."""
    low, high = cells & _HALF, cells >> 2 * LANE
    return _few_cards(low, 0) + _few_cards(high, 2 * LANE)


_HALF = (1 << 2 * LANE) - 1


@lru_cache(maxsize=CACHE_SIZE)
def _few_cards(cells: int, above: int) -> tuple[Card, ...]:
    return tuple(CARD_AT[at + above] for at in numbers(cells))


@lru_cache(maxsize=CACHE_SIZE)
def _melds(in_runs: int, in_sets: int) -> tuple[Meld, ...]:
    """Return the complete runs and sets, the one with the dearest card first."""
    melds: list[Meld] = []
    for rank in range(13):
        if places := _places(in_sets & _RANK << rank):
            melds.append(Meld("set", places))
    while in_runs:
        lowest = in_runs & -in_runs
        run = in_runs & ~(in_runs + lowest)
        melds.append(Meld("run", _places(run)))
        in_runs ^= run
    return tuple(sorted(melds, key=_dearest, reverse=True))


def _places(cells: int) -> tuple[Place, ...]:
    return tuple(PLACE_AT[at] for at in numbers(cells))


def _dearest(meld: Meld) -> tuple[int, str]:
    return max((card.rank or 0, card.suit or "") for card in meld.cards)
