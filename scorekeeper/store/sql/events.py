"""Books with their events and texts."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from scorekeeper.domain.history.book import Event
from scorekeeper.store.cache import BookHead, Kind
from scorekeeper.store.chain import BEGINNING, Stored, read_events
from scorekeeper.store.links import SecretName
from scorekeeper.store.rows import BookRows, Row, text_rows
from scorekeeper.store.sql.engine import Engine, placeholders
from scorekeeper.store.sql.rights import GROUP_OF

INSERT_BOOK = """
    INSERT INTO books (id, version, head, pen, watch, start, kind) VALUES (?, 0, ?, ?, ?, ?, ?)
    """
INSERT_EVENT = """
    INSERT INTO events (book, number, at, kind, by_right, payload, key, digest, hash)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
    """
INSERT_TEXT = "INSERT INTO texts (book, number, field, text, crc) VALUES (?, ?, ?, ?, ?)"


class BookState(NamedTuple):
    """The state of a book at the start of a transaction."""

    version: int
    head: bytes
    """The last link of the chain."""
    group_id: str | None
    """The group that a game belongs to."""
    over: bool
    """Whether the game was over when its evening was last stored."""
    repeated: int | None
    """The number of the event that was written with the same idempotency key."""
    digest: str | None
    """The digest of the request body of that event."""


class Events:
    """The books of one database."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def version(self, book_id: str) -> int | None:
        """Return the number of events of a book; None if there is no such book."""
        found = self._engine.row("SELECT version FROM books WHERE id = ?", (book_id,))
        return int(found[0]) if found else None

    def heads(self, book_id: str) -> tuple[BookHead, ...]:
        """Return the head of a book, then the head of the group it belongs to."""
        rows = self._engine.rows(
            f"""
            SELECT id, kind, version, pen, watch, paper FROM books
            WHERE id IN (:book, ({GROUP_OF})) ORDER BY kind
            """,
            {"book": book_id},
        )
        return tuple(map(BookHead._make, rows))

    def versions_in(self, group_id: str) -> list[tuple[str, int]]:
        """Return a group and its games, each with its version, all at one moment."""
        return self._engine.rows(
            """
            SELECT id, version FROM books WHERE id = :group
            UNION ALL
            SELECT id, version FROM evenings JOIN books ON id = game WHERE group_id = :group
            """,
            {"group": group_id},
        )

    def ids(self, kind: Kind) -> tuple[str, ...]:
        """Return all games or all groups, in the order of their ids."""
        rows = self._engine.rows("SELECT id FROM books WHERE kind = ? ORDER BY id", (kind,))
        return tuple(book_id for (book_id,) in rows)

    def begun_with(self, start: bytes) -> tuple[str, str | None] | None:
        """Return the book with this creation key, and the digest of its first event."""
        found: tuple[str, str | None] | None = self._engine.row(
            "SELECT id, digest FROM books JOIN events ON book = id AND number = 1 WHERE start = ?",
            (start,),
        )
        return found

    def state(self, book_id: str, key: str | None) -> BookState | None:
        """Return the state of a book for a transaction; None if there is no such book."""
        found = self._engine.row(
            """
            SELECT version, head, group_id, over, number, digest FROM books
            LEFT JOIN evenings ON game = id
            LEFT JOIN events ON book = id AND key = ?
            WHERE id = ?
            """,
            (key, book_id),
        )
        if found is None:
            return None
        version, head, group_id, over, number, digest = found
        return BookState(version, head, group_id, bool(over), number, digest)

    def add_book(self, rows: BookRows, pen: bytes, watch: bytes, start: bytes | None) -> None:
        """Add a whole book with the digests of its secrets and its creation key."""
        self._engine.execute(INSERT_BOOK, (rows.book, BEGINNING, pen, watch, start, rows.kind))
        self.add_rows(rows.events, rows.texts)

    def add_rows(self, events: Sequence[Row], texts: Sequence[Row]) -> None:
        """Append rows of events, which have their links, and of texts."""
        self._engine.execute_many(INSERT_EVENT, events)
        self._engine.execute_many(INSERT_TEXT, texts)

    def start_of(self, book_id: str) -> bytes | None:
        """Return the creation key of a book."""
        found = self._engine.row("SELECT start FROM books WHERE id = ?", (book_id,))
        return found[0] if found else None

    def append(self, book_id: str, event: Stored, texts: Mapping[str, str], link: bytes) -> None:
        """Append an event with its texts; a trigger refuses one that does not follow the last."""
        self._engine.execute(INSERT_EVENT, (book_id, *event, link))
        if texts:
            self._engine.execute_many(INSERT_TEXT, text_rows(book_id, event[0], texts))

    def read(
        self, book_id: str, after: int, upto: int, kinds: Sequence[str] | None = None
    ) -> list[Event]:
        """Return the events after one version and up to another, of these kinds or of all.

        Raises Damaged for an event whose payload cannot be read.
        """
        span = (book_id, after, upto)
        chosen = "" if kinds is None else f" AND {_any(kinds)}"
        texts = self._engine.rows(
            """
            SELECT number, field, text FROM texts
            WHERE book = ? AND number > ? AND number <= ? ORDER BY number, field
            """,
            span,
        )
        rows = self._engine.rows(
            f"""
            SELECT number, at, kind, by_right, payload, key, digest FROM events
            WHERE book = ? AND number > ? AND number <= ?{chosen} ORDER BY number
            """,
            (*span, *(kinds or ())),
        )
        return list(read_events(book_id, rows, texts))

    def number_before(self, book_id: str, kinds: Sequence[str], upto: int, limit: int) -> int:
        """Return the number before the last ``limit`` events of these kinds; 0 if fewer."""
        found = self._engine.row(
            f"""
            SELECT number FROM events WHERE book = ? AND number <= ? AND {_any(kinds)}
            ORDER BY number DESC LIMIT 1 OFFSET ?
            """,
            (book_id, upto, *kinds, limit),
        )
        return int(found[0]) if found else 0

    def count(self, book_id: str, kinds: Sequence[str]) -> int:
        """Return the number of events of these kinds."""
        query = f"SELECT count(*) FROM events WHERE book = ? AND {_any(kinds)}"
        return int(self._engine.row(query, (book_id, *kinds))[0])

    def replace_secret(self, book_id: str, name: SecretName, digest: bytes | None) -> None:
        """Replace a secret; None withdraws the code of printed sheets."""
        self._engine.execute(f"UPDATE books SET {name} = ? WHERE id = ?", (digest, book_id))


def _any(kinds: Sequence[str]) -> str:
    """Return the condition that an event is of one of these kinds."""
    return f"kind IN ({placeholders(kinds)})"
