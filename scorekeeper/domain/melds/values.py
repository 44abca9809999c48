"""The points of cards left in hand (RULES 3.2)."""

from collections.abc import Iterable
from functools import lru_cache

from scorekeeper.domain.cards.card import JOKER, PACK, Card, Rank
from scorekeeper.domain.melds.order import ranks_of
from scorekeeper.domain.rules import RuleSet
from scorekeeper.domain.rules.definitions import Deck, Joker, Value, Wild


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


def deck_values(rules: RuleSet) -> tuple[int, ...]:
    """Return the points of all cards of the deck, highest first."""
    return _deck_values(rules.deck, rules.value, rules.wild, rules.joker)


@lru_cache(maxsize=64)  # every seat that states points is compared with the dearest hand
def _deck_values(deck: Deck, value: Value, wild: Wild, joker: Joker) -> tuple[int, ...]:
    rules = RuleSet(deck=deck, value=value, wild=wild, joker=joker)
    pack = [card for card in PACK if card.rank in ranks_of(deck.ranks)]
    cards = [*pack * deck.packs, *[JOKER] * deck.jokers]
    return tuple(sorted([card_value(card, rules) for card in cards], reverse=True))
