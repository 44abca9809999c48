"""Two hands that are laid off on the same melds: RULES 7.5; compared with a naive solver."""

from collections import Counter
from typing import Any

import pytest
from hypothesis import strategies as st

from bars import drawn, tries
from brute_force import Naive
from examples import cards
from random_hands import Case, tables
from scorekeeper.domain.melds import Meld, read_meld
from scorekeeper.domain.rules.presets import preset
from scorekeeper.domain.solver.together import arrange_together

JOKERS = preset("gin-palast").override({"gin.joker_rule": True})


def melds(*texts: str) -> list[Meld]:
    return [read_meld(cards(text), JOKERS) for text in texts]


@pytest.mark.bar("solver")
@drawn("solver", tables(), st.randoms(), times=tries("solver") // 10)
def test_no_lay_offs_of_two_hands_leave_less(case: Case, random: Any) -> None:
    hand, rules, table, lying = case
    cut = random.randint(0, len(hand))
    hands = [hand[:cut], hand[cut:]]
    expected = Naive(rules).least_together([[str(card) for card in one] for one in hands], lying)

    found = arrange_together(hands, rules, table, (True, True))

    assert sum(one.points for one in found) == expected


def test_two_hands_with_their_lay_offs_are_all_the_cards() -> None:
    hands = [cards("5C 6C JS JD JC JH 8D"), cards("10C QC 4C JK 4S JK JK")]

    found = arrange_together(hands, JOKERS, melds("7C 8C 9C"), (True, True))

    for hand, one in zip(hands, found, strict=True):
        melded = [place.card for meld in one.melds for place in meld.places]
        assert Counter([*melded, *(c.physical for c, _ in one.layoffs), *one.rest]) == Counter(hand)
    assert [one.points for one in found] == [8, 0]


def test_a_set_of_any_suits_takes_both_copies_of_a_card() -> None:
    rules = preset("german-family").override({"meld.set_suits": "any"})
    lying = [read_meld(cards("2C 2D 2H"), rules)]

    none, found = arrange_together([[], cards("AC 2C 2C")], rules, lying, (True, True))

    assert [str(card) for card, _ in found.layoffs] == ["2C", "2C"]
    assert (none.points, found.points) == (0, 11)


def test_without_own_melds_two_hands_only_lay_off() -> None:
    hands = [cards("QH QD QS 6C"), cards("KH KD KS 10C")]

    found = arrange_together(hands, JOKERS, melds("7C 8C 9C"), (True, False))

    assert [one.points for one in found] == [0, 30]


def test_a_hand_keeps_its_run_though_each_of_its_cards_could_be_laid_off() -> None:
    hands = [cards("AC AC 5C"), cards("4C 2C 3C")]

    found = arrange_together(hands, JOKERS, melds("JK=AC 2C 3C JK=4C JK=5C"), (True, True))

    assert [one.points for one in found] == [1, 0]


def test_a_lay_off_may_come_before_a_real_card_on_a_joker() -> None:
    options = {"wild.twos": True, "ace.high": True, "ace.corner": True, "joker.max_adjacent": 2}
    rules = JOKERS.override(options | {"joker.placement": "unique_if_two"})
    hands = [cards("AC 3C"), cards("2C")]
    table = [read_meld(cards("JK=KC JK=AC 2C JK=3C JK=4C"), rules)]

    found = arrange_together(hands, rules, table, (True, True))

    # The two has to be five before the ace replaces a joker: after it, it could be queen or five.
    assert [one.points for one in found] == [0, 0]


def test_a_real_card_never_replaces_a_joker_that_was_laid_off_on_a_set() -> None:
    hands = [cards("5C"), cards("AC 5D JK")]

    found = arrange_together(hands, JOKERS, melds("5H 5S JK"), (True, True))

    assert sum(len(one.layoffs) for one in found) == 2  # the set has four cards


EQUAL = {  # with the points and the cards left, and the number of cards laid off
    "the jokers that could be laid off are melded": (
        ("4D JK JK 5C", ""),
        ["AC 2C 3C"],
        (4, 1, 0),
    ),
    "the other hand keeps what it could lay off for jokers": (
        ("5S 4D JK JK 5H JK", "6C 4S"),
        ["6S 7S 8S", "AC AD AH"],
        (10, 2, 0),
    ),
    "one joker makes room for three cards, and four are melded": (
        ("5C JK JK JK 5H JK JK", "8C 7C"),
        ["2C 3C 4C"],
        (0, 0, 4),
    ),
}


@pytest.mark.parametrize(("hands", "table", "least"), EQUAL.values(), ids=EQUAL)
def test_of_lay_offs_that_leave_equal_points_there_are_no_more_than_needed(
    hands: tuple[str, str], table: list[str], least: tuple[int, int, int]
) -> None:
    found = arrange_together([*map(cards, hands)], JOKERS, melds(*table), (True, True))

    points, left, laid_off = zip(
        *((one.points, len(one.rest), len(one.layoffs)) for one in found), strict=True
    )
    assert (sum(points), sum(left), sum(laid_off)) == least
