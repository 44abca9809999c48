"""Names, titles and notes: texts that people wrote and that can be erased."""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from scorekeeper.store.sql.engine import Engine, placeholders

TEXTS_AT_ONCE = 10_000
"""The number of texts that a search reads at once, so that it does not need them all in memory."""


class Written(NamedTuple):
    """A text that somebody wrote, current or replaced."""

    book: str
    field: str
    text: str


class Names:
    """The texts of one database.

    A server removes the traces of erased texts itself: its vacuum from the tables, and whoever runs
    it from base backups and archived logs. Another engine adds how it does that.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def words(self, book_id: str) -> list[tuple[int, str, str]]:
        """Return all texts of a book, replaced ones too: number of the event, field, text."""
        return self._engine.rows(
            "SELECT number, field, text FROM texts WHERE book = ? ORDER BY number, field",
            (book_id,),
        )

    def words_of(self, book_ids: Sequence[str], field: str) -> dict[str, str]:
        """Return the current text of one field of many books, without replaying them."""
        if not book_ids:
            return {}
        return dict(
            self._engine.rows(
                f"""
                SELECT book, text FROM texts
                WHERE book IN ({placeholders(book_ids)}) AND field = ? ORDER BY number
                """,
                (*book_ids, field),
            )
        )

    def written(self, fits: Callable[[str], bool], book_id: str | None = None) -> list[Written]:
        """Return every text that fits, of one book and its evenings or of all books."""
        return [text for text in self._texts(book_id) if fits(text.text)]

    def _texts(self, book_id: str | None) -> Iterator[Written]:
        where = "(book, number, field) > (:after_book, :after_number, :after_field)"
        if book_id is not None:
            where += """
                AND (book = :book OR book IN (SELECT game FROM evenings WHERE group_id = :book))"""
        rows: list[tuple[str, int, str, str]] = [("", 0, "", "")]
        while rows:
            book, number, field, _ = rows[-1]
            after = {"after_book": book, "after_number": number, "after_field": field}
            rows = self._engine.rows(
                f"""
                SELECT book, number, field, text FROM texts WHERE {where}
                ORDER BY book, number, field LIMIT :limit
                """,
                {**after, "book": book_id, "limit": TEXTS_AT_ONCE},
            )
            yield from (Written(book, field, text) for book, _, field, text in rows)

    def untouched_since(self, time: str) -> list[str]:
        """Return the books with names that have not changed since: groups, then single games.

        A change of an evening counts as a change of its group.
        """
        rows = self._engine.rows(
            """
            SELECT id FROM books JOIN events ON book = id AND number = version
            WHERE at < :time AND id NOT IN (SELECT game FROM evenings)
                AND EXISTS (SELECT 1 FROM texts WHERE texts.book = id AND text <> ''
                    AND (field LIKE 'name.%' OR field LIKE 'member.%'))
                AND NOT EXISTS (SELECT 1 FROM evenings
                    JOIN books AS games ON games.id = evenings.game
                    JOIN events AS last ON last.book = games.id AND last.number = games.version
                    WHERE group_id = books.id AND last.at >= :time)
            ORDER BY books.kind DESC, id
            """,
            {"time": time},
        )
        return [book_id for (book_id,) in rows]

    def thrown_away_before(self, time: str) -> list[str]:
        """Return the games that were thrown away before, and neither brought back nor discarded."""
        rows = self._engine.rows(
            """
            SELECT DISTINCT book FROM events AS thrown
            WHERE kind = 'thrown_away' AND at < :time AND NOT EXISTS (SELECT 1 FROM events AS later
                WHERE later.book = thrown.book AND later.number > thrown.number
                    AND later.kind IN ('brought_back', 'discarded'))
            ORDER BY book
            """,
            {"time": time},
        )
        return [book_id for (book_id,) in rows]

    def erase(self, book_id: str, fields: Sequence[str]) -> None:
        """Delete fields of a book."""
        delete = f"DELETE FROM texts WHERE book = ? AND field IN ({placeholders(fields)})"
        self._engine.execute(delete, (book_id, *fields))

    def reword(self, book_id: str, number: int, field: str, text: str, crc: int) -> None:
        """Replace the text of an event."""
        update = "UPDATE texts SET text = ?, crc = ? WHERE book = ? AND number = ? AND field = ?"
        self._engine.execute(update, (text, crc, book_id, number, field))

    def is_unclean(self) -> bool:
        """Return whether traces of erased texts may be on the disk."""
        return False

    def clean(self, max_size: int | None) -> bool:
        """Remove the traces of erased texts, unless the store is larger than ``max_size`` bytes.

        Return whether it is clean now; if not, a later call tries again.
        """
        return True
