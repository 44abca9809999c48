"""A clock and apps for the tests of the web layer."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from rest import served
from scorekeeper import create_app
from scorekeeper.web.rate_limits import SECOND


@pytest.fixture(autouse=True)
def _unsynced(unsynced: None) -> None:
    """Do not wait for the disk in any of these tests."""


@pytest.fixture
def address(app: Flask, external: None) -> Iterator[str]:
    """The address of the app behind a real server."""
    with served(app) as where:
        yield where


class Clock:
    """A clock that moves only when a test says so."""

    def __init__(self) -> None:
        self.now = 0

    def __call__(self) -> int:
        return self.now

    def wait(self, seconds: float) -> None:
        self.now += int(seconds * SECOND)


@pytest.fixture
def make_app(tmp_path: Path) -> Iterator[Callable[..., Flask]]:
    apps = []

    def make(**settings: Any) -> Flask:
        given = {"DATA": tmp_path / "games.sqlite", "PROPAGATE_EXCEPTIONS": False, **settings}
        apps.append(create_app(given))
        return apps[-1]

    yield make
    for app in apps:
        app.extensions["ledger"].close()
