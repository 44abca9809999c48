"""Every warning reaches the score, whichever check gives it (RULES 6.6)."""

from typing import Any

import pytest

from examples import USUAL, body_of, cards, examples
from scorekeeper.domain.errors import Findings, Problem, RuleError, problem
from scorekeeper.domain.rounds.contract import rules_of_round
from scorekeeper.domain.rounds.facts import RoundScore
from scorekeeper.domain.rounds.scoring import FAMILIES, score_round
from scorekeeper.domain.rules.presets import PRESETS
from scorekeeper.wire.rounds import load_round

READ = problem("W_SUIT_K_KREUZ", ("seats", 1, "hand"))

KNOCKED = "4C 5C 6C 9H 9S 9D JD QD KD 6H"
SHOWN = {"hand": KNOCKED, "melds": ["4C 5C 6C", "9H 9S 9D", "JD QD KD"], "discard": "8S"}
HELD = "2S 3S 4S QH QC QS KH 8D 5D AC"
THIRTEEN = "QD 5H 5C 2S AH AD JK KH KD KS 7C 8C 9C"


def score(family: str, seats: list[dict[str, Any]], **more: Any) -> RoundScore:
    example = {"seats": seats, **more}
    rules = PRESETS[more.pop("preset", USUAL[family])].override(more.get("options", {}))
    entry = load_round(body_of(family, example))
    return score_round(entry.round, rules, len(seats), noticed=(*entry.warnings, READ))


def codes(result: RoundScore) -> list[str]:
    """Return the codes of the warnings, without the one that every round here has."""
    read, *found = result.warnings
    assert read == READ
    return [one.code for one in found]


MISCOUNTED = {  # RULES 6.6.3: one card too many or too few
    "lay": ("lay", [{}, {"hand": THIRTEEN + " 2C"}], "counted"),
    "hand, a loser": ("hand", [{"points": 3}, {"hand": THIRTEEN + " 2C"}], "unverified"),
    "hand, the winner": (
        "hand",
        [
            {"melds": ["3H 4H 5H", "6H 6D 6S", "9H 10H JH QH"], "hand": "2C 3D", "discard": "8D"},
            {"hand": THIRTEEN.replace("5H", "2H")},
        ],
        "counted",
    ),
    "knock": ("knock", [{"hand": "2S 3S 4S QH QC QS KH 8D 5D"}, {"hand": KNOCKED}], "counted"),
    "gin, nine for the knocker": ("gin", [{"hand": KNOCKED[:-3]}, {"hand": HELD}], "counted"),
    "gin, nine for the opponent": ("gin", [SHOWN, {"hand": HELD[:-3]}], "counted"),
    "gin, eleven for the opponent": ("gin", [SHOWN, {"hand": HELD + " 3H"}], "counted"),
    "gin, beside points": (
        "gin",
        [SHOWN | {"hand": KNOCKED + " 2H"}, {"deadwood": 9}],
        "unverified",
    ),
    "gin, beside ranks": ("gin", [{"hand": KNOCKED + " 2H"}, {"rest": "K 2"}], "counted"),
}


@pytest.mark.parametrize(("family", "seats", "mark"), MISCOUNTED.values(), ids=MISCOUNTED)
def test_a_hand_of_the_wrong_size_causes_a_warning_and_is_never_verified(
    family: str, seats: list[dict[str, Any]], mark: str
) -> None:
    result = score(family, seats)

    assert "W_HAND_COUNT" in codes(result)
    assert result.verification == mark


def test_a_hand_of_the_right_size_is_verified() -> None:
    result = score("gin", [SHOWN, {"hand": HELD}])

    assert codes(result) == []
    assert result.verification == "verified"


@pytest.mark.parametrize("cards", [8, 12])
def test_a_hand_count_off_by_two_needs_the_consent_of_the_players(cards: int) -> None:
    hand = " ".join((HELD + " 3H 4H").split()[:cards])

    with pytest.raises(RuleError, match="E_HAND_COUNT"):
        score("gin", [SHOWN, {"hand": hand}])
    agreed = score("gin", [SHOWN, {"hand": hand}], accept_irregular=True)

    assert codes(agreed) == ["W_HAND_COUNT"]
    assert agreed.verification == "counted"


