"""The best arrangement of a hand: melds and lay-offs chosen together (RULES 5.6).

A hand has natural cards and wild cards; a wild two is both. Possible melds (``pieces``) and
lay-offs (``layoffs``) are pieces of the hand, and the search cuts the hand into pieces
(``cutting``). Of several arrangements, the first in this order is chosen: fewest points,
fewest cards left; then the dearest card, starting with the king of spades, is in the dearest
piece, with runs of up to five cards before longer ones. Runs that form one run are joined.
The order in which a hand is written does not matter.

All searches spend steps from a budget and raise E_TOO_MUCH beyond it.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice

from scorekeeper.domain.budget import current, once
from scorekeeper.domain.cards.card import Card
from scorekeeper.domain.errors import RuleError
from scorekeeper.domain.melds import Meld, lay_on
from scorekeeper.domain.rules import RuleSet
from scorekeeper.domain.solver.alone import best_alone, fit_together
from scorekeeper.domain.solver.arrangement import CARD_COUNTS, Arrangement
from scorekeeper.domain.solver.condition import Condition
from scorekeeper.domain.solver.cutting import Cutting
from scorekeeper.domain.solver.fast import may_be_split
from scorekeeper.domain.solver.hand import Hand, hand_of
from scorekeeper.domain.solver.layoffs import LayOffs
from scorekeeper.domain.solver.pieces import Piece
from scorekeeper.domain.solver.prepared import MAX_COST, Prepared, prepare
from scorekeeper.domain.solver.setting_out import set_out

MAX_CHECKED = 50
"""The arrangements to check before the slow search, which tells wild twos apart, is used."""


def arrange(
    hand: Sequence[Card], rules: RuleSet, table: Sequence[Meld] = (), *, melds: bool = True
) -> Arrangement:
    """Return the arrangement with the fewest points left, own melds and lay-offs together.

    ``table`` are the melds that cards may be laid off on; ``melds`` says whether own melds may
    be formed. Declarations of wild cards are ignored. The hand may have up to 24 cards.
    Raises TooMuch beyond the budget.
    """
    prepared = prepare(rules)
    if table or not melds or not prepared.is_sure:
        search = search_of(hand, rules, table)
        if not melds or not prepared.is_sure or search.layoffs(prepared).pieces:
            return search.first(hand, melds=melds)
    plain = prepared.plain(hand)
    if plain and not (table and may_be_split(plain[0].melds)):
        return plain[0]
    budget, held = current(), hand_of(hand, prepared)
    own = prepared.pieces.among(held.naturals, len(held.wilds), budget)
    if prepared.twos or fit_together(held, own):
        found = Cutting(held, prepared, own, (), budget).least(held, MAX_COST)
        assert found, "no hand costs so much"
    else:
        found = best_alone(held, own, prepared)
    return next(set_out(held, *found, prepared, None, budget))


def best_arrangements(hand: Sequence[Card], rules: RuleSet) -> Iterator[Arrangement]:
    """Yield the arrangements with the fewest points left, that of ``arrange`` first.

    They differ in the cards of a meld or in what a wild card stands for. A knocker chooses
    among them (RULES 7.4.2).
    """
    plain = prepare(rules).plain(hand)
    if plain and not may_be_split(plain[0].melds):
        yield from plain
        return
    search = Search(hand, rules)
    first = search.first(hand)
    yield first
    for other in search.within(first.points, hand):
        if len(other.rest) == len(first.rest) and _melds(other) != _melds(first):
            yield other


def search_of(cards: Sequence[Card], rules: RuleSet, table: Sequence[Meld] = ()) -> "Search":
    """Return the search for the arrangements of some cards.

    Within one ``limited`` it is the same object, so that its results are reused.
    """
    if not rules.lays_off:  # the table makes no difference
        table = ()
    return once((tuple(cards), tuple(table), id(rules)), lambda: Search(cards, rules, table))


class Search:
    """The search for arrangements of some cards, or of a part of them, on one table.

    All its searches spend from one budget: the one in force, else a new one.
    """

    def __init__(self, cards: Sequence[Card], rules: RuleSet, table: Sequence[Meld] = ()) -> None:
        self.cards = cards
        self.rules = rules
        self.prepared = prepare(rules)
        self.table = table
        self.budget = current()
        self._layoffs: dict[bool, LayOffs] = {}
        self._cuttings: dict[tuple[bool, Condition | None, bool], Cutting] = {}

    def first(self, hand: Sequence[Card], *, melds: bool = True) -> Arrangement:
        """Return the arrangement that is chosen of the cheapest ones."""
        prepared = self.prepared
        if prepared.is_sure:
            cutting, held = self._task(hand, prepared, None, melds=melds)
            found = cutting.least(held, MAX_COST)
            if found:
                return next(self._set_out(cutting, held, *found))
        return next(self.best(hand, melds=melds))

    def best(
        self,
        hand: Sequence[Card],
        *,
        melds: bool = True,
        most: int | None = None,
        condition: Condition | None = None,
    ) -> Iterator[Arrangement]:
        """Yield the cheapest arrangements of the hand that leave at most ``most`` points.

        With a condition, only melds that satisfy it are considered, and not all of the cheapest
        arrangements are found. If it matters which wild two is where, arrangements are first found
        regardless of that and checked afterwards. The slow search is used only if none passes.
        """
        below = MAX_COST if most is None else CARD_COUNTS * (most + 1)
        prepared = self.prepared
        cutting, held = self._task(hand, prepared, condition, melds=melds)
        cheapest = self._cheapest(cutting, held, below)
        if prepared.is_sure:
            yield from cheapest
            return
        stood = False
        for arrangement in islice(cheapest, MAX_CHECKED):
            if self._stands(arrangement, condition):
                stood = True
                yield arrangement
        if not stood and cutting.least(held, below):  # at least if it did not matter
            task = self._task(hand, prepared.exhaustive, condition, melds=melds)
            yield from self._cheapest(*task, below)

    def within(self, most: int, hand: Sequence[Card]) -> Iterator[Arrangement]:
        """Yield every arrangement of the hand that leaves at most ``most`` points."""
        prepared = self.prepared
        task = self._task(hand, prepared if prepared.is_sure else prepared.exhaustive, None)
        return self._every(*task, CARD_COUNTS * (most + 1) - 1)

    def layoffs(self, prepared: Prepared) -> LayOffs:
        """Return the lay-offs that the table allows from the cards."""
        if prepared.twos_apart not in self._layoffs:
            hand = hand_of(self.cards, prepared)
            layoffs = LayOffs(self.table, hand, self.rules, prepared, self.budget)
            self._layoffs[prepared.twos_apart] = layoffs
        return self._layoffs[prepared.twos_apart]

    def _task(
        self,
        hand: Sequence[Card],
        prepared: Prepared,
        condition: Condition | None,
        *,
        melds: bool = True,
    ) -> tuple[Cutting, Hand]:
        """Return the pieces of all cards, for all searches of their parts, and the hand."""
        key = prepared.twos_apart, condition, melds
        cutting = self._cuttings.get(key)
        if not cutting:
            held = hand_of(self.cards, prepared)
            own: list[Piece] = []
            if melds:
                own = prepared.among(held.naturals, len(held.wilds), self.budget)
            layoffs = self.layoffs(prepared).pieces if self.table else []
            self.budget.spend(len(own) + len(layoffs))
            cutting = Cutting(held, prepared, own, layoffs, self.budget, condition)
            self._cuttings[key] = cutting
        return cutting, cutting.hand if hand is self.cards else hand_of(hand, prepared)

    def _cheapest(self, cutting: Cutting, hand: Hand, below: int) -> Iterator[Arrangement]:
        """Yield the cheapest arrangements below a cost, the preferred one first."""
        found = cutting.least(hand, below)
        if not found:
            return
        ways = self._set_out(cutting, hand, *found)
        if cutting.condition:
            for way in ways:  # one at a time, because each takes steps
                if cutting.condition.is_satisfied(way.melds):
                    yield way
            return
        first = next(ways, None)
        if first:
            yield first
        for arrangement in self._every(cutting, hand, found[0]):
            if not first or _melds(arrangement) != _melds(first):
                yield arrangement

    def _every(self, cutting: Cutting, hand: Hand, most: int) -> Iterator[Arrangement]:
        """Yield all arrangements up to a cost; those with the same melds only once."""
        seen = set()
        for cost, chosen in cutting.every(hand, most):
            for arrangement in self._set_out(cutting, hand, cost, chosen):
                own = _melds(arrangement)
                if own not in seen:
                    seen.add(own)
                    yield arrangement

    def _set_out(
        self, cutting: Cutting, hand: Hand, cost: int, chosen: Sequence[Piece]
    ) -> Iterator[Arrangement]:
        """Yield the arrangements of the pieces chosen."""
        layoffs = self.layoffs(cutting.prepared) if cutting.layoffs else None
        return set_out(hand, cost, chosen, cutting.prepared, layoffs, self.budget)

    def _stands(self, arrangement: Arrangement, condition: Condition | None) -> bool:
        """Return whether every lay-off is possible as described, and the condition is satisfied."""
        if condition and not condition.is_satisfied(arrangement.melds):
            return False
        grown = list(self.table)
        try:
            for card, index in arrangement.layoffs:
                grown[index] = lay_on(grown[index], card, self.rules)
        except RuleError:
            return False
        return True


def _melds(arrangement: Arrangement) -> frozenset[tuple[Meld, int]]:
    """Return the melds, regardless of their order."""
    return frozenset(Counter(arrangement.melds).items())
