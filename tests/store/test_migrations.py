"""A database of an older version is migrated completely or not changed at all."""

import json
import re
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from sqlite_utils import Database

import short
from scorekeeper.domain import rules as options
from scorekeeper.domain.game.changes import score_for
from scorekeeper.domain.group.changes import NewGroup
from scorekeeper.domain.history.book import Event
from scorekeeper.services import games, groups
from scorekeeper.services.games import new_rules
from scorekeeper.store import Ledger, open_ledger
from scorekeeper.store.chain import BEGINNING, link, stored, text_sum
from scorekeeper.store.check import check
from scorekeeper.store.errors import CannotOpen, Newer, NotSaved
from scorekeeper.store.rights import digest, secret_digest
from scorekeeper.store.sqlite import migrations
from scorekeeper.store.sqlite.migrations import MIGRATIONS, first_tables
from scorekeeper.store.writes import Write
from store.conftest import version_in

AT = "2026-01-05T19:00:00Z"
WORDS = {"title": "Altes Jahr", "name.0": "Anna", "name.1": "Bernd", "name.2": "Claire"}


def events() -> list[Event]:
    """Return a game of two rounds as the first version stored it."""
    rules = new_rules("german-family", {}, {"point_value": "1/10", "unit": "Pf"})
    payload = {"rules": options.encode_rules(rules), "players": 3}
    first = Event(1, AT, "created", "pen", payload, WORDS)
    game = games.created("old", Event(1, AT, "created", "pen", json.loads(json.dumps(payload))))
    rounds = []
    for number, points in enumerate(((0, 20, 30), (15, 0, 40)), 1):
        payload = score_for(game, short.facts(*points)).payload(number)
        texts = {"note.1": "müde"} if number == 1 else {}
        key, digest = f"key {number}", "body"
        rounds.append(Event(number + 1, AT, "round", "pen", payload, texts, key, digest))
    return [first, *rounds]


@pytest.fixture
def migrated(old: Path) -> Iterator[Ledger]:
    """That database, opened by this version."""
    with closing(open_ledger(old)) as ledger:
        yield ledger


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """A database of the first version with that game and a browser that holds its pen."""
    path = tmp_path / "old.sqlite"
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        db = Database(connection)
        first_tables(db)
        db.execute("PRAGMA user_version = 1")
        secrets = secret_digest("old pen"), secret_digest("old watch")
        db.execute("INSERT INTO games VALUES ('old', 0, x'', ?, ?, NULL)", secrets)
        head = BEGINNING
        for event in events():
            columns = stored(event)
            head = link(head, "old", columns)
            values = ("old", *columns, head)
            db.execute("INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", values)
            for field, text in event.texts.items():
                crc = text_sum("old", event.number, field, text)
                values = ("old", event.number, field, text, crc)
                db.execute("INSERT INTO texts VALUES (?, ?, ?, ?, ?)", values)
        db.execute("UPDATE games SET version = 3, head = ?", (head,))
        browser = digest("phone"), secrets[0]
        db.execute("INSERT INTO browsers VALUES (?, 'old', ?)", browser)
    return path


def dump(path: Path) -> list[str]:
    with closing(sqlite3.connect(path)) as connection:
        return list(connection.iterdump())


def test_an_old_database_is_complete_after_migration(migrated):
    game = migrated.game("old")

    assert check(migrated).good
    assert migrated.store.engine.row("PRAGMA user_version")[0] == len(MIGRATIONS)
    assert game.players == ("Anna", "Bernd", "Claire")
    assert game.note(1) == "müde"
    assert [tally.minus for tally in game.sheet.tallies] == [15, 20, 70]
    assert migrated.events("old") == events()


def test_pens_of_old_games_stay_valid(migrated):
    assert migrated.rights.of_secret("old", "old pen") == "pen"
    assert migrated.rights.of_secret("old", "old watch") == "watch"
    assert migrated.rights.of_browser("phone", "old") == "pen"
    assert migrated.rights.books_of("phone", "game") == [("old", "pen")]
    assert migrated.rights.books_of("phone", "group") == []


