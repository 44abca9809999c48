"""Raw rows, for ``check``; see ``Inspection`` in ``protocol``."""

from collections.abc import Iterable, Sequence

from scorekeeper.store.cache import Kind
from scorekeeper.store.protocol import Position
from scorekeeper.store.sql.statements import Statements


class InspectionStatements:
    """The queries of ``check`` on one database; an engine adds its own health."""

    POSITION: str
    """The column that numbers the rows of a table in the order in which they were written."""
    HEX: str
    """The link of an event in hexadecimal digits."""

    def __init__(self, sql: Statements) -> None:
        self._sql = sql

    def last(self) -> Position | None:
        """Return the position of the event that was written last."""
        found = self._sql.row(
            f"SELECT {self.POSITION}, hash FROM events ORDER BY {self.POSITION} DESC LIMIT 1"
        )
        return Position(*found) if found else None

    def link_at(self, number: int) -> bytes | None:
        """Return the link of the event at a position."""
        found = self._sql.row(f"SELECT hash FROM events WHERE {self.POSITION} = ?", (number,))
        return found[0] if found else None

    def count_after(self, number: int) -> int:
        """Return the number of events after a position."""
        query = f"SELECT count(*) FROM events WHERE {self.POSITION} > ?"
        return int(self._sql.row(query, (number,))[0])

    def books(self, after: int = 0) -> list[tuple[str, Kind]]:
        """Return the books with events after a position, in the order of their creation."""
        changed = f"WHERE id IN (SELECT book FROM events WHERE {self.POSITION} > ?)"
        return self._sql.rows(
            f"SELECT id, kind FROM books {changed if after else ''} ORDER BY {self.POSITION}",
            (after,) if after else (),
        )

    def book(self, book_id: str) -> tuple[int, bytes] | None:
        """Return version and last link of one book."""
        found: tuple[int, bytes] | None = self._sql.row(
            "SELECT version, head FROM books WHERE id = ?", (book_id,)
        )
        return found

    def events(self, book_id: str) -> list[tuple[object, ...]]:
        """Return the stored events of a book, each with its link."""
        return self._sql.rows(
            """
            SELECT number, at, kind, by_right, payload, key, digest, hash FROM events
            WHERE book = ? ORDER BY number
            """,
            (book_id,),
        )

    def texts(self, books: Sequence[str] | None = None) -> Iterable[tuple[str, int, str, str, int]]:
        """Return every text of some books, or of all, with its checksum."""
        chosen = [book for book, _ in self.books()] if books is None else books
        select = "SELECT book, number, field, text, crc FROM texts WHERE book = ?"
        return (row for book_id in chosen for row in self._sql.rows(select, (book_id,)))

    def with_digits(self, digits: str, limit: int) -> list[tuple[str, int]]:
        """Return the books and versions whose link begins with these hexadecimal digits."""
        return self._sql.rows(
            f"SELECT book, number FROM events WHERE substr({self.HEX}, 1, ?) = ? LIMIT ?",
            (len(digits), digits, limit),
        )

    def count_games(self) -> int:
        """Return the number of games."""
        return int(self._sql.row("SELECT count(*) FROM books WHERE kind = 'game'")[0])
