"""Groups over REST: members, evenings, season, and the book of money."""

import secrets
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from flask import Flask

import short
from rest import QUICK, Club, Table, codes
from scorekeeper.client import Refused, Server
from scorekeeper.i18n import LANGUAGES


def whys(answer: Any) -> list[tuple[str, str, list[Any]]]:
    """What a refusal names: code, reason and place of each problem."""
    assert answer.status_code == 422, answer.text
    return [(one["code"], one["facts"].get("why"), one["path"]) for one in answer.json["problems"]]


def change(club: Club, method: str, path: str, body: Any = None, **more: Any) -> Any:
    """A change of what exists, with the version that stands."""
    more.setdefault("match", club.version)
    return club.call(method, "/groups/{id}" + path, body, **more)


def total(club: Club, path: str) -> int:
    return int(club.get("/groups/{id}/games" + path).json["total"])


# ---- founding ------------------------------------------------------------------------


def test_a_group_is_founded_with_two_secrets_and_its_house_rules(nobody: Table) -> None:
    body = {
        "name": "  Donnerstag ",
        "members": [{"name": "Anna"}, {"name": "Zoé"}],
        "rules": {"preset": "german-family", "options": {"joker.hand_value": 50}},
        "stake": {"point_value": "0.1", "unit": "ct"},
    }

    answer = nobody.post("/groups", body, secret="")

    assert answer.status_code == 201
    assert answer.headers["Cache-Control"] == "no-store"
    assert answer.headers["ETag"] == '"1-en"'
    group = answer.json["group"]
    assert answer.headers["Location"].endswith(f"/groups/{group['id']}")
    assert answer.json["pen"] != answer.json["watch"]
    assert group["name"] == "Donnerstag"
    assert group["members"][1] == {"index": 1, "name": "Zoé", "erased": False}
    assert group["house"]["options"]["joker.hand_value"] == 50
    assert group["house"]["options"]["settle.point_value"] == "1/10"
    assert (group["balances"], group["evenings"], group["running"]) == ([], 0, [])


def test_a_group_may_have_neither_members_nor_house_rules_yet(nobody: Table) -> None:
    answer = nobody.post("/groups", {"name": "Neu"})

    assert (answer.json["group"]["members"], answer.json["group"]["house"]) == ([], None)


@pytest.mark.parametrize(
    ("change", "why", "place"),
    [
        ({"name": ""}, "length", ["name"]),
        ({"name": "x" * 81}, "length", ["name"]),
        ({"name": "A\u202e"}, "text", ["name"]),
        ({"members": [{"name": "A"}, {"name": "A"}]}, "same_name", ["members", 1, "name"]),
        ({"members": [{"name": ""}]}, "length", ["members", 0, "name"]),
        ({"members": [{"name": str(n)} for n in range(101)]}, "length", ["members"]),
        ({"stake": {"unit": "ct"}}, "missing", ["rules"]),
        ({"house": {}}, "unknown", ["house"]),
    ],
)
def test_a_group_that_cannot_be_is_refused_where_it_fails(
    nobody: Table, change: Any, why: str, place: list[Any]
) -> None:
    answer = nobody.post("/groups", {"name": "Neu", **change})

    assert whys(answer)[0] == ("E_FORM", why, place)


def test_name_and_house_rules_change_one_at_a_time(club: Club) -> None:
    rules = {"rules": {"preset": "robber"}, "stake": {"point_value": "2", "unit": "EUR"}}

    named = change(club, "PATCH", "", {"name": "Freitag"}).json
    housed = change(club, "PATCH", "", rules).json
    both = change(club, "PATCH", "", {"name": "x", **rules})

    assert (named["name"], named["version"]) == ("Freitag", 2)
    assert housed["house"]["preset"] == "robber"
    assert housed["house"]["options"]["settle.unit"] == "EUR"
    assert whys(both) == [("E_FORM", "one_at_a_time", [])]
    assert whys(change(club, "PATCH", "", {})) == [("E_FORM", "missing", [])]
    assert whys(change(club, "PATCH", "", {"stake": {}})) == [("E_FORM", "missing", ["rules"])]


# ---- members -------------------------------------------------------------------------


def test_members_join_and_are_renamed(club: Club) -> None:
    joined = club.post("/groups/{id}/members", {"name": "Doris"})
    renamed = change(club, "PATCH", "/members/1", {"name": "Benno"})

    assert joined.status_code == 201
    assert [member["name"] for member in renamed.json["members"]] == [
        "Anna",
        "Benno",
        "Carl",
        "Doris",
    ]


