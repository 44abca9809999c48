"""Sharing a game or group: its links, their secrets, and short codes to type."""

from typing import Any

from flask import Response, abort
from marshmallow import Schema

from scorekeeper.domain.game.state import Game
from scorekeeper.domain.history.book import Book
from scorekeeper.services import games
from scorekeeper.store.links import SecretName
from scorekeeper.web.api.answers import GameSchema, game_answer
from scorekeeper.web.api.blueprint import SECRET, AnswerSchema, answer, blp, unstored
from scorekeeper.web.api.parts import integer, text
from scorekeeper.web.context import language, ledger
from scorekeeper.web.links import current_link
from scorekeeper.web.permissions import request_write
from scorekeeper.web.short_codes import LIFE_S, find_link, short_codes
from scorekeeper.wire.strict import Choice, ShortText, StrictSchema

TAGS = ["Sharing"]
MAX_CODE = 40


class SecretBodySchema(StrictSchema):
    """The right whose secret is replaced."""

    right = Choice("pen", "watch", required=True)


class GameSecretBodySchema(StrictSchema):
    """The right whose secret is replaced; paper is printed on score sheets, and only reads."""

    right = Choice("pen", "watch", "paper", required=True)


class SecretSchema(AnswerSchema):
    """A new secret, which is shown only once."""

    right = text()
    secret = text()


class LinksSchema(AnswerSchema):
    """The links that open a group; null where a link can only be replaced, not shown."""

    pen = text(allow_none=True)
    watch = text(allow_none=True)


class GameLinksSchema(LinksSchema):
    """The links that open a game; paper is null unless score sheets are printed with it."""

    paper = text(allow_none=True)


class RenewedCodeSchema(StrictSchema):
    """The short code to keep alive; without one, a new code begins."""

    code = ShortText(1, MAX_CODE)


class TypedCodeSchema(StrictSchema):
    """A short code as somebody typed it."""

    code = ShortText(1, MAX_CODE, required=True)


class CodeSchema(AnswerSchema):
    """A short code, and the seconds it lives unless it is renewed."""

    code = text()
    seconds = integer()


class CodeAnswerSchema(AnswerSchema):
    """The game or group that a short code opens: its id, and its secret to watch."""

    kind = text()
    id = text()
    secret = text()


# ---- links and their secrets ---------------------------------------------------------


@blp.get("/games/<game_id>/links", tags=TAGS)
@blp.doc(**SECRET)
@blp.response(200, GameLinksSchema)
def read_links(game_id: str) -> Response:
    """Return the links that open a game, to be sent or shown as QR codes."""
    return _links(ledger().game(game_id), GameLinksSchema)


@blp.get("/groups/<group_id>/links", tags=TAGS)
@blp.doc(**SECRET)
@blp.response(200, LinksSchema)
def read_group_links(group_id: str) -> Response:
    """Return the links that open a group, to be sent or shown as QR codes."""
    return _links(ledger().group(group_id), LinksSchema)


def _links(book: Book, schema: type[Schema]) -> Response:
    names: list[SecretName] = list(schema._declared_fields)  # type: ignore[arg-type]
    return unstored({name: current_link(book.id, name) for name in names}, book)


@blp.post("/games/<game_id>/secrets", tags=TAGS)
@blp.doc(**SECRET)
@blp.arguments(GameSecretBodySchema())
@blp.response(201, SecretSchema)
@blp.alt_response(412, response="Stale")
def replace_secret(body: dict[str, Any], game_id: str) -> Response:
    """Replace a secret; the old one is refused from now on, the new one is shown only once.

    For paper, this also switches on that the pen prints score sheets with a code.
    """
    return _new_secret(game_id, body["right"])


@blp.post("/groups/<group_id>/secrets", tags=TAGS)
@blp.doc(**SECRET)
@blp.arguments(SecretBodySchema())
@blp.response(201, SecretSchema)
@blp.alt_response(412, response="Stale")
def replace_group_secret(body: dict[str, Any], group_id: str) -> Response:
    """Replace a secret of the group; the old one no longer opens the group or its games."""
    return _new_secret(group_id, body["right"])


def _new_secret(book_id: str, right: SecretName) -> Response:
    book, secret = games.replace_secret(ledger(), book_id, right, request_write())
    return unstored({"right": right, "secret": secret}, book, 201)


@blp.delete("/games/<game_id>/secrets/paper", tags=TAGS)
@blp.doc(**SECRET)
@blp.response(200, GameSchema)
@blp.alt_response(412, response="Stale")
def withdraw_paper(game_id: str) -> Response:
    """Refuse the codes on printed score sheets from now on; sheets are printed without one."""
    game: Game = games.withdraw_paper(ledger(), game_id, request_write())
    return answer(game_answer(game, language()), game)


# ---- short codes ---------------------------------------------------------------------


@blp.post("/games/<game_id>/codes", tags=TAGS, endpoint="open_code")
@blp.post("/groups/<group_id>/codes", tags=TAGS, endpoint="open_group_code")
@blp.doc(**SECRET)
@blp.arguments(RenewedCodeSchema())
@blp.response(201, CodeSchema)
def open_code(body: dict[str, Any], **args: str) -> Response:
    """Begin a short code that lets somebody watch a game or group, or keep one alive."""
    (book_id,) = args.values()
    secret = ledger().link_secret(book_id, "watch")
    if secret is None:
        abort(409)
    code = short_codes().renew(book_id, secret, body.get("code", ""))
    return unstored({"code": code, "seconds": LIFE_S}, status=201)


@blp.post("/games/<game_id>/codes/end", tags=TAGS, endpoint="end_code")
@blp.post("/groups/<group_id>/codes/end", tags=TAGS, endpoint="end_group_code")
@blp.doc(**SECRET)
@blp.arguments(TypedCodeSchema())
@blp.response(200, CodeSchema)
def end_code(body: dict[str, Any], **args: str) -> Response:
    """End a short code of a game or group before its time."""
    (book_id,) = args.values()
    short_codes().end(book_id, body["code"])
    return unstored({"code": body["code"], "seconds": 0})


@blp.post("/codes", tags=TAGS)
@blp.arguments(TypedCodeSchema())
@blp.response(200, CodeAnswerSchema)
@blp.alt_response(404, response="Unknown")
@blp.alt_response(429, response="TooMany")
def enter_code(body: dict[str, Any]) -> Response:
    """Exchange a short code for the secret to watch the game or group that it opens."""
    found = find_link(body["code"])
    if found is None:
        abort(404)
    book_id, secret = found
    return unstored({"kind": ledger().kind(book_id), "id": book_id, "secret": secret})
