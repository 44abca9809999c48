"""The blueprint of all pages, and what every page may use in its template."""

import hashlib
import secrets
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from flask import Blueprint, abort, current_app, render_template, request, url_for
from markupsafe import Markup

from scorekeeper import context, service
from scorekeeper.domain.game import Game
from scorekeeper.i18n import LANGUAGES
from scorekeeper.i18n import language as language_of
from scorekeeper.pages.pad import title_of

pages = Blueprint("pages", __name__)

MOST_KEY = 100


@pages.app_context_processor
def words() -> dict[str, Any]:
    """What every template knows: the reader's language, his right, where the files are."""
    return {
        "lang": context.language(),
        "languages": [language_of(code) for code in LANGUAGES],
        "may_write": context.right() == "pen",
        "asset": asset,
        "drawing": drawing,
        "new_key": new_key,
        "title_of": title_of,
        "here": here,
    }


def here() -> str:
    """Where a reader comes back to after choosing another language."""
    return request.full_path if request.method == "GET" else url_for("pages.home")


def new_key() -> str:
    """The key that makes a form count once, however often it is sent."""
    return secrets.token_urlsafe(12)


def asset(name: str) -> str:
    """The address of a static file; it changes with the file, so browsers may keep it."""
    return url_for("static", filename=name, v=fingerprint(name))


def drawing(name: str) -> Markup:
    """A static SVG as part of the page, which then need not ask for it."""
    return Markup(_text(str(current_app.static_folder), name))


@cache
def _text(folder: str, name: str) -> str:
    return Path(folder, name).read_text(encoding="utf-8")


def fingerprint(name: str) -> str:
    """Eight characters that change with a static file."""
    return _fingerprint(str(current_app.static_folder), name)


@cache
def _fingerprint(folder: str, name: str) -> str:
    return hashlib.sha256(Path(folder, name).read_bytes()).hexdigest()[:8]


def form_key() -> str:
    """The key that a form carries; 400 without."""
    key = request.form.get("key", "")
    if not 0 < len(key) <= MOST_KEY:
        abort(400)
    return key


def form_version() -> int:
    """The version of the game that a form was made for; 400 without."""
    version = request.form.get("version", "")
    if not (version.isascii() and version.isdigit() and len(version) < 10):
        abort(400)
    return int(version)


def game_or_404(game_id: str) -> Game:
    """The game of an address whose right the guard has checked."""
    return context.ledger().game(game_id)


def changed_meanwhile(change: Callable[[], object]) -> bool:
    """Make a change asked for by a form; True if someone else was faster."""
    try:
        change()
    except service.Stale:
        return True
    return False


def page(template: str, **facts: Any) -> str:
    """A rendered page."""
    return render_template(template, **facts)
