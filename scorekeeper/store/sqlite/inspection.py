"""Raw rows and the health of a SQLite file, for ``check``."""

import shutil
from functools import cache

from scorekeeper.store.report import SHOWN, CheckResult
from scorekeeper.store.sql.inspection import Inspection as SharedInspection
from scorekeeper.store.sqlite.connections import read_pragmas
from scorekeeper.store.sqlite.engine import Engine
from scorekeeper.store.sqlite.journal import ENGINE, keeps_wal_commits
from scorekeeper.store.sqlite.migrations import MIGRATIONS, schema

MIN_FREE = 64 * 2**20


class Inspection(SharedInspection):
    """The queries of ``check`` on one file."""

    _engine: Engine
    POSITION = "rowid"  # of events it grows by one each, because none is ever deleted
    HEX = "lower(hex(hash))"

    def engine_line(self) -> CheckResult:
        """Return whether this SQLite version keeps every commit in its journal mode."""
        # Only WAL is stored in the file. Otherwise readers see DELETE, but writers use TRUNCATE.
        is_wal = self._engine.pragmas["journal_mode"] == "wal"
        journal = "wal" if is_wal else "truncate"
        safe = not is_wal or keeps_wal_commits(ENGINE)
        version = ".".join(map(str, ENGINE))
        return CheckResult("engine", safe, {"version": version, "journal": journal})

    def space_line(self) -> CheckResult:
        """Return whether there is enough free space on the disk of the file."""
        free = shutil.disk_usage(self._engine.path.parent).free
        return CheckResult("space", free >= MIN_FREE, {"free": free, "least": MIN_FREE})

    def settings_line(self) -> CheckResult:
        """Return whether the connection has its required pragmas."""
        pragmas = read_pragmas(self._engine.db, self._engine.pragmas)
        return CheckResult("pragmas", pragmas == self._engine.pragmas, pragmas)

    def tables_line(self) -> CheckResult:
        """Return whether tables and triggers are as the migrations make them."""
        different = schema(self._engine) ^ _migrated()
        names = tuple(sorted({name for name, _ in different}))
        return CheckResult("tables", not different, {"names": names})

    def pages_line(self) -> CheckResult:
        """Return the result of SQLite's own integrity check."""
        found = [row[0] for row in self._engine.rows(f"PRAGMA integrity_check({SHOWN})")]
        orphans = self._engine.rows("PRAGMA foreign_key_check")
        good = found == ["ok"] and not orphans
        return CheckResult("pages", good, {"found": tuple(found), "orphans": len(orphans)})

    def count_events(self) -> int:
        """Return the number of events, which is the last rowid."""
        return int(self._engine.row("SELECT coalesce(max(rowid), 0) FROM events")[0])

    def size(self) -> int:
        """Return the size of the file in bytes."""
        return self._engine.path.stat().st_size


@cache
def _migrated() -> set[tuple[str, str]]:
    """Return the schema of a new file."""
    blank = Engine(":memory:", "memory")
    try:
        for step in MIGRATIONS:
            step(blank.db)
        return schema(blank)
    finally:
        blank.close()
