"""Facts about single ranks: red aces, and the wild rank of a plan."""

from typing import Any

import pytest

from examples import score
from scorekeeper.domain.errors import RuleError

RED = {"preset": "wiener", "options": {"value.ace_red": 1, "value.ace_hand": 10}}
JAMAICA = {"preset": "kalooki-jamaica", "plan_row": 1, "winner": 0}
PLAN = {"preset": "three-thirteen", "plan_row": 1, "seats": [{}, {"points": 14}]}


def minus(family: str, example: dict[str, Any]) -> list[int]:
    return [one.minus for one in score(family, example).scores if one]


def refused(family: str, example: dict[str, Any]) -> list[str]:
    with pytest.raises(RuleError) as error:
        score(family, example)
    return [str(problem.facts.get("why")) for problem in error.value.problems]


def test_a_red_ace_kept_in_hand_has_its_own_value() -> None:
    hand = "QD 5H 5C 2S AH AC 3S KH KD KS 7C 8C 9C"

    assert minus("hand", {**RED, "seats": [{"points": 9}, {"hand": hand}]}) == [9, 36]


@pytest.mark.parametrize("name", ["hand", "rest"])
def test_an_ace_needs_its_suit_where_red_ones_count_differently(name: str) -> None:
    assert "ace" in refused("hand", {**RED, "seats": [{"points": 9}, {name: "A K"}]})


def test_a_single_red_ace_is_a_possible_hand() -> None:
    for family, rules in (("hand", RED), ("lay", JAMAICA)):
        seats = [{"points": 9} if family == "hand" else {}, {"points": 1}, {"points": 20}]
        scored = score(family, {**rules, "seats": seats})
        assert scored.scores[1] and scored.scores[1].minus == 1
        assert not scored.warnings


def test_another_wild_rank_than_that_of_the_plan_is_refused() -> None:
    assert minus("hand", {**PLAN, "wild": "3"}) == [0, 14]
    assert refused("hand", {**PLAN, "wild": "7"}) == ["wild"]
    assert refused("hand", {**PLAN, "wild": "JK"}) == ["wild"]
