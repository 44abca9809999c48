"""A lower bound for the search: the minimum cost of the cards left.

It works on cards and pieces as bits and a number of wild cards, without melds or rules.
"""

from bisect import bisect_left
from collections.abc import Iterable
from functools import cached_property
from typing import NamedTuple

from scorekeeper.domain.budget import Budget
from scorekeeper.domain.solver.bits import numbers
from scorekeeper.domain.solver.pieces import COPIES


class _Helped(NamedTuple):
    """A piece that needs wild cards."""

    limit: int
    """The most that each wild card saves, whatever else is left."""
    cards: int
    wilds: int


class Exposure:
    """The exposed cards of any part of a hand: those in no piece without wild cards.

    Pieces without wild cards do not reduce the price of exposed cards. So the cards left cost
    at least the price of the exposed ones, less the most that wild cards can save. The pieces
    that fit are computed anew for each part: the fewer cards are left, the more are exposed.
    """

    def __init__(
        self,
        pieces: Iterable[tuple[int, int, int]],
        prices: Iterable[int],
        planes: int,
        budget: Budget,
    ) -> None:
        """Create the bound for pieces: cards as bits, wild cards needed, and price.

        ``prices`` are the prices of cards, and ``planes`` has a bit for each copy of a card.
        """
        self.prices = tuple(prices)
        self.planes = planes
        self.budget = budget
        bare: set[int] = set()
        helped: set[_Helped] = set()
        self.cards = 0
        """The cards in pieces with wild cards."""
        for cards, wilds, price in pieces:
            if wilds:
                self.cards |= cards
                helped.add(_Helped(-(-price // wilds), cards, wilds))
            else:
                bare.add(cards)
        self.bare = _shortest(bare)
        self.helped = sorted(helped, reverse=True)
        self.helpful = self.cards * planes
        self._exposed: dict[int, tuple[int, int, int]] = {}
        self._price_of: dict[int, int] = {}

    @cached_property
    def limits(self) -> list[int]:
        """The most that each wild card saves in these pieces, negated for ascending order."""
        return [-piece.limit for piece in self.helped]

    @cached_property
    def holding(self) -> dict[int, int]:
        """The helped pieces that hold a card, as bits, by the bit of the card."""
        self.budget.spend(len(self.helped) // 4)
        holding: dict[int, int] = {}
        for at, piece in enumerate(self.helped):
            for number in numbers(piece.cards):
                holding[1 << number] = holding.get(1 << number, 0) | 1 << at
        return holding

    def costs(self, cost: int, left: int, wilds: int) -> bool:
        """Return whether the cards left cost at least ``cost``, with this many wild cards.

        They do unless, in some piece that fits, each wild card saves more than its share of the
        difference. Only pieces that could save that much are considered.
        """
        self.budget.spend()
        lost, exposed, price = self._exposed.get(left) or self._worked_out(left)
        cost -= lost
        if cost <= 0:
            return True
        if price < cost:
            return False
        if not wilds:
            return True
        spare = price - cost
        dear = (1 << bisect_left(self.limits, -(spare // wilds))) - 1
        if dear:
            dear &= self._holding(exposed)
        if dear:
            dear &= ~self._holding(self.cards & ~left)
        for at in numbers(dear):
            _, cards, needed = self.helped[at]
            if self._price(cards & exposed) * wilds > spare * needed:
                return False
        return True

    def _worked_out(self, left: int) -> tuple[int, int, int]:
        """Return the price of cards in no piece, the other exposed cards, and their price."""
        free = 0
        for cards in self.bare:
            if not cards & ~left:
                free |= cards
        exposed = left & ~(free * self.planes)
        found = (
            self._price(exposed & ~self.helpful),
            exposed & self.cards,
            self._price(exposed & self.helpful),
        )
        self._exposed[left] = found
        return found

    def _price(self, cards: int) -> int:
        """Return the price of cards, further copies included."""
        price = self._price_of.get(cards)
        if price is None:
            price, left = 0, cards
            while left:
                price += self.prices[(left & -left).bit_length() % COPIES - 1]
                left &= left - 1
            self._price_of[cards] = price
        return price

    def _holding(self, cards: int) -> int:
        """Return the helped pieces with any of these cards, as bits."""
        found = 0
        while cards:
            bit = cards & -cards
            found |= self.holding[bit]
            cards ^= bit
        return found


def _shortest(pieces: Iterable[int]) -> list[int]:
    """Return the pieces that are not the union of shorter ones, which fit wherever they do."""
    found: list[int] = []
    for cards in sorted(pieces, key=int.bit_count):
        within = 0
        for shorter in found:
            if not shorter & ~cards:
                within |= shorter
        if within != cards:
            found.append(cards)
    return found
