"""Members over REST: retiring, coming back, renaming everywhere."""

from typing import Any

import pytest
from flask import Flask

import short
from rest import Club, Table
from scorekeeper.client import Server
from web.api.conftest import change, whys


def retired(club: Club) -> list[int]:
    members = club.get("/groups/{id}").json["members"]
    return [member["index"] for member in members if member["retired"]]


def kinds(club: Club) -> list[str]:
    return [one["kind"] for one in club.get("/groups/{id}/history").json["changes"]]


def test_a_retired_member_keeps_name_figures_and_balance(club: Club) -> None:
    club.evening(points=(0, 10, 25))
    season = club.get("/groups/{id}/season").json["standings"]
    balances = club.balances()

    gone = change(club, "PATCH", "/members/1", {"retired": True})

    assert gone.json["members"][1] == {
        "index": 1,
        "name": "Ben",
        "erased": False,
        "retired": True,
    }
    assert club.get("/groups/{id}/season").json["standings"] == season
    assert club.balances() == balances
    assert club.get("/groups/{id}/members/1").json["retired"] is True
    assert kinds(club)[-1] == "retired"


def test_a_retired_member_comes_back(club: Club) -> None:
    change(club, "PATCH", "/members/1", {"retired": True})
    change(club, "PATCH", "/members/1", {"retired": False})

    assert retired(club) == []
    assert kinds(club)[-2:] == ["retired", "reinstated"]


def test_nothing_is_written_if_it_is_so_already(club: Club) -> None:
    change(club, "PATCH", "/members/1", {"retired": False})
    change(club, "PATCH", "/members/2", {"retired": True})
    change(club, "PATCH", "/members/2", {"retired": True})

    assert kinds(club) == ["founded", "retired"]


def test_whoever_plays_again_has_come_back(club: Club) -> None:
    for member in (1, 2):
        change(club, "PATCH", f"/members/{member}", {"retired": True})

    club.evening("Anna", "Ben", points=(0, 10))

    assert retired(club) == [2]
    assert club.get("/groups/{id}/games/{game}").json["results"][1]["member"] == 1


def test_whoever_sits_down_in_a_running_evening_has_come_back(club: Club, other_app: Flask) -> None:
    for member in (1, 2):
        change(club, "PATCH", f"/members/{member}", {"retired": True})
    table = club.evening("Anna", "Dora")
    for player in ({"name": "Ben"}, {"name": "Emil"}):
        table.call("PATCH", "/games/{id}", {"player": player}, match=table.version)

    assert retired(club) == [2]
    seated = {"name": "Carl", "in_place_of": 0}
    table.call("PATCH", "/games/{id}", {"player": seated}, match=table.version)
    assert retired(club) == []
    change(club, "PATCH", "/members/0", {"retired": True})
    table.record(short.body(None, 5, 0, 7, 9))
    assert retired(club) == [0]
    export = club.get("/groups/{id}/export.json").json
    answer = Club(other_app).post("/groups/import", export)
    assert answer.status_code == 201, answer.text


def test_whoever_plays_in_a_tournament_has_come_back(club: Club) -> None:
    for member in (1, 2):
        change(club, "PATCH", f"/members/{member}", {"retired": True})
    rules = {"preset": "german-family"}
    club.post("/groups/{id}/tournament", {"format": "danish", "rounds": 1, "rules": rules})
    entrants = [{"names": [name]} for name in ("Anna", "Ben", "Dora")]
    change(club, "POST", "/tournament/entrants", {"entrants": entrants})
    assert retired(club) == [2]

    change(club, "DELETE", "/tournament/entrants/2")
    change(club, "PATCH", "/members/1", {"retired": True})
    assert retired(club) == [1, 2]
    answer = change(club, "POST", "/tournament/entrants/2/return")
    assert answer.status_code == 200, answer.text
    assert retired(club) == [2]


def test_an_old_evening_that_is_added_brings_nobody_back(club: Club) -> None:
    change(club, "PATCH", "/members/1", {"retired": True})
    old = Table(club.app).begin(players=("Anna", "Ben"))

    change(club, "PUT", f"/games/{old.id}", {"pen": old.pen})

    assert retired(club) == [1]


def test_a_group_with_retired_members_is_exported_and_imported(
    club: Club, other_app: Flask
) -> None:
    club.evening(points=(0, 10, 25))
    change(club, "PATCH", "/members/0", {"retired": True})
    change(club, "PATCH", "/members/1", {"retired": True})
    change(club, "PATCH", "/members/0", {"retired": False})

    answer = Club(other_app).post("/groups/import", club.get("/groups/{id}/export.json").json)

    assert answer.status_code == 201, answer.text
    assert [one["retired"] for one in answer.json["group"]["members"]] == [False, True, False]


@pytest.mark.parametrize(
    ("body", "why", "place"),
    [
        ({}, "no_change", []),
        ({"name": "Benno", "retired": True}, "one_at_a_time", []),
        ({"retired": True, "everywhere": True}, "one_at_a_time", []),
        ({"everywhere": True}, "no_change", []),
        ({"name": "Benno", "everywhere": True, "retired": True}, "one_at_a_time", []),
        ({"retired": "yes"}, "type", ["retired"]),
    ],
)
def test_a_change_of_a_member_is_one_change(
    club: Club, body: Any, why: str, place: list[Any]
) -> None:
    assert whys(change(club, "PATCH", "/members/1", body)) == [("E_FORM", why, place)]


# ---- renaming everywhere -----------------------------------------------------------


def names(club: Club, table: Table) -> list[str]:
    return [player["name"] for player in table.get("/games/{id}").json["players"]]


def test_a_name_is_corrected_in_the_group_and_at_all_evenings(club: Club) -> None:
    first, second = club.evening(points=(0, 10, 25)), club.evening(points=(0, 1, 2))

    renamed = change(club, "PATCH", "/members/1", {"name": "Benno", "everywhere": True})

    assert renamed.json["members"][1]["name"] == "Benno"
    assert names(club, first) == names(club, second) == ["Anna", "Benno", "Carl"]
    history = first.get("/games/{id}/history").json["changes"]
    assert history[-1]["kind"] == "frame"


def test_otherwise_old_sheets_keep_the_old_name(club: Club) -> None:
    table = club.evening(points=(0, 10, 25))

    change(club, "PATCH", "/members/1", {"name": "Benno"})

    assert names(club, table) == ["Anna", "Ben", "Carl"]


def test_if_one_evening_refuses_the_name_it_is_corrected_nowhere(club: Club) -> None:
    first = club.evening(points=(0, 10, 25))
    change(club, "PATCH", "/members/2", {"name": "Karl"})

    refused = change(club, "PATCH", "/members/1", {"name": "Carl", "everywhere": True})

    assert [one[:2] for one in whys(refused)] == [("E_FORM", "same_name")]
    assert club.get("/groups/{id}").json["members"][1]["name"] == "Ben"
    assert names(club, first) == ["Anna", "Ben", "Carl"]


def test_the_client_retires_and_renames(server: Server) -> None:
    group = server.new_group("Runde", ["Anna", "Ben"])
    game = group.open_evening(["Anna", "Ben"], rules="german-family")

    group.rename_member(1, "Benno", everywhere=True)
    gone = group.retire_member(1)
    back = group.retire_member(1, retired=False)

    assert game.read()["players"][1]["name"] == "Benno"
    assert [one["members"][1]["retired"] for one in (gone, back)] == [True, False]
