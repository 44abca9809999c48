"""Ledgers on one PostgreSQL database, as several processes would have them."""

from collections.abc import Callable, Iterator

import pytest

from scorekeeper.store import Ledger, open_ledger


@pytest.fixture
def opened(postgres: str) -> Iterator[Callable[[], Ledger]]:
    """A function that opens another ledger on the database."""
    ledgers: list[Ledger] = []

    def another() -> Ledger:
        ledgers.append(open_ledger(postgres, link_key="key"))
        return ledgers[-1]

    yield another
    for ledger in ledgers:
        ledger.close()


@pytest.fixture
def ledger(opened: Callable[[], Ledger]) -> Ledger:
    return opened()