def test_two_members_have_two_names(club: Club) -> None:
    joined = club.post("/groups/{id}/members", {"name": "Ben"})
    renamed = change(club, "PATCH", "/members/0", {"name": "Ben"})

    assert whys(joined) == [("E_FORM", "same_name", ["members", 3, "name"])]
    assert [code for code, why, _ in whys(renamed) if why == "same_name"] == ["E_FORM"]


def test_a_member_erased_in_mid_season_leaves_the_numbers_and_no_name(club: Club) -> None:
    club.evening(points=(0, 10, 25))
    table = club.evening(points=(12, 0, 30))
    before = club.balances()
    season = club.get("/groups/{id}/season?by=points").json["standings"]

    erased = change(club, "DELETE", "/members/1").json
    club.evening("Anna", "Carl", points=(0, 8))

    assert erased["members"][1] == {"index": 1, "name": "", "erased": True}
    assert [seat["name"] for seat in table.get("/games/{id}").json["players"]] == [
        "Anna",
        "",
        "Carl",
    ]
    assert club.balances() == [str(int(before[0]) + 8), before[1], str(int(before[2]) - 8)]
    after = {
        one["member"]: one for one in club.get("/groups/{id}/season?by=points").json["standings"]
    }
    (his,) = (one for one in season if one["member"] == 1)
    assert (after[1]["name"], after[1]["value"]) == ("", his["value"])
    for path in ("", "/history", "/season", "/statement", "/members/1", "/games"):
        assert "Ben" not in club.get("/groups/{id}" + path).text
    assert all("Ben" not in moment["message"] for moment in story(club, table.id))


def story(club: Club, game: str) -> list[dict[str, Any]]:
    told: list[dict[str, Any]] = club.get(f"/groups/{{id}}/games/{game}").json["story"]
    return told


def test_who_has_the_name_of_an_erased_member_is_another(club: Club) -> None:
    club.evening(points=(0, 10, 25))
    change(club, "DELETE", "/members/1")

    club.evening(points=(0, 1, 2))

    assert club.get("/groups/{id}/games/{game}").json["results"][1]["member"] == 3


@pytest.mark.parametrize(
    ("method", "body"), [("GET", None), ("PATCH", {"name": "X"}), ("DELETE", None)]
)
def test_a_member_that_the_group_does_not_have_is_not_found(
    club: Club, method: str, body: Any
) -> None:
    for number in ("3", "99999999999999999999", "-1", "x"):
        assert change(club, method, f"/members/{number}", body).status_code == 404

    assert club.version == "1"


# ---- evenings ------------------------------------------------------------------------


def test_an_evening_begins_by_the_house_rules_and_who_is_new_joins(club: Club) -> None:
    body = {"title": "Kirmes", "players": [{"name": "Ben"}, {"name": "Emil"}, {"name": "Anna"}]}

    answer = club.post("/groups/{id}/games", body)

    begun = answer.json
    assert answer.status_code == 201
    assert answer.headers["Location"].endswith(f"/groups/{club.id}/games/{begun['id']}")
    assert (begun["members"], begun["training"]) == ([1, 3, 0], False)
    assert (begun["game"]["title"], begun["game"]["rules"]["preset"]) == ("Kirmes", "german-family")
    assert begun["game"]["rules"]["options"]["settle.unit"] == "ct"
    group = club.get("/groups/{id}").json
    assert [member["name"] for member in group["members"]] == ["Anna", "Ben", "Carl", "Emil"]
    assert [one["title"] for one in group["running"]] == ["Kirmes"]


def test_rules_that_are_stated_count_for_that_evening_only(club: Club) -> None:
    stated = {"rules": {"preset": "robber"}, "stake": {"unit": "Pf", "point_value": "1"}}

    first = club.evening(**stated).get("/games/{id}").json["rules"]
    second = club.evening().get("/games/{id}").json["rules"]

    assert (first["preset"], first["options"]["settle.unit"]) == ("robber", "Pf")
    assert (second["preset"], second["options"]["settle.unit"]) == ("german-family", "ct")


