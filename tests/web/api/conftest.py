"""Games and the example evening for the tests of the API."""

import copy
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

import rest
from rest import EVENING, Club, Table
from scorekeeper import create_app
from scorekeeper.client import Server


@pytest.fixture
def server(app: Flask) -> Server:
    """Return the app as the transport of the client."""
    return rest.server(app)


@pytest.fixture
def other_app(app: Flask, new_database: Callable[[], Path | str]) -> Iterator[Flask]:
    """The app of another server."""
    made = create_app({"DATA": new_database(), "TESTING": True})
    yield made
    made.extensions["ledger"].close()


@pytest.fixture
def nobody(app: Flask) -> Table:
    """Return a client without a game."""
    return Table(app)


@pytest.fixture
def table(app: Flask) -> Table:
    """Return four players at a game of german-family."""
    return Table(app).begin()


@pytest.fixture
def club(app: Flask) -> Club:
    """Return a group of three who play german-family for a cent a point, without an evening."""
    return Club(app).found()


@pytest.fixture
def evening() -> Any:
    """Return examples/evening.json."""
    return copy.deepcopy(EVENING)


def whys(answer: Any) -> list[tuple[str, str, list[Any]]]:
    """Return code, reason and place of each problem of an answer."""
    assert answer.status_code == 422, answer.text
    return [(one["code"], one["facts"].get("why"), one["path"]) for one in answer.json["problems"]]


def change(club: Club, method: str, path: str, body: Any = None, **more: Any) -> Any:
    """Send a change with the current version."""
    more.setdefault("match", club.version)
    return club.call(method, "/groups/{id}" + path, body, **more)


def total(club: Club, path: str) -> int:
    return int(club.get("/groups/{id}/games" + path).json["total"])
