"""The secrets that browsers have used; browsers and secrets are stored as digests."""

from scorekeeper.store.cache import Kind
from scorekeeper.store.sql.engine import Engine

GROUP_OF = "SELECT group_id FROM evenings WHERE game = :book"
OPENS = "secret IN (pen, watch, paper)"
"""Whether a stored secret is one of its book; ``paper`` may be NULL."""
LAST_CHANGED_FIRST = (
    "ORDER BY (SELECT at FROM events WHERE events.book = id AND number = version) DESC, id"
)
IS_PEN = "max(CASE WHEN secret = pen THEN 1 ELSE 0 END)"
"""Whether one of the stored secrets is the pen; NULL if there is none."""


class Rights:
    """The browsers of one database and their secrets, both as digests."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def remember(self, browser: bytes, book_id: str, secret: bytes) -> None:
        """Store a secret for a browser."""
        with self._engine.write():
            self._engine.execute(
                """
                INSERT INTO browsers (browser, book, secret) VALUES (?, ?, ?)
                ON CONFLICT DO NOTHING
                """,
                (browser, book_id, secret),
            )

    def copy(self, source: bytes, target: bytes, *, moves: bool) -> int:
        """Give a browser all secrets of another, which may lose them; return how many."""
        with self._engine.write():
            held = self._engine.rows(
                "SELECT book, secret FROM browsers WHERE browser = ?", (source,)
            )
            self._engine.execute_many(
                """
                INSERT INTO browsers (browser, book, secret) VALUES (?, ?, ?)
                ON CONFLICT DO NOTHING
                """,
                [(target, book_id, secret) for book_id, secret in held],
            )
            if moves and source != target:
                self._engine.execute("DELETE FROM browsers WHERE browser = ?", (source,))
        return len(held)

    def browsers_of(self, book_id: str) -> list[tuple[bytes, bytes]]:
        """Return the browsers that have used secrets of a book, each with its secret."""
        return self._engine.rows("SELECT browser, secret FROM browsers WHERE book = ?", (book_id,))

    def holds_pen(self, browser: bytes, book_id: str) -> bool | None:
        """Return whether a browser holds the pen of a book or of its group; None if no right."""
        (is_pen,) = self._engine.row(
            f"""
            SELECT {IS_PEN} FROM browsers JOIN books ON id = book
            WHERE browser = :browser AND book IN (:book, ({GROUP_OF})) AND {OPENS}
            """,
            {"browser": browser, "book": book_id},
        )
        return None if is_pen is None else bool(is_pen)

    def books_of(self, browser: bytes, kind: Kind) -> list[tuple[str, bool]]:
        """Return the books of a browser and whether it holds the pen, last changed first."""
        rows = self._engine.rows(
            f"""
            SELECT id, {IS_PEN} FROM browsers JOIN books ON id = book
            WHERE browser = ? AND kind = ? AND {OPENS} GROUP BY id
            {LAST_CHANGED_FIRST}
            """,
            (browser, kind),
        )
        return [(book_id, bool(is_pen)) for book_id, is_pen in rows]

    def all_books(self, kind: Kind) -> list[str]:
        """Return all books, last changed first."""
        sql = f"SELECT id FROM books WHERE kind = ? {LAST_CHANGED_FIRST}"
        return [book_id for (book_id,) in self._engine.rows(sql, (kind,))]
