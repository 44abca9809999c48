"""Copy everything from one database to another, whichever engines they have.

Every book is copied in a transaction of its own. A copy that was interrupted, or whose source has
changed since, is completed by copying again.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from scorekeeper.store.chain import TextRow
from scorekeeper.store.errors import Diverged
from scorekeeper.store.protocol import Store
from scorekeeper.store.rows import BookRows, Row

Progress = Callable[[list[Any]], Iterable[Any]]
"""Yields the items of a list one by one, for example with a progress bar."""
COPIED_SETTINGS = ("secret_key",)
"""The settings that are not about the database itself."""


@dataclass
class Copied:
    """The result of a copy."""

    books: int = 0
    """Games and groups that were added or completed."""
    events: int = 0
    """Events that were added."""
    same: int = 0
    """Games and groups that were there already."""
    different: tuple[str, ...] = ()
    """Games and groups whose chains differ at the end, because the source has changed meanwhile."""

    def __iadd__(self, other: "Copied") -> "Copied":
        self.books += other.books
        self.events += other.events
        self.same += other.same
        self.different += other.different
        return self


def copy(source: Store, target: Store, progress: Progress = iter) -> Copied:
    """Copy all books with their rights, then the stored evenings, and compare the chains.

    Raises Diverged, Unreadable, or NotSaved.
    """
    copied = Copied()
    for name in COPIED_SETTINGS:
        if target.settings.get(name) is None and (value := source.settings.get(name)):
            target.settings.set(name, value)
    books = source.inspection.books()
    for book_id, _ in progress(books):
        with target.transaction():
            added = _copy_book(source, target, book_id)
        copied.events += added
        copied.books += added > 0
        copied.same += added == 0
    for book_id, kind in books:
        if kind == "game":
            with target.transaction():
                target.seasons.put_rows(book_id, source.seasons.evening_rows(book_id))
    copied.different = tuple(
        book_id
        for book_id, _ in books
        if source.inspection.book(book_id) != target.inspection.book(book_id)
    )
    return copied


def _copy_book(source: Store, target: Store, book_id: str) -> int:
    """Copy what the target lacks of a book, and return the number of events."""
    (head, *_) = source.events.heads(book_id)
    events: list[Row] = [(book_id, *event) for event in source.inspection.events(book_id)]
    texts = source.inspection.texts(book_id)
    there = target.inspection.events(book_id)
    if [(book_id, *event) for event in there] != events[: len(there)]:
        raise Diverged(book_id)
    new = events[len(there) :]
    if there:
        update_texts(target, book_id, texts)
        target.events.add_rows(new, [text for text in texts if text[1] > len(there)])
        for name in ("pen", "watch", "paper"):
            target.events.replace_secret(book_id, name, getattr(head, name))
    else:
        rows = BookRows(book_id, head.kind, events, texts, 0, {})
        target.events.add_book(rows, head.pen, head.watch, source.events.start_of(book_id))
        target.events.replace_secret(book_id, "paper", head.paper)
    for browser, secret in source.rights.browsers_of(book_id):
        target.rights.remember(browser, book_id, secret)
    return len(new)


def update_texts(target: Store, book_id: str, texts: Iterable[TextRow]) -> None:
    """Erase and replace the texts of the target that have changed in the source."""
    wanted = {(number, field): (text, crc) for _, number, field, text, crc in texts}
    there = target.inspection.texts(book_id)
    fields = {field for _, number, field, *_ in there if (number, field) not in wanted}
    if fields:
        target.names.erase(book_id, sorted(fields))
    for _, number, field, text, crc in there:
        if (number, field) in wanted and wanted[number, field] != (text, crc):
            target.names.reword(book_id, number, field, *wanted[number, field])
