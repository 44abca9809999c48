"""Groups over REST: founding, members, evenings, history and secrets."""

import secrets
from typing import Any

import pytest

import short
from rest import QUICK, Club, Table, codes
from scorekeeper.i18n import LANGUAGES
from web.api.conftest import change, total, whys

# ---- founding ----------------------------------------------------------------------


def test_a_group_is_founded_with_two_secrets_and_its_house_rules(nobody: Table) -> None:
    body = {
        "name": "  Kegelclub ",
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
    assert group["name"] == "Kegelclub"
    assert group["members"][1] == {"index": 1, "name": "Zoé", "erased": False, "retired": False}
    assert group["house"]["options"]["joker.hand_value"] == 50
    assert group["house"]["options"]["settle.point_value"] == "1/10"
    assert (group["balances"], group["evenings"], group["running"]) == ([], 0, [])


def test_a_new_group_needs_neither_members_nor_house_rules(nobody: Table) -> None:
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
        ({"stake": {"unit": "ct"}}, "stake_alone", ["rules"]),
        ({"house": {}}, "unknown", ["house"]),
    ],
)
def test_an_invalid_group_is_refused_with_its_place(
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
    assert both.json["problems"][0]["facts"]["names"] == ["name", "rules", "stake"]
    assert whys(change(club, "PATCH", "", {})) == [("E_FORM", "no_change", [])]
    assert whys(change(club, "PATCH", "", {"stake": {}})) == [("E_FORM", "stake_alone", ["rules"])]


# ---- members -----------------------------------------------------------------------


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


def test_members_have_different_names(club: Club) -> None:
    joined = club.post("/groups/{id}/members", {"name": "Ben"})
    renamed = change(club, "PATCH", "/members/0", {"name": "Ben"})

    assert whys(joined) == [("E_FORM", "same_name", ["name"])]
    assert [code for code, why, _ in whys(renamed) if why == "same_name"] == ["E_FORM"]


def test_erasing_a_member_keeps_the_numbers_of_the_season(club: Club) -> None:
    club.evening(points=(0, 10, 25))
    table = club.evening(points=(12, 0, 30))
    before = club.balances()
    season = club.get("/groups/{id}/season?by=points").json["standings"]

    erased = change(club, "DELETE", "/members/1").json
    club.evening("Anna", "Carl", points=(0, 8))

    assert (erased["members"][1]["name"], erased["members"][1]["erased"]) == ("", True)
    assert [seat["name"] for seat in table.get("/games/{id}").json["players"]] == [
        "Anna",
        "",
        "Carl",
    ]
    assert club.balances() == [str(int(before[0]) + 8), before[1], str(int(before[2]) - 8)]
    after = {
        one["member"]: one for one in club.get("/groups/{id}/season?by=points").json["standings"]
    }
    (own,) = (one for one in season if one["member"] == 1)
    assert (after[1]["name"], after[1]["value"]) == ("", own["value"])
    for path in ("", "/history", "/season", "/statement", "/members/1", "/games"):
        assert "Ben" not in club.get("/groups/{id}" + path).text
    assert all("Ben" not in moment["message"] for moment in story(club, table.id))


def story(club: Club, game: str) -> list[dict[str, Any]]:
    answer: list[dict[str, Any]] = club.get(f"/groups/{{id}}/games/{game}").json["story"]
    return answer


def test_a_new_member_with_an_erased_name_is_another_member(club: Club) -> None:
    club.evening(points=(0, 10, 25))
    change(club, "DELETE", "/members/1")

    club.evening(points=(0, 1, 2))

    assert club.get("/groups/{id}/games/{game}").json["results"][1]["member"] == 3


@pytest.mark.parametrize(
    ("method", "body"), [("GET", None), ("PATCH", {"name": "X"}), ("DELETE", None)]
)
def test_an_unknown_member_is_not_found(club: Club, method: str, body: Any) -> None:
    for number in ("3", "99999999999999999999", "-1", "x"):
        assert change(club, method, f"/members/{number}", body).status_code == 404

    assert club.version == "1"


# ---- evenings ----------------------------------------------------------------------


def test_an_evening_uses_the_house_rules_and_adds_new_members(club: Club) -> None:
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


def test_a_running_evening_without_a_title_has_an_empty_one(club: Club) -> None:
    club.evening()

    (running,) = club.get("/groups/{id}").json["running"]
    assert (running["id"], running["title"]) == (club.game, "")


def test_stated_rules_apply_to_that_evening_only(club: Club) -> None:
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


@pytest.mark.parametrize(
    ("body", "code", "place"),
    [
        ({}, "E_FORM", ["players"]),
        ({"players": [{"name": "A"}]}, "E_CONFIG", ["players"]),
        ({"players": [{"name": "A"}, {"name": "A"}]}, "E_FORM", ["players", 1, "name"]),
        ({"players": [{"name": "A"}, {"name": "B"}], "training": 1}, "E_FORM", ["training"]),
        (
            {"players": [{"name": "A"}, {"name": "B"}], "stake": {"rejoin_stake": "1"}},
            "E_CONFIG",
            ["stake", "rejoin_stake"],
        ),
    ],
)
def test_an_invalid_evening_is_refused_with_its_place(
    club: Club, body: Any, code: str, place: list[Any]
) -> None:
    answer = club.post("/groups/{id}/games", body)

    assert [codes(answer)[0], club.version] == [(code, place), "1"]


def test_an_evening_is_returned_with_results_and_story(club: Club) -> None:
    table = club.evening()
    for points in ((0, 12, 35), (40, 0, 10)):
        table.record(short.body(*points))
    table.call("PATCH", "/games/{id}", {"over": True}, match="3")

    answer = club.get("/groups/{id}/games/{game}", lang="en")

    assert "ETag" not in answer.headers
    evening = answer.json
    assert (evening["over"], evening["training"], evening["rounds"]) == (True, False, 2)
    assert [
        (one["member"], one["rank"], one["minus"], one["won"], one["amount"])
        for one in evening["results"]
    ] == [(0, 2, 40, 1, "-23"), (1, 1, 12, 1, "61"), (2, 3, 45, 0, "-38")]
    assert [moment["code"] for moment in evening["story"]][:2] == ["lead", "turning_point"]
    assert evening["story"][0]["facts"] == {"round": 2, "before": 0, "side": 1}
    assert evening["story"][0]["message"] == "Round 2: the lead passes from Anna to Ben."


def test_an_unfinished_evening_is_listed_and_exported_as_it_is(club: Club) -> None:
    table = club.evening()
    table.record(short.body(0, 12, 35))

    (listed,) = club.get("/groups/{id}/games").json["games"]
    csv = club.get("/groups/{id}/export.csv?table=totals").text

    assert (listed["over"], listed["rounds"]) == (False, 1)
    assert [one["minus"] for one in listed["results"]] == [0, 12, 35]
    assert [line.split(",")[7] for line in csv.splitlines()] == ["minus", "0", "12", "35"]


def test_an_evening_that_was_thrown_away_is_listed_as_such(club: Club) -> None:
    over = club.evening(points=(0, 10, 25))
    running = club.evening("Anna", "Ben")
    thrown = {}
    for table in (over, running):
        away = table.call("PATCH", "/games/{id}", {"thrown_away": True}, match=table.version)
        thrown[table.id] = away.json["thrown_away_at"]

    def listed() -> dict[str, Any]:
        games = club.get("/groups/{id}/games").json["games"]
        for one in games:
            read = club.get(f"/groups/{{id}}/games/{one['id']}").json
            assert read["thrown_away_at"] == one["thrown_away_at"]
        return {one["id"]: one["thrown_away_at"] for one in games}

    assert all(thrown.values()) and listed() == thrown

    over.call("PATCH", "/games/{id}", {"thrown_away": False}, match=over.version)

    assert listed() == {**thrown, over.id: None}


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
        ("offset=-1", "range", "offset"),
        ("member=1.5", "type", "member"),
        ("training=maybe", "choice", "training"),
        ("family=poker", "choice", "family"),
    ],
)
def test_an_invalid_list_query_is_refused_with_its_place(
    club: Club, query: str, why: str, place: str
) -> None:
    answer = club.get(f"/groups/{{id}}/games?{query}")

    assert whys(answer) == [("E_FORM", why, [place])]


