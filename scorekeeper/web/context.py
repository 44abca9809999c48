"""The state of the current request: ledger, language, browser secret and right."""

import secrets
from contextlib import suppress
from typing import cast

from flask import Response, abort, current_app, g, request
from werkzeug.wrappers import Response as BaseResponse

from scorekeeper.domain.game.rows import Row
from scorekeeper.domain.game.state import Game
from scorekeeper.domain.group.state import Group
from scorekeeper.domain.rules import RuleSet
from scorekeeper.i18n import Language, pick_language
from scorekeeper.i18n import language as language_of
from scorekeeper.store.book_check import broken_at
from scorekeeper.store.errors import Damaged, NotFound, Unreadable
from scorekeeper.store.growth import GROWTH
from scorekeeper.store.ledger import Ledger
from scorekeeper.web.accept_language import accepted_languages

LANGUAGE_COOKIE, BROWSER_COOKIE = "lang", "browser"
HOST_PREFIX, SECURE_PREFIX = "__Host-", "__Secure-"
"""Before the names of cookies that were set over https; see ``cookie_name``."""
BROWSER_COOKIES = tuple(prefix + BROWSER_COOKIE for prefix in ("", HOST_PREFIX, SECURE_PREFIX))
READ_METHODS = ("GET", "HEAD", "OPTIONS")
YEAR = 365 * 24 * 3600


def ledger() -> Ledger:
    """Return the app's ledger."""
    return cast(Ledger, current_app.extensions["ledger"])


def visible_book() -> Game | Group | None:
    """Return the game or group of this request if the client may see it.

    None also if it cannot be read: error handlers call this, and must not raise.
    """
    args = request.view_args or {}
    with suppress(Damaged, NotFound, Unreadable):
        if g.get("right"):
            book_id = args.get("group_id")
            return ledger().group(book_id) if book_id else ledger().game(args["game_id"])
    return None


def find_damage() -> Damaged | None:
    """Return the damage in the stored game or group of this request, or None.

    None also if the database cannot be read: error handlers call this, and must not raise.
    """
    args = request.view_args or {}
    with suppress(Unreadable):
        for book_id in (args[name] for name in ("game_id", "group_id") if name in args):
            if (number := broken_at(ledger().store.inspection, book_id)) is not None:
                return Damaged(book_id, number)
    return None


def note_commits() -> None:
    """Remember what this thread had saved before the request."""
    g.commits_before = GROWTH.commits


def has_saved() -> bool:
    """Return whether this request has saved what it was sent to save.

    An answer that fails afterwards must not claim the opposite.
    """
    before = g.get("commits_before", GROWTH.commits)
    return request.method not in READ_METHODS and GROWTH.commits > before


def row_or_404(game: Game, number: int) -> Row:
    """Return the round with this number; 404 if there is none."""
    try:
        return game.sheet.row(number)
    except KeyError:
        abort(404)


def is_api() -> bool:
    """Return whether this is an API request, which is always answered in JSON."""
    return request.path.startswith("/api/")


def language() -> Language:
    """Return the language chosen on the page, else the browser's preferred one."""
    current = g.get("language")
    if current is None:
        chosen = None if is_api() else request.cookies.get(cookie_name(LANGUAGE_COOKIE))
        accepted = accepted_languages(request.headers.get("Accept-Language"))
        current = g.language = language_in(pick_language(accepted, preferred=chosen))
    return cast(Language, current)


def language_in(code: str) -> Language:
    """Return a language that shows times in the time zone of the table."""
    return language_of(code, current_app.config["TIMEZONE"])


def judge_by(rules: RuleSet) -> None:
    """Remember the rules that a request is judged by, so that its refusal cites their source."""
    g.judged_by = rules


def judged_by() -> RuleSet | None:
    """Return these rules; None if they are not known."""
    return cast("RuleSet | None", g.get("judged_by"))


def right() -> str | None:
    """Return the right that this request was granted; None where none is needed."""
    return cast("str | None", g.get("right"))


def cookie_name(name: str, *, of_one_page: bool = False) -> str:
    """Return the name of a cookie; over https it has a prefix that protects it.

    Then no other host can set it, nor anybody over plain http. Below a path it is not sent to
    other programs of this host, which that prefix does not allow.
    """
    prefix = SECURE_PREFIX if of_one_page or request.script_root else HOST_PREFIX
    return prefix + name if request.is_secure else name


def cookie_path() -> str:
    """Return the path of the program on its host."""
    return f"{request.script_root}/"


def browser_cookie() -> str:
    """Return the name of the cookie that identifies a browser."""
    return cookie_name(BROWSER_COOKIE)


def browser() -> str | None:
    """Return the secret that identifies this browser, if it has one."""
    return cast("str | None", g.get("new_browser")) or request.cookies.get(browser_cookie())


def new_browser() -> str:
    """Return the browser's secret; a new one is sent with the response."""
    secret = browser()
    if secret is None:
        secret = g.new_browser = secrets.token_urlsafe(24)
    return secret


def send_browser_cookie(response: Response) -> Response:
    """Send a new browser's secret."""
    if "new_browser" in g:
        set_cookie(response, browser_cookie(), g.new_browser)
    return response


def set_cookie(response: BaseResponse, name: str, value: str, path: str = "") -> None:
    """Send a cookie for a year; scripts cannot read it, and forms of other sites do not send it."""
    response.set_cookie(
        name,
        value,
        path=path or cookie_path(),
        max_age=YEAR,
        httponly=True,
        samesite="Lax",
        secure=request.is_secure,
    )
