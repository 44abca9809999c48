"""The pieces of a hand where it matters which of the wild twos is used."""

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from scorekeeper.domain.budget import Budget
from scorekeeper.domain.cards.card import JOKER, Card
from scorekeeper.domain.melds import Meld, is_meld, readings
from scorekeeper.domain.rules import RuleSet
from scorekeeper.domain.solver.bits import numbers, some_of
from scorekeeper.domain.solver.pieces import (
    COPIES,
    FIRST,
    LANE,
    TWOS,
    TWOS_OF,
    MeldOptions,
    Piece,
    Pieces,
    natural_cards,
)

STEPS_OF_READINGS = 10
"""The steps spent on a call of ``readings``."""


class ExhaustivePieces:
    """The pieces found by calling ``readings`` for every group of cards: slow, but always right.

    Needed if twos are wild and adjacent jokers must be unambiguous: then it matters which two a
    wild card is. So only jokers count as wild here, and twos are individual cards.
    """

    def __init__(self, rules: RuleSet, prices: Sequence[int]) -> None:
        self.rules = replace(rules, deck=replace(rules.deck, jokers=8))
        self.prices = prices
        options = MeldOptions.of(rules)._replace(min_naturals=1, max_adjacent=0, unambiguous=False)
        self._shapes = Pieces(options, prices)
        self._reads = lru_cache(maxsize=4096)(self._asked)

    def among(self, held: int, wilds: int, budget: Budget) -> list[Piece]:
        """Return every piece of these cards with at most this many jokers."""
        found: list[Piece] = []
        twos = held & TWOS if self.rules.wild.twos else 0
        fits = {0: FIRST}
        for shape in self._shapes.among(held & ~twos, wilds + twos.bit_count(), budget):
            fits[shape.cards] = fits.get(shape.cards, 0) | shape.wilds
        for known, counts in fits.items():
            for some in (0, *some_of(twos, 1)):
                budget.spend(STEPS_OF_READINGS)
                more = some.bit_count()
                jokers = sum(
                    1 << count
                    for count in range(wilds + 1)
                    if counts >> more + count & 1 and self._is_meld(known, some, count)
                )
                if jokers:
                    price = sum(self.prices[at % COPIES] for at in numbers(known | some))
                    found.append(Piece("run", known | some, jokers, price))
        return found

    def _is_meld(self, known: int, twos: int, jokers: int) -> bool:
        """Return whether the cards form a meld; twos out of place count as jokers."""
        own = 0
        for suit, same in enumerate(TWOS_OF):
            if self.rules.meld.rainbow or not known & ~(LANE << suit):
                own |= twos & same & -(twos & same)
        if self._shapes.options.free_sets and not known:
            own = twos  # twins may be in one set
        return self._reads(known, own, jokers + (twos ^ own).bit_count())

    def _asked(self, known: int, twos: int, jokers: int) -> bool:
        return is_meld([*natural_cards(known | twos), *(JOKER,) * jokers], self.rules)

    def melds(self, piece: Piece, wilds: Sequence[Card]) -> list[Meld]:
        """Return every meld that the piece forms with these jokers."""
        return readings([*natural_cards(piece.cards), *wilds], self.rules)

    def worths(self, piece: Piece, wilds: int) -> set[int]:
        """Return the possible points of the piece as a first meld with this many jokers."""
        return {meld.points for meld in self.melds(piece, (JOKER,) * wilds)}
