"""Hard hands: many wild cards, neighbouring ranks, and tables with many lay-offs."""

from collections import Counter
from dataclasses import dataclass
from random import Random

from scorekeeper.domain.cards.card import JOKER, PACK, Card, Rank, Suit
from scorekeeper.domain.errors import RuleError
from scorekeeper.domain.melds import read_meld
from scorekeeper.domain.melds.order import ranks_of
from scorekeeper.domain.rounds.facts import Cards
from scorekeeper.domain.rules import RuleSet
from scorekeeper.domain.rules.presets import PRESETS, preset

SIZES = (10, 13, 14, 16, 20, 24)
TABLES = (0, 1, 2, 4, 8, 16, 37)


@dataclass(frozen=True)
class HardHand:
    """A question for the best arrangement, with cards that the deck has."""

    rules: RuleSet
    cards: Cards
    table: tuple[Cards, ...]
    has_laid: bool


def hard_hand(dice: Random) -> HardHand:
    """Draw a question under any preset with house rules that make it harder."""
    rules = _rules(dice)
    ranks = ranks_of(rules.deck.ranks)
    left = Counter({card: rules.deck.packs for card in PACK if card.rank in ranks})
    cards = _hand(dice, rules, left)
    table = _table(dice, rules, left, rules.deck.jokers - cards.count(JOKER))
    return HardHand(rules, cards, table, dice.random() < 0.7)


def _rules(dice: Random) -> RuleSet:
    rules = preset(dice.choice(sorted(PRESETS)))
    more: dict[str, object] = {"wild.twos": dice.random() < 0.5}
    if rules.family == "gin":
        more["gin.joker_rule"] = dice.random() < 0.5
    else:
        more |= {"deck.jokers": dice.randint(0, 8), "deck.packs": dice.choice((1, 2))}
    if rules.family == "lay":
        more |= {
            "out.discard_required": dice.random() < 0.5,
            "out.max_rest": dice.choice((0, 0, 5, 9)),
            "meld.first_min": dice.choice((0, 30, 51, 80)),
        }
    for name, values in HOUSE_RULES.items():
        if dice.random() < 0.4:
            more[name] = dice.choice(values)
    try:
        return rules.override(more)
    except RuleError:  # options that do not go together
        return rules


HOUSE_RULES: dict[str, tuple[object, ...]] = {
    "joker.placement": ("declared", "unique_if_two"),
    "joker.min_naturals": (1, 2),
    "joker.max_adjacent": (0, 1, 2),
    "meld.rainbow": (True,),
}


def _hand(dice: Random, rules: RuleSet, left: Counter[Card]) -> Cards:
    """Draw up to all wild cards, then others from a few ranks or suits."""
    size = dice.choice(SIZES)
    hand = [JOKER] * dice.randint(0, rules.deck.jokers)
    pool = [card for card in left.elements() if dice.random() < 0.5 or card.rank is not Rank.TWO]
    if rules.wild.twos and dice.random() < 0.6:
        twos = [card for card in left.elements() if card.rank is Rank.TWO]
        hand += twos[: dice.randint(0, 8)]
    shape = dice.randrange(3)
    if shape == 1:
        ranks = {(dice.randint(0, 12) + step) % 13 + 1 for step in range(dice.randint(4, 8))}
        pool = [card for card in pool if card.rank in ranks]
    elif shape == 2:
        suits = dice.sample(list(Suit), 2)
        pool = [card for card in pool if card.suit in suits]
    hand = hand[:size]
    left.subtract(card for card in hand if card != JOKER)
    dice.shuffle(pool)
    for card in pool:
        if len(hand) < size and left[card]:
            hand.append(card)
            left[card] -= 1
    return tuple(hand)


def _table(
    dice: Random, rules: RuleSet, left: Counter[Card], jokers: int
) -> tuple[tuple[Card, ...], ...]:
    """Draw melds from the remaining cards."""
    most = dice.choice(TABLES)
    table: list[tuple[Card, ...]] = []
    for _ in range(4 * most):
        meld = _set(dice) if dice.random() < 0.5 else _run(dice)
        if len(table) == most or Counter(meld) - left:
            continue
        gone = meld
        if jokers and dice.random() < 0.3:
            place = dice.randrange(len(meld))
            gone = meld[:place] + meld[place + 1 :]
            meld[place] = JOKER._replace(stands_for=meld[place])
        try:
            read_meld(meld, rules)
        except RuleError:
            continue
        left.subtract(gone)
        jokers -= len(meld) - len(gone)
        table.append(tuple(meld))
    return tuple(table)


def _set(dice: Random) -> list[Card]:
    rank = dice.choice(list(Rank))
    return [Card(rank, suit) for suit in dice.sample(list(Suit), dice.choice((3, 3, 4)))]


def _run(dice: Random) -> list[Card]:
    suit, first = dice.choice(list(Suit)), dice.randint(1, 11)
    size = min(dice.choice((3, 3, 3, 4, 5, 7)), 14 - first)
    return [Card(Rank(first + step), suit) for step in range(size)]
