"""Refusals are sentences, and say what would be right, in the words of the game."""

from typing import Any

import pytest

from scorekeeper.domain.errors import Problem, RuleError
from scorekeeper.domain.game.changes import check_count
from scorekeeper.domain.rounds.checks import WAYS
from scorekeeper.domain.rounds.scoring import score_round
from scorekeeper.domain.rules.presets import PRESETS, preset
from scorekeeper.i18n import LANGUAGES, language
from scorekeeper.wire.rounds import load_round


def refused(rules: str, body: dict[str, Any], **options: object) -> Problem:
    with pytest.raises(RuleError) as error:
        score_round(load_round(body).round, preset(rules).override(options), len(body["seats"]))
    (problem,) = error.value.problems
    return problem


@pytest.mark.parametrize("code", LANGUAGES)
def test_a_fixed_number_of_players_is_named_once(code: str) -> None:
    teams = PRESETS["gin-palast"].override({"teams": True})
    with pytest.raises(RuleError) as error:
        check_count(teams, 3)

    sentence = language(code).problem(error.value.problems[0])

    assert sentence.count("4") == 1
    assert "3" in sentence


@pytest.mark.parametrize("code", LANGUAGES)
def test_two_discards_are_refused_as_one_too_many(code: str) -> None:
    body = {"outcome": "out", "winner": 0, "seats": [{"discard": "KD KC"}, {"points": 3}]}
    problem = refused("german-family", body)

    assert problem.facts == {"why": "one_card", "count": 2}
    assert "2" in language(code).problem(problem)


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize(
    ("rules", "ender", "name"),
    [
        ("knock-rummy", "knocker", "points"),
        ("gin-palast", "knocker", "points"),
        ("german-family", "winner", "count"),
        ("wiener", "winner", "deadwood"),
    ],
)
def test_points_under_another_name_are_refused_with_the_right_one(
    rules: str, ender: str, name: str, code: str
) -> None:
    right = WAYS[PRESETS[rules].family][-1]
    outcome = "knock" if ender == "knocker" else "out"
    problem = refused(rules, {"outcome": outcome, ender: 0, "seats": [{right: 0}, {name: 8}]})

    assert problem.code == "E_FORM"
    assert f"{name}" in language(code).problem(problem, ("A", "B"))
    assert f"{right}" in language(code).problem(problem, ("A", "B"))


NEXT_TURN = {
    "de": "ab dem nächsten eigenen Zug",
    "en": "only from the caller’s next turn on",
    "lb": "ab dem nächsten eegenen Zuch",
    "fr": "à partir de son tour suivant",
}


@pytest.mark.parametrize("code", NEXT_TURN)
def test_hirschn_may_be_followed_by_a_knock_in_the_next_turn(code: str) -> None:  # [003], G24
    call = {"caller": 0, "turns_after": 0}
    body = {"outcome": "knock", "knocker": 0, "hirschn": call}
    body["seats"] = [{"deadwood": 5}, {"deadwood": 20}]
    problem = refused("gin-palast", body, **{"gin.hirschn": True})

    assert NEXT_TURN[code] in language(code).problem(problem, ("A", "B"))
    assert NEXT_TURN[code] in language(code).problem(Problem("E_HIRSCHN", {"why": "turn"}))


OKLAHOMA = {"de": "Oklahoma-Karte", "en": "Oklahoma card", "lb": "Oklahoma-Kaart", "fr": "Oklahoma"}


@pytest.mark.parametrize("code", OKLAHOMA)
def test_the_oklahoma_card_is_not_called_the_upcard(code: str) -> None:  # [003], G10
    body = {"outcome": "knock", "knocker": 0, "oklahoma_card": "7D"}
    body["seats"] = [{"deadwood": 8}, {"deadwood": 24}]
    problem = refused("gin-palast", body, **{"gin.oklahoma": True})
    sentence = language(code).problem(problem, ("A", "B"))

    assert OKLAHOMA[code] in sentence
    assert "upcard" not in sentence


@pytest.mark.parametrize("code", LANGUAGES)
def test_a_card_from_nowhere_belongs_to_those_used_from_the_hand(code: str) -> None:
    assert "hand_used" in language(code).problem(Problem("E_CARD_FROM_NOWHERE", {"cards": ()}))


def test_nothing_happens_one_times() -> None:
    facts = {"card": None, "count": 2, "most": 1}
    for key in ("", ".table", ".rank", ".turn"):
        assert "1 times" not in language("en")(f"E_DUPLICATE_CARD{key}", **facts | {"card": "7H"})
