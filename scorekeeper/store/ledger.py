"""The ledger: events in, books out: games and groups.

A book is the list of its events, and everything shown is a function of them. The row in
``books`` only says how long the list is and where the chain stands; the books in memory
are a cache of what replaying would give.
"""

import json
import secrets
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from typing import Any, TypeVar

from scorekeeper.domain.book import Book, Event
from scorekeeper.domain.game import Game
from scorekeeper.domain.group import Group
from scorekeeper.domain.replay import begun
from scorekeeper.store.cache import BookCache, BookHead, HeadCache, Kind
from scorekeeper.store.chain import Stored, as_kept, canonical, link, text_sum
from scorekeeper.store.errors import (
    AlreadyExists,
    Damaged,
    KeyReused,
    NotFound,
    NotSaved,
    Unreadable,
)
from scorekeeper.store.exports import exported
from scorekeeper.store.growth import GROWTH, octets_of
from scorekeeper.store.names import Names
from scorekeeper.store.protocol import SeasonStore, SettingStore, Store
from scorekeeper.store.rights import Rights, digest, secret_digest
from scorekeeper.store.rows import BookRows, rows_of_book

B = TypeVar("B", bound=Book)


class Ledger:
    """All books of one record: begin, append, read.

    What does not concern the events of one book is in its parts: ``rights``, ``names``,
    ``seasons`` and ``settings``.
    """

    def __init__(self, store: Store) -> None:
        self.store = store
        self._events = store.events
        self._books = BookCache()
        self._heads = HeadCache()
        self._last_saved: tuple[str, int] | None = None
        self.rights = Rights(store, self.heads)
        self.names = Names(store.names, self._books.forget)
        self.seasons: SeasonStore = store.seasons
        self.settings: SettingStore = store.settings

    def close(self) -> None:
        """Close the record."""
        self.store.close()

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

        Raises AlreadyExists if the book is there, or if this browser began one with this key.
        """
        event = Event(1, at, kind, "pen", as_kept(payload), texts, key, digest)
        book = begun(book_id, event)
        with self.transaction():
            earlier = self.created_with(key, browser, digest) if key and browser else None
            if earlier or self.version(book_id):
                raise AlreadyExists(earlier or book_id)
            start = _start(key, browser) if key and browser else None
            self._insert(rows_of_book(book, [event]), pen, watch, start)
            if browser:
                self.rights.remember(browser, book_id, pen)
            self.store.after_commit(partial(self._remember, book))
        return event

    def created_with(self, key: str, browser: str, digest: str | None = None) -> str | None:
        """The book that a browser began with this key; KeyReused if it had another body."""
        found = self._events.begun_with(_start(key, browser))
        if found is None:
            return None
        book_id, before = found
        if digest is not None and before != digest:
            raise KeyReused(key)
        return book_id

    def take_in(
        self,
        book: Book,
        events: Sequence[Event],
        *,
        pen: str,
        watch: str,
        browser: str | None = None,
    ) -> None:
        """Write a whole book at once, as its events made it; AlreadyExists if it is there."""
        self.take_in_rows(rows_of_book(book, events), pen=pen, watch=watch, browser=browser)

    def take_in_rows(
        self, rows: BookRows, *, pen: str, watch: str, browser: str | None = None
    ) -> None:
        """Write a whole book at once; AlreadyExists if it is there."""
        with self.transaction():
            if self.version(rows.book):
                raise AlreadyExists(rows.book)
            self._insert(rows, pen, watch)
            if browser:
                self.rights.remember(browser, rows.book, pen)

    @contextmanager
    def book_transaction(
        self, book_id: str, *, key: str | None = None, digest: str | None = None
    ) -> Iterator["BookTransaction"]:
        """Open a write transaction on one book: it is on disk when the block is left, or dropped.

        Within another transaction it is part of that one. Raises NotFound, KeyReused, Withdrawn
        where a demand is no longer met, and NotSaved if the disk did not take it.
        """
        with self.transaction():
            transaction = BookTransaction(self, book_id, key, digest)
            yield transaction
            transaction._finish()
            if transaction.appended:
                self.store.after_commit(partial(self._remember, transaction.book))

    def transaction(self) -> AbstractContextManager[object]:
        """Open a write transaction on any number of books; raises NotSaved."""
        return self.store.transaction()

    def waiting_later(self) -> AbstractContextManager[None]:
        """Make the answer to a change while the disk works; raises NotSaved at the end."""
        return self.store.waiting_later()

    def _remember(self, book: Book, error: BaseException | None) -> None:
        """What is on disk is known; where it may be or not, whoever asks now looks there."""
        if error is None:
            self._last_saved = book.id, book.version
            self._books.put(book)
            self._heads.move(book)
        else:
            self._heads.forget(book)

    def _insert(self, rows: BookRows, pen: str, watch: str, start: bytes | None = None) -> None:
        """Add a whole book."""
        GROWTH.octets += rows.octets
        self._events.add_book(rows, secret_digest(pen), secret_digest(watch), start)

    def _write(self, book_id: str, event: Stored, texts: Mapping[str, str], before: bytes) -> bytes:
        """Append an event with its texts and return its link in the chain."""
        after = link(before, book_id, event)
        GROWTH.octets += octets_of(event[4], texts)
        self._events.append(book_id, event, texts, after)
        return after

    # Reading

    def takes_writes(self) -> bool:
        """Whether a round would be saved now, and what was saved last is still there."""
        try:
            return self.store.takes_writes() and self._has_last()
        except Unreadable:
            return False

    def _has_last(self) -> bool:
        if self._last_saved is None:
            return True
        book_id, version = self._last_saved
        return (self.version(book_id) or 0) >= version

    def version(self, book_id: str) -> int | None:
        """How many events a book has; None if there is no such book."""
        return self._events.version(book_id)

    def kind(self, book_id: str) -> Kind:
        """Whether a book is a game or a group; it stays what it is."""
        if not (found := self.heads(book_id)):
            raise NotFound(book_id)
        return found[0].kind

    def groups(self) -> tuple[str, ...]:
        """All groups of this file."""
        return self._events.ids("group")

    def versions(self, book_id: str) -> tuple[int, ...]:
        """The version of a book and of the group whose rights also open it."""
        return tuple(head.version for head in self.heads(book_id))

    def remembered_versions(self, book_id: str) -> tuple[int, ...] | None:
        """The same, if it is known without a look at the disk."""
        told = self._heads.get(book_id)
        return tuple(head.version for head in told) if told else None

    def heads(self, book_id: str) -> tuple[BookHead, ...]:
        """Return the head of a book and that of the group whose rights also open it.

        Every phone asks for it every few seconds, so it is cached.
        """
        if self.store.in_transaction:  # what it changed is known to nobody else yet
            return self._events.heads(book_id)
        if told := self._heads.get(book_id):
            return told
        changes = self._heads.changes
        told = self._events.heads(book_id)
        self._heads.put(book_id, told, changes)
        return told

    def head(self, book_id: str) -> str:
        """The digits that stand for the book and all its history."""
        found = self._events.link(book_id)
        if found is None:
            raise NotFound(book_id)
        return found.hex()

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
            raise NotFound(book_id)
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
            raise NotFound(book_id, version)
        return _replayed(book_id, events)

    def events(self, book_id: str, upto: int | None = None, *, after: int = 0) -> list[Event]:
        """What happened, in order, after a version and up to another."""
        version = self.version(book_id)
        if version is None:
            raise NotFound(book_id)
        return self._events.read(book_id, after, version if upto is None else upto)

    def _at_least(self, book_id: str, version: int) -> Book:
        """The book at this version, or a later one that is already on disk."""
        book = self._books.get(book_id)
        if book and book.version >= version:
            return book
        if book is None:
            book = _replayed(book_id, self._events.read(book_id, 0, version))
        else:  # another process wrote
            book = _replayed(book_id, self._events.read(book_id, book.version, version), book)
        self._keep(book)
        return book

    def _keep(self, book: Book) -> None:
        """Keep a book in memory, unless its transaction may still be dropped."""
        if not self.store.in_transaction:
            self._books.put(book)

    def events_of(
        self, book_id: str, kinds: Sequence[str], upto: int, *, most: int | None = None
    ) -> list[Event]:
        """What happened of some kinds, in order, up to a version; only the last so many."""
        after = 0 if most is None else self._events.number_before(book_id, kinds, upto, most)
        return self._events.read(book_id, after, upto, kinds)

    def count_of(self, book_id: str, kinds: Sequence[str]) -> int:
        """How often something of some kinds happened."""
        return self._events.count(book_id, kinds)

    # In and out

    def export(self, book_id: str, version: int | None = None) -> dict[str, Any]:
        """Everything of a book but its secrets and, of a group, its games, as JSON values.

        As it stands, or as it stood at a version.
        """
        kind = Group if self.kind(book_id) == "group" else Game
        return exported(kind, book_id, self.events(book_id, version))

    def secret_key(self) -> str:
        """Return what this installation signs its cookies with, made when first asked for."""
        if known := self.settings.get("secret_key"):
            return known  # also where nothing can be written now
        with self.transaction():
            kept = self.settings.get("secret_key")
            if kept is None:
                kept = secrets.token_urlsafe(32)
                self.settings.keep("secret_key", kept)
        return kept


class BookTransaction:
    """A write transaction on one book."""

    def __init__(self, ledger: Ledger, book_id: str, key: str | None, digest: str | None) -> None:
        found = ledger.store.events.state(book_id, key)
        if found is None:
            raise NotFound(book_id)
        self.version, self._head = found.version, found.head
        known = ledger._books.get(book_id)
        if known and known.version > self.version:
            raise NotSaved(f"{ledger.store.place} was overwritten with an older state")
        self.evening = (found.group_id, found.over) if found.group_id else None
        """The group of a game, and whether the game was over when it was last kept."""
        self._ledger, self.id = ledger, book_id
        self._key, self._digest = key, digest
        self._book: Book | None = None
        self._last: tuple[tuple[int, str, str, str, str], Mapping[str, str]] | None = None
        self.appended: tuple[Event, ...] = ()
        number = found.repeated
        if number and found.digest != digest:
            raise KeyReused(key)
        self.repeated = ledger.events(book_id, number, after=number - 1)[0] if number else None
        """The event that was written with this transaction's key, if it came before."""

    @property
    def book(self) -> Book:
        """The book with everything that this transaction appended."""
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
        self._ledger.rights.meet_demands()
        text = canonical(payload)
        event = Event(self.version + 1, at, kind, by, json.loads(text), texts or {})
        self._book = self.book.apply(event)
        self._write_last()
        self._last = (event.number, at, kind, by, text), event.texts
        self.version = event.number
        self.appended += (event,)
        return event

    def _write_last(self, key: str | None = None, digest: str | None = None) -> None:
        """Put the event down that waited: only the transaction's last one carries its key.

        So a repeat finds the book as the whole transaction left it.
        """
        if self._last:
            columns, texts = self._last
            event = (*columns, key, digest)
            self._head = self._ledger._write(self.id, event, texts, self._head)

    def words(self) -> list[tuple[int, str, str]]:
        """All words of this book, replaced ones too: number of the event, field, text."""
        return self._ledger.store.names.words(self.id)

    def erase(self, *fields: str) -> None:
        """Take words that people wrote off the disk, wherever this book has them.

        ``Names.clean`` sees to their last traces when the transaction is over.
        """
        self._ledger.store.names.erase(self.id, fields)

    def reword(self, number: int, field: str, text: str) -> None:
        """Let an event have said this and not what it said; that leaves the disk."""
        crc = text_sum(self.id, number, field, text)
        self._ledger.store.names.reword(self.id, number, field, text, crc)

    def replace_secret(self, right: str, secret: str) -> None:
        """From now on only the new secret opens; the old one is refused at once."""
        self._ledger.store.after_commit(lambda _: self._ledger._heads.forget(self.book))
        self._ledger.store.events.replace_secret(self.id, right, secret_digest(secret))

    def _finish(self) -> None:
        if self.appended:
            self._write_last(self._key, self._digest)


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


def _of(kind: type[B], book: Book) -> B:
    """The book as what it has to be; a group is no game."""
    if not isinstance(book, kind):
        raise NotFound(book.id)
    return book


def _start(key: str, browser: str) -> bytes:
    """What stands for a browser's wish to begin one book."""
    return digest(canonical([key, browser]))
