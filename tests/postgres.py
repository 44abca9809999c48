"""PostgreSQL servers for tests: started when the first test needs it, stopped at the end."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tools.postgres_server import Server, programs


@contextmanager
def started(users_folder: Path, *, syncs: bool) -> Iterator[Server]:
    """Start a server; skipped on a machine without PostgreSQL, except in CI."""
    found = programs()
    if found is None:
        if "CI" in os.environ:
            pytest.fail("PostgreSQL is not installed")
        pytest.skip("optional engine: apt-get install postgresql to test it here; CI always does")
    with Server(found, syncs=syncs) as server:
        yield server

    kept = users_folder.glob(f"*{server.folder.name}*")  # keys of its databases
    assert list(kept) == []


@pytest.fixture(scope="session")
def postgres_server(external: None, users_folder: Path) -> Iterator[Server]:
    """A running server."""
    with started(users_folder, syncs=True) as server:
        yield server


@pytest.fixture(scope="session")
def unsynced_server(external: None, users_folder: Path) -> Iterator[Server]:
    """A running server that does not wait for the disk, for ``new_database``."""
    with started(users_folder, syncs=False) as server:
        yield server


@pytest.fixture
def postgres(postgres_server: Server) -> str:
    """The address of an empty database."""
    return postgres_server.new_database()
