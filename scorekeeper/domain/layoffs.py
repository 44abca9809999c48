"""Laying off: what the melds of the table can take from a hand (RULES 5.2, 7.4.3)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from scorekeeper.domain.cards import Card, Rank, Suit
from scorekeeper.domain.cutting import Hand, Kit, without
from scorekeeper.domain.errors import RuleError
from scorekeeper.domain.melds import Meld, Place, lay_off, swap_joker
from scorekeeper.domain.options import RuleSet
from scorekeeper.domain.pieces import BIT, CARDS, FIRST, TWOS, numbers


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


@dataclass(frozen=True)
class Move:
    """A card laid on a meld of the table; ``wild`` where any wild card will do."""

    card: Card
    wild: bool
    meld: int


_Growth = tuple[Meld, int, tuple[Move, ...]]
"""A meld of the table as it has grown, the natural cards spent on it, the moves."""


@dataclass(frozen=True)
class State:
    """What is left in hand after some moves: natural cards, a number of wild ones."""

    naturals: int
    wilds: int
    moves: tuple[Move, ...] = ()


def states(hand: Hand, table: Sequence[Meld], rules: RuleSet, kit: Kit) -> list[State]:
    """Everything that laying off can leave, the fewest moves first."""
    if rules.layoff.scope == "none":
        table = ()
    whole = State(hand.naturals, len(hand.wilds))
    if not table:
        return [whole]
    states = {(whole.naturals, whole.wilds): whole}
    for index, meld in enumerate(table):
        ways = list(_ways(meld, index, hand, rules, kit))
        for before in list(states.values()):
            for cards, moves in ways:
                wilds = before.wilds - sum(move.wild for move in moves)
                if wilds >= 0 and not cards & ~before.naturals:
                    left = without(before.naturals, cards)
                    states.setdefault((left, wilds), State(left, wilds, before.moves + moves))
    return sorted(states.values(), key=lambda state: len(state.moves))


def _ways(
    meld: Meld, index: int, hand: Hand, rules: RuleSet, kit: Kit
) -> Iterator[tuple[int, tuple[Move, ...]]]:
    """What one meld of the table can take: real cards on its jokers, then more at its ends."""
    growths: list[_Growth] = [(meld, 0, ())]
    for growth in growths:
        growths += _covered(growth, index, hand, rules)
    seen = set()
    for growth in growths:
        grown, cards, moves = growth
        shape = (cards, len(moves), grown.places[0].at, grown.places[-1].at)
        if shape not in seen:
            seen.add(shape)
            growths += _laid_off(growth, index, hand, rules, kit)
            if moves:
                yield cards, moves


def _covered(growth: _Growth, index: int, hand: Hand, rules: RuleSet) -> Iterator[_Growth]:
    """One more joker with the real card on it; lower cards were tried before."""
    meld, cards, moves = growth
    if not _may_cover(rules):
        return
    ranks = {place.at.rank for place in meld.places if place.is_wild}
    for number in numbers(hand.naturals & FIRST):
        card = CARDS[number]
        if card.rank in ranks and 1 << number > cards:
            try:
                grown, _ = swap_joker(meld, card, rules)
            except RuleError:
                continue
            yield grown, cards | 1 << number, (*moves, Move(card, False, index))


def _laid_off(
    growth: _Growth, index: int, hand: Hand, rules: RuleSet, kit: Kit
) -> Iterator[_Growth]:
    """One more card at an end of the meld: the card itself, or a wild one for it."""
    meld, cards, moves = growth
    for cell, below in _ends(meld, rules):
        for card, bit, wild in _fillers(cell, cards, hand, kit):
            if wild and sum(move.wild for move in moves) == len(hand.wilds):
                continue
            try:
                grown = _grown(meld, card, cell, rules, below=below)
            except RuleError:
                continue
            move = Move(cell if wild else card, wild, index)
            yield grown, cards | bit, (*moves, move)


def _fillers(cell: Card, cards: int, hand: Hand, kit: Kit) -> Iterator[tuple[Card, int, bool]]:
    """The cards in hand that may take this place, their bit, and whether any wild one may."""
    there = hand.naturals & FIRST & ~cards
    if there & BIT[cell]:
        yield cell, BIT[cell], False
    for wild in hand.wilds[:1] if kit.is_sure else dict.fromkeys(hand.wilds):
        yield wild._replace(stands_for=cell), 0, True
    if kit.twos_apart:
        for number in numbers(there & TWOS):
            yield CARDS[number]._replace(stands_for=cell), 1 << number, False


def _grown(meld: Meld, card: Card, cell: Card, rules: RuleSet, *, below: bool) -> Meld:
    """As ``lay_off``, sooner where a run cannot become wrong by a wild card."""
    may_be_wrong = rules.joker.max_adjacent or rules.joker.placement != "declared"
    if meld.kind != "run" or may_be_wrong:
        return lay_off(meld, card, rules)
    place = (Place(card.physical, cell),)
    return Meld("run", place + meld.places if below else meld.places + place)


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
