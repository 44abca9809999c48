"""The tests of this folder run on every engine."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, Protocol

import psycopg
import pytest

from scorekeeper.store import Ledger, open_ledger, read_ledger
from tools.postgres_server import Server


class Database(Protocol):
    """A database that may be opened several times, and changed behind the ledger's back."""

    def open(self) -> Ledger: ...

    def read(self) -> Ledger: ...

    def tamper(self, *statements: str) -> None:
        """Run statements without the triggers that would refuse them."""

    def content(self) -> bytes:
        """Return everything that is stored, as one string."""

    def another(self) -> "Database":
        """Return an empty database on the same engine."""


class SqliteDatabase:
    def __init__(self, path: Path) -> None:
        self._path = path

    def open(self) -> Ledger:
        return open_ledger(self._path)

    def read(self) -> Ledger:
        return read_ledger(self._path)

    def tamper(self, *statements: str) -> None:
        with closing(sqlite3.connect(self._path)) as other:
            triggers = other.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'")
            triggers = triggers.fetchall()
            for name, _ in triggers:
                other.execute(f"DROP TRIGGER {name}")
            for statement in statements:
                other.execute(statement)
            for _, sql in triggers:
                other.execute(sql)
            other.commit()

    def content(self) -> bytes:
        return self._path.read_bytes()

    def another(self) -> "SqliteDatabase":
        number = len([*self._path.parent.iterdir()])
        return SqliteDatabase(self._path.with_name(f"{number}.sqlite"))


class PostgresDatabase:
    def __init__(self, server: Server) -> None:
        self._server = server
        self.address = server.new_database()

    def another(self) -> "PostgresDatabase":
        return PostgresDatabase(self._server)

    def open(self) -> Ledger:
        return open_ledger(self.address, link_key=self.address)

    def read(self) -> Ledger:
        return read_ledger(self.address)

    def tamper(self, *statements: str) -> None:
        with psycopg.connect(self.address) as other:
            other.execute("SET session_replication_role = replica")  # no triggers
            for statement in statements:
                other.execute(statement.encode())

    def content(self) -> bytes:
        tables = ("books", "events", "texts", "browsers", "settings", "evenings", "results")
        with psycopg.connect(self.address) as other:
            return b"".join(
                str(row).encode()
                for table in tables
                for row in other.execute(f"SELECT * FROM {table}".encode())
            )


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.external)])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Any:
    if request.param == "sqlite":
        return SqliteDatabase(tmp_path / "evenings.sqlite")
    return PostgresDatabase(request.getfixturevalue("postgres_server"))


@pytest.fixture
def ledger(database: Database) -> Iterator[Ledger]:
    ledger = database.open()
    yield ledger
    ledger.close()
