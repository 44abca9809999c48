"""The HTML pages. All of them work without scripts and are designed for phones first."""

from flask import Flask
from jinja2 import Environment

from scorekeeper.i18n import LANGUAGES, Language, language
from scorekeeper.web.pages import (
    copies,
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
    snapshots,
    statistics,
    status,
    table,
    transfer,
)
from scorekeeper.web.pages.blueprint import pages, phone_pages
from scorekeeper.web.word_loader import WordLoader

__all__ = [
    "copies",
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
    "snapshots",
    "statistics",
    "status",
    "table",
    "transfer",
]


def register(app: Flask) -> None:
    """Register the pages; their templates are compiled for each language."""
    app.jinja_env.trim_blocks = True
    app.jinja_env.lstrip_blocks = True
    app.register_blueprint(pages)
    if app.extensions["parts"].on_one_phone:
        app.register_blueprint(phone_pages)
    languages = [language(code, app.config["TIMEZONE"]) for code in LANGUAGES]
    app.jinja_env.globals["languages"] = languages
    app.extensions["templates"] = {lang.code: _templates(app, lang) for lang in languages}


def _templates(app: Flask, lang: Language) -> Environment:
    """Return an environment in which macros, too, are made once for a language."""
    loader = WordLoader(app.create_global_jinja_loader(), lang)
    templates = app.jinja_env.overlay(loader=loader)
    templates.globals = {**app.jinja_env.globals, "lang": lang}
    return templates
