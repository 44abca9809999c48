"""An evening of every further system over REST: recorded, settled, printed, shown on its pages."""

from typing import Any

import pytest

from rest import Table

GIN = {"outcome": "knock", "knocker": 0, "seats": [{"deadwood": 0}, {"deadwood": 120}]}
OUT = {"outcome": "out", "winner": 0, "seats": [{}, {"points": 20}, {"points": 35}]}
LAID = [{"laid_points": 510, "points": 0}, {"laid_points": 40, "points": 25}]
EVENINGS: dict[str, tuple[str, list[dict[str, Any]], dict[str, Any]]] = {
    "gin-american": ("AB", [GIN], {"over": True, "boxes": [1, 0], "final": [370, 0]}),
    "rummy-500": (
        "AB",
        [{"outcome": "count", "seats": LAID}],
        {"over": True, "ranking": [1, 2]},
    ),
    "rummy": ("ABC", [{**OUT, "hand_romme": True}], {"over": True, "ranking": [1, 2, 2]}),
    "contract-rummy": ("ABC", [OUT] * 7, {"over": True}),
    "shanghai": ("ABC", [OUT] * 9, {"over": False}),
    "continental": ("ABC", [OUT] * 7, {"over": True}),
    "kalooki-jamaica": ("ABC", [OUT] * 2, {"over": False}),
    "three-thirteen": ("ABC", [OUT] * 11, {"over": True}),
    "phases": (
        "ABC",
        [{**OUT, "seats": [{}, {"points": 20, "laid": True}, {"points": 35, "laid": False}]}],
        {"over": False, "rows_laid": [1, 1, 0]},
    ),
}


@pytest.mark.parametrize(("preset", "evening"), EVENINGS.items())
def test_an_evening_is_recorded_settled_and_printed(
    table: Table, preset: str, evening: tuple[str, list[dict[str, Any]], dict[str, Any]]
) -> None:
    players, rounds, expected = evening
    table.begin(preset, players, stake={"point_value": "1", "unit": "ct"})

    for one in rounds:
        answer = table.record(one)
        assert answer.status_code == 201, answer.json

    state = table.get("/games/{id}").json
    assert {name: state[name] for name in expected} == expected
    assert table.get("/games/{id}/settlement").status_code == 200
    assert table.get("/games/{id}/sheet.pdf").status_code == 200


def test_the_settlement_warns_where_the_winner_of_the_game_pays(table: Table) -> None:
    knock = {"outcome": "knock", "knocker": 0, "seats": [{"deadwood": 9}, {"deadwood": 10}]}
    loses = {"outcome": "knock", "knocker": 1, "seats": [{"deadwood": 98}, {"deadwood": 0}]}
    options = {"gin.game_bonus": 0, "gin.box_bonus": 100, "gin.extra_boxes": [0, 0, 0]}
    table.begin(players="AB", rules={"preset": "gin-american", "options": options})
    for one in (*[knock] * 3, loses):
        assert "warnings" not in table.get("/games/{id}/settlement").json
        table.record(one)

    settlement = table.get("/games/{id}/settlement").json

    assert settlement["balances"] == [80, -80]
    assert settlement["warnings"] == [
        {
            "code": "W_WINNER_PAYS",
            "message": "The win goes to B, but the money does not: the settlement goes by points.",
            "path": [],
            "facts": {"player": "B"},
        }
    ]


def test_the_next_deal_says_its_row_contract_and_wild_rank(table: Table) -> None:
    table.begin("three-thirteen", "ABC")

    first = table.record(OUT).json["next"]

    assert (first["plan_row"], first["cards"], first["wild"], first["need"]) == (2, 4, "4", "")


def test_another_row_of_the_plan_is_refused(table: Table) -> None:
    table.begin("contract-rummy", "ABC")

    refused = table.record({**OUT, "plan_row": 2})

    assert refused.status_code == 422
    assert [problem["code"] for problem in refused.json["problems"]] == ["E_PLAN_ROW"]


def test_striking_a_round_out_that_would_move_the_plan_is_refused(table: Table) -> None:
    table.begin("contract-rummy", "ABC")
    table.record(OUT)
    table.record(OUT)

    refused = table.call("DELETE", "/games/{id}/rounds/1", match=table.version)

    assert refused.status_code == 422
    assert [problem["code"] for problem in refused.json["problems"]] == ["E_PLAN_ROW"]


def test_eight_play_rummy_500(table: Table) -> None:
    table.begin("rummy-500", "ABCDEFGH")
    seats = [{"laid_points": 40}, *({"laid_points": 5, "points": 20} for _ in range(7))]

    answer = table.record({"outcome": "out", "winner": 0, "seats": seats})

    assert answer.status_code == 201
    assert answer.json["totals"][0]["net"] == 40
