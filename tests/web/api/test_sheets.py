"""Importing typed score sheets into a group."""

import re
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from rest import Club, codes, described
from scorekeeper.services.clock import set_clock
from scorekeeper.wire.csv_cells import DATE_ORDERS
from scorekeeper.wire.csv_choices import ACTIONS, POINTS_KINDS
from web.api.conftest import whys

SHEET = "Date;Anna;Ben;Xaver\n2026-03-05;0;35;12\n;20;;0\n2026-03-12;7;0;\n"
CLAIRE = "Claire"


@pytest.fixture
def club(app: Flask) -> Club:
    """A group with an evening."""
    club = Club(app).found("Anna", "Ben", CLAIRE)
    club.evening("Anna", "Ben", CLAIRE, points=(0, 10, 25))
    return club


def test_a_sheet_is_previewed_and_then_imported(club: Club) -> None:
    body = {"sheet": SHEET}
    confirmed = {**body, "new_members": ["Xaver"]}
    seen = club.post("/groups/{id}/sheets?preview=true", body)
    unconfirmed = club.post("/groups/{id}/sheets", body, key="unconfirmed")
    taken = club.post("/groups/{id}/sheets", confirmed, key="press")
    again = club.post("/groups/{id}/sheets", confirmed, key="press")
    doubled = club.post("/groups/{id}/sheets", confirmed, key="another")

    assert seen.status_code == 200
    assert seen.json["evenings"][0] == {
        "day": "2026-03-05",
        "rounds": 2,
        "players": [
            {"name": "Anna", "member": 0, "total": 20, "won": 1},
            {"name": "Ben", "member": 1, "total": 35, "won": 0},
            {"name": "Xaver", "member": None, "total": 12, "won": 1},
        ],
        "winners": ["Xaver"],
        "known": False,
        "existing": None,
        "action": "import",
    }
    assert [one["facts"]["value"] for one in seen.json["questions"]] == ["Xaver"]
    assert unconfirmed.status_code == 422
    assert codes(unconfirmed) == [("E_SHEET", ["line", 1, "column", 4])]
    assert (taken.status_code, again.status_code) == (201, 201)
    assert taken.json["evenings"] == again.json["evenings"] == 3
    assert [member["name"] for member in taken.json["members"]][3] == "Xaver"
    assert codes(doubled) == [("E_SHEET", ["line", 2]), ("E_SHEET", ["line", 4])]
    assert [problem["facts"]["day"] for problem in doubled.json["problems"]] == [
        "2026-03-05",
        "2026-03-12",
    ]


def test_a_sheet_is_compared_by_the_days_of_the_table(app: Flask) -> None:
    app.config["TIMEZONE"] = "America/New_York"
    with set_clock("2026-06-06T00:30:00Z"):
        club = Club(app).found("Anna", "Ben")
        club.evening("Anna", "Ben", points=(0, 10))
    body = {"sheet": "date;Anna;Ben\n2026-06-05;0;10\n"}

    seen = club.post("/groups/{id}/sheets?preview=true", body)
    assert seen.json["evenings"][0]["known"]
    assert codes(club.post("/groups/{id}/sheets", body)) == [("E_SHEET", ["line", 2])]


@pytest.mark.parametrize(
    ("lang", "day"),
    [
        ("de", "vom 5. März 2026"),
        ("en", "of 5 March 2026"),
        ("fr", "du 5 mars 2026"),
        ("lb", "vum 5. Mäerz 2026"),
    ],
)
def test_days_of_a_sheet_are_written_as_the_reader_writes_them(
    club: Club, lang: str, day: str
) -> None:
    body = {"sheet": "Date;Anna;Ben\n2026-03-05;0;35\n"}
    taken = club.post("/groups/{id}/sheets", body, key="first")
    known = club.post("/groups/{id}/sheets", body, key="again", lang=lang)
    differs = {"sheet": body["sheet"].replace("35", "40")}
    differing = club.post("/groups/{id}/sheets", differs, key="other", lang=lang)

    assert taken.status_code == 201
    assert day in known.json["detail"]
    assert day in differing.json["detail"]


def test_a_member_written_in_capitals_does_not_join_again(club: Club) -> None:
    body = {"sheet": "Date;ANNA;ben\n2026-03-05;0;35\n"}
    seen = club.post("/groups/{id}/sheets?preview=true", body)
    taken = club.post("/groups/{id}/sheets", body)

    assert [one["member"] for one in seen.json["evenings"][0]["players"]] == [0, 1]
    assert seen.json["questions"] == []
    assert [member["name"] for member in taken.json["members"]] == ["Anna", "Ben", CLAIRE]


def test_columns_that_are_no_players_are_left_out(club: Club) -> None:
    sheet = "Round;Date;Anna;Ben;Who;Total 2026\n1;2026-03-05;0;35;8;35\n2;;20;0;;20\nSum;;20;35"
    seen = club.post("/groups/{id}/sheets?preview=true", {"sheet": sheet, "left_out": ["Who"]})
    taken = club.post("/groups/{id}/sheets", {"sheet": sheet, "left_out": ["Who"]})

    assert [(one["value"], one["column"], one["why"]) for one in seen.json["left_out"]] == [
        ("Round", 1, "word"),
        ("Who", 5, "chosen"),
        ("Total 2026", 6, "word"),
        ("Sum", None, "word"),
    ]
    assert taken.status_code == 201
    assert [member["name"] for member in taken.json["members"]] == ["Anna", "Ben", CLAIRE]


