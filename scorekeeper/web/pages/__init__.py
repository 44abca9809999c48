"""The HTML pages. All of them work without scripts and are designed for phones first."""

import re

from flask import Flask
from jinja2 import Environment
from jinja2.ext import Extension

from scorekeeper.i18n import LANGUAGES, Language, language
from scorekeeper.web.pages import (
    board,
    copies,
    end,
    errors,
    frame,
    given,
    history,
    home,
    names,
    other_phone,
    paper,
    refusals,
    settlement,
    sharing,
    snapshots,
    status,
)
from scorekeeper.web.pages.blueprint import pages, phone_pages
from scorekeeper.web.pages.entry import photographs, placed
from scorekeeper.web.pages.entry import views as entry
from scorekeeper.web.pages.group import money, season, statistics, transfer
from scorekeeper.web.pages.group import views as group
from scorekeeper.web.pages.new_game import views as new_game
from scorekeeper.web.pages.referee import views as referee
from scorekeeper.web.pages.tournament import entrants, plan
from scorekeeper.web.pages.tournament import views as tournament

VIEWS = (
    *(board, copies, end, errors, frame, given, history, home, names, other_phone),
    *(paper, refusals, settlement, sharing, snapshots, status),
    *(photographs, entry, placed),
    *(money, season, statistics, transfer, group),
    new_game,
    referee,
    *(tournament, plan, entrants),
)
"""The modules with views and template helpers, which join the blueprint when imported."""


class Flat(Extension):
    """Leaves out the indentation of tags, a seventieth of the compressed bytes of a page."""

    def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:
        return re.sub(r"\n +<", "\n<", source)


def register(app: Flask) -> None:
    """Register the pages; their templates are compiled for each language."""
    app.jinja_env.trim_blocks = True
    app.jinja_env.lstrip_blocks = True
    app.jinja_env.add_extension(Flat)
    app.register_blueprint(pages)
    if app.extensions["parts"].on_one_phone:
        app.register_blueprint(phone_pages)
    languages = [language(code, app.config["TIMEZONE"]) for code in LANGUAGES]
    app.jinja_env.globals["languages"] = languages
    app.extensions["templates"] = {lang.code: _templates(app, lang) for lang in languages}


def _templates(app: Flask, lang: Language) -> Environment:
    """Return an environment in which macros, too, are made once for a language."""
    templates = app.jinja_env.overlay()
    templates.globals = {**app.jinja_env.globals, "lang": lang}
    return templates
