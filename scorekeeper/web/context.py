"""What belongs to one request: the ledger, the reader's language, the browser, the right."""

import secrets
from typing import cast

from flask import Response, current_app, g, request

from scorekeeper.i18n import Language, pick_language
from scorekeeper.i18n import language as language_of
from scorekeeper.store.check import broken_at
from scorekeeper.store.errors import Damaged
from scorekeeper.store.ledger import Ledger
from scorekeeper.web.languages import accepted_languages

LANGUAGE_COOKIE = "lang"
YEAR = 365 * 24 * 3600


def ledger() -> Ledger:
    """The ledger of this app."""
    return cast(Ledger, current_app.extensions["ledger"])


def damage() -> Damaged | None:
    """Why a request about a game or group may have failed: its record is damaged on the disk."""
    asked = request.view_args or {}
    for book_id in (asked[name] for name in ("game_id", "group_id") if name in asked):
        if (number := broken_at(ledger(), book_id)) is not None:
            return Damaged(book_id, number)
    return None


def is_api() -> bool:
    """Whether a program asks; it gets JSON, whatever goes wrong."""
    return request.path.startswith("/api/")


def language() -> Language:
    """The reader's language: the one chosen on the page, else the browser's first."""
    known = g.get("language")
    if known is None:
        chosen = None if is_api() else request.cookies.get(cookie_name(LANGUAGE_COOKIE))
        accepted = accepted_languages(request.headers.get("Accept-Language"))
        known = g.language = speaking(pick_language(accepted, preferred=chosen))
    return cast(Language, known)


def speaking(code: str) -> Language:
    """A language that tells the time of the table."""
    return language_of(code, current_app.config["TIMEZONE"])


def right() -> str | None:
    """The right with which this request came in; None where none was needed."""
    return cast("str | None", g.get("right"))


def cookie_name(name: str, *, of_one_page: bool = False) -> str:
    """A cookie as it is called under https: no other host, and nobody without https, can set it."""
    prefix = "__Secure-" if of_one_page else "__Host-"
    return prefix + name if request.is_secure else name


def browser_cookie() -> str:
    """The name of the cookie by which a browser is known."""
    return cookie_name("browser")


def browser() -> str | None:
    """The secret by which this browser is known, if it holds any game."""
    return cast("str | None", g.get("new_browser")) or request.cookies.get(browser_cookie())


def new_browser() -> str:
    """The browser's secret, made now and sent with the answer if it has none yet."""
    known = browser()
    if known is None:
        known = g.new_browser = secrets.token_urlsafe(24)
    return known


def keep_browser(response: Response) -> Response:
    """Send the secret of a new browser along; scripts never see it."""
    if "new_browser" in g:
        response.set_cookie(
            browser_cookie(),
            g.new_browser,
            max_age=YEAR,
            httponly=True,
            samesite="Lax",
            secure=request.is_secure,
        )
    return response
