"""Games over REST: create, read, change, settle, export."""

import csv
import io
import secrets
from typing import Any

import pytest
from flask import Flask
from pypdf import PdfReader

import short
from rest import QUICK, Table, codes

# ---- beginning -----------------------------------------------------------------------


def test_a_game_begins_with_two_secrets_and_everything_resolved(nobody: Table) -> None:
    stake = {"point_value": "0.5", "unit": "ct", "payable": "5"}
    body = {
        "title": "  Abend zu dritt ",
        "place": "Küche",
        "rules": {"preset": "luxembourg"},
        "players": [{"name": name} for name in ("Anna", "Bernd", "Zoé")],
        "stake": stake,
    }

    answer = nobody.post("/games", body, secret="")

    assert answer.status_code == 201
    assert answer.headers["Cache-Control"] == "no-store"
    game = answer.json["game"]
    assert answer.headers["Location"].endswith(f"/games/{game['id']}")
    assert answer.json["pen"] != answer.json["watch"]
    assert (game["title"], game["place"]) == ("Abend zu dritt", "Küche")
    assert game["players"] == [{"name": "Anna"}, {"name": "Bernd"}, {"name": "Zoé"}]
    assert game["rules"]["options"]["settle.point_value"] == "1/2"
    next_ = {"dealer": 0, "first": 1, "cards": 7, "present": [0, 1, 2], "sits_out": None}
    assert game["next"] == next_
    assert (game["leader"], game["ranking"]) == (None, [None] * 3)


GAME = {"title": "x", "rules": {"preset": "robber"}, "players": [{"name": "A"}, {"name": "B"}]}


@pytest.mark.parametrize(
    ("change", "code", "place"),
    [
        ({"players": [{"name": "A"}]}, "E_CONFIG", ["players"]),
        ({"players": [{"name": n} for n in "ABCDEFGHI"]}, "E_FORM", ["players"]),
        ({"players": [{"name": "A"}, {"name": "A"}]}, "E_FORM", ["players", 1, "name"]),
        ({"players": [{"name": "A"}, {"name": "B\u202e"}]}, "E_FORM", ["players", 1, "name"]),
        ({"players": [{"name": "A"}, {"name": "x" * 41}]}, "E_FORM", ["players", 1, "name"]),
        ({"players": "AB"}, "E_FORM", ["players"]),
        ({"title": None}, "E_FORM", ["title"]),
        ({"title": "x" * 81}, "E_FORM", ["title"]),
        ({"stake": {"point_value": 0.1}}, "E_CONFIG", ["stake", "point_value"]),
        ({"stake": {"point_value": 0}}, "E_CONFIG", ["stake", "point_value"]),  # money is text
        ({"stake": {"payable": 5}}, "E_CONFIG", ["stake", "payable"]),
        (
            {"rules": {"preset": "robber", "options": {"settle.point_value": 0}}},
            "E_CONFIG",
            ["rules", "options", "settle.point_value"],
        ),
        ({"stake": {"payable": "0"}}, "E_CONFIG", ["stake", "payable"]),
        ({"stake": {"currency": "Pf"}}, "E_FORM", ["stake", "currency"]),
        ({"rules": {"preset": "robber", "options": {"deck.packs": 99}}}, "E_CONFIG", ["rules"]),
    ],
)
def test_an_invalid_game_is_refused_with_its_place(
    nobody: Table, change: Any, code: str, place: list[Any]
) -> None:
    answer = nobody.post("/games", {**GAME, **change})

    assert answer.status_code == 422
    assert codes(answer)[0][0] == code
    assert codes(answer)[0][1][: len(place)] == place


# ---- changing ------------------------------------------------------------------------


def test_title_place_end_and_players_can_change_but_not_the_rules(table: Table) -> None:
    table.record(QUICK)

    words = table.call("PATCH", "/games/{id}", {"title": "Neu", "place": "Hof"}, match="2").json
    ended = table.call("PATCH", "/games/{id}", {"over": True}, match="3").json
    again = table.call("PATCH", "/games/{id}", {"over": False}, match="4").json
    five = table.call("PATCH", "/games/{id}", {"player": {"name": "E"}}, match="5").json
    rules = table.call("PATCH", "/games/{id}", {"rules": {"preset": "robber"}}, match="6")

    assert (words["title"], words["place"]) == ("Neu", "Hof")
    assert (ended["over"], ended["ending"]["why"]) == (True, "players")
    assert (again["over"], again["ending"]) == (False, None)
    assert [player["name"] for player in five["players"]] == list("ABCDE")
    assert five["totals"][4]["played"] == 0
    assert codes(rules) == [("E_FORM", ["rules"])]


