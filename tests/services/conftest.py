"""A ledger for the tests of services; its database is thrown away."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from scorekeeper.store import Ledger, open_ledger
from scorekeeper.store.check import check


@pytest.fixture(autouse=True)
def _unsynced(unsynced: None) -> None:
    """Do not wait for the disk in any of these tests."""


@pytest.fixture
def ledger(new_database: Callable[[], Path | str]) -> Iterator[Ledger]:
    """An empty database, in which the check finds nothing afterwards."""
    ledger = open_ledger(new_database())
    yield ledger

    assert check(ledger).good
    ledger.close()