def test_an_evening_draws_its_own_first_dealer_or_names_one(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:  # RULES 3.1
    monkeypatch.setattr(secrets, "randbelow", lambda n: n - 1)
    people = {"players": [{"name": "Anna"}, {"name": "Ben"}, {"name": "Carl"}]}

    drawn = club.post("/groups/{id}/games", {**people, "first_dealer": "draw"}, key="evening-1")
    again = club.post("/groups/{id}/games", {**people, "first_dealer": "draw"}, key="evening-1")
    other = club.post("/groups/{id}/games", {**people, "first_dealer": 1}, key="evening-1")
    named = club.post("/groups/{id}/games", {**people, "first_dealer": 1})

    assert drawn.json["game"]["first_dealer"] == 2
    assert (again.json["id"], again.json["game"]["first_dealer"]) == (drawn.json["id"], 2)
    assert other.status_code == 422
    assert named.json["game"]["next"]["dealer"] == 1


def test_training_by_the_rules_is_the_training_mark_of_the_evening(club: Club) -> None:  # RULES 3.5
    rules = {"preset": "gin-palast", "options": {"gin.training": True}}
    stake = {"point_value": "1", "unit": "ct"}
    evening = club.evening("Anna", "Ben", rules=rules, stake=stake)
    knock = {"outcome": "knock", "knocker": 0, "seats": [{"deadwood": 0}, {"deadwood": 76}]}
    for _ in range(2):
        evening.record(knock)
    alone = Table(club.app).begin(rules=rules, players=("Anna", "Ben"), stake=stake)
    for _ in range(2):
        alone.record(knock)
    path = f"/games/{alone.id}"
    admitted = change(club, "PUT", path, {"pen": alone.pen})
    refused = change(club, "PUT", path, {"training": False})

    assert alone.get("/games/{id}").json["over"]
    assert admitted.status_code == 200
    assert whys(refused) == [("E_GROUP", "training_rules", ["training"])]
    listed = club.get("/groups/{id}/games").text
    assert (listed.count('"training": true'), listed.count('"training": false')) == (2, 0)
    assert club.get("/groups/{id}/season").json["standings"] == []
    assert club.get("/groups/{id}/money").json["units"] == []


def test_without_house_rules_it_is_played_as_last_time(app: Flask) -> None:
    club = Club(app)
    answer = club.post("/groups", {"name": "Neu"})
    club.id, club.pen = answer.json["id"], answer.json["pen"]
    players = {"players": [{"name": "A"}, {"name": "B"}]}
    nothing = club.post("/groups/{id}/games", players)
    club.evening("A", "B", rules={"preset": "robber"})

    assert whys(nothing) == [("E_GROUP", "no_rules", ["rules"])]
    assert club.evening("A", "B").get("/games/{id}").json["rules"]["preset"] == "robber"


@pytest.mark.parametrize(
    ("body", "code", "place"),
    [
        ({}, "E_FORM", ["players"]),
        ({"players": [{"name": "A"}]}, "E_CONFIG", ["players"]),
        ({"players": [{"name": "A"}, {"name": "A"}]}, "E_FORM", ["players", 1, "name"]),
        ({"players": [{"name": "A"}, {"name": "B"}], "training": 1}, "E_FORM", ["training"]),
        ({"players": [{"name": "A"}, {"name": "B"}], "stake": {}}, "E_FORM", ["rules"]),
    ],
)
def test_an_evening_that_cannot_begin_is_refused_where_it_fails(
    club: Club, body: Any, code: str, place: list[Any]
) -> None:
    answer = club.post("/groups/{id}/games", body)

    assert [codes(answer)[0], club.version] == [(code, place), "1"]


def test_what_an_evening_came_to_is_told_with_its_story(club: Club) -> None:
    table = club.evening()
    for points in ((0, 12, 35), (40, 0, 10)):
        table.record(short.body(*points))
    table.call("PATCH", "/games/{id}", {"over": True}, match="3")

    told = club.get("/groups/{id}/games/{game}", lang="en")

    assert "ETag" not in told.headers
    evening = told.json
    assert (evening["over"], evening["training"], evening["rounds"]) == (True, False, 2)
    assert [
        (one["member"], one["rank"], one["minus"], one["won"], one["amount"])
        for one in evening["results"]
    ] == [(0, 2, 40, 1, "-23"), (1, 1, 12, 1, "61"), (2, 3, 45, 0, "-38")]
    assert [moment["code"] for moment in evening["story"]][:2] == ["lead", "turning_point"]
    assert evening["story"][0]["facts"] == {"round": 2, "before": 0, "side": 1}
    assert evening["story"][0]["message"] == "Round 2: Ben takes the lead from Anna."


def test_an_evening_that_goes_on_is_listed_and_tabled_as_it_stands(club: Club) -> None:
    table = club.evening()
    table.record(short.body(0, 12, 35))

    (listed,) = club.get("/groups/{id}/games").json["games"]
    csv = club.get("/groups/{id}/export.csv?table=totals").text

    assert (listed["over"], listed["rounds"]) == (False, 1)
    assert [one["minus"] for one in listed["results"]] == [0, 12, 35]
    assert [line.split(",")[7] for line in csv.splitlines()] == ["minus", "0", "12", "35"]


def test_evenings_are_listed_by_days_training_and_member(club: Club) -> None:
    club.evening("Anna", "Ben", points=(0, 5), title="eins")
    club.evening("Anna", "Carl", points=(0, 7), training=True)
    club.evening(title="drei")
    today = club.get("/groups/{id}/games").json["games"][0]["day"]

    assert total(club, "") == 3
    assert total(club, "?training=no") == 2
    assert total(club, "?member=1") == 2
    assert total(club, f"?from={today}&to={today}") == 3
    assert total(club, "?to=2001-12-31") == 0
    assert total(club, "?family=gin") == 0
    pages = [club.get(f"/groups/{{id}}/games?limit=1&offset={n}").json["games"] for n in range(4)]
    assert [len(games) for games in pages] == [1, 1, 1, 0]
    assert {games[0]["title"] for games in pages[:3]} == {"eins", "", "drei"}
    assert {games[0]["over"] for games in pages[:3]} == {True, False}


@pytest.mark.parametrize(
    ("query", "why", "place"),
    [
        ("from=5.3.2026", "date", "from"),
        ("to=2026-02-30", "date", "to"),
        ("from=2026-02-01&to=2026-01-01", "dates", "to"),
        ("limit=0", "range", "limit"),
        ("limit=101", "range", "limit"),
        ("limit=٣", "type", "limit"),
        ("offset=-1", "type", "offset"),
        ("member=1.5", "type", "member"),
        ("training=maybe", "choice", "training"),
        ("family=poker", "choice", "family"),
    ],
)
def test_a_list_that_cannot_be_is_refused_where_it_fails(
    club: Club, query: str, why: str, place: str
) -> None:
    answer = club.get(f"/groups/{{id}}/games?{query}")

    assert whys(answer) == [("E_FORM", why, [place])]


# ---- games put in and taken out ------------------------------------------------------


def test_a_game_is_put_into_a_group_with_its_own_pen(club: Club) -> None:
    table = Table(club.app).begin(players="AB")
    path = f"/games/{table.id}"
    nothing = change(club, "PUT", path, {"training": False})

    assert whys(nothing) == [("E_FORM", "missing", ["pen"])]
    assert change(club, "PUT", path, {"pen": "garbage"}).status_code == 404
    assert change(club, "PUT", "/games/nothing", {"pen": table.pen}).status_code == 404
    assert change(club, "PUT", path, {"pen": table.watch}).status_code == 403
    assert club.version == "1"
    admitted = change(club, "PUT", path, {"pen": table.pen, "members": [0, None]})

    assert [one["member"] for one in admitted.json["results"]] == [0, 3]
    assert admitted.headers["ETag"] == f'"{club.version}-en"'
    assert club.get("/groups/{id}").json["members"][3]["name"] == "B"
    assert table.get("/games/{id}", secret=club.watch).status_code == 200
    again = change(club, "PUT", path, {"members": [1, 2]})
    assert [one["member"] for one in again.json["results"]] == [1, 2]


def test_a_game_belongs_to_one_group(club: Club) -> None:
    other = Club(club.app).found("Xaver")
    table = other.evening("Xaver", "Anna")
    answer = change(club, "PUT", f"/games/{table.id}", {"pen": other.pen})

    assert whys(answer) == [("E_GROUP", "other_group", ["game"])]
    for method, body in (("PUT", {"training": True}), ("DELETE", None), ("GET", None)):
        refused = change(club, method, f"/games/{table.id}", body)
        assert refused.status_code == (422 if method == "PUT" else 404)


@pytest.mark.parametrize(
    ("members", "why", "place"),
    [
        ([0], "seats", ["members"]),
        ([0, 1, 2, 0], "seats", ["members"]),
        ([0, 1, 1], "two_seats", ["members", 2]),
        ([0, 1, 99], "member", ["members", 2]),
    ],
)
def test_everybody_has_one_seat(club: Club, members: list[int], why: str, place: list[Any]) -> None:
    club.evening()
    answer = change(club, "PUT", "/games/{game}", {"members": members})

    assert whys(answer) == [("E_GROUP", why, place)]


def test_what_is_not_said_of_a_game_stays_as_it_is(club: Club) -> None:
    club.evening(points=(0, 10, 25))
    change(club, "PUT", "/games/{game}", {"members": [2, 1, 0]})
    assert club.balances() == ["-40", "5", "35"]

    training = change(club, "PUT", "/games/{game}", {"training": True}).json

    assert [one["member"] for one in training["results"]] == [2, 1, 0]
    assert club.balances() == ["0", "0", "0"]
    seats = change(club, "PUT", "/games/{game}", {"members": [0, 1, 2]}).json
    assert seats["training"] is True
    assert club.balances() == ["0", "0", "0"]
    change(club, "PUT", "/games/{game}", {"training": False})
    assert club.balances() == ["35", "5", "-40"]


def test_a_game_taken_out_takes_its_money_along(club: Club) -> None:
    table = club.evening(points=(0, 10, 25))
    own = table.post("/games/{id}/secrets", {"right": "pen"}).json["secret"]

    left = change(club, "DELETE", "/games/{game}").json

    assert left["evenings"] == 0
    assert left["balances"] == [{"unit": "ct", "amounts": ["0", "0", "0"]}]
    assert table.get("/games/{id}").status_code == 404
    assert table.get("/games/{id}", secret=own).status_code == 200
    assert club.get("/groups/{id}/games/{game}").status_code == 404
    assert change(club, "DELETE", "/games/{game}").status_code == 404


# ---- money ---------------------------------------------------------------------------


def test_money_is_told_unit_by_unit_and_never_mixed(club: Club) -> None:
    club.evening(points=(0, 10, 25))
    club.pay(0, 1, "9/5", "EUR")

    answer = club.get("/groups/{id}/money")

    assert answer.headers["ETag"] == f'"{club.version}-en"'
    assert answer.json == {
        "units": [
            {
                "unit": "ct",
                "amounts": ["35", "5", "-40"],
                "payable": "1",
                "payments": [
                    {"from": 2, "to": 0, "amount": "35"},
                    {"from": 2, "to": 1, "amount": "5"},
                ],
                "fewest": True,
            },
            {
                "unit": "EUR",
                "amounts": ["9/5", "-9/5", "0"],
                "payable": "1",
                "payments": [{"from": 1, "to": 0, "amount": "2"}],
                "fewest": True,
            },
        ],
        "rates": [],
    }


def test_a_payment_larger_than_the_debt_is_a_credit(club: Club) -> None:
    club.evening("Anna", "Ben", points=(0, 10))

    answer = club.pay(1, 0, "500")

    assert answer.status_code == 201
    assert answer.json["units"][0]["amounts"] == ["-490", "490", "0"]
    assert answer.json["units"][0]["payments"] == [{"from": 0, "to": 1, "amount": "490"}]


def test_an_entry_says_who_when_how_much_and_why(club: Club) -> None:
    body = {"from": 2, "to": 0, "amount": "1.5", "unit": "ct", "note": "bar"}
    entry = club.post("/groups/{id}/payments", body, key="k").json["entry"]

    assert entry.pop("at")
    assert entry == {
        "number": 2,
        "kind": "paid",
        "by": "pen",
        "game": None,
        "note": "bar",
        "details": {"from": 2, "to": 0, "amount": "3/2", "unit": "ct"},
        "moves": [
            {"member": 2, "unit": "ct", "amount": "3/2"},
            {"member": 0, "unit": "ct", "amount": "-3/2"},
        ],
        "reversed": False,
    }


@pytest.mark.parametrize(
    ("change", "code", "why", "place"),
    [
        ({"from": 3}, "E_GROUP", "member", ["from"]),
        ({"to": 3}, "E_GROUP", "member", ["to"]),
        ({"to": 0}, "E_GROUP", "same_member", ["to"]),
        ({"from": -1}, "E_FORM", "range", ["from"]),
        ({"from": "Anna"}, "E_FORM", "type", ["from"]),
        ({"amount": "0"}, "E_GROUP", "amount", ["amount"]),
        ({"amount": "-5"}, "E_FORM", "amount", ["amount"]),
        ({"amount": "5 EUR"}, "E_FORM", "amount", ["amount"]),
        ({"amount": 1.5}, "E_FORM", "amount", ["amount"]),
        ({"amount": None}, "E_FORM", "type", ["amount"]),
        ({"amount": "1/1001"}, "E_FORM", "amount", ["amount"]),
        ({"amount": "1/0"}, "E_FORM", "amount", ["amount"]),
        ({"amount": "9" * 13}, "E_FORM", "amount", ["amount"]),
        ({"unit": "x" * 13}, "E_CONFIG", "range", ["unit"]),
        ({"unit": "\u202e"}, "E_CONFIG", "range", ["unit"]),
        ({"note": "x" * 281}, "E_FORM", "length", ["note"]),
    ],
)
def test_a_payment_that_cannot_be_is_refused_where_it_fails(
    club: Club, change: Any, code: str, why: str | None, place: list[Any]
) -> None:
    body = {"from": 0, "to": 1, "amount": "5", "unit": "ct", **change}
    answer = club.post("/groups/{id}/payments", body, key="k")

    assert whys(answer) == [(code, why, place)]
    assert club.version == "1"


def why(refused: Any) -> tuple[str, str, tuple[str | int, ...]]:
    """What the client was refused: code, reason, place."""
    return refused.value.code, refused.value.problems[0].facts["why"], refused.value.place


def test_all_open_payments_are_entered_as_one_and_taken_back_as_one(
    club: Club, server: Server
) -> None:
    club.evening(points=(0, 10, 25))
    group = server.group(club.id, club.pen)

    settled = group.settle_up("ct")
    with pytest.raises(Refused) as nothing:
        group.settle_up("ct")
    with pytest.raises(Refused) as unknown:
        group.settle_up("DM")
    back = group.reverse(settled["entry"]["number"])

    assert settled["entry"]["details"]["transfers"] == [[2, 0, "35"], [2, 1, "5"]]
    assert settled["units"][0]["amounts"] == ["0", "0", "0"]
    assert why(nothing) == why(unknown) == ("E_GROUP", "nothing_open", ("unit",))
    assert back["entry"]["details"]["of"] == "settled"
    assert back["units"][0]["amounts"] == ["35", "5", "-40"]


def test_payments_that_may_not_be_the_fewest_say_so(server: Server, club: Club) -> None:
    dice = Random(5)
    club.found(*(f"M{member}" for member in range(40)))
    group = server.group(club.id, club.pen)
    for member in range(1, 4):
        group.pay(member, 0, "5", "EUR")
    for member in range(1, 40):
        group.pay(member, 0, str(dice.randint(1, 10**6)), "ct")

    few, many = sorted(group.money()["units"], key=lambda told: len(told["payments"]))
    assert (few["unit"], few["fewest"]) == ("EUR", True)
    assert (many["unit"], many["fewest"]) == ("ct", False)
    assert 30 < len(many["payments"]) < 40
    settled = group.settle_up("ct")
    assert set(next(one for one in settled["units"] if one["unit"] == "ct")["amounts"]) == {"0"}


def test_units_meet_only_at_a_rate_that_was_agreed(club: Club, server: Server) -> None:
    group = server.group(club.id, club.pen)
    group.pay(1, 0, "200", "ct")

    with pytest.raises(Refused) as early:
        group.convert("ct", "EUR")
    agreed = group.agree_rate("ct", "EUR", "1/100")
    converted = group.convert("ct", "EUR")
    with pytest.raises(Refused) as again:
        group.convert("ct", "EUR")
    with pytest.raises(Refused) as back:
        group.convert("EUR", "ct")

    assert why(early) == ("E_GROUP", "no_rate", ("in",))
    assert agreed["rates"] == [{"unit": "ct", "in": "EUR", "rate": "1/100"}]
    assert [one["amounts"] for one in converted["units"]] == [["0", "0", "0"], ["-2", "2", "0"]]
    assert why(again) == ("E_GROUP", "nothing_open", ("unit",))
    assert why(back) == ("E_GROUP", "no_rate", ("in",))


@pytest.mark.parametrize(
    ("body", "code", "why", "place"),
    [
        ({"in": "ct"}, "E_GROUP", "same_unit", ["in"]),
        ({"rate": "0"}, "E_GROUP", "rate", ["rate"]),
        ({"rate": "x"}, "E_FORM", "amount", ["rate"]),
        ({"rate": "1/1000001"}, "E_FORM", "amount", ["rate"]),
    ],
)
def test_a_rate_that_cannot_be_is_refused_where_it_fails(
    club: Club, body: Any, code: str, why: str, place: list[Any]
) -> None:
    answer = change(club, "PUT", "/rates", {"unit": "ct", "in": "EUR", "rate": "1/100", **body})

    assert whys(answer) == [(code, why, place)]


def test_an_entry_is_taken_back_once_and_an_evening_in_the_evening(club: Club) -> None:
    paid = club.pay(0, 1, "5").json["entry"]["number"]
    change(club, "POST", "/reversals", {"number": paid})
    club.evening(points=(0, 10, 25))
    booked = int(club.version)

    for number, why in (
        (paid, "reversed"),
        (booked, "not_reversible"),
        (1, "not_reversible"),
        (99, "no_entry"),
    ):
        answer = change(club, "POST", "/reversals", {"number": number})
        assert whys(answer) == [("E_GROUP", why, ["number"])]
    assert club.get("/groups/{id}/statement").json["entries"][0]["reversed"] is True


def test_a_payment_ticked_at_the_table_stands_in_the_book(club: Club) -> None:
    table = club.evening("Anna", "Ben", points=(0, 10))
    table.call("PUT", "/games/{id}/settlement/transfers/0", {"paid": True}, match="3")

    entries = club.get("/groups/{id}/statement").json["entries"]

    assert [(one["kind"], one["game"]) for one in entries] == [
        ("booked", table.id),
        ("paid", table.id),
    ]
    assert club.balances() == ["0", "0", "0"]
    assert whys(change(club, "POST", "/reversals", {"number": entries[1]["number"]})) == [
        ("E_GROUP", "not_reversible", ["number"])
    ]


def test_a_statement_tells_the_balance_after_every_entry(club: Club, server: Server) -> None:
    club.evening("Anna", "Ben", points=(0, 10))
    group = server.group(club.id, club.pen)
    group.pay(1, 0, "4", "ct")
    group.pay(1, 2, "1", "EUR")

    his, all_of_it = group.statement(member=1), group.statement()
    with pytest.raises(Refused) as nobodys:
        group.statement(member=3)

    assert [one["balances"] for one in his] == [
        [{"unit": "ct", "amount": "-10"}],
        [{"unit": "ct", "amount": "-6"}],
        [{"unit": "ct", "amount": "-6"}, {"unit": "EUR", "amount": "1"}],
    ]
    assert {move["member"] for one in his for move in one["moves"]} == {1}
    assert [one["balances"] for one in all_of_it] == [[], [], []]
    assert why(nobodys) == ("E_GROUP", "member", ("member",))


# ---- season --------------------------------------------------------------------------


def test_the_season_is_ordered_by_what_is_asked_for(club: Club) -> None:
    club.evening(points=(0, 10, 25))
    club.evening("Anna", "Ben", points=(30, 0))
    club.evening(points=(50, 0, 1), training=True)

    def ordered(by: str) -> list[tuple[int, str]]:
        told = club.get(f"/groups/{{id}}/season?by={by}").json
        assert told["by"] == by
        return [(one["member"], one["value"]) for one in told["standings"]]

    assert ordered("wins") == [(0, "1"), (1, "1"), (2, "0")]
    assert ordered("money") == [(1, "35"), (0, "5"), (2, "-40")]
    assert ordered("average") == [(1, "-5"), (0, "-15"), (2, "-25")]
    standing = club.get("/groups/{id}/season?by=wins").json["standings"][0]
    assert (standing["rank"], standing["name"]) == (1, "Anna")
    assert standing["figures"]["evenings"] == 2
    assert standing["figures"]["amounts"] == [{"unit": "ct", "amount": "5"}]


def test_who_played_too_few_rounds_is_listed_without_a_rank(club: Club) -> None:
    club.evening(points=(0, 10, 25))
    club.evening("Anna", "Ben", points=(30, 0))

    told = club.get("/groups/{id}/season?min_rounds=2").json

    assert told["min_rounds"] == 2
    assert [one["rank"] for one in told["standings"] if one["member"] == 2] == [None]
    assert None not in [one["rank"] for one in told["standings"] if one["member"] != 2]


def test_a_season_has_its_days(club: Club) -> None:
    club.evening(points=(0, 10, 25))

    told = club.get("/groups/{id}/season?from=2001-01-01&to=2001-12-31").json
    year = club.get("/groups/{id}/season?year=2001").json

    assert (told["from"], told["to"], told["standings"]) == ("2001-01-01", "2001-12-31", [])
    assert (year["from"], year["to"]) == ("2001-01-01", "2001-12-31")
    assert len(club.get("/groups/{id}/season?year=all").json["standings"]) == 3
    assert "ETag" not in club.get("/groups/{id}/season").headers


@pytest.mark.parametrize(
    ("query", "why", "place"),
    [
        ("by=luck", "choice", "by"),
        ("from=1.1.2026", "date", "from"),
        ("from=2026-02-01&to=2026-01-01", "dates", "to"),
        ("year=20a6", "date", "year"),
        ("min_rounds=-1", "type", "min_rounds"),
        ("family=poker", "choice", "family"),
    ],
)
def test_a_season_that_cannot_be_is_refused_where_it_fails(
    club: Club, query: str, why: str, place: str
) -> None:
    assert whys(club.get(f"/groups/{{id}}/season?{query}")) == [("E_FORM", why, [place])]


def test_everybody_is_told_against_everybody(club: Club) -> None:
    club.evening(points=(0, 10, 25))

    met = club.get("/groups/{id}/encounters").json["encounters"]

    assert [(one["one"], one["other"], one["points"]) for one in met] == [
        (0, 1, 10),
        (0, 2, 25),
        (1, 2, 15),
    ]
    assert club.get("/groups/{id}/encounters?to=2001-01-01").json["encounters"] == []


def test_a_member_is_told_with_figures_streaks_foes_and_money(club: Club) -> None:
    for points in ((0, 10, 25), (0, 3, 4), (0, 9, 2)):
        club.evening(points=points)

    his = club.get("/groups/{id}/members/0").json
    nobody = club.get("/groups/{id}/members/0?to=2001-01-01").json

    assert (his["name"], his["figures"]["evenings"]) == ("Anna", 3)
    assert his["streaks"] == {"rounds": 1, "evenings": 3}
    assert [(one["one"], one["other"], one["points"]) for one in his["encounters"]] == [
        (0, 1, 10 + 3 + 9),
        (0, 2, 25 + 4 + 2),
    ]
    assert his["balances"] == [{"unit": "ct", "amount": club.balances()[0]}]
    assert his["statement"][-1]["balances"] == his["balances"]
    assert (nobody["figures"], nobody["encounters"]) == (None, [])


# ---- history and secrets -------------------------------------------------------------


def test_the_history_tells_who_changed_what(club: Club) -> None:
    club.evening(points=(0, 10, 25))
    club.pay(1, 0, "4")

    changes = club.get("/groups/{id}/history").json["changes"]

    assert [(one["number"], one["kind"]) for one in changes] == [
        (1, "founded"),
        (2, "game"),
        (3, "booked"),
        (4, "paid"),
    ]
    assert changes[0]["words"]["member.2"] == "Carl"
    assert changes[3]["details"]["amount"] == "4"


@pytest.mark.parametrize("right", ["pen", "watch"])
def test_a_replaced_secret_opens_neither_the_group_nor_its_games(club: Club, right: str) -> None:
    club.evening()
    old = getattr(club, right)

    answer = club.post("/groups/{id}/secrets", {"right": right})

    assert answer.headers["Cache-Control"] == "no-store"
    for path in ("/groups/{id}", "/games/{game}"):
        assert club.get(path, secret=old).status_code == 404
        assert club.get(path, secret=answer.json["secret"]).status_code == 200


def test_no_answer_but_the_first_holds_a_secret_of_the_group(club: Club) -> None:
    club.evening(points=(0, 10, 25))

    for path in ("", "/money", "/statement", "/history", "/games", "/games/{game}", "/season"):
        text = club.get("/groups/{id}" + path).text

        assert club.pen not in text
        assert club.watch not in text


# ---- two people writing --------------------------------------------------------------


def writes(club: Club) -> dict[str, Callable[..., Any]]:
    """Every change that needs the version seen, on a group where each of them goes."""
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
def test_a_change_needs_the_version_that_stands(club: Club, what: str) -> None:
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


def test_what_is_entered_twice_with_one_key_is_entered_once(club: Club) -> None:
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


def test_an_evening_as_usual_is_repeated_though_the_usual_rules_changed(club: Club) -> None:
    body = {"players": [{"name": "Anna"}, {"name": "Ben"}]}
    first = club.post("/groups/{id}/games", body, key="k")
    change(club, "PATCH", "", {"rules": {"preset": "robber"}})

    again = club.post("/groups/{id}/games", body, key="k")

    assert again.json == first.json


def test_a_payment_needs_a_key(club: Club) -> None:
    answer = club.pay(0, 1, "5", key=None)

    assert (answer.status_code, club.version) == (400, "1")
    assert codes(answer) == [("E_FORM", ["Idempotency-Key"])]


def test_what_rests_on_the_book_alone_is_answered_304_while_it_stands(club: Club) -> None:
    club.evening(points=(0, 10, 25))
    known = {"headers": {"If-None-Match": f'"{club.version}-en"'}}
    paths = ("/money", "/statement", "/history")

    assert [club.get("/groups/{id}" + path, **known).status_code for path in paths] == [304] * 3
    club.pay(0, 1, "1")
    assert [club.get("/groups/{id}" + path, **known).status_code for path in paths] == [200] * 3


def test_what_changes_without_the_book_is_never_answered_304(club: Club) -> None:
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


# ---- words ---------------------------------------------------------------------------


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_refusal_says_what_would_be_right(club: Club, lang: str) -> None:
    answer = club.pay(0, 9, "5", lang=lang)

    assert answer.json["problems"][0]["facts"] == {"why": "member", "member": 9, "members": 3}
    assert "9" in answer.json["detail"] and "3" in answer.json["detail"]


def test_a_game_of_a_group_that_breaks_a_rule_is_told_with_names(club: Club) -> None:
    answer = club.evening("Anna", "Ben").record({**QUICK, "winner": 1, "seats": [{}, {}]})

    assert answer.status_code == 422
    assert "Anna" in answer.json["detail"]
