"""Caches of the ledger, so that reads never queue behind a commit."""

import threading
import time
from collections import OrderedDict
from typing import Literal, NamedTuple

from scorekeeper.domain.game.state import Game
from scorekeeper.domain.group.state import Group
from scorekeeper.domain.history.book import Book

Kind = Literal["game", "group"]

MAX_ROUNDS = 12_000
"""The rounds of all cached games: about 70 MB, or 500 evenings of twenty rounds."""
MAX_HEADS = 4096
HEADS_TTL_S = 5
"""After this time heads are read again, in case a command in another process changed a book."""


class BookCache:
    """The most recently used books by id, up to MAX_ROUNDS rounds in all."""

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
        """Empty the cache."""
        with self._lock:
            self._books.clear()
            self._weight = 0

    def put(self, book: Book) -> None:
        """Cache a book as it is on disk, unless a later version is cached already."""
        with self._lock:
            cached = self._books.get(book.id)
            if cached is None or cached.version < book.version:
                self._books[book.id] = book
                self._weight += _weight(book) - (_weight(cached) if cached else 0)
            self._books.move_to_end(book.id)
            while self._weight > MAX_ROUNDS and len(self._books) > 1:
                _, unused = self._books.popitem(last=False)
                self._weight -= _weight(unused)


def _weight(book: Book) -> int:
    """Return 1 for a book, plus the rounds of a game."""
    return 1 + len(book.sheet.written) if isinstance(book, Game) else 1


class BookHead(NamedTuple):
    """The version of a book, and the digests of its secrets."""

    book_id: str
    kind: Kind
    version: int
    pen: bytes
    watch: bytes
    paper: bytes | None = None


class HeadCache:
    """The heads of books, each followed by the head of its group, as last read."""

    def __init__(self) -> None:
        self._heads: dict[str, tuple[float, tuple[BookHead, ...]]] = {}
        self._lock = threading.Lock()
        self.changes = 0
        """The number of calls of ``advance`` and ``forget`` so far."""

    def get(self, book_id: str) -> tuple[BookHead, ...] | None:
        until, heads = self._heads.get(book_id, (0.0, None))
        return heads if time.monotonic() < until else None

    def put(self, book_id: str, heads: tuple[BookHead, ...], changes: int) -> None:
        """Cache heads that were read at this count of changes; ignored if it has moved on."""
        with self._lock:
            if self.changes != changes or not heads:
                return
            if len(self._heads) >= MAX_HEADS:
                self._heads.clear()
            self._heads[book_id] = (time.monotonic() + HEADS_TTL_S, heads)

    def advance(self, book: Book) -> None:
        """Set the new version of a book whose secrets have not changed."""
        with self._lock:
            self.changes += 1
            until, heads = self._heads.get(book.id, (0.0, ()))
            if isinstance(book, Group):
                self._heads.clear()  # its secrets may open any game
            elif heads and heads[0].version < book.version:
                self._heads[book.id] = until, (heads[0]._replace(version=book.version), *heads[1:])

    def clear(self) -> None:
        """Drop all heads."""
        with self._lock:
            self.changes += 1
            self._heads.clear()

    def forget(self, book: Book) -> None:
        """Drop the heads of a book and of all games that its secrets may open."""
        with self._lock:
            self.changes += 1
            if isinstance(book, Group):
                self._heads.clear()
            else:
                self._heads.pop(book.id, None)
