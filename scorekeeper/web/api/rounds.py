"""The rounds of a game: record, preview, read, correct, strike out, restore."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace

from flask import Response, abort, request

from scorekeeper.domain.errors import RuleError
from scorekeeper.domain.game.changes import ScoredRound, at_place, next_round, with_newcomers
from scorekeeper.domain.game.frame import check_open
from scorekeeper.domain.game.rows import Row
from scorekeeper.domain.game.state import Game
from scorekeeper.services import games
from scorekeeper.store.writes import Write
from scorekeeper.web.api.answers import RoundAnswerSchema, ScoreSchema, round_answer, score_answer
from scorekeeper.web.api.blueprint import (
    IF_MATCH,
    IF_NONE_MATCH,
    KEY,
    REQUIRED_KEY,
    SECRET,
    answer,
    blp,
    conditional_after,
    preconditions,
    required_key,
)
from scorekeeper.web.api.examples import ROUNDS
from scorekeeper.web.background import score_entry
from scorekeeper.web.context import language, ledger, row_or_404
from scorekeeper.web.observability import round_recorded
from scorekeeper.web.permissions import request_write
from scorekeeper.wire.rounds import ROUND, RoundEntry

TAGS = ["Rounds"]
ROUND_PATH = "/games/<game_id>/rounds/<int:number>"


@blp.post("/games/<game_id>/rounds", tags=TAGS)
@blp.doc(**SECRET, parameters=[REQUIRED_KEY])
@blp.arguments(ROUND, examples=ROUNDS)
@blp.response(201, RoundAnswerSchema)
def record_round(entry: RoundEntry, game_id: str) -> Response:
    """Record a round and answer with its score and the new totals."""
    write = request_write(key=required_key())
    scored = _scored(entry, game_id, write)
    with ledger().defer_wait():  # the answer is put into words while the disk is busy
        if isinstance(scored, games.Recorded):
            recorded = scored
        else:
            recorded = games.record_round(ledger(), game_id, scored, write)
        response = _round_response(recorded.game, recorded.row, status=201)
    here = request.script_root + request.path
    response.headers["Location"] = f"{here}/{recorded.row.number}"
    round_recorded(repeated=recorded.repeated)
    return response


@blp.post("/games/<game_id>/rounds/preview", tags=TAGS)
@blp.doc(**SECRET)
@blp.arguments(ROUND, examples=ROUNDS)
@blp.response(200, ScoreSchema)
def preview_round(entry: RoundEntry, game_id: str) -> Response:
    """Return what a round would be worth in this game; nothing is stored."""
    game = ledger().game(game_id)
    next_round(game)  # there is none once the game is over
    check_open(game, "round")
    score = score_entry(game, entry, to_save=False).score
    return answer(score_answer(score, game.rules, language(), game.players), game)


@blp.get(ROUND_PATH, tags=TAGS)
@blp.doc(**SECRET, parameters=[IF_NONE_MATCH])
@blp.response(200, RoundAnswerSchema)
@conditional_after(lambda game_id, number: row_or_404(ledger().game(game_id), number))
def read_round(game_id: str, number: int) -> Response:
    """Return a round as it was declared, with its score."""
    return _numbered_round_response(ledger().game(game_id), number)


@blp.put(ROUND_PATH, tags=TAGS)
@blp.doc(**SECRET, parameters=[IF_MATCH, KEY])
@blp.arguments(ROUND, examples=ROUNDS)
@blp.response(200, RoundAnswerSchema)
def correct_round(entry: RoundEntry, game_id: str, number: int) -> Response:
    """Correct a round; the previous entry stays in the history."""
    return _placed(games.correct_round, "corrected", entry, game_id, number)


@blp.post(f"{ROUND_PATH}/insert", tags=TAGS)
@blp.doc(**SECRET, parameters=[IF_MATCH, KEY])
@blp.arguments(ROUND, examples=ROUNDS)
@blp.response(201, RoundAnswerSchema)
def insert_round(entry: RoundEntry, game_id: str, number: int) -> Response:
    """Insert a missed round before the one of this number; the later ones move on by one.

    It is scored under the rules of the round before it. Dealers and totals are worked out anew.
    """
    return _placed(games.insert_round, "inserted", entry, game_id, number, status=201)


def _placed(
    change: Callable[..., games.Recorded],
    kind: str,
    entry: RoundEntry,
    game_id: str,
    number: int,
    status: int = 200,
) -> Response:
    """Correct or insert a round, under the rules of its place."""
    write = preconditions(game_id)
    scored = _scored(entry, game_id, write, kind, number)
    if isinstance(scored, games.Recorded):
        return _round_response(scored.game, scored.row, status)
    try:
        recorded = change(ledger(), game_id, number, scored, write)
    except KeyError:
        abort(404)
    return _round_response(recorded.game, recorded.row, status)


def _scored(
    entry: RoundEntry, game_id: str, write: Write, kind: str = "round", number: int = 0
) -> ScoredRound | games.Recorded:
    """Score a round to be saved; a repeat that is refused now gets the result of the first time."""
    game, stated = ledger().game(game_id), entry.round
    facts = stated
    with suppress(KeyError):  # the change itself refuses a round that is not there
        if kind == "corrected":
            facts = with_newcomers(game, stated, number)
        game = at_place(game, kind, number)
    try:
        scored = score_entry(game, entry._replace(round=facts), to_save=True)
    except RuleError:
        first = games.recorded_before(ledger(), game_id, stated, write, kind, number)
        if first is None:
            raise
        return first
    return scored if facts is stated else replace(scored, stated=stated)


@blp.delete(ROUND_PATH, tags=TAGS)
@blp.doc(**SECRET, parameters=[IF_MATCH, KEY])
@blp.response(200, RoundAnswerSchema)
def strike_round(game_id: str, number: int) -> Response:
    """Strike out a round: it stays readable and no longer counts."""
    return _change_round(games.strike_round, game_id, number)


@blp.post(f"{ROUND_PATH}/restore", tags=TAGS)
@blp.doc(**SECRET, parameters=[IF_MATCH, KEY])
@blp.response(200, RoundAnswerSchema)
def restore_round(game_id: str, number: int) -> Response:
    """Restore a struck round, so that it counts again."""
    return _change_round(games.restore_round, game_id, number)


def _change_round(change: Callable[..., Game], game_id: str, number: int) -> Response:
    write = preconditions(game_id)
    try:
        return _numbered_round_response(change(ledger(), game_id, number, write), number)
    except KeyError:
        abort(404)


def _numbered_round_response(game: Game, number: int) -> Response:
    return _round_response(game, row_or_404(game, number))


def _round_response(game: Game, row: Row, status: int = 200) -> Response:
    return answer(round_answer(game, row, language()), game, status=status)
