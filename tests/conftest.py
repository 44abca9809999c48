"""What all tests share."""

import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask
from hypothesis import settings

from scorekeeper.app import create_app, open_database

pytest_plugins = ["bars", "witness"]

# A change is judged by the same cases however often it is asked; at home chance looks further.
settings.register_profile(
    "scorekeeper", deadline=None, print_blob=True, derandomize="CI" in os.environ
)
settings.load_profile("scorekeeper")


@pytest.fixture(scope="session")
def _app(tmp_path_factory: pytest.TempPathFactory) -> Flask:
    """Made once: all routes with their description take longer than most tests."""
    made = create_app({"DATA": tmp_path_factory.mktemp("app") / "none.sqlite", "TESTING": True})
    made.extensions["ledger"].close()
    return made


@pytest.fixture
def app(_app: Flask, tmp_path: Path) -> Iterator[Flask]:
    """The app on a record of its own; a test that adds a route makes an app of its own."""
    before = dict(_app.config)
    _app.config |= {"DATA": tmp_path / "games.sqlite", "SECRET_KEY": None}
    open_database(_app)
    yield _app
    _app.extensions["ledger"].close()
    _app.config.clear()
    _app.config |= before


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Seconds that stand still unless they are changed."""
    now = [1000.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    return now
