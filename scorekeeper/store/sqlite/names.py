"""The texts that people wrote, in SQLite: search and erasure; see ``NameStore``.

The bytes of a deleted row stay in free pages, in gaps between rows and in the journal. Only
rewriting the file removes them.
"""

import logging
import secrets
from collections.abc import Callable, Sequence

from scorekeeper.store.errors import NotSaved
from scorekeeper.store.protocol import Written
from scorekeeper.store.sqlite.engine import Engine, marks

log = logging.getLogger(__name__)

UNCLEAN = "unclean"
"""The setting that exists while traces of erased texts may be in the file."""


class Names:
    """The texts of one file."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def words(self, book_id: str) -> list[tuple[int, str, str]]:
        """Return all texts of a book, replaced ones too: number of the event, field, text."""
        return self._engine.rows(
            "SELECT number, field, text FROM texts WHERE book = ? ORDER BY number", (book_id,)
        )

    def words_of(self, book_ids: Sequence[str], field: str) -> dict[str, str]:
        """Return the current text of one field of many books, without replaying them."""
        return dict(
            self._engine.rows(
                f"""
                SELECT book, text FROM texts
                WHERE book IN ({marks(book_ids)}) AND field = ? ORDER BY number
                """,
                (*book_ids, field),
            )
        )

    def written(self, fits: Callable[[str], bool], book_id: str | None = None) -> list[Written]:
        """Return every text that fits, of one book and its evenings or of all books."""
        self._engine.db.register_function(fits, replace=True, name="fits")
        rows = self._engine.rows(
            """
            SELECT book, field, text FROM texts
            WHERE (:book IS NULL OR book = :book
                OR book IN (SELECT game FROM evenings WHERE group_id = :book)) AND fits(text)
            """,
            {"book": book_id},
        )
        return [Written(*row) for row in rows]

    def untouched_since(self, time: str) -> list[str]:
        """Return the books with names that have not changed since: groups, then single games.

        A change of an evening counts as a change of its group.
        """
        rows = self._engine.rows(
            """
            SELECT id FROM books JOIN events ON book = id AND number = version
            WHERE at < :time AND id NOT IN (SELECT game FROM evenings)
                AND EXISTS (SELECT 1 FROM texts WHERE texts.book = id AND text <> ''
                    AND (field GLOB 'name.*' OR field GLOB 'member.*'))
                AND NOT EXISTS (SELECT 1 FROM evenings
                    JOIN books AS games ON games.id = evenings.game
                    JOIN events AS last ON last.book = games.id AND last.number = games.version
                    WHERE group_id = books.id AND last.at >= :time)
            ORDER BY books.kind DESC, id
            """,
            {"time": time},
        )
        return [book_id for (book_id,) in rows]

    def clean(self, max_size: int | None) -> bool:
        """Rewrite the file if texts were erased in it, unless it is larger than ``max_size``.

        Return whether it was rewritten. It is not within a transaction, on a full disk, or while
        others read; a later call tries again.
        """
        if self._engine.db.conn.in_transaction:
            return False
        mark = self._unclean()
        if mark is None or (max_size is not None and self._engine.path.stat().st_size > max_size):
            return False
        try:
            if not self._engine.rewrite():
                return False
            with self._engine.write() as db:  # the mark is another one if more was erased since
                db.table("settings").delete_where("name = ? AND value = ?", (UNCLEAN, mark))
        except NotSaved as error:
            log.warning("traces of erased texts may still be in the file: %s", error)
            return False
        return True

    def is_unclean(self) -> bool:
        """Return whether traces of erased texts may be in the file."""
        return self._unclean() is not None

    def _unclean(self) -> str | None:
        found = self._engine.row("SELECT value FROM settings WHERE name = ?", (UNCLEAN,))
        return str(found[0]) if found else None

    def erase(self, book_id: str, fields: Sequence[str]) -> None:
        """Delete fields of a book, and mark the file as unclean."""
        texts = self._engine.db.table("texts")
        for field in fields:
            texts.delete_where("book = ? AND field = ?", (book_id, field))
        self._mark_unclean()

    def reword(self, book_id: str, number: int, field: str, text: str, crc: int) -> None:
        """Replace the text of an event, and mark the file as unclean."""
        self._engine.db.table("texts").update((book_id, number, field), {"text": text, "crc": crc})
        self._mark_unclean()

    def _mark_unclean(self) -> None:
        self._engine.db.table("settings").insert(
            {"name": UNCLEAN, "value": secrets.token_hex(8)}, replace=True
        )
