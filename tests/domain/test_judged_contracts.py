"""The referee on hands under a contract, against exhaustive searches (RULES-MORE 5.7)."""

from collections.abc import Iterator, Sequence
from itertools import combinations, permutations
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from examples import cards
from scorekeeper.domain.cards.card import JOKER, PACK, Card
from scorekeeper.domain.errors import RuleError
from scorekeeper.domain.melds import Meld, hand_value, lay_off, read_meld, readings
from scorekeeper.domain.referee.verdicts import HandVerdict, judge_hand, judge_meld
from scorekeeper.domain.rules import RuleSet
from scorekeeper.domain.rules.plan import Needed, PlanRow
from scorekeeper.domain.rules.presets import PRESETS, preset

CONTRACT = preset("contract-rummy").for_round(6)
KINDS = {"S": "set", "R": "run"}
NEEDS = ("S3", "R4", "S3 S3", "S3 R4", "R4 R4", "S4 R4", "S3 S3 S3", "R7")


def row_of(text: str) -> PlanRow:
    return PlanRow(need=tuple(Needed(one[0], int(one[1:])) for one in text.split()))


def judged(text: str, need: str, rules: RuleSet = CONTRACT, **more: Any) -> HandVerdict:
    return judge_hand(cards(text), rules, row=row_of(need), **more)


# ---- against every way to lay the contract ---------------------------------------------


def ways_to_lay(
    hand: tuple[Card, ...], need: Sequence[Needed], rules: RuleSet
) -> Iterator[tuple[tuple[Meld, ...], tuple[Card, ...]]]:
    """Yield every way to take the melds of a contract out of a hand, with the cards left."""
    if not need:
        yield (), hand
        return
    first, *others = need
    for size in range(first.least, len(hand) + 1):
        for some in set(combinations(hand, size)):
            alike = [one for one in readings(some, rules) if one.kind == KINDS[first.kind]]
            if not alike:
                continue
            left = list(hand)
            for card in some:
                left.remove(card)
            for melds, rest in ways_to_lay(tuple(left), others, rules):
                for meld in alike:
                    yield (meld, *melds), rest


def least_laid_off(rest: tuple[Card, ...], table: tuple[Meld, ...], rules: RuleSet) -> int:
    """Return the fewest points left after every way to lay cards off."""
    least = hand_value(rest, rules)
    for at, card in enumerate(rest):
        for on, meld in enumerate(table):
            try:
                grown = lay_off(meld, card, rules)
            except RuleError:
                continue
            others = (*rest[:at], *rest[at + 1 :])
            after = (*table[:on], grown, *table[on + 1 :])
            least = min(least, least_laid_off(others, after, rules))
    return least


def least_after(
    hand: tuple[Card, ...], row: PlanRow, rules: RuleSet, table: Sequence[Meld] = ()
) -> int | None:
    """Return the fewest points left once the contract lies; None if the hand does not have it."""
    runs = rules.meld.lives
    rests = {
        tuple(sorted(rest, key=str))
        for melds, rest in ways_to_lay(hand, row.need, rules)
        if sum(one.kind == "run" for one in melds) >= runs[1]
        and sum(one.kind == "run" and not one.wild for one in melds) >= runs[0]
    }
    return min((least_laid_off(rest, tuple(table), rules) for rest in rests), default=None)


def dealt(
    dice: Random, size: int, rules: RuleSet = CONTRACT, gone: Sequence[Card] = ()
) -> tuple[Card, ...]:
    """Return a hand from a few ranks, so that it often has melds, with few jokers."""
    low, wide = dice.randint(1, 9), dice.choice((2, 4, 5))
    few = [card for card in PACK if card.rank and low <= card.rank < low + wide]
    stock = [*few * rules.deck.packs, *[JOKER] * min(rules.deck.jokers, dice.choice((0, 0, 1, 2)))]
    for card in filter(stock.__contains__, gone):
        stock.remove(card)
    return tuple(dice.sample(stock, size))


@settings(max_examples=100)
@given(st.randoms(use_true_random=False), st.sampled_from(NEEDS))
def test_the_contract_is_laid_with_the_fewest_points_left(dice: Random, need: str) -> None:
    hand, row = dealt(dice, dice.randint(6, 8)), row_of(need)

    verdict = judge_hand(hand, CONTRACT, row=row)

    least = least_after(hand, row, CONTRACT)
    assert verdict.has_contract == (least is not None)
    assert verdict.best.points == (hand_value(hand, CONTRACT) if least is None else least)


@settings(max_examples=25)
@given(st.randoms(use_true_random=False), st.sampled_from(("S3", "R4", "S3 S3")))
def test_cards_are_laid_off_with_the_contract_at_their_best(dice: Random, need: str) -> None:
    table = [cards("5H 5D 5S"), cards("6C 7C 8C 9C")]
    hand, row = dealt(dice, 7, gone=[*table[0], *table[1]]), row_of(need)

    verdict = judge_hand(hand, CONTRACT, table, row=row)

    melds = [read_meld(meld, CONTRACT) for meld in table]
    least = least_after(hand, row, CONTRACT, melds)
    assert verdict.best.points == (hand_value(hand, CONTRACT) if least is None else least)


