"""Worked examples and refused rounds of the families hand, gin and knock: RULES 6.3 to 6.6, 7."""

from typing import Any

import pytest

from examples import K1, LAY_7C, O1, O2, examples, score
from scorekeeper.domain.errors import RuleError

FAMILIES = ("hand", "gin", "knock")


@pytest.mark.parametrize("family", FAMILIES)
def test_every_family_has_its_examples(family: str) -> None:
    assert examples(family)


def check(family: str, example: dict[str, Any]) -> None:
    if "errors" in example:
        with pytest.raises(RuleError) as refused:
            score(family, example)
        assert [problem.code for problem in refused.value.problems] == example["errors"]
        return
    result = score(family, example)

    points = [score for score in result.scores if score is not None]
    for tally in ("minus", "plus", "net"):
        if tally in example:
            assert [getattr(side, tally) for side in points] == example[tally]
    if "league" in example:
        leagues = [None if n == "none" else n for n in example["league"]]
        assert [side.league for side in points] == leagues
    if "winner" in example:
        assert result.winner == (None if example["winner"] == "nobody" else example["winner"])
    if "warnings" in example:
        assert [warning.code for warning in result.warnings] == example["warnings"]
    if "best" in example:
        assert [warning.facts["best"] for warning in result.warnings] == [example["best"]]
    if "mark" in example:
        assert result.verification == example["mark"]


@pytest.mark.parametrize("example", examples("hand"))
def test_worked_example_of_family_hand(example: dict[str, Any]) -> None:
    check("hand", example)


@pytest.mark.parametrize("example", examples("gin"))
def test_worked_example_of_gin(example: dict[str, Any]) -> None:
    check("gin", example)


@pytest.mark.parametrize("example", examples("knock"))
def test_worked_example_of_knock(example: dict[str, Any]) -> None:
    check("knock", example)


