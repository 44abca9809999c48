"""Connections to SQLite files, and the errors they raise."""

from collections.abc import Callable, Iterable
from contextlib import closing
from pathlib import Path
from typing import Literal

from sqlite_utils import Database
from sqlite_utils.utils import sqlite3  # type: ignore[attr-defined]  # or its pysqlite3

from scorekeeper.store.errors import NotSaved

FAILURES = (sqlite3.Error, UnicodeDecodeError)
"""The exceptions of a damaged file; the second one occurs when SQLite quotes damaged text."""
_BUSY = (5, 6)  # SQLITE_BUSY, SQLITE_LOCKED
_DISK_FULL = 13  # SQLITE_FULL


class Moved(sqlite3.OperationalError):
    """The path has another file or none, so that nobody would find what is written.

    Writing works again when the file is back in its place.
    """


def not_saved(error: BaseException) -> NotSaved:
    """Return the NotSaved for an error of SQLite."""
    return NotSaved(error, disk_full=getattr(error, "sqlite_errorcode", None) == _DISK_FULL)


def is_busy(error: BaseException) -> bool:
    """Return whether a lock caused the error; the bytes above the lowest are its extended code."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF in _BUSY


def is_temporary(error: BaseException) -> bool:
    """Return whether the same connection may succeed later: on a full disk or a lock."""
    return is_busy(error) or getattr(error, "sqlite_errorcode", None) == _DISK_FULL


def connect(path: Path, *, mode: Literal["rwc", "rw", "ro"] = "rwc") -> sqlite3.Connection:
    """Return a connection in autocommit mode; only ``rwc`` creates a missing file."""
    place = path if mode == "rwc" else f"{path.resolve().as_uri()}?mode={mode}"
    return sqlite3.connect(place, isolation_level=None, check_same_thread=False, uri=mode != "rwc")


def read_pragmas(db: Database, names: Iterable[str]) -> dict[str, str | int]:
    """Return the values of pragmas as the connection reports them."""
    return {name: db.execute(f"PRAGMA {name}").fetchone()[0] for name in names}


def fill_copy(copy_pages: Callable[[sqlite3.Connection], None], part: Path) -> None:
    """Fill a file with the pages that ``copy_pages`` copies into its connection."""
    try:
        with closing(connect(part)) as copy:
            copy.execute("PRAGMA synchronous = OFF")  # the caller syncs the finished file
            copy_pages(copy)
            copy.execute("PRAGMA journal_mode = DELETE")  # a single file without -wal
    except FAILURES as error:
        raise not_saved(error) from error
