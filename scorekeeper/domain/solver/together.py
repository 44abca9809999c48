"""The best arrangement of several hands that are laid off on the same melds (RULES 7.5).

Two defenders share the knocker's melds, and a card of one may make room for a card of the
other. The order makes no difference, only which cards are on the melds in the end. So the
search does not try one lay-off after the other: it combines the groups of cards that each meld
can take, and arranges the cards that each hand keeps. It begins with the combinations that
could leave the fewest points, and ends when no other one can leave fewer.
"""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from heapq import heappop, heappush
from itertools import accumulate, chain, islice, pairwise
from typing import NamedTuple

from scorekeeper.domain.budget import once
from scorekeeper.domain.cards.card import Card
from scorekeeper.domain.melds import Meld
from scorekeeper.domain.rules import RuleSet
from scorekeeper.domain.solver.arrangement import CARD_COUNTS, Arrangement
from scorekeeper.domain.solver.bits import Totals, lowest, numbers, shares, sums
from scorekeeper.domain.solver.hand import hand_of
from scorekeeper.domain.solver.pieces import CARDS, COPIES, Piece
from scorekeeper.domain.solver.prepared import MAX_COST, prepare
from scorekeeper.domain.solver.search import arrange, search_of


def arrange_together(
    hands: Sequence[Sequence[Card]],
    rules: RuleSet,
    table: Sequence[Meld],
    melds: Sequence[bool],
) -> list[Arrangement]:
    """Return the arrangements of the hands that leave the fewest points together.

    ``table`` are the melds that all hands may be laid off on; ``melds`` says for each hand
    whether own melds may be formed. Of equal points the fewest cards are left, and then the
    fewest are laid off. Raises TooMuch beyond the budget.
    """
    return _Together(hands, rules, table, melds).best()


class _Way(NamedTuple):
    """Cards to lay off; of two ways, the better one is the smaller one."""

    cost: int
    """The cost of the cards that the hands keep, or a lower bound of it."""
    laid_off: int
    """The number of cards laid off."""
    cards: int
    """The cards laid off, as bits."""
    naturals: int
    """Those of them that are laid off as natural cards."""

    @property
    def wilds(self) -> int:
        """The number of cards laid off as wild cards."""
        return (self.cards ^ self.naturals).bit_count()


_Taken = dict[int, int]
"""Natural cards that melds can take, as bits; with them the numbers of wild cards, as bits."""
_Moves = list[tuple[int, int, int]]
"""Lay-offs: the index of each meld, its natural cards as in a piece, and its wild cards."""


