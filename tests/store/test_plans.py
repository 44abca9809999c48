"""A database may hold any number of games, so frequent queries must not scan large tables.

``check`` and ``copy`` ask for every game: if one of their queries scanned a table, they would take
hours for a large database.
"""

import re
from collections.abc import Callable, Iterator

import pytest
from sqlite_utils import Database
from sqlite_utils.utils import sqlite3

import short
from rest import Club, Table
from scorekeeper import create_app
from scorekeeper.store import cache
from scorekeeper.store.book_check import BookCheck
from scorekeeper.store.sql import events
from scorekeeper.store.sql.engine import Values

SMALL = ("settings", "sqlite_schema")
SCAN = re.compile(r"SCAN (?:TABLE )?(\w+)")
ASKING = re.compile(r"\s*(SELECT|INSERT|UPDATE|DELETE|WITH)\b")
QUICK = short.body(0, 10, 20)


class House:
    """A running evening of a group, a single game, and all statements that SQLite gets."""

    def __init__(self, app, heard: dict[str, Values]) -> None:
        self.app, self.heard = app, heard
        self.club = Club(app).found()
        self.club.evening("Anna", "Ben", "Carl", points=(0, 30, 12))
        self.evening = self.club.evening("Anna", "Ben", "Carl")
        self.game = Table(app).begin(players="ABC")
        self.browser = app.test_client()
        self.browser.set_cookie("browser", "somebody")
        for book in (self.club, self.game):
            app.extensions["ledger"].rights.remember("somebody", book.id, book.pen)

    def open(self, path: str) -> None:
        path = path.format(group=self.club.id, evening=self.evening.id, game=self.game.id)
        assert self.browser.get(path).status_code == 200

    def statements(self) -> Iterator[str]:
        """Return the statements of frequent requests."""
        return (sql for sql in sorted(self.heard) if ASKING.match(sql))


@pytest.fixture
def house(tmp_path, monkeypatch) -> Iterator[House]:
    heard: dict[str, Values] = {}
    execute = Database.execute

    def listening(db, sql, values=()):
        heard[sql] = values
        return execute(db, sql, values)

    monkeypatch.setattr(Database, "execute", listening)
    monkeypatch.setattr(cache.BookCache, "get", lambda *_: None)  # as if a million were read since
    monkeypatch.setattr(cache, "HEADS_TTL_S", 0)
    app = create_app({"DATA": tmp_path / "many.sqlite", "TESTING": True})
    yield House(app, heard)
    app.extensions["ledger"].close()


def check_games(house: House) -> None:
    """Check a group and its running evening, as ``check`` does with every book."""
    ledger = house.app.extensions["ledger"]
    _, hosts = BookCheck(ledger, None, {}).group(house.club.id)

    assert BookCheck(ledger, None, hosts).game(house.evening.id).are_good


PATHS = ("/g/{game}", "/g/{evening}", "/g/{game}/tv", "/g/{game}/round", "/g/{game}/settlement")
WAITED_FOR: dict[str, Callable[[House], object]] = {
    "record": lambda house: house.game.record(QUICK),
    "record of a group": lambda house: house.evening.record(QUICK),
    "record twice": lambda house: [house.game.record(QUICK, key="same") for _ in range(2)],
    "correct": lambda house: (
        house.game.record(QUICK),
        house.game.call("PUT", "/games/{id}/rounds/1", QUICK, match="2"),
    ),
    "begin": lambda house: Table(house.app).begin(),
    "begin of a group": lambda house: house.club.evening("Anna", "Ben", "Dora"),
    "read": lambda house: house.game.get("/games/{id}"),
    "no right": lambda house: house.game.get("/games/{id}", secret="wrong"),
    "check": check_games,
    "start page": lambda house: house.open("/"),
    "group": lambda house: house.open("/s/{group}"),
    **{path: lambda house, path=path: house.open(path) for path in PATHS},
}


@pytest.mark.parametrize("what", WAITED_FOR)
def test_no_frequent_query_scans_a_large_table(house, what):
    house.heard.clear()

    WAITED_FOR[what](house)

    statements = list(house.statements())
    assert statements
    assert {sql: plan for sql in statements if (plan := scans(house, sql))} == {}


def test_a_query_without_an_index_is_noticed(house, monkeypatch):
    monkeypatch.setattr(events, "GROUP_OF", "SELECT group_id FROM results WHERE game = :book")
    house.heard.clear()
    house.game.get("/games/{id}")

    assert any(scans(house, sql) == ["results"] for sql in house.statements())


def scans(house: House, sql: str) -> list[str]:
    """Return the large tables that SQLite would scan completely."""
    conn = sqlite3.connect(house.app.config["DATA"])
    plan = [row[3] for row in conn.execute(f"EXPLAIN QUERY PLAN {sql}", house.heard[sql])]
    tables = {name for (name,) in conn.execute("SELECT name FROM sqlite_schema")} - set(SMALL)
    conn.close()
    return [found[1] for step in plan if (found := SCAN.match(step)) and found[1] in tables]
