"""Where cards laid score (rummy 500), where everybody counts, and what a winner collects."""

from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from examples import score
from scorekeeper.domain.errors import RuleError
from scorekeeper.domain.rules import as_agreed, encode_rules
from scorekeeper.domain.rules.presets import PRESETS, decode_rules

RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")


def of_a_rank(dice: Random) -> list[str]:
    rank = dice.choice(RANKS)
    return [rank + suit for suit in dice.sample("CDHS", dice.choice((3, 4)))]


def in_a_row(dice: Random) -> list[str]:
    size = dice.randint(3, 6)
    start, suit = dice.randint(0, len(RANKS) - size), dice.choice("CDHS")
    return [rank + suit for rank in RANKS[start : start + size]]


def worth(meld: list[str]) -> int:
    """Return the points of a meld of natural cards, an ace before a two being worth 1."""
    values = [
        {"A": 15, "J": 10, "Q": 10, "K": 10}.get(card[:-1]) or int(card[:-1]) for card in meld
    ]
    low = meld[0][:-1] == "A" and meld[1][:-1] == "2"
    return sum(values) - (14 if low else 0)


@given(st.randoms(use_true_random=False), st.integers(2, 8))
def test_laid_less_held_is_what_a_second_computation_says(dice: Random, players: int) -> None:
    left = [rank + suit for rank in RANKS[:13] for suit in "CDHS"] * (2 if players > 4 else 1)
    seats: list[dict[str, Any]] = []
    expected = []
    for seat in range(players):
        melds = []
        for _ in range(dice.randint(0, 2)):
            meld = dice.choice((of_a_rank, in_a_row))(dice)
            if all(left.count(card) >= meld.count(card) for card in meld):
                melds.append(meld)
                for card in meld:
                    left.remove(card)
        held = [left.pop(dice.randrange(len(left))) for _ in range(3 if seat else 0)]
        stated = {"melds": [" ".join(meld) for meld in melds]} if melds else {"laid": False}
        seats.append({**stated, "hand": " ".join(held)})
        expected.append(sum(map(worth, melds)) - sum(worth([card, "3C"]) - 3 for card in held))

    result = score("lay", {"preset": "rummy-500", "seats": seats, "winner": 0})

    assert [points.net for points in result.scores if points] == expected


def test_a_joker_laid_counts_what_it_counts_in_hand() -> None:
    seats = [{"melds": ["KH KD JK"]}, {"laid": False, "hand": "JK"}]

    result = score("lay", {"preset": "rummy-500", "seats": seats, "winner": 0})

    assert [points.net for points in result.scores if points] == [35, -15]


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"outcome": "count", "winner": 0}, "E_FORM"),
        ({"preset": "rummy", "outcome": "count"}, "E_RULE_OFF"),
        ({"preset": "rummy"}, "E_RULE_OFF"),  # laid_points count nothing there
    ],
)
def test_is_refused_by_its_code(body: dict[str, Any], code: str) -> None:
    seats = [{"laid_points": 10, "points": 3}, {"laid_points": 5, "points": 3}]
    ender = {"winner": 0} if "outcome" not in body else {}

    with pytest.raises(RuleError) as refused:
        score("lay", {"preset": "rummy-500", "seats": seats, **ender, **body})

    assert code in {problem.code for problem in refused.value.problems}


def test_laid_in_points_and_in_cards_is_refused() -> None:
    seats = [{"laid_points": 30, "melds": ["KH KD KS"]}, {"laid": False, "points": 3}]

    with pytest.raises(RuleError, match="E_FORM"):
        score("lay", {"preset": "rummy-500", "seats": seats, "winner": 0})


@pytest.mark.parametrize("preset", ["german-family", "wiener"])
def test_where_the_stock_ends_the_round_everybody_counts(preset: str) -> None:
    body = {"outcome": "count", "seats": [{"points": 12}, {"points": 30}]}
    family = PRESETS[preset].family

    result = score(family, {"preset": preset, "options": {"stock.exhausted": "count"}, **body})

    assert result.winner is None
    assert [points.minus for points in result.scores if points] == [12, 30]


def test_an_evening_of_version_1_1_collects_a_hand_romme_once() -> None:  # RULES 7.2 then
    rules = PRESETS["luxembourg"].override({"hand_romme.enabled": True})
    stored = encode_rules(rules)
    stored["options"].pop("end.min_rounds_to_win")

    assert decode_rules(as_agreed(stored)).hand_romme.factor == 1
    assert decode_rules(as_agreed(encode_rules(rules))).hand_romme.factor == 2
