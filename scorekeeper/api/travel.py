"""A game as a table, as a whole, and back in."""

from collections.abc import Sequence
from typing import Any

from flask import Response, request

from scorekeeper import service
from scorekeeper.api.answers import OpenedSchema, game_answer
from scorekeeper.api.blueprint import (
    IF_NONE_MATCH,
    SECRET,
    answer,
    blp,
    fresh,
    fresh_if,
    headers_about,
    json_body,
)
from scorekeeper.api.games import opened
from scorekeeper.api.group_answers import group_answer
from scorekeeper.arrivals import EXPORT_DEPTH, check_book
from scorekeeper.context import language, ledger
from scorekeeper.domain.book import Event
from scorekeeper.domain.game import Game
from scorekeeper.domain.group import Group
from scorekeeper.extracts import TABLES, game_table
from scorekeeper.limits import imports
from scorekeeper.strict import Choice, Strict

TAGS = ["In and out"]
MOST_IMPORT = 4 * 1024 * 1024
"""A thousand rounds in full cards."""


class TableSchema(Strict):
    """Which table is asked for."""

    table = Choice(*TABLES, load_default="rounds")


@blp.get("/games/<game_id>/export.csv", tags=TAGS)
@blp.doc(**SECRET, parameters=[IF_NONE_MATCH])
@blp.arguments(TableSchema(), location="query")
@blp.response(200, {"type": "string"}, content_type="text/csv")
@fresh_if(lambda query, game_id: _can_be_told(query["table"], game_id))
def export_csv(query: dict[str, Any], game_id: str) -> Response:
    """The rounds as a table for a spreadsheet; or the totals, the settlement, the payments."""
    game = ledger().game(game_id)
    table = game_table(game, query["table"]).encode()
    return file_answer(table, "text/csv; charset=utf-8", f"scorekeeper-{game_id}.csv", game)


def _can_be_told(table: str, game_id: str) -> None:
    """RuleError where the table of an evening needs a settlement that cannot be made."""
    if table in ("settlements", "payments"):
        ledger().game(game_id).settlement()


def file_answer(content: bytes, kind: str, name: str, game: Game | None = None) -> Response:
    """A file to keep; about a game with its version."""
    kept = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(content, headers=headers_about(game) | kept, content_type=kind)


@blp.get("/games/<game_id>/export.json", tags=TAGS)
@blp.doc(**SECRET, parameters=[IF_NONE_MATCH])
@blp.response(200, {"type": "object"})
@fresh
def export_json(game_id: str) -> Response:
    """Everything of a game but its secrets; imported elsewhere it has the same chain."""
    game = ledger().game(game_id)
    return answer(ledger().export(game_id), game)


@blp.post("/games/import", tags=TAGS)
@blp.doc(requestBody={"content": {"application/json": {"schema": {"type": "object"}}}})
@blp.response(201, OpenedSchema)
@imports
def import_game() -> Response:
    """Take in an exported game whole, under new secrets."""
    request.max_content_length = MOST_IMPORT
    data = json_body(request, most_depth=EXPORT_DEPTH)
    return opened(service.import_game(ledger(), data, judge=judge))


def judge(book: Game | Group, events: Sequence[Event]) -> None:
    """What breaks a rule of form, or cannot be shown, is not taken in."""
    check_book(book, events)
    if isinstance(book, Game):
        game_answer(book, language())
    else:
        group_answer(book, (), {}, {})
