"""A lower bound for the search: the minimum cost of the cards left.

It works on cards and pieces as bits and a number of wild cards, without melds or rules.
"""

from collections.abc import Iterable
from typing import NamedTuple

from scorekeeper.domain.budget import Budget
from scorekeeper.domain.solver.bits import Totals, numbers
from scorekeeper.domain.solver.pieces import FIRST


class _Helped(NamedTuple):
    """A piece that needs wild cards."""

    limit: int
    """The most that each wild card saves, whatever else is left."""
    cards: int
    wilds: int


class _Bound(NamedTuple):
    """The values on which the cost of some cards depends, besides the number of wild cards."""

    lost: int
    """The price of the cards in no piece."""
    price: int
    """The price of the other exposed cards."""
    saved: int
    """The most that wild cards save of it, for each ``per`` of them."""
    per: int


class Exposure:
    """The exposed cards of any part of a hand: those in no piece without wild cards.

    Pieces without wild cards do not reduce the price of exposed cards. So the cards left cost
    at least the price of the exposed ones, less the most that wild cards can save. The pieces
    that fit are computed anew for each part: the fewer cards are left, the more are exposed.
    """

    def __init__(
        self,
        pieces: Iterable[tuple[int, int, int]],
        prices: Totals,
        every_copy: int,
        budget: Budget,
    ) -> None:
        """Create the bound for pieces: cards as bits, wild cards needed, and price.

        ``every_copy`` has a bit for each copy of a card.
        """
        self.prices = prices
        self.dear = sum(1 << number for number, price in enumerate(prices.each) if price)
        """The cards that cost anything."""
        self.every_copy = every_copy
        self.budget = budget
        bare: set[int] = set()
        helped: dict[int, _Helped] = {}
        self.cards = 0
        """The cards in pieces with wild cards."""
        for cards, wilds, price in pieces:
            if not wilds:
                bare.add(cards)
            elif cards not in helped or wilds < helped[cards].wilds:
                self.cards |= cards
                helped[cards] = _Helped(-(-price // wilds), cards, wilds)
        self.bare = _shortest(bare)
        self.helped = sorted(helped.values(), reverse=True)
        self.helpful = (self.cards & FIRST) * every_copy
        self._bounds: dict[int, _Bound] = {}
        self._holding_of: dict[int, int] = {}
        """The helped pieces that hold a card, as bits, by the bit of the card; if needed."""

    def _prepare(self) -> None:
        """Prepare ``_holding_of``, which many searches do not need."""
        self.budget.spend(len(self.helped) // 4)
        for at, piece in enumerate(self.helped):
            for number in numbers(piece.cards):
                self._holding_of[1 << number] = self._holding_of.get(1 << number, 0) | 1 << at

    def costs(self, cost: int, left: int, wilds: int) -> bool:
        """Return whether the cards left cost at least ``cost``, with this many wild cards."""
        self.budget.spend()
        lost, price, saved, per = self._bounds.get(left) or self._worked_out(left)
        cost -= lost
        spare = price - cost
        return cost <= 0 or (spare >= 0 and saved * wilds <= spare * per)

    def _worked_out(self, left: int) -> _Bound:
        """Work out the bound for the cards left."""
        free, gone = 0, ~left
        for cards in self.bare:
            if not cards & gone:
                free |= cards
        exposed = left & ~((free & FIRST) * self.every_copy)
        saved, per = self._most_saved(left, exposed & self.cards & self.dear)
        found = self._bounds[left] = _Bound(
            self.prices[exposed & ~self.helpful], self.prices[exposed & self.helpful], saved, per
        )
        return found

    def _most_saved(self, left: int, exposed: int) -> tuple[int, int]:
        """Return the most that wild cards save in a piece that fits, and how many it needs."""
        saved, per, prices = 0, 1, self.prices
        for at in numbers(self._holding(exposed) & ~self._holding(self.cards & ~left)):
            limit, cards, wilds = self.helped[at]
            if limit * per <= saved:  # and later pieces have no higher limit
                break
            price = prices[cards & exposed]
            if price * per > saved * wilds:
                saved, per = price, wilds
        return saved, per

    def _holding(self, cards: int) -> int:
        """Return the helped pieces with any of these cards, as bits."""
        if cards and not self._holding_of:
            self._prepare()
        found = 0
        while cards:
            bit = cards & -cards
            found |= self._holding_of[bit]
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
