"""What belongs to one request: the ledger, the reader's language, the browser, the right."""

import re
import secrets
from collections.abc import Callable
from typing import Protocol, TypeVar, cast

from flask import Response, current_app, g, request

from scorekeeper.i18n import Language, pick_language
from scorekeeper.i18n import language as language_of
from scorekeeper.store.check import broken_at
from scorekeeper.store.ledger import Damaged, Ledger
from scorekeeper.web.languages import accepted_languages

LANGUAGE_COOKIE = "lang"
TABLES_COOKIE = "tables"
MOST_TABLES = 10
YEAR = 365 * 24 * 3600

A_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,62}")
"""How a table may be called."""
A_CODE = re.compile(r"(?:.*/t/)?([a-z0-9-]+)/(?:enter#)?[^/.]+\.[^/]+")
"""``k3m9x/ID.SECRET``, or the link with them."""

T = TypeVar("T")
Answer = TypeVar("Answer")


class Front(Protocol):
    """What an app can ask that stands before a folder of tables (shelf.py)."""

    def found(
        self, change: Callable[[Ledger], T], tell: Callable[[T], Answer], press: str | None
    ) -> Answer:
        """Make a change in a record that is new with it, and tell of it from there."""

    def ask(self, table: str, question: Callable[[], T]) -> T | None:
        """What a table answers; None if it cannot be had."""


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
        known = g.language = speaking(pick_language(accepted, wished=chosen))
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
        _keep(response, browser_cookie(), g.new_browser)
    return response


def _keep(response: Response, cookie: str, text: str) -> None:
    response.set_cookie(
        cookie, text, max_age=YEAR, httponly=True, samesite="Lax", secure=request.is_secure
    )


# ---- a folder of tables --------------------------------------------------------------


def _front() -> Front | None:
    return cast("Front | None", current_app.extensions.get("front"))


def founding(
    change: Callable[[Ledger], T], tell: Callable[[T], Answer], press: str | None = None
) -> Answer:
    """Found a group here, or before a folder in a record of its own; the same press finds it."""
    front = _front()
    return front.found(change, tell, press) if front else tell(change(ledger()))


def everywhere(question: Callable[[], list[T]], elsewhere: Callable[[str], T]) -> list[T]:
    """What is answered here, and before a folder also at the tables that this browser knows.

    ``elsewhere`` is what is said of a table that another process has.
    """
    answers, front = question(), _front()
    for table in _tables():
        if front:
            there = front.ask(table, question)
            answers += [elsewhere(table)] if there is None else there
    return answers


def _tables() -> list[str]:
    names = request.cookies.get(cookie_name(TABLES_COOKIE), "").split(".")
    return [name for name in names if A_NAME.fullmatch(name)][:MOST_TABLES]


def code(book_id: str, secret: str) -> str:
    """What is typed to open a book, with the table it lies at."""
    here = current_app.config.get("TABLE")
    return f"{here}/{book_id}.{secret}" if here else f"{book_id}.{secret}"


def table_of(typed: str) -> str | None:
    """The table that a code, or a whole link, belongs to: before a folder, else None."""
    named = A_CODE.fullmatch(typed.strip().lower()) if _front() else None
    return named[1] if named else None


def keep_table(response: Response) -> Response:
    """Let a browser that may open something at a table find it from the front of its folder."""
    here = current_app.config.get("TABLE")
    if here and right() and not is_api() and here not in (known := _tables()):
        text = ".".join([here, *known][:MOST_TABLES])
        _keep(response, cookie_name(TABLES_COOKIE), text)
    return response
