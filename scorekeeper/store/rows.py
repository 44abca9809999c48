"""A whole book as rows, made before anybody waits for them."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from scorekeeper.domain.book import Book, Event
from scorekeeper.domain.group import Group
from scorekeeper.store.cache import Kind
from scorekeeper.store.chain import BEGINNING, link, stored, text_sum
from scorekeeper.store.growth import octets_of

Row = tuple[object, ...]


class BookRows(NamedTuple):
    """A whole book as it is written, but for its secrets."""

    book: str
    kind: Kind
    head: bytes
    events: list[Row]
    texts: list[Row]
    octets: int


def rows_of_book(book: Book, events: Iterable[Event]) -> BookRows:
    """Return the rows of a whole book, as its events made it."""
    head, octets = BEGINNING, 0
    rows: list[Row] = []
    texts: list[Row] = []
    for event in events:
        columns = stored(event)
        head = link(head, book.id, columns)
        octets += octets_of(columns[4], event.texts)
        rows.append((book.id, *columns, head))
        texts += text_rows(book.id, event.number, event.texts)
    kind: Kind = "group" if isinstance(book, Group) else "game"
    return BookRows(book.id, kind, head, rows, texts, octets)


def text_rows(book_id: str, number: int, texts: Mapping[str, str]) -> list[Row]:
    """Return the texts of an event as rows, each with its checksum."""
    return [
        (book_id, number, field, text, text_sum(book_id, number, field, text))
        for field, text in texts.items()
    ]
