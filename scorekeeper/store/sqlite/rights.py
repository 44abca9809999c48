"""Browsers and the secrets they were shown, in SQLite."""

from scorekeeper.store.cache import Kind
from scorekeeper.store.sqlite.engine import Engine

GROUP_OF = "SELECT group_id FROM evenings WHERE game = :book"


class Rights:
    """Which browsers were shown which secrets."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def remember(self, browser: bytes, book_id: str, secret: bytes) -> None:
        """Keep a secret for a browser."""
        with self._engine.write() as db:
            db.execute(
                "INSERT OR IGNORE INTO browsers VALUES (?, ?, ?)", (browser, book_id, secret)
            )

    def forget(self, browser: bytes, book_id: str) -> None:
        """Drop what a browser knows of a book."""
        with self._engine.write() as db:
            db.execute("DELETE FROM browsers WHERE browser = ? AND book = ?", (browser, book_id))

    def holds_pen(self, browser: bytes, book_id: str) -> bool | None:
        """Return whether a browser holds the pen of a book, or of its group; None: no right."""
        kept = self._engine.row(
            f"""
            SELECT max(secret = pen) FROM browsers JOIN books ON id = book
            WHERE browser = :browser AND book IN (:book, ({GROUP_OF})) AND secret IN (pen, watch)
            """,
            {"browser": browser, "book": book_id},
        )
        return None if kept[0] is None else bool(kept[0])

    def books_of(self, browser: bytes, kind: Kind) -> list[tuple[str, bool]]:
        """Return the books of a browser with whether it holds the pen, last changed first."""
        kept = self._engine.rows(
            """
            SELECT id, max(secret = pen) FROM browsers JOIN books ON id = book
            WHERE browser = ? AND kind = ? AND secret IN (pen, watch) GROUP BY id
            ORDER BY (SELECT at FROM events WHERE events.book = id AND number = version) DESC, id
            """,
            (browser, kind),
        )
        return [(book_id, bool(is_pen)) for book_id, is_pen in kept]
