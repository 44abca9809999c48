"""Glas auffangen: cards that were caught have left the game (RULES 6.6.1, 7.4.11, R19)."""

from typing import Any

import pytest

from examples import body_of
from scorekeeper.domain.errors import Problem, RuleError
from scorekeeper.domain.rounds.scoring import score_round
from scorekeeper.domain.rules.presets import PRESETS
from scorekeeper.wire.rounds import load_round

KNOCKER = "4C 5C 6C 9H 9S 9D JD QD KD 6H"
OTHER = "2S 3S 4S QH QC QS KH 8D 5D AC"
POINTS = [{"deadwood": 6}, {"deadwood": 24}]
SEVENS = {"by": 0, "kind": "group", "rank": "7", "hit": True}
HEARTS = {"by": 1, "kind": "sequence", "suit": "H", "hit": True}


def problems(
    glass: list[dict[str, Any]], seats: list[dict[str, Any]] | None = None, **more: Any
) -> list[Problem]:
    """Return the findings that refuse a round of gin with these attempts."""
    options = {"gin.glass": True, **more.pop("options", {})}
    example = {"glass": glass, "seats": seats or POINTS, **more}
    rules = PRESETS["gin-palast"].override(options)
    try:
        score_round(load_round(body_of("gin", example)).round, rules, len(example["seats"]))
    except RuleError as error:
        return list(error.problems)
    return []


def codes(*attempts: Any, **more: Any) -> list[str]:
    return [problem.code for problem in problems(*attempts, **more)]


def cards(hand: str, *, without: str, plus: str) -> dict[str, Any]:
    """Return a hand with one card replaced by another."""
    return {"hand": hand.replace(without, plus)}


WHERE: dict[str, tuple[list[dict[str, Any]], dict[str, Any]]] = {
    "a hand": ([cards(KNOCKER, without="6H", plus="7H"), {"hand": OTHER}], {}),
    "the other hand": ([{"hand": KNOCKER}, cards(OTHER, without="8D", plus="7S")], {}),
    "a meld": (
        [
            {
                "hand": "7C 5C 6C 9H 9S 9D JD QD KD 6H",
                "melds": ["5C 6C 7C", "9H 9S 9D", "JD QD KD"],
            },
            {"deadwood": 24},
        ],
        {},
    ),
    "the discard": ([{"deadwood": 8, "discard": "7H"}, {"deadwood": 24}], {}),
    "the turned card": (POINTS, {"options": {"gin.oklahoma": True}, "oklahoma_card": "7C"}),
}


@pytest.mark.parametrize(("seats", "more"), WHERE.values(), ids=WHERE)
def test_a_caught_card_cannot_be_elsewhere(
    seats: list[dict[str, Any]], more: dict[str, Any]
) -> None:
    caught = SEVENS | {"pile": "7H KD 7C 7S"}
    elsewhere = SEVENS | {"pile": "7H KD 7C 7S", "rank": "K", "hit": False}

    assert codes([elsewhere], seats, **more) == []
    (found,) = problems([caught], seats, **more)
    assert (found.code, found.facts["why"]) == ("E_DUPLICATE_CARD", "caught")


def test_without_a_pile_a_caught_group_removes_three_cards_of_the_rank() -> None:
    one_left = [cards(KNOCKER, without="6H", plus="7H"), {"hand": OTHER}]
    two_left = [one_left[0], cards(OTHER, without="8D", plus="7D")]

    assert codes([SEVENS], one_left) == []
    assert codes([SEVENS], two_left) == ["E_DUPLICATE_CARD"]
    assert codes([SEVENS, SEVENS]) == ["E_DUPLICATE_CARD"]
    assert codes([SEVENS, SEVENS | {"rank": "8"}]) == []
    assert codes([SEVENS, SEVENS | {"hit": False}]) == []


def test_the_whole_sequence_leaves_the_pile() -> None:
    pile = "3H KD 4H 2H 5H 9H"
    caught = [HEARTS | {"pile": pile}]

    for gone in ("2H", "5H"):
        held = [cards(KNOCKER, without="6H", plus=gone), {"hand": OTHER}]
        assert codes(caught, held) == ["E_DUPLICATE_CARD"]
    assert codes(caught, [{"hand": KNOCKER}, {"hand": OTHER}]) == []  # not 9H and KD
    assert codes([HEARTS]) == []


def test_with_two_sequences_in_the_pile_the_caught_one_is_unknown() -> None:  # [dec]
    caught = [HEARTS | {"pile": "AH 2H 3H 5H 6H 7H"}]

    for held in ("2H", "6H"):
        hand = cards(KNOCKER, without="6H", plus=held)
        assert codes(caught, [hand, {"hand": OTHER}]) == []


def test_caught_cards_are_in_no_later_pile() -> None:
    pile = "7H KD 7C 7S"
    later = {"by": 1, "kind": "group", "rank": "K", "hit": False, "pile": "2C 7S KD"}

    assert codes([later, SEVENS | {"pile": pile}]) == []
    (found,) = problems([SEVENS | {"pile": pile}, later])
    assert (found.code, found.path) == ("E_DUPLICATE_CARD", ("glass", 1, "pile"))
    assert str(found.facts["card"]) == "7S"


def test_a_card_caught_twice_is_refused_once() -> None:  # R19
    caught = SEVENS | {"pile": "7H 7C 7S"}

    assert codes([caught, caught | {"by": 1}]) == ["E_DUPLICATE_CARD"] * 3


