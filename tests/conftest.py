"""Fixtures for all tests."""

import gc
import os
import shutil
import socket
import subprocess
import threading
import time
from collections.abc import Callable, Generator, Iterator
from itertools import count
from pathlib import Path

import pytest
from flask import Flask
from hypothesis import Phase, settings

from scorekeeper.app import create_app, open_database
from scorekeeper.config import default_data
from scorekeeper.store import Ledger, open_ledger
from scorekeeper.store.postgres import inspection
from scorekeeper.store.sqlite import engine
from scorekeeper.workers.pool import tune_collector

pytest_plugins = ["bars", "browsers", "postgres", "invariants"]
ROOT = Path(__file__).parents[1]

# A change is judged by the same cases in every run on CI; elsewhere random cases are tried too.
settings.register_profile(
    "scorekeeper", deadline=None, print_blob=True, derandomize="CI" in os.environ
)
settings.load_profile("scorekeeper")
settings.register_profile("sample", max_examples=10)  # for make test-fast
settings.register_profile("mutants", phases=[Phase.explicit, Phase.generate])
"""For make mutants: the first example that fails is enough, and is not made smaller."""


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Return how many tests run at a time: many wait for a browser, a server or the disk.

    Those of the fast run (``-n logical``) only compute.
    """
    processors = os.cpu_count() or 1
    return processors if config.option.numprocesses == "logical" else max(2, processors * 3 // 2)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Spare the garbage collector what collecting makes: it stays, and cost a fifth of the time."""
    gc.disable()
    try:
        return (yield)
    finally:
        tune_collector()
        gc.enable()


@pytest.fixture(autouse=True, scope="session")
def users_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The folder for user data, which the tests and what they start must leave alone.

    They get one of their own. Where the user has none yet, as on CI, they must not make it.
    """
    folder = default_data().parent
    is_new = not folder.exists()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_DATA_HOME", str(tmp_path_factory.mktemp("user data")))
        default_data().parent.mkdir()
        yield folder

    assert not (is_new and folder.exists())


@pytest.fixture(scope="session")
def external() -> None:
    """Requested by whatever starts a process, a server or a browser: left out of the fast run."""


@pytest.fixture(scope="session")
def own_port() -> None:
    """Requested by whatever listens for its own connections and starts no server."""


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests that request ``external``, themselves or through another fixture.

    The longest tests run first, so that nobody waits for one of them at the end.
    """
    for item in items:
        if "external" in getattr(item, "fixturenames", ()):
            item.add_marker("external")
    items.sort(key=lambda item: item.get_closest_marker("long") is None)


@pytest.fixture(autouse=True)
def _external_is_requested(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Fail a test that starts a process or a server and does not request ``external``."""
    if request.node.get_closest_marker("external"):
        return

    def refuse(*_: object, **__: object) -> None:
        pytest.fail("a test that starts a process or a server requests the fixture 'external'")

    def listen(listener: socket.socket, *args: int) -> None:
        if listener.family != getattr(socket, "AF_UNIX", None):  # that of the worker pool
            refuse()
        listened(listener, *args)

    listened = socket.socket.listen
    monkeypatch.setattr(subprocess.Popen, "__init__", refuse)
    if "own_port" not in request.fixturenames:
        monkeypatch.setattr(socket.socket, "listen", listen)


@pytest.fixture(autouse=True)
def _timers_end() -> Iterator[None]:
    """End what waits for the addresses of a rate limit to expire.

    Hundreds of such threads would hide the one that hangs in a dump, which shows a hundred.
    """
    yield
    for thread in threading.enumerate():
        if isinstance(thread, threading.Timer):
            thread.cancel()


@pytest.fixture(scope="session")
def _app(tmp_path_factory: pytest.TempPathFactory) -> Flask:
    """The app, made once, because building all routes takes longer than most tests."""
    made = create_app({"DATA": tmp_path_factory.mktemp("app") / "none.sqlite", "TESTING": True})
    # On a busy machine, even loading what a job needs may take seconds.
    made.extensions["workers"]._seconds = 120.0
    made.extensions["ledger"].close()
    return made


ON_BOTH_ENGINES = (
    "tests/services",
    *(
        f"tests/web/api/test_{name}.py"
        for name in ("described", "games", "group_writes", "groups", "rights", "rounds", "saved")
    ),
    "tests/web/test_conditional_requests.py",
    "tests/web/test_every_route.py",
)
"""Where every test with a database runs on SQLite and on PostgreSQL, unless it is marked
``sqlite``: all use cases, the calls that write, and each page and call once. The tests elsewhere
are about what no engine changes, such as forms, words and layout.
"""
SECOND = (pytest.mark.external, pytest.mark.second_engine)
ENGINES = ["sqlite", pytest.param("postgres", marks=SECOND)]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run the tests of these places once on each engine."""
    definition = metafunc.definition
    chosen = any(definition.path.is_relative_to(ROOT / place) for place in ON_BOTH_ENGINES)
    marked = definition.get_closest_marker("sqlite")
    if chosen and not marked and "new_database" in metafunc.fixturenames:
        metafunc.parametrize("new_database", ENGINES, indirect=True)


NewDatabase = Callable[[], Path | str]


@pytest.fixture(scope="session")
def _tables(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file with all tables, and nothing in them: a copy takes a fifth of the time."""
    path = tmp_path_factory.mktemp("tables") / "empty.sqlite"
    open_ledger(path).close()
    return path


@pytest.fixture
def new_database(request: pytest.FixtureRequest, tmp_path: Path) -> NewDatabase:
    """A function that returns the place of an empty database, another one on each call."""
    numbers = count()
    if getattr(request, "param", "sqlite") == "postgres":
        server = request.getfixturevalue("unsynced_server")
        return lambda: server.emptied(next(numbers))
    tables = request.getfixturevalue("_tables")
    return lambda: shutil.copy(tables, tmp_path / f"games{next(numbers) or ''}.sqlite")


@pytest.fixture
def app(_app: Flask, new_database: NewDatabase) -> Iterator[Flask]:
    """The app on its own database; a test that adds a route makes its own app."""
    before = dict(_app.config)
    _app.config |= {"DATA": new_database(), "SECRET_KEY": None}
    open_database(_app)
    yield _app
    _app.extensions["ledger"].close()
    _app.config.clear()
    _app.config |= before


@pytest.fixture
def elsewhere(new_database: NewDatabase) -> Iterator[Ledger]:
    """An empty ledger on another machine."""
    ledger = open_ledger(new_database())
    yield ledger
    ledger.close()


@pytest.fixture
def unsynced(monkeypatch: pytest.MonkeyPatch) -> None:
    """Do not wait for the disk: the database is thrown away, and tests/store tests syncing."""
    monkeypatch.setattr(engine, "FULL", 0)
    durable = tuple(name for name in inspection.DURABLE if name != "fsync")
    monkeypatch.setattr(inspection, "DURABLE", durable)
    monkeypatch.setattr(os, "fsync", lambda _: None)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """A clock in seconds that a test can set."""
    now = [1000.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    return now
