"""A game: begin it, read it, change it, settle it, hand over its rights."""

from typing import Any

from flask import Response, abort, url_for

from scorekeeper.domain.changes import NewGame
from scorekeeper.domain.game import Game
from scorekeeper.services import erasure, games
from scorekeeper.web.api.answers import (
    GameSchema,
    HistorySchema,
    OpenedSchema,
    SettlementSchema,
    change_answer,
    game_answer,
    game_settlement_answer,
)
from scorekeeper.web.api.blueprint import (
    IF_MATCH,
    IF_NONE_MATCH,
    KEY,
    SECRET,
    Told,
    answer,
    blp,
    fresh,
    fresh_if,
    seen,
)
from scorekeeper.web.api.parts import text
from scorekeeper.web.context import language, ledger
from scorekeeper.web.rate_limits import begins
from scorekeeper.wire.schemas import DetailsSchema, NewGameSchema, PlayerSchema
from scorekeeper.wire.strict import Choice, Flag, Part, Strict, refuse

TAGS = ["Games"]


class GameChangeSchema(DetailsSchema):
    """What may change: title and place, or the end, or one player more; one at a time."""

    over = Flag()
    player = Part(PlayerSchema())

    def made(self, data: dict[str, Any]) -> dict[str, Any]:
        """The one change that was asked for: each is one entry of the history."""
        kinds = {"details" if name in ("title", "place") else name for name in data}
        if len(kinds) != 1:
            refuse("one_at_a_time" if kinds else "missing")
        return data


class SecretBodySchema(Strict):
    """The right whose secret is replaced."""

    right = Choice("pen", "watch", required=True)


class SecretSchema(Told):
    """A new secret; it is shown this once."""

    right = text()
    secret = text()


class PaidSchema(Strict):
    """Whether a payment was made."""

    paid = Flag(required=True)


@blp.post("/games", tags=TAGS)
@blp.arguments(NewGameSchema())
@blp.response(201, OpenedSchema)
@begins
def open_game(order: NewGame) -> Response:
    """Begin a game; the answer holds its secrets, this once."""
    return opened(games.open_game(ledger(), order))


def opened(begun: games.Opened) -> Response:
    """A game that is new here, with its secrets."""
    game = begun.game
    told = {"id": game.id, "pen": begun.pen, "watch": begun.watch}
    response = answer(told | {"game": game_answer(game, language())}, game, status=201)
    response.headers["Location"] = url_for("api.read_game", game_id=game.id)
    response.headers["Cache-Control"] = "no-store"
    return response


@blp.get("/games/<game_id>", tags=TAGS)
@blp.doc(**SECRET, parameters=[IF_NONE_MATCH])
@blp.response(200, GameSchema)
@fresh
def read_game(game_id: str) -> Response:
    """How a game stands: rounds, totals, ranking, who leads, who deals next."""
    return _told(ledger().game(game_id))


@blp.patch("/games/<game_id>", tags=TAGS)
@blp.doc(**SECRET, parameters=[IF_MATCH, KEY])
@blp.arguments(GameChangeSchema())
@blp.response(200, GameSchema)
def change_game(body: dict[str, Any], game_id: str) -> Response:
    """Change title and place, or end or reopen the game, or let one more player sit down."""
    about = seen(game_id)
    if "player" in body:
        return _told(games.add_player(ledger(), game_id, body["player"]["name"], **about))
    if "over" in body:
        change = games.end_game if body["over"] else games.reopen_game
        return _told(change(ledger(), game_id, **about))
    return _told(games.change_details(ledger(), game_id, body, **about))


def _told(game: Game) -> Response:
    return answer(game_answer(game, language()), game)


@blp.delete("/games/<game_id>/players/<int:seat>", tags=TAGS)
@blp.doc(**SECRET, parameters=[IF_MATCH, KEY])
@blp.response(200, GameSchema)
def erase_player(game_id: str, seat: int) -> Response:
    """Erase a player's name in this game, for good, also in notes; the numbers stay."""
    about = seen(game_id)
    if seat >= ledger().game(game_id).sheet.seats:
        abort(404)
    return _told(erasure.erase_player(ledger(), game_id, seat, **about))


@blp.get("/games/<game_id>/history", tags=TAGS)
@blp.doc(**SECRET, parameters=[IF_NONE_MATCH])
@blp.response(200, HistorySchema)
@fresh
def read_history(game_id: str) -> Response:
    """Every change: when, by which right, before and after."""
    game, lang = ledger().game(game_id), language()
    changes = games.history(ledger(), game_id)
    return answer({"changes": [change_answer(change, game, lang) for change in changes]}, game)


@blp.post("/games/<game_id>/secrets", tags=TAGS)
@blp.doc(**SECRET)
@blp.arguments(SecretBodySchema())
@blp.response(201, SecretSchema)
def replace_secret(body: dict[str, Any], game_id: str) -> Response:
    """Replace a secret: the old one is refused from now on, the new one shown this once."""
    return new_secret_answer(game_id, body["right"])


def new_secret_answer(book_id: str, right: str) -> Response:
    """The new secret of a game or group, this once."""
    book, secret = games.replace_secret(ledger(), book_id, right)
    response = answer({"right": right, "secret": secret}, book, status=201)
    response.headers["Cache-Control"] = "no-store"
    return response


@blp.get("/games/<game_id>/settlement", tags=["Settlement"])
@blp.doc(**SECRET, parameters=[IF_NONE_MATCH])
@blp.response(200, SettlementSchema)
@fresh_if(lambda game_id: ledger().game(game_id).settlement())
def read_settlement(game_id: str) -> Response:
    """Who pays whom as the game stands, and what is paid."""
    game = ledger().game(game_id)
    return answer(game_settlement_answer(game, language()), game)


@blp.put("/games/<game_id>/settlement/transfers/<int:number>", tags=["Settlement"])
@blp.doc(**SECRET, parameters=[IF_MATCH, KEY])
@blp.arguments(PaidSchema())
@blp.response(200, SettlementSchema)
def mark_paid(body: dict[str, Any], game_id: str, number: int) -> Response:
    """Tick a payment as made, or take the tick back; payments count from 0."""
    about = seen(game_id)
    try:
        game = games.mark_paid(ledger(), game_id, number, body["paid"], **about)
    except KeyError:
        abort(404)
    return answer(game_settlement_answer(game, language()), game)
