"""The HTML pages. All of them work without scripts and are designed for phones first."""

from flask import Flask

from scorekeeper.web.pages import (
    errors,
    games,
    groups,
    money,
    names,
    paper,
    referee,
    rounds,
    season,
    sharing,
    statistics,
    status,
    table,
    travel,
)
from scorekeeper.web.pages.blueprint import pages

__all__ = [
    "errors",
    "games",
    "groups",
    "money",
    "names",
    "paper",
    "referee",
    "register",
    "rounds",
    "season",
    "sharing",
    "statistics",
    "status",
    "table",
    "travel",
]


def register(app: Flask) -> None:
    """Register the pages."""
    app.jinja_env.trim_blocks = True
    app.jinja_env.lstrip_blocks = True
    app.register_blueprint(pages)
