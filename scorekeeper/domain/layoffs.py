"""Laying off: what the melds of the table can take from a hand (RULES 5.2, 7.4.3)."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from scorekeeper.domain.budget import Budget
from scorekeeper.domain.cards import Card, Rank, Suit
from scorekeeper.domain.cutting import Hand, Kit, LayOff
from scorekeeper.domain.errors import RuleError
from scorekeeper.domain.melds import Meld, MeldKind, Place, lay_off, swap_joker
from scorekeeper.domain.options import RuleSet
from scorekeeper.domain.pieces import BIT, CARDS, FIRST, TWOS, Pieces, numbers


def lay_on(meld: Meld, card: Card, rules: RuleSet) -> Meld:
    """The meld with a card laid on a joker that stands for it, or else laid off.

    RuleError E_LAYOFF if it fits neither way (RULES 7.4.3).
    """
    if _may_cover(rules) and meld.wild and not card.is_joker:
        try:
            return swap_joker(meld, card, rules)[0]
        except RuleError:
            pass
    return lay_off(meld, card, rules)


def _may_cover(rules: RuleSet) -> bool:
    """Whether the real card may be laid on a joker in another's meld."""
    return rules.family == "gin" and rules.gin.joker_layon


class Move(NamedTuple):
    """A card laid on a meld; ``wild`` where any wild card will do."""

    card: Card
    wild: bool


Moves = tuple[Move, ...]


class _Growth(NamedTuple):
    """A meld of the table as it has grown."""

    meld: Meld
    cards: int
    """The natural cards spent on it, as bits."""
    wilds: int
    moves: Moves


class Table:
    """What the melds of a table can take from a hand, and from every part of it.

    Worked out once for a whole hand: with a card less it can lay off a part of that.
    """

    def __init__(
        self, melds: Sequence[Meld], hand: Hand, rules: RuleSet, kit: Kit, budget: Budget
    ) -> None:
        self.rules = rules
        self.kit = kit
        self.budget = budget
        self.naturals = hand.naturals & FIRST
        self.wilds = hand.wilds
        self.moves: dict[tuple[int, int, int], Moves] = {
            (index, 0, 0): () for index in range(len(melds))
        }
        """How each meld, by its index, takes these natural cards and so many wild ones."""
        self.layoffs: list[LayOff] = []
        if rules.layoff.scope != "none":
            for index, meld in enumerate(melds):
                self._offer(index, meld, needs=_alike_before(melds, index))

    def _offer(self, index: int, meld: Meld, *, needs: int) -> None:
        """Note everything that one meld of the table can take."""
        counts: dict[int, int] = {}
        for growth in self._growths(meld):
            if (index, growth.cards, growth.wilds) not in self.moves:
                self.moves[index, growth.cards, growth.wilds] = growth.moves
                counts[growth.cards] = counts.get(growth.cards, 0) | 1 << growth.wilds
        for cards, wilds in counts.items():
            price = sum(self.kit.prices[number] for number in numbers(cards))
            self.layoffs.append(LayOff(cards, wilds, price, index, needs))

    def _growths(self, meld: Meld) -> Iterator[_Growth]:
        """What one meld can become: real cards on its jokers, then more at its ends."""
        growths = [_Growth(meld, 0, 0, ())]
        for growth in growths:
            growths += self._covered(growth)
        seen = set()
        for growth in growths:
            places = growth.meld.places
            shape = (growth.cards, growth.wilds, places[0].at, places[-1].at)
            if shape not in seen:
                seen.add(shape)
                growths += self._laid_off(growth)
                if growth.moves:
                    yield growth

    def _covered(self, growth: _Growth) -> Iterator[_Growth]:
        """One more joker with the real card on it; lower cards were tried before."""
        meld, cards, wilds, moves = growth
        if not _may_cover(self.rules):
            return
        ranks = {place.at.rank for place in meld.places if place.is_wild}
        for number in numbers(self.naturals):
            card = CARDS[number]
            if card.rank in ranks and 1 << number > cards:
                try:
                    grown, _ = swap_joker(meld, card, self.rules)
                except RuleError:
                    continue
                yield _Growth(grown, cards | 1 << number, wilds, (*moves, Move(card, False)))

    def _laid_off(self, growth: _Growth) -> Iterator[_Growth]:
        """One more card at an end of the meld: the card itself, or a wild one for it."""
        meld, cards, wilds, moves = growth
        for cell, below in _ends(meld, self.rules):
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
        """The cards in hand that may take this place, their bit, and whether any wild one may."""
        there = self.naturals & ~cards
        if there & BIT[cell]:
            yield cell, BIT[cell], False
        alike = self.kit.is_sure or growing == "run"
        for wild in self.wilds[:1] if alike else dict.fromkeys(self.wilds):
            yield Card(wild.rank, wild.suit, cell), 0, True
        if self.kit.twos_apart:
            for number in numbers(there & TWOS):
                yield CARDS[number]._replace(stands_for=cell), 1 << number, False

    def _grown(self, meld: Meld, card: Card, cell: Card, *, below: bool) -> Meld | None:
        """The meld with one more card, None if that is no meld.

        As ``lay_off``, but sooner for a run, in which wild cards are as good as jokers.
        Where it matters which wild two it is, the solver looks again.
        """
        if meld.kind == "run" and isinstance(self.kit.pieces, Pieces):
            self.budget.spend(SIMPLE)
            place = (Place(card.physical, cell),)
            places = place + meld.places if below else meld.places + place
            naturals = sum(BIT[place.at] for place in places if not place.is_wild)
            is_run = self.kit.pieces.is_run(naturals, len(places), places[0].at)
            return Meld("run", places) if is_run else None
        self.budget.spend(GENERAL)
        try:
            return lay_off(meld, card, self.rules)
        except RuleError:
            return None


SIMPLE = 2
"""The steps that it takes to try one more card at an end of a run."""
GENERAL = 10
"""The steps that ``lay_off`` takes, beside what is looked up."""


def _alike_before(melds: Sequence[Meld], index: int) -> int:
    """The nearest earlier meld that is the same, as a bit: it takes cards first."""
    alike = [at for at in range(index) if melds[at] == melds[index]]
    return 1 << alike[-1] if alike else 0


def _ends(meld: Meld, rules: RuleSet) -> Iterator[tuple[Card, bool]]:
    """The cards that a meld could go on with, and whether below its first card."""
    first, last = meld.places[0].at, meld.places[-1].at
    if meld.kind == "set" and len(meld.places) < 4:
        present = {place.at.suit for place in meld.places}
        yield from ((Card(first.rank, suit), False) for suit in Suit if suit not in present)
    elif meld.kind == "run" and len(meld.places) < len(Rank):
        if first.rank is not Rank.ACE or rules.ace.corner:
            yield _step(first, -1), True
        if last.rank is Rank.KING:
            ends = not rules.ace.high
        else:
            ends = last.rank is Rank.ACE and not rules.ace.corner
        if not ends:
            yield _step(last, 1), False


def _step(card: Card, by: int) -> Card:
    """The next card of the suit in the circle of ranks."""
    assert card.rank
    return Card(Rank((card.rank - 1 + by) % len(Rank) + 1), card.suit)
