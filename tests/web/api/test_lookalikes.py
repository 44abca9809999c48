"""Names that look alike are refused wherever somebody types one, and imported as they were."""

from typing import Any

import pytest
from flask import Flask

from rest import Club, Table
from scorekeeper.i18n import LANGUAGES
from web.api.conftest import change, whys

LATIN, CYRILLIC = "Anna", "Аnna"
SHEET = f"Date;{LATIN};{CYRILLIC}\n2026-03-05;0;35\n"


def names(*names: str) -> list[dict[str, str]]:
    return [{"name": name} for name in names]


def refused(*place: str | int) -> list[tuple[str, str, list[Any]]]:
    return [("E_FORM", "lookalike", [*place, "name"])]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_game_with_names_that_look_alike_is_not_begun(nobody: Table, lang: str) -> None:
    body = {"title": "", "rules": {"preset": "german-family"}, "players": names(LATIN, CYRILLIC)}
    answer = nobody.post("/games", body, lang=lang)

    assert whys(answer) == refused("players", 1)
    assert LATIN in answer.json["detail"]
    assert CYRILLIC in answer.json["detail"]


def test_a_late_player_is_distinguishable(table: Table) -> None:
    path = "/games/{id}"
    joined = table.call("PATCH", path, {"player": {"name": "Eva"}}, match=table.version)
    alike = table.call("PATCH", path, {"player": {"name": "Еva"}}, match=table.version)

    assert joined.status_code == 200
    assert whys(alike) == refused("player")


def test_members_of_a_group_are_distinguishable(club: Club) -> None:
    founded = club.post("/groups", {"name": "R", "members": names(LATIN, CYRILLIC)})
    joined = change(club, "POST", "/members", {"name": CYRILLIC})
    renamed = change(club, "PATCH", "/members/1", {"name": CYRILLIC})
    itself = change(club, "PATCH", "/members/0", {"name": CYRILLIC})

    assert whys(founded) == refused("members", 1)
    assert whys(joined) == whys(renamed) == refused()
    assert itself.status_code == 200


def test_a_newcomer_of_an_evening_does_not_look_like_a_member(club: Club) -> None:
    answer = club.post("/groups/{id}/games", {"players": names("Ben", CYRILLIC)})

    assert whys(answer) == refused("players", 1)
    assert club.get("/groups/{id}").json["version"] == 1


@pytest.mark.parametrize("query", ["", "?preview=true"])
def test_a_typed_sheet_has_distinguishable_names(club: Club, query: str) -> None:
    confirmed = {"sheet": SHEET, "new_members": [LATIN, CYRILLIC]}
    answer = club.post(f"/groups/{{id}}/sheets{query}", confirmed)

    assert [why for _, why, _ in whys(answer)] == ["lookalike"]


def test_an_export_of_an_earlier_version_is_imported(table: Table, other_app: Flask) -> None:
    """Until version 1.1 such names were allowed."""
    export = table.get("/games/{id}/export.json").json
    export["texts"]["1"] |= {"name.0": LATIN, "name.1": CYRILLIC}
    taken = Table(other_app).post("/games/import", export)

    assert taken.status_code == 201, taken.text
