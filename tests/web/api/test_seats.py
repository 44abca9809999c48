"""Who sits at the table over REST: three at gin, eight players, newcomers in a place."""

from typing import Any

import pytest
from flask import Flask

from rest import Table, codes
from scorekeeper.client import Server
from short import body
from web.api.conftest import whys

AWAY = {"absent": True}
RULES = {"preset": "gin-palast", "options": {"players.max": 3}}


@pytest.fixture
def three(app: Flask) -> Table:
    """Three at gin."""
    return Table(app).begin(players=("Anna", "Bernd", "Claire"), rules=RULES)


def knock(table: Table, knocker: int, *left: int | None) -> Any:
    seats = [AWAY if one is None else {"deadwood": one} for one in left]
    return table.record({"outcome": "knock", "knocker": knocker, "seats": seats})


def coming(table: Table) -> Any:
    return table.get("/games/{id}").json["next"]


def test_the_game_says_who_sits_out_next(three: Table) -> None:
    before = coming(three)
    answer = knock(three, 0, 5, None, 30)

    assert before == {"dealer": 0, "first": 2, "cards": 10, "present": [0, 2], "sits_out": 1}
    assert answer.status_code == 201
    assert answer.json["score"]["scores"][1] is None
    assert [total["plus"] for total in answer.json["totals"]] == [35, 0, 0]
    assert coming(three) == {"dealer": 1, "first": 0, "cards": 10, "present": [0, 1], "sits_out": 2}


def test_in_turn_is_an_option(app: Flask) -> None:
    rules = {"preset": "gin-palast", "options": {"players.max": 3, "gin.sits_out": "turn"}}
    table = Table(app).begin(players="ABC", rules=rules)
    knock(table, 0, 5, None, 30)

    assert (coming(table)["sits_out"], coming(table)["dealer"]) == (2, 1)


def test_who_sits_out_must_be_stated(three: Table) -> None:
    answer = knock(three, 0, 5, 20, 30)

    assert whys(answer) == [("E_FORM", "sits_out", ["seats"])]
    assert "sits out" in answer.json["problems"][0]["message"]


def test_the_settlement_is_over_all_three(three: Table) -> None:
    knock(three, 0, 5, None, 30)
    knock(three, 1, 20, 8, None)

    assert three.get("/games/{id}/settlement").json["balances"] == [13, 22, -35]


def test_elsewhere_nobody_sits_out(app: Flask) -> None:
    table = Table(app).begin(players="AB")

    assert coming(table)["sits_out"] is None
    assert coming(table)["present"] == [0, 1]


def test_without_a_game_a_round_of_three_is_scored(app: Flask) -> None:
    round_ = {"outcome": "knock", "knocker": 2, "seats": [{"deadwood": 24}, AWAY, {"deadwood": 6}]}
    body_ = {"rules": RULES, "players": 3, "round": round_}

    answer = Table(app).post("/rounds/score", body_).json

    assert [one and one["plus"] for one in answer["scores"]] == [0, None, 28]


def test_gin_for_three_is_asked_for(app: Flask) -> None:
    names = [{"name": name} for name in "ABC"]
    answer = Table(app).post(
        "/games", {"title": "", "rules": {"preset": "gin-palast"}, "players": names}
    )

    assert codes(answer) == [("E_CONFIG", ["players"])]


# ---- the order of seats at the table ---------------------------------------------------


def test_knock_rummy_is_scored_by_the_order_of_the_game_or_of_the_round(app: Flask) -> None:
    table = Table(app).begin(players="ABC", rules={"preset": "knock-rummy"})
    table.call("PATCH", "/games/{id}", {"order": [0, 2, 1]}, match=table.version)
    tied = {"outcome": "knock", "knocker": 0, "seats": [{"count": n} for n in (10, 5, 5)]}
    alone = {"rules": {"preset": "knock-rummy"}, "players": 3}

    preview = table.post("/games/{id}/rounds/preview", tied).json
    recorded = table.record(tied).json
    stated = table.record({**tied, "order": [0, 1, 2]}).json
    scored = [
        table.post("/rounds/score", {**alone, "round": one}).json
        for one in (tied, {**tied, "order": [0, 2, 1]})
    ]

    answers = (preview, recorded["score"], stated["score"], *scored)
    assert [answer["scores"][1]["plus"] for answer in answers] == [7, 7, 8, 8, 7]
    assert (recorded["round"]["order"], stated["round"]["order"]) == ([0, 2, 1], [0, 1, 2])
    refused = table.record({**tied, "order": [0, 2, 2]})
    assert whys(refused) == [("E_FORM", "duplicate", ["order", 2])]


# ---- a place at the table -----------------------------------------------------------------


def join(table: Table, **player: Any) -> Any:
    return table.call("PATCH", "/games/{id}", {"player": player}, match=table.version)


