"""Games: begin, read, change, settle."""

from typing import Any

from flask import Response, abort, url_for
from marshmallow import post_load

from scorekeeper.domain.game.changes import MOST_SEATS, NewGame
from scorekeeper.domain.game.state import Game
from scorekeeper.services import erasure, games
from scorekeeper.web.api.answers import (
    GameSchema,
    HistorySchema,
    NewGameAnswerSchema,
    change_answer,
    game_answer,
)
from scorekeeper.web.api.blueprint import (
    IF_MATCH,
    IF_NONE_MATCH,
    KEY,
    SECRET,
    answer,
    blp,
    conditional,
    conditional_after,
    name_at,
    preconditions,
    unstored,
)
from scorekeeper.web.api.settlement_answers import SettlementSchema, game_settlement_answer
from scorekeeper.web.context import language, ledger
from scorekeeper.web.rate_limits import limit_creation
from scorekeeper.wire.frames import FrameSchema, frame_of
from scorekeeper.wire.schemas import NewGameSchema, PlayerSchema
from scorekeeper.wire.strict import Flag, NestedObject, StrictSchema, Whole, require_one

TAGS = ["Games"]
ONE_AT_A_TIME = ("over", "player", "thrown_away")


class NewcomerSchema(PlayerSchema):
    """Somebody who joins, perhaps in the place of a player who leaves, by seat."""

    in_place_of = Whole(0, MOST_SEATS - 1)


class GameChangeSchema(FrameSchema):
    """A correction of the frame, the end, one more player, or throwing away; one at a time.

    The frame is all but ``over``, ``player`` and ``thrown_away``. ``players`` are by seat, and an
    empty object keeps a name. ``order`` lists all seats clockwise, and ``options`` are house
    rules; both are for the rounds to come. ``stake`` is for all of them.
    """

    over = Flag()
    player = NestedObject(NewcomerSchema())
    thrown_away = Flag()

    @post_load
    def build(self, data: dict[str, Any], **_: Any) -> dict[str, Any]:
        """Refuse more than one change."""
        kinds = {name if name in ONE_AT_A_TIME else "frame" for name in data}
        require_one(kinds, data, self.fields)
        return data


class PaidSchema(StrictSchema):
    """Whether a payment was made."""

    paid = Flag(required=True)


@blp.post("/games", tags=TAGS)
@blp.arguments(NewGameSchema())
@blp.response(201, NewGameAnswerSchema)
@limit_creation
def create_game(new_game: NewGame) -> Response:
    """Begin a game; the answer holds its secrets, which are shown only once."""
    return new_game_response(games.create_game(ledger(), new_game))


def new_game_response(begun: games.CreatedGame) -> Response:
    """Return the response for a new game; secrets are null if the secrets of its group open it."""
    game = begun.game
    secrets = {"pen": begun.pen or None, "watch": begun.watch or None}
    body = {"id": game.id, **secrets, "game": game_answer(game, language())}
    response = unstored(body, game, 201)
    response.headers["Location"] = url_for("api.read_game", game_id=game.id)
    return response


@blp.get("/games/<game_id>", tags=TAGS)
@blp.doc(**SECRET, parameters=[IF_NONE_MATCH])
@blp.response(200, GameSchema)
@conditional
def read_game(game_id: str) -> Response:
    """Return a game: rounds, totals, ranking, leader and next deal."""
    return _game_response(ledger().game(game_id))


@blp.patch("/games/<game_id>", tags=TAGS)
@blp.doc(**SECRET, parameters=[IF_MATCH, KEY])
@blp.arguments(GameChangeSchema())
@blp.response(200, GameSchema)
def change_game(body: dict[str, Any], game_id: str) -> Response:
    """Correct the frame of an evening, end or reopen it, add a player, or throw it away.

    An evening that was thrown away takes no change until it is brought back. After 30 days it is
    erased with its links.
    """
    write = preconditions(game_id)
    if "player" in body:
        player = body["player"]
        place = player.get("in_place_of")
        with name_at("player", "name"):
            game = games.add_player(ledger(), game_id, player["name"], write, in_place_of=place)
        return _game_response(game)
    if "over" in body:
        change = games.end_game if body["over"] else games.reopen_game
        return _game_response(change(ledger(), game_id, write))
    if "thrown_away" in body:
        change = games.throw_away if body["thrown_away"] else games.bring_back
        return _game_response(change(ledger(), game_id, write))
    if body.keys() <= {"title", "place"}:
        return _game_response(games.change_details(ledger(), game_id, body, write))
    stake = {term: str(value) for term, value in body.get("stake", {}).items()}
    game = games.correct_frame(
        ledger(), game_id, {**body, "stake": stake}, lambda game: frame_of(body, game), write
    )
    return _game_response(game)


def _game_response(game: Game) -> Response:
    return answer(game_answer(game, language()), game)


@blp.delete("/games/<game_id>/players/<int:seat>", tags=TAGS)
@blp.doc(**SECRET, parameters=[IF_MATCH, KEY])
@blp.response(200, GameSchema)
def erase_player(game_id: str, seat: int) -> Response:
    """Erase a player's name in this game for good, also in notes; the numbers stay."""
    write = preconditions(game_id)
    if seat >= ledger().game(game_id).sheet.seats:
        abort(404)
    return _game_response(erasure.erase_player(ledger(), game_id, seat, write))


@blp.get("/games/<game_id>/history", tags=TAGS)
@blp.doc(**SECRET, parameters=[IF_NONE_MATCH])
@blp.response(200, HistorySchema)
@conditional
def read_history(game_id: str) -> Response:
    """Return every change: when, by which right, before and after."""
    game, lang = ledger().game(game_id), language()
    changes = games.history(ledger(), game_id)
    return answer({"changes": [change_answer(change, game, lang) for change in changes]}, game)


@blp.get("/games/<game_id>/settlement", tags=["Settlement"])
@blp.doc(**SECRET, parameters=[IF_NONE_MATCH])
@blp.response(200, SettlementSchema)
@conditional_after(lambda game_id: ledger().game(game_id).settlement())
def read_settlement(game_id: str) -> Response:
    """Return who pays whom as the game stands.

    Payments that were made have a ``paid_at``. They stay made, whatever changes in the game: the
    other transfers settle what they left, and too much paid is a payment back.
    """
    game = ledger().game(game_id)
    return answer(game_settlement_answer(game, language()), game)


@blp.put("/games/<game_id>/settlement/transfers/<int:number>", tags=["Settlement"])
@blp.doc(**SECRET, parameters=[IF_MATCH, KEY])
@blp.arguments(PaidSchema())
@blp.response(200, SettlementSchema)
def mark_paid(body: dict[str, Any], game_id: str, number: int) -> Response:
    """Mark a payment as made, or take it back; ``number`` counts ``transfers`` from 0.

    Numbers stay the same while payments are marked, but not when the game changes.
    """
    write = preconditions(game_id)
    ledger().game(game_id).settlement()  # without one there is no answer
    try:
        game = games.mark_paid(ledger(), game_id, number, body["paid"], write)
    except KeyError:
        abort(404)
    return answer(game_settlement_answer(game, language()), game)
