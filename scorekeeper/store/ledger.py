"""The ledger: events in, books out: games and groups.

A book is the list of its events, and everything shown is a function of them. The row in
``books`` only says how long the list is and where the chain stands; the books in memory
are a cache of what replaying would give.
"""

import json
import secrets
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from sqlite_utils import Database

from scorekeeper.domain.book import Book, Event
from scorekeeper.domain.errors import Problem
from scorekeeper.domain.game import Game
from scorekeeper.domain.group import Group
from scorekeeper.domain.replay import begun
from scorekeeper.store.chain import BEGINNING, Stored, as_kept, canonical, link, stored, text_sum
from scorekeeper.store.engine import (
    ENGINE,
    Engine,
    EngineError,
    Moved,
    NotSaved,
    Unreadable,
    choose_journal,
)
from scorekeeper.store.exports import exported
from scorekeeper.store.growth import GROWTH, octets_of
from scorekeeper.store.memory import Books, Kind, Standing, Standings
from scorekeeper.store.migrations import migrate
from scorekeeper.store.rights import GROUP_OF, Rights, digest, secret_digest
from scorekeeper.store.seasons import Seasons
from scorekeeper.store.words import AT_ONCE, Words, erase, soil

B = TypeVar("B", bound=Book)


class Unknown(LookupError):
    """There is no such book, or it never was at that version."""


class Damaged(Exception):
    """What is stored of a book cannot be read as the events of one."""

    def __init__(self, book_id: str, number: int = 0) -> None:
        super().__init__(f"{book_id}, event {number}")
        self.book_id = book_id
        self.number = number
        """The first event that cannot be read, or cannot follow."""

    @property
    def problem(self) -> Problem:
        """As it is told to a reader."""
        return Problem("E_DAMAGED", {"id": self.book_id, "number": self.number})


class Known(Exception):
    """The book is already there."""

    def __init__(self, book_id: str) -> None:
        super().__init__(book_id)
        self.book_id = book_id


class KeyReused(Exception):
    """The idempotency key came before, with another body."""


def open_ledger(path: str | Path, *, journal: str | None = None) -> "Ledger":
    """The ledger in this file, made if it is not there.

    Raises EngineError if it cannot be opened so that it keeps what it confirms.
    """
    _for_its_owner(Path(path))
    engine = Engine(path, choose_journal(ENGINE, journal))
    try:
        migrate(engine)
    except BaseException:
        engine.close()
        raise
    return Ledger(engine)


def read_ledger(path: str | Path) -> "Ledger":
    """The ledger in this file, for reading only: every attempt to write is refused.

    Raises EngineError if it cannot be read so, for one if an interrupted write is still to
    be rolled back.
    """
    engine = Engine(path, None)
    try:
        engine.rows("SELECT count(*) FROM sqlite_schema")
    except Unreadable as error:
        engine.close()
        raise EngineError(f"{path}: {error}") from error
    return Ledger(engine)


def _for_its_owner(path: Path) -> None:
    """A new record, with its names and the key of the cookies, is nobody else's to read."""
    if not path.exists():
        with suppress(OSError):  # the engine says why it cannot be
            path.touch(mode=0o600)


