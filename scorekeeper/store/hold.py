"""Who has the record open: many who visit it, one who serves it, or one who replaces it alone.

SQLite's own three locks say so, on an empty file beside the record. They work wherever
SQLite does, and end with the process that held them, however it ended.
"""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Literal

from sqlite_utils.utils import sqlite3  # type: ignore[attr-defined]  # or its pysqlite3

from scorekeeper.store.engine import EngineError, connect, is_busy
from scorekeeper.store.files import give_away

Hold = Literal["visit", "serve", "alone"]
LOCKS: dict[Hold, tuple[str, ...]] = {
    "visit": ("BEGIN", "SELECT 1 FROM sqlite_schema"),  # SHARED
    "serve": ("BEGIN IMMEDIATE",),  # RESERVED: one, beside any number of visitors
    "alone": ("BEGIN EXCLUSIVE",),
}
PATIENCE_MS = 1000


class InUse(EngineError):
    """Somebody else has the record open, and it cannot be had at the same time."""


@contextmanager
def hold(record: Path, how: Hold) -> Iterator[None]:
    """Have the record as a visitor, as its only server, or alone; InUse if that cannot be."""
    file = record.with_name(f"{record.name}.lock")
    try:
        if not file.exists():
            file.touch()
            give_away(file)
        lock = connect(file)
    except (OSError, sqlite3.Error) as error:
        if how != "visit":
            raise EngineError(f"{record}: {error}") from error
        yield  # where nothing can be written nothing can be replaced
        return
    with closing(lock):
        _take(lock, record, how)
        yield


def _take(lock: sqlite3.Connection, record: Path, how: Hold) -> None:
    try:
        lock.execute(f"PRAGMA busy_timeout = {PATIENCE_MS}")
        lock.execute("PRAGMA journal_mode = MEMORY")  # nothing is ever written
        for statement in LOCKS[how]:
            lock.execute(statement).fetchall()
    except sqlite3.Error as error:
        if is_busy(error):
            raise InUse(str(record)) from error
        raise EngineError(f"{record}: {error}") from error