def test_melds_without_a_stated_discard_cause_a_warning_in_gin() -> None:  # RULES 6.6.5
    shown = {name: value for name, value in SHOWN.items() if name != "discard"}

    result = score("gin", [shown, {"hand": HELD}])

    assert codes(result) == ["W_DISCARD_UNKNOWN"]
    assert result.verification == "verified"


LIVES = "4H 5H 6H 9C 10C QC JK KC 2S 2D 2H 9D 3S"
NO_LIVES = "KH KD KS 4C 4D 4H 9S 9D 9C QC 2D 6S JH"
DECLARED_WITH_LIVES: dict[str, tuple[str, list[str], int, list[str]]] = {
    "the lives and no set": (LIVES, ["4H 5H 6H", "9C 10C JK QC KC"], 18, ["9D 3S"]),
    "a set and no lives": (LIVES, ["2S 2D 2H"], 72, ["9D 3S"]),
    "the best": (LIVES, ["4H 5H 6H", "9C 10C JK QC KC", "2S 2D 2H"], 12, []),
    "sets where there are no lives": (NO_LIVES, ["KH KD KS", "4C 4D 4H"], 80, []),
}


@pytest.mark.parametrize(
    ("hand", "melds", "minus", "better"), DECLARED_WITH_LIVES.values(), ids=DECLARED_WITH_LIVES
)
def test_only_an_arrangement_with_the_lives_is_called_better(
    hand: str, melds: list[str], minus: int, better: list[str]
) -> None:  # RULES 5.6, RULES-MORE 7.3.3
    seats = [{}, {"hand": hand, "melds": melds}, {"points": 1}]

    result = score("hand", seats, preset="indian-points", wild="7")

    warnings = [one for one in result.warnings if one.path == ("seats", 1, "melds")]
    assert [points.minus for points in result.scores if points] == [0, minus, 1]
    assert [(one.code, dict(one.facts)) for one in warnings] == [
        ("W_BETTER_ARRANGEMENT", {"seat": 1, "reached": minus, "best": 12, "cards": cards(left)})
        for left in better
    ]


def test_warnings_of_both_stages_of_gin_are_kept() -> None:
    knocker = {"hand": KNOCKED + " 2H", "melds": SHOWN["melds"]}

    result = score("gin", [knocker, {"deadwood": 150}])

    assert codes(result) == ["W_HAND_COUNT", "W_DISCARD_UNKNOWN", "W_POINTS_IMPOSSIBLE"]


def test_a_family_keeps_earlier_findings() -> None:
    """Findings made before a family checks its round are still there afterwards."""
    for family, score_family in FAMILIES.items():
        for example in (one.values[0] for one in examples(family)):
            if "errors" in example or "outcome" in example:
                continue
            rules = PRESETS[example.get("preset", USUAL[family])]
            rules = rules.override(example.get("options", {}))
            facts, findings = load_round(body_of(family, example)).round, Findings([READ])

            score_family(facts, rules_of_round(facts, rules), findings)

            assert findings[0] == READ


def test_errors_refuse_a_round_and_warnings_are_kept() -> None:
    findings = Findings([READ])
    findings.refuse_errors()
    findings += (Problem("E_SET"), problem("W_HAND_COUNT"), Problem("E_RUN"))

    with pytest.raises(RuleError) as refused:
        findings.refuse_errors()

    assert [one.code for one in refused.value.problems] == ["E_SET", "E_RUN"]
    assert [one.code for one in findings] == ["W_SUIT_K_KREUZ", "E_SET", "W_HAND_COUNT", "E_RUN"]


@pytest.mark.parametrize("outcome", ["void", "cancelled"])
def test_warnings_from_reading_are_kept_for_a_round_without_score(outcome: str) -> None:
    result = score("gin", [{}, {}], outcome=outcome)

    assert codes(result) == (["W_CANCELLED"] if outcome == "cancelled" else [])
