"""The best arrangement of a hand that needs certain runs, compared with trying everything."""

import random
from functools import cache
from itertools import combinations

import pytest

from examples import cards
from scorekeeper.domain.cards.card import JOKER, PACK, Card, card_named
from scorekeeper.domain.melds import card_value, readings
from scorekeeper.domain.rules import RuleSet
from scorekeeper.domain.rules.presets import PRESETS
from scorekeeper.domain.solver import arrange, arrange_with_lives, has_lives

INDIAN = PRESETS["indian-points"].for_round(3, cut=card_named("7"))


def least(hand: tuple[Card, ...], rules: RuleSet) -> int | None:
    """Return the fewest points left with the lives, by trying every division of the hand."""
    pure, needed = rules.meld.lives

    @cache
    def divided(left: tuple[Card, ...], pures: int, runs: int) -> int | None:
        if not left:
            return 0 if pures <= 0 and runs <= 0 else None
        first, others = left[0], left[1:]
        alone = divided(others, pures, runs)
        found = [] if alone is None else [alone + card_value(first, rules)]
        for size in range(2, len(others) + 1):
            for some in combinations(range(len(others)), size):
                meld = [first, *(others[at] for at in some)]
                rest = tuple(card for at, card in enumerate(others) if at not in some)
                for kind, is_pure in {(one.kind, not one.wild) for one in readings(meld, rules)}:
                    run = kind == "run"
                    more = divided(rest, max(pures - (run and is_pure), 0), max(runs - run, 0))
                    if more is not None:
                        found.append(more)
        return min(found, default=None)

    return divided(hand, pure, needed)


def hands(count: int) -> list[tuple[Card, ...]]:
    """Return hands of eight cards, of which many have runs and wild cards."""
    dice = random.Random(40)
    found = []
    for _ in range(count):
        hand: list[Card] = []
        for _ in range(2):
            first = dice.randrange(11)
            suit = 13 * dice.randrange(4)
            hand += [PACK[suit + (first + step) % 13] for step in range(3)]
        hand[dice.randrange(6)] = dice.choice([JOKER, PACK[6], PACK[32], hand[0]])
        found.append((*hand, *dice.sample(PACK, 2)))
    return found


@pytest.mark.parametrize("hand", hands(40))
def test_no_division_with_the_lives_leaves_less(hand: tuple[Card, ...]) -> None:
    for lives in ((1, 2), (1, 1), (0, 1)):
        rules = PRESETS["indian-points"].override({"meld.lives": lives})
        rules = rules.for_round(3, cut=card_named("7"))

        best = arrange_with_lives(hand, rules)

        assert (best and best.points) == least(hand, rules)
        assert best is None or has_lives(best.melds, rules)
        assert best is None or sum(card_value(card, rules) for card in best.rest) == best.points
        laid = [card.physical for meld in best.melds for card in meld.cards] if best else []
        assert best is None or sorted(map(str, (*laid, *best.rest))) == sorted(map(str, hand))


def test_a_run_of_six_is_two_lives() -> None:
    hand = cards("3H 4H 5H 6H 8H 9H 10H JH QH KH")
    best = arrange_with_lives(hand, INDIAN)

    assert best and best.points == 0
    assert has_lives(best.melds, INDIAN)


def test_without_lives_the_best_arrangement_counts_more() -> None:
    hand = cards("KH KD KS 4C 4D 4H 9S 9D 9C")

    assert arrange(hand, INDIAN).points == 0
    assert arrange_with_lives(hand, INDIAN) is None
