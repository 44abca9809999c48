"""Two bars that all tests together hold: whatever a test does, it is watched from here."""

import re
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest

from scorekeeper.domain.replay import replay
from scorekeeper.store import Ledger, Unreadable
from scorekeeper.store.engine import Engine

TAMPERING = re.compile(r"\s*(UPDATE|DELETE FROM|(INSERT OR )?REPLACE INTO) events\b", re.IGNORECASE)


@pytest.fixture(autouse=True, scope="session")
def _no_event_is_ever_touched() -> Iterator[None]:
    """Bar L5: every statement of every connection is read.

    What a test tries in order to be refused bears a comment and is not meant here.
    """
    touched: list[str] = []
    opened = Engine._open

    def watched(engine: Engine, *more: Any) -> Any:
        db = opened(engine, *more)
        db.conn.set_trace_callback(lambda sql: touched.append(sql) if TAMPERING.match(sql) else 0)
        return db

    Engine._open = watched  # type: ignore[method-assign]
    yield
    Engine._open = opened  # type: ignore[method-assign]

    assert touched == []


@pytest.fixture(autouse=True, scope="session")
def _every_book_in_memory_is_what_its_events_make() -> Iterator[None]:
    """Bar L4: whenever a ledger is closed, all that it has in memory is replayed."""
    closed = Ledger.close

    def watched(ledger: Ledger) -> None:
        books, ledger._books._books = ledger._books._books, type(ledger._books._books)()
        for book in books.values():
            with suppress(Unreadable):  # a test has damaged the file
                assert book == replay(book.id, ledger._events(book.id, 0, book.version))
        closed(ledger)

    Ledger.close = watched  # type: ignore[method-assign]
    yield
    Ledger.close = closed  # type: ignore[method-assign]
