"""The rounds of a game: write, preview, read, correct, strike out, restore."""

from collections.abc import Callable

from flask import Response, abort, request

from scorekeeper.domain.game import Game
from scorekeeper.domain.sheet import Row
from scorekeeper.services import games
from scorekeeper.web.api.answers import RoundAnswerSchema, ScoreSchema, round_answer, score_answer
from scorekeeper.web.api.blueprint import (
    IF_MATCH,
    IF_NONE_MATCH,
    KEY,
    NEEDED_KEY,
    SECRET,
    answer,
    blp,
    fresh_if,
    needed_key,
    seen,
)
from scorekeeper.web.api.examples import ROUNDS
from scorekeeper.web.background import previewed, scored
from scorekeeper.web.context import language, ledger
from scorekeeper.web.observability import round_recorded
from scorekeeper.wire.schemas import ROUND, Entry

TAGS = ["Rounds"]
ONE = "/games/<game_id>/rounds/<int:number>"


@blp.post("/games/<game_id>/rounds", tags=TAGS)
@blp.doc(**SECRET, parameters=[NEEDED_KEY])
@blp.arguments(ROUND, examples=ROUNDS)
@blp.response(201, RoundAnswerSchema)
def record_round(entry: Entry, game_id: str) -> Response:
    """Record a round; the answer holds its score, the new totals and ranking."""

    def record() -> tuple[games.Recorded, Response]:
        with ledger().waiting_later():
            recorded = games.record_round(
                ledger(),
                game_id,
                entry.round,
                key=needed_key(),
                noticed=entry.warnings,
            )
            return recorded, _told(recorded.game, recorded.row, status=201)

    recorded, response = scored(record, lambda: ledger().game(game_id), entry.round, entry.warnings)
    here = request.script_root + request.path
    response.headers["Location"] = f"{here}/{recorded.row.number}"
    round_recorded(repeated=recorded.repeated)
    return response


@blp.post("/games/<game_id>/rounds/preview", tags=TAGS)
@blp.doc(**SECRET)
@blp.arguments(ROUND, examples=ROUNDS)
@blp.response(200, ScoreSchema)
def preview_round(entry: Entry, game_id: str) -> Response:
    """What a round would be worth in this game; nothing is stored."""
    game = ledger().game(game_id)
    score = previewed(game, entry.round, entry.warnings)
    return answer(score_answer(score, language(), game.players), game)


@blp.get(ONE, tags=TAGS)
@blp.doc(**SECRET, parameters=[IF_NONE_MATCH])
@blp.response(200, RoundAnswerSchema)
@fresh_if(lambda game_id, number: _row(ledger().game(game_id), number))
def read_round(game_id: str, number: int) -> Response:
    """One round as it was declared, and what it was worth."""
    return _of(ledger().game(game_id), number)


@blp.put(ONE, tags=TAGS)
@blp.doc(**SECRET, parameters=[IF_MATCH, KEY])
@blp.arguments(ROUND, examples=ROUNDS)
@blp.response(200, RoundAnswerSchema)
def correct_round(entry: Entry, game_id: str, number: int) -> Response:
    """Write a round again; what stood there stays in the history."""
    about = seen(game_id)
    try:
        recorded = scored(
            lambda: games.correct_round(
                ledger(),
                game_id,
                number,
                entry.round,
                noticed=entry.warnings,
                **about,
            ),
            lambda: ledger().game(game_id),
            entry.round,
            entry.warnings,
        )
    except KeyError:
        abort(404)
    return _told(recorded.game, recorded.row)


@blp.delete(ONE, tags=TAGS)
@blp.doc(**SECRET, parameters=[IF_MATCH, KEY])
@blp.response(200, RoundAnswerSchema)
def strike_round(game_id: str, number: int) -> Response:
    """Strike a round out: it stays readable and counts for nothing."""
    return _turned(games.strike_round, game_id, number)


@blp.post(f"{ONE}/restore", tags=TAGS)
@blp.doc(**SECRET, parameters=[IF_MATCH, KEY])
@blp.response(200, RoundAnswerSchema)
def restore_round(game_id: str, number: int) -> Response:
    """Let a struck round count again."""
    return _turned(games.restore_round, game_id, number)


def _turned(change: Callable[..., Game], game_id: str, number: int) -> Response:
    about = seen(game_id)
    try:
        return _of(change(ledger(), game_id, number, **about), number)
    except KeyError:
        abort(404)


def _of(game: Game, number: int) -> Response:
    return _told(game, _row(game, number))


def _row(game: Game, number: int) -> Row:
    """The round of that number; 404 if there is none."""
    try:
        return game.sheet.row(number)
    except KeyError:
        abort(404)


def _told(game: Game, row: Row, status: int = 200) -> Response:
    return answer(round_answer(game, row, language()), game, status=status)
