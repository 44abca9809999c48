"""Sharing: links and short codes, exchanging them for a right, and choosing the language."""

import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from flask import abort, current_app, make_response, redirect, request, url_for
from markupsafe import Markup
from werkzeug.wrappers import Response

from scorekeeper.domain.game.state import Game
from scorekeeper.domain.history.book import Book
from scorekeeper.i18n import LANGUAGES
from scorekeeper.services import games
from scorekeeper.store.links import SecretName
from scorekeeper.web import context, rate_limits
from scorekeeper.web.browser_codes import is_browser_code, receive, take
from scorekeeper.web.compression import unless_known
from scorekeeper.web.context import ledger
from scorekeeper.web.links import current_link, is_only_here, link_url
from scorekeeper.web.pages.blueprint import (
    Answer,
    book_args,
    book_url,
    form_write,
    page,
    pages,
    was_stale,
)
from scorekeeper.web.pages.qr_code import qr_code
from scorekeeper.web.short_codes import find_link, is_short, short_codes

NEW: dict[str, SecretName] = {"watch": "watch", "pen": "pen"}
"""The secrets that a page may replace, by the value of its field."""
NEW_IN_GAMES: dict[str, SecretName] = {**NEW, "paper": "paper"}
MAX_CODE = 400
LOCAL = re.compile(r"/(?!/)[^\x00-\x1f\x7f\\]{0,2000}")
"""A path on this server. Browsers read a backslash as a slash and skip control characters."""
LINK_COOKIE = "link"
SECRET = {"Cache-Control": "private, no-cache, no-transform"}
"""Headers of a page that shows a secret: proxies must not compress it (web/compression.py)."""


@dataclass(frozen=True)
class Link:
    """A link that gives a right, and its QR code."""

    url: str
    code: Markup


@pages.get("/g/<game_id>/share")
@pages.get("/s/<group_id>/share")
def share(**args: Any) -> Response:
    """Show the link to watch, and the link to write once it is asked for."""
    return share_page(ledger().book(*args.values()))


@pages.post("/g/<game_id>/share")
@pages.post("/s/<group_id>/share")
def replace(**args: Any) -> Answer:
    """Replace the link of a right, or withdraw the printed code; the old link no longer works."""
    (book_id,) = args.values()
    field = request.form.get("right", "")
    right = (NEW if "group_id" in args else NEW_IN_GAMES).get(field)
    if right is None:
        abort(400)
    withdraws = right == "paper" and request.form.get("do") == "withdraw"
    write = form_write()

    def change() -> None:
        if withdraws:
            games.withdraw_paper(ledger(), book_id, write=write)
        else:
            browser = context.browser()
            games.replace_secret(ledger(), book_id, right, browser=browser, write=write)

    notice = "stale" if was_stale(change) else "withdrawn" if withdraws else right
    return redirect(url_for("pages.share", **args, notice=notice), 303)


def share_page(book: Book, *, begun: bool = False) -> Response:
    """Return the page that shares a game or group."""
    only_here = is_only_here()
    watch = _link(book, "watch")
    shown = page(
        "share.html",
        book=book,
        args=book_args(book),
        watch=watch,
        pen=_link(book, "pen") if request.args.get("show") == "pen" else None,
        paper=isinstance(book, Game) and _paper(book),
        host=request.host,
        begun=begun,
        notice=request.args.get("notice", ""),
        only_here=only_here,
        readable=not (only_here or request.is_secure),
    )
    answer = make_response(shown)
    answer.headers.update(SECRET)
    return answer


def _paper(game: Game) -> str:
    """Return whether the code for paper is ``off``, ``on``, or ``unknown`` to this installation."""
    if ledger().rights.secrets_of(game.id)["paper"] is None:
        return "off"
    return "on" if ledger().link_secret(game.id, "paper") else "unknown"


def _link(book: Book, right: SecretName) -> Link | None:
    """Return the current link of a right; None if another key made it (store/links.py)."""
    url = current_link(book.id, right)
    return _drawn(url) if url else None


