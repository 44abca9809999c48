"""Laying off on the winner's melds in family hand (RULES-MORE 7.3.7): as stated, else the best."""

from typing import Any

import pytest

from examples import score
from scorekeeper.domain.errors import RuleError

WINNER = {"melds": ["4C 5C 6C", "2D 2S 2H"], "hand": "3D", "discard": "KS"}
HAND = "4D 5D 6D 7C JC KD AD"


def on_run(*cards: str, seat: int = 0) -> list[dict[str, Any]]:
    return [{"card": card, "meld": {"seat": seat, "index": 0}} for card in cards]


def closed(*losers: dict[str, Any], winner: dict[str, Any] | None = None) -> dict[str, Any]:
    return {"preset": "chinchon", "seats": [winner or WINNER, *losers]}


STATED: dict[str, tuple[dict[str, Any], int]] = {
    "nothing: melds and lay-offs are the best there are": ({}, 11),
    "melds: the lay-offs are the best around them": ({"melds": ["4D 5D 6D"]}, 11),
    "lay-offs: the melds are the best around them": ({"layoffs": on_run("7C")}, 21),
    "lay-offs in a chain": ({"layoffs": on_run("JC", "7C")}, 11),
    "lay-offs and melds": ({"melds": ["4D 5D 6D"], "layoffs": on_run("7C")}, 21),
    "no lay-offs": ({"layoffs": []}, 28),
    "melds, and no lay-offs": ({"melds": ["4D 5D 6D"], "layoffs": []}, 28),
    "no melds": ({"melds": []}, 26),
    "neither": ({"melds": [], "layoffs": []}, 43),
}


@pytest.mark.parametrize("stated", STATED)
def test_what_is_stated_stands_and_the_rest_is_arranged(stated: str) -> None:
    facts, left = STATED[stated]

    found = score("hand", closed({"hand": HAND, **facts}))

    points = found.scores[1]
    assert points and points.minus == left
    warnings = [(warning.code, warning.facts["best"]) for warning in found.warnings]
    assert warnings == ([("W_BETTER_ARRANGEMENT", 11)] if left > 11 else [])


def test_a_card_may_follow_one_that_another_loser_laid_off() -> None:
    others = {"hand": "JC KC 2C 3H 5H QD AS", "layoffs": on_run("JC")}

    found = score("hand", closed({"hand": "4D 5D 6D 7C JD KD AD", "layoffs": on_run("7C")}, others))

    assert [points and points.minus for points in found.scores] == [3, 21, 31]


SEVEN = "7C KD QD JH 5S 3H AS"
BOTH = "7C KS QS JH 5S 3H AD"


def two_packs(*losers: dict[str, Any]) -> dict[str, Any]:
    return closed(*losers) | {"options": {"deck.packs": 2}}


def test_two_losers_cannot_lay_the_same_card_on_the_same_place() -> None:
    with pytest.raises(RuleError) as refused:
        score("hand", two_packs({"hand": SEVEN}, {"hand": BOTH}))

    (found,) = refused.value.problems
    assert (found.code, found.path) == ("E_LAYOFF", ("seats", 2, "hand"))
    assert (found.facts["why"], str(found.facts["card"])) == ("taken", "7C")


@pytest.mark.parametrize(
    ("one", "other", "left"),
    [
        ({"hand": SEVEN, "layoffs": on_run("7C")}, {"hand": BOTH}, [3, 39, 46]),
        ({"hand": SEVEN}, {"hand": BOTH, "layoffs": []}, [3, 39, 46]),
        ({"hand": SEVEN}, {"rest": "7 K Q J 5 3 A"}, [3, 39, 46]),
        ({"hand": SEVEN}, {"hand": BOTH.replace("7C", "3C")}, [3, 39, 39]),
        ({"hand": SEVEN}, {"hand": BOTH.replace("7C", "2C")}, [3, 39, 39]),
    ],
)
def test_cards_with_a_place_each_are_laid_off_by_both(
    one: dict[str, Any], other: dict[str, Any], left: list[int]
) -> None:
    found = score("hand", two_packs(one, other))

    assert [points and points.minus for points in found.scores] == left


@pytest.mark.parametrize("mark", ["unverified", "counted"])
def test_nothing_is_laid_off_on_melds_that_are_not_stated(mark: str) -> None:
    winner = {"points": 3} if mark == "unverified" else {"rest": "3"}

    with pytest.raises(RuleError) as refused:
        score("hand", closed({"hand": HAND, "layoffs": on_run("7C")}, winner=winner))

    assert [problem.code for problem in refused.value.problems] == ["E_LAYOFF"]
    assert score("hand", closed({"hand": HAND}, winner=winner)).verification == mark


def test_a_lay_off_is_of_a_card_in_the_hand() -> None:
    with pytest.raises(RuleError) as refused:
        score("hand", closed({"hand": "4D 5D 6D 7S JC KD AD", "layoffs": on_run("7C")}))

    assert [problem.code for problem in refused.value.problems] == ["E_NOT_IN_HAND"]


def test_without_the_lives_nothing_is_laid_off() -> None:
    winner = WINNER | {"melds": ["4C 5C 6C", "2S 3S 4S"]}
    example = closed({"hand": HAND, "layoffs": on_run("7C")}, winner=winner)
    example["options"] = {"meld.lives": [0, 2]}

    points = score("hand", example).scores[1]

    assert points and points.minus == 4 + 5 + 6 + 7 + 10 + 10 + 1
