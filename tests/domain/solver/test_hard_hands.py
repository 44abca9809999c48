"""Hands made to be hard are answered within the budget, or refused with E_TOO_MUCH."""

import gc
import time
from inspect import unwrap

import pytest

from bars import SOAK, tried, tries, trying
from bars_table import BARS
from dealt_rounds import dealt_round, gathered_round
from hard_hands import HardHand, hard_hand
from scorekeeper.domain import budget
from scorekeeper.domain.budget import TooMuch, limited
from scorekeeper.domain.cards.card import card_named
from scorekeeper.domain.errors import Problem
from scorekeeper.domain.referee.verdicts import HandVerdict, judge_hand
from scorekeeper.domain.rules.presets import preset
from scorekeeper.domain.solver.cutting import Cutting
from scorekeeper.domain.solver.search import search_of
from scorekeeper.workers.pool import tune_collector

SLOWEST_S = 0.3
"""The time limit of an answer on a quiet machine: checked only by the soak."""
ATTEMPTS = 3
"""A slower hand is tried again, because a shared machine may take time away."""
OF_WHICH_REFUSED = 1000
"""At most one hand in this many may exceed the budget."""


def judged(hand: HardHand) -> HandVerdict:
    return judge_hand(hand.cards, hand.rules, hand.table, has_laid=hand.has_laid)


@pytest.mark.bar("W10")
def test_hard_hands_are_answered_within_the_budget_and_few_are_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # Time what users wait for: without the checks of invariants.py, and as a worker does.
    monkeypatch.setattr(Problem, "__init__", unwrap(Problem.__init__))
    usual = gc.get_threshold()
    tune_collector()
    refused = 0
    for dice in trying("W10"):
        hand = hard_hand(dice)
        for _ in range(ATTEMPTS):
            begun = time.thread_time()
            with limited() as used:
                try:
                    judged(hand)
                    is_refused = False
                except TooMuch:
                    is_refused = True
            took = time.thread_time() - begun
            if not SOAK or took < SLOWEST_S:
                break
        refused += is_refused

        assert used.spent < 2 * budget.MAX_STEPS, hand
        assert not SOAK or took < SLOWEST_S, hand
    gc.unfreeze()
    gc.set_threshold(*usual)
    assert refused <= max(2, tries("W10") // OF_WHICH_REFUSED)


@pytest.mark.bar("W11")
def test_no_dealt_round_exceeds_the_budget() -> None:
    for dice in trying("W11"):
        dealt = dealt_round(dice)

        assert dealt.most_steps() <= budget.MAX_STEPS, dealt


@pytest.mark.bar("W11")
def test_no_round_of_gin_with_eight_jokers_exceeds_the_budget() -> None:
    for dice in trying("W11", tries("W11") // 2):
        gathered = gathered_round(dice)

        assert gathered.most_steps() <= budget.MAX_STEPS, gathered


HARDEST = "2C 2C 2D 2D 2H 2H 2S 2S 3C 4C 5C 6C 7C 8C 9C 10C JC QC KC AC JK JK JK JK"


@pytest.mark.bar("W10", control="no budget")
def test_the_hardest_hand_exceeds_one_and_a_half_budgets() -> None:
    options = {"wild.twos": True, "joker.min_naturals": 1, "meld.first_min": 50}
    cards = tuple(map(card_named, HARDEST.split()))

    with limited(budget.MAX_STEPS * 3 // 2), pytest.raises(TooMuch):
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


def test_results_of_a_search_do_not_stay_in_memory() -> None:
    cards = tuple(map(card_named, HARDEST.split()[:14]))

    def in_memory() -> int:
        return sum(type(one) is Cutting for one in gc.get_objects())

    gc.collect()
    gc.disable()
    try:
        before = in_memory()
        with limited():
            assert next(search_of(cards, preset("romme-palast")).best(cards))
            assert in_memory() == before + 1
        assert in_memory() == before
    finally:
        gc.enable()


def test_the_same_question_always_takes_the_same_steps() -> None:
    hand = hard_hand(next(trying("W10", 1)))

    def steps() -> int:
        with limited() as used:
            judged(hand)
        return used.spent

    assert steps() == steps() > 0
    assert BARS["W10"].alone
