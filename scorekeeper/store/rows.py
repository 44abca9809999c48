"""The rows of a whole book, prepared before the write transaction begins."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from scorekeeper.domain.group.state import Group
from scorekeeper.domain.history.book import Book, Event
from scorekeeper.store.cache import Kind
from scorekeeper.store.chain import BEGINNING, TextRow, link, stored, text_sum
from scorekeeper.store.growth import event_size
from scorekeeper.store.links import Origin, origins

Row = tuple[object, ...]


class BookRows(NamedTuple):
    """A whole book as rows, without its secrets."""

    book: str
    kind: Kind
    events: list[Row]
    texts: list[TextRow]
    size: int
    origins: Mapping[str, Origin]
    """The events that made its current secrets, by right."""


def rows_of_book(book: Book, events: Iterable[Event]) -> BookRows:
    """Return the rows of a book with these events."""
    head, size, events = BEGINNING, 0, tuple(events)
    rows: list[Row] = []
    texts: list[TextRow] = []
    for event in events:
        columns = stored(event)
        head = link(head, book.id, columns)
        size += event_size(columns[4], event.texts)
        rows.append((book.id, *columns, head))
        texts += text_rows(book.id, event.number, event.texts)
    kind: Kind = "group" if isinstance(book, Group) else "game"
    return BookRows(book.id, kind, rows, texts, size, origins(events))


def text_rows(book_id: str, number: int, texts: Mapping[str, str]) -> list[TextRow]:
    """Return the texts of an event as rows, each with its checksum."""
    return [
        (book_id, number, field, text, text_sum(book_id, number, field, text))
        for field, text in texts.items()
    ]
