"""SQLite such that a committed round stays: the guard, the connections, the transactions.

RELIABILITY 1.1 and 1.2. One connection per thread, every pragma read back on each of them;
one write at a time, which takes its lock at the start and is synced when it returns. A
commit without WAL tolerates no reader, and SQLite would have either of them sleep and look
again, for milliseconds; here they take turns.
"""

import logging
import threading
import weakref
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import Any

from sqlite_utils import Database
from sqlite_utils.utils import sqlite3  # type: ignore[attr-defined]  # or its pysqlite3

log = logging.getLogger(__name__)

Version = tuple[int, int, int]
Values = Sequence[object] | dict[str, Any]
"""What stands for the marks of a statement, by place or by name."""
JOURNALS = ("wal", "truncate")
"""With synchronous=FULL these two lose nothing in a power cut; DELETE did."""
FULL = 2
BUSY_MS = 10_000
ENGINE: Version = sqlite3.sqlite_version_info
FAILURES = (sqlite3.Error, UnicodeDecodeError)
"""What a damaged file makes Python raise; the second one when SQLite quotes the damage."""
_DISK_FULL = 13  # SQLITE_FULL


class Unreadable(Exception):
    """The database did not answer; nothing was changed."""


class EngineError(Unreadable):
    """The database cannot be opened in a way that keeps what it confirms."""


class NotSaved(Exception):
    """The write did not happen: disk full, read-only, damaged, or locked by somebody else."""

    def __init__(self, cause: Exception) -> None:
        super().__init__(str(cause))
        self.disk_full = getattr(cause, "sqlite_errorcode", None) == _DISK_FULL
        """Whether room on the disk would help."""


def keeps_wal_commits(version: Version) -> bool:
    """Whether this SQLite is free of the WAL-reset race, which can lose a commit.

    Fixed in 3.51.3 and in the maintained lines 3.50 (from 3.50.7) and 3.44 (from 3.44.6).
    """
    return (
        version >= (3, 51, 3)
        or (3, 50, 7) <= version < (3, 51, 0)
        or (3, 44, 6) <= version < (3, 45, 0)
    )


def choose_journal(version: Version, wished: str | None = None) -> str:
    """The journal mode: WAL where it is safe, else TRUNCATE, unless somebody insists."""
    safe = "wal" if keeps_wal_commits(version) else "truncate"
    if wished is None or wished == safe:
        return safe
    if wished not in JOURNALS:
        raise EngineError(f"journal mode {wished!r} can lose rounds; choose one of {JOURNALS}")
    log.warning(
        "journal mode %s was set by hand; SQLite %s would get %s",
        wished,
        ".".join(map(str, version)),
        safe,
    )
    return wished


def connect(path: Path) -> sqlite3.Connection:
    """A bare connection that begins no transaction by itself."""
    return sqlite3.connect(path, isolation_level=None, check_same_thread=False)


class Engine:
    """One database file."""

    def __init__(self, path: str | Path, journal: str) -> None:
        self.path = Path(path)
        self.pragmas: dict[str, str | int] = {
            "busy_timeout": BUSY_MS,
            "journal_mode": journal,
            "synchronous": FULL,
            "foreign_keys": 1,
        }
        self._writing = threading.Lock()
        self._settled: AbstractContextManager[object] = (
            nullcontext() if journal == "wal" else threading.Lock()
        )
        self._mine = threading.local()
        self._closers: list[weakref.finalize[Any, Any]] = []
        self._opening = threading.Lock()

    @property
    def db(self) -> Database:
        """This thread's connection."""
        mine: Database | None = getattr(self._mine, "db", None)
        if mine is None:
            mine = self._mine.db = self._open()
        return mine

    def _open(self) -> Database:
        try:
            conn = connect(self.path)
        except FAILURES as error:
            raise EngineError(f"{self.path}: {error}") from error
        try:
            db = Database(conn)
            self._demand_pragmas(db)
        except BaseException as error:
            conn.close()
            if isinstance(error, FAILURES):
                raise EngineError(f"{self.path}: {error}") from error
            raise
        with self._opening:  # a thread that ends takes its connection along
            closer = weakref.finalize(threading.current_thread(), conn.close)
            self._closers = [other for other in self._closers if other.alive] + [closer]
        return db

    def _demand_pragmas(self, db: Database) -> None:
        for name, value in self.pragmas.items():
            db.execute(f"PRAGMA {name} = {value}")
        got = read_pragmas(db, self.pragmas)
        if got != self.pragmas:
            raise EngineError(f"{self.path}: SQLite answers {got} instead of {self.pragmas}")

    def rows(self, sql: str, values: Values = ()) -> list[Any]:
        """What a question gives, read to its end so that it holds no lock."""
        try:
            with self._settled:
                return self.db.execute(sql, values).fetchall()
        except FAILURES as error:
            raise Unreadable(str(error)) from error

    def row(self, sql: str, values: Values = ()) -> Any:
        """The first row of a question, or None."""
        return next(iter(self.rows(sql, values)), None)

    @contextmanager
    def write(self) -> Iterator[Database]:
        """One transaction, on disk when the block is left; within another, a part of it.

        BEGIN IMMEDIATE, since a deferred one fails when it turns from reading to writing.
        """
        db = self.db
        if db.conn.in_transaction:
            yield db
            return
        with self._writing:
            try:
                db.execute("BEGIN IMMEDIATE")
                yield db
                with self._settled:
                    db.commit()
            except BaseException as error:
                self._roll_back(db)
                if isinstance(error, (*FAILURES, Unreadable)):
                    raise NotSaved(error) from error
                raise

    def _roll_back(self, db: Database) -> None:
        try:
            db.rollback()
        except FAILURES:  # a transaction left open would swallow the next one
            db.close()
            del self._mine.db

    def close(self) -> None:
        """Close the connections of all threads."""
        with self._opening:
            for closer in self._closers:
                closer()
            self._closers = []
        self._mine = threading.local()


def read_pragmas(db: Database, names: Iterable[str]) -> dict[str, str | int]:
    """What a connection says its settings are."""
    return {name: db.execute(f"PRAGMA {name}").fetchone()[0] for name in names}
