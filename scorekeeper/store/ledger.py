"""The ledger of games and groups, which are lists of events.

Everything shown of a book is a function of its events. The row in ``books`` only holds the number
of events and the last link of the chain, and the books in memory are a cache of replayed events.
"""

import json
import secrets
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from functools import partial
from typing import Any

from scorekeeper.domain.game.state import Game
from scorekeeper.domain.group.state import Group
from scorekeeper.domain.history.book import ERASING, PRIVATE, Book, Event
from scorekeeper.domain.replay import begun
from scorekeeper.store.chain import Stored, as_stored, canonical, link, links, text_sum
from scorekeeper.store.cleaning import Cleaning
from scorekeeper.store.copying import update_texts
from scorekeeper.store.errors import (
    AlreadyExists,
    Diverged,
    KeyReused,
    NotFound,
    NotSaved,
    Unreadable,
)
from scorekeeper.store.growth import GROWTH, counted, event_size
from scorekeeper.store.links import ORIGINS, LinkKey, SecretName, origins
from scorekeeper.store.protocol import Store
from scorekeeper.store.reading import B, Reader, of_kind
from scorekeeper.store.rights import Rights, creation_key, secret_digest
from scorekeeper.store.rows import BookRows, rows_of_book
from scorekeeper.store.sql.seasons import Seasons
from scorekeeper.store.sql.settings import Settings
from scorekeeper.store.writes import PROGRAM, Write


