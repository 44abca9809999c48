"""Tables and the example evening for the tests of the interface."""

import copy
from typing import Any

import pytest
from flask import Flask

import rest
from rest import EVENING, Club, Table
from scorekeeper.client import Server


@pytest.fixture
def server(app: Flask) -> Server:
    """The app as the client knows it."""
    return rest.server(app)


@pytest.fixture
def nobody(app: Flask) -> Table:
    """A program without a game."""
    return Table(app)


@pytest.fixture
def table(app: Flask) -> Table:
    """Four at a table of german-family."""
    return Table(app).begin()


@pytest.fixture
def club(app: Flask) -> Club:
    """Three who play german-family for a cent a point, and no evening yet."""
    return Club(app).found()


@pytest.fixture
def evening() -> Any:
    """examples/evening.json."""
    return copy.deepcopy(EVENING)


def whys(answer: Any) -> list[tuple[str, str, list[Any]]]:
    """What a refusal names: code, reason and place of each problem."""
    assert answer.status_code == 422, answer.text
    return [(one["code"], one["facts"].get("why"), one["path"]) for one in answer.json["problems"]]


def change(club: Club, method: str, path: str, body: Any = None, **more: Any) -> Any:
    """A change of what exists, with the version that stands."""
    more.setdefault("match", club.version)
    return club.call(method, "/groups/{id}" + path, body, **more)


def total(club: Club, path: str) -> int:
    return int(club.get("/groups/{id}/games" + path).json["total"])