def test_a_newcomer_takes_the_place_of_who_leaves(app: Flask) -> None:
    table = Table(app).begin(players="ABCDEF")
    table.record(body(0, 10, 20, 30, 40, 50))

    full = join(table, name="G")
    answer = join(table, name="G", in_place_of=2)

    assert codes(full) == [("E_CONFIG", ["players"])]
    assert answer.status_code == 200
    assert [player["name"] for player in answer.json["players"]] == [*"ABCDEFG"]
    assert answer.json["order"] == [0, 1, 6, 2, 3, 4, 5]
    assert answer.json["next"]["present"] == [0, 1, 6, 3, 4, 5]
    history = table.get("/games/{id}/history").json["changes"]
    assert history[-1]["details"] == {"seat": 6, "in_place_of": 2}


@pytest.mark.parametrize(
    ("place", "found"),
    [
        (6, ("E_FORM", "no_place", ["player", "in_place_of"])),
        (12, ("E_FORM", "range", ["player", "in_place_of"])),
        ("2", ("E_FORM", "type", ["player", "in_place_of"])),
    ],
)
def test_a_place_is_that_of_a_player(app: Flask, place: Any, found: Any) -> None:
    table = Table(app).begin(players="ABCDEF")

    assert whys(join(table, name="G", in_place_of=place)) == [found]


@pytest.mark.parametrize("preset", ["scala-40", "german-family"])
def test_a_round_is_corrected_as_it_was_written_before_somebody_joined(
    app: Flask, preset: str
) -> None:
    table = Table(app).begin(preset, "ABC")
    table.record(body(0, 12, 7))
    table.call("PATCH", "/games/{id}", {"player": {"name": "D"}}, match=table.version)
    written = table.get("/games/{id}/rounds/1").json["round"]
    version, sent = table.version, written | {"note": "recounted"}

    first = table.call("PUT", "/games/{id}/rounds/1", sent, match=version, key="once")
    table.call("PATCH", "/games/{id}", {"player": {"name": "E"}}, match=table.version)
    again = table.call("PUT", "/games/{id}/rounds/1", sent, match=version, key="once")

    assert (first.status_code, again.status_code) == (200, 200)
    assert again.json["round"] == first.json["round"]
    assert first.json["round"]["seats"] == [*written["seats"], AWAY]
    assert first.json["score"]["scores"][3] is None
    assert whys(table.record(body(0, 12, 7))) == [("E_FORM", "seats", ["seats"])]


def test_a_corrected_phase_of_then_is_that_of_a_newcomer_too(app: Flask) -> None:
    table = Table(app).begin("phases", "ABC")
    table.record(
        {"outcome": "out", "winner": 0, "seats": [{}, *2 * [{"points": 15, "laid": False}]]}
    )
    table.call("PATCH", "/games/{id}", {"player": {"name": "D"}}, match=table.version)
    written = table.get("/games/{id}/rounds/1").json["round"]

    answer = table.call("PUT", "/games/{id}/rounds/1", written, match=table.version)

    assert answer.status_code == 200, answer.text
    assert len(answer.json["round"]["plan_row"]) == 4


def test_the_client_seats_newcomers(server: Server) -> None:
    game = server.new_game("Abend", "german-family", "ABCDEF")

    assert len(game.add_player("G", in_place_of=0)["players"]) == 7


# ---- eight players, and a round that nobody won -------------------------------------------


def test_eight_play_if_the_cards_suffice(app: Flask) -> None:
    rules = {"preset": "german-family", "options": {"players.max": 8}}
    table = Table(app).begin(players="ABCDEFGH", rules=rules)
    answer = table.record(body(0, *range(10, 80, 10)))

    assert answer.status_code == 201
    assert len(answer.json["totals"]) == 8


def test_otherwise_the_refusal_has_the_numbers(app: Flask) -> None:
    options = {"players.max": 8, "deck.packs": 1}
    answer = Table(app).post(
        "/rules/check", {"rules": {"preset": "german-family", "options": options}}
    )

    assert whys(answer) == [("E_CONFIG", "deck_too_small", ["rules", "options", "players.max"])]
    facts = answer.json["problems"][0]["facts"]
    assert (facts["players"], facts["needed"], facts["has"]) == (5, 65, 58)


def test_all_write_their_hands_if_nobody_is_out(app: Flask) -> None:
    rules = {"preset": "german-family", "options": {"stock.exhausted": "count"}}
    table = Table(app).begin(players="ABC", rules=rules)
    round_ = {"outcome": "count", "seats": [{"points": 12}, {"hand": "KH 5C"}, AWAY]}

    answer = table.record(round_)
    corrected = table.call("PUT", "/games/{id}/rounds/1", body(0, 12, 7), match=table.version)

    assert answer.json["score"]["winner"] is None
    assert [one and one["minus"] for one in answer.json["score"]["scores"]] == [12, 15, None]
    assert [total["minus"] for total in corrected.json["totals"]] == [0, 12, 7]
    assert [total["won"] for total in corrected.json["totals"]] == [1, 0, 0]
