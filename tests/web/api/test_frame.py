"""The frame of an evening over REST."""

import pytest
from flask import Flask

from rest import QUICK, Table, codes


@pytest.fixture
def table(app: Flask) -> Table:
    table = Table(app).begin()
    table.record(QUICK, key="first")
    return table


def patch(table: Table, body: object, **more: object):
    return table.call("PATCH", "/games/{id}", body, match=table.version, **more)


@pytest.fixture
def corrected(table: Table):
    body = {
        "began": "2026-01-02T18:30:00Z",
        "players": [{}, {"name": "Berta"}],
        "order": [0, 2, 1, 3],
        "dealers": [{"round": 1, "seat": 2}],
        "options": {"hand_romme.factor": 3},
        "stake": {"point_value": "1/2"},
        "title": "Freitag",
    }
    return patch(table, body)


def test_all_of_it_is_one_change(table, corrected):
    game = corrected.json

    assert corrected.status_code == 200
    assert (game["version"], game["title"], game["created_at"]) == (
        3,
        "Freitag",
        "2026-01-02T18:30:00Z",
    )
    assert [player["name"] for player in game["players"]] == ["A", "Berta", "C", "D"]
    assert game["order"] == [0, 2, 1, 3]
    assert (game["rounds"][0]["dealer"], game["next"]["dealer"]) == (2, 1)
    assert game["rules"]["options"]["hand_romme.factor"] == 3
    assert game["rounds"][0]["options"]["hand_romme.factor"] == 2
    assert "options" in table.get("/games/{id}/rounds/1").json


@pytest.mark.parametrize(
    "body, code, path",
    [
        ({"began": "yesterday"}, "E_FORM", ["began"]),
        ({"began": "2026-02-30T20:00:00Z"}, "E_FORM", ["began"]),
        ({"began": "1066-10-14T09:00:00Z"}, "E_FORM", ["began"]),
        ({"began": 5}, "E_FORM", ["began"]),
        ({"began": "2999-01-01T00:00:00Z"}, "E_FRAME", ["began"]),
        ({"players": [{"name": ""}]}, "E_FORM", ["players", 0, "name"]),
        ({"players": [{"name": "B"}]}, "E_FORM", ["players", 1, "name"]),
        ({"players": [{}, {}, {}, {}, {"name": "E"}]}, "E_FRAME", ["players", 4]),
        ({"order": [0, 1]}, "E_FRAME", ["order"]),
        ({"order": "0123"}, "E_FORM", ["order"]),
        ({"dealers": [{"round": 9, "seat": 0}]}, "E_FRAME", ["dealers"]),
        ({"dealers": [{"round": 1}]}, "E_FORM", ["dealers", 0, "seat"]),
        ({"options": {"no.such": 1}}, "E_CONFIG", ["options", "no.such"]),
        ({"options": {"deck.packs": 99}}, "E_CONFIG", ["options", "deck.packs"]),
        ({"options": {"score.mode": "minus_plus"}}, "E_FRAME", ["options", "score.mode"]),
        ({"stake": {"point_value": "x"}}, "E_CONFIG", ["stake", "point_value"]),
        ({"over": True, "title": "x"}, "E_FORM", []),
        ({"thrown_away": True, "began": "2026-01-02T18:30:00Z"}, "E_FORM", []),
        ({"thrown_away": "yes"}, "E_FORM", ["thrown_away"]),
    ],
)
def test_what_cannot_be_is_refused_with_its_place(table, body, code, path):
    answer = patch(table, body)

    assert answer.status_code == 422
    assert codes(answer) == [(code, path)]
    assert table.get("/games/{id}").json["version"] == 2


def test_a_missed_round_is_inserted(table):
    missed = {"outcome": "out", "winner": 1, "seats": [{"points": 1}, {}, {"points": 2}, {}]}
    missed["seats"][3] = {"points": 3}
    answer = table.call("POST", "/games/{id}/rounds/1/insert", missed, match=table.version, key="m")

    assert (answer.status_code, answer.json["number"]) == (201, 1)
    again = table.call("POST", "/games/{id}/rounds/1/insert", missed, match="2", key="m")
    assert again.json == answer.json
    rounds = table.get("/games/{id}").json["rounds"]
    assert [one["score"]["winner"] for one in rounds] == [1, QUICK["winner"]]
    late = table.call("POST", "/games/{id}/rounds/9/insert", missed, match=table.version)
    assert late.status_code == 404


