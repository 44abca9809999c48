"""Names, titles and notes: search, and erasure down to the last byte."""

import time
from collections import deque
from collections.abc import Callable, Sequence

from scorekeeper.store import sql
from scorekeeper.store.sql.names import Written

SMALL = 2**20
"""Databases up to this size are cleaned at once; larger ones when nobody is playing."""
MEDIUM = 32 * 2**20
"""Databases up to this size are cleaned in a second or two; larger ones once a day."""
MAX_CLEANINGS = 5
PERIOD_S = 600
"""At most MAX_CLEANINGS at once in this time, so that erasing many names does not block writers."""


class Names:
    """The texts that people wrote in the books of a ledger."""

    def __init__(self, store: sql.names.Names, forget_books: Callable[[], None]) -> None:
        self._store = store
        self._forget_books = forget_books
        self._cleaned_at: deque[float] = deque(maxlen=MAX_CLEANINGS)

    def words_of(self, book_ids: Sequence[str], field: str) -> dict[str, str]:
        """Return the current text of one field of many books, without replaying them."""
        return self._store.words_of(book_ids, field)

    def written(self, fits: Callable[[str], bool], book_id: str | None = None) -> list[Written]:
        """Return every text that fits, of one book and its evenings or of all books."""
        return self._store.written(fits, book_id)

    def untouched_since(self, time: str) -> list[str]:
        """Return the books with names that have not changed since; groups first."""
        return self._store.untouched_since(time)

    def thrown_away_before(self, time: str) -> list[str]:
        """Return the games that were thrown away before, and neither brought back nor discarded."""
        return self._store.thrown_away_before(time)

    def is_unclean(self) -> bool:
        """Return whether traces of erased texts may be on the disk."""
        return self._store.is_unclean()

    def clean(self, max_size: int | None = SMALL) -> bool:
        """Remove the traces of erased texts, in memory and on the disk.

        A database larger than ``max_size`` bytes is left alone. Return whether it was cleaned.
        """
        self._forget_books()
        return self._store.clean(max_size)

    def clean_soon(self) -> None:
        """Clean the database now if it is small and was not cleaned too often recently.

        Otherwise the maintenance task cleans it when nobody is playing.
        """
        now, times = time.monotonic(), self._cleaned_at
        if (len(times) < MAX_CLEANINGS or now - times[0] >= PERIOD_S) and self.clean():
            times.append(now)