def test_an_old_game_can_be_continued_and_added_to_a_group(migrated):
    short.record(migrated, "old", 10, 30, 0)
    games.end_game(migrated, "old", write=Write())
    group = groups.create_group(migrated, NewGroup("Freitag", ("Bernd",))).group
    after = groups.admit_game(migrated, group.id, "old", write=Write())

    assert migrated.version("old") == 5
    assert after.players == ("Bernd", "Anna", "Claire")
    assert sum(after.balance("Pf")) == 0
    assert any(after.balance("Pf"))
    assert check(migrated).good


def test_a_repeated_round_is_recognised_after_migration(migrated):
    with migrated.book_transaction("old", Write(key="key 2"), digest="body") as transaction:
        repeated = transaction.repeated

    assert repeated is not None
    assert repeated.number == 3


def test_a_database_is_migrated_once(old):
    open_ledger(old).close()
    after = dump(old)
    open_ledger(old).close()

    assert dump(old) == after


def broken(db: Database) -> None:
    """A migration step that changes something before it fails."""
    db.execute("CREATE TABLE half (done TEXT)")
    db.execute("INSERT INTO nowhere VALUES (1)")


def kept_of(old: Path) -> Path:
    return old.with_name("old-of-version-1.sqlite")


def test_an_old_database_is_copied_before_migration(old):
    before = dump(old)
    open_ledger(old).close()

    assert dump(old) != before
    assert dump(kept_of(old)) == before
    assert sorted(file.name for file in old.parent.glob("old-*")) == [kept_of(old).name]


def test_new_and_current_databases_are_not_copied(tmp_path):
    for _ in range(2):
        open_ledger(tmp_path / "new.sqlite").close()

    assert not list(tmp_path.glob("*-of-version-*"))


@pytest.mark.parametrize("steps", [(first_tables, broken), (*MIGRATIONS, broken)])
def test_a_failed_migration_leaves_the_database_unchanged(old, monkeypatch, steps):
    before, content = dump(old), old.read_bytes()
    with monkeypatch.context() as patched, pytest.raises(NotSaved):
        patched.setattr(migrations, "MIGRATIONS", steps)
        open_ledger(old, journal="truncate")

    assert old.read_bytes() == content
    assert dump(kept_of(old)) == before
    assert version_in(old, "old") == 3


DIES = """
import os, sys
from scorekeeper.store.sqlite import migrations
from scorekeeper.store import Ledger, open_ledger

def dying(db):
    for setting in ("cache_size", "cache_spill"):  # half of it is in the file already
        db.execute(f"PRAGMA {setting} = 1")
    db.execute("CREATE TABLE half (done TEXT)")
    for _ in range(100):
        db.execute("INSERT INTO half VALUES (hex(randomblob(1000)))")
    os._exit(9)

migrations.MIGRATIONS = (*migrations.MIGRATIONS, dying)
open_ledger(sys.argv[1], journal="truncate")
"""


@pytest.mark.usefixtures("external")
def test_a_crash_during_migration_leaves_the_database_unchanged(old):
    before, content = dump(old), old.read_bytes()
    died = subprocess.run([sys.executable, "-c", DIES, old], check=False)

    assert died.returncode == 9
    assert old.read_bytes() != content
    assert dump(old) == dump(kept_of(old)) == before
    assert version_in(old, "old") == 3


def test_without_space_for_the_copy_there_is_no_migration(old, monkeypatch):
    def full(give: Any, part: Path) -> None:
        raise NotSaved(sqlite3.OperationalError("database or disk is full"))

    before = dump(old)
    name = re.escape(kept_of(old).name)
    with monkeypatch.context() as patched, pytest.raises(CannotOpen, match=f"{name}: .* full"):
        patched.setattr(migrations, "fill_copy", full)
        open_ledger(old)

    assert dump(old) == before
    assert not kept_of(old).exists()


def test_a_damaged_database_is_not_migrated(old):
    content = bytearray(old.read_bytes())
    content[4096:4160] = bytes(64)  # the head of the second page
    old.write_bytes(content)

    with pytest.raises(CannotOpen, match=re.escape(f"{old}: ")):
        open_ledger(old, journal="truncate")

    assert old.read_bytes() == content
    assert not kept_of(old).exists()


def test_a_database_of_a_newer_version_is_not_changed(old, tmp_path):
    newer = shutil.copy(old, tmp_path / "newer.sqlite")
    with closing(sqlite3.connect(newer)) as connection:
        connection.execute("PRAGMA user_version = 99")
    before = dump(newer)

    with pytest.raises(Newer):
        open_ledger(newer)

    assert dump(newer) == before
