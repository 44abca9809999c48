"""Books from their events, whatever kind of book they make."""

from collections.abc import Iterable

from scorekeeper.domain import game, group
from scorekeeper.domain.book import Book, Event

BEGIN = {"created": game.created, "founded": group.founded}
"""By the kind of its first event: how a book begins."""


def begun(book_id: str, event: Event) -> Book:
    """The book that begins with this event; ValueError if none can."""
    if event.number != 1 or event.kind not in BEGIN:
        raise ValueError(f"no book begins with event {event.number}, {event.kind}")
    return BEGIN[event.kind](book_id, event)


def replay(book_id: str, events: Iterable[Event]) -> Book:
    """The book that its events make; ValueError if they make none."""
    first, *later = events
    book = begun(book_id, first)
    for event in later:
        book = book.apply(event)
    return book
