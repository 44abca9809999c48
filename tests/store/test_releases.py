"""The database of every released version opens, says the same, and can be continued."""

import csv
import gzip
import io
import json
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from typing import Any

import pypdf
import pytest
from flask import Flask

from commands import run
from scorekeeper import __version__
from scorekeeper.app import open_database
from scorekeeper.domain.game.changes import score_for
from scorekeeper.domain.history.codec import decode_round, encode_round
from scorekeeper.i18n import language
from scorekeeper.services.games import recorded_before
from scorekeeper.store import Ledger, open_ledger
from scorekeeper.store.check import check, find_digits
from scorekeeper.store.postgres import migrations as postgresql
from scorekeeper.store.sqlite.backup import backup, restore
from scorekeeper.store.sqlite.migrations import MIGRATIONS
from scorekeeper.store.writes import Write
from scorekeeper.wire.rounds import load_round
from tools.released import API, RELEASES, Book, Caller, answers, round_of

ROOT = Path(__file__).parents[2]
VERSIONS = sorted(file.name.removesuffix(".sql.gz") for file in RELEASES.glob("*.sql.gz"))
FIRST = (1, 0, 0)
"""The first released version."""
AT = "2026-06-12T22:00:00Z"
FIRST_STEP = "550872d475fa9e291e3302aa605f66d0f06068243a62c9406de68755d2ee1f5c"
"""The digest of the step that made the tables of 1.1.0 in PostgreSQL."""
REWORDED = {"message", "detail"}
"""Sentences for readers, which may be worded better in any version."""
BEFORE_THE_CALENDAR = "'0000-01-01' is '0001-01-01'"
"""The first day of all years, which is a day of the calendar now, as CHANGELOG.md says."""
WITHDRAWN = {"1.0.0": {"dealer"}}
"""What a version said and later ones do not, as CHANGELOG.md announced."""


def numbers(version: str) -> tuple[int, ...]:
    return tuple(map(int, version.split(".")))


def text_of(version: str, ending: str) -> str:
    return gzip.decompress((RELEASES / f"{version}.{ending}.gz").read_bytes()).decode()


def written(version: str, path: Path) -> Path:
    """A database that this version wrote."""
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(text_of(version, "sql"))
    return path


