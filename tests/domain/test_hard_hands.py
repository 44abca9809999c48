"""Hands made to be hard are answered within the budget, or it is said that they are not."""

import gc
import time
import weakref

import pytest

from bars import BARS, SOAK, tried, tries, trying
from hard_hands import HardHand, hard_hand
from scorekeeper.domain import budget
from scorekeeper.domain.budget import TooMuch, limited
from scorekeeper.domain.cards import card_named
from scorekeeper.domain.presets import preset
from scorekeeper.domain.solver import search_of
from scorekeeper.domain.verdicts import HandVerdict, judge_hand

SLOWEST_S = 0.3
"""What an answer may take where nothing else runs: asserted by the soak alone."""
OF_WHICH_REFUSED = 1000
"""One in so many may take more than the budget."""


def judged(hand: HardHand) -> HandVerdict:
    return judge_hand(hand.cards, hand.rules, hand.table, has_laid=hand.has_laid)


@pytest.mark.bar("W10")
def test_hard_hands_are_answered_within_the_budget_and_few_are_refused() -> None:
    refused = 0
    for dice in trying("W10"):
        hand = hard_hand(dice)
        begun = time.thread_time()
        with limited() as used:
            try:
                judged(hand)
            except TooMuch:
                refused += 1
        took = time.thread_time() - begun

        assert used.spent < 2 * budget.MOST_STEPS, hand
        assert not SOAK or took < SLOWEST_S, hand
    assert refused <= max(2, tries("W10") // OF_WHICH_REFUSED)


HARDEST = "2C 2C 2D 2D 2H 2H 2S 2S 3C 4C 5C 6C 7C 8C 9C 10C JC QC KC AC JK JK JK JK"


@pytest.mark.bar("W10", control="no budget")
def test_without_the_budget_a_single_hand_takes_half_as_much_again() -> None:
    options = {"wild.twos": True, "joker.min_naturals": 1, "meld.first_min": 50}
    cards = tuple(map(card_named, HARDEST.split()))

    with limited(budget.MOST_STEPS * 3 // 2), pytest.raises(TooMuch):
        judge_hand(cards, preset("romme-palast").override(options))
    tried(failed=1)


DOUBLE = "2C 2C 2D 2D 2H 3C 3C 3D 4C 4C 5D 6D 7C 7D 8C 9C 10C 10C JC QC QD KC KC KD"


@pytest.mark.parametrize(
    ("preset_name", "options", "ways_out"),
    [
        ("wiener", {"wild.twos": True}, 18),
        ("german-family", {"wild.twos": True, "joker.min_naturals": 2}, 7),
    ],
)
def test_a_full_hand_of_two_packs_with_wild_twos_is_answered(
    preset_name: str, options: dict[str, object], ways_out: int
) -> None:
    rules = preset(preset_name).override(options)
    hand = HardHand(rules, tuple(map(card_named, DOUBLE.split())), (), False)

    found = judged(hand)

    assert found.best.points == 0
    assert len(found.ways_out) == ways_out


def test_nothing_that_a_search_found_out_stays_in_memory() -> None:
    cards = tuple(map(card_named, HARDEST.split()[:14]))
    gc.collect()
    gc.disable()
    try:
        with limited():
            search = weakref.ref(search_of(cards, preset("romme-palast")))
            assert next(search().best(cards))  # type: ignore[union-attr]
        assert search() is None
    finally:
        gc.enable()


def test_the_same_question_takes_the_same_steps_whatever_was_asked_before() -> None:
    hand = hard_hand(next(trying("W10", 1)))

    def steps() -> int:
        with limited() as used:
            judged(hand)
        return used.spent

    assert steps() == steps() > 0
    assert BARS["W10"].alone
