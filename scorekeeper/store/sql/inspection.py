"""The rows as they are stored, for ``check``, and the health of the engine."""

from abc import ABC, abstractmethod
from typing import NamedTuple

from scorekeeper.store.cache import Kind
from scorekeeper.store.chain import EventRow, TextRow
from scorekeeper.store.report import CheckResult
from scorekeeper.store.sql.engine import Engine

BookEnd = tuple[int, bytes]
"""The version of a book, and the last link of its chain."""


class Position(NamedTuple):
    """An event of the whole store, in the order in which they were written."""

    number: int
    """Counted from 1."""
    link: bytes
    """Its link in the chain of its book."""


class Inspection(ABC):
    """The queries of ``check`` on one database; an engine adds its own health."""

    POSITION: str
    """The column that numbers the rows of a table in the order in which they were written."""
    HEX: str
    """The link of an event in hexadecimal digits."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def last(self) -> Position | None:
        """Return the position of the event that was written last."""
        found = self._engine.row(
            f"SELECT {self.POSITION}, hash FROM events ORDER BY {self.POSITION} DESC LIMIT 1"
        )
        return Position(*found) if found else None

    def link_at(self, number: int) -> bytes | None:
        """Return the link of the event at a position."""
        found = self._engine.row(f"SELECT hash FROM events WHERE {self.POSITION} = ?", (number,))
        return found[0] if found else None

    def count_after(self, number: int) -> int:
        """Return the number of events after a position."""
        query = f"SELECT count(*) FROM events WHERE {self.POSITION} > ?"
        return int(self._engine.row(query, (number,))[0])

    def books(self, after: int = 0) -> list[tuple[str, Kind]]:
        """Return the books with events after a position, in the order of their creation."""
        changed = f"WHERE id IN (SELECT book FROM events WHERE {self.POSITION} > ?)"
        return self._engine.rows(
            f"SELECT id, kind FROM books {changed if after else ''} ORDER BY {self.POSITION}",
            (after,) if after else (),
        )

    def book(self, book_id: str) -> BookEnd | None:
        """Return version and last link of one book."""
        found: BookEnd | None = self._engine.row(
            "SELECT version, head FROM books WHERE id = ?", (book_id,)
        )
        return found

    def events(self, book_id: str) -> list[EventRow]:
        """Return the stored events of a book, each with its link."""
        return self._engine.rows(
            """
            SELECT number, at, kind, by_right, payload, key, digest, hash FROM events
            WHERE book = ? ORDER BY number
            """,
            (book_id,),
        )

    def texts(self, book_id: str) -> list[TextRow]:
        """Return every text of a book with its checksum."""
        return self._engine.rows(
            "SELECT book, number, field, text, crc FROM texts WHERE book = ?", (book_id,)
        )

    def with_digits(self, digits: str, limit: int) -> list[tuple[str, int]]:
        """Return the books and versions whose link begins with these hexadecimal digits."""
        return self._engine.rows(
            f"""
            SELECT book, number FROM events WHERE substr({self.HEX}, 1, ?) = ?
            ORDER BY book, number LIMIT ?
            """,
            (len(digits), digits, limit),
        )

    def count_games(self) -> int:
        """Return the number of games."""
        return int(self._engine.row("SELECT count(*) FROM books WHERE kind = 'game'")[0])

    @abstractmethod
    def count_events(self) -> int:
        """Return the number of events."""

    @abstractmethod
    def engine_line(self) -> CheckResult:
        """Return whether this version and mode of the engine keep every confirmed change."""

    def space_line(self) -> CheckResult | None:
        """Return whether there is enough free space; None if that cannot be seen from here."""
        return None

    @abstractmethod
    def settings_line(self) -> CheckResult:
        """Return whether the connection has its required settings."""

    @abstractmethod
    def tables_line(self) -> CheckResult:
        """Return whether the tables are as the migrations make them."""

    def pages_line(self) -> CheckResult | None:
        """Return the result of the engine's own integrity check; None if it has none."""
        return None

    @abstractmethod
    def size(self) -> int:
        """Return the size on the disk in bytes."""
