"""A lower bound for the search: what the cards left cost at least.

It knows cards and pieces as bits and wild cards as a number; melds and rules it does not know.
"""

from bisect import bisect_left
from collections.abc import Iterable
from functools import cached_property
from typing import NamedTuple

from scorekeeper.domain.budget import Budget
from scorekeeper.domain.pieces import COPIES, numbers


class _Helped(NamedTuple):
    """A piece that needs wild cards."""

    limit: int
    """What each of them saves at most, whatever else is left."""
    cards: int
    wilds: int


class Exposure:
    """The exposed cards of any part of a hand: those that no piece without wild cards can hold.

    A piece without wild cards saves nothing of their price. So the cards left cost at least
    the price of the exposed ones, less the most that wild cards can save. Which pieces fit is
    worked out again for each part: the fewer cards are left, the more of them are exposed.
    """

    def __init__(
        self,
        pieces: Iterable[tuple[int, int, int]],
        prices: Iterable[int],
        planes: int,
        budget: Budget,
    ) -> None:
        """Take pieces as their cards, as bits, the wild cards that they need, and their price.

        ``prices`` are those of the cards, and ``planes`` has a bit for each copy of a card.
        """
        self.prices = tuple(prices)
        self.planes = planes
        self.budget = budget
        bare: set[int] = set()
        helped: set[_Helped] = set()
        self.cards = 0
        """The cards that are in a piece with wild cards."""
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

    @cached_property
    def limits(self) -> list[int]:
        """What each wild card saves at most in these pieces, negated to be in rising order."""
        return [-piece.limit for piece in self.helped]

    @cached_property
    def holding(self) -> dict[int, int]:
        """By the bit of a card: the helped pieces that it is in, as bits."""
        self.budget.spend(len(self.helped) // 4)
        holding: dict[int, int] = {}
        for at, piece in enumerate(self.helped):
            for number in numbers(piece.cards):
                holding[1 << number] = holding.get(1 << number, 0) | 1 << at
        return holding

    def costs(self, cost: int, left: int, wilds: int) -> bool:
        """Return whether the cards left cost at least so much, with so many wild cards.

        They do unless, in some piece that fits, each wild card saves more than its share of
        what may be spared. Only pieces that could save so much at all are looked at.
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
        """Return the price of what is in no piece, the other exposed cards, and their price."""
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
        price = 0
        while cards:
            price += self.prices[(cards & -cards).bit_length() % COPIES - 1]
            cards &= cards - 1
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
    """Return the pieces that shorter ones do not cover: where one fits, so do those within it."""
    found: list[int] = []
    for cards in sorted(pieces, key=int.bit_count):
        within = 0
        for shorter in found:
            if not shorter & ~cards:
                within |= shorter
        if within != cards:
            found.append(cards)
    return found
