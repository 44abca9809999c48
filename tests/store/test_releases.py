"""The database of every released version opens, shows the same, and can be continued."""

import json
import re
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from scorekeeper import __version__
from scorekeeper.domain.changes import NewGame
from scorekeeper.domain.record import decode_round, encode_round
from scorekeeper.services import games, groups
from scorekeeper.store import open_ledger
from scorekeeper.store.check import check
from scorekeeper.store.sqlite.backup import backup, restore
from scorekeeper.store.sqlite.migrations import MIGRATIONS
from scorekeeper.wire.rounds import load_round
from tools import released

ROOT = Path(__file__).parents[2]
RELEASES = sorted(file.stem for file in released.RELEASES.glob("*.sql"))
FIRST = (1, 0, 0)
"""The first released version."""
AT = "2026-06-12T22:00:00Z"


def numbers(version: str) -> tuple[int, ...]:
    return tuple(map(int, version.split(".")))


def written(version: str, path: Path) -> Path:
    """A database that this version wrote."""
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript((released.RELEASES / f"{version}.sql").read_text("utf-8"))
    return path


def expected_contents(version: str) -> dict[str, Any]:
    return json.loads((released.RELEASES / f"{version}.json").read_text("utf-8"))


@pytest.fixture(params=RELEASES)
def version(request):
    return request.param


@pytest.fixture
def ledger(version, path):
    with closing(open_ledger(written(version, path))) as ledger:
        yield ledger


def test_a_released_database_is_complete_and_shows_the_same(ledger, version):
    report = check(ledger, games.preview_round)

    assert [line.key for line in report.lines if not line.ok] == []
    assert released.contents(ledger) == expected_contents(version)


def test_the_rounds_of_a_released_database_have_the_same_encoding(ledger):
    games = [ledger.events(game) for game, _ in ledger.rights.books_of(released.BROWSER, "game")]
    rounds = [one.payload["round"] for events in games for one in events if "round" in one.payload]

    assert rounds
    assert [encode_round(decode_round(stored)) for stored in rounds] == rounds
    assert [decode_round(stored) for stored in rounds] == [load_round(one).round for one in rounds]


def test_the_pens_of_a_released_database_stay_valid(ledger):
    held = ledger.rights.books_of(released.BROWSER, "game")

    assert [right for _, right in held] == ["pen"] * len(released.EXAMPLES)


def test_games_and_groups_of_a_released_database_can_be_continued(ledger):
    game_id, _ = ledger.rights.books_of(released.BROWSER, "game")[0]
    before = ledger.game(game_id)
    games.strike_round(ledger, game_id, 1, expect=None)
    games.restore_round(ledger, game_id, 1, expect=None)
    (group_id,) = ledger.groups()
    group = ledger.group(group_id)
    order = NewGame("", "", groups.usual_rules(ledger, group), group.players)
    evening = groups.open_evening(ledger, group_id, order)
    seats = [{}, *[{"points": 7}] * (len(group.players) - 1)]
    facts = load_round({"outcome": "out", "winner": 0, "seats": seats}).round
    games.record_round(ledger, evening.id, facts, key="on")

    assert ledger.game(game_id).sheet.tallies == before.sheet.tallies
    assert check(ledger).good


def test_a_released_database_can_be_backed_up_and_restored(version, path, tmp_path):
    original = written(version, tmp_path / "original.sqlite")
    with closing(open_ledger(written(version, path))) as ledger:
        assert backup(ledger, tmp_path / "backup.sqlite", AT).good
    for source in (tmp_path / "backup.sqlite", original):
        elsewhere = tmp_path / f"from-{source.name}"
        restore(source, elsewhere, released.AT)
        with closing(open_ledger(elsewhere)) as ledger:
            assert released.contents(ledger) == expected_contents(version)


def test_every_released_version_has_a_test_database():
    answer = re.findall(r"^## (\d+\.\d+\.\d+)$", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.M)

    assert RELEASES
    assert {one for one in answer if numbers(one) >= FIRST} <= set(RELEASES)


def test_the_test_database_of_this_version_has_the_current_tables(tmp_path):
    """Until the release, write it again with ``python tools/released.py 1.0.0``.

    After the release, new migration steps belong to the next version, which gets its own file.
    """
    newest = max(RELEASES, key=numbers)
    with closing(sqlite3.connect(written(newest, tmp_path / "newest.sqlite"))) as record:
        (tables,) = record.execute("PRAGMA user_version").fetchone()

    assert tables == len(MIGRATIONS) or numbers(__version__) > numbers(newest)
