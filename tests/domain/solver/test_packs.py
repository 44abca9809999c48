"""Arranging under the packs and aces of the further systems, compared with trying everything."""

import random

import pytest

from examples import cards
from scorekeeper.domain.cards.card import PACK, Card
from scorekeeper.domain.errors import RuleError
from scorekeeper.domain.melds import card_value, lay_off, ranks_of, read_meld, readings
from scorekeeper.domain.rules import RuleSet
from scorekeeper.domain.rules.presets import PRESETS
from scorekeeper.domain.solver import arrange

CHINCHON = PRESETS["chinchon"]
TABLES = {
    "40 cards": CHINCHON,
    "48 cards": CHINCHON.override({"deck.ranks": 48}),
    "ace high only": PRESETS["kalooki"],
}


def hand_of(rules: RuleSet, seed: int) -> tuple[Card, ...]:
    """Return seven cards of three adjacent ranks and two suits, so that many of them fit."""
    dice = random.Random(seed)
    ranks = ranks_of(rules.deck.ranks)
    first = dice.randrange(len(ranks))
    near = {(ranks * 2)[first + step] for step in range(5)}
    some = [card for card in PACK if card.rank in near and card.suit in ("C", "D", "H")]
    return tuple(dice.sample(some, 7))


def naive(hand: tuple[Card, ...], rules: RuleSet) -> int:
    """Return the fewest points left, by trying every division of the hand."""
    if not hand:
        return 0
    first, others = hand[0], hand[1:]
    best = card_value(first, rules) + naive(others, rules)
    for chosen in range(1, 1 << len(others)):
        meld = [first, *(card for at, card in enumerate(others) if chosen >> at & 1)]
        if len(meld) >= 3 and readings(meld, rules):
            rest = tuple(card for at, card in enumerate(others) if not chosen >> at & 1)
            best = min(best, naive(rest, rules))
    return best


@pytest.mark.parametrize("name", TABLES)
def test_no_division_of_the_hand_leaves_less(name: str) -> None:
    rules = TABLES[name]
    for seed in range(40):
        hand = hand_of(rules, seed)

        assert arrange(hand, rules).points == naive(hand, rules), hand


@pytest.mark.parametrize("name", TABLES)
def test_a_card_is_laid_off_exactly_where_it_makes_a_meld(name: str) -> None:
    rules = TABLES[name]
    lays_off = rules.override({"layoff.scope": "all"})
    deck = [card for card in PACK if card.rank in ranks_of(rules.deck.ranks)]
    ranks = ranks_of(rules.deck.ranks)
    for start in range(1, len(ranks) - 2):
        run = [Card(rank, deck[0].suit) for rank in ranks[start : start + 3]]
        meld = read_meld(run, rules)
        for card in deck:
            try:
                lay_off(meld, card, rules)
                fits = True
            except RuleError:
                fits = False
            solved = not arrange([card], lays_off, [meld]).rest

            assert fits == bool(readings([*run, card], rules)) == solved, (run, card)


def test_every_copy_of_a_card_is_laid_off_on_a_set_of_any_suits() -> None:
    rules = PRESETS["contract-rummy"]
    table = [read_meld(cards("7H 7D 7C"), rules)]

    found = arrange(cards("7S 7S 7S KD 4C"), rules, table, melds=False)

    assert set(found.rest) == set(cards("KD 4C"))
    assert sorted(str(card) for card, _ in found.layoffs) == ["7S", "7S", "7S"]
