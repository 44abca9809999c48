"""Machines are upgraded one after the other: two versions work on the same tables (G7)."""

from collections.abc import Iterator
from contextlib import closing, contextmanager

import pytest

from bars import tried, trying
from scorekeeper.store import Ledger, NotSaved, open_ledger
from scorekeeper.store.check import check
from scorekeeper.store.postgres import inspection, migrations
from scorekeeper.store.postgres.migrations import MIGRATIONS, Step

ADDED = (
    "ALTER TABLE books ADD COLUMN colour text",
    "ALTER TABLE events ADD COLUMN weather text NOT NULL DEFAULT 'fine'",
    'CREATE TABLE chairs (game text COLLATE "C" REFERENCES books (id), seat bigint NOT NULL)',
    "CREATE INDEX events_by_time ON events (at)",
    "ALTER TABLE evenings ADD COLUMN host bigint",
    "ALTER TABLE browsers ADD COLUMN seen timestamptz NOT NULL DEFAULT now()",
)


@contextmanager
def both_versions(
    address: str, statements: str, monkeypatch: pytest.MonkeyPatch
) -> Iterator[tuple[Ledger, Ledger]]:
    """Open a database as this version does, then as one that makes another step."""
    with closing(open_ledger(address, link_key="key")) as old, monkeypatch.context() as newer:
        for module in (migrations, inspection):
            newer.setattr(module, "MIGRATIONS", (*MIGRATIONS, Step(statements, serves=1)))
        with closing(open_ledger(address, link_key="key")) as new:
            yield old, new


@pytest.mark.bar("G7")
def test_an_older_version_records_beside_a_newer_one(table_at, postgres_server, monkeypatch):
    for dice in trying("G7"):
        added = "; ".join(dice.sample(ADDED, dice.randint(1, len(ADDED))))
        address = postgres_server.new_database()
        with both_versions(address, added, monkeypatch) as versions:
            game_id = table_at(dice.choice(versions)).open()
            for points in range(10):
                table_at(dice.choice(versions)).record(game_id, points, key=str(points))
            table_at(dice.choice(versions)).record(game_id, 9, key="9")  # sent again

            for ledger in versions:
                rows = ledger.game(game_id).sheet.rows
                assert [row.points(1).minus for row in rows] == list(range(10))
            assert check(versions[1]).clean
        with closing(open_ledger(address, link_key="key")) as older_started_later:
            assert table_at(older_started_later).record(game_id, 10).version == 12


@pytest.mark.bar("G7", control="a column removed")
def test_an_older_version_cannot_record_without_a_column(table_at, postgres, monkeypatch):
    removed = "ALTER TABLE events DROP COLUMN digest"
    with both_versions(postgres, removed, monkeypatch) as (old, _), pytest.raises(NotSaved):
        table_at(old).open()
    tried(failed=1)
