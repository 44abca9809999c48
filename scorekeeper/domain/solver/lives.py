"""The best arrangement of a hand that needs certain runs (``meld.lives``, RULES-MORE 7.3.3)."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

from scorekeeper.domain.budget import current, limited
from scorekeeper.domain.cards.card import Card
from scorekeeper.domain.melds import Meld, hand_value
from scorekeeper.domain.rules import RuleSet
from scorekeeper.domain.solver.arrangement import Arrangement
from scorekeeper.domain.solver.bits import numbers
from scorekeeper.domain.solver.condition import has_runs
from scorekeeper.domain.solver.hand import hand_of
from scorekeeper.domain.solver.pieces import CARDS
from scorekeeper.domain.solver.prepared import Prepared, prepare
from scorekeeper.domain.solver.search import arrange


def has_lives(melds: Iterable[Meld], rules: RuleSet) -> bool:
    """Return whether the melds have the runs that are needed, enough of them pure."""
    return has_runs(melds, rules.meld.lives)


def arrange_with_lives(
    hand: Sequence[Card], rules: RuleSet, table: Sequence[Meld] = ()
) -> Arrangement | None:
    """Return the arrangement with the fewest points left that has the lives; None if none has.

    Every choice of the runs needed is tried, and the other cards are arranged as well as possible,
    with those that can be laid off on the melds of ``table``. A longer run may count as two, so its
    parts are among the choices.
    """
    with limited():
        best = arrange(hand, rules, table)
        if has_lives(best.melds, rules):
            return best
        search = _Lives(rules, prepare(rules), table)
        return search.best(tuple(card.physical for card in hand))


class _Run(NamedTuple):
    """A run of the hand: its cards, and the meld that they form."""

    cards: tuple[Card, ...]
    meld: Meld


class _Lives:
    """The search for the runs needed, the pure ones first."""

    def __init__(self, rules: RuleSet, prepared: Prepared, table: Sequence[Meld]) -> None:
        self.rules = rules
        self.prepared = prepared
        self.table = table
        self.rests: dict[tuple[Card, ...], Arrangement] = {}
        """The arrangements of what the runs leave; many choices leave the same cards."""

    def best(self, hand: tuple[Card, ...]) -> Arrangement | None:
        pure, needed = self.rules.meld.lives
        least: Arrangement | None = None
        for runs, left in self._choices(hand, pure, needed - pure):
            rest = self._arranged(left)
            if least is None or rest.points < least.points:
                melds = (*(run.meld for run in runs), *rest.melds)
                least = rest._replace(melds=melds)
            if not least.points:
                break
        return least

    def _choices(
        self, left: tuple[Card, ...], pure: int, others: int
    ) -> Iterator[tuple[tuple[_Run, ...], tuple[Card, ...]]]:
        """Yield every choice of so many pure runs and others, with the cards left."""
        if not pure and not others:
            yield (), left
            return
        for run in self._runs(left, pure=pure > 0):
            after = _without(left, run.cards)
            fewer = (pure - 1, others) if pure else (0, others - 1)
            for more, rest in self._choices(after, *fewer):
                yield (run, *more), rest

    def _runs(self, cards: tuple[Card, ...], *, pure: bool) -> Iterator[_Run]:
        """Yield the runs among some cards, the dearest first."""
        held = hand_of(cards, self.prepared)
        wilds = 0 if pure else len(held.wilds)
        pieces = self.prepared.pieces.among(held.naturals, wilds, current())
        runs = [piece for piece in pieces if piece.kind == "run"]
        for piece in sorted(runs, key=lambda piece: -piece.price):
            own = tuple(map(CARDS.__getitem__, numbers(piece.cards)))
            spare = _without(held.wilds, [card for card in own if card in held.wilds])
            for count in numbers(piece.wilds):
                if count > (0 if pure else len(spare)):
                    continue
                for some in dict.fromkeys(combinations(spare, count)):
                    for meld in self.prepared.melds(piece, some):
                        if meld.kind == "run" and (not pure or not meld.wild):
                            yield _Run((*own, *some), meld)
                            break

    def _arranged(self, cards: tuple[Card, ...]) -> Arrangement:
        key = tuple(sorted(cards, key=str))
        if key not in self.rests:
            self.rests[key] = arrange(key, self.rules, self.table)
        return self.rests[key]


def _without(cards: Sequence[Card], taken: Iterable[Card]) -> tuple[Card, ...]:
    """Return the cards without one copy of each that is taken."""
    left = list(cards)
    for card in taken:
        left.remove(card)
    return tuple(left)


def all_left(hand: Sequence[Card], rules: RuleSet) -> Arrangement:
    """Return the hand as it counts without lives: no meld, and every card left."""
    cards = tuple(card.physical for card in hand)
    return Arrangement(hand_value(cards, rules), (), (), cards)
