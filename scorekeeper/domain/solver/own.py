"""A short way to the best arrangement of own melds, of natural cards and jokers.

It searches like ``cutting``, but without the table, conditions and wild twos, which most
hands do not need. Hands with many possibilities are left to ``search``, which has better
bounds; the tests compare the two.
"""

from collections.abc import Sequence
from functools import reduce
from itertools import accumulate
from operator import or_

from scorekeeper.domain.budget import Budget, current
from scorekeeper.domain.cards.card import JOKER, Card
from scorekeeper.domain.solver.arrangement import CARD_COUNTS, Arrangement
from scorekeeper.domain.solver.bits import lowest, numbers, shares, sums
from scorekeeper.domain.solver.cutting import by_dearest, joined, runs_of, short
from scorekeeper.domain.solver.hand import Hand, hand_of, without
from scorekeeper.domain.solver.pieces import COPIES, FIRST, Piece, cards_of
from scorekeeper.domain.solver.prepared import MAX_COST, Prepared

MOST_STATES = 200
"""The states after which a hand is left to ``search``; dealt hands rarely have so many."""

_Way = tuple[int, int, int, int, Piece | None]
"""The price of cards left over; the cards left, their price and ``reach``; the piece cut off."""


def best_own_melds(cards: Sequence[Card], prepared: Prepared) -> Arrangement | None:
    """Return the best arrangement without lay-offs, or None if the hand is left to ``search``."""
    if prepared.rules.wild.twos:
        return None
    hand, budget = hand_of(cards, prepared), current()
    pieces = prepared.pieces.among(hand.naturals & FIRST, len(hand.wilds), budget)
    if _fit_together(hand, pieces):
        chosen = _Cut(hand, pieces, prepared, budget).best()
    else:
        chosen = sorted(pieces, key=_worth, reverse=True)[:1]
    return None if chosen is None else _arrangement(hand, chosen, prepared)


def _fit_together(hand: Hand, pieces: Sequence[Piece]) -> bool:
    """Return whether two pieces may fit together, or a piece twice."""
    if hand.wilds:
        fewer = (1 << len(hand.wilds)) - 1  # jokers than all, as bits
        return any([piece.wilds & fewer for piece in pieces])
    return len(pieces) > 1 or any([not each.cards & ~(hand.naturals >> COPIES) for each in pieces])


def _worth(piece: Piece) -> tuple[int, int]:
    """Return the price of a piece and the number of its dearest card."""
    return piece.price, piece.cards.bit_length()


def _arrangement(hand: Hand, chosen: Sequence[Piece], prepared: Prepared) -> Arrangement:
    """Return the arrangement with the chosen pieces; the first of them take most jokers."""
    wanted = [piece.wilds for piece in chosen]
    placed = (reduce(sums, wanted, 1) & (2 << len(hand.wilds)) - 1).bit_length() - 1
    melds = [
        prepared.melds(piece, (JOKER,) * jokers)[0]
        for piece, jokers in zip(chosen, next(shares(wanted, placed)), strict=True)
    ]
    left = reduce(without, [piece.cards for piece in chosen], hand.naturals)
    rest = (*cards_of(left), *hand.wilds[placed:], *hand.idle)
    points = sum([prepared.price[card.rank] for card in rest]) // CARD_COUNTS
    return Arrangement(points, tuple(melds), (), rest)


class _Cut:
    """The search for the cheapest cut of a hand into pieces.

    As in ``Cutting``, the dearest card left goes into one of its pieces or is left over, and
    ``reach`` has a bit for each number of jokers that the pieces so far can take.
    """

    def __init__(
        self, hand: Hand, pieces: Sequence[Piece], prepared: Prepared, budget: Budget
    ) -> None:
        self.budget = budget
        self.hand = hand
        self.pieces = pieces
        self.prices = prepared.prices
        self.jokers = len(hand.wilds)
        self.cost_of_joker = prepared.cost(JOKER)
        self.planes = sum([1 << at for at in range(0, hand.naturals.bit_length(), COPIES)])
        self.choices = by_dearest(short(pieces))
        needing = [0] * (self.jokers + 1)
        saving = 0
        for _, cards, counts, price, _, _ in pieces:
            needed = lowest(counts)
            needing[needed] |= cards
            if needed and price > saving * needed:
                saving = -(-price // needed)
        self.saving = saving
        """The most that a joker saves in a piece."""
        self.useful = [cards * self.planes for cards in accumulate(needing, or_)]
        """The cards that some piece can take, by the number of jokers left."""
        self.known: dict[tuple[int, int], tuple[int, _Way | None]] = {}
        """The minimum cost by cards left and ``reach``, and the first way to it.

        Without a way, the cost is only a lower bound.
        """

    def best(self) -> list[Piece] | None:
        """Return the pieces of the first cheapest cut, or None if there are too many states."""
        left = self.hand.naturals & self.useful[self.jokers]
        self.least(left, self.price(left), 1, MAX_COST)
        self.budget.spend(len(self.known))
        if len(self.known) > MOST_STATES:
            return None
        chosen, reach = [], 1
        while left:
            way = self.known[left, reach][1]
            assert way, "the minimum of every state on the way is known"
            _, left, _, reach, piece = way
            if piece:
                chosen.append(piece)
        return joined(chosen, runs_of(self.pieces)) if len(chosen) > 1 else chosen

    def price(self, cards: int) -> int:
        return sum([self.prices[number % COPIES] for number in numbers(cards)])

    def least(self, left: int, price: int, reach: int, below: int) -> int:
        """Return the minimum cost of cards of this price, or some value of at least ``below``.

        With too many states it gives up, and the value means nothing.
        """
        if not left:
            return (self.jokers + 1 - reach.bit_length()) * self.cost_of_joker
        if below <= 0 or below <= price - self.most_saved(left, price, reach):
            return below
        cost, best = self.known.get((left, reach), (0, None))
        if not best and cost < below and len(self.known) <= MOST_STATES:
            cost = below
            for way in self.ways(left, price, reach):
                lost, others, their_price, reached, _ = way
                found = lost + self.least(others, their_price, reached, cost - lost)
                if found < cost:
                    cost, best = found, way
            self.known[left, reach] = cost, best
        return cost

    def most_saved(self, left: int, price: int, reach: int) -> int:
        """Return an upper bound of what pieces save of the cards left, which have this price."""
        bare = left & self.useful[0]
        if bare == left:
            return price
        saved = (self.jokers - lowest(reach)) * self.saving
        return saved + self.price(bare) if bare else saved

    def ways(self, left: int, price: int, reach: int) -> list[_Way]:
        """Return the ways to put the dearest card into a piece, and last to leave it over."""
        found: list[_Way] = []
        planes, full, gone = self.planes, (2 << self.jokers) - 1, ~left
        dearest = (left & FIRST).bit_length() - 1
        for piece in self.choices.get(dearest, ()):
            _, cards, counts, saved, _, _ = piece
            if cards & gone:
                continue
            reached = (sums(reach, counts) if reach > 1 else counts) & full
            if reached:
                taken = left & cards * planes
                others, rest = left ^ taken ^ taken >> COPIES, price - saved
                if not counts & 1:
                    others &= self.useful[self.jokers - lowest(reached)]
                    rest = self.price(others) if others else 0
                found.append((price - saved - rest, others, rest, reached, piece))
        taken = left & planes << dearest
        lost = self.prices[dearest]
        found.append((lost, left ^ taken ^ taken >> COPIES, price - lost, reach, None))
        return found
