"""Removing the traces of erased names, titles and notes, down to the last byte."""

import time
from collections import deque
from collections.abc import Callable

from scorekeeper.store.sql.names import Names

SMALL = 2**20
"""Databases up to this size are cleaned at once; larger ones when nobody is playing."""
MEDIUM = 32 * 2**20
"""Databases up to this size are cleaned in a second or two; larger ones once a day."""
MAX_CLEANINGS = 5
PERIOD_S = 600
"""At most MAX_CLEANINGS at once in this time, so that erasing many names does not block writers."""


class Cleaning:
    """Cleans the database of a ledger, and what it has in memory."""

    def __init__(self, names: Names, forget_books: Callable[[], None]) -> None:
        self._names = names
        self._forget_books = forget_books
        self._cleaned_at: deque[float] = deque(maxlen=MAX_CLEANINGS)

    def clean(self, max_size: int | None = SMALL) -> bool:
        """Remove the traces of erased texts, in memory and on the disk.

        A database larger than ``max_size`` bytes is left alone. Return whether it was cleaned.
        """
        self._forget_books()
        return self._names.clean(max_size)

    def clean_soon(self) -> None:
        """Clean the database now if it is small and was not cleaned too often recently.

        Otherwise the maintenance task cleans it when nobody is playing.
        """
        now, times = time.monotonic(), self._cleaned_at
        if (len(times) < MAX_CLEANINGS or now - times[0] >= PERIOD_S) and self.clean():
            times.append(now)
