"""The points of cards left in hand (RULES 3.2)."""

from collections.abc import Iterable

from scorekeeper.domain.cards.card import Card, Rank
from scorekeeper.domain.rules import RuleSet


def card_value(card: Card, rules: RuleSet) -> int:
    """Return the points of a card left in hand (RULES 3.2)."""
    if card.rank is None:
        return rules.joker.hand_value
    if card.rank is rules.wild_rank and rules.wild.twos_value == "joker":
        return rules.joker.hand_value
    values = rules.value
    if card.rank is Rank.ACE:
        is_red = values.ace_red is not None and card.suit and card.suit.is_red
        return values.ace_red or 0 if is_red else values.ace_hand
    if values.fives_to and card.rank <= Rank.TEN:
        return 5 if card.rank <= values.fives_to else 10
    return min(card.rank, 10)


def hand_value(cards: Iterable[Card], rules: RuleSet) -> int:
    """Return the points of a hand."""
    return sum(card_value(card, rules) for card in cards)