@settings(max_examples=25)
@given(st.randoms(use_true_random=False), st.sampled_from(("S3", "S3 S3", "S3 R4")))
def test_the_ways_out_are_those_that_lay_the_contract(dice: Random, need: str) -> None:
    hand, row = dealt(dice, dice.randint(7, 8)), row_of(need)

    found = {way.discard for way in judge_hand(hand, CONTRACT, row=row).ways_out}

    discards = {None, *hand} if not CONTRACT.out.discard_required else set(hand)
    for discard in discards:
        held = list(hand)
        if discard:
            held.remove(discard)
        least = least_after(tuple(held), row, CONTRACT)
        goes = least is not None and least <= CONTRACT.out.max_rest
        assert (discard in found) == goes, (hand, discard)


@settings(max_examples=25)
@given(st.randoms(use_true_random=False))
def test_a_contract_and_a_wild_rank_go_together(dice: Random) -> None:
    rules = preset("continental").override({"wild.rank": "cut"})
    of_round = rules.for_round(3, row_of("S3 R4"), PACK[dice.randrange(52)])
    hand = dealt(dice, 8, of_round)

    verdict = judge_hand(hand, of_round, row=row_of("S3 R4"))

    least = least_after(hand, row_of("S3 R4"), of_round)
    assert verdict.best.points == (hand_value(hand, of_round) if least is None else least)


@settings(max_examples=25)
@given(st.randoms(use_true_random=False))
def test_a_contract_may_need_a_pure_run_as_well(dice: Random) -> None:
    options = {"round.plan": "S3 R4", "meld.lives": [1, 1]}
    rules = preset("contract-rummy").override(options).for_round(6)
    hand = dealt(dice, 8, rules)

    verdict = judge_hand(hand, rules, row=row_of("S3 R4"))

    least = least_after(hand, row_of("S3 R4"), rules)
    assert verdict.best.points == (hand_value(hand, rules) if least is None else least)


# ---- what is said --------------------------------------------------------------------


def test_what_is_more_than_the_contract_stays_in_the_hand() -> None:
    verdict = judged("5H 5D 5S KC KD KS 2C 2D 2H 7S", "S3 S3")

    assert verdict.has_contract
    assert (len(verdict.best.melds), verdict.best.points) == (2, 13)
    assert not verdict.ways_out


def test_melds_longer_than_asked_for_are_laid() -> None:
    verdict = judged("5H 5D 5S 5C 4C 5C 6C 7C 8C", "S3 R4")

    assert verdict.best.points == 0
    assert next(way.discard for way in verdict.ways_out) is None


def test_without_its_contract_nothing_is_laid_nor_laid_off() -> None:
    verdict = judged("5H 5D 5S 4C 9S", "S3 R4", table=(cards("4H 4D 4S"),))

    assert not verdict.has_contract
    assert (verdict.best.melds, verdict.best.layoffs) == ((), ())
    assert verdict.contract == row_of("S3 R4").need


def test_after_the_contract_nobody_goes_out_with_a_new_meld() -> None:
    verdict = judged("9C 9D 9H 4C", "S3", table=(cards("4H 4D 4S"),), has_laid=True)

    assert verdict.best.points == 27
    assert not verdict.ways_out
    assert verdict.contract == ()


def test_in_a_round_without_a_contract_melds_are_free() -> None:
    rules = preset("contract-rummy").override({"round.plan": "10 S3 S3; 10"}).for_round(4)

    free = judge_hand(cards("9C 9D 9H 4C"), rules, row=rules.round.plan[1], has_laid=True)

    assert free.best.points == 4


def test_without_a_row_no_contract_is_asked_for() -> None:
    verdict = judge_hand(cards("5H 5D 5S 4C"), CONTRACT)

    assert (verdict.best.points, verdict.contract) == (4, ())


@pytest.mark.parametrize(
    ("text", "need", "codes"),
    [
        ("5H 5D 5S", "S3 R4", []),
        ("5H 5D 5S", "R4 R4", ["E_CONTRACT"]),
        ("5H 5D 5S", "S4 R4", ["E_CONTRACT"]),
        ("4H 5H 6H 7H", "R4 R4", []),
    ],
)
def test_a_first_meld_is_one_of_the_contract(text: str, need: str, codes: list[str]) -> None:
    first = judge_meld(cards(text), CONTRACT, first=True, row=row_of(need))
    later = judge_meld(cards(text), CONTRACT, row=row_of(need))

    assert [one.code for one in first.problems] == codes
    assert later.is_valid


@pytest.mark.parametrize("name", [name for name, each in PRESETS.items() if each.has_contracts])
def test_every_contract_of_a_dealt_hand_is_judged_within_the_budget(name: str) -> None:
    dice, rules = Random(9), PRESETS[name]
    for row in rules.round.plan:
        of_round = rules.for_round(rules.players.max, row)
        deck = [*PACK * of_round.deck.packs, *[JOKER] * of_round.deck.jokers]
        for _ in range(3):
            hand = dice.sample(deck, (row.deal or of_round.deal.to(rules.players.max)) + 1)
            judge_hand(tuple(hand), of_round, row=row)


def test_fit_by_any_assignment() -> None:
    melds = [read_meld(cards(text), CONTRACT) for text in ("5H 5D 5S 5C", "KC KD KS")]

    for order in permutations(("S4", "S3")):
        hand = tuple(card for meld in melds for card in meld.cards)
        assert judge_hand(hand, CONTRACT, row=row_of(" ".join(order))).best.points == 0


def test_a_contract_of_one_run_leaves_sets_in_the_hand() -> None:
    verdict = judged("6S 7S 8S 9S 8C 8D 8S", "R4")

    assert (len(verdict.best.melds), verdict.best.points) == (1, 24)
