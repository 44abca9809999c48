"""Versions, idempotency keys and conditional requests of a group."""

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest

import short
from rest import Club, codes, described
from web.api.conftest import change


def writes(club: Club) -> dict[str, Callable[..., Any]]:
    """Return every change that needs a version, on a group where each of them is possible."""
    club.evening(points=(0, 10, 25))
    club.pay(1, 0, "7")
    rate = {"unit": "ct", "in": "EUR", "rate": "1/100"}
    change(club, "PUT", "/rates", rate)
    units = {"unit": "ct", "in": "EUR"}

    def call(method: str, path: str, body: Any = None) -> Callable[..., Any]:
        return lambda **more: club.call(method, "/groups/{id}" + path, body, **more)

    return {
        "name": call("PATCH", "", {"name": "Neu"}),
        "member": call("PATCH", "/members/1", {"name": "Berta"}),
        "erase": call("DELETE", "/members/1"),
        "seats": call("PUT", "/games/{game}", {"members": [2, 1, 0]}),
        "release": call("DELETE", "/games/{game}"),
        "settle": call("POST", "/settlements", {"unit": "ct"}),
        "rate": call("PUT", "/rates", {**rate, "rate": "1/50"}),
        "convert": call("POST", "/conversions", units),
        "reverse": call("POST", "/reversals", {"number": 4}),
    }


CHANGES = (
    *("name", "member", "erase", "seats", "release"),
    *("settle", "rate", "convert", "reverse"),
)


@pytest.mark.parametrize("what", CHANGES)
def test_a_change_needs_the_current_version(club: Club, what: str) -> None:
    write = writes(club)[what]
    stands = club.version

    assert write().status_code == 428
    stale = write(match=str(int(stands) - 1))
    assert (stale.status_code, stale.headers["ETag"]) == (412, f'"{stands}-en"')
    assert club.version == stands
    assert write(match=stands).status_code in (200, 201)
    assert write(match=stands).status_code == 412


@pytest.mark.parametrize("what", CHANGES)
def test_a_change_sent_twice_with_one_key_is_made_once(club: Club, what: str) -> None:
    write = writes(club)[what]
    stands = club.version
    first = write(match=stands, key="once")
    after = club.version
    club.pay(0, 1, "1")

    again = write(match=stands, key="once")

    assert again.status_code == first.status_code
    assert again.headers["ETag"] == first.headers["ETag"] == f'"{after}-en"'
    assert again.json == first.json
    assert club.version == str(int(after) + 1)


def test_evenings_change_the_version_as_described(club: Club) -> None:
    read = described(club.app).operation("GET", "/api/v1/groups/{group_id}")
    assert read
    told = " ".join(read["description"].split())
    assert "Beginning an evening changes it, and so does booking its money" in told
    assert "Rounds change it only if they end the evening." in told
    versions = [int(club.version)]

    table = club.evening()
    versions.append(int(club.version))
    table.record(short.body(0, 10, 25))
    versions.append(int(club.version))
    table.call("PATCH", "/games/{id}", {"over": True}, match=table.version)
    versions.append(int(club.version))
    paid = {"paid": True}
    table.call("PUT", "/games/{id}/settlement/transfers/0", paid, match=table.version)
    versions.append(int(club.version))
    table.call("PUT", "/games/{id}/rounds/1", short.body(0, 10, 30), match=table.version)
    versions.append(int(club.version))

    assert [after - before for before, after in pairwise(versions)] == [1, 0, 1, 1, 1]


def test_a_round_that_ends_the_evening_changes_the_version(club: Club) -> None:
    limit = {"preset": "german-family", "options": {"end.mode": "rounds", "end.rounds": 1}}
    table = club.evening(rules=limit, stake={"point_value": "1", "unit": "ct"})
    before = int(club.version)

    table.record(short.body(0, 10, 25))

    assert int(club.version) == before + 1