def test_a_pile_holds_each_card_once() -> None:
    twice = SEVENS | {"pile": "7H 7C 7S 2D 2D"}

    assert codes([twice]) == ["E_DUPLICATE_CARD"]


@pytest.mark.parametrize(
    ("pile", "found"),
    [
        ("7H JK 7C JK 7S JK", []),
        ("7H JK 7C JK 7S JK JK", ["E_TOO_MANY_JOKERS"]),
    ],
)
def test_jokers_may_lie_in_a_pile_as_many_as_there_are(pile: str, found: list[str]) -> None:
    jokers = {"options": {"gin.joker_rule": True}}

    assert codes([SEVENS | {"pile": pile}], **jokers) == found


def test_a_joker_in_a_pile_is_refused_without_jokers() -> None:
    assert codes([SEVENS | {"pile": "7H JK 7C 7S"}]) == ["E_JOKER_NOT_IN_DECK"]


@pytest.mark.parametrize("call", [SEVENS | {"pile": "7H JK 7C"}, HEARTS | {"pile": "7H JK 9H"}])
def test_a_joker_does_not_make_a_meld_in_the_pile(call: dict[str, Any]) -> None:  # RULES 7.4.11
    jokers = {"options": {"gin.joker_rule": True}}

    assert codes([call | {"hit": False}], **jokers) == []
    assert codes([call], **jokers) == ["E_GLASS"]


@pytest.mark.parametrize(
    ("pile", "lies_there"),
    [("QH KH JH", True), ("AH 2H 3H", True), ("KH AH 2H", False), ("3H 4H", False)],
)
def test_a_sequence_has_three_cards_in_order_with_a_low_ace(pile: str, lies_there: bool) -> None:
    called = HEARTS | {"pile": pile, "hit": lies_there}

    assert codes([called]) == []
    assert codes([called | {"hit": not lies_there}]) == ["E_GLASS"]


# ---- a caught sequence (R29) -------------------------------------------------------------

LOW_HEARTS = {"hand": "AH 2H 3H 4H 6C 7C 8C 9S 9D 9C"}
ELSEWHERE = [LOW_HEARTS, {"hand": "6H 7H 9H JH KH 2C 4D KS QS 8D"}]
"""Of the hearts 5, 8, 10 and the queen are left."""


def test_a_caught_sequence_needs_three_cards_that_nobody_holds() -> None:
    (found,) = problems([HEARTS], ELSEWHERE)

    assert (found.code, found.path) == ("E_DUPLICATE_CARD", ("glass", 0))
    assert found.facts["why"] == "caught_sequence"
    assert codes([HEARTS | {"hit": False}], ELSEWHERE) == []
    assert codes([HEARTS | {"suit": "S"}], ELSEWHERE) == []


@pytest.mark.parametrize("free", ["9H", "7H", "JH"])
def test_one_card_more_makes_a_sequence_possible(free: str) -> None:
    held = [LOW_HEARTS, cards(ELSEWHERE[1]["hand"], without=free, plus="3C")]

    assert codes([HEARTS], held) == ([] if free in ("9H", "JH") else ["E_DUPLICATE_CARD"])


def test_a_sequence_does_not_go_around_the_corner() -> None:
    hands = [{"hand": "3H 4H 5H 6H 7C 8C 9C 9S 9D 8S"}, {"hand": "7H 8H 9H 10H JH 2C 4D KS QS 8D"}]

    assert codes([HEARTS], hands, options={"gin.cyclic": True}) == ["E_DUPLICATE_CARD"]


def test_two_sequences_of_a_suit_need_cards_for_both() -> None:
    five_to_ten = [LOW_HEARTS, {"hand": "JH QH KH 3C 5C 2C 4D KS QS 8D"}]
    five_to_nine = [LOW_HEARTS, {"hand": "10H JH QH KH 5C 2C 4D KS QS 8D"}]

    assert codes([HEARTS, HEARTS], five_to_ten) == []
    assert codes([HEARTS, HEARTS], five_to_nine) == ["E_DUPLICATE_CARD"]
    assert codes([HEARTS, HEARTS | {"pile": "7H 8H 9H"}], five_to_ten) == ["E_DUPLICATE_CARD"]


def test_a_pile_with_two_sequences_is_compared_with_the_hands() -> None:
    pile = {"pile": "2H 3H 4H KC 6H 7H 8H"}
    other = {"hand": "9H JH KH 3C 2C 4D KS QS 8D 5S"}

    assert codes([HEARTS | pile], [LOW_HEARTS, other]) == []
    both = cards(other["hand"], without="3C", plus="7H")
    assert codes([HEARTS | pile], [LOW_HEARTS, both]) == ["E_DUPLICATE_CARD"]


def test_a_later_pile_shows_what_an_earlier_call_did_not_catch() -> None:
    later = HEARTS | {"suit": "S", "hit": False, "pile": "5H 8H 9H 10C QH 2D"}
    held = [LOW_HEARTS, {"hand": "6H 7H JH KH 3C 2C 4D KS QS 8D"}]

    assert codes([HEARTS], held) == []
    assert codes([HEARTS, later], held) == ["E_DUPLICATE_CARD"]
    two_sevens = HEARTS | {"suit": "S", "hit": False, "pile": "7H 7D 2D"}
    assert codes([SEVENS, two_sevens]) == ["E_DUPLICATE_CARD"]
    assert codes([two_sevens, SEVENS]) == []