class Ledger(Rights, Seasons, Words):
    """All books of one file."""

    def __init__(self, engine: Engine) -> None:
        super().__init__()
        self.engine = engine
        self._books = Books()
        self._standings = Standings()
        self._last_saved: tuple[str, int] | None = None

    def close(self) -> None:
        self.engine.close()

    # Writing

    def create(
        self,
        book_id: str,
        *,
        at: str,
        payload: Mapping[str, Any],
        texts: Mapping[str, str],
        pen: str,
        watch: str,
        kind: str = "created",
        key: str | None = None,
        digest: str | None = None,
        browser: str | None = None,
    ) -> Event:
        """Begin a book; ``browser`` holds its pen from then on.

        Raises Known if the book is there, or if this browser began one with this key.
        """
        event = Event(1, at, kind, "pen", as_kept(payload), texts, key, digest)
        book = begun(book_id, event)
        with self.engine.write() as db:
            earlier = self.created_with(key, browser, digest) if key and browser else None
            if earlier or self.version(book_id):
                raise Known(earlier or book_id)
            start = _start(key, browser) if key and browser else None
            _insert(db, rows_of_book(book, [event]), pen, watch, start)
            if browser:
                self.remember(browser, book_id, pen)
            self.engine.afterwards(partial(self._remember, book))
        return event

    def created_with(self, key: str, browser: str, digest: str | None = None) -> str | None:
        """The book that a browser began with this key; KeyReused if it had another body."""
        found = self.engine.row(
            "SELECT id, digest FROM books JOIN events ON book = id AND number = 1 WHERE start = ?",
            (_start(key, browser),),
        )
        if found is None:
            return None
        book_id, before = found
        if digest is not None and before != digest:
            raise KeyReused(key)
        return str(book_id)

    def take_in(
        self,
        book: Book,
        events: Sequence[Event],
        *,
        pen: str,
        watch: str,
        browser: str | None = None,
    ) -> None:
        """Write a whole book at once, as its events made it; Known if it is there."""
        self.take_in_rows(rows_of_book(book, events), pen=pen, watch=watch, browser=browser)

    def take_in_rows(
        self, rows: "BookRows", *, pen: str, watch: str, browser: str | None = None
    ) -> None:
        """Write a whole book at once; Known if it is there."""
        with self.engine.write() as db:
            if self.version(rows.book):
                raise Known(rows.book)
            _insert(db, rows, pen, watch)
            if browser:
                self.remember(browser, rows.book, pen)

    @contextmanager
    def turn(
        self, book_id: str, *, key: str | None = None, digest: str | None = None
    ) -> Iterator["Turn"]:
        """A transaction on one book: nobody else writes until it is on disk, or dropped.

        Within another turn it is a part of that one. Raises Unknown, KeyReused, Withdrawn
        where a demand is no longer met, and NotSaved if the disk did not take it.
        """
        with self.engine.write() as db:
            turn = Turn(self, db, book_id, key, digest)
            yield turn
            turn._finish()
            if turn.appended:
                self.engine.afterwards(partial(self._remember, turn.book))

    def _remember(self, book: Book, error: BaseException | None) -> None:
        """What is on disk is known; where it may be or not, whoever asks now looks there."""
        if error is None:
            self._last_saved = book.id, book.version
            self._books.put(book)
            self._standings.move(book)
        else:
            self._standings.forget(book)

    # Reading

    def takes_writes(self) -> bool:
        """Whether a round would be saved now, and what was saved last is still there."""
        try:
            return self.engine.takes_writes() and self._has_last()
        except Unreadable:
            return False

    def _has_last(self) -> bool:
        if self._last_saved is None:
            return True
        book_id, version = self._last_saved
        return (self.version(book_id) or 0) >= version

    def version(self, book_id: str) -> int | None:
        """How many events a book has; None if there is no such book."""
        found = self.engine.row("SELECT version FROM books WHERE id = ?", (book_id,))
        return int(found[0]) if found else None

    def kind(self, book_id: str) -> Kind:
        """Whether a book is a game or a group; it stays what it is."""
        if not (found := self.standings(book_id)):
            raise Unknown(book_id)
        return found[0].kind

    def groups(self) -> tuple[str, ...]:
        """All groups of this file."""
        rows = self.engine.rows("SELECT id FROM books WHERE kind = 'group' ORDER BY id")
        return tuple(group_id for (group_id,) in rows)

    def versions(self, book_id: str) -> tuple[int, ...]:
        """The version of a book and of the group whose rights also open it."""
        return tuple(standing.version for standing in self.standings(book_id))

    def remembered_versions(self, book_id: str) -> tuple[int, ...] | None:
        """The same, if it is known without a look at the disk."""
        told = self._standings.get(book_id)
        return tuple(standing.version for standing in told) if told else None

    def standings(self, book_id: str) -> tuple[Standing, ...]:
        """What is asked with every request: of a book, and of the group that opens it too.

        All phones ask for it every few seconds, so they do not wait for the disk.
        """
        if self.engine.db.conn.in_transaction:  # what it changed is known to nobody else yet
            return self._read_standings(book_id)
        if told := self._standings.get(book_id):
            return told
        changes = self._standings.changes
        told = self._read_standings(book_id)
        self._standings.put(book_id, told, changes)
        return told

    def _read_standings(self, book_id: str) -> tuple[Standing, ...]:
        rows = self.engine.rows(
            f"""
            SELECT id, kind, version, pen, watch FROM books
            WHERE id IN (:book, ({GROUP_OF})) ORDER BY kind
            """,
            {"book": book_id},
        )
        return tuple(map(Standing._make, rows))

    def head(self, book_id: str) -> str:
        """The digits that stand for the book and all its history."""
        found = self.engine.row("SELECT head FROM books WHERE id = ?", (book_id,))
        if found is None:
            raise Unknown(book_id)
        return str(found[0].hex())

    def game(self, game_id: str) -> Game:
        """The game as it stands."""
        return _of(Game, self.book(game_id))

    def group(self, group_id: str) -> Group:
        """The group as it stands."""
        return _of(Group, self.book(group_id))

    def book(self, book_id: str) -> Book:
        """The book as it stands."""
        version = self.version(book_id)
        if version is None:
            raise Unknown(book_id)
        return self._at_least(book_id, version)

    def game_at(self, game_id: str, version: int) -> Game:
        """The game as it stood after so many events."""
        return _of(Game, self.book_at(game_id, version))

    def book_at(self, book_id: str, version: int) -> Book:
        """The book as it stood after so many events."""
        kept = self._books.get(book_id)
        if kept and kept.version == version:
            return kept
        events = self.events(book_id, version)
        if version < 1 or len(events) != version:
            raise Unknown(book_id, version)
        return _replayed(book_id, events)

    def events(self, book_id: str, upto: int | None = None, *, after: int = 0) -> list[Event]:
        """What happened, in order, after a version and up to another."""
        version = self.version(book_id)
        if version is None:
            raise Unknown(book_id)
        return self._events(book_id, after, version if upto is None else upto)

    def _at_least(self, book_id: str, version: int) -> Book:
        """The book at this version, or a later one that is already on disk."""
        book = self._books.get(book_id)
        if book and book.version >= version:
            return book
        if book is None:
            book = _replayed(book_id, self._events(book_id, 0, version))
        else:  # another process wrote
            book = _replayed(book_id, self._events(book_id, book.version, version), book)
        self._keep(book)
        return book

    def _keep(self, book: Book) -> None:
        """Keep a book in memory, unless its transaction may still be dropped."""
        if not self.engine.db.conn.in_transaction:
            self._books.put(book)

    def events_of(
        self, book_id: str, kinds: Sequence[str], upto: int, *, most: int | None = None
    ) -> list[Event]:
        """What happened of some kinds, in order, up to a version; only the last so many."""
        after = 0
        if most is not None:
            found = self.engine.row(
                f"""
                SELECT number FROM events WHERE book = ? AND number <= ? AND {_any(kinds)}
                ORDER BY number DESC LIMIT 1 OFFSET ?
                """,
                (book_id, upto, *kinds, most),
            )
            after = found[0] if found else 0
        return self._events(book_id, after, upto, kinds)

    def count_of(self, book_id: str, kinds: Sequence[str]) -> int:
        """How often something of some kinds happened."""
        asked = f"SELECT count(*) FROM events WHERE book = ? AND {_any(kinds)}"
        return int(self.engine.row(asked, (book_id, *kinds))[0])

    def _events(
        self, book_id: str, after: int, upto: int, kinds: Sequence[str] | None = None
    ) -> list[Event]:
        span = (book_id, after, upto)
        chosen = "" if kinds is None else f" AND {_any(kinds)}"
        texts: dict[int, dict[str, str]] = {}
        for number, field, text in self.engine.rows(
            "SELECT number, field, text FROM texts WHERE book = ? AND number > ? AND number <= ?",
            span,
        ):
            texts.setdefault(number, {})[field] = text
        return [
            Event(
                number,
                at,
                kind,
                by,
                _payload(book_id, number, payload),
                texts.get(number, {}),
                key,
                digest,
            )
            for number, at, kind, by, payload, key, digest in self.engine.rows(
                f"""
                SELECT number, at, kind, by_right, payload, key, digest FROM events
                WHERE book = ? AND number > ? AND number <= ?{chosen} ORDER BY number
                """,
                (*span, *(kinds or ())),
            )
        ]

    def clean(self, most: int | None = AT_ONCE) -> bool:
        """Let nothing of erased words be left: neither in memory nor in the file."""
        self._books.forget()
        return super().clean(most)

    # In and out

    def export(self, book_id: str, version: int | None = None) -> dict[str, Any]:
        """Everything of a book but its secrets and, of a group, its games, as JSON values.

        As it stands, or as it stood at a version.
        """
        kind = Group if self.kind(book_id) == "group" else Game
        return exported(kind, book_id, self.events(book_id, version))

    # Settings

    def setting(self, name: str) -> str | None:
        """Something the program keeps for itself."""
        found = self.engine.row("SELECT value FROM settings WHERE name = ?", (name,))
        return str(found[0]) if found else None

    def keep_setting(self, name: str, value: str) -> None:
        with self.engine.write() as db:
            db.execute("INSERT OR REPLACE INTO settings VALUES (?, ?)", (name, value))

    def secret_key(self) -> str:
        """What this installation signs its cookies with, made when first asked for."""
        if known := self.setting("secret_key"):
            return known  # also where nothing can be written now
        with self.engine.write():
            kept = self.setting("secret_key")
            if kept is None:
                kept = secrets.token_urlsafe(32)
                self.keep_setting("secret_key", kept)
        return kept


