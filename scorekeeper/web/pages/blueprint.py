"""The blueprint of all pages, and helpers for views and templates."""

import hashlib
import secrets
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import quote

from flask import Blueprint, abort, current_app, redirect, render_template, request, url_for
from jinja2 import Environment, Template
from markupsafe import Markup
from werkzeug.wrappers import Response

from scorekeeper.camera import is_installed
from scorekeeper.domain.errors import Problem, RuleError, Where
from scorekeeper.domain.game.state import Game
from scorekeeper.domain.group.state import Group
from scorekeeper.domain.history.book import Book
from scorekeeper.services.writes import Stale
from scorekeeper.store.errors import Damaged
from scorekeeper.store.writes import Write
from scorekeeper.web import context, permissions
from scorekeeper.web.pages.amounts import whole_or_none
from scorekeeper.web.permissions import GroupOfGame, request_write
from scorekeeper.wire.strict import is_key
from scorekeeper.wording.pad import title_of
from scorekeeper.wording.seasons import member_name

pages = Blueprint("pages", __name__)
phone_pages = Blueprint("phone", __name__)
"""Pages for a record that lies on the phone of its only reader; a server has no such pages."""

Answer = str | tuple[str, int] | Response
"""The answer of most views: a page, perhaps with a status, or a redirect."""
STATIC = Path(__file__).parents[2] / "static"


@pages.app_context_processor
def template_variables() -> dict[str, Any]:
    """Return what depends on the request, besides the functions below."""
    return {"lang": context.language(), "may_write": context.right() == "pen"}


pages.add_app_template_global(title_of)
pages.add_app_template_global(permissions.offers)


@pages.app_template_global()
def reads_photographs() -> bool:
    """Return whether this server can read photographs of cards."""
    return is_installed()


@pages.app_template_global()
def here() -> str:
    """Return where to go after choosing a language."""
    read = request.method != "POST"
    return request.script_root + request.full_path if read else url_for("pages.home")


@pages.app_template_global()
def new_key() -> str:
    """Return a key that makes a form count once, however often it is sent."""
    return secrets.token_urlsafe(12)


@pages.app_template_global()
def asset(name: str) -> str:
    """Return the URL of a static file, which changes with its content so that it can be cached."""
    return f"{request.script_root}/static/{name}?v={fingerprint(name)}"


@pages.app_template_global()
@cache
def drawing(name: str) -> Markup:
    """Return a static SVG to embed in the page."""
    return Markup(Path(STATIC, name).read_text(encoding="utf-8"))


@pages.app_template_global()
@cache
def inline(name: str) -> str:
    """Return a static SVG as a URL, which saves a request."""
    return "data:image/svg+xml," + quote(drawing(name).strip(), safe=" =/:()")


@cache
def fingerprint(name: str) -> str:
    """Return eight characters that change with a static file."""
    return hashlib.sha256(Path(STATIC, name).read_bytes()).hexdigest()[:8]


def form_key() -> str:
    """Return the key of the submitted form; 400 without one."""
    key = request.form.get("key", "")
    return key if is_key(key) else abort(400)


def form_version() -> int:
    """Return the version that the form was made for; 400 without one."""
    version = whole_or_none(request.form.get("version", ""))
    return abort(400) if version is None else version


def form_write() -> Write:
    """Return what the change of the submitted form needs; 400 without its key and version."""
    return request_write(expected=form_version(), key=form_key())


def game_or_404(game_id: str) -> Game:
    """Return the game of a URL; an erased name becomes a number.

    The permission check has already run.
    """
    return context.ledger().game(game_id).with_stand_ins(context.language().seat)


def readable_games(ids: Iterable[str], damaged: list[Damaged] | None = None) -> Iterator[Game]:
    """Yield games of a list as ``game_or_404`` returns them, and collect the damaged ones."""
    seat = context.language().seat
    return (game.with_stand_ins(seat) for game in context.ledger().readable(Game, ids, damaged))


def damage_words(damaged: Iterable[Damaged]) -> list[str]:
    """Return in words what is damaged, each once."""
    return list(
        {error.book_id: context.language().problem(error.problem) for error in damaged}.values()
    )


def group_or_404(group_id: str) -> Group:
    """Return the group of a URL; the permission check has already run."""
    return context.ledger().group(group_id)


