"""A turn as a list of moves, and a single robbery (RULES 10.2)."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Literal

from scorekeeper.domain.cards.card import Card
from scorekeeper.domain.errors import Problem, RuleError
from scorekeeper.domain.melds import (
    Meld,
    Place,
    first_meld_points,
    lay_off,
    read_meld,
    readings,
    swap_joker,
)
from scorekeeper.domain.referee.findings import against, listed, physical
from scorekeeper.domain.referee.table_change import (
    TableChange,
    check_deck,
    minimum,
    read_melds,
    waits,
)
from scorekeeper.domain.rounds.facts import Cards
from scorekeeper.domain.rules import RuleSet

# --- one robbery --------------------------------------------------------------------------


def steal(meld: Meld, cards: Iterable[Card], rules: RuleSet) -> tuple[Meld, ...]:
    """Return the melds that remain of a meld after a single robbery, or none (RULES 10.2).

    Raises RuleError E_STEAL_LEAVES_INCOMPLETE if other cards remain. A joker in them still
    stands for the same card.
    """
    places = list(meld.places)
    for card in cards:
        place = _place_of(card, places)
        if place is None:
            raise RuleError("E_CARD_FROM_NOWHERE", clause="10.2", why="not_in_meld", cards=(card,))
        places.remove(place)
    rest = replace(meld, places=tuple(places)).cards
    remain = _fall_apart(rest, rules)
    if rest and not remain:
        raise RuleError.of([_too_much(meld, rest)])
    return remain


def _place_of(card: Card, places: Iterable[Place]) -> Place | None:
    """Return the place of a card; a joker may be named with or without the card it stands for."""
    meant = (place for place in places if card.stands_for in (None, place.at))
    return next((place for place in meant if place.card == card.physical), None)


def _too_much(meld: Meld, rest: Cards) -> Problem:
    """Return the finding: take all cards, or leave at least three."""
    count = len(meld.cards)
    why = "three" if count == 3 else "short" if len(rest) < 3 else "apart"
    facts = {"cards": meld.cards, "rest": rest, "count": count, "most": count - 3}
    return against("E_STEAL_LEAVES_INCOMPLETE", "10.2", why=why, **facts)


def _fall_apart(cards: Cards, rules: RuleSet) -> tuple[Meld, ...]:
    """Return the melds that the remaining cards of a meld form, or none if a card is left over.

    The ends of a complete suit may join, so every rotation of the cards is tried.
    """
    turned = (cards[start:] + cards[:start] for start in range(len(cards)))
    return next(filter(None, (_cut(around, rules) for around in turned)), ())


def _cut(cards: Cards, rules: RuleSet) -> tuple[Meld, ...]:
    """Return melds of adjacent cards, the longest first."""
    for size in range(len(cards), 2, -1):
        tail = cards[size:]
        if found := readings(cards[:size], rules):
            others = _cut(tail, rules)
            if others or not tail:
                return max(found, key=lambda meld: meld.naturals), *others
    return ()


# --- a turn step by step ------------------------------------------------------------------


@dataclass(frozen=True)
class Step:
    """One move of a turn.

    Melds are numbered from 0 as they come to the table: first ``before``, then each new
    meld and each further piece of a run that was cut. A meld robbed completely is gone.
    """

    move: Literal["steal", "lay", "lay_off", "swap"]
    cards: Cards
    meld: int | None = None


def after_steps(change: TableChange, steps: Iterable[Step], rules: RuleSet) -> TableChange:
    """Return the changes with the ``after`` of these moves; RuleError at the first refused one.

    The table must be valid after every move. Robbed cards not laid again are missing in ``after``.
    """
    if impossible := tuple(check_deck(change, rules)):
        raise RuleError.of(impossible)
    melds, findings = read_melds([meld.cards for meld in change.before], "before", rules)
    if findings:
        raise RuleError.of(findings)
    table = _Table(
        dict(melds),
        len(melds),
        physical([change.hand_used]),
        needed=minimum(change, rules) if waits(change, rules) and rules.layoff.first_turn else 0,
    )
    for number, step in enumerate(steps):
        try:
            table.make(step, rules)
        except RuleError as error:
            raise error.under("steps", number) from None
    after = tuple(table.melds[k].cards for k in sorted(table.melds))
    return replace(change, after=after)


@dataclass
class _Table:
    """The table during a turn."""

    melds: dict[int, Meld]
    used: int
    """The numbers given to melds so far."""
    loose: Counter[Card]
    """The cards that may be laid: robbed ones and those played from the hand."""
    needed: int = 0
    """Points that new melds must reach before any other move; 0: none."""
    laid: list[Meld] = field(default_factory=list)
    """The new melds so far."""

    def make(self, step: Step, rules: RuleSet) -> None:
        """Make one move; raise RuleError if the rules refuse it."""
        if step.move == "lay":
            self._take(step.cards)
            meld = read_meld(step.cards, rules)
            self._put(meld)
            self.laid.append(meld)
            return
        if step.meld is None:
            raise RuleError("E_FORM", ("meld",), why="missing", clause="10.2")
        if step.meld not in self.melds:
            raise RuleError("E_FORM", ("meld",), why="no_meld", clause="10.2", number=step.meld)
        if step.move == "steal":
            self._steal(step.meld, step.cards, rules)
            return
        if first_meld_points(self.laid, rules) < self.needed:
            facts = {"why": "first_turn", "cards": step.cards, "needed": self.needed}
            raise RuleError.of([against("E_NOT_LAID", "10.3 first", **facts)])
        for card in step.cards:
            self._take([card])
            if step.move == "lay_off":
                self.melds[step.meld] = lay_off(self.melds[step.meld], card, rules)
            else:
                self.melds[step.meld], joker = swap_joker(self.melds[step.meld], card, rules)
                self.loose[joker] += 1

    def _steal(self, number: int, cards: Cards, rules: RuleSet) -> None:
        if not rules.robber.enabled:
            raise RuleError("E_REARRANGE", clause="10.3", why="steal", cards=cards)
        pieces = steal(self.melds.pop(number), cards, rules)
        if pieces:
            self.melds[number] = pieces[0]
        for piece in pieces[1:]:
            self._put(piece)
        self.loose += physical([cards])

    def _put(self, meld: Meld) -> None:
        self.melds[self.used] = meld
        self.used += 1

    def _take(self, cards: Iterable[Card]) -> None:
        """Take cards from the robbed ones or from the hand."""
        wanted = physical([cards])
        if absent := wanted - self.loose:
            raise RuleError("E_CARD_FROM_NOWHERE", clause="10.2", cards=listed(absent))
        self.loose -= wanted