@pytest.mark.parametrize("body", [{}, {"title": "x", "over": True}, {"over": None}, {"player": {}}])
def test_a_request_changes_one_thing(table: Table, body: Any) -> None:
    answer = table.call("PATCH", "/games/{id}", body, match="1")

    assert (answer.status_code, table.version) == (422, "1")


def test_a_game_ends_when_the_limit_is_passed(nobody: Table) -> None:  # L10
    nobody.begin("romme-palast", "AB", rules={"preset": "romme-palast"})
    for points in (450, 51):
        answer = nobody.record(short.body(0, points))

    assert answer.json["over"]
    assert answer.json["ending"] == {
        "why": "points",
        "early": False,
        "limit": 500,
        "sides": [1],
        "winner": None,
    }


def test_the_history_lists_all_changes_with_their_right(table: Table) -> None:
    table.record({**QUICK, "note": "erste"})
    table.call("DELETE", "/games/{id}/rounds/1", match="2")

    changes = table.get("/games/{id}/history").json["changes"]

    assert [(c["number"], c["kind"], c["by"]) for c in changes] == [
        (1, "created", "pen"),
        (2, "round", "pen"),
        (3, "struck", "pen"),
    ]
    assert changes[0]["words"]["name.3"] == "D"
    assert (changes[1]["before"], changes[1]["after"]["number"]) == (None, 1)
    assert (changes[2]["before"]["struck_at"], bool(changes[2]["after"]["struck_at"])) == (
        None,
        True,
    )


GAME = {
    "title": "",
    "rules": {"preset": "german-family"},
    "players": [{"name": name} for name in "ABCD"],
}


# ---- who deals first -----------------------------------------------------------------


def test_the_first_dealer_is_chosen_by_seat(nobody: Table) -> None:  # RULES 3.1
    game = nobody.begin(first_dealer=2).get("/games/{id}").json

    assert (game["first_dealer"], game["next"]["dealer"], game["next"]["first"]) == (2, 2, 3)
    assert game["rules"]["options"]["deal.first_dealer"] == 2


def test_the_first_dealer_is_drawn_once_and_stays_in_the_record(
    nobody: Table, monkeypatch: pytest.MonkeyPatch
) -> None:  # RULES 3.1
    drawn: list[int] = []
    monkeypatch.setattr(secrets, "randbelow", lambda n: drawn.append(n) or n - 1)

    game = nobody.begin(first_dealer="draw").get("/games/{id}").json
    nobody.record(QUICK)
    export = nobody.get("/games/{id}/export.json").json
    created = nobody.get("/games/{id}/history").json["changes"][0]

    assert drawn == [4]
    assert game["first_dealer"] == created["details"]["dealer"] == 3
    assert nobody.get("/games/{id}").json["rounds"][0]["dealer"] == 3
    assert export["events"][0]["payload"]["dealer"] == 3


@pytest.mark.parametrize("first", [6, -1, "me", 1.0, True, None])
def test_a_first_dealer_is_a_seat_or_a_draw(nobody: Table, first: object) -> None:
    refused = nobody.call("POST", "/games", {**GAME, "first_dealer": first})

    assert refused.status_code == 422
    assert codes(refused)[0][1] == ["first_dealer"]


def test_the_first_dealer_must_be_a_seat_of_the_game(nobody: Table) -> None:
    refused = nobody.call("POST", "/games", {**GAME, "first_dealer": 4})

    assert codes(refused) == [("E_CONFIG", ["first_dealer"])]
    assert "Player 5" in refused.json["problems"][0]["message"]


# ---- settling ------------------------------------------------------------------------


def test_without_a_point_value_there_are_points_and_no_money(nobody: Table) -> None:
    nobody.begin("romme-palast")
    nobody.record(QUICK)

    answer = nobody.get("/games/{id}/settlement").json

    assert answer["balances"] == [107, 59, -33, -133]
    assert answer["point_value"] is answer["amounts"] is answer["transfers"] is None


def test_a_settlement_may_be_switched_off(nobody: Table) -> None:
    rules = {"preset": "german-family", "options": {"settle.mode": "none"}}
    nobody.begin(rules=rules)
    nobody.record(QUICK)

    answer = nobody.get("/games/{id}/settlement").json

    assert (answer["mode"], answer["totals"]) == ("none", [0, 12, 35, 60])
    assert answer["balances"] is answer["pairs"] is None


