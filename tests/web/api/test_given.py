"""Points without a round over REST."""

from typing import Any

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from rest import Table, codes
from scorekeeper.client import Server
from short import body
from web.api.conftest import whys

CENT = {"stake": {"point_value": "1", "unit": "ct"}}


@pytest.fixture
def table(app: Flask) -> Table:
    """Three players after a round of 0, 10 and 21 points, for a cent a point."""
    table = Table(app).begin(players="ABC", **CENT)
    table.record(body(0, 10, 21))
    return table


def give(table: Table, points: Any, **more: Any) -> TestResponse:
    more.setdefault("match", table.version)
    return table.post("/games/{id}/points", points, **more)


def minus(answer: TestResponse) -> list[int]:
    return [total["minus"] for total in answer.json["totals"]]


def amounts(table: Table) -> list[str]:
    settlement = table.get("/games/{id}/settlement").json
    return list(settlement["amounts"])


def test_a_penalty_is_listed_and_settled_against_everybody(table: Table) -> None:
    before = amounts(table)

    answer = give(table, {"side": 1, "minus": 20, "note": "showed a card"})

    assert answer.status_code == 201
    assert minus(answer) == [0, 30, 21]
    (one,) = answer.json["given"]
    assert (one["side"], one["minus"], one["plus"], one["start"]) == (1, 20, 0, False)
    assert (one["after_round"], one["note"]) == (1, "showed a card")
    assert (before, amounts(table)) == (["31", "1", "-32"], ["51", "-39", "-12"])


def test_a_present_is_taken_off_a_tally(table: Table) -> None:
    assert minus(give(table, {"side": 2, "minus": -21})) == [0, 10, 0]


def test_a_newcomer_starts_with_a_score_that_is_not_settled(table: Table) -> None:
    table.call("PATCH", "/games/{id}", {"player": {"name": "D"}}, match=table.version)

    answer = give(table, {"side": 3, "minus": 21, "start": True})

    assert minus(answer) == [0, 10, 21, 21]
    assert answer.json["given"][0]["start"] is True
    assert amounts(table) == ["31", "1", "-32", "0"]


def test_points_before_the_first_round_follow_none(app: Flask) -> None:
    table = Table(app).begin(players="AB")

    given = give(table, {"side": 0, "minus": 5}).json

    assert (given["given"][0]["after_round"], given["totals"][0]["minus"]) == (0, 5)
    assert given["rounds"] == []


def test_points_are_taken_back_by_their_number(table: Table) -> None:
    (one,) = give(table, {"side": 1, "minus": 20}).json["given"]
    path = f"/games/{{id}}/points/{one['number']}"

    taken = table.call("DELETE", path, match=table.version)
    again = table.call("DELETE", path, match=table.version)

    assert (taken.status_code, taken.json["given"], minus(taken)) == (200, [], [0, 10, 21])
    assert again.status_code == 404
    kinds = [one["kind"] for one in table.get("/games/{id}/history").json["changes"]]
    assert kinds[-2:] == ["given", "taken_back"]


@pytest.mark.parametrize(
    ("points", "code", "why", "place"),
    [
        ({"minus": 5}, "E_FORM", "missing", ["side"]),
        ({"side": 1}, "E_GIVEN", "none", []),
        ({"side": 5, "minus": 5}, "E_GIVEN", "side", ["side"]),
        ({"side": 1, "minus": -11}, "E_GIVEN", "too_much", ["minus"]),
        ({"side": 1, "plus": -1}, "E_GIVEN", "too_much", ["plus"]),
        ({"side": 1, "minus": 5, "start": True}, "E_GIVEN", "played", ["start"]),
        ({"side": 1, "minus": 10_000}, "E_FORM", "range", ["minus"]),
        ({"side": 1, "minus": "5"}, "E_FORM", "type", ["minus"]),
        ({"side": 1, "minus": 5, "note": "x" * 281}, "E_FORM", "length", ["note"]),
        ({"side": 1, "minus": 5, "seat": 1}, "E_FORM", "unknown", ["seat"]),
    ],
)
def test_what_cannot_be_given_is_refused_with_its_place(
    table: Table, points: Any, code: str, why: str, place: list[Any]
) -> None:
    assert whys(give(table, points)) == [(code, why, place)]


def test_points_that_must_add_up_to_zero_are_not_given(app: Flask) -> None:
    table = Table(app).begin("knock-rummy", players="ABC")

    assert whys(give(table, {"side": 0, "minus": 5})) == [("E_GIVEN", "balance", [])]


def test_points_need_the_pen_and_the_version(table: Table) -> None:
    points = {"side": 1, "minus": 20}

    assert give(table, points, secret=table.watch).status_code == 403
    assert give(table, points, secret="wrong").status_code == 404
    assert give(table, points, match=None).status_code == 428
    assert give(table, points, match="1").status_code == 412


def test_the_same_key_gives_them_once(table: Table) -> None:
    version, points = table.version, {"side": 1, "minus": 20}

    first = give(table, points, match=version, key="penalty")
    again = give(table, points, match=version, key="penalty")
    other = give(table, {"side": 2, "minus": 20}, match=version, key="penalty")

    assert minus(first) == minus(again) == [0, 30, 21]
    assert other.status_code == 422


def test_they_are_exported_and_imported(table: Table, other_app: Flask) -> None:
    give(table, {"side": 1, "minus": 20, "note": "showed a card"})
    before = table.get("/games/{id}").json

    there = Table(other_app)
    arrived = there.post("/games/import", table.get("/games/{id}/export.json").json)
    there.id, there.pen = arrived.json["id"], arrived.json["pen"]

    assert arrived.json["game"]["given"] == before["given"]
    assert arrived.json["game"]["totals"] == before["totals"]


def test_no_points_are_given_in_a_game_that_was_thrown_away(table: Table) -> None:
    table.call("PATCH", "/games/{id}", {"thrown_away": True}, match=table.version)

    assert codes(give(table, {"side": 1, "minus": 20})) == [("E_FRAME", [])]


def test_the_client_gives_points_and_takes_them_back(server: Server) -> None:
    game = server.new_game("Abend", "german-family", ["Anna", "Bernd"])

    given = game.give_points(1, minus=20, note="showed a card")
    taken = game.take_back_points(given["given"][0]["number"])

    assert [total["minus"] for total in given["totals"]] == [0, 20]
    assert taken["given"] == []
