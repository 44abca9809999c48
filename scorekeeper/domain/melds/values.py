"""The points of cards left in hand (RULES 3.2)."""

from collections.abc import Iterable

from scorekeeper.domain.cards.card import Card, Rank
from scorekeeper.domain.rules import RuleSet


def card_value(card: Card, rules: RuleSet) -> int:
    """Return the points of a card left in hand (RULES 3.2)."""
    if card.rank is None:
        return rules.joker.hand_value
    if card.rank is Rank.TWO and rules.wild.twos and rules.wild.twos_value == "joker":
        return rules.joker.hand_value
    if card.rank is Rank.ACE:
        return rules.value.ace_hand
    return min(card.rank, 10)


def hand_value(cards: Iterable[Card], rules: RuleSet) -> int:
    """Return the points of a hand."""
    return sum(card_value(card, rules) for card in cards)