class Turn:
    """One book while nobody else can write."""

    def __init__(
        self, ledger: Ledger, db: Database, book_id: str, key: str | None, digest: str | None
    ) -> None:
        found = ledger.engine.row(
            """
            SELECT version, head, group_id, over, number, digest FROM books
            LEFT JOIN evenings ON game = id
            LEFT JOIN events ON book = id AND key = ?
            WHERE id = ?
            """,
            (key, book_id),
        )
        if found is None:
            raise Unknown(book_id)
        self.version: int
        self.version, self._head, group_id, over, number, before = found
        known = ledger._books.get(book_id)
        if known and known.version > self.version:
            raise NotSaved(Moved(f"{ledger.engine.path} was overwritten with an older state"))
        self.evening: tuple[str, bool] | None = group_id and (group_id, bool(over))
        """The group of a game, and whether the game was over when it was last kept."""
        self._ledger, self._db, self.id = ledger, db, book_id
        self._key, self._digest = key, digest
        self._book: Book | None = None
        self._last: tuple[tuple[int, str, str, str, str], Mapping[str, str]] | None = None
        self.appended: tuple[Event, ...] = ()
        if number and before != digest:
            raise KeyReused(key)
        self.repeated = ledger.events(book_id, number, after=number - 1)[0] if number else None
        """The event that was written with this turn's key, if it came before."""

    @property
    def book(self) -> Book:
        """The book with everything that this turn appended."""
        if self._book is None:
            self._book = self._ledger._at_least(self.id, self.version)
        return self._book

    @property
    def game(self) -> Game:
        """The same, where it is a game."""
        return _of(Game, self.book)

    @property
    def group(self) -> Group:
        """The same, where it is a group."""
        return _of(Group, self.book)

    def append(
        self,
        kind: str,
        payload: Mapping[str, Any],
        *,
        at: str,
        by: str,
        texts: Mapping[str, str] | None = None,
    ) -> Event:
        """One event more; ValueError if it cannot follow, Withdrawn if a demand is not met."""
        self._ledger._meet_demands()
        text = canonical(payload)
        event = Event(self.version + 1, at, kind, by, json.loads(text), texts or {})
        self._book = self.book.apply(event)
        self._write_last()
        self._last = (event.number, at, kind, by, text), event.texts
        self.version = event.number
        self.appended += (event,)
        return event

    def _write_last(self, key: str | None = None, digest: str | None = None) -> None:
        """Put the event down that waited: only the turn's last one carries its key.

        So a repeat finds the book as the whole turn left it.
        """
        if self._last:
            columns, texts = self._last
            self._head = _write(self._db, self.id, (*columns, key, digest), texts, self._head)

    def words(self) -> list[tuple[int, str, str]]:
        """All words of this book, replaced ones too: number of the event, field, text."""
        return self._ledger.engine.rows(
            "SELECT number, field, text FROM texts WHERE book = ? ORDER BY number", (self.id,)
        )

    def erase(self, *fields: str) -> None:
        """Take words that people wrote off the disk, wherever this book has them.

        ``Ledger.clean`` sees to their last traces when the turn is over.
        """
        erase(self._db, self.id, fields)

    def reword(self, number: int, field: str, text: str) -> None:
        """Let an event have said this and not what it said; that leaves the disk."""
        crc = text_sum(self.id, number, field, text)
        self._db.execute(
            "UPDATE texts SET text = ?, crc = ? WHERE book = ? AND number = ? AND field = ?",
            (text, crc, self.id, number, field),
        )
        soil(self._db)

    def replace_secret(self, right: str, secret: str) -> None:
        """From now on only the new secret opens; the old one is refused at once."""
        column = {"pen": "pen", "watch": "watch"}[right]
        self._ledger.engine.afterwards(lambda _: self._ledger._standings.forget(self.book))
        self._db.execute(
            f"UPDATE books SET {column} = ? WHERE id = ?", (secret_digest(secret), self.id)
        )

    def _finish(self) -> None:
        if self.appended:
            self._write_last(self._key, self._digest)


