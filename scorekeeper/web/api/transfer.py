"""Export and import of games."""

from typing import Any

from flask import Response, request

from scorekeeper.domain.game.state import Game
from scorekeeper.export.tables import TABLES, game_table
from scorekeeper.services import imports
from scorekeeper.web import rate_limits
from scorekeeper.web.api.answers import NewGameAnswerSchema
from scorekeeper.web.api.blueprint import (
    IF_NONE_MATCH,
    SECRET,
    answer,
    blp,
    conditional,
    conditional_after,
    json_text,
    version_headers,
)
from scorekeeper.web.api.games import new_game_response
from scorekeeper.web.background import in_pool_later
from scorekeeper.web.context import ledger
from scorekeeper.web.files import CSV, File
from scorekeeper.wire.strict import Choice, StrictSchema

TAGS = ["Import and export"]
MAX_IMPORT = 1024 * 1024
"""An evening of 250 rounds in full cards, or of 2,000 by points."""


class ImportSchema(StrictSchema):
    """Whether to keep scores that today's rules would not give."""

    as_it_was = Choice("true", "false", load_default="false")


class TableSchema(StrictSchema):
    """The table to export."""

    table = Choice(*TABLES, load_default="rounds")


@blp.get("/games/<game_id>/export.csv", tags=TAGS)
@blp.doc(**SECRET, parameters=[IF_NONE_MATCH])
@blp.arguments(TableSchema(), location="query")
@blp.response(200, {"type": "string"}, content_type="text/csv")
@conditional_after(lambda query, game_id: _check_settlement(query["table"], game_id))
def export_csv(query: dict[str, Any], game_id: str) -> Response:
    """Export the rounds, totals, settlement or payments for a spreadsheet."""
    game = ledger().game(game_id)
    table = game_table(game, query["table"]).encode()
    return download(File(table, f"scorekeeper-{game_id}.csv", CSV), game)


def _check_settlement(table: str, game_id: str) -> None:
    """Raise RuleError if the table needs a settlement that cannot be made."""
    if table in ("settlements", "payments"):
        ledger().game(game_id).settlement()


def download(file: File, game: Game | None = None) -> Response:
    """Return a file to download; if it is about a game, with its version."""
    return file.response("attachment", version_headers(game))


@blp.get("/games/<game_id>/export.json", tags=TAGS)
@blp.doc(**SECRET, parameters=[IF_NONE_MATCH])
@blp.response(200, {"type": "object"})
@conditional
def export_json(game_id: str) -> Response:
    """Export a game except its secrets; after an import, it has the same hash chain."""
    game = ledger().game(game_id)
    return answer(ledger().export(game_id), game)


@blp.post("/games/import", tags=TAGS)
@blp.doc(requestBody={"content": {"application/json": {"schema": {"type": "object"}}}})
@blp.response(201, NewGameAnswerSchema)
@blp.arguments(ImportSchema(), location="query")
@rate_limits.limit_import
def import_game(query: dict[str, Any]) -> Response:
    """Import a game under new secrets.

    It must obey every rule of a game played here, and its rounds are scored again. Scores that
    differ are refused with both values (E_IMPORT_DIFFERS) unless as_it_was=true; then the game
    is marked for good.
    """
    request.max_content_length = MAX_IMPORT
    body, as_it_was = json_text(request), query["as_it_was"] == "true"
    game = in_pool_later(imports.game_from_json, body, as_it_was=as_it_was)
    return new_game_response(imports.write_game(ledger(), game))