def test_the_stake_of_the_table_is_paid_when_the_game_is_over(nobody: Table) -> None:  # RULES 9.7
    rules = {"preset": "german-family", "options": {"settle.mode": "none"}}
    nobody.begin(rules=rules, stake={"stake": "5", "unit": "EUR", "payable": "1/100"})
    nobody.record(QUICK)

    running = nobody.get("/games/{id}/settlement").json
    nobody.call("PATCH", "/games/{id}", {"over": True}, match="2")
    over = nobody.get("/games/{id}/settlement").json

    assert (running["stake"], running["stakes"]) == ("5", ["0", "0", "0", "0"])
    assert running["transfers"] == []
    assert over["stakes"] == over["amounts"] == ["15", "-5", "-5", "-5"]
    assert over["balances"] is over["pairs"] is None
    paid = [(one["from"], one["to"], one["amount"]) for one in over["transfers"]]
    assert paid == [(1, 0, "5"), (2, 0, "5"), (3, 0, "5")]
    table = nobody.get("/games/{id}/export.csv?table=settlements").text.splitlines()
    assert table[0].removeprefix("\ufeff").startswith("player,points,stake,amount")
    assert table[1].startswith("A,,15,15,")


def test_totals_alone_settle_a_stake_for_the_best_or_for_those_named(nobody: Table) -> None:
    body = {"measure": "minus", "totals": [20, 30, 20], "stake": "10", "mode": "none"}

    best = nobody.call("POST", "/settlements", body).json
    named = nobody.call("POST", "/settlements", {**body, "winners": [1]}).json
    beyond = nobody.call("POST", "/settlements", {**body, "winners": [1, 3]})

    assert (best["stakes"], named["stakes"]) == (["5", "-10", "5"], ["-10", "20", "-10"])
    assert codes(beyond) == [("E_FORM", ["winners", 1])]


def test_a_payment_is_marked_as_paid_and_unmarked(table: Table) -> None:
    table.record(QUICK)
    path = "/games/{id}/settlement/transfers/0"

    ticked = table.call("PUT", path, {"paid": True}, match="2").json
    taken_back = table.call("PUT", path, {"paid": False}, match="3").json

    assert ticked["transfers"][0]["paid_at"]
    assert taken_back["transfers"][0]["paid_at"] is None
    assert table.call("PUT", path[:-1] + "9", {"paid": True}, match="4").status_code == 404


PAYMENTS = "/games/{id}/export.csv?table=payments"


def test_a_payment_stays_made_after_a_correction(table: Table) -> None:  # S13
    table.begin(stake={"point_value": "1", "unit": "ct"})
    table.record(short.body(0, 10, 20, 30))
    path = "/games/{id}/settlement/transfers/0"
    table.call("PUT", path, {"paid": True}, match="2")
    table.call("PUT", "/games/{id}/rounds/1", short.body(0, 10, 20, 50), match="3")

    settlement = table.get("/games/{id}/settlement").json
    assert settlement["payable_amounts"] == ["80", "40", "0", "-120"]
    assert [(one["from"], one["to"], one["amount"]) for one in settlement["transfers"]] == [
        (3, 0, "60"),
        (3, 1, "40"),
        (3, 0, "20"),
    ]
    assert [bool(one["paid_at"]) for one in settlement["transfers"]] == [True, False, False]
    rows = list(csv.DictReader(io.StringIO(table.get(PAYMENTS).text.lstrip("\ufeff"))))
    assert [(row["from"], row["to"], bool(row["paid"])) for row in rows] == [
        ("D", "A", True),
        ("D", "B", False),
        ("D", "A", False),
    ]
    taken_back = table.call("PUT", path, {"paid": False}, match="4").json
    assert [(one["amount"], one["paid_at"]) for one in taken_back["transfers"]] == [
        ("80", None),
        ("40", None),
    ]


@pytest.mark.parametrize(
    ("stake", "amounts"),
    [
        ({"unit": "EUR"}, ["17/20", "1/10"]),
        ({"unit": "€"}, ["17/20", "1/10"]),
        ({"unit": "EUR", "payable": "1"}, ["1"]),
        ({"unit": "ct"}, ["1"]),
    ],
)
def test_money_is_paid_to_the_smallest_coin(  # S12
    nobody: Table, stake: dict[str, str], amounts: list[str]
) -> None:
    table = nobody.begin(stake={"point_value": "0.05", **stake}, players="ABC")
    table.record(short.body(0, 7, 12))
    question = {"measure": "minus", "totals": [0, 7, 12], "point_value": "0.05", **stake}

    game = table.get("/games/{id}/settlement").json
    alone = nobody.call("POST", "/settlements", question).json
    assert [one["amount"] for one in game["transfers"]] == amounts
    assert [one["amount"] for one in alone["transfers"]] == amounts


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"measure": "minus", "mode": "balance", "totals": [1, 2]}, "E_NOT_ZERO_SUM"),
        ({"measure": "points", "totals": [1, 2]}, "E_FORM"),
        ({"measure": "minus", "totals": [1]}, "E_FORM"),
        ({"measure": "minus", "totals": [1, 2.0]}, "E_FORM"),
        ({"measure": "minus", "totals": [1, 2], "point_value": "-1"}, "E_CONFIG"),
        ({"measure": "minus", "totals": [1, 2], "payable": "1e9"}, "E_CONFIG"),
    ],
)
def test_invalid_totals_are_refused(nobody: Table, body: Any, code: str) -> None:
    answer = nobody.post("/settlements", body)

    assert answer.status_code == 422
    assert codes(answer)[0][0] == code


