"""The HTML pages. All of them work without scripts and are designed for phones first."""

from flask import Flask

from scorekeeper.web.pages import (
    end,
    errors,
    games,
    groups,
    home,
    money,
    names,
    paper,
    photographs,
    referee,
    refusals,
    rounds,
    season,
    sharing,
    statistics,
    status,
    table,
    transfer,
)
from scorekeeper.web.pages.blueprint import pages

__all__ = [
    "end",
    "errors",
    "games",
    "groups",
    "home",
    "money",
    "names",
    "paper",
    "photographs",
    "referee",
    "refusals",
    "register",
    "rounds",
    "season",
    "sharing",
    "statistics",
    "status",
    "table",
    "transfer",
]


def register(app: Flask) -> None:
    """Register the pages."""
    app.jinja_env.trim_blocks = True
    app.jinja_env.lstrip_blocks = True
    app.register_blueprint(pages)
