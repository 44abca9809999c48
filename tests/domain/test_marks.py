"""How a round ended, as a mark in the row of the sheet."""

from typing import Any

import pytest

from scorekeeper.domain.rounds.marks import Mark, ending, extras
from scorekeeper.domain.rounds.scoring import score_round
from scorekeeper.domain.rules.presets import PRESETS
from scorekeeper.wire.rounds import load_round

TWO = [{"deadwood": 4}, {"deadwood": 20}]
FOUR = [{"deadwood": 5}, {"deadwood": 15}, {"deadwood": 4}, {"deadwood": 9}]


@pytest.mark.parametrize(
    ("preset", "options", "facts", "mark"),
    [
        ("german-family", {}, {"winner": 1, "seats": [{"points": 5}, {}]}, Mark("out", 1)),
        ("gin-palast", {}, {"knocker": 0, "seats": TWO}, Mark("knock", 0)),
        ("gin-palast", {}, {"knocker": 1, "seats": [{"deadwood": 3}, {"deadwood": 9}]},
         Mark("undercut", 0)),
        ("gin-palast", {}, {"knocker": 0, "seats": [{"deadwood": 0}, {"deadwood": 9}]},
         Mark("gin", 0)),
        ("gin-palast", {"teams": True}, {"knocker": 2, "seats": FOUR}, Mark("knock", 0)),
        ("knock-rummy", {}, {"knocker": 1, "seats": [{"count": 9}, {"count": 2}]},
         Mark("knock", 1)),
        ("german-family", {}, {"outcome": "cancelled"}, None),
    ],
)  # fmt: skip
def test_the_mark_says_how_the_round_ended_and_for_whom(
    preset: str, options: dict[str, Any], facts: dict[str, Any], mark: Mark | None
) -> None:
    outcome = "out" if "winner" in facts else "knock"
    rounded = load_round({"outcome": outcome, **facts}).round
    players = len(rounded.seats) or 2
    score = score_round(rounded, PRESETS[preset].override(options), players)

    assert ending(score, rounded) == mark


@pytest.mark.parametrize(
    ("joker", "marks"), [(True, [Mark("joker", 0, facts={"factor": 2})]), (False, [])]
)
def test_a_discarded_joker_is_marked_with_its_factor(joker: bool, marks: list[Mark]) -> None:
    rules = PRESETS["gin-palast"].override({"gin.joker_rule": True, "gin.box_bonus": 0})
    facts = {"outcome": "knock", "knocker": 0, "seats": TWO, "joker_discarded": joker}
    rounded = load_round(facts).round

    assert list(extras(score_round(rounded, rules, 2))) == marks
