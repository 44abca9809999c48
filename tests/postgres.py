"""A PostgreSQL server for tests: started when the first test needs it, stopped at the end."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tools.postgres_server import Server, programs


@pytest.fixture(scope="session")
def postgres_server(external: None, users_folder: Path) -> Iterator[Server]:
    """A running server; skipped on a machine without PostgreSQL, except in CI."""
    found = programs()
    if found is None:
        if "CI" in os.environ:
            pytest.fail("PostgreSQL is not installed")
        pytest.skip("optional engine: apt-get install postgresql to test it here; CI always does")
    server = Server(found)
    server.start()
    yield server
    server.remove()

    kept = users_folder.glob(f"*{server.folder.name}*")  # keys of its databases
    assert list(kept) == []


@pytest.fixture
def postgres(postgres_server: Server) -> str:
    """The address of an empty database."""
    return postgres_server.new_database()
