"""The best arrangement of a hand: melds and lay-offs chosen together (RULES 5.6).

A hand has natural cards and wild cards; a wild two is both. Possible melds (``pieces``) and
lay-offs (``table``) are pieces of the hand, and the search cuts the hand into pieces
(``cutting``). Of several arrangements, the first in this order is chosen: fewest points,
fewest cards left; then the dearest card, starting with the king of spades, is in the dearest
piece, with runs of up to five cards before longer ones. Runs that form one run are joined.
The order in which a hand is written does not matter.

All searches spend steps from a budget and raise E_TOO_MUCH beyond it.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import reduce
from itertools import islice, product
from typing import cast

from scorekeeper.domain.budget import current, shared_cache
from scorekeeper.domain.cards.card import Card
from scorekeeper.domain.errors import RuleError
from scorekeeper.domain.melds import Meld, lay_on
from scorekeeper.domain.rules import RuleSet
from scorekeeper.domain.solver.arrangement import CARD_COUNTS, Arrangement
from scorekeeper.domain.solver.bits import numbers, shares, sums
from scorekeeper.domain.solver.condition import Condition
from scorekeeper.domain.solver.cutting import Chosen, Cutting
from scorekeeper.domain.solver.fast import may_be_split
from scorekeeper.domain.solver.hand import Hand, hand_of, without
from scorekeeper.domain.solver.own import best_own_melds
from scorekeeper.domain.solver.pieces import CARDS, FIRST, Piece, cards_of
from scorekeeper.domain.solver.prepared import MAX_COST, Prepared, prepare
from scorekeeper.domain.solver.table import Table

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
    if melds and not table:
        prepared = prepare(rules)
        plain = prepared.plain(hand)
        if plain:
            return plain[0]
        own = best_own_melds(hand, prepared)
        if own:
            return own
    search = search_of(hand, rules, table)
    undisputed = search.undisputed() if melds and table else None
    return undisputed or next(search.best(hand, melds=melds))


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
    first = next(search.best(hand))
    yield first
    for other in search.within(first.points, hand):
        if len(other.rest) == len(first.rest) and _melds(other) != _melds(first):
            yield other


def search_of(cards: Sequence[Card], rules: RuleSet, table: Sequence[Meld] = ()) -> "Search":
    """Return the search for the arrangements of some cards.

    Within one ``limited`` it is the same object, so that its results are reused.
    """
    searches = shared_cache()
    if rules.layoff.scope == "none":  # the table makes no difference
        table = ()
    key = tuple(cards), tuple(table), id(rules)
    return cast(Search, searches.setdefault(key, Search(cards, rules, table)))


class Search:
    """The search for arrangements of some cards, or of a part of them, on one table.

    All its searches spend from one budget: the one in force, else a new one.
    """

    def __init__(self, cards: Sequence[Card], rules: RuleSet, table: Sequence[Meld] = ()) -> None:
        self.cards = cards
        self.rules = rules
        self.melds = table
        self.budget = current()
        self._hands: dict[bool, Hand] = {}
        self._tables: dict[bool, Table] = {}
        self._cuttings: dict[tuple[bool, Condition | None, bool], Cutting] = {}

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
        prepared = prepare(self.rules)
        task = _Task(self, hand, prepared, melds, condition)
        if prepared.is_sure:
            yield from task.cheapest(below)
            return
        stood = False
        for arrangement in islice(task.cheapest(below), MAX_CHECKED):
            if self._stands(arrangement, condition):
                stood = True
                yield arrangement
        if not stood and task.costs_less(below):
            yield from _Task(self, hand, prepared.exhaustive, melds, condition).cheapest(below)

    def undisputed(self) -> Arrangement | None:
        """Return the best arrangement of all cards if none of them fits an own meld and the table.

        Like ``plain``, only for natural cards of one pack; None for others.
        """
        prepared = prepare(self.rules)
        in_melds = prepared.sums.in_melds(self.cards) if prepared.sums else None
        moves = None if in_melds is None else self.table(prepared).undisputed()
        if in_melds is None or moves is None or any(card in in_melds for card, _ in moves):
            return None
        laid_off = {card for card, _ in moves}
        left = prepared.plain([card for card in self.cards if card not in laid_off])
        if not left or may_be_split(left[0].melds):
            return None
        return replace(left[0], layoffs=moves)

    def within(self, most: int, hand: Sequence[Card]) -> Iterator[Arrangement]:
        """Yield every arrangement of the hand that leaves at most ``most`` points."""
        prepared = prepare(self.rules)
        task = _Task(self, hand, prepared if prepared.is_sure else prepared.exhaustive)
        return task.every(CARD_COUNTS * (most + 1) - 1)

    def whole(self, prepared: Prepared) -> Hand:
        """Return all cards."""
        if prepared.twos_apart not in self._hands:
            self._hands[prepared.twos_apart] = hand_of(self.cards, prepared)
        return self._hands[prepared.twos_apart]

    def table(self, prepared: Prepared) -> Table:
        """Return the lay-offs that the table allows from the cards."""
        if prepared.twos_apart not in self._tables:
            hand = self.whole(prepared)
            table = Table(self.melds, hand, self.rules, prepared, self.budget)
            self._tables[prepared.twos_apart] = table
        return self._tables[prepared.twos_apart]

    def cutting(self, prepared: Prepared, condition: Condition | None, *, melds: bool) -> Cutting:
        """Return all cards with their pieces, computed once for the searches of their parts."""
        key = prepared.twos_apart, condition, melds
        if key not in self._cuttings:
            hand = self.whole(prepared)
            pieces: list[Piece] = []
            if melds:
                held = hand.naturals & FIRST
                pieces += prepared.among(held, len(hand.wilds), self.budget)
            if self.melds:
                pieces += self.table(prepared).layoffs
            self.budget.spend(len(pieces))
            self._cuttings[key] = Cutting(hand, prepared, pieces, self.budget, condition)
        return self._cuttings[key]

    def _stands(self, arrangement: Arrangement, condition: Condition | None) -> bool:
        """Return whether every lay-off is possible as described, and the condition is satisfied."""
        if condition and not _satisfies(arrangement.melds, condition):
            return False
        grown = list(self.melds)
        try:
            for card, index in arrangement.layoffs:
                grown[index] = lay_on(grown[index], card, self.rules)
        except RuleError:
            return False
        return True


def _satisfies(melds: Sequence[Meld], condition: Condition) -> bool:
    """Return whether melds satisfy a condition."""
    points = sorted((meld.points for meld in melds), reverse=True)
    reached = sum(points[: condition.counted or None])
    return reached >= condition.needed and len(melds) <= (condition.most or len(melds))


class _Task:
    """A hand to arrange."""

    def __init__(
        self,
        search: Search,
        hand: Sequence[Card],
        prepared: Prepared,
        melds: bool = True,
        condition: Condition | None = None,
    ) -> None:
        self.search = search
        self.prepared = prepared
        self.condition = condition
        is_whole = hand is search.cards
        self.hand = search.whole(prepared) if is_whole else hand_of(hand, prepared)
        self.cutting = search.cutting(prepared, condition, melds=melds)

    def cheapest(self, below: int) -> Iterator[Arrangement]:
        """Yield the cheapest arrangements below a cost, the preferred one first."""
        found = self.cutting.least(self.hand, below)
        if not found:
            return
        least, chosen = found
        if self.condition:
            condition = self.condition
            ways = self._set_out(chosen)
            yield from (way for way in ways if _satisfies(way.melds, condition))
            return
        first = next(self._set_out(chosen), None)
        if first:
            yield first
        for arrangement in self.every(least):
            if not first or _melds(arrangement) != _melds(first):
                yield arrangement

    def costs_less(self, below: int) -> bool:
        """Return whether the hand can be cut at less cost, even if the pieces are no melds."""
        return self.cutting.least(self.hand, below) is not None

    def every(self, most: int) -> Iterator[Arrangement]:
        """Yield all arrangements up to a cost; those with the same melds only once."""
        seen = set()
        for chosen in self.cutting.every(self.hand, most):
            for arrangement in self._set_out(chosen):
                own = _melds(arrangement)
                if own not in seen:
                    seen.add(own)
                    yield arrangement

    def _set_out(self, chosen: Chosen) -> Iterator[Arrangement]:
        """Yield the arrangements of a cut: all ways to distribute wild cards and to read melds."""
        prepared, cutting, hand = self.prepared, self.cutting, self.hand
        melds = [piece for piece in chosen if not piece.onto]
        laid = _in_use(chosen, cutting.sinks) if self.search.melds else []
        wanted = [piece.wilds for piece in (*melds, *laid)]
        taken = [piece.cards for piece in chosen]
        wilds = wild_cards(hand.wilds, [cards & cutting.twos for cards in taken], prepared)
        placed = (reduce(sums, wanted, 1) & (2 << len(wilds)) - 1).bit_length() - 1
        remaining = reduce(without, taken, hand.naturals) & ~(cutting.twos * cutting.planes)
        rest = (*cards_of(remaining), *wilds[placed:], *hand.idle)
        points = sum([prepared.price[card.rank] for card in rest]) // CARD_COUNTS
        for melding in range(placed, -1, -1) if laid else (placed,):
            others = next(shares(wanted[len(melds) :], placed - melding), None)
            if others is None:
                continue
            layoffs = self._played(laid, others, wilds[melding:placed])
            for counts in shares(wanted[: len(melds)], melding):
                for read in product(*_read(melds, counts, wilds, prepared)):
                    self.search.budget.spend()
                    yield Arrangement(points, read, layoffs, rest)

    def _played(
        self, laid: Sequence[Piece], counts: Sequence[int], wilds: Sequence[Card]
    ) -> tuple[tuple[Card, int], ...]:
        """Return the lay-offs in a possible order, with the wild cards they use."""
        spare = iter(wilds)
        return tuple(
            (next(spare)._replace(stands_for=move.card) if move.wild else move.card, piece.meld)
            for piece, count in zip(laid, counts, strict=True)
            for move in self.search.table(self.prepared).moves[piece.meld, piece.cards, count]
        )


def wild_cards(wilds: Sequence[Card], themselves: Sequence[int], prepared: Prepared) -> list[Card]:
    """Return the wild cards without the twos used as natural cards, the dearest first."""
    left = list(wilds)
    for cards in filter(None, themselves):
        for number in numbers(cards):
            left.remove(CARDS[number])
    return sorted(left, key=prepared.cost, reverse=True)


def _in_use(chosen: Chosen, sinks: Sequence[Piece]) -> list[Piece]:
    """Return the lay-offs by meld on the table: the chosen piece, else only wild cards."""
    laid = {sink.meld: sink._replace(wilds=sink.wilds | 1) for sink in sinks}
    laid |= {piece.meld: piece for piece in chosen if piece.onto}
    return [laid[meld] for meld in sorted(laid)]


def _melds(arrangement: Arrangement) -> frozenset[tuple[Meld, int]]:
    """Return the melds, regardless of their order."""
    return frozenset(Counter(arrangement.melds).items())


def _read(
    melds: Sequence[Piece], counts: Sequence[int], wilds: Sequence[Card], prepared: Prepared
) -> Iterator[Sequence[Meld]]:
    """Yield, for each piece, the melds that it forms with its share of the wild cards."""
    used = 0
    for piece, count in zip(melds, counts, strict=True):
        yield prepared.melds(piece, tuple(wilds[used : used + count]))
        used += count
