"""Lay-offs: the cards of a hand that melds on the table can take (RULES 5.2, 7.4.3)."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from scorekeeper.domain.budget import Budget, once
from scorekeeper.domain.cards.card import Card, Suit
from scorekeeper.domain.errors import RuleError
from scorekeeper.domain.melds import (
    Meld,
    MeldKind,
    Order,
    Place,
    lay_off,
    may_cover_jokers,
    swap_joker,
)
from scorekeeper.domain.rules import RuleSet
from scorekeeper.domain.solver.bits import numbers
from scorekeeper.domain.solver.hand import Hand
from scorekeeper.domain.solver.pieces import (
    BIT,
    CARDS,
    COPIES,
    EVERY_COPY,
    FIRST,
    TWOS,
    Piece,
    Pieces,
    natural_cards,
    some_copies,
)
from scorekeeper.domain.solver.prepared import Prepared


class Move(NamedTuple):
    """A card laid on a meld; ``wild`` if any wild card will do."""

    card: Card
    wild: bool

    def laid(self, wild: Card) -> Card:
        """Return a wild card as it is laid; where suits do not matter it stands for none."""
        return wild._replace(stands_for=self.card if self.card.suit else None)


Moves = tuple[Move, ...]


class _Growth(NamedTuple):
    """A meld on the table with cards added."""

    meld: Meld
    cards: int
    """The natural cards added, as bits."""
    wilds: int
    moves: Moves


class LayOffs:
    """The lay-offs that the melds on a table allow from a hand and from any part of it.

    Computed once for the whole hand; a part of the hand allows some of the same lay-offs.
    """

    def __init__(
        self, melds: Sequence[Meld], hand: Hand, rules: RuleSet, prepared: Prepared, budget: Budget
    ) -> None:
        self.rules = rules
        self.prepared = prepared
        self.budget = budget
        self.held = hand.naturals
        self.naturals = hand.naturals & FIRST
        self.wilds = hand.wilds
        joker = rules.joker
        self.any_order = not joker.max_adjacent and joker.placement != "unique_if_two"
        """Whether a lay-off never depends on those before it."""
        self.moves: dict[tuple[int, int, int], Moves] = {
            (index, 0, 0): () for index in range(len(melds))
        }
        """The moves by index of the meld, natural cards as bits, and number of wild cards."""
        self.pieces: list[Piece] = []
        if rules.lays_off:
            for index in range(len(melds)):
                self._offer(index, melds)

    def in_use(self, chosen: Sequence[Piece]) -> list[Piece]:
        """Return the lay-offs by meld on the table: the chosen one, else only wild cards."""
        alone = (piece for piece in self.pieces if not piece.cards)
        found = {piece.meld: piece._replace(wilds=piece.wilds | 1) for piece in alone}
        found |= {piece.meld: piece for piece in chosen}
        return [found[meld] for meld in sorted(found)]

    def _offer(self, index: int, melds: Sequence[Meld]) -> None:
        """Add the lay-offs that one meld on the table allows."""
        meld = melds[index]
        if not self._may_grow(meld):
            return
        needs = _alike_before(melds, index)
        counts: dict[int, int] = {}
        key = meld, self.held, self.wilds, self.prepared.twos_apart, id(self.rules)
        for growth in once(key, lambda: list(self._growths(meld))):
            if (index, growth.cards, growth.wilds) not in self.moves:
                self.moves[index, growth.cards, growth.wilds] = growth.moves
                counts[growth.cards] = counts.get(growth.cards, 0) | 1 << growth.wilds
        for cards, wilds in counts.items():
            price = sum(self.prepared.prices[number % COPIES] for number in numbers(cards))
            self.pieces.append(Piece(meld.kind, cards, wilds, price, 1 << index, needs))

    def _may_grow(self, meld: Meld) -> bool:
        """Return whether a card of the hand might go onto the meld; onto most melds none does."""
        if self.wilds or meld.wild or self.prepared.twos_apart or self._is_free(meld):
            return True
        return any([self.naturals & BIT[cell] for cell, _ in _ends(meld, self.rules)])

    def _growths(self, meld: Meld) -> Iterator[_Growth]:
        """Yield what one meld can become: real cards on its jokers, and more at its ends."""
        if self._is_free(meld):
            yield from self._in_any_suit(meld)
            return
        growths = [_Growth(meld, 0, 0, ())]
        seen = set()
        for growth in growths:
            places = growth.meld.places
            shape = (growth.cards, growth.wilds, places[0].at, places[-1].at)
            if shape not in seen:
                seen.add(shape)
                growths += self._covered(growth, meld)
                growths += self._laid_off(growth, meld)
                if growth.moves:
                    yield growth

    def _is_free(self, meld: Meld) -> bool:
        """Return whether the meld is a set in which suits do not matter."""
        return meld.kind == "set" and self.rules.meld.set_suits == "any"

    def _in_any_suit(self, meld: Meld) -> Iterator[_Growth]:
        """Yield a set in which suits do not matter with more cards of its rank, and wild ones."""
        at = Card(meld.places[0].at.rank, None)
        bits = sum(BIT[at._replace(suit=suit)] for suit in Suit) * EVERY_COPY[-1]
        if self.prepared.twos_apart:
            bits |= TWOS
        room = len(Suit) * self.rules.deck.packs - len(meld.places)
        for cards in (0, *some_copies(self.held & bits, 1)):
            self.budget.spend()
            natural = tuple(Move(card, False) for card in natural_cards(cards))
            for wilds in range(min(len(self.wilds), room - len(natural)) + 1):
                if natural or wilds:
                    yield _Growth(meld, cards, wilds, (*natural, *(Move(at, True),) * wilds))

    def _covered(self, growth: _Growth, lying: Meld) -> Iterator[_Growth]:
        """Yield the meld with one more joker covered that was on the table before.

        In a set real cards come first: then any joker of an open suit was on the table before.
        """
        meld, cards, wilds, moves = growth
        jokers = {place.at for place in lying.places if place.is_wild}
        is_late = meld.kind == "set" and len(meld.places) > len(lying.places)
        if is_late or not (jokers and may_cover_jokers(self.rules)):
            return
        for number in numbers(self.naturals & ~cards):
            card = CARDS[number]
            if card in jokers or card._replace(suit=None) in jokers:
                try:
                    grown, _ = swap_joker(meld, card, self.rules)
                except RuleError:
                    continue
                yield _Growth(grown, cards | 1 << number, wilds, (*moves, Move(card, False)))

    def _laid_off(self, growth: _Growth, lying: Meld) -> Iterator[_Growth]:
        """Yield the meld with one more card at an end: the card itself, or a wild one for it.

        Where any order is possible, the cards below go first.
        """
        meld, cards, wilds, moves = growth
        begun_above = self.any_order and meld.places[-1].at != lying.places[-1].at
        for cell, below in _ends(meld, self.rules):
            if below and begun_above:
                continue
            for card, bit, wild in self._fillers(cell, cards, meld.kind):
                if wild and wilds == len(self.wilds):
                    continue
                grown = self._grown(meld, card, cell, below=below)
                if grown:
                    move = Move(cell if wild else card, wild)
                    yield _Growth(grown, cards | bit, wilds + wild, (*moves, move))

    def _fillers(
        self, cell: Card, cards: int, growing: MeldKind
    ) -> Iterator[tuple[Card, int, bool]]:
        """Yield the cards in hand for a place, their bits, and whether any wild card will do."""
        there = self.naturals & ~cards
        if there & BIT[cell]:
            yield cell, BIT[cell], False
        alike = self.prepared.is_sure or growing == "run"
        for wild in self.wilds[:1] if alike else dict.fromkeys(self.wilds):
            yield Card(wild.rank, wild.suit, cell), 0, True
        if self.prepared.twos_apart:
            for number in numbers(there & TWOS):
                yield CARDS[number]._replace(stands_for=cell), 1 << number, False

    def _grown(self, meld: Meld, card: Card, cell: Card, *, below: bool) -> Meld | None:
        """Return the meld with one more card, or None if that is no meld.

        Like ``lay_off``, but faster for runs, because it treats every wild card as a joker.
        If it matters which wild two is used, the solver checks the result.
        """
        if meld.kind == "run" and isinstance(self.prepared.pieces, Pieces):
            self.budget.spend(STEPS_OF_EXTENSION)
            place = (Place(card.physical, cell),)
            places = place + meld.places if below else meld.places + place
            naturals = sum(BIT[place.at] for place in places if not place.is_wild)
            is_run = self.prepared.pieces.is_run(naturals, len(places), places[0].at)
            return Meld("run", places) if is_run else None
        if meld.kind == "set" and not (card.stands_for or meld.wild or self.rules.wild_rank):
            # It has four cards now, so nothing depends on the order of its places.
            return Meld("set", (*meld.places, Place(card, card)))
        self.budget.spend(STEPS_OF_LAY_OFF)
        try:
            return lay_off(meld, card, self.rules)
        except RuleError:
            return None


STEPS_OF_EXTENSION = 2
"""The steps spent on one more card at an end of a run."""
STEPS_OF_LAY_OFF = 10
"""The steps spent on a call of ``lay_off``."""


def _alike_before(melds: Sequence[Meld], index: int) -> int:
    """Return the nearest earlier equal meld as a bit: it takes cards first; 0 if there is none."""
    alike = [at for at in range(index) if melds[at] == melds[index]]
    return 1 << alike[-1] if alike else 0


def _ends(meld: Meld, rules: RuleSet) -> Iterator[tuple[Card, bool]]:
    """Yield the cards that could extend a meld, and whether below its first card."""
    first, last = meld.places[0].at, meld.places[-1].at
    if meld.kind == "set" and len(meld.places) < 4:
        present = {place.at.suit for place in meld.places}
        yield from ((Card(first.rank, suit), False) for suit in Suit if suit not in present)
    elif meld.kind == "run" and first.rank and last.rank:
        order = Order.of(rules)
        if len(meld.places) < len(order.ranks):
            if below := order.before(first.rank):
                yield Card(below, first.suit), True
            if above := order.after(last.rank):
                yield Card(above, last.suit), False
