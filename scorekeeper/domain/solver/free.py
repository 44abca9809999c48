"""The best arrangement where the suits of a set do not matter (``meld.set_suits``).

Twins may then be in one set, which the pieces of the other search cannot hold. Hands of these
rules are rarely arranged, so this search is plain: the dearest card goes into one of its melds or
is left over, and then lay-offs are tried on what is left.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import combinations

from scorekeeper.domain.budget import current
from scorekeeper.domain.cards.card import Card
from scorekeeper.domain.errors import RuleError
from scorekeeper.domain.melds import Meld, Order, card_value, lay_on, readings
from scorekeeper.domain.rules import RuleSet
from scorekeeper.domain.solver.arrangement import Arrangement
from scorekeeper.domain.solver.pieces import STEPS_OF_READINGS

Cards = tuple[Card, ...]
Found = tuple[int, int, tuple[Meld, ...], tuple[tuple[Card, int], ...], Cards]
"""Points and number of the cards left; melds, lay-offs, the cards left."""


def arrange_freely(
    hand: Sequence[Card], rules: RuleSet, table: Sequence[Meld] = (), *, melds: bool = True
) -> Arrangement:
    """Return the arrangement with the fewest points left; raises TooMuch beyond the budget."""
    search = _Search(rules, tuple(table))
    cards = sorted((card.physical for card in hand), key=search.order)
    points, _, own, layoffs, rest = search.best(tuple(cards), (), melds=melds)
    return Arrangement(points, own, layoffs, rest)


class _Search:
    """The search under given rules, with the melds on the table."""

    def __init__(self, rules: RuleSet, table: tuple[Meld, ...]) -> None:
        self.rules = rules
        self.table = table if rules.layoff.scope != "none" else ()
        self.budget = current()
        self._known: dict[tuple[Cards, Cards, bool], Found] = {}
        self._laid: dict[tuple[Cards, tuple[Meld, ...]], Found] = {}
        self._melds: dict[Cards, Meld | None] = {}
        self._growths: dict[tuple[Meld, Card], Meld | None] = {}

    def order(self, card: Card) -> tuple[bool, int, str]:
        """Return a key that puts the dearest natural cards first, and wild ones last."""
        return self._is_wild(card), -card_value(card, self.rules), str(card)

    def best(self, cards: Cards, left: Cards, *, melds: bool) -> Found:
        """Return the best way to use these cards; those in ``left`` are in no meld."""
        key = cards, left if self.table else (), melds
        if key not in self._known:
            self.budget.spend()
            self._known[key] = min(self._ways(cards, left, melds=melds), key=lambda way: way[:2])
        return self._known[key]

    def _ways(self, cards: Cards, left: Cards, *, melds: bool) -> Iterator[Found]:
        """Yield the ways to use the first card: in a meld, or left over."""
        if not cards or not melds:
            yield self._laid_off((*left, *cards), self.table)
            return
        card, others = cards[0], cards[1:]
        for used, meld in self._melds_with(card, others):
            rest = _without(others, used)
            points, count, own, layoffs, over = self.best(rest, left, melds=True)
            yield points, count, (meld, *own), layoffs, over
        if self.table:
            yield self.best(others, (*left, card), melds=True)
        else:
            points, count, own, layoffs, over = self.best(others, (), melds=True)
            value = card_value(card, self.rules)
            yield points + value, count + 1, own, layoffs, (card, *over)

    def _laid_off(self, cards: Cards, table: tuple[Meld, ...]) -> Found:
        """Return what is left of these cards once as much as possible is laid off."""
        key = cards, table
        if key not in self._laid:
            self.budget.spend()
            points = sum(card_value(card, self.rules) for card in cards)
            ways: list[Found] = [(points, len(cards), (), (), cards)]
            for card in dict.fromkeys(cards) if table else ():
                rest = _without(cards, (card,))
                for index, meld in enumerate(table):
                    grown = self._grown(meld, card)
                    if grown:
                        after = (*table[:index], grown, *table[index + 1 :])
                        points, count, _, moves, over = self._laid_off(rest, after)
                        ways.append((points, count, (), ((card, index), *moves), over))
            self._laid[key] = min(ways, key=lambda way: way[:2])
        return self._laid[key]

    def _grown(self, meld: Meld, card: Card) -> Meld | None:
        if (meld, card) not in self._growths:
            self.budget.spend(STEPS_OF_READINGS)
            try:
                self._growths[meld, card] = lay_on(meld, card, self.rules)
            except RuleError:
                self._growths[meld, card] = None
        return self._growths[meld, card]

    # --- the melds of a card ------------------------------------------------------------

    @cached_property
    def windows(self) -> list[tuple[int, ...]]:
        """The ranks of every run."""
        order = Order.of(self.rules)
        sizes = range(self.rules.meld.run_min, len(order.ranks) + 1)
        return [tuple(map(int, ranks)) for size in sizes for ranks in order.windows(size)]

    def _melds_with(self, card: Card, others: Cards) -> Iterator[tuple[Cards, Meld]]:
        """Yield the melds of a card and some of the others, with these others."""
        if card.suit is None:
            return
        seen = set()
        for used in (*self._sets(card, others), *self._runs(card, others)):
            used = tuple(sorted(used, key=self.order))
            meld = None if used in seen else self._meld((card, *used))
            seen.add(used)
            if meld:
                yield used, meld

    def _meld(self, cards: Cards) -> Meld | None:
        if cards not in self._melds:
            self.budget.spend(STEPS_OF_READINGS)
            self._melds[cards] = next(iter(readings(cards, self.rules)), None)
        return self._melds[cards]

    def _sets(self, card: Card, others: Cards) -> Iterator[Cards]:
        """Yield the cards that may form a set with this one."""
        alike = [one for one in others if one.rank is card.rank]
        wilds = [one for one in others if self._is_wild(one) and one.rank is not card.rank]
        for size in range(len(alike) + 1):
            for some in set(combinations(alike, size)):
                yield from self._with_wilds(some, wilds, range(max(0, 2 - size), len(wilds) + 1))

    def _runs(self, card: Card, others: Cards) -> Iterator[Cards]:
        """Yield the cards that may form a run with this one."""
        held = set(others)
        wilds = [one for one in others if self._is_wild(one)]
        for ranks in self.windows:
            if card.rank not in ranks:
                continue
            places = [Card(one, card.suit) for one in ranks if one != card.rank]  # type: ignore[arg-type]
            there = [one for one in places if one in held]
            for size in range(max(0, len(places) - len(wilds)), len(there) + 1):
                for some in combinations(there, size):
                    free = [*wilds]
                    for one in some:
                        if one in free:
                            free.remove(one)
                    missing = len(places) - size
                    yield from self._with_wilds(some, free, range(missing, missing + 1))

    def _with_wilds(self, some: Cards, wilds: list[Card], numbers: range) -> Iterator[Cards]:
        for number in numbers:
            for added in set(combinations(wilds, number)):
                yield (*some, *added)

    def _is_wild(self, card: Card) -> bool:
        return card.is_joker or card.rank is self.rules.wild_rank


def _without(cards: Cards, used: Cards) -> Cards:
    """Return the cards without these, each as often as it is used."""
    gone, left = Counter(used), []
    for card in cards:
        if gone[card]:
            gone[card] -= 1
        else:
            left.append(card)
    return tuple(left)
