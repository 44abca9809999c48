"""Raw rows and the health of a SQLite file, for ``check``; see ``Inspection`` in ``protocol``."""

import shutil
from collections.abc import Iterable, Sequence

from scorekeeper.store.cache import Kind
from scorekeeper.store.protocol import Position
from scorekeeper.store.report import SHOWN, Line
from scorekeeper.store.sqlite.engine import Engine, read_pragmas
from scorekeeper.store.sqlite.journal import ENGINE, keeps_wal_commits
from scorekeeper.store.sqlite.migrations import MIGRATIONS, schema

MIN_FREE = 64 * 2**20


class Inspection:
    """The queries of ``check`` on one file."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def engine_line(self) -> Line:
        """Return whether this SQLite version keeps every commit in its journal mode."""
        journal = self._engine.pragmas["journal_mode"]
        safe = journal != "wal" or keeps_wal_commits(ENGINE)
        version = ".".join(map(str, ENGINE))
        return Line("engine", safe, {"version": version, "journal": journal})

    def space_line(self) -> Line:
        """Return whether there is enough free space on the disk of the file."""
        free = shutil.disk_usage(self._engine.path.parent).free
        return Line("space", free >= MIN_FREE, {"free": free, "least": MIN_FREE})

    def settings_line(self) -> Line:
        """Return whether the connection has its required pragmas."""
        pragmas = read_pragmas(self._engine.db, self._engine.pragmas)
        return Line("pragmas", pragmas == self._engine.pragmas, pragmas)

    def tables_line(self) -> Line:
        """Return whether tables and triggers are as the migrations make them."""
        blank = Engine(":memory:", "memory")
        try:
            for step in MIGRATIONS:
                step(blank.db)
            different = schema(self._engine) ^ schema(blank)
        finally:
            blank.close()
        names = tuple(sorted({name for name, _ in different}))
        return Line("tables", not different, {"names": names})

    def pages_line(self) -> Line:
        """Return the result of SQLite's own integrity check."""
        found = [row[0] for row in self._engine.rows(f"PRAGMA integrity_check({SHOWN})")]
        orphans = self._engine.rows("PRAGMA foreign_key_check")
        good = found == ["ok"] and not orphans
        return Line("pages", good, {"found": tuple(found), "orphans": len(orphans)})

    def last(self) -> Position | None:
        """Return the position of the event that was written last, which is its rowid."""
        found = self._engine.row("SELECT rowid, hash FROM events ORDER BY rowid DESC LIMIT 1")
        return Position(*found) if found else None

    def link_at(self, number: int) -> bytes | None:
        """Return the link of the event at a position."""
        found = self._engine.row("SELECT hash FROM events WHERE rowid = ?", (number,))
        return found[0] if found else None

    def books(self, after: int = 0) -> list[tuple[str, Kind]]:
        """Return the books with events after a position, in the order of their creation."""
        changed = "WHERE id IN (SELECT book FROM events WHERE rowid > ?)"
        return self._engine.rows(
            f"SELECT id, kind FROM books {changed if after else ''} ORDER BY rowid",
            (after,) if after else (),
        )

    def book(self, book_id: str) -> tuple[int, bytes] | None:
        """Return version and last link of one book."""
        found: tuple[int, bytes] | None = self._engine.row(
            "SELECT version, head FROM books WHERE id = ?", (book_id,)
        )
        return found

    def events(self, book_id: str) -> list[tuple[object, ...]]:
        """Return the stored events of a book, each with its link."""
        return self._engine.rows(
            """
            SELECT number, at, kind, by_right, payload, key, digest, hash FROM events
            WHERE book = ? ORDER BY number
            """,
            (book_id,),
        )

    def texts(self, books: Sequence[str] | None = None) -> Iterable[tuple[str, int, str, str, int]]:
        """Return every text of some books, or of all, with its checksum."""
        if books is None:
            return self._engine.rows("SELECT * FROM texts")
        select = "SELECT * FROM texts WHERE book = ?"
        return (row for book_id in books for row in self._engine.rows(select, (book_id,)))

    def with_digits(self, digits: str, limit: int) -> list[tuple[str, int]]:
        """Return the books and versions whose link begins with these hexadecimal digits."""
        return self._engine.rows(
            "SELECT book, number FROM events WHERE substr(lower(hex(hash)), 1, ?) = ? LIMIT ?",
            (len(digits), digits, limit),
        )

    def count_games(self) -> int:
        """Return the number of games."""
        return int(self._engine.row("SELECT count(*) FROM books WHERE kind = 'game'")[0])

    def count_events(self) -> int:
        """Return the number of events, which is the last rowid because none is ever deleted."""
        return int(self._engine.row("SELECT coalesce(max(rowid), 0) FROM events")[0])

    def size(self) -> int:
        """Return the size of the file in bytes."""
        return self._engine.path.stat().st_size
