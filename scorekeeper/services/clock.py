"""The clock, which demo data may set."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from scorekeeper.domain.history.book import TIME as TIME

_clock: ContextVar[str | None] = ContextVar("clock", default=None)


def now() -> str:
    """Return the current time in UTC, to the second."""
    return _clock.get() or time.strftime(TIME, time.gmtime())


@contextmanager
def set_clock(time: str) -> Iterator[None]:
    """Set the clock, so that demo data can span years."""
    before = _clock.set(time)
    try:
        yield
    finally:
        _clock.reset(before)
