"""Reading games and groups: their events, their state, and copies of both in memory."""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, TypeVar

from scorekeeper.domain.game.state import Game
from scorekeeper.domain.group.state import Group
from scorekeeper.domain.history.book import Book, Event
from scorekeeper.domain.replay import begun
from scorekeeper.store.cache import BookCache, BookHead, HeadCache, Kind
from scorekeeper.store.errors import Damaged, NotFound
from scorekeeper.store.exports import exported
from scorekeeper.store.protocol import Store

B = TypeVar("B", bound=Book)


class Reader:
    """Reads the books of one database; the ledger adds writing."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self._events = store.events
        self._books = BookCache()
        self._heads = HeadCache()

    def version(self, book_id: str) -> int | None:
        """Return the number of events of a book; None if there is no such book."""
        return self._events.version(book_id)

    def kind(self, book_id: str) -> Kind:
        """Return whether a book is a game or a group, which never changes."""
        if known := self._books.get(book_id):
            return "group" if isinstance(known, Group) else "game"
        if not (found := self.heads(book_id)):
            raise NotFound(book_id)
        return found[0].kind

    def games(self) -> tuple[str, ...]:
        """Return the ids of all games."""
        return self._events.ids("game")

    def groups(self) -> tuple[str, ...]:
        """Return the ids of all groups."""
        return self._events.ids("group")

    def versions(self, book_id: str) -> tuple[int, ...]:
        """Return the version of a book, followed by that of its group."""
        return tuple(head.version for head in self.heads(book_id))

    def versions_in(self, group_id: str) -> dict[str, int]:
        """Return the versions of a group and of its games, all at one moment."""
        return dict(self._events.versions_in(group_id))

    def cached_versions(self, book_id: str) -> tuple[int, ...] | None:
        """Return the same from memory; None if it is not cached."""
        heads = None if self.store.is_shared else self._heads.get(book_id)
        return tuple(head.version for head in heads) if heads else None

    def heads(self, book_id: str) -> tuple[BookHead, ...]:
        """Return the head of a book, followed by that of its group, whose rights extend to it.

        Cached if this process alone writes, because every phone asks for it every few seconds.
        """
        return self.cached_heads(book_id) or self.read_heads(book_id)

    def cached_heads(self, book_id: str) -> tuple[BookHead, ...]:
        """Return the heads from memory; nothing if they are not cached."""
        return () if self._bypasses_cache() else self._heads.get(book_id) or ()

    def read_heads(self, book_id: str) -> tuple[BookHead, ...]:
        """Return the heads as they are stored."""
        if self._bypasses_cache():
            return self._events.heads(book_id)
        changes = self._heads.changes
        heads = self._events.heads(book_id)
        self._heads.put(book_id, heads, changes)
        return heads

    def _bypasses_cache(self) -> bool:
        # Within a transaction, its changes are not visible to other threads yet.
        return self.store.is_shared or self.store.in_transaction

    def group_of(self, game_id: str) -> str | None:
        """Return the id of the group of a game."""
        return next((head.book_id for head in self.heads(game_id)[1:]), None)

    def head(self, book_id: str) -> str:
        """Return the last link of a book's chain in hexadecimal digits."""
        found = self.store.inspection.book(book_id)
        if found is None:
            raise NotFound(book_id)
        return found[1].hex()

    def game(self, game_id: str) -> Game:
        """Return the current state of a game."""
        return of_kind(Game, self.book(game_id))

    def group(self, group_id: str) -> Group:
        """Return the current state of a group."""
        return of_kind(Group, self.book(group_id))

    def readable(
        self, of: type[B], book_ids: Iterable[str], damaged: list[Damaged] | None = None
    ) -> Iterator[B]:
        """Yield books as they are now, for pages that show many.

        Damaged ones are left out, or collected in a list; those erased meanwhile are left out.
        """
        for book_id in book_ids:
            try:
                yield of_kind(of, self.book(book_id))
            except NotFound:
                continue
            except Damaged as error:
                if damaged is not None:
                    damaged.append(error)

    def book(self, book_id: str) -> Book:
        """Return the current state of a book."""
        version = self.version(book_id)
        if version is None:
            raise NotFound(book_id)
        return self._at_least(book_id, version)

    def game_at(self, game_id: str, version: int) -> Game:
        """Return a game as of a version."""
        return of_kind(Game, self.book_at(game_id, version))

    def group_at(self, group_id: str, version: int) -> Group:
        """Return a group as of a version."""
        return of_kind(Group, self.book_at(group_id, version))

    def book_at(self, book_id: str, version: int) -> Book:
        """Return a book as of a version."""
        cached = self._books.get(book_id)
        if cached and cached.version == version:
            return cached
        events = self.events(book_id, version)
        if version < 1 or len(events) != version:
            raise NotFound(book_id, version)
        return replayed(book_id, events)

    def events(self, book_id: str, upto: int | None = None, *, after: int = 0) -> list[Event]:
        """Return the events after one version and up to another."""
        version = self.version(book_id)
        if version is None:
            raise NotFound(book_id)
        return self._events.read(book_id, after, version if upto is None else upto)

    def _at_least(self, book_id: str, version: int) -> Book:
        """Return the book at this version or at a later one that is on disk."""
        book = self._books.get(book_id)
        if book and book.version >= version:
            return book
        if book is None:
            book = replayed(book_id, self._events.read(book_id, 0, version))
        else:  # another process wrote
            book = replayed(book_id, self._events.read(book_id, book.version, version), book)
        self._cache(book)
        return book

    def _cache(self, book: Book) -> None:
        """Cache a book, unless it is part of a transaction that may be rolled back."""
        if not self.store.in_transaction:
            self._books.put(book)

    def events_of(
        self, book_id: str, kinds: Sequence[str], upto: int, *, limit: int | None = None
    ) -> list[Event]:
        """Return the events of these kinds up to a version, or the last ``limit`` of them."""
        after = 0 if limit is None else self._events.number_before(book_id, kinds, upto, limit)
        return self._events.read(book_id, after, upto, kinds)

    def export(self, book_id: str, version: int | None = None) -> dict[str, Any]:
        """Return the export of a book, of now or of a version, without secrets.

        The export of a group does not contain its games.
        """
        kind = Group if self.kind(book_id) == "group" else Game
        return exported(kind, book_id, self.events(book_id, version))


UNFIT = (LookupError, TypeError, ValueError, AttributeError, ArithmeticError)
"""What is raised by events that do not fit together."""


def replayed(book_id: str, events: Sequence[Event], book: Book | None = None) -> Book:
    """Return the book after these events; Damaged if one of them cannot be applied."""
    try:
        after = _replayed(book_id, events, book)
    except UNFIT as error:
        raise Damaged(book_id, _first_unfit(book_id, events, book)) from error
    if after is None:
        raise Damaged(book_id)
    return after


def _replayed(book_id: str, events: Sequence[Event], book: Book | None) -> Book | None:
    for event in events:
        book = book.apply(event) if book else begun(book_id, event)
    if isinstance(book, Game):
        _ = book.sheet.rows  # the rounds must add up too
    return book


def _first_unfit(book_id: str, events: Sequence[Event], book: Book | None) -> int:
    """Return the number of the event that does not fit; some show only in the rows."""

    def fails(last: int) -> bool:
        try:
            _replayed(book_id, events[: last + 1], book)
        except UNFIT:
            return True
        return False

    return events[bisect_left(range(len(events)), True, key=fails)].number


def of_kind(kind: type[B], book: Book) -> B:
    """Return a book as a game or a group; NotFound if it is the other."""
    if not isinstance(book, kind):
        raise NotFound(book.id)
    return book
