"""The rules of an evening that states none, or only a stake."""

from typing import Any

import pytest
from flask import Flask

from rest import Club
from web.api.conftest import change, whys


def test_without_house_rules_an_evening_uses_the_last_rules(app: Flask) -> None:
    club = Club(app)
    answer = club.post("/groups", {"name": "Neu"})
    club.id, club.pen = answer.json["id"], answer.json["pen"]
    players = {"players": [{"name": "A"}, {"name": "B"}]}
    nothing = club.post("/groups/{id}/games", players)
    club.evening("A", "B", rules={"preset": "robber"})

    assert whys(nothing) == [("E_GROUP", "no_rules", ["rules"])]
    assert club.evening("A", "B").get("/games/{id}").json["rules"]["preset"] == "robber"


def test_a_stake_alone_changes_that_of_the_usual_rules(club: Club) -> None:
    rules = {"preset": "german-family", "options": {"joker.hand_value": 50}}
    change(club, "PATCH", "", {"rules": rules, "stake": {"point_value": "1/10", "unit": "ct"}})

    stated = club.evening(stake={"point_value": "2"}).get("/games/{id}").json["rules"]["options"]
    usual = club.evening(stake={}).get("/games/{id}").json["rules"]["options"]

    assert (stated["settle.point_value"], stated["settle.unit"]) == ("2", "ct")
    assert stated["joker.hand_value"] == 50
    assert stated == usual | {"settle.point_value": "2"}


def test_a_stake_alone_changes_that_of_the_last_evening(club: Club) -> None:
    answer = club.post("/groups", {"name": "Neu"})
    club.id, club.pen = answer.json["id"], answer.json["pen"]
    players = {"players": [{"name": "Anna"}, {"name": "Ben"}]}
    nothing = club.post("/groups/{id}/games", {**players, "stake": {"point_value": "2"}})
    club.evening(rules={"preset": "robber"}, stake={"point_value": "1", "unit": "Pf"})

    rules = club.evening(stake={"point_value": "2"}).get("/games/{id}").json["rules"]

    assert whys(nothing) == [("E_GROUP", "no_rules", ["rules"])]
    assert rules["preset"] == "robber"
    assert (rules["options"]["settle.point_value"], rules["options"]["settle.unit"]) == ("2", "Pf")


@pytest.mark.parametrize("played", [{}, {"stake": {}}])
def test_a_usual_evening_sent_twice_is_one_evening(club: Club, played: Any) -> None:
    body = {"players": [{"name": "Anna"}, {"name": "Ben"}], **played}
    first = club.post("/groups/{id}/games", body, key="once")
    change(club, "PATCH", "", {"rules": {"preset": "robber"}})

    again = club.post("/groups/{id}/games", body, key="once")

    assert again.json["id"] == first.json["id"]