def test_balances_are_settled_unchanged(nobody: Table) -> None:  # S05
    body = {"measure": "net", "mode": "balance", "totals": [22, -7, -15]}

    answer = nobody.post("/settlements", {**body, "point_value": "2", "unit": "ct"}).json

    assert answer["pairs"] is None
    assert answer["transfers"] == [
        {"from": 2, "to": 0, "amount": "30"},
        {"from": 1, "to": 0, "amount": "14"},
    ]


# ---- in and out ----------------------------------------------------------------------


def test_the_sheet_is_printed_in_the_requested_language(table: Table) -> None:
    table.record(QUICK)

    paper = table.get("/games/{id}/sheet.pdf?lang=lb")

    assert paper.mimetype == "application/pdf"
    assert "filename*=UTF-8''Romm%C3%A9%20" in paper.headers["Content-Disposition"]
    text = PdfReader(io.BytesIO(paper.data)).pages[0].extract_text()
    assert "60" in text
    assert table.get("/games/{id}/sheet.pdf?size=A0").status_code == 422
    assert table.get("/games/{id}/sheet.pdf?lang=it").status_code == 422


def test_a_spreadsheet_evaluates_no_text_as_a_formula(nobody: Table) -> None:
    nobody.begin(players="AB", rules={"preset": "german-family"})
    nobody.call("PATCH", "/games/{id}", {"player": {"name": "=1+1"}}, match="1")
    seats = [{}, {"points": 12}, {"points": 35}]
    nobody.record({"outcome": "out", "winner": 2, "seats": seats[::-1], "note": "@SUM(A1)"})

    head, row, total = csv.reader(
        io.StringIO(nobody.get("/games/{id}/export.csv").data.decode("utf-8-sig"))
    )

    assert head[-4:] == ["'=1+1 minus", "'=1+1 plus", "note", "record"]
    assert (row[4], row[-2]) == ("'=1+1", "'@SUM(A1)")
    assert total[5:-2] == ["35", "0", "12", "0", "0", "0"]


def test_a_game_is_exported_and_imported_without_loss(table: Table, other_app: Flask) -> None:  # B3
    table.record(QUICK)
    table.call("DELETE", "/games/{id}/rounds/1", match="2")
    export = table.get("/games/{id}/export.json").json
    elsewhere = Table(other_app)

    arrived = elsewhere.post("/games/import", export)

    assert arrived.status_code == 201
    elsewhere.id, elsewhere.pen = arrived.json["id"], arrived.json["pen"]
    assert elsewhere.pen != table.pen
    assert elsewhere.get("/games/{id}/export.json").json == export
    assert elsewhere.get("/games/{id}").json == table.get("/games/{id}").json
    assert elsewhere.get("/games/{id}", secret=table.pen).status_code == 404

    twice = elsewhere.post("/games/import", export)

    assert codes(twice) == [("E_IMPORT", [])]
    assert table.id in twice.json["detail"]


def _forged(export: Any) -> Any:
    export["events"][1]["payload"]["round"]["winner"] = 1


def _hostile(export: Any) -> Any:
    export["texts"]["1"]["name.0"] = "A\u202e"


def _strange(export: Any) -> Any:
    export["texts"] = [1]


def _empty(export: Any) -> Any:
    export["events"] = []


@pytest.mark.parametrize(
    ("harm", "found"),
    [
        (_forged, ("E_IMPORT", [])),
        (_hostile, ("E_FORM", ["texts", "1", "name.0"])),
        (_strange, ("E_IMPORT", [])),
        (_empty, ("E_IMPORT", [])),
        (dict.clear, ("E_IMPORT", [])),
    ],
)
def test_an_incomplete_or_altered_game_is_not_imported(
    table: Table, harm: Any, found: tuple[str, list[Any]]
) -> None:
    table.record(QUICK)
    export = table.get("/games/{id}/export.json").json
    harm(export)

    answer = table.post("/games/import", export)

    assert answer.status_code == 422
    assert codes(answer) == [found]


def test_a_large_evening_can_be_imported(app: Flask, table: Table) -> None:
    for _ in range(60):
        table.record({**QUICK, "note": "n" * 280})
    export = table.get("/games/{id}/export.json").data

    assert len(export) > app.config["MAX_CONTENT_LENGTH"] / 2
    assert codes(table.call("POST", "/games/import", data=export + b" " * 65_536, **JSON)) == [
        ("E_IMPORT", [])
    ]
    assert table.call("POST", "/games/import", data=b" " * 5_000_000, **JSON).status_code == 413


JSON = {"content_type": "application/json"}