class _Together:
    """The search. A card is a bit: the cards of the first hand, then those of the next one."""

    def __init__(
        self,
        hands: Sequence[Sequence[Card]],
        rules: RuleSet,
        table: Sequence[Meld],
        melds: Sequence[bool],
    ) -> None:
        self.rules = rules
        self.melds = melds
        self.cards = [c for hand in hands for c in sorted((c.physical for c in hand), key=str)]
        ends = accumulate(map(len, hands), initial=0)
        self.hands = [(1 << end) - (1 << begin) for begin, end in pairwise(ends)]
        prepared = prepare(rules)
        self.prepared = prepared if prepared.is_sure else prepared.exhaustive
        search = search_of(self.cards, rules, table)
        self.budget = search.budget
        self.layoffs = search.layoffs(self.prepared)
        self.wilds = hand_of(self.cards, self.prepared).wilds
        self.copies = {card: self._copies(card) for card in self.cards}
        """The copies of a card, as bits, for each hand that has any."""
        self.by_meld: dict[int, list[Piece]] = {}
        """The lay-offs by the meld that takes them, those with the fewest wild cards first."""
        for layoff in self.layoffs.pieces:
            self.by_meld.setdefault(layoff.meld, []).append(layoff)
        for layoffs in self.by_meld.values():
            layoffs.sort(key=lambda layoff: lowest(layoff.wilds))
        self.kept: dict[int, Arrangement] = {}
        """The arrangements of the cards that a hand keeps."""
        self.prices = Totals([self.prepared.cost(card) for card in self.cards])
        """The costs of cards if all of them are left."""

    def _copies(self, card: Card) -> list[int]:
        bits = sum(1 << at for at, each in enumerate(self.cards) if each == card)
        return [bits & hand for hand in self.hands if bits & hand]

    def best(self) -> list[Arrangement]:
        """Return the best arrangement of each hand."""
        taken = self._taken()
        best = _Way(MAX_COST, 0, 0, 0)
        for way in self._ways(taken[-1]):
            if way[:2] >= best[:2]:
                break
            cost = sum(self._cost(kept) for kept in self._kept(way))
            best = min(best, way._replace(cost=cost))
        laid_off = self._laid_off(best, self._moves(best, taken))
        return [
            self._arranged(kept)._replace(layoffs=tuple(layoffs))
            for kept, layoffs in zip(self._kept(best), laid_off, strict=True)
        ]

    # --- the cards to lay off -----------------------------------------------------------

    def _taken(self) -> list[_Taken]:
        """Return what no meld, the first meld, the first two melds ... can take."""
        taken: list[_Taken] = [{0: 1}]
        every_count = (2 << len(self.wilds)) - 1
        for layoffs in self.by_meld.values():
            found = dict(taken[-1])
            needs = [lowest(layoff.wilds) for layoff in layoffs]
            for before, counts in taken[-1].items():
                spare = len(self.wilds) - lowest(counts)
                fitting = layoffs[: bisect_right(needs, spare)]
                self.budget.spend(1 + len(fitting) // 2)
                for layoff in fitting:
                    more_counts = sums(counts, layoff.wilds) & every_count
                    for more in self._taking(before, layoff.cards) if more_counts else ():
                        found[more] = found.get(more, 0) | more_counts
            taken.append(found)
        return taken

    def _moves(self, way: _Way, taken: Sequence[_Taken]) -> _Moves:
        """Return the lay-offs by which the melds take the cards of this way."""
        moves: _Moves = []
        naturals, wilds = way.naturals, way.wilds
        for (index, layoffs), before in zip(
            reversed(self.by_meld.items()), taken[-2::-1], strict=True
        ):
            if before.get(naturals, 0) >> wilds & 1:
                continue  # the earlier melds can take everything
            naturals, wilds, layoff, count = self._last(naturals, wilds, layoffs, before)
            moves.append((index, layoff.cards, count))
        return moves[::-1]

    def _last(
        self, naturals: int, wilds: int, layoffs: Sequence[Piece], before: _Taken
    ) -> tuple[int, int, Piece, int]:
        """Return the cards that the earlier melds take, and the lay-off that takes the others."""
        for fewer, counts in before.items():
            for layoff in layoffs if not fewer & ~naturals else ():
                if any(taken == naturals for taken in self._taking(fewer, layoff.cards)):
                    for count in numbers(layoff.wilds & (2 << wilds) - 1):
                        if counts >> wilds - count & 1:
                            return fewer, wilds - count, layoff, count
        raise AssertionError("every way was found by a last lay-off")

    def _taking(self, taken: int, cards: int) -> Iterator[int]:
        """Yield the cards taken with one more copy of each of these cards, from either hand."""
        if not cards:
            yield taken
            return
        for copies in self.copies[CARDS[lowest(cards) % COPIES]]:
            if left := copies & ~taken:
                yield from self._taking(taken | left & -left, cards & cards - 1)

    def _ways(self, taken: _Taken) -> Iterator[_Way]:
        """Yield every choice of cards to lay off, those with the lowest bound of their cost first.

        The wild cards are chosen only for natural cards whose bound is low enough.
        """
        bits = [bits for card in dict.fromkeys(self.wilds) for bits in self.copies[card]]
        waiting: list[_Way] = []
        for bound in chain(sorted(self._bounds(taken, sum(bits))), [_Way(MAX_COST, 0, 0, 0)]):
            while waiting and waiting[0][:2] < bound[:2]:
                way = heappop(waiting)
                if way.cards >= 0:
                    yield way
                    continue
                for more in self._with_wilds(way.naturals, taken[way.naturals], bits):
                    heappush(waiting, more)
            if bound.cost < MAX_COST:
                heappush(waiting, self._closer(bound, sum(bits)))

    def _bounds(self, taken: _Taken, wilds: int) -> Iterator[_Way]:
        """Yield the natural cards that can be laid off, with a bound for any wild cards too."""
        least: dict[int, int] = {}
        self.budget.spend(len(taken) // 2)
        for naturals, some in taken.items():
            cards, bound = naturals | wilds if some > 1 else naturals, 0
            for hand in self.hands:
                kept = hand & ~cards
                if kept not in least:
                    least[kept] = max(0, self._cost(hand) - self.prices[cards & hand])
                bound += least[kept]
            yield _Way(bound, naturals.bit_count() + lowest(some), -1, naturals)

    def _closer(self, bound: _Way, wilds: int) -> _Way:
        """Return a closer bound: what the hands cost without the natural cards, less wild ones."""
        kept = [hand & ~bound.naturals for hand in self.hands]
        cost = sum([max(0, self._cost(cards) - self.prices[cards & wilds]) for cards in kept])
        return bound._replace(cost=max(bound.cost, cost))

    def _with_wilds(self, naturals: int, some: int, wilds: Sequence[int]) -> Iterator[_Way]:
        """Yield natural cards with every choice of wild cards."""
        left = [bits & ~naturals for bits in wilds]
        wanted = [(2 << bits.bit_count()) - 1 for bits in left]
        kept = [(hand, self._cost(hand & ~naturals)) for hand in self.hands]
        for count in numbers(some):
            for counts in shares(wanted, count):
                self.budget.spend()
                more = sum(map(_first, left, counts))
                bound = sum([max(0, cost - self.prices[more & hand]) for hand, cost in kept])
                yield _Way(bound, (naturals | more).bit_count(), naturals | more, naturals)

    # --- the cards that the hands keep --------------------------------------------------

    def _kept(self, way: _Way) -> list[int]:
        """Return the cards that each hand keeps."""
        return [hand & ~way.cards for hand in self.hands]

    def _cost(self, kept: int) -> int:
        """Return the cost of the best arrangement of these cards, which a hand keeps."""
        best = self._arranged(kept)
        return CARD_COUNTS * best.points + len(best.rest)

    def _arranged(self, kept: int) -> Arrangement:
        if kept not in self.kept:
            cards = [self.cards[at] for at in numbers(kept)]
            whose = next((i for i, hand in enumerate(self.hands) if hand & kept), 0)
            melds = self.melds[whose]
            self.kept[kept] = once(
                (tuple(cards), melds, id(self.rules)),
                lambda: arrange(cards, self.rules, melds=melds),
            )
        return self.kept[kept]

    # --- the answer ---------------------------------------------------------------------

    def _laid_off(self, way: _Way, moves: _Moves) -> list[list[tuple[Card, int]]]:
        """Return the lay-offs of each hand, in a possible order of all of them."""
        found: list[list[tuple[Card, int]]] = [[] for _ in self.hands]
        naturals, wilds = [*numbers(way.naturals)], [*numbers(way.cards ^ way.naturals)]
        for index, cards, count in moves:
            for move in self.layoffs.moves[index, cards, count]:
                if move.wild:
                    at = wilds.pop()
                    card = move.laid(self.cards[at])
                else:
                    card = move.card
                    at = next(at for at in naturals if self.cards[at] == card.physical)
                    naturals.remove(at)
                whose = next(i for i, hand in enumerate(self.hands) if hand >> at & 1)
                found[whose].append((card, index))
        return found


def _first(bits: int, count: int) -> int:
    """Return the lowest of some bits."""
    return sum(1 << at for at in islice(numbers(bits), count))
