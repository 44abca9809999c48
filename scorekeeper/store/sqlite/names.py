"""The words that people wrote, in SQLite: found by what they say, and erased for good.

A deleted row leaves its bytes behind, in free pages, in gaps between rows and in the
journal: only a file that is written anew is free of them.
"""

import logging
import secrets
from collections.abc import Callable, Sequence

from scorekeeper.store.errors import NotSaved
from scorekeeper.store.protocol import Written
from scorekeeper.store.sqlite.engine import Engine, marks

log = logging.getLogger(__name__)

UNCLEAN = "unclean"
"""The setting that stands while traces of erased words may be in the file."""


class Names:
    """What people wrote, and what was erased."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def words(self, book_id: str) -> list[tuple[int, str, str]]:
        """Return all texts of a book, replaced ones too: number of the event, field, text."""
        return self._engine.rows(
            "SELECT number, field, text FROM texts WHERE book = ? ORDER BY number", (book_id,)
        )

    def words_of(self, book_ids: Sequence[str], field: str) -> dict[str, str]:
        """Return one field of many books as it is now, without replaying them."""
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
        """Every text that fits, of one book with its evenings or of all."""
        self._engine.db.conn.create_function("fits", 1, fits)
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
        """Books with names in which nothing happened since; groups first, games of none after.

        A group is touched by whatever happens in its evenings.
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

    def clean(self, most: int | None) -> bool:
        """Write the file anew if words were erased in it; a file larger than ``most`` is left.

        What cannot be done now, since the disk is full or somebody reads, is done next time;
        within a transaction nothing can. Return whether the file was written anew.
        """
        if self._engine.db.conn.in_transaction:
            return False
        mark = self._unclean()
        if mark is None or (most is not None and self._engine.path.stat().st_size > most):
            return False
        try:
            if not self._engine.write_anew():
                return False
            with self._engine.write() as db:  # unless more was erased meanwhile
                db.execute("DELETE FROM settings WHERE name = ? AND value = ?", (UNCLEAN, mark))
        except NotSaved as error:
            log.warning("erased words may still have traces in the file: %s", error)
            return False
        return True

    def is_unclean(self) -> bool:
        """Whether traces of erased words may be in the file."""
        return self._unclean() is not None

    def _unclean(self) -> str | None:
        found = self._engine.row("SELECT value FROM settings WHERE name = ?", (UNCLEAN,))
        return str(found[0]) if found else None

    def erase(self, book_id: str, fields: Sequence[str]) -> None:
        """Delete fields of a book; the file is unclean from now on."""
        for field in fields:
            self._engine.db.execute(
                "DELETE FROM texts WHERE book = ? AND field = ?", (book_id, field)
            )
        self._mark_unclean()

    def reword(self, book_id: str, number: int, field: str, text: str, crc: int) -> None:
        """Replace the text of an event; the file is unclean from now on."""
        self._engine.db.execute(
            "UPDATE texts SET text = ?, crc = ? WHERE book = ? AND number = ? AND field = ?",
            (text, crc, book_id, number, field),
        )
        self._mark_unclean()

    def _mark_unclean(self) -> None:
        self._engine.db.execute(
            "INSERT OR REPLACE INTO settings VALUES (?, ?)", (UNCLEAN, secrets.token_hex(8))
        )