class Ledger(Reader):
    """All books of one database: create, append, read.

    Access rights, names, seasons and settings are in ``rights``, ``names``, ``seasons`` and
    ``settings``.
    """

    def __init__(self, store: Store, links: LinkKey | None = None) -> None:
        super().__init__(store)
        self.links = links or LinkKey()
        self._last_saved = "", 0
        self.rights = Rights(store, self.read_heads, self.cached_heads)
        self.names = store.names
        self.cleaning = Cleaning(store.names, self._books.forget)
        self.seasons: Seasons = store.seasons
        self.settings: Settings = store.settings

    def close(self) -> None:
        """Close the database."""
        self.store.close()

    # Writing

    def create(
        self, of: type[B], book_id: str, first: Event, *, browser: str | None = None
    ) -> tuple[B, str, str]:
        """Create a book and return it with its two secrets; ``browser`` gets the pen.

        Raises AlreadyExists if the book exists, or if this browser created one with the same key.
        """
        event = replace(first, payload=as_stored(first.payload))
        book = of_kind(of, begun(book_id, event))
        rows = rows_of_book(book, [event])
        pen, watch = self.links.secrets(book_id, rows.origins)
        key = (event.key, browser) if event.key and browser else None
        start = creation_key(*key) if key else None
        with self.transaction():
            earlier = self.created_with(*key, event.digest) if key else None
            taken = self._events.state(earlier or book_id, None)  # locked, so surely durable
            if taken is None:
                self._insert(rows, pen, watch, start)
                if browser:
                    self.rights.remember(browser, book_id, pen)
                self.store.after_commit(partial(self._remember, book))
        if taken:
            raise AlreadyExists(earlier or book_id)
        return book, pen, watch

    def created_with(self, key: str, browser: str, digest: str | None = None) -> str | None:
        """Return the book that a browser created with this key; KeyReused if its body differs."""
        found = self._events.begun_with(creation_key(key, browser))
        if found is None:
            return None
        book_id, before = found
        if digest is not None and before != digest:
            raise KeyReused(key)
        return book_id

    def import_book(self, book: Book, events: Sequence[Event]) -> tuple[str, str]:
        """Store a whole book and return its secrets; AlreadyExists if it exists."""
        return self.import_rows(rows_of_book(book, events))

    def import_rows(self, rows: BookRows) -> tuple[str, str]:
        """Store a whole book and return its secrets; AlreadyExists if it exists."""
        pen, watch = self.links.secrets(rows.book, rows.origins)
        with self.transaction():
            if self.version(rows.book):
                raise AlreadyExists(rows.book)
            self._insert(rows, pen, watch)
        return pen, watch

    def extend(self, rows: BookRows) -> int:
        """Append the events by which a whole book is ahead of the same book here; return how many.

        Texts that these events erase are erased here too, except private ones, which no copy has:
        after the transaction ``cleaning`` removes the traces. Raises Diverged unless one of them
        begins with all events of the other.
        """
        with self.transaction():
            version = self.version(rows.book) or 0
            common = min(version, len(rows.events))
            if common == 0 or rows.events[common - 1][-1] != self._link_at(rows.book, common):
                raise Diverged(rows.book)
            more = rows.events[common:]
            if any(kind in ERASING for _, _, _, kind, *_ in more):
                here = self.store.inspection.texts(rows.book)
                private = [text for text in here if text[2].startswith(PRIVATE)]
                update_texts(self.store, rows.book, [*rows.texts, *private])
            added = {number for _, number, *_ in more}
            self._events.add_rows(more, [text for text in rows.texts if text[1] in added])
            if more:
                self._replace_secrets(rows, common)
                GROWTH.size += rows.size
                self.store.after_commit(self._read_anew)
        return len(more)

    def _replace_secrets(self, rows: BookRows, version: int) -> None:
        """Replace the secrets that were replaced elsewhere since a version; the old ones end.

        A code for paper is not made before somebody asks for it here.
        """
        pen, watch = self.links.secrets(rows.book, rows.origins)
        current: Mapping[SecretName, str | None] = {"pen": pen, "watch": watch, "paper": None}
        for name, secret in current.items():
            number, _ = rows.origins.get(name, (version + 1, ""))
            if number > version:
                stored = secret_digest(secret) if secret else None
                self._events.replace_secret(rows.book, name, stored)

    def _link_at(self, book_id: str, version: int) -> bytes:
        *_, link = links(book_id, self.events(book_id, version))
        return link

    def _read_anew(self, _: BaseException | None) -> None:
        """Forget what is cached, after several books have changed."""
        self._books.forget()
        self._heads.clear()

    @contextmanager
    def book_transaction(
        self, book_id: str, write: Write = PROGRAM, *, digest: str | None = None
    ) -> Iterator["BookTransaction"]:
        """Open a write transaction on one book, which is durable when the block is left.

        A nested transaction is part of the outer one. ``digest`` identifies the request that the
        key of ``write`` stands for. Raises NotFound, KeyReused, Withdrawn if a pen was replaced,
        and NotSaved if the disk refuses.
        """
        with self.transaction():
            transaction = BookTransaction(self, book_id, write, digest)
            yield transaction
            transaction._finish()
            if transaction.appended:
                self.store.after_commit(partial(self._remember, transaction.book))

    def transaction(self) -> AbstractContextManager[object]:
        """Open a write transaction on any number of books; raises NotSaved."""
        return counted(self.store.transaction())

    def defer_wait(self) -> AbstractContextManager[object]:
        """Let transactions return before they are durable, and wait at the end of the block.

        Raises NotSaved then.
        """
        return counted(self.store.defer_wait(), NotSaved)

    def _remember(self, book: Book, error: BaseException | None) -> None:
        """Cache a book that is on disk; forget it if that is uncertain, so that it is read anew."""
        if error is None:
            self._last_saved = book.id, book.version
            self._books.put(book)
            self._heads.advance(book)
        else:
            self._heads.forget(book)

    def _insert(self, rows: BookRows, pen: str, watch: str, start: bytes | None = None) -> None:
        """Add a whole book."""
        GROWTH.size += rows.size
        self._events.add_book(rows, secret_digest(pen), secret_digest(watch), start)

    def _write(self, book_id: str, event: Stored, texts: Mapping[str, str], before: bytes) -> bytes:
        """Append an event with its texts and return its link in the chain."""
        after = link(before, book_id, event)
        GROWTH.size += event_size(event[4], texts)
        self._events.append(book_id, event, texts, after)
        return after

    # Reading

    def takes_writes(self) -> bool:
        """Return whether a round would be saved now and the last change is still there."""
        try:
            book_id, version = self._last_saved
            return self.store.takes_writes() and (self.version(book_id) or 0) >= version
        except Unreadable:
            return False

    def link_secret(self, book_id: str, name: SecretName) -> str | None:
        """Return a current secret; None if there is none, or if another key made it."""
        made = origins(self.events_of(book_id, ORIGINS, self.version(book_id) or 0)).get(name)
        if made is None:
            return None
        secret = self.links.secret(book_id, name, made)
        return secret if self.rights.is_current(book_id, name, secret) else None

    # In and out

    def has_usual_key(self) -> bool:
        """Return whether this machine has the key that made the links of this database last.

        Its fingerprint is stored for the next call.
        """
        current, before = self.links.fingerprint, self.settings.get("link_key")
        if before != current:
            self.settings.set("link_key", current)
        return before in (None, current)

    def secret_key(self) -> str:
        """Return the key that signs the cookies of this installation; it is made on first use."""
        if key := self.settings.get("secret_key"):
            return key  # also on a disk that is read-only
        with self.transaction():
            key = self.settings.get("secret_key")
            if key is None:
                key = secrets.token_urlsafe(32)
                self.settings.set("secret_key", key)
        return key