def _payload(book_id: str, number: int, text: str) -> Any:
    """The payload of an event; Damaged for what is no JSON object."""
    try:
        payload = json.loads(text)
    except ValueError:
        payload = None
    if not isinstance(payload, dict):
        raise Damaged(book_id, number)
    return payload


def _replayed(book_id: str, events: Sequence[Event], book: Book | None = None) -> Book:
    """The book that these events make, or make of this one; Damaged where one cannot follow."""
    number = 0
    try:
        for event in events:
            number = event.number
            book = book.apply(event) if book else begun(book_id, event)
        if isinstance(book, Game):
            _ = book.sheet.rows  # rounds that cannot be added up are no rounds
    except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError) as error:
        raise Damaged(book_id, number) from error
    if book is None:
        raise Damaged(book_id)
    return book


def _any(kinds: Sequence[str]) -> str:
    """An event of any of these kinds, as a condition."""
    return f"kind IN ({', '.join('?' * len(kinds))})"


def _of(kind: type[B], book: Book) -> B:
    """The book as what it has to be; a group is no game."""
    if not isinstance(book, kind):
        raise Unknown(book.id)
    return book


def _kind(book: Book) -> Kind:
    return "group" if isinstance(book, Group) else "game"


class BookRows(NamedTuple):
    """A whole book as it is written, but for its secrets."""

    book: str
    kind: Kind
    head: bytes
    events: list[tuple[object, ...]]
    texts: list[tuple[object, ...]]
    octets: int


