"""Books with their events and texts, in PostgreSQL; see ``EventStore``.

Transactions lock the books that they change, in one order: first the group, then its games. So
two of them never wait for each other.
"""

from psycopg import errors

from scorekeeper.store.errors import AlreadyExists
from scorekeeper.store.postgres.engine import Engine
from scorekeeper.store.protocol import BookState
from scorekeeper.store.rows import BookRows
from scorekeeper.store.sql.events import Events as EventStatements

LOCK_BOOK = "SELECT 1 FROM books WHERE id = ? FOR NO KEY UPDATE"
GROUP = "SELECT group_id FROM evenings WHERE game = ?"


class Events(EventStatements):
    """The books of one database."""

    def __init__(self, engine: Engine) -> None:
        super().__init__(engine)
        self._engine = engine

    def begun_with(self, start: bytes) -> tuple[str, str | None] | None:
        """Return the book with this creation key, and the digest of its first event.

        Within a transaction no other one can begin a book with this key until it ends.
        """
        if self._engine.transaction:
            self._engine.row("SELECT pg_advisory_xact_lock(?)", (_number(start),))
        return super().begun_with(start)

    def state(self, book_id: str, key: str | None) -> BookState | None:
        """Lock a book and its group, and return its state; None if there is no such book."""
        self._lock(book_id)
        return super().state(book_id, key)

    def _lock(self, book_id: str) -> None:
        """Lock the group of a game, then the book itself.

        The game may join or leave a group while this waits. Then the locks are released, and it
        begins again.
        """
        while True:
            self._engine.execute("SAVEPOINT locking")
            group = self._engine.row(GROUP, (book_id,))
            for locked in (*(group or ()), book_id):
                self._engine.execute(LOCK_BOOK, (locked,))
            if self._engine.row(GROUP, (book_id,)) == group:
                self._engine.execute("RELEASE locking")
                return
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
