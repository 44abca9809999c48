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
