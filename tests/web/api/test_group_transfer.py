"""Exporting a group as tables and as a whole, and importing it."""

import csv
import threading
from concurrent.futures import ThreadPoolExecutor
from io import StringIO
from json import dumps
from typing import Any

import pytest
from flask import Flask

from forged_exports import sealed
from rest import QUICK, Club, Table, codes
from scorekeeper.i18n import LANGUAGES, language
from scorekeeper.services import imports
from scorekeeper.web import background
from scorekeeper.web.api import group_transfer

SHEET = "Date;Anna;Ben\n2026-03-05;0;35\n"
HOSTILE = '=HYPERLINK("http://evil")'


@pytest.fixture
def club(app: Flask) -> Club:
    """A group with an evening, a payment and a name that looks like a formula."""
    club = Club(app).found("Anna", "Ben", HOSTILE)
    club.evening("Anna", "Ben", HOSTILE, points=(0, 10, 25))
    return club


def table(club: Club, path: str) -> list[list[str]]:
    answer = club.get(path)
    assert answer.status_code == 200, answer.text
    assert answer.data.startswith(b"\xef\xbb\xbf")
    return list(csv.reader(StringIO(answer.data.decode("utf-8-sig"))))


def test_a_group_is_exported_in_four_tables(club: Club) -> None:
    club.post(
        "/groups/{id}/payments",
        {"from": 1, "to": 0, "amount": "10/3", "unit": "ct", "note": "+cmd|'/C calc'!A0"},
        key="k",
    )
    rounds, totals, settlements, payments = (
        table(club, f"/groups/{{id}}/export.csv?table={name}")
        for name in ("rounds", "totals", "settlements", "payments")
    )
    day, game = rounds[1][:2]

    assert rounds[1][2:6] == ["1", "", "out", "Anna"]
    assert dict(zip(rounds[0][6:], rounds[1][6:], strict=True)) == {
        "Anna minus": "0",
        "Anna plus": "0",
        "Ben minus": "10",
        "Ben plus": "0",
        f"'{HOSTILE} minus": "25",
        f"'{HOSTILE} plus": "0",
        "note": "",
    }
    assert totals[3] == [
        *(day, game, "german-family", "0", "1", f"'{HOSTILE}"),
        *("3", "25", "0", "-25", "0", "1", "0"),
    ]
    assert settlements[1:] == [
        [day, game, "Anna", "35", "", "ct"],
        [day, game, "Ben", "5", "", "ct"],
        [day, game, f"'{HOSTILE}", "-40", "", "ct"],
    ]
    assert payments[1][4:] == [
        *("Ben", "Anna", "3.333333", "'10/3", "ct", "'+cmd|'/C calc'!A0", "0")
    ]
    assert table(club, "/groups/{id}/export.csv") == rounds


def test_an_evening_is_exported_in_four_tables(club: Club) -> None:
    totals, settlement, payments = (
        table(club, f"/games/{{game}}/export.csv?table={name}")
        for name in ("totals", "settlements", "payments")
    )

    assert totals[1] == ["Anna", "1", "0", "0", "0", "0", "1", "1"]
    assert settlement[3] == [f"'{HOSTILE}", "-40", "", "-40", "", "ct", "-40"]
    assert payments[1:] == [
        [f"'{HOSTILE}", "Anna", "35", "", "ct", ""],
        [f"'{HOSTILE}", "Ben", "5", "", "ct", ""],
    ]
    assert table(club, "/games/{game}/export.csv")[1][4] == "Anna"


def test_an_unknown_table_is_refused(club: Club) -> None:
    for path in ("/groups/{id}/export.csv?table=all", "/games/{game}/export.csv?table="):
        answer = club.get(path)

        assert answer.status_code == 422
        assert codes(answer) == [("E_FORM", ["table"])]


def test_a_group_is_exported_and_imported_without_loss(club: Club, other_app: Flask) -> None:
    export = club.get("/groups/{id}/export.json").json
    elsewhere = Club(other_app)
    arrived = elsewhere.post("/groups/import", export)

    assert arrived.status_code == 201
    elsewhere.id, elsewhere.pen = arrived.json["id"], arrived.json["pen"]
    assert elsewhere.pen != club.pen
    assert elsewhere.get("/groups/{id}/export.json").json == export
    for path in ("/groups/{id}", "/groups/{id}/season", "/groups/{id}/money", "/groups/{id}/games"):
        assert elsewhere.get(path).json == club.get(path).json
    assert elsewhere.get("/groups/{id}", secret=club.pen).status_code == 404

    twice = elsewhere.post("/groups/import", export)

    assert codes(twice) == [("E_IMPORT", [])]
    assert club.id in twice.json["detail"]


