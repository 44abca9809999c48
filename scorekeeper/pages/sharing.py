"""Letting others in: links and codes, the door they lead to, and the language of the house."""

from collections.abc import Mapping
from urllib.parse import urlsplit

import segno
from flask import abort, redirect, request, url_for
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


@pages.get("/g/<game_id>/share")
def share(game_id: str) -> str:
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


def share_page(game: Game, secrets: Mapping[str, str], *, begun: bool = False) -> str:
    """The links to a game, as far as they are known, each with its code to scan."""
    links = {right: _link(game.id, secret) for right, secret in secrets.items()}
    return page(
        "share.html",
        game=game,
        rights=RIGHTS,
        secrets=secrets,
        links=links,
        codes={right: _qr(link) for right, link in links.items()},
        begun=begun,
        only_here=urlsplit(request.host_url).hostname in LOOPBACK,
    )


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
    ledger().remember(context.new_browser(), game_id, secret)
    return redirect(url_for("pages.board", game_id=game_id), 303)


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
