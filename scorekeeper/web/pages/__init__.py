"""The HTML pages. All of them work without scripts and are designed for phones first."""

from flask import Flask

from scorekeeper.i18n import LANGUAGES, language
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
from scorekeeper.web.word_loader import WordLoader

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
    """Register the pages; their templates are compiled for each language."""
    app.jinja_env.trim_blocks = True
    app.jinja_env.lstrip_blocks = True
    loader = app.create_global_jinja_loader()
    app.extensions["templates"] = {
        code: app.jinja_env.overlay(loader=WordLoader(loader, language(code))) for code in LANGUAGES
    }
    app.register_blueprint(pages)
