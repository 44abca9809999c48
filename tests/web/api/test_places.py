"""A problem is placed where its cause stands in the body that was sent."""

from typing import Any

import pytest

from rest import Club, Table
from web.api.conftest import change, whys

RUMMY = {"outcome": "out", "winner": 0}


def begun(preset: str, **more: Any) -> dict[str, Any]:
    players = [{"name": name} for name in "AB"]
    return {"title": "", "rules": {"preset": preset}, "players": players, **more}


@pytest.mark.parametrize(("preset", "rest"), [("wiener", "K"), ("chinchon", "6")])
@pytest.mark.parametrize("name", ["rest", "points"])
def test_too_much_left_is_where_it_is_stated(
    nobody: Table, preset: str, rest: str, name: str
) -> None:
    winner = {name: rest if name == "rest" else 10}
    body = {**RUMMY, "seats": [winner, {"points": 20}]}

    answer = nobody.post(
        "/rounds/score", {"rules": {"preset": preset}, "players": 2, "round": body}
    )

    assert whys(answer) == [("E_REST_TOO_HIGH", None, ["round", "seats", 0, name])]


@pytest.mark.parametrize(
    ("preset", "term", "why"),
    [
        ("german-family", "rejoin_stake", "rejoin"),
        ("gin-american", "round_stake", "not_applicable"),
        ("knock-rummy", "round_stake", "not_applicable"),
    ],
)
def test_a_stake_that_does_not_apply_is_in_the_stake(
    nobody: Table, preset: str, term: str, why: str
) -> None:
    stake = {"stake": {term: "1"}}
    table = nobody.begin(preset, "AB")

    begins = nobody.post("/games", begun(preset, **stake))
    corrected = table.call("PATCH", "/games/{id}", stake, match=table.version)

    assert whys(begins) == whys(corrected) == [("E_CONFIG", why, ["stake", term])]


def test_a_correction_names_options_and_stake_where_each_was_sent(table: Table) -> None:
    body = {"options": {"end.rejoin": "highest"}, "stake": {"rejoin_stake": "1"}}

    answer = table.call("PATCH", "/games/{id}", body, match=table.version)

    assert whys(answer) == [
        ("E_CONFIG", "rejoin", ["options", "end.rejoin"]),
        ("E_CONFIG", "rejoin", ["stake", "rejoin_stake"]),
    ]


def test_the_first_dealer_is_not_in_the_rules(nobody: Table) -> None:
    answer = nobody.post("/games", begun("german-family", first_dealer=7))

    assert whys(answer) == [("E_CONFIG", "first_dealer", ["first_dealer"])]


@pytest.mark.parametrize(
    ("preset", "options", "why"),
    [
        ("gin-palast", {"deck.jokers": 2}, "joker_rule"),
        ("chinchon", {"deck.jokers": 2}, "ranks"),
        ("kalooki", {"ace.corner": True}, "ace_low"),
    ],
)
def test_options_that_contradict_each_other_are_placed_at_one_that_was_sent(
    nobody: Table, preset: str, options: dict[str, Any], why: str
) -> None:
    answer = nobody.post("/rules/check", {"rules": {"preset": preset, "options": options}})

    assert whys(answer) == [("E_CONFIG", why, ["rules", "options", *options])]


def test_of_several_that_were_sent_it_is_the_first_of_the_finding(nobody: Table) -> None:
    options = {"deck.jokers": 2, "gin.joker_rule": False}

    answer = nobody.post("/rules/check", {"rules": {"preset": "gin-palast", "options": options}})

    assert whys(answer) == [("E_CONFIG", "joker_rule", ["rules", "options", "gin.joker_rule"])]


@pytest.mark.parametrize("more", [{}, {"in_place_of": 1}])
@pytest.mark.parametrize(
    ("name", "why"), [("A", "same_name"), ("\N{GREEK CAPITAL LETTER ALPHA}", "lookalike")]
)
def test_a_name_that_is_taken_is_where_the_newcomer_is_named(
    table: Table, name: str, why: str, more: dict[str, Any]
) -> None:
    body = {"player": {"name": name, **more}}

    answer = table.call("PATCH", "/games/{id}", body, match=table.version)

    assert whys(answer) == [("E_FORM", why, ["player", "name"])]


@pytest.mark.parametrize(
    ("name", "why"), [("Anna", "same_name"), ("\N{GREEK CAPITAL LETTER ALPHA}nna", "lookalike")]
)
def test_a_name_that_another_member_has_is_the_only_one_sent(
    club: Club, name: str, why: str
) -> None:
    found = [("E_FORM", why, ["name"])]

    assert whys(change(club, "POST", "/members", {"name": name})) == found
    assert whys(change(club, "PATCH", "/members/1", {"name": name})) == found


def test_a_name_that_is_taken_at_one_evening_is_the_only_one_sent(club: Club) -> None:
    club.evening(points=(0, 10, 25))
    change(club, "PATCH", "/members/2", {"name": "Karl"})

    refused = change(club, "PATCH", "/members/1", {"name": "Carl", "everywhere": True})

    assert whys(refused) == [("E_FORM", "same_name", ["name"])]


def test_a_newcomer_who_looks_like_a_member_is_named_once(club: Club) -> None:
    table = club.evening("Anna", "Ben")
    body = {"player": {"name": "\N{GREEK CAPITAL LETTER ALPHA}nna"}}

    alike = table.call("PATCH", "/games/{id}", body, match=table.version)

    assert whys(alike) == [("E_FORM", "lookalike", ["player", "name"])]


def test_totals_that_do_not_add_up_to_zero_are_the_totals(nobody: Table) -> None:
    body = {"measure": "net", "mode": "balance", "totals": [35, 0, 0], "point_value": "1"}

    answer = nobody.post("/settlements", body)

    assert whys(answer) == [("E_NOT_ZERO_SUM", None, ["totals"])]