@pytest.fixture(params=VERSIONS)
def version(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def said(version: str) -> Any:
    """What the version wrote and answered."""
    return json.loads(text_of(version, "json"))


@pytest.fixture
def books(said: Any) -> list[Book]:
    return [Book(**book) for book in said["books"]]


@pytest.fixture
def app(version: str, tmp_path: Path, app: Flask) -> Flask:
    """The current app on the database of the version."""
    serve(app, written(version, tmp_path / "released.sqlite"))
    return app


def serve(app: Flask, data: Path | str) -> Ledger:
    """Open another database with an app, and return its ledger."""
    app.extensions["ledger"].close()
    app.config |= {"DATA": data, "SECRET_KEY": None}
    open_database(app)
    ledger: Ledger = app.extensions["ledger"]
    return ledger


@pytest.fixture
def caller(app: Flask) -> Caller:
    return Caller(app.test_client(), "new key")


@pytest.fixture
def ledger(app: Flask) -> Ledger:
    ledger: Ledger = app.extensions["ledger"]
    return ledger


def rows_of(answer: Any) -> Any:
    """Return a table as rows by their headings; anything else as it is."""
    if not isinstance(answer, str) or not answer.startswith("\ufeff"):
        return answer
    return [*csv.DictReader(io.StringIO(answer.removeprefix("\ufeff")))]


def lost(before: Any, now: Any, ignored: set[str], place: str = "") -> Iterator[str]:
    """Yield what an answer no longer says, or says otherwise; it may say more."""
    before, now = rows_of(before), rows_of(now)
    if isinstance(before, dict) and isinstance(now, dict):
        for name in before.keys() - ignored:
            yield from lost(before[name], now.get(name, "nothing"), ignored, f"{place}.{name}")
    elif isinstance(before, list) and isinstance(now, list) and len(before) == len(now):
        for number, pair in enumerate(zip(before, now, strict=True)):
            yield from lost(*pair, ignored, f"{place}[{number}]")
    elif before != now:
        yield f"{place}: {before!r} is {now!r}"


def differences(version: str, said: Any, caller: Caller, books: list[Book]) -> list[str]:
    """Return how the answers about these books differ from those of the version."""
    ignored, dealers = REWORDED | WITHDRAWN.get(version, set()), tuple(moved(said))
    found = lost(said["answers"], answers(caller, books), ignored)
    return [
        one for one in found if not (one.startswith(dealers) or one.endswith(BEFORE_THE_CALENDAR))
    ]


def test_a_released_database_is_sound_and_says_the_same(version, said, ledger, caller, books):
    report = check(ledger, score_for)

    assert [line.key for line in report.lines if not line.ok] == []
    assert report.clean
    assert differences(version, said, caller, books) == []


def moved(said: Any) -> Iterator[str]:
    """Yield the places of dealers in games with a round that was struck after the next one.

    Version 1.1 moved the later deals up, which version 1.2 does not, as CHANGELOG.md announces.
    """
    for path, game in said["answers"].items():
        rounds = game.get("rounds", ()) if isinstance(game, dict) else ()
        if any(
            one["struck_at"] and one["struck_at"] >= after["at"] for one, after in pairwise(rounds)
        ):
            yield from (f".{path}.next.dealer:", f".{path}.next.first:")
            yield from (f".{path}.rounds[{place}].dealer:" for place in range(len(rounds)))


def test_the_comparison_sees_a_point_and_a_name(version, said):
    before = said["answers"]
    board = next(answer for answer in before.values() if "totals" in answer)
    board["totals"][0]["minus"] += 1
    board["players"][0]["name"] = "Fränz"

    assert len([*lost(before, json.loads(text_of(version, "json"))["answers"], set())]) == 2


def test_the_rounds_of_a_released_database_have_the_same_encoding(ledger, books):
    events = [ledger.events(book.id) for book in books if book.kind == "game"]
    rounds = [one.payload["round"] for book in events for one in book if "round" in one.payload]

    assert rounds
    assert [encode_round(decode_round(stored)) for stored in rounds] == rounds
    assert [decode_round(stored) for stored in rounds] == [load_round(one).round for one in rounds]


def test_a_repeated_round_of_a_released_database_is_recognised(ledger, books):
    found = 0
    for book in books:
        for event in ledger.events(book.id) if book.kind == "game" else ():
            if event.kind == "round" and event.key:
                facts = replace(
                    decode_round(event.payload["round"]),
                    note=event.texts.get(f"note.{event.payload['number']}", ""),
                )
                repeat = recorded_before(ledger, book.id, facts, Write(key=event.key))
                assert repeat and repeat.row.number == event.payload["number"]
                found += 1

    assert found


def test_links_and_rights_of_a_released_database_stay_as_they_were(said, ledger, books):
    browser, game = said["form"]["cookies"]["browser"], said["form"]["path"].split("/")[2]

    assert any(book.replaced for book in books)
    for book in books:
        assert ledger.rights.of_secret(book.id, book.watch) == "watch"
        assert ledger.rights.of_secret(book.id, book.pen) == "pen"
        assert not any(ledger.rights.of_secret(book.id, one) for one in book.replaced)
    assert ledger.rights.books_of(browser, "game") == [(game, "pen")]


def test_a_link_of_a_released_version_lets_a_browser_in(app, books):
    client = app.test_client()
    token = re.search(r'name="csrf_token"[^>]*value="([^"]+)"', client.get("/enter").text)
    codes = {right: f"{books[0].id}.{getattr(books[0], right)}" for right in ("watch", "pen")}
    for code in codes.values():
        form = {"code": code, "csrf_token": token[1]}

        assert client.post("/enter", data=form).location == f"/g/{books[0].id}"
    assert client.get(f"/g/{books[0].id}/round").status_code == 200
    shared = client.get(f"/g/{books[0].id}/share", headers={"Accept-Language": "en"}).text
    assert language("en")("pages.share.unknown") in shared  # made with a key that is not here


def test_a_form_that_was_open_during_the_upgrade_is_recorded_once(said, app, caller, books):
    form, game = said["form"], books[0]
    app.permanent_session_lifetime = timedelta.max  # the session was open on the day of the release
    client = app.test_client()
    for name, value in form["cookies"].items():
        client.set_cookie(name, value)
    before = len(caller.get(game)["rounds"])
    fields = {"winner": "0", "do": "save", "way-1": "points", "hand-1": "12", "way-2": "points"}
    for _ in range(2):
        answer = client.post(form["path"], data={**form["fields"], **fields, "hand-2": "7"})

        assert answer.status_code == 303, answer.text
    *_, last = (after := caller.get(game))["rounds"]
    assert len(after["rounds"]) == before + 1
    assert [one["minus"] for one in last["score"]["scores"]] == [0, 12, 7]


def test_running_evenings_of_a_released_database_go_on(ledger, caller, books):
    group = next(book for book in books if book.kind == "group")
    evening = next(book for book in books if caller.get(book).get("title") == "läuft noch")
    before = caller.get(group, "/money")["units"]
    caller.record(evening, round_of(0, 10, 20, 30), round_of(0, 1, 1, 1))
    caller.send("DELETE", evening, "/rounds/2")
    caller.send("PATCH", evening, "", {"over": True})
    for book in books:
        if book.kind == "game" and (rounds := caller.get(book)["rounds"]):
            number = next(row["number"] for row in rounds if not row["struck_at"])
            caller.send("DELETE", book, f"/rounds/{number}")
            caller.send("POST", book, f"/rounds/{number}/restore")

    assert [tally["minus"] for tally in caller.get(evening)["totals"]] == [0, 10, 20, 30]
    assert caller.get(group, "/money")["units"] != before
    assert check(ledger, score_for).clean


def test_the_digits_of_a_released_sheet_are_found(said, ledger, caller, books):
    game = books[0]
    whole = said["answers"][game.path + "/export.json"]
    headers = {"Authorization": f"Bearer {game.watch}"}
    sheet = caller.client.get(f"{API}{game.path}/sheet.pdf", headers=headers).data
    digits = ledger.head(game.id)[:16]
    printed = "".join(page.extract_text() for page in pypdf.PdfReader(io.BytesIO(sheet)).pages)

    assert whole["head"].startswith(digits)
    assert digits in re.sub(r"\s", "", printed)
    assert find_digits(ledger, digits)


def test_a_released_database_can_be_backed_up_and_restored(version, ledger, tmp_path):
    heads = dict(ledger.store.inspection.books())
    assert backup(ledger, tmp_path / "backup.sqlite", AT).good
    for source in (tmp_path / "backup.sqlite", written(version, tmp_path / "original.sqlite")):
        elsewhere = tmp_path / f"from-{source.name}"
        restore(source, elsewhere, AT)
        with closing(open_ledger(elsewhere)) as restored:
            assert check(restored, score_for).clean
            assert dict(restored.store.inspection.books()) == heads


def test_exports_of_a_released_version_come_in_unchanged(said, tmp_path, app, books):
    """Rounds are scored again on the way in."""
    empty, caller = serve(app, tmp_path / "empty.sqlite"), Caller(app.test_client())
    exported = {book.id: said["answers"][book.path + "/export.json"] for book in books}
    in_groups = {game["id"] for whole in exported.values() for game in whole.get("games", ())}
    for book in books:
        if book.id not in in_groups:
            caller.send("POST", None, f"/{book.kind}s/import", exported[book.id])

    assert {one: empty.head(one) for one in exported} == {
        one: whole["head"] for one, whole in exported.items()
    }


def test_a_released_database_moves_to_postgresql(version, said, postgres, app, books, tmp_path):
    result = run("copy", written(version, tmp_path / "original.sqlite"), postgres)
    there = serve(app, postgres)

    assert result.exit_code == 0, result.output
    assert check(there, score_for).clean
    caller = Caller(app.test_client(), "there")
    assert differences(version, said, caller, books) == []
    assert all(there.rights.of_secret(book.id, book.pen) == "pen" for book in books)
    evening = next(book for book in books if caller.get(book).get("title") == "läuft noch")
    caller.record(evening, round_of(0, 10, 20, 30))
    assert [tally["minus"] for tally in caller.get(evening)["totals"]] == [0, 10, 20, 30]
    assert check(there, score_for).clean


def test_the_tables_that_a_released_version_made_in_postgresql_are_made_by_the_same_step():
    """So a database of 1.1.0, the first version with PostgreSQL, has the tables of today."""
    (first, *_) = postgresql.MIGRATIONS

    assert sha256(first.statements.encode()).hexdigest() == FIRST_STEP


def test_a_folder_of_tables_of_a_released_version_becomes_one_database(version, books, tmp_path):
    (tmp_path / "all" / "t" / "k3m9x").mkdir(parents=True)
    written(version, tmp_path / "all" / "t" / "k3m9x" / "k3m9x.sqlite")
    for _ in range(2):  # the second time, nothing is left to copy
        result = run("copy", tmp_path / "all", tmp_path / "one.sqlite")

        assert result.exit_code == 0, result.output
    with closing(open_ledger(tmp_path / "one.sqlite")) as there:
        assert all(there.rights.of_secret(book.id, book.pen) == "pen" for book in books)
        assert check(there, score_for).clean


def test_every_released_version_has_a_test_database():
    found = re.findall(r"^## (\d+\.\d+\.\d+)$", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.M)

    assert VERSIONS
    assert {one for one in found if numbers(one) >= FIRST} <= set(VERSIONS)


def test_the_test_database_of_this_version_has_the_current_tables(tmp_path):
    """Until the release, write it again with ``python tools/released.py`` and the version.

    After the release, new migration steps belong to the next version, which gets its own file.
    """
    newest = max(VERSIONS, key=numbers)
    with closing(sqlite3.connect(written(newest, tmp_path / "newest.sqlite"))) as record:
        (tables,) = record.execute("PRAGMA user_version").fetchone()

    assert tables == len(MIGRATIONS) or numbers(__version__) > numbers(newest)
