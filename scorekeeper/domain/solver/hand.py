"""The cards of a hand as the solver sees them: natural cards as bits, and wild cards."""

from collections.abc import Sequence
from dataclasses import dataclass

from scorekeeper.domain.cards.card import Card
from scorekeeper.domain.solver.pieces import BIT, CARDS, COPIES
from scorekeeper.domain.solver.prepared import Prepared


@dataclass(frozen=True)
class Hand:
    """The cards of a hand, prepared for the search.

    A wild two is both a natural and a wild card: using it as a natural card also uses up a
    wild card.
    """

    naturals: int
    """Natural cards as bits, further copies in higher bits."""
    wilds: tuple[Card, ...]
    """Jokers and wild twos."""
    idle: tuple[Card, ...]
    """Cards that cannot be melded: ranks without suits, jokers if the deck has none."""


def hand_of(cards: Sequence[Card], prepared: Prepared) -> Hand:
    """Return the cards by their roles in the search."""
    naturals = 0
    wilds: list[Card] = []
    idle: list[Card] = []
    for card in cards:
        if card.stands_for:
            card = card.physical
        bit = prepared.naturals.get(card)
        if not bit and card.rank and card.suit:
            bit = _two_apart(card, naturals) if prepared.twos_apart else BIT[card]
            if not prepared.twos_apart:
                wilds.append(card)
        if bit:
            while naturals & bit:  # a further copy
                bit <<= COPIES
            naturals |= bit
        elif card.is_joker and prepared.rules.deck.jokers:
            wilds.append(card)
        else:
            idle.append(card)
    wilds.sort(key=lambda card: (card.rank or 0, card.suit or ""))
    return Hand(naturals, tuple(wilds), tuple(idle))


def _two_apart(two: Card, held: int) -> int:
    """Return the first free bit of a two, for rules that tell its copies apart."""
    bits = [1 << number for number in range(COPIES) if CARDS[number] == two]
    return next((bit for bit in bits if not held & bit), bits[0])


def without(held: int, cards: int) -> int:
    """Return the bits without one copy of these cards; further copies move down."""
    for copy in range(held.bit_length() // COPIES):
        cards |= cards << COPIES * (copy + 1)
    taken = held & cards
    return held ^ taken ^ taken >> COPIES