def book_args(book: Book) -> dict[str, Any]:
    """Return the URL parameters of a game or group."""
    return {"group_id" if isinstance(book, Group) else "game_id": book.id}


@pages.app_template_global()
def book_url(book: Book) -> str:
    """Return the URL of a book: the board of a game, the page of a group."""
    endpoint = "pages.group" if isinstance(book, Group) else "pages.board"
    return url_for(endpoint, **book_args(book))


@pages.app_template_global()
def share_url(game: Game) -> str:
    """Return the URL of the page that shows a game to others, the one of this edition."""
    shares_links = permissions.offers("pages.share")
    return url_for("pages.share" if shares_links else "phone.snapshot", game_id=game.id)


@pages.app_template_global()
def names_of(group: Group) -> tuple[str, ...]:
    """Return the names of the members; an erased name becomes a number."""
    lang = context.language()
    return tuple(member_name(group, member, lang) for member in range(group.members))


@pages.app_template_global()
def group_of(game: Game) -> GroupOfGame | None:
    """Return the group of a game, if this browser may see it."""
    return permissions.group_of(game.id)


@pages.app_template_global()
def evening_title(game: Game, group: GroupOfGame | None) -> str:
    """Return what an evening is called: by its own title, by its group, or by its date."""
    return game.title or (group.name if group else title_of(game, context.language()))


def was_stale(change: Callable[[], object]) -> bool:
    """Make the change of a form; return True if the form was outdated."""
    try:
        change()
    except Stale:
        return True
    return False


def handle_form(
    change: Callable[[Write], object], then: str, shown: Callable[..., str]
) -> Response | tuple[str, int]:
    """Make the change of a form and redirect, or show the form again with what is wrong."""
    write = form_write()
    try:
        if was_stale(lambda: change(write)):
            return shown(stale=True), 409
    except RuleError as error:
        return shown(problems=error.problems), 422
    return redirect(then, 303)


def handle_press(
    game_id: str, change: Callable[[Write], object], then: str = "pages.board"
) -> Response:
    """Make the change of a button and redirect: to the board if it was outdated, which says so."""
    write = form_write()
    if was_stale(lambda: change(write)):
        return redirect(url_for("pages.board", game_id=game_id, notice="stale"), 303)
    return redirect(url_for(then, game_id=game_id), 303)


def field_name(place: Where) -> str:
    """Return the field name of a path, with the index in a list: ``members-2-name``."""
    return "-".join(map(str, place))


def first_field_name(place: Where) -> str:
    """Return the name of the field that a path begins with."""
    return field_name(place[:1])


class Message(str):
    """A message with the rule behind it, if it is about one."""

    rule: str

    def __new__(cls, message: str, rule: str) -> "Message":
        cited = super().__new__(cls, message)
        cited.rule = rule
        return cited


def words_of(problem: Problem, players: Sequence[str]) -> str:
    """Return the message of a refused change; one about another round begins with its number."""
    lang = context.language()
    words = lang.problem(problem, players)
    match problem.path:
        case ("rounds", int(index), *_):
            return f"{lang('pages.round', number=index + 1)}{lang.sign(':')} {words}"
    return words


def faults_of(
    problems: Iterable[Problem],
    field_of: Callable[[Where], str] = field_name,
    players: Sequence[str] = (),
    own_words: Callable[[Problem], str] = lambda problem: "",
) -> dict[str, list[str]]:
    """Return messages by field, without duplicates; a page may word some problems itself."""
    faults: dict[str, list[str]] = {}
    for problem in problems:
        messages = faults.setdefault(field_of(problem.path), [])
        message = own_words(problem) or context.language().problem(problem, players)
        if message not in messages:
            messages.append(message)
    return faults


def page(template: str, **facts: Any) -> str:
    """Render a page in the language of the reader."""
    return render_template(_template(template), **facts)


def macro(template: str, name: str) -> Callable[..., Markup]:
    """Return a macro in the language of the reader."""
    found: Callable[..., Markup] = getattr(_template(template).module, name)
    return found


def _template(name: str) -> Template:
    templates: Environment = current_app.extensions["templates"][context.language().code]
    return templates.get_template(name)


def form_page(template: str, problems: Sequence[Problem] = (), **facts: Any) -> str:
    """Render a page with a form, and what is wrong with its input."""
    return page(template, faults=faults_of(problems), **facts)
