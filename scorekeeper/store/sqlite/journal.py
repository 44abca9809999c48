"""The journal modes of SQLite in which no committed round is lost."""

import logging

from sqlite_utils.utils import sqlite3  # type: ignore[attr-defined]  # or its pysqlite3

from scorekeeper.store.errors import CannotOpen

log = logging.getLogger(__name__)

Version = tuple[int, int, int]
ENGINE: Version = sqlite3.sqlite_version_info
JOURNALS = ("wal", "truncate")
"""With synchronous=FULL these two lost nothing in simulated power cuts; DELETE did."""


def keeps_wal_commits(version: Version) -> bool:
    """Return whether this SQLite is free of the WAL-reset race, which can lose a commit.

    Fixed in 3.51.3 and in the maintained lines 3.50 (from 3.50.7) and 3.44 (from 3.44.6).
    """
    return (
        version >= (3, 51, 3)
        or (3, 50, 7) <= version < (3, 51, 0)
        or (3, 44, 6) <= version < (3, 45, 0)
    )


def choose_journal(version: Version, wished: str | None = None) -> str:
    """Return the journal mode: the requested one, else WAL where it is safe, else TRUNCATE."""
    safe = "wal" if keeps_wal_commits(version) else "truncate"
    if wished is None or wished == safe:
        return safe
    if wished not in JOURNALS:
        raise CannotOpen(f"journal mode {wished!r} can lose rounds; choose one of {JOURNALS}")
    log.warning(
        "journal mode %s was set by hand; SQLite %s would get %s",
        wished,
        ".".join(map(str, version)),
        safe,
    )
    return wished