def test_an_entry_sent_twice_with_one_key_is_made_once(club: Club) -> None:
    joining = {"name": "Doris"}
    players = {"players": [{"name": "Anna"}, {"name": "Ben"}]}
    for path, body in (
        ("/payments", {"from": 0, "to": 1, "amount": "5", "unit": "ct"}),
        ("/members", joining),
        ("/games", players),
    ):
        first = club.post("/groups/{id}" + path, body, key=path)
        version = club.version
        club.pay(1, 2, "1", "EUR")
        again = club.post("/groups/{id}" + path, body, key=path)
        other = club.post("/groups/{id}" + path, body | {"note": "x"}, key=path)

        assert (first.status_code, again.json) == (201, first.json), path
        assert club.version == str(int(version) + 1)
        assert other.status_code == 422
    assert [one["kind"] for one in club.get("/groups/{id}/history").json["changes"]].count(
        "game"
    ) == 1


def test_a_key_belongs_to_one_entry(club: Club) -> None:
    club.pay(0, 1, "5", key="k")

    assert codes(club.pay(0, 1, "6", key="k")) == [("E_KEY_REUSED", ["Idempotency-Key"])]


def test_an_evening_can_be_repeated_after_the_usual_rules_changed(club: Club) -> None:
    body = {"players": [{"name": "Anna"}, {"name": "Ben"}, {"name": "Carl"}]}
    first = club.post("/groups/{id}/games", body, key="k")
    two_play = change(club, "PATCH", "", {"rules": {"preset": "gin-palast"}})

    again = club.post("/groups/{id}/games", body, key="k")

    assert (two_play.status_code, again.json) == (200, first.json)


def test_a_repeat_finds_the_evening_as_it_began(club: Club) -> None:
    """A request that is sent again gets the first answer, whatever has happened since."""
    body = {"players": [{"name": "Anna"}, {"name": "Ben"}]}
    first = club.post("/groups/{id}/games", body, key="k")
    club.game = first.json["id"]
    ending = {"match": "2", "body": {"over": True}}
    again = []
    for made in (
        lambda: club.post("/games/{game}/rounds", short.body(0, 12), key="r"),
        lambda: club.call("PATCH", "/games/{game}", **ending),
        lambda: change(club, "PUT", "/games/{game}", {"members": [1, 0]}),
        lambda: change(club, "DELETE", "/games/{game}"),
    ):
        assert made().status_code in (200, 201)
        again.append(club.post("/groups/{id}/games", body, key="k"))

    assert [one.status_code for one in again] == [201] * 4
    assert [one.json for one in again] == [first.json] * 4
    assert club.get("/groups/{id}").json["evenings"] == 0


def test_a_payment_needs_a_key(club: Club) -> None:
    answer = club.pay(0, 1, "5", key=None)

    assert (answer.status_code, club.version) == (400, "1")
    assert codes(answer) == [("E_FORM", ["Idempotency-Key"])]


def test_answers_that_depend_on_the_book_only_are_answered_304_until_it_changes(club: Club) -> None:
    club.evening(points=(0, 10, 25))
    known = {"headers": {"If-None-Match": f'"{club.version}-en"'}}
    paths = ("/money", "/statement", "/history")

    assert [club.get("/groups/{id}" + path, **known).status_code for path in paths] == [304] * 3
    club.pay(0, 1, "1")
    assert [club.get("/groups/{id}" + path, **known).status_code for path in paths] == [200] * 3


def test_answers_that_depend_on_more_than_the_book_are_never_answered_304(club: Club) -> None:
    table = club.evening("Anna", "Ben", rules={"preset": "romme-palast"})
    version = club.version
    known = {"headers": {"If-None-Match": f'"{version}-en"'}}
    assert len(club.get("/groups/{id}", **known).json["running"]) == 1
    table.record(short.body(0, 12))
    table.call("PATCH", "/games/{id}", {"over": True}, match="2")

    group = club.get("/groups/{id}", **known)

    assert club.version == version  # no money was played for
    assert (group.status_code, group.json["running"]) == (200, [])
    for path in ("/games", "/games/{game}", "/season", "/encounters", "/members/0"):
        answer = club.get("/groups/{id}" + path, **known)
        assert (answer.status_code, "ETag" in answer.headers) == (200, False)