def test_an_evening_in_the_bin_is_read_and_brought_back_but_takes_no_round(table):
    assert patch(table, {"thrown_away": True}).json["thrown_away_at"]
    assert codes(table.record(QUICK, key="another")) == [("E_FRAME", [])]
    assert codes(table.post("/games/{id}/rounds/preview", QUICK)) == [("E_FRAME", [])]
    assert table.get("/games/{id}/settlement").status_code == 200
    assert patch(table, {"thrown_away": False}).json["thrown_away_at"] is None
    assert table.post("/games/{id}/rounds/preview", QUICK).status_code == 200
    assert table.record(QUICK, key="another").status_code == 201


def test_an_outdated_version_changes_nothing(table):
    answer = table.call("PATCH", "/games/{id}", {"began": "2026-01-02T18:30:00Z"}, match="1")

    assert answer.status_code == 412


# ---- one clause after the other ------------------------------------------------------


def of(game, *path):
    for step in path:
        game = game[step]
    return game


@pytest.mark.parametrize(
    ("body", "path", "now"),
    [
        ({"players": [{}, {"name": "Berta"}]}, ("players", 1, "name"), "Berta"),
        ({"began": "2026-01-02T18:30:00Z"}, ("created_at",), "2026-01-02T18:30:00Z"),
        ({"order": [0, 2, 1, 3]}, ("order",), [0, 2, 1, 3]),
        ({"dealers": [{"round": 1, "seat": 3}]}, ("rounds", 0, "dealer"), 3),
        ({"dealers": [{"round": 2, "seat": 3}]}, ("next", "dealer"), 3),
        ({"stake": {"point_value": "1/2"}}, ("rules", "options", "settle.point_value"), "1/2"),
        ({"options": {"meld.first_min": 50}}, ("rules", "options", "meld.first_min"), 50),
        ({"thrown_away": True}, ("latest",), "thrown_away"),
    ],
)
def test_each_part_is_corrected_alone_and_stands_in_the_history(table, body, path, now):
    game = patch(table, body).json
    last = table.get("/games/{id}/history").json["changes"][-1]

    assert last["kind"] == ("thrown_away" if "thrown_away" in body else "frame")
    assert path == ("latest",) or of(game, *path) == now
    assert game["version"] == last["number"] == 3


def test_before_the_first_round_first_dealer_and_rules_may_change(app: Flask):
    table = Table(app).begin()
    body = {"dealers": [{"round": 1, "seat": 2}], "options": {"score.mode": "minus_plus"}}

    game = patch(table, body).json
    played = table.record(QUICK).json

    assert game["next"]["dealer"] == 2
    assert played["dealer"] == 2
    assert played["score"]["scores"][QUICK["winner"]]["plus"] > 0


def test_a_later_house_rule_counts_from_the_next_round_on(table):
    patch(table, {"options": {"hand_romme.factor": 3}})
    table.record({**QUICK, "hand_romme": True}, key="second")
    first, second = table.get("/games/{id}").json["rounds"]

    assert first["options"]["hand_romme.factor"] == 2
    assert "options" not in second or second["options"] in ({}, None)
    before, after = (one["score"]["scores"][1]["minus"] for one in (first, second))
    assert after == 3 * before


def test_the_stake_stays_once_something_was_paid(table):
    patch(table, {"stake": {"point_value": "1", "unit": "ct"}})
    path = "/games/{id}/settlement/transfers/0"
    paid = table.call("PUT", path, {"paid": True}, match=table.version)

    refused = patch(table, {"stake": {"point_value": "2"}})

    assert paid.status_code == 200
    assert codes(refused) == [("E_FRAME", ["options", "settle.point_value"])]
