"""Books from their stored events."""

from collections.abc import Sequence
from typing import TypeVar

from scorekeeper.domain.game.state import Game
from scorekeeper.domain.history.book import Book, Event
from scorekeeper.domain.replay import begun
from scorekeeper.store.errors import Damaged, NotFound

B = TypeVar("B", bound=Book)


def replayed(book_id: str, events: Sequence[Event], book: Book | None = None) -> Book:
    """Return the book after these events; Damaged if one of them cannot be applied."""
    number = 0
    try:
        for event in events:
            number = event.number
            book = book.apply(event) if book else begun(book_id, event)
        if isinstance(book, Game):
            _ = book.sheet.rows  # the rounds must add up too
    except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError) as error:
        raise Damaged(book_id, number) from error
    if book is None:
        raise Damaged(book_id)
    return book


def of_kind(kind: type[B], book: Book) -> B:
    """Return a book as a game or a group; NotFound if it is the other."""
    if not isinstance(book, kind):
        raise NotFound(book.id)
    return book
