"""The clock, which demo data may set."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import datetime, tzinfo

from scorekeeper.domain.history.book import TIME as TIME

_clock: ContextVar[str | None] = ContextVar("clock", default=None)


def now() -> str:
    """Return the current time in UTC, to the second."""
    return _clock.get() or time.strftime(TIME, time.gmtime())


def local_day(at: str, zone: tzinfo | None) -> str:
    """Return the day of an event in a time zone, None: in that of this machine.

    Of a time that is none, or that the zone leads out of the calendar, it is the day as written.
    """
    try:
        return datetime.fromisoformat(at).astimezone(zone).date().isoformat()
    except (OverflowError, ValueError):
        return at[:10]


@contextmanager
def set_clock(time: str) -> Iterator[None]:
    """Set the clock, so that demo data can span years."""
    before = _clock.set(time)
    try:
        yield
    finally:
        _clock.reset(before)
