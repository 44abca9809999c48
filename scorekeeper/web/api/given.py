"""Points without a round over REST."""

from typing import Any

from flask import Response, abort

from scorekeeper.services import given
from scorekeeper.web.api.answers import GameSchema, game_answer
from scorekeeper.web.api.blueprint import IF_MATCH, KEY, SECRET, answer, blp, preconditions
from scorekeeper.web.context import language, ledger
from scorekeeper.wire.given import GivenSchema

TAGS = ["Games"]


@blp.post("/games/<game_id>/points", tags=TAGS)
@blp.doc(**SECRET, parameters=[IF_MATCH, KEY])
@blp.arguments(GivenSchema())
@blp.response(201, GameSchema)
def give_points(body: dict[str, Any], game_id: str) -> Response:
    """Give points without a round.

    A starting score counts in the totals and the ranking, but is not settled: it makes up for
    rounds that were not played. Everything else is settled like a round in which all others
    got nothing.
    """
    game = given.give_points(ledger(), game_id, body, preconditions(game_id))
    return answer(game_answer(game, language()), game, status=201)


@blp.delete("/games/<game_id>/points/<int:number>", tags=TAGS)
@blp.doc(**SECRET, parameters=[IF_MATCH, KEY])
@blp.response(200, GameSchema)
def take_back_points(game_id: str, number: int) -> Response:
    """Take back points that were given, by the ``number`` that the game lists them with."""
    write = preconditions(game_id)
    try:
        game = given.take_back_points(ledger(), game_id, number, write)
    except KeyError:
        abort(404)
    return answer(game_answer(game, language()), game)