@pytest.mark.parametrize(
    ("do", "status", "evenings", "balances"),
    [
        (None, 422, 2, ["50", "-10", "-40"]),
        ("replace", 201, 2, ["45", "-5", "-40"]),
        ("keep", 201, 3, ["60", "-20", "-40"]),
        ("skip", 201, 2, ["50", "-10", "-40"]),
    ],
)
def test_a_corrected_sheet_is_decided(
    club: Club, do: str | None, status: int, evenings: int, balances: list[str]
) -> None:
    sheet = "Date;Anna;Ben\n2026-03-05;0;35\n;20;0\n"
    corrected = sheet.replace(";20;", ";25;")
    club.post("/groups/{id}/sheets", {"sheet": sheet})
    choice = [{"day": "2026-03-05", "do": do}] if do else []
    seen = club.post("/groups/{id}/sheets?preview=true", {"sheet": corrected, "existing": choice})
    answer = club.post("/groups/{id}/sheets", {"sheet": corrected, "existing": choice})
    assert seen.status_code == 200, seen.text
    (one,) = seen.json["evenings"]

    assert one["existing"]["differences"] == [
        {
            "round": 2,
            "kind": "changed",
            "points": [{"name": "Anna", "stored": 20, "typed": 25}],
            "facts": [],
        }
    ]
    assert one["action"] == ("import" if do == "keep" else do)
    assert answer.status_code == status
    assert club.get("/groups/{id}").json["evenings"] == evenings
    assert club.balances() == balances


def test_questions_about_the_numbers_are_answered(club: Club) -> None:
    body = {"sheet": "Date;Anna;Ben\n3/5/2026;0;35\n;0;45\n"}
    first = club.post("/groups/{id}/sheets?preview=true", body)
    second = club.post("/groups/{id}/sheets?preview=true", {**body, "dates": "day_first"})
    answers = {"dates": "day_first", "points": "totals"}
    third = club.post("/groups/{id}/sheets?preview=true", {**body, **answers})

    assert whys(first) == [("E_SHEET", "day_month", ["line", 2, "column", 1])]
    assert whys(second) == [("E_SHEET", "running", ["line", 2])]
    assert second.json["problems"][0]["facts"]["kinds"] == ["rounds", "totals"]
    assert third.json["evenings"][0]["day"] == "2026-05-03"
    assert third.json["evenings"][0]["players"][1]["total"] == 45


def test_a_preview_that_cannot_read_the_numbers_is_described(club: Club) -> None:
    page = (Path(__file__).parents[3] / "docs" / "groups.md").read_text(encoding="utf-8")
    (told,) = re.findall(r"- \*\*A typed sheet\*\*:(.*?)\n- ", page, re.DOTALL)
    call = described(club.app).operation("POST", "/api/v1/groups/{group_id}/sheets")
    assert call
    description = " ".join(call["description"].split())

    for word in (*POINTS_KINDS, *DATE_ORDERS, *ACTIONS, "day_month", "running", "kinds"):
        assert re.search(rf'`"?{word}"?`|: "{word}"', told), word
    assert "the preview is refused too" in description
    assert "why is day_month until dates is sent, and running until points is" in description


def test_a_sheet_is_scored_by_the_stated_rules(club: Club) -> None:
    rules = {"rules": {"preset": "wiener"}, "stake": {"point_value": "1", "unit": "Pf"}}
    club.post("/groups/{id}/sheets", {"sheet": "Date,Anna,Ben\n2026-03-05,0,7", **rules})

    assert club.balances("Pf") == ["7", "-7", "0"]


def test_a_stake_alone_changes_that_of_the_house_rules(club: Club) -> None:
    stake = {"point_value": "3", "unit": "Pf"}
    club.post("/groups/{id}/sheets", {"sheet": "Date,Anna,Ben\n2026-03-05,0,7", "stake": stake})

    assert club.balances("Pf") == ["21", "-21", "0"]


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ({"sheet": "Date;Anna;Ben\n2026-03-05;0;y7"}, ("E_SHEET", ["line", 2, "column", 3])),
        ({"sheet": "Date;Anna;Ben\n2999-03-05;0;7"}, ("E_SHEET", ["line", 2, "column", 1])),
        ({"sheet": "Date;Anna;Ben\n2026-03-05;0;0"}, ("E_SHEET", ["line", 2])),
        ({"sheet": ""}, ("E_SHEET", [])),
        ({"sheet": SHEET, "rules": {"preset": "gin-palast"}}, ("E_SHEET", ["rules"])),
        ({"sheet": SHEET, "stake": {"point_value": 1}}, ("E_CONFIG", ["stake", "point_value"])),
        ({"sheet": "x" * 60_001}, ("E_FORM", ["sheet"])),
        ({"sheet": 7}, ("E_FORM", ["sheet"])),
        ({"sheet": SHEET, "new_members": "Xaver"}, ("E_FORM", ["new_members"])),
        ({"sheet": SHEET, "left_out": [""]}, ("E_FORM", ["left_out", 0])),
        ({"sheet": SHEET, "new_members": ["A"] * 41}, ("E_FORM", ["new_members"])),
        ({"sheet": SHEET, "points": "both"}, ("E_FORM", ["points"])),
        ({"sheet": SHEET, "dates": "year_first"}, ("E_FORM", ["dates"])),
        (
            {"sheet": SHEET, "existing": [{"day": "5.3.26", "do": "keep"}]},
            ("E_FORM", ["existing", 0, "day"]),
        ),
        (
            {"sheet": SHEET, "existing": [{"day": 5, "do": "keep"}]},
            ("E_FORM", ["existing", 0, "day"]),
        ),
        ({}, ("E_FORM", ["sheet"])),
    ],
)
def test_an_ambiguous_sheet_is_refused_with_its_place(
    club: Club, body: Any, found: tuple[str, list[Any]]
) -> None:
    for query in ("", "?preview=true"):
        answer = club.post(f"/groups/{{id}}/sheets{query}", body)

        assert answer.status_code == 422
        assert codes(answer) == [found]
