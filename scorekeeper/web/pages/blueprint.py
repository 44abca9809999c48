"""The blueprint of all pages, and what every page may use in its template."""

import hashlib
import secrets
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from flask import Blueprint, abort, current_app, redirect, render_template, request, url_for
from markupsafe import Markup
from werkzeug.wrappers import Response

from scorekeeper.domain.book import Book
from scorekeeper.domain.errors import Problem, RuleError, Where
from scorekeeper.domain.game import Game
from scorekeeper.domain.group import Group
from scorekeeper.i18n import LANGUAGES
from scorekeeper.i18n import language as language_of
from scorekeeper.i18n.seasons import member_name
from scorekeeper.services import games
from scorekeeper.web import context
from scorekeeper.web.pages.forms import whole
from scorekeeper.web.pages.pad import title_of

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
        "address_of": address_of,
        "names_of": names_of,
        "group_of": group_of,
    }


def here() -> str:
    """Where a reader comes back to after choosing another language."""
    read = request.method != "POST"
    return request.script_root + request.full_path if read else url_for("pages.home")


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
    version = whole(request.form.get("version", ""))
    return version if isinstance(version, int) else abort(400)


def game_or_404(game_id: str) -> Game:
    """The game of an address whose right the guard has checked; an erased name is a number."""
    return context.ledger().game(game_id).called(context.language().seat)


def group_or_404(group_id: str) -> Group:
    """The group of an address whose right the guard has checked."""
    return context.ledger().group(group_id)


def asked_for(book: Book) -> dict[str, Any]:
    """How an address names a book."""
    return {"group_id" if isinstance(book, Group) else "game_id": book.id}


def address_of(book: Book) -> str:
    """Where a book is read: the board of a game, the page of a group."""
    endpoint = "pages.group" if isinstance(book, Group) else "pages.board"
    return url_for(endpoint, **asked_for(book))


def names_of(group: Group) -> tuple[str, ...]:
    """What the members are called; an erased name is a number."""
    lang = context.language()
    return tuple(member_name(group, member, lang) for member in range(group.members))


@dataclass(frozen=True)
class Home:
    """The group that a game belongs to, as its pages name it."""

    id: str
    name: str


def group_of(game: Game) -> Home | None:
    """The group of a game, for a reader whom it is open to."""
    ledger, browser = context.ledger(), context.browser()
    group_id = ledger.seasons.group_of(game.id)
    if group_id is None or not browser or not ledger.rights.of_browser(browser, group_id):
        return None
    return Home(group_id, ledger.names.words_of([group_id], "name").get(group_id, ""))


def changed_meanwhile(change: Callable[[], object]) -> bool:
    """Make a change asked for by a form; True if someone else was faster."""
    try:
        change()
    except games.Stale:
        return True
    return False


def answered(
    change: Callable[[int, str], object], then: str, shown: Callable[..., str]
) -> Response | tuple[str, int]:
    """Make the change of a form and go on; or show the form as it was filled in, and why."""
    key, version = form_key(), form_version()
    try:
        if changed_meanwhile(lambda: change(version, key)):
            return shown(stale=True), 409
    except RuleError as error:
        return shown(problems=error.problems), 422
    return redirect(then, 303)


def whole_place(place: Where) -> str:
    """The field of a list is named with its number: ``members-2-name``."""
    return "-".join(map(str, place))


def first_name(place: Where) -> str:
    """The field that a place begins with."""
    return whole_place(place[:1])


def faults_of(
    problems: Iterable[Problem],
    field_of: Callable[[Where], str] = whole_place,
    players: Sequence[str] = (),
) -> dict[str, list[str]]:
    """What is wrong, in words, by the field where it stands; nothing twice."""
    faults: dict[str, list[str]] = {}
    for found in problems:
        said = faults.setdefault(field_of(found.path), [])
        words = context.language().problem(found, players)
        if words not in said:
            said.append(words)
    return faults


def page(template: str, **facts: Any) -> str:
    """A rendered page."""
    return render_template(template, **facts)


def form_page(template: str, problems: Sequence[Problem] = (), **facts: Any) -> str:
    """A page with a form, and what is wrong with what was typed into it."""
    return page(template, faults=faults_of(problems), **facts)