@lru_cache(maxsize=64)
def _drawn(url: str) -> Link:
    """Draw the code of a link once: that takes longer than the rest of the page."""
    return Link(url, qr_code(url, error="m"))


@pages.post("/g/<game_id>/share/code")
@pages.post("/s/<group_id>/share/code")
def short_code(**args: Any) -> Response:
    """Return the short code of an open share page, or end that of a page that was closed."""
    (book_id,) = args.values()
    codes, code = short_codes(), request.form.get("code", "")[:MAX_CODE]
    if request.form.get("do") == "end":
        codes.end(book_id, code)
        return Response(status=204)
    secret = ledger().link_secret(book_id, "watch")
    if secret is None:
        abort(409)
    return Response(codes.renew(book_id, secret, code), mimetype="text/plain")


def watch_code(game_id: str) -> Markup | None:
    """Return the QR code for watching; a watcher sees it if they entered by a link that works."""
    if context.right() == "pen":
        secret = ledger().link_secret(game_id, "watch")
    else:
        secret = request.cookies.get(context.cookie_name(LINK_COOKIE, of_one_page=True), "")
    if not secret or not ledger().rights.is_current(game_id, "watch", secret):
        return None
    return _drawn(link_url(game_id, secret)).code


def _store_link(answer: Response, book: Book, secret: str | None) -> Response:
    """Store the watch link in a cookie that only the television board of this game can read."""
    if secret and isinstance(book, Game):
        name = context.cookie_name(LINK_COOKIE, of_one_page=True)
        context.set_cookie(answer, name, secret, path=url_for("pages.tv", game_id=book.id))
    return answer


@pages.route("/enter", methods=["GET", "POST"])
def enter() -> Answer:
    """Exchange a code for a right of this browser, only by POST."""
    if request.method != "POST":
        return page("enter.html", code="", refused=False)
    code = request.form.get("code", "")[:MAX_CODE]
    if is_browser_code(_after_hash(code)):
        if taken := take(_after_hash(code)):
            receive(taken)
            notice = "moved" if taken.moves else "copied"
            return redirect(url_for("pages.evenings", notice=notice), 303)
        return page("enter.html", code=code, refused=True), 404
    found = _entered(code)
    if found is None:
        return page("enter.html", code=code, refused=True), 404
    book_id, secret = found
    rate_limits.limit_growth()
    ledger().rights.remember(context.new_browser(), book_id, secret)
    book, watches = ledger().book(book_id), ledger().rights.is_current(book_id, "watch", secret)
    answer = redirect(book_url(book), 303)
    return _store_link(answer, book, secret if watches else None)


def _entered(code: str) -> tuple[str, str] | None:
    """Return the book and secret of a link, a long or a short code; counts a wrong one."""
    if is_short(code):
        return find_link(code)
    book_id, _, secret = _after_hash(code).partition(".")
    book_id = book_id.strip().lower()
    if not secret or not ledger().rights.of_secret(book_id, secret):
        rate_limits.count_wrong_guess()
        return None
    return book_id, secret


def _after_hash(code: str) -> str:
    """Return the secret part of a code that was pasted as a whole address."""
    return code.rpartition("#")[2].strip()


@pages.get("/worker.js")
def worker() -> Response:
    """Return the service worker, which shows kept pages when there is no connection."""
    script = Path(str(current_app.static_folder), "worker.js").read_bytes()
    answer = make_response(script, {"Content-Type": "text/javascript; charset=utf-8"})
    answer.add_etag()
    return unless_known(answer)


@pages.get("/offline")
def away() -> str:
    """Show what a browser without a connection shows in the place of a page it does not have."""
    return page("offline.html")


@pages.post("/language")
def set_language() -> Response:
    """Set the language of all pages."""
    code, back = request.form.get("lang", ""), request.form.get("to", "/")
    if code not in LANGUAGES:
        abort(400)
    answer = redirect(back if LOCAL.fullmatch(back) else url_for("pages.home"), 303)
    context.set_cookie(answer, context.cookie_name(context.LANGUAGE_COOKIE), code)
    return answer
