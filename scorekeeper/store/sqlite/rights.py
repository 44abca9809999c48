"""The secrets that browsers have used, in SQLite; see ``RightStore``."""

from scorekeeper.store.cache import Kind
from scorekeeper.store.sqlite.engine import Engine

GROUP_OF = "SELECT group_id FROM evenings WHERE game = :book"
OPENS = "secret IN (pen, watch, paper)"
"""Whether a stored secret is one of its book; ``paper`` may be NULL."""


class Rights:
    """The browsers of one file and their secrets, both as digests."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def remember(self, browser: bytes, book_id: str, secret: bytes) -> None:
        """Store a secret for a browser."""
        with self._engine.write() as db:
            row = {"browser": browser, "book": book_id, "secret": secret}
            db.table("browsers").insert(row, replace=True)

    def forget(self, browser: bytes, book_id: str) -> None:
        """Delete the secrets of a book that a browser has used."""
        with self._engine.write() as db:
            db.table("browsers").delete_where("browser = ? AND book = ?", (browser, book_id))

    def holds_pen(self, browser: bytes, book_id: str) -> bool | None:
        """Return whether a browser holds the pen of a book or of its group; None if no right."""
        (is_pen,) = self._engine.row(
            f"""
            SELECT max(secret = pen) FROM browsers JOIN books ON id = book
            WHERE browser = :browser AND book IN (:book, ({GROUP_OF})) AND {OPENS}
            """,
            {"browser": browser, "book": book_id},
        )
        return None if is_pen is None else bool(is_pen)

    def books_of(self, browser: bytes, kind: Kind) -> list[tuple[str, bool]]:
        """Return the books of a browser and whether it holds the pen, last changed first."""
        rows = self._engine.rows(
            f"""
            SELECT id, max(secret = pen) FROM browsers JOIN books ON id = book
            WHERE browser = ? AND kind = ? AND {OPENS} GROUP BY id
            ORDER BY (SELECT at FROM events WHERE events.book = id AND number = version) DESC, id
            """,
            (browser, kind),
        )
        return [(book_id, bool(is_pen)) for book_id, is_pen in rows]