class BookTransaction:
    """A write transaction on one book."""

    def __init__(self, ledger: Ledger, book_id: str, write: Write, digest: str | None) -> None:
        found = ledger.store.events.state(book_id, write.key)
        if found is None:
            raise NotFound(book_id)
        self.version, self._head = found.version, found.head
        known = ledger._books.get(book_id)
        if known and known.version > self.version:
            raise NotSaved(f"{ledger.store.place} was overwritten with an older state")
        self.evening = (found.group_id, found.over) if found.group_id else None
        """The group of a game, and whether the game was over when its evening was last stored."""
        self._ledger, self.id = ledger, book_id
        self._write, self._digest = write, digest
        self._book: Book | None = None
        self._last: tuple[tuple[int, str, str, str, str], Mapping[str, str]] | None = None
        self.appended: tuple[Event, ...] = ()
        number = found.repeated
        if number and found.digest != digest:
            raise KeyReused(write.key)
        self.repeated = ledger.events(book_id, number, after=number - 1)[0] if number else None
        """The event that an earlier transaction wrote with the same key."""

    @property
    def book(self) -> Book:
        """The book with the events that this transaction has appended."""
        if self._book is None:
            self._book = self._ledger._at_least(self.id, self.version)
        return self._book

    @property
    def game(self) -> Game:
        """The book as a game; NotFound if it is a group."""
        return of_kind(Game, self.book)

    @property
    def group(self) -> Group:
        """The book as a group; NotFound if it is a game."""
        return of_kind(Group, self.book)

    def append(
        self,
        kind: str,
        payload: Mapping[str, Any],
        *,
        at: str,
        by: str,
        texts: Mapping[str, str] | None = None,
    ) -> Event:
        """Append an event; ValueError if it cannot follow, Withdrawn if a pen was replaced.

        It is written when the next one comes or the block is left.
        """
        if not self.appended:  # later, the transaction itself may have replaced the pen
            self.check_pens()
        text = canonical(payload)
        # Read back, once, so that memory holds exactly what a replay of the stored text gives.
        event = Event(self.version + 1, at, kind, by, json.loads(text), texts or {})
        self._book = self.book.apply(event)
        self._write_last()
        self._last = (event.number, at, kind, by, text), event.texts
        self.version = event.number
        self.appended += (event,)
        return event

    def check_pens(self) -> None:
        """Raise Withdrawn unless the clients that make this change still hold their pens."""
        self._ledger.rights.check_pens(self._write.holders)

    def _write_last(self, key: str | None = None, digest: str | None = None) -> None:
        """Write the pending event. Only the last one of a transaction carries its key.

        A repeated request therefore finds the book as the whole transaction left it.
        """
        if self._last:
            columns, texts = self._last
            event = (*columns, key, digest)
            self._head = self._ledger._write(self.id, event, texts, self._head)

    def words(self) -> list[tuple[int, str, str]]:
        """Return all texts of this book, replaced ones too: number of the event, field, text."""
        return self._ledger.store.names.words(self.id)

    def erase(self, *fields: str) -> None:
        """Delete these fields in all events of this book.

        After the transaction ``Names.clean`` removes the traces on the disk.
        """
        self._ledger.store.names.erase(self.id, fields)

    def reword(self, number: int, field: str, text: str) -> None:
        """Replace a text of an event and delete the old one."""
        crc = text_sum(self.id, number, field, text)
        self._ledger.store.names.reword(self.id, number, field, text, crc)

    def replace_secret(self, name: SecretName, secret: str | None) -> None:
        """Replace a secret, or withdraw the printed code; the old one is refused from now on."""
        book = self.book  # read now: after the commit, a failure would be taken for its own
        self._ledger.store.after_commit(lambda _: self._ledger._heads.forget(book))
        stored = None if secret is None else secret_digest(secret)
        self._ledger.store.events.replace_secret(self.id, name, stored)

    def _finish(self) -> None:
        if self.appended:
            self._write_last(self._write.key, self._digest)
