"""Names, titles and notes: found by what they say, and erased down to the last byte."""

import time
from collections import deque
from collections.abc import Callable, Sequence

from scorekeeper.store.protocol import NameStore, Written

AT_ONCE = 2**20
"""A record of this size is cleaned as fast as a round is saved; a larger one waits until nobody
plays."""
WHEN_QUIET = 32 * 2**20
"""A record of this size is cleaned in a second or two; a larger one waits for the daily upkeep."""
OFTEN = 5
WITHIN_S = 600
"""A record is cleaned at once so often within so many seconds; whoever erases one name after
the other makes nobody wait."""


class Names:
    """What people wrote in the books of a ledger."""

    def __init__(self, store: NameStore, forget_books: Callable[[], None]) -> None:
        self._store = store
        self._forget_books = forget_books
        self._cleaned_at: deque[float] = deque(maxlen=OFTEN)

    def words_of(self, book_ids: Sequence[str], field: str) -> dict[str, str]:
        """Return one field of many books as it is now, without replaying them."""
        return self._store.words_of(book_ids, field)

    def written(self, fits: Callable[[str], bool], book_id: str | None = None) -> list[Written]:
        """Return every text that fits, of one book with its evenings or of all books."""
        return self._store.written(fits, book_id)

    def untouched_since(self, time: str) -> list[str]:
        """Return the books with names in which nothing happened since; groups first."""
        return self._store.untouched_since(time)

    def is_unclean(self) -> bool:
        """Return whether traces of erased texts may be left on the disk."""
        return self._store.is_unclean()

    def clean(self, most: int | None = AT_ONCE) -> bool:
        """Remove the traces of erased texts, in memory and on the disk.

        A record larger than ``most`` bytes is left as it is. Return whether the disk was cleaned.
        """
        self._forget_books()
        return self._store.clean(most)

    def clean_soon(self) -> None:
        """Clean the record now if it is small and that was not done often of late.

        Otherwise the maintenance task does, when nobody plays.
        """
        now, times = time.monotonic(), self._cleaned_at
        if (len(times) < OFTEN or now - times[0] >= WITHIN_S) and self.clean():
            times.append(now)
