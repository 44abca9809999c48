"""Letting others in: links and codes, the door they lead to, and the language of the house."""

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
    address_of,
    asked_for,
    changed_meanwhile,
    form_key,
    form_version,
    page,
    pages,
)

Answer = str | tuple[str, int] | Response
RIGHTS = ("watch", "pen")
LOOPBACK = ("127.0.0.1", "localhost", "::1")
MOST_CODE = 400
LOCAL = re.compile(r"/(?!/)[^\x00-\x1f\x7f\\]{0,2000}")
"""An address of this server. Browsers read a backslash as a slash and skip tabs and line ends."""
LINK_COOKIE = "link"
SECRET = {"Cache-Control": "private, no-cache, no-transform"}
"""Of a page that shows a secret: nobody on the way may pack it (packing.py)."""


@pages.get("/g/<game_id>/share")
@pages.get("/s/<group_id>/share")
def share(**asked: Any) -> Response:
    """Links are shown once, when they are made; new ones can be made at any time."""
    return share_page(ledger().book(*asked.values()), {})


@pages.post("/g/<game_id>/share")
@pages.post("/s/<group_id>/share")
def replace(**asked: Any) -> Answer:
    """A new link for a right; the old one opens nothing from now on."""
    (book_id,) = asked.values()
    right = request.form.get("right", "")
    if right not in RIGHTS:
        abort(400)
    key, version = form_key(), form_version()
    made: dict[str, str] = {}

    def change() -> None:
        _, made[right] = games.replace_secret(
            ledger(), book_id, right, expect=version, key=key, browser=context.browser()
        )

    if changed_meanwhile(change):
        return redirect(url_for("pages.share", **asked, notice="stale"), 303)
    if not made[right]:  # sent twice: it was shown the first time
        return redirect(url_for("pages.share", **asked), 303)
    return share_page(ledger().book(book_id), made)


def share_page(book: Book, secrets: Mapping[str, str], *, begun: bool = False) -> Response:
    """The links to a book, as far as they are known, each with its code to scan."""
    links = {right: _link(book.id, secret) for right, secret in secrets.items()}
    only_here = urlsplit(request.host_url).hostname in LOOPBACK
    shown = page(
        "share.html",
        book=book,
        asked=asked_for(book),
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
    return _keep_link(answer, book, secrets.get("watch"))


def _keep_link(answer: Response, book: Book, secret: str | None) -> Response:
    """Let this browser's television board show the link to watch, and no other page."""
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


def known_link(game_id: str) -> Markup | None:
    """The code to scan for watching, where this browser was shown the link that still opens."""
    secret = request.cookies.get(context.cookie_name(LINK_COOKIE, of_one_page=True), "")
    if not secret or ledger().rights.of_secret(game_id, secret) != "watch":
        return None
    return _qr(_link(game_id, secret))


def _link(book_id: str, secret: str) -> str:
    """The secret stands behind the #, which browsers keep to themselves."""
    return f"{url_for('pages.enter', _external=True)}#{book_id}.{secret}"


def _qr(link: str) -> Markup:
    drawn = segno.make(link, error="m").svg_inline(
        border=0, omitsize=True, svgclass="qr", lineclass=None
    )
    return Markup(drawn)  # our own drawing, no text in it


@pages.route("/enter", methods=["GET", "POST"])
def enter() -> Answer:
    """Exchange a code for this browser's right, once and by POST only."""
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
    answer = redirect(address_of(book), 303)
    return _keep_link(answer, book, secret if held == "watch" else None)


@pages.get("/worker.js")
def worker() -> Response:
    """The script that shows the last known board without a connection; it serves all pages."""
    script = Path(str(current_app.static_folder), "worker.js").read_bytes()
    answer = Response(script, mimetype="text/javascript")
    answer.add_etag()
    return answer.make_conditional(request)


@pages.post("/language")
def speak() -> Response:
    """Choose the language of all pages."""
    wished, back = request.form.get("lang", ""), request.form.get("to", "/")
    if wished not in LANGUAGES:
        abort(400)
    answer = redirect(back if LOCAL.fullmatch(back) else url_for("pages.home"), 303)
    answer.set_cookie(
        context.cookie_name(context.LANGUAGE_COOKIE),
        wished,
        max_age=context.YEAR,
        httponly=True,
        samesite="Lax",
        secure=request.is_secure,
    )
    return answer