def rows_of_book(book: Book, events: Iterable[Event]) -> BookRows:
    """Return the rows of a whole book, which are made before anybody waits for them."""
    head, octets = BEGINNING, 0
    rows: list[tuple[object, ...]] = []
    texts: list[tuple[object, ...]] = []
    for event in events:
        columns = stored(event)
        head = link(head, book.id, columns)
        octets += octets_of(columns[4], event.texts)
        rows.append((book.id, *columns, head))
        texts += _text_rows(book.id, event.number, event.texts)
    return BookRows(book.id, _kind(book), head, rows, texts, octets)


def _text_rows(book_id: str, number: int, texts: Mapping[str, str]) -> list[tuple[object, ...]]:
    return [
        (book_id, number, field, text, text_sum(book_id, number, field, text))
        for field, text in texts.items()
    ]


INSERT_BOOK = "INSERT INTO books VALUES (?, 0, x'', ?, ?, ?, ?)"
INSERT_EVENT = "INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
INSERT_TEXT = "INSERT INTO texts VALUES (?, ?, ?, ?, ?)"


def _insert(db: Database, rows: BookRows, pen: str, watch: str, start: bytes | None = None) -> None:
    """Put a whole book down."""
    GROWTH.octets += rows.octets
    secrets = secret_digest(pen), secret_digest(watch)
    db.execute(INSERT_BOOK, (rows.book, *secrets, start, rows.kind))
    db.conn.executemany(INSERT_EVENT, rows.events)
    db.conn.executemany(INSERT_TEXT, rows.texts)


def _write(
    db: Database, book_id: str, event: Stored, texts: Mapping[str, str], before: bytes
) -> bytes:
    """Put an event and its texts down; its link in the chain."""
    after = link(before, book_id, event)
    GROWTH.octets += octets_of(event[4], texts)
    db.execute(INSERT_EVENT, (book_id, *event, after))
    for row in _text_rows(book_id, event[0], texts):
        db.execute(INSERT_TEXT, row)
    return after


def _start(key: str, browser: str) -> bytes:
    """What stands for a browser's wish to begin one book."""
    return digest(canonical([key, browser]))
