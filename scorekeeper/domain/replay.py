"""Creating books of any kind from their events."""

from collections.abc import Iterable

from scorekeeper.domain.game import state as game
from scorekeeper.domain.group import state as group
from scorekeeper.domain.history.book import Book, Event

BEGIN = {"created": game.created, "founded": group.founded}
"""The functions that begin a book, by the kind of its first event."""


def begun(book_id: str, event: Event) -> Book:
    """Return the book that begins with this event; raise ValueError if none can."""
    if event.number != 1 or event.kind not in BEGIN:
        raise ValueError(f"no book begins with event {event.number}, {event.kind}")
    return BEGIN[event.kind](book_id, event)


def replay(book_id: str, events: Iterable[Event]) -> Book:
    """Return the book after all its events; raise ValueError for an invalid sequence."""
    first, *later = events
    book = begun(book_id, first)
    for event in later:
        book = book.apply(event)
    return book
