"""First melds and ways out: RULES 5.5, 6.6.5, 6.6.6."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from examples import cards
from scorekeeper.domain.budget import TooMuch, limited
from scorekeeper.domain.cards.card import JOKER, Card, Rank, Suit
from scorekeeper.domain.melds import Meld, hand_value, readings
from scorekeeper.domain.rules import RuleSet
from scorekeeper.domain.rules.presets import preset
from scorekeeper.domain.solver import cutting
from scorekeeper.domain.solver.cutting import STEPS_BEFORE_BOUNDS
from scorekeeper.domain.solver.laying import arrange_to_lay
from scorekeeper.domain.solver.openings import first_melds, ways_out

FAMILY = preset("german-family")
PALAST = preset("romme-palast")
LUXEMBOURG = preset("luxembourg")


def written(melds: tuple[Meld, ...]) -> list[str]:
    return [" ".join(map(str, meld.cards)) for meld in melds]


def test_with_scope_together_all_melds_of_the_turn_count() -> None:  # M16
    assert first_melds(cards("7H 7S 7C 5D 6D 7D"), FAMILY) is None
    found = first_melds(cards("7H 7S 7C 6D 7D 8D"), FAMILY)

    assert found
    assert sorted(written(found.cheapest)) == ["6D 7D 8D", "7C 7H 7S"]


def test_with_scope_single_one_meld_must_reach_the_minimum() -> None:  # M01, M17
    assert first_melds(cards("7H 7S 7C 5D 6D 7D"), PALAST) is None
    found = first_melds(cards("10H 10S 10C AH AS AD"), PALAST)

    assert found
    assert written(found.cheapest) == ["10C 10H 10S"]
    assert written(found.dearest) == ["AD AH AS"]


def test_a_joker_takes_the_place_with_the_most_or_fewest_points() -> None:  # RULES 5.4
    rules = PALAST.override({"meld.first_min": 20})

    found = first_melds(cards("8H 9H JK"), rules)

    assert found
    assert written(found.cheapest) == ["JK=7H 8H 9H"]
    assert written(found.dearest) == ["8H 9H JK=10H"]


def test_no_more_melds_than_a_turn_allows() -> None:
    found = first_melds(cards("7H 7S 7C KC KD KS"), LUXEMBOURG)

    assert found
    assert written(found.dearest) == ["KC KD KS"]


WILD = FAMILY.override({"wild.twos": True})
UNMISTAKABLE = PALAST.override({"wild.twos": True, "joker.min_naturals": 1})
SMALL = tuple(
    Card(rank, suit) for rank in (Rank.TWO, *tuple(Rank)[4:9]) for suit in tuple(Suit)[:3]
)
DECK = (*2 * SMALL, *[JOKER] * 8)
"""Two packs: with twos told apart, a hand may not have more copies of a two than the deck."""


def hands(most: int) -> st.SearchStrategy[list[Card]]:
    """Return cards of one deck."""
    return st.lists(st.integers(0, len(DECK) - 1), unique=True, max_size=most).map(
        lambda numbers: [DECK[number] for number in numbers]
    )


@given(
    hands(most=8),
    st.sampled_from((FAMILY, PALAST, WILD, UNMISTAKABLE)),
    st.sampled_from((0, 20, 30, 40)),
    st.sampled_from(("single", "together")),
)
@settings(max_examples=150)
def test_no_first_melds_have_fewer_or_more_points(
    hand: list[Card], rules: RuleSet, minimum: int, scope: str
) -> None:
    meld = replace(rules.meld, first_min=minimum, first_scope=scope)
    rules = replace(rules, meld=meld)
    sums = {
        sum(points) for points, _ in set_out(tuple(hand), rules) if points
        if scope == "together" or len(points) == 1
    }  # fmt: skip
    enough = [points for points in sums if points >= minimum]

    found = first_melds(hand, rules)

    if not enough:
        assert found is None
        return
    assert found
    assert sum(each.points for each in found.cheapest) == min(enough)
    assert sum(each.points for each in found.dearest) == max(enough)
    for melds in (found.cheapest, found.dearest):
        assert len(melds) == 1 or scope == "together"
        assert Counter(p.card for m in melds for p in m.places) <= Counter(hand)
        assert all(each in readings(each.cards, rules) for each in melds)


def test_a_hand_with_too_many_first_melds_exceeds_the_budget() -> None:
    rules = replace(UNMISTAKABLE, meld=replace(FAMILY.meld, first_min=50))

    with limited(1000), pytest.raises(TooMuch):
        first_melds(cards("2C 2C 2D 2D 2H 2H 2S 2S 3C 4C 5C 6C 7C 8C JK JK"), rules)


# --- going out --------------------------------------------------------------------------


def test_a_hand_romme_needs_no_minimum_if_it_is_waived() -> None:  # L06
    ways = ways_out(cards("AS 2S 3S 2H 2D 2C 3H 3D 3C 4H 4D 4C 4S KD"), FAMILY)

    assert [str(way.discard) for way in ways] == ["KD"]


def test_a_hand_romme_needs_a_minimum_that_is_not_waived() -> None:
    rules = FAMILY.override({"hand_romme.waives_first_min": False})
    hand = cards("AS 2S 3S 2H 2D 2C 3H 3D 3C 4H 4D 4C 4S KD")

    assert ways_out(hand, rules) == ()  # 6+6+9+16 = 37
    assert ways_out(hand, rules, has_laid=True)


def test_a_whole_hand_goes_out_only_with_the_contract() -> None:
    row, *_ = preset("continental").round.plan
    rules, contract = preset("continental").for_round(4, row), row.need  # two sets
    assert rules.hand_romme.enabled
    (way,) = ways_out(cards("3H 3D 3C 9S 9D 9C 9H KD"), rules, contract=contract)

    assert [meld.kind for meld in way.arrangement.melds] == ["set", "set"]
    assert ways_out(cards("3H 4H 5H 6H 8S 9S 10S JS KD"), rules, contract=contract) == ()


def test_every_possible_discard_is_listed() -> None:
    ways = ways_out(cards("5H 6H 7H 8H 9C 9D 9S"), FAMILY)

    assert {str(way.discard) for way in ways} == {"5H", "8H"}


def test_going_out_without_a_discard_needs_a_rule_that_allows_it() -> None:
    hand = cards("5C 6C 7C")

    assert ways_out(hand, FAMILY) == ()
    assert [way.discard for way in ways_out(hand, LUXEMBOURG)] == [None]


def test_a_rest_within_the_limit_is_allowed() -> None:  # L17
    rules = FAMILY.override({"out.max_rest": 5})

    (best, *_) = ways_out(cards("8H 8S 8C 2H 3C KD"), rules, has_laid=True)

    assert best.arrangement.points <= 5
    assert not ways_out(cards("8H 8S 8C 2H 4C KD"), rules, has_laid=True)


def test_the_last_cards_may_be_laid_off() -> None:
    table = readings(cards("6S 7S 8S"), FAMILY)

    ways = ways_out(cards("10H 10S 10C 9S 4D"), FAMILY, table, has_laid=True)

    assert [str(way.discard) for way in ways] == ["4D"]
    assert [str(card) for card, _ in ways[0].arrangement.layoffs] == ["9S"]


def test_no_more_melds_go_out_than_a_turn_allows() -> None:
    assert ways_out(cards("5C 6C 7C 9C 9D 9H"), LUXEMBOURG) == ()


def test_cards_are_laid_off_when_no_more_melds_are_allowed() -> None:
    table = [*readings(cards("9D 10D JD"), LUXEMBOURG), *readings(cards("9H 10H JH"), LUXEMBOURG)]
    table += readings(cards("9S 10S JS"), LUXEMBOURG)

    (best, *_) = ways_out(cards("KC KD KS QD QH QS"), LUXEMBOURG, table, has_laid=True)

    assert best.discard is None
    assert written(best.arrangement.melds) == ["KC KD KS"]
    assert [str(card) for card, _ in best.arrangement.layoffs] == ["QD", "QH", "QS"]


def test_the_cards_left_are_counted() -> None:
    rules = FAMILY.override({"out.max_rest": 9})

    ways = ways_out(cards("8H 8S 8C 8D 2H 3C KD"), rules, has_laid=True)

    assert ways
    for way in ways:
        assert hand_value(way.arrangement.rest, rules) == way.arrangement.points <= 9


WHOLE = "3H 4H 5H 3C 4C 5C 3S 4S 5S 6D 6C 6S 9S"
"""Thirteen cards: with KD a whole hand; 54 points of melds and a card for 6S 7S 8S."""


def test_a_hand_romme_may_lay_off_and_needs_a_whole_hand() -> None:  # L05
    table = readings(cards("6S 7S 8S"), FAMILY)
    rules = FAMILY.override({"meld.first_min": 100})

    ways = ways_out(cards(f"{WHOLE} KD"), rules, table)

    assert [str(way.discard) for way in ways] == ["KD"]
    assert (
        ways_out(cards(f"{WHOLE} KD"), rules.override({"hand_romme.allow_layoff": False}), table)
        == ()
    )
    assert (
        ways_out(cards(f"{WHOLE} KD"), rules.override({"hand_romme.enabled": False}), table) == ()
    )
    assert ways_out(cards("3H 4H 5H KD"), rules) == ()  # fewer cards than dealt: no hand rommé


@pytest.mark.parametrize(
    ("rules", "hand", "discards"),
    [
        (PALAST, "10H 10S 10C 9S 4D", ["4D"]),  # an ordinary rommé: there is a first meld
        (PALAST, "9H 9S 9C 9S 4D", []),  # 27 points are not enough
        (FAMILY, "10H 10S 10C 10D 9S 4D", []),  # not before the next turn
        (FAMILY.override({"layoff.first_turn": True}), "10H 10S 10C 10D 9S 4D", ["4D"]),
        (FAMILY.override({"meld.first_min": 0}), "9S 4D", ["4D"]),  # no first meld needed
    ],
)
def test_cards_are_laid_off_in_the_turn_of_the_first_meld_if_allowed(
    rules: RuleSet, hand: str, discards: list[str]
) -> None:
    table = readings(cards("6S 7S 8S"), rules)

    assert [str(way.discard) for way in ways_out(cards(hand), rules, table)] == discards


# --- arrangements before the first meld -------------------------------------------------


@pytest.mark.parametrize(
    ("rules", "hand", "rest"),
    [
        (PALAST, "KH KD KS 6H 5C", "5C"),  # R14: 30 points, then 6H goes on 7H 8H 9H
        (FAMILY, "KH KD KS 6H 5C", "5C KD 6H KH KS"),  # 30 of 40
        (FAMILY, "KH KD KS KC 6H 5C", "5C 6H"),  # not in this turn
        (FAMILY.override({"layoff.first_turn": True}), "KH KD KS KC 6H 5C", "5C"),
        (LUXEMBOURG, "6H 5C", "5C"),  # no first minimum
        (PALAST, "6H 5C", "5C 6H"),  # no first meld
    ],
)
def test_before_the_first_meld_only_allowed_melds_count(
    rules: RuleSet, hand: str, rest: str
) -> None:
    table = readings(cards("7H 8H 9H"), rules)

    assert arrange_to_lay(cards(hand), rules, table).rest == cards(rest)


def test_the_first_meld_may_cost_points() -> None:
    """7-8-9 and 10-10-10 leave nothing; if 34 are needed, the run must have the ten of hearts."""
    hand = cards("7H 8H 9H 10H 10S 10D")

    assert arrange_to_lay(hand, PALAST, has_laid=True).points == 0
    assert arrange_to_lay(hand, PALAST).points == 0  # 10-10-10 is the first meld
    tight = PALAST.override({"meld.first_min": 34})
    assert arrange_to_lay(hand, tight, has_laid=True).points == 0
    assert arrange_to_lay(hand, tight).points == 20  # 7-8-9-10 is; two tens are left
    more = (*hand, *cards("2H 2S 2D"))
    assert arrange_to_lay(more, tight).points == 20  # 2-2-2 need not reach the minimum, too


def test_a_hand_romme_needs_no_first_meld() -> None:  # L06
    hand = "AS 2S 3S 2H 2D 2C 3H 3D 3C 4H 4D 4C 4S KD"

    assert arrange_to_lay(cards(hand), FAMILY).rest == cards("KD")
    strict = FAMILY.override({"hand_romme.waives_first_min": False})
    assert len(arrange_to_lay(cards(hand), strict).rest) == 14


@given(
    hands(most=7),
    st.sampled_from((FAMILY, PALAST, WILD)),
    st.sampled_from((20, 30, 40)),
    st.sampled_from((0, 1, 2)),
    st.sampled_from((0, STEPS_BEFORE_BOUNDS)),
)
@settings(max_examples=100)
def test_no_first_meld_leaves_less(
    hand: list[Card], rules: RuleSet, minimum: int, most: int, steps: int
) -> None:
    """Compare the rest of a hand that needs a first meld with every choice of melds.

    Few hands take so many steps that the better bounds are used, so half of them begin with these.
    """
    meld = replace(rules.meld, first_min=minimum, max_per_turn=most)
    rules = replace(rules, meld=meld)
    values = [hand_value(hand, rules)]
    for points, rest in set_out(tuple(hand), rules):
        first = sorted(points, reverse=True)[: most or None]
        reached = sum(first) if meld.first_scope == "together" else max(first, default=0)
        if reached >= minimum:
            values.append(rest)

    with patch.object(cutting, "STEPS_BEFORE_BOUNDS", steps):
        assert arrange_to_lay(hand, rules).points == min(values)


@given(
    hands(most=7),
    st.sampled_from((FAMILY, PALAST, WILD)),
    st.sampled_from((0, 20, 30)),
    st.sampled_from((0, 1, 2)),
    st.sampled_from((0, 9)),
    st.booleans(),
    st.sampled_from((0, STEPS_BEFORE_BOUNDS)),
)
@settings(max_examples=150)
def test_every_way_out_is_found_and_no_other(
    hand: list[Card],
    rules: RuleSet,
    minimum: int,
    most: int,
    rest: int,
    has_laid: bool,
    steps: int,
) -> None:
    """Compare the discards with those after which some choice of melds leaves few enough points."""
    meld = replace(rules.meld, first_min=minimum, max_per_turn=most)
    rules = replace(rules, meld=meld, out=replace(rules.out, max_rest=rest))

    def allows(points: tuple[int, ...]) -> bool:
        reached = sum(points) if meld.first_scope == "together" else max(points, default=0)
        few = not most or len(points) <= most
        return few and (has_laid or reached >= minimum)

    expected = {}
    for card in set(hand):
        others = list(hand)
        others.remove(card)
        left = [left for points, left in set_out(tuple(others), rules) if allows(points)]
        if left and min(left) <= rest:
            expected[card] = min(left)

    with patch.object(cutting, "STEPS_BEFORE_BOUNDS", steps):
        ways = ways_out(hand, rules, has_laid=has_laid)

    assert {way.discard: way.arrangement.points for way in ways} == expected
    assert len(ways) == len(expected)


def set_out(hand: tuple[Card, ...], rules: RuleSet) -> Iterator[tuple[tuple[int, ...], int]]:
    """Yield, for every choice of melds, their points and the points left."""
    if not hand:
        yield (), 0
        return
    first, others = hand[0], hand[1:]
    for points, rest in set_out(others, rules):
        yield points, rest + hand_value([first], rules)
    for size in range(2, len(others) + 1):
        for chosen in combinations(range(len(others)), size):
            group = (first, *(others[i] for i in chosen))
            left = tuple(card for i, card in enumerate(others) if i not in chosen)
            for counted in {meld.points for meld in readings(group, rules)}:
                for points, rest in set_out(left, rules):
                    yield (counted, *points), rest