@pytest.mark.parametrize("names", [(), ("Anna", "Ben")])
def test_a_group_without_an_evening_is_imported(
    app: Flask, other_app: Flask, names: tuple[str, ...]
) -> None:
    export = Club(app).found(*names).get("/groups/{id}/export.json").json
    elsewhere = Club(other_app)
    arrived = elsewhere.post("/groups/import", export)
    elsewhere.id, elsewhere.pen = arrived.json["id"], arrived.json["pen"]

    assert arrived.status_code == 201
    assert elsewhere.get("/groups/{id}/export.json").json == export
    assert elsewhere.get("/groups/{id}/season").status_code == 200


def _forged(export: Any) -> Any:
    export["games"][0]["events"][1]["payload"]["round"]["winner"] = 1


def _hostile(export: Any) -> Any:
    export["texts"]["1"]["member.0"] = "A\u202e"


def _hostile_game(export: Any) -> Any:
    export["games"][0]["texts"]["1"]["name.0"] = "A\u202e"


def _without(export: Any) -> Any:
    export["games"] = []


def _strange(export: Any) -> Any:
    export["games"] = {"a": 1}


def _mixed(export: Any) -> Any:
    export["games"] = [[], None]


def _second_forged(export: Any) -> None:
    export["games"][1]["events"][1]["payload"]["round"]["winner"] = 7
    sealed(export["games"][1])


def _second_scored_otherwise(export: Any) -> None:
    score = export["games"][1]["events"][1]["payload"]["score"]
    score["scores"][0][0] = score["lines"][0]["points"] = 4
    sealed(export["games"][1])


@pytest.mark.parametrize(
    ("harm", "found"),
    [
        (_forged, ("E_IMPORT", [])),
        (_hostile, ("E_FORM", ["texts", "1", "member.0"])),
        (_hostile_game, ("E_FORM", ["games", 0, "texts", "1", "name.0"])),
        (_without, ("E_IMPORT", [])),
        (_strange, ("E_IMPORT", [])),
        (_mixed, ("E_IMPORT", [])),
        (dict.clear, ("E_IMPORT", [])),
    ],
)
def test_an_incomplete_or_altered_group_is_not_imported(
    club: Club, other_app: Flask, harm: Any, found: tuple[str, list[Any]]
) -> None:
    export = club.get("/groups/{id}/export.json").json
    harm(export)
    answer = Club(other_app).post("/groups/import", export)

    assert answer.status_code == 422
    assert codes(answer) == [found]
    assert other_app.extensions["ledger"].store.engine.rows("SELECT * FROM books") == []


@pytest.fixture
def several(club: Club) -> Club:
    """A group with three evenings."""
    for points in ((5, 0, 10), (0, 3, 4)):
        club.evening("Anna", "Ben", HOSTILE, points=points)
    return club


def jobs(app: Flask, monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, bool]]:
    """Record the jobs given to the pool, and whether each came within a transaction."""
    given: list[tuple[str, bool]] = []
    run = app.extensions["workers"].run

    def noted(job: Any, *args: Any, **named: Any) -> Any:
        given.append((job.__name__, app.extensions["ledger"].store.in_transaction))
        return run(job, *args, **named)

    monkeypatch.setattr(app.extensions["workers"], "run", noted)
    return given