# ---- games put in and taken out ----------------------------------------------------


def test_adding_a_game_to_a_group_needs_the_games_pen(club: Club) -> None:
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
def test_a_game_needs_a_different_member_for_every_seat(
    club: Club, members: list[int], why: str, place: list[Any]
) -> None:
    club.evening()
    answer = change(club, "PUT", "/games/{game}", {"members": members})

    assert whys(answer) == [("E_GROUP", why, place)]


def test_fields_left_out_do_not_change_a_games_admission(club: Club) -> None:
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


def test_removing_a_game_removes_its_bookings(club: Club) -> None:
    table = club.evening(points=(0, 10, 25))
    own = table.post("/games/{id}/secrets", {"right": "pen"}).json["secret"]

    left = change(club, "DELETE", "/games/{game}").json

    assert left["evenings"] == 0
    assert left["balances"] == [{"unit": "ct", "amounts": ["0", "0", "0"]}]
    assert table.get("/games/{id}").status_code == 404
    assert table.get("/games/{id}", secret=own).status_code == 200
    assert club.get("/groups/{id}/games/{game}").status_code == 404
    assert change(club, "DELETE", "/games/{game}").status_code == 404


# ---- history and secrets -----------------------------------------------------------


def test_the_history_lists_all_changes_with_their_right(club: Club) -> None:
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


# ---- words -------------------------------------------------------------------------


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_refusal_contains_the_value_and_the_limit(club: Club, lang: str) -> None:
    answer = club.pay(0, 9, "5", lang=lang)

    assert answer.json["problems"][0]["facts"] == {"why": "member", "member": 9, "members": 3}
    assert "9" in answer.json["detail"] and "3" in answer.json["detail"]


def test_errors_of_a_groups_game_contain_names(club: Club) -> None:
    answer = club.evening("Anna", "Ben").record({**QUICK, "winner": 1, "seats": [{}, {}]})

    assert answer.status_code == 422
    assert "Anna" in answer.json["detail"]