REFUSED: dict[str, tuple[str, dict[str, Any], str]] = {  # RULES 6.6
    "a hand and deadwood at once": (
        "gin",
        {"seats": [{"hand": "", "deadwood": 3}, {"deadwood": 9}]},
        "E_FORM",
    ),
    "a winner's rest in cards and in points": (
        "hand",
        {"seats": [{"hand": "2C 3C", "points": 3}, {"points": 9}]},
        "E_FORM",
    ),
    "a winner's rest in cards and in ranks": (
        "hand",
        {"seats": [{"hand": "2C", "rest": "3"}, {"points": 9}]},
        "E_FORM",
    ),
    "an absent player at gin": ("gin", {"seats": [{"deadwood": 3}, {"absent": True}]}, "E_FORM"),
    "nothing said of the opponent": ("gin", {"seats": [{"deadwood": 3}, {}]}, "E_HAND_MISSING"),
    "a hand of twelve": ("gin", {"seats": [{"hand": K1 + " 2H 3H"}, {"hand": O1}]}, "E_HAND_COUNT"),
    "a meld that is not in the hand": (
        "gin",
        {"seats": [{"hand": K1, "melds": ["7C 8C 9C"]}, {"deadwood": 9}]},
        "E_NOT_IN_HAND",
    ),
    "a card in two melds": (
        "gin",
        {"seats": [{"hand": K1, "melds": ["4C 5C 6C", "4C 5C 6C"]}, {"deadwood": 9}]},
        "E_CARD_TWICE",
    ),
    "suits missing where melds are sought": (
        "gin",
        {"seats": [{"hand": "4 5 6 9 9 9 J Q K 6"}, {"hand": O1}]},
        "E_SUIT_NEEDED",
    ),
    "laying off on gin": (
        "gin",
        {
            "seats": [
                {"hand": "3C 4C 5C 6C 9H 9S 9D JD QD KD"},
                {"hand": "2S 3S 4S QH QC QS 7C 9C 10D AC", "layoffs": [LAY_7C]},
            ]
        },
        "E_LAYOFF_GIN",
    ),
    "a lay-off by the knocker": (
        "gin",
        {"seats": [{"hand": K1, "layoffs": [LAY_7C]}, {"hand": O1}]},
        "E_LAYOFF_KNOCKER",
    ),
    "a lay-off that fits nowhere": (
        "gin",
        {
            "seats": [
                {"hand": K1, "melds": ["4C 5C 6C", "9H 9S 9D", "JD QD KD"]},
                {"hand": O1, "layoffs": [{"card": "KH", "meld": {"seat": 0, "index": 0}}]},
            ]
        },
        "E_LAYOFF",
    ),
    "Oklahoma without the turned card": (
        "gin",
        {"options": {"gin.oklahoma": True}, "seats": [{"deadwood": 3}, {"deadwood": 9}]},
        "E_OKLAHOMA_CARD",
    ),
    "a turned card that somebody holds": (
        "gin",
        {
            "options": {"gin.oklahoma": True},
            "oklahoma_card": "4C",
            "seats": [{"hand": K1, "discard": "2H"}, {"hand": O1}],
        },
        "E_DUPLICATE_CARD",
    ),
    "a turned card without Oklahoma": (
        "gin",
        {"oklahoma_card": "7D", "seats": [{"deadwood": 3}, {"deadwood": 9}]},
        "E_RULE_OFF",
    ),
    "a Hirschn call without the rule": (
        "gin",
        {
            "hirschn": {"caller": 0, "turns_after": 1},
            "seats": [{"deadwood": 3}, {"deadwood": 9}],
        },
        "E_RULE_OFF",
    ),
    "aces without Tedesco": (
        "gin",
        {"seats": [{"deadwood": 3}, {"deadwood": 9, "aces": 2}]},
        "E_RULE_OFF",
    ),
    "more aces than deadwood": (
        "gin",
        {"options": {"gin.tedesco": True}, "seats": [{"deadwood": 3}, {"deadwood": 1, "aces": 2}]},
        "E_POINTS",
    ),
    "a joker thrown away that was a seven": (
        "gin",
        {
            "options": {"gin.joker_rule": True},
            "joker_discarded": True,
            "seats": [{"deadwood": 3, "discard": "7H"}, {"deadwood": 9}],
        },
        "E_FORM",
    ),
    "a glass call that names no rank": (
        "gin",
        {
            "options": {"gin.glass": True},
            "glass": [{"by": 0, "kind": "group", "hit": True}],
            "seats": [{"deadwood": 3}, {"deadwood": 9}],
        },
        "E_GLASS",
    ),
    "two cards caught in a glass": (
        "gin",
        {
            "options": {"gin.glass": True},
            "glass": [{"by": 0, "kind": "group", "rank": "7", "hit": True, "pile": "7H 2C 7S"}],
            "seats": [{"deadwood": 3}, {"deadwood": 9}],
        },
        "E_GLASS",
    ),
    "a knock above the table's limit": (
        "knock",
        {"options": {"knock.limit": 10}, "seats": [{"count": 11}, {"count": 20}]},
        "E_KNOCK_LIMIT",
    ),
    "melds where the others put nothing down": (
        "gin",
        {
            "options": {"out.opponent_melds": "none"},
            "seats": [{"hand": K1}, {"hand": O1, "melds": ["2S 3S 4S"]}],
        },
        "E_RULE_OFF",
    ),
    "laying off where the others put down only melds": (
        "gin",
        {
            "options": {"out.opponent_melds": "own"},
            "seats": [{"hand": K1}, {"hand": O2, "layoffs": [LAY_7C]}],
        },
        "E_RULE_OFF",
    ),
    "a round without score where the pile is turned over": (
        "gin",
        {"options": {"stock.exhausted": "flip"}, "outcome": "void", "seats": []},
        "E_RULE_OFF",
    ),
    "laying off at knock": (
        "knock",
        {"seats": [{"count": 3}, {"count": 9, "layoffs": [LAY_7C]}]},
        "E_LAYOFF",
    ),
}


@pytest.mark.parametrize(("family", "example", "code"), REFUSED.values(), ids=REFUSED)
def test_is_refused_by_its_code(family: str, example: dict[str, Any], code: str) -> None:
    with pytest.raises(RuleError) as refused:
        score(family, example)

    assert {problem.code for problem in refused.value.problems} == {code}
