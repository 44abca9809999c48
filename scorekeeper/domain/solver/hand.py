"""The cards of a hand as the solver sees them: natural cards as bits, and wild cards."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from scorekeeper.domain.cards.card import JOKER, Card
from scorekeeper.domain.solver.pieces import BIT, CARDS, COPIES, FIRST
from scorekeeper.domain.solver.prepared import Prepared


class Hand(NamedTuple):
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
    price: int
    """The cost of all cards that are not wild, if they are left."""


def hand_of(cards: Sequence[Card], prepared: Prepared) -> Hand:
    """Return the cards by their roles in the search."""
    bit_of, price_of = prepared.naturals.get, prepared.price_of
    bits = [bit_of(card, 0) for card in cards]
    wilds: list[Card] = []
    idle: list[Card] = []
    others = bits.count(0)
    if others and prepared.rules.deck.jokers and others == cards.count(JOKER):
        wilds = [JOKER] * others
    elif others:
        some = [card for card, bit in zip(cards, bits, strict=True) if not bit]
        bits += _bits_of_others(some, prepared, wilds, idle)
    naturals = sum(bits)
    if naturals.bit_count() + others < len(bits):  # further copies
        naturals = 0
        for bit in bits:
            while naturals & bit:
                bit <<= COPIES
            naturals |= bit
    price = sum([price_of[bit] for bit in bits])
    if idle:
        price += sum(map(prepared.cost, idle))
    return Hand(naturals, tuple(wilds), tuple(idle), price)


def _bits_of_others(
    cards: Sequence[Card], prepared: Prepared, wilds: list[Card], idle: list[Card]
) -> Iterator[int]:
    """Yield the bits of cards with other roles, and add them to the wild and the idle cards."""
    twos = 0
    for card in cards:
        card = card.physical
        if card in prepared.naturals:
            yield prepared.naturals[card]
        elif card.rank and card.suit and prepared.twos_apart:
            two = _two_apart(card, twos)
            twos |= two
            yield two
        elif card.rank and card.suit:
            wilds.append(card)
            yield BIT[card]
        elif card.is_joker and prepared.rules.deck.jokers:
            wilds.append(card)
        else:
            idle.append(card)
    wilds.sort(key=lambda card: (card.rank or 0, card.suit or ""))


def _two_apart(two: Card, held: int) -> int:
    """Return the first free bit of a two, for rules that tell its copies apart."""
    bits = [1 << number for number in range(COPIES) if CARDS[number] == two]
    return next((bit for bit in bits if not held & bit), bits[0])


def without(held: int, cards: int) -> int:
    """Return the bits without these cards; further copies move down."""
    while cards:
        one, copies = cards & FIRST, held >> COPIES
        while copies:
            one |= one << COPIES
            copies >>= COPIES
        taken = held & one
        held ^= taken ^ taken >> COPIES
        cards >>= COPIES
    return held
