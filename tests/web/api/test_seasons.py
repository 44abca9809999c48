"""Season, encounters and members over REST."""

from datetime import date

import pytest

from rest import Club
from scorekeeper.services.clock import set_clock
from short import body
from web.api.conftest import change, whys


def test_the_season_has_the_requested_order(club: Club) -> None:
    club.evening(points=(0, 10, 25))
    club.evening("Anna", "Ben", points=(30, 0))
    club.evening(points=(50, 0, 1), training=True)

    def ordered(by: str) -> list[tuple[int, str]]:
        answer = club.get(f"/groups/{{id}}/season?by={by}").json
        assert answer["by"] == by
        return [(one["member"], one["value"]) for one in answer["standings"]]

    assert ordered("wins") == [(0, "1"), (1, "1"), (2, "0")]
    assert ordered("money") == [(1, "35"), (0, "5"), (2, "-40")]
    assert ordered("average") == [(1, "-5"), (0, "-15"), (2, "-25")]
    standing = club.get("/groups/{id}/season?by=wins").json["standings"][0]
    assert (standing["rank"], standing["name"]) == (1, "Anna")
    assert standing["figures"]["evenings"] == 2
    assert standing["figures"]["amounts"] == [{"unit": "ct", "amount": "5"}]


def test_members_with_too_few_rounds_have_no_rank(club: Club) -> None:
    club.evening(points=(0, 10, 25))
    club.evening("Anna", "Ben", points=(30, 0))

    answer = club.get("/groups/{id}/season?min_rounds=2").json

    assert answer["min_rounds"] == 2
    assert [one["rank"] for one in answer["standings"] if one["member"] == 2] == [None]
    assert None not in [one["rank"] for one in answer["standings"] if one["member"] != 2]


def test_a_season_is_limited_to_its_days(club: Club) -> None:
    club.evening(points=(0, 10, 25))

    answer = club.get("/groups/{id}/season?from=2001-01-01&to=2001-12-31").json
    year = club.get("/groups/{id}/season?year=2001").json

    assert (answer["from"], answer["to"], answer["standings"]) == ("2001-01-01", "2001-12-31", [])
    assert (year["from"], year["to"]) == ("2001-01-01", "2001-12-31")
    assert len(club.get("/groups/{id}/season?year=all").json["standings"]) == 3
    assert "ETag" not in club.get("/groups/{id}/season").headers


@pytest.mark.parametrize("zone", ["UTC", "Pacific/Kiritimati", "Pacific/Pago_Pago"])
def test_the_days_of_all_years_can_be_sent_back(club: Club, zone: str) -> None:
    club.app.config["TIMEZONE"] = zone
    club.evening(points=(0, 10, 25))

    always = club.get("/groups/{id}/season?year=all").json
    days = f"from={always['from']}&to={always['to']}"
    again = club.get(f"/groups/{{id}}/season?{days}").json

    assert date.fromisoformat(always["from"]) <= date.fromisoformat(always["to"])
    assert len(again["standings"]) == 3
    assert again == always
    assert club.get(f"/groups/{{id}}/games?{days}").json["total"] == 1
    files = [club.get(f"/groups/{{id}}/season.csv?{one}").text for one in ("year=all", days)]
    assert files[0] == files[1]


@pytest.mark.parametrize(
    ("query", "why", "place"),
    [
        ("by=luck", "choice", "by"),
        ("from=1.1.2026", "date", "from"),
        ("from=2026-02-01&to=2026-01-01", "dates", "to"),
        ("year=20a6", "date", "year"),
        ("min_rounds=-1", "range", "min_rounds"),
        ("family=poker", "choice", "family"),
    ],
)
def test_an_invalid_season_query_is_refused_with_its_place(
    club: Club, query: str, why: str, place: str
) -> None:
    assert whys(club.get(f"/groups/{{id}}/season?{query}")) == [("E_FORM", why, [place])]


def test_encounters_cover_every_pair_of_members_without_training(club: Club) -> None:
    club.evening(points=(0, 10, 25))
    club.evening(points=(0, 1, 2), training=True)

    met = club.get("/groups/{id}/encounters").json["encounters"]

    assert [(one["one"], one["other"], one["points"]) for one in met] == [
        (0, 1, 10),
        (0, 2, 25),
        (1, 2, 15),
    ]
    assert club.get("/groups/{id}/encounters?to=2001-01-01").json["encounters"] == []


def test_a_member_is_returned_with_figures_streaks_encounters_and_money(club: Club) -> None:
    for points in ((0, 10, 25), (0, 3, 4), (0, 9, 2)):
        club.evening(points=points)
    club.evening(points=(5, 0, 1), training=True)

    own = club.get("/groups/{id}/members/0").json
    nobody = club.get("/groups/{id}/members/0?to=2001-01-01").json

    assert (own["name"], own["figures"]["evenings"]) == ("Anna", 3)
    assert own["streaks"] == {"rounds": 1, "evenings": 3}
    assert [(one["one"], one["other"], one["points"]) for one in own["encounters"]] == [
        (0, 1, 10 + 3 + 9),
        (0, 2, 25 + 4 + 2),
    ]
    assert own["balances"] == [{"unit": "ct", "amount": club.balances()[0]}]
    assert own["statement"][-1]["balances"] == own["balances"]
    assert (nobody["figures"], nobody["encounters"]) == (None, [])


def test_a_group_can_keep_a_rating(club: Club) -> None:
    with set_clock("2026-03-05T20:00:00Z"):  # the order of the evenings counts
        club.evening(points=(0, 10, 25))
    asked = "/groups/{id}/season?by=rating&year=2026"
    off = club.get(asked)

    kept = change(club, "PATCH", "", {"rating": True})
    change(club, "PATCH", "", {"rating": True})  # changes nothing
    one = club.get(asked).json["standings"]
    with set_clock("2026-03-06T20:00:00Z"):
        club.evening("Anna", "Ben", points=(30, 0))
        club.evening(points=(50, 0, 1), training=True)
    two = club.get(asked).json["standings"]

    assert whys(off) == [("E_GROUP", "no_rating", ["by"])]
    assert kept.json["rating"] is True
    assert [(standing["member"], standing["value"]) for standing in one] == [
        *((0, "1276"), (1, "1065"), (2, "855"))
    ]
    assert [standing["member"] for standing in two] == [1, 0, 2]
    assert two[2]["value"] == "855"  # who stays away keeps theirs
    assert club.get("/groups/{id}/season?by=rating&year=2001").json["standings"] == []
    change(club, "PATCH", "", {"rating": False})
    assert club.get(asked).status_code == 422
    kinds = [one["kind"] for one in club.get("/groups/{id}/history").json["changes"]]
    assert kinds.count("rating") == 2


def test_who_played_less_than_half_of_the_rounds_with_others_is_not_rated(club: Club) -> None:
    change(club, "PATCH", "", {"rating": True})
    table = club.evening()
    for points in ((0, 10, None), (0, 10, None), (5, 0, 9)):
        table.record(body(*points))
    table.call("PATCH", "/games/{id}", {"over": True}, match="4")

    values = {
        one["member"]: one["value"]
        for one in club.get("/groups/{id}/season?by=rating").json["standings"]
    }

    assert values[2] is None
    assert int(values[0]) > int(values[1]) > 0
