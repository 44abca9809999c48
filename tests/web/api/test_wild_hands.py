"""Questions about hands and melds of a round in which another rank is wild."""

from typing import Any

import pytest
from flask import Flask

from rest import Table, codes


def ask(app: Flask, what: str, preset: str, cards: str, **facts: Any) -> Any:
    body = {"rules": {"preset": preset}, "cards": cards, **facts}
    return Table(app).post(what, body, secret="")


def test_a_hand_is_arranged_with_the_wild_rank_of_its_row(app: Flask) -> None:  # N78
    hand = {"preset": "three-thirteen", "cards": "3H KD KS"}

    assert ask(app, "/hands/arrange", **hand, plan_row=1).json["points"] == 0
    assert ask(app, "/hands/arrange", **hand, plan_row=2).json["points"] == 23


def test_a_hand_is_arranged_with_the_rank_that_was_cut(app: Flask) -> None:  # N44
    hand = {"preset": "indian-points", "cards": "4H 5H 6H 9C 10C QC JK 2S 2D 2H KC 9D 3S"}

    assert ask(app, "/hands/arrange", **hand, wild="7").json["points"] == 12
    aces = ask(app, "/melds/check", "indian-points", "9C AD JC", wild="JK")
    assert aces.json["valid"]
    assert not ask(app, "/melds/check", "indian-points", "9C AD JC", wild="7").json["valid"]


@pytest.mark.parametrize(
    ("preset", "facts", "code"),
    [
        ("scala-40", {"wild": "7"}, "E_RULE_OFF"),
        ("three-thirteen", {"wild": "7"}, "E_RULE_OFF"),
        ("three-thirteen", {"plan_row": 12}, "E_PLAN_ROW"),
    ],
)
def test_a_wild_rank_that_the_rules_do_not_have_is_refused(
    app: Flask, preset: str, facts: dict[str, Any], code: str
) -> None:
    answer = ask(app, "/hands/arrange", preset, "3H KD KS", **facts)

    assert answer.status_code == 422
    assert codes(answer) == [(code, [next(iter(facts))])]
