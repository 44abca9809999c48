"""Sharing: links with secrets, exchanging them for a right, and choosing the language."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import segno
from flask import abort, current_app, make_response, redirect, request, url_for
from markupsafe import Markup
from werkzeug.wrappers import Response

from scorekeeper.domain.book import Book
from scorekeeper.domain.game import Game
from scorekeeper.i18n import LANGUAGES
from scorekeeper.services import games
from scorekeeper.web import context, rate_limits
from scorekeeper.web.context import ledger
from scorekeeper.web.pages.blueprint import (
    book_args,
    book_url,
    form_key,
    form_version,
    page,
    pages,
    was_stale,
)

Answer = str | tuple[str, int] | Response
RIGHTS = ("watch", "pen")
LOOPBACK = ("127.0.0.1", "localhost", "::1")
MOST_CODE = 400
LOCAL = re.compile(r"/(?!/)[^\x00-\x1f\x7f\\]{0,2000}")
"""A path on this server. Browsers read a backslash as a slash and skip control characters."""
LINK_COOKIE = "link"
SECRET = {"Cache-Control": "private, no-cache, no-transform"}
"""Headers of a page that shows a secret: proxies must not compress it (web/compression.py)."""


@pages.get("/g/<game_id>/share")
@pages.get("/s/<group_id>/share")
def share(**args: Any) -> Response:
    """Show the share page; a link is shown only when it is made, but can be replaced any time."""
    return share_page(ledger().book(*args.values()), {})


@pages.post("/g/<game_id>/share")
@pages.post("/s/<group_id>/share")
def replace(**args: Any) -> Answer:
    """Replace the link of a right; the old one no longer works."""
    (book_id,) = args.values()
    right = request.form.get("right", "")
    if right not in RIGHTS:
        abort(400)
    key, version = form_key(), form_version()
    made: dict[str, str] = {}

    def change() -> None:
        _, made[right] = games.replace_secret(
            ledger(), book_id, right, expect=version, key=key, browser=context.browser()
        )

    if was_stale(change):
        return redirect(url_for("pages.share", **args, notice="stale"), 303)
    if not made[right]:  # sent twice; it was shown the first time
        return redirect(url_for("pages.share", **args), 303)
    return share_page(ledger().book(book_id), made)


def share_page(book: Book, secrets: Mapping[str, str], *, begun: bool = False) -> Response:
    """Return the page with the links that are known, each with its QR code."""
    links = {right: _link(book.id, secret) for right, secret in secrets.items()}
    only_here = urlsplit(request.host_url).hostname in LOOPBACK
    shown = page(
        "share.html",
        book=book,
        args=book_args(book),
        rights=RIGHTS,
        links=links,
        secrets=secrets,
        codes={right: _qr(link) for right, link in links.items()},
        begun=begun,
        only_here=only_here,
        readable=not (only_here or request.is_secure),
    )
    answer = make_response(shown)
    answer.headers.update(SECRET)
    return _store_link(answer, book, secrets.get("watch"))


def _store_link(answer: Response, book: Book, secret: str | None) -> Response:
    """Store the watch link in a cookie that only the television board of this game can read."""
    if secret and isinstance(book, Game):
        answer.set_cookie(
            context.cookie_name(LINK_COOKIE, of_one_page=True),
            secret,
            path=url_for("pages.tv", game_id=book.id),
            max_age=context.YEAR,
            httponly=True,
            samesite="Lax",
            secure=request.is_secure,
        )
    return answer


def watch_code(game_id: str) -> Markup | None:
    """Return the QR code for watching, if this browser has a link that still works."""
    secret = request.cookies.get(context.cookie_name(LINK_COOKIE, of_one_page=True), "")
    if not secret or ledger().rights.of_secret(game_id, secret) != "watch":
        return None
    return _qr(_link(game_id, secret))


def _link(book_id: str, secret: str) -> str:
    """Return a link with the secret in the fragment, which browsers do not send to servers."""
    return f"{url_for('pages.enter', _external=True)}#{book_id}.{secret}"


def _qr(link: str) -> Markup:
    drawn = segno.make(link, error="m").svg_inline(
        border=0, omitsize=True, svgclass="qr", lineclass=None
    )
    return Markup(drawn)  # an SVG made here, without text from users


@pages.route("/enter", methods=["GET", "POST"])
def enter() -> Answer:
    """Exchange a code for a right of this browser, only by POST."""
    if request.method != "POST":
        return page("enter.html", code="", refused=False)
    code = request.form.get("code", "")[:MOST_CODE]
    book_id, _, secret = code.rpartition("#")[2].strip().partition(".")
    book_id = book_id.strip().lower()
    if not secret or not ledger().rights.of_secret(book_id, secret):
        rate_limits.count_wrong_guess()
        return page("enter.html", code=code, refused=True), 404
    rate_limits.limit_growth()
    held = ledger().rights.remember(context.new_browser(), book_id, secret)
    book = ledger().book(book_id)
    answer = redirect(book_url(book), 303)
    return _store_link(answer, book, secret if held == "watch" else None)


@pages.get("/worker.js")
def worker() -> Response:
    """Return the service worker, which shows the last known board when there is no connection."""
    script = Path(str(current_app.static_folder), "worker.js").read_bytes()
    answer = Response(script, mimetype="text/javascript")
    answer.add_etag()
    return answer.make_conditional(request)


@pages.post("/language")
def set_language() -> Response:
    """Set the language of all pages."""
    code, back = request.form.get("lang", ""), request.form.get("to", "/")
    if code not in LANGUAGES:
        abort(400)
    answer = redirect(back if LOCAL.fullmatch(back) else url_for("pages.home"), 303)
    answer.set_cookie(
        context.cookie_name(context.LANGUAGE_COOKIE),
        code,
        max_age=context.YEAR,
        httponly=True,
        samesite="Lax",
        secure=request.is_secure,
    )
    return answer
