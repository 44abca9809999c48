"""Letting others in: links and codes, the door they lead to, and the language of the house."""

from collections.abc import Mapping
from urllib.parse import urlsplit

import segno
from flask import abort, current_app, make_response, redirect, request, send_from_directory, url_for
from markupsafe import Markup
from werkzeug.wrappers import Response

from scorekeeper import context, service
from scorekeeper.context import ledger
from scorekeeper.domain.game import Game
from scorekeeper.i18n import LANGUAGES
from scorekeeper.pages.blueprint import (
    changed_meanwhile,
    form_key,
    form_version,
    game_or_404,
    page,
    pages,
)

Answer = str | tuple[str, int] | Response
RIGHTS = ("watch", "pen")
LOOPBACK = ("127.0.0.1", "localhost", "::1")
MOST_CODE = 400
LINK_COOKIE = "link"
SECRET = {"Cache-Control": "private, no-cache, no-transform"}
"""Of a page that shows a secret: nobody on the way may pack it (packing.py)."""


@pages.get("/g/<game_id>/share")
def share(game_id: str) -> Response:
    """Links are shown once, when they are made; new ones can be made at any time."""
    return share_page(game_or_404(game_id), {})


@pages.post("/g/<game_id>/share")
def replace(game_id: str) -> Answer:
    """A new link for a right; the old one opens nothing from now on."""
    right = request.form.get("right", "")
    if right not in RIGHTS:
        abort(400)
    key, version = form_key(), form_version()
    made: dict[str, str] = {}

    def change() -> None:
        _, made[right] = service.replace_secret(
            ledger(), game_id, right, expect=version, key=key, browser=context.browser()
        )

    if changed_meanwhile(change):
        return redirect(url_for("pages.share", game_id=game_id, notice="stale"), 303)
    if not made[right]:  # sent twice: it was shown the first time
        return redirect(url_for("pages.share", game_id=game_id), 303)
    return share_page(game_or_404(game_id), made)


def share_page(game: Game, secrets: Mapping[str, str], *, begun: bool = False) -> Response:
    """The links to a game, as far as they are known, each with its code to scan."""
    links = {right: _link(game.id, secret) for right, secret in secrets.items()}
    shown = page(
        "share.html",
        game=game,
        rights=RIGHTS,
        secrets=secrets,
        links=links,
        codes={right: _qr(link) for right, link in links.items()},
        begun=begun,
        only_here=urlsplit(request.host_url).hostname in LOOPBACK,
    )
    answer = make_response(shown)
    answer.headers.update(SECRET)
    return _keep_link(answer, game.id, secrets.get("watch"))


def _keep_link(answer: Response, game_id: str, secret: str | None) -> Response:
    """Let this browser's television board show the link to watch, and no other page."""
    if secret:
        answer.set_cookie(
            LINK_COOKIE,
            secret,
            path=url_for("pages.tv", game_id=game_id),
            max_age=context.YEAR,
            httponly=True,
            samesite="Lax",
            secure=request.is_secure,
        )
    return answer


def known_link(game_id: str) -> Markup | None:
    """The code to scan for watching, where this browser was shown the link that still opens."""
    secret = request.cookies.get(LINK_COOKIE, "")
    if not secret or ledger().right(game_id, secret) != "watch":
        return None
    return _qr(_link(game_id, secret))


def _link(game_id: str, secret: str) -> str:
    """The secret stands behind the #, which browsers keep to themselves."""
    return f"{url_for('pages.enter', _external=True)}#{game_id}.{secret}"


def _qr(link: str) -> Markup:
    drawn = segno.make(link, error="m").svg_inline(
        border=0, omitsize=True, svgclass="qr", lineclass=None
    )
    return Markup(drawn)  # our own drawing, no text in it


@pages.route("/enter", methods=["GET", "POST"])
def enter() -> Answer:
    """Exchange a code for this browser's right, once and by POST only."""
    if request.method == "GET":
        return page("enter.html", code="", refused=False)
    code = request.form.get("code", "")[:MOST_CODE]
    game_id, _, secret = code.rpartition("#")[2].strip().partition(".")
    game_id = game_id.strip().lower()
    if not secret or not ledger().right(game_id, secret):
        return page("enter.html", code=code, refused=True), 404
    held = ledger().remember(context.new_browser(), game_id, secret)
    answer = redirect(url_for("pages.board", game_id=game_id), 303)
    return _keep_link(answer, game_id, secret if held == "watch" else None)


@pages.get("/worker.js")
def worker() -> Response:
    """The script that shows the last known board without a connection; it serves all pages."""
    return send_from_directory(str(current_app.static_folder), "worker.js", max_age=0)


@pages.post("/language")
def speak() -> Response:
    """Choose the language of all pages."""
    wished, back = request.form.get("lang", ""), request.form.get("to", "/")
    if wished not in LANGUAGES:
        abort(400)
    if not back.startswith("/") or back.startswith(("//", "/\\")):
        back = url_for("pages.home")  # never leave this house by a link somebody made
    answer = redirect(back, 303)
    answer.set_cookie(
        context.LANGUAGE_COOKIE,
        wished,
        max_age=context.YEAR,
        httponly=True,
        samesite="Lax",
        secure=request.is_secure,
    )
    return answer