def test_the_evenings_of_a_sheet_are_played_in_the_pool_a_few_at_a_time(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = jobs(club.app, monkeypatch)
    monkeypatch.setattr(imports, "EVENTS_PER_JOB", 2)
    days = "".join(f"2026-03-0{day};0;{day}\n" for day in range(1, 6))
    for query in ("?preview=true", ""):
        answer = club.post(f"/groups/{{id}}/sheets{query}", {"sheet": f"date;Anna;Ben\n{days}"})
        assert answer.status_code in (200, 201), answer.text

    assert given == [("play_evenings", False)] * 6


def test_a_group_is_checked_in_the_pool_a_few_games_at_a_time_and_then_written(
    several: Club, other_app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    export = several.get("/groups/{id}/export.json").json
    given = jobs(other_app, monkeypatch)
    monkeypatch.setattr(imports, "EVENTS_PER_JOB", 6)  # every evening has three events

    def busy(*_: Any) -> None:
        raise AssertionError("checked outside the pool")

    for name in (
        "read_json",
        "check_group",
        "check_game",
        "check_evening",
        "stored_evening",
        "exported_events",
    ):
        monkeypatch.setattr(imports, name, busy)  # the pool has functions of its own
    ledger, rows_of_book = other_app.extensions["ledger"], imports.rows_of_book
    made: list[bool] = []

    def noted(*of: Any) -> Any:
        made.append(ledger.store.in_transaction)
        return rows_of_book(*of)

    monkeypatch.setattr(imports, "rows_of_book", noted)
    answer = Club(other_app).post("/groups/import", export)

    assert answer.status_code == 201, answer.text
    names = ["group_from_json", "read_group_alone", "read_evenings", "read_evenings"]
    assert given == [(name, False) for name in names]
    assert made == [False]  # those of the group; those of its games come from the pool
    assert other_app.extensions["ledger"].export(several.id)["head"] == export["head"]


def test_others_write_while_a_group_is_checked(
    several: Club, other_app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    export = several.get("/groups/{id}/export.json").json
    run = other_app.extensions["workers"].run
    begun: list[Any] = []

    def meanwhile(job: Any, *args: Any, **named: Any) -> Any:
        with ThreadPoolExecutor(1) as other:
            begun.append(other.submit(lambda: Table(other_app).begin().record(QUICK)).result(20))
        return run(job, *args, **named)

    monkeypatch.setattr(other_app.extensions["workers"], "run", meanwhile)

    assert Club(other_app).post("/groups/import", export).status_code == 201
    assert [answer.status_code for answer in begun] == [201, 201, 201]


@pytest.mark.parametrize("harm", [_second_forged, _second_scored_otherwise])
def test_nothing_is_written_when_the_second_game_is_refused(
    several: Club, other_app: Flask, monkeypatch: pytest.MonkeyPatch, harm: Any
) -> None:
    export = several.get("/groups/{id}/export.json").json
    harm(export)
    given = jobs(other_app, monkeypatch)
    monkeypatch.setattr(imports, "EVENTS_PER_JOB", 1)
    answer = Club(other_app).post("/groups/import", export)

    assert answer.status_code == 422, answer.text
    assert {tuple(path[:2]) for _, path in codes(answer)} == {("games", 1)}
    names = ["group_from_json", "read_group_alone", "read_evenings", "read_evenings"]
    assert [name for name, _ in given][:4] == names
    for table in ("books", "events", "texts", "evenings", "results", "encounters"):
        assert other_app.extensions["ledger"].store.engine.rows(f"SELECT * FROM {table}") == []


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_group_imported_as_it_was_is_marked(several: Club, other_app: Flask, lang: str) -> None:
    export = several.get("/groups/{id}/export.json").json
    booked = next(one for one in export["events"] if one["kind"] == "booked")["payload"]
    for move, more in zip(booked["moves"], (7, -7), strict=False):
        move[2] = str(int(move[2]) + more)
    sealed(export)
    taken = Club(other_app).post("/groups/import?as_it_was=true", export).json
    page = other_app.test_client()
    token = page.get("/enter").text.split('name="csrf_token" value="')[1].split('"')[0]
    page.post("/enter", data={"csrf_token": token, "code": f"{several.id}.{taken['pen']}"})
    answer = page.get(f"/s/{several.id}/money", headers={"Accept-Language": lang})

    assert taken["group"]["as_it_was"]
    assert language(lang)("pages.as_it_was.group") in answer.text


def test_checking_a_group_stops_when_its_client_disconnects(
    several: Club, other_app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    export = several.get("/groups/{id}/export.json").json
    gone = threading.Event()
    run = other_app.extensions["workers"].run
    given: list[str] = []

    def left(job: Any, *args: Any, **named: Any) -> Any:
        given.append(job.__name__)
        result = run(job, *args, **named)
        gone.set()
        return result

    monkeypatch.setattr(other_app.extensions["workers"], "run", left)
    answer = Club(other_app).post(
        "/groups/import", export, environ_overrides={background.DISCONNECTED: gone}
    )

    assert answer.status_code == 503
    assert given == ["group_from_json"]
    assert other_app.extensions["ledger"].store.engine.rows("SELECT * FROM books") == []


def test_checking_a_group_has_a_time_limit(
    several: Club, other_app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    export = several.get("/groups/{id}/export.json").json
    monkeypatch.setattr(group_transfer, "MAX_SECONDS", -1)
    answer = Club(other_app).post("/groups/import", export)

    assert answer.status_code == 503
    assert other_app.extensions["ledger"].store.engine.rows("SELECT * FROM books") == []


def test_a_file_given_to_the_wrong_import_is_named(club: Club) -> None:
    json = {"content_type": "application/json"}
    group = club.get("/groups/{id}/export.json").json
    game = group["games"][0]
    wrong = [
        (club.post("/groups/{id}/sheets", {"sheet": dumps(game)}), "is_game"),
        (club.post("/groups/{id}/sheets", {"sheet": dumps(group)}), "is_group"),
        (club.post("/games/import", group), "is_group"),
        (club.post("/groups/import", game), "is_game"),
        (club.call("POST", "/games/import", data=SHEET, **json), "is_table"),
        (club.call("POST", "/groups/import", data=SHEET, **json), "is_table"),
    ]

    for refused, what in wrong:
        assert refused.status_code == 422
        assert [one["message"] for one in refused.json["problems"]] == [
            language("en")(f"E_IMPORT.{what}")
        ]


def test_watchers_may_export_but_not_import(club: Club) -> None:
    for path in ("/groups/{id}/export.json", "/groups/{id}/export.csv?table=totals"):
        assert club.get(path, secret=club.watch).status_code == 200
        assert club.get(path, secret="none").status_code == 404
    for query in ("", "?preview=true"):
        answer = club.post(f"/groups/{{id}}/sheets{query}", {"sheet": SHEET}, secret=club.watch)
        assert answer.status_code == 403
