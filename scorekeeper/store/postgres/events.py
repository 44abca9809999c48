"""Books with their events and texts, in PostgreSQL.

Transactions lock the books that they change, in one order: first the group, then its games. So
two of them never wait for each other.
"""

from psycopg import errors

from scorekeeper.store.errors import AlreadyExists
from scorekeeper.store.postgres.engine import Engine
from scorekeeper.store.rows import BookRows
from scorekeeper.store.sql.events import BookState
from scorekeeper.store.sql.events import Events as SharedEvents
from scorekeeper.store.sql.rights import GROUP_OF

LOCK = f"""
    SELECT id FROM books WHERE id IN (:book, ({GROUP_OF}))
    ORDER BY kind DESC FOR NO KEY UPDATE
    """
"""Locks the group of a game, then the book itself, in the order of the rows."""


class Events(SharedEvents):
    """The books of one database."""

    _engine: Engine

    def begun_with(self, start: bytes) -> tuple[str, str | None] | None:
        """Return the book with this creation key, and the digest of its first event.

        Within a transaction no other one can begin a book with this key until it ends.
        """
        if self._engine.transaction:
            self._engine.row("SELECT pg_advisory_xact_lock(?)", (_number(start),))
        return super().begun_with(start)

    def state(self, book_id: str, key: str | None) -> BookState | None:
        """Lock a book and its group, and return its state; None if there is no such book.

        The game may join a group while this waits. Then the locks are released, and it begins
        again.
        """
        while True:
            self._engine.execute("SAVEPOINT locking")
            locked = self._engine.rows(LOCK, {"book": book_id})
            found = super().state(book_id, key)
            if not (found and found.group_id) or (found.group_id,) in locked:
                self._engine.execute("RELEASE locking")
                return found
            self._engine.execute("ROLLBACK TO locking")

    def add_book(self, rows: BookRows, pen: bytes, watch: bytes, start: bytes | None) -> None:
        """Add a whole book; AlreadyExists if another transaction has just added it."""
        try:
            super().add_book(rows, pen, watch, start)
        except errors.UniqueViolation as error:
            raise AlreadyExists(rows.book) from error


def _number(digest: bytes) -> int:
    """Return the number of an advisory lock for a digest."""
    return int.from_bytes(digest[:8], signed=True)
