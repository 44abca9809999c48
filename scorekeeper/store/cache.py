"""Caches of the ledger, so that reads never queue behind a commit."""

import threading
import time
from collections import OrderedDict
from typing import Literal, NamedTuple

from scorekeeper.domain.book import Book
from scorekeeper.domain.game import Game
from scorekeeper.domain.group import Group

Kind = Literal["game", "group"]

MOST_ROUNDS = 12_000
"""In all games together: some 70 MB, 500 evenings of twenty rounds or a dozen of a thousand."""
MOST_HEADS = 4096
TOLD_S = 5
"""So long it is believed that no tool of the host, in another process, has changed a book."""


class BookCache:
    """The books last used, by id; the more rounds they have, the fewer."""

    def __init__(self) -> None:
        self._books: OrderedDict[str, Book] = OrderedDict()
        self._weight = 0
        self._lock = threading.Lock()

    def get(self, book_id: str) -> Book | None:
        with self._lock:
            book = self._books.get(book_id)
            if book:
                self._books.move_to_end(book_id)
            return book

    def forget(self) -> None:
        """Keep nothing any more."""
        with self._lock:
            self._books.clear()
            self._weight = 0

    def put(self, book: Book) -> None:
        """Keep a book as it is on disk, unless a later one is kept already."""
        with self._lock:
            kept = self._books.get(book.id)
            if kept is None or kept.version < book.version:
                self._books[book.id] = book
                self._weight += _weight(book) - (_weight(kept) if kept else 0)
            self._books.move_to_end(book.id)
            while self._weight > MOST_ROUNDS and len(self._books) > 1:
                _, unused = self._books.popitem(last=False)
                self._weight -= _weight(unused)


def _weight(book: Book) -> int:
    """The rounds that a book keeps, and one for itself; a group keeps none."""
    return 1 + len(book.sheet.written) if isinstance(book, Game) else 1


class BookHead(NamedTuple):
    """The version of a book, and the digests of the secrets that open it."""

    book_id: str
    kind: Kind
    version: int
    pen: bytes
    watch: bytes


class HeadCache:
    """The heads of books, each with that of its group, as they were last read."""

    def __init__(self) -> None:
        self._told: dict[str, tuple[float, tuple[BookHead, ...]]] = {}
        self._lock = threading.Lock()
        self.changes = 0
        """How often something here was moved or forgotten."""

    def get(self, book_id: str) -> tuple[BookHead, ...] | None:
        until, told = self._told.get(book_id, (0.0, None))
        return told if time.monotonic() < until else None

    def put(self, book_id: str, told: tuple[BookHead, ...], changes: int) -> None:
        """Keep what was read when so much had changed; what changed since is older."""
        with self._lock:
            if self.changes != changes or not told:
                return
            if len(self._told) >= MOST_HEADS:
                self._told.clear()
            self._told[book_id] = (time.monotonic() + TOLD_S, told)

    def move(self, book: Book) -> None:
        """A book has come to this version, and is opened by what opened it before."""
        with self._lock:
            self.changes += 1
            until, told = self._told.get(book.id, (0.0, ()))
            if isinstance(book, Group):
                self._told.clear()  # it may open any game
            elif told and told[0].version < book.version:
                self._told[book.id] = until, (told[0]._replace(version=book.version), *told[1:])

    def forget(self, book: Book) -> None:
        """Know nothing of a book any more, nor of any that it may open."""
        with self._lock:
            self.changes += 1
            if isinstance(book, Group):
                self._told.clear()
            else:
                self._told.pop(book.id, None)
