"""Export and import of groups, and of score sheets typed as CSV."""

from typing import Any

from flask import Response, request
from marshmallow import fields, post_load

from scorekeeper.services import exports, imports, paper_sheets
from scorekeeper.services.paper_sheets import SheetPreview
from scorekeeper.web import rate_limits
from scorekeeper.web.api.blueprint import (
    KEY,
    SECRET,
    AnswerSchema,
    answer,
    blp,
    idempotency_key,
    json_text,
)
from scorekeeper.web.api.group_answers import GroupSchema, NewGroupAnswerSchema
from scorekeeper.web.api.groups import group_response, new_group_response
from scorekeeper.web.api.parts import flag, integer, list_of, text
from scorekeeper.web.api.transfer import TAGS, ImportSchema, TableSchema, download
from scorekeeper.web.background import in_several_jobs
from scorekeeper.web.context import ledger
from scorekeeper.web.files import CSV, JSON, File
from scorekeeper.web.permissions import request_write
from scorekeeper.wire.csv_sheet import read_sheet
from scorekeeper.wire.schemas import RulesSchema, StakeSchema, rules_with_stake
from scorekeeper.wire.strict import REASONS, Choice, NestedObject, StrictSchema, load, refuse

MAX_GROUP = 8 * 1024 * 1024
"""Sixteen years of an evening a week, twelve rounds by points each; three years in full cards.

The command line has no such limit. A group is written in one transaction, during which nobody
else can record a round for a tenth of a second.
"""
MAX_SECONDS = 120
"""Time limit for checking a group; the largest by points takes a twentieth of it."""
MAX_LETTERS = 60_000


class MultilineText(fields.String):
    """A text of several lines."""

    default_error_messages = REASONS

    def _deserialize(self, value: Any, attr: Any, data: Any, **_: Any) -> str:
        if not isinstance(value, str):
            refuse("type")
        if len(value) > MAX_LETTERS:
            refuse("length", least=0, most=MAX_LETTERS)
        return value


class SheetSchema(StrictSchema):
    """A typed score sheet, and its rules; without any, the house rules of the group."""

    sheet = MultilineText(
        required=True,
        metadata={"maxLength": MAX_LETTERS, "examples": ["Date;Anna;Bernd\n2026-03-05;0;35"]},
    )
    rules = NestedObject(RulesSchema())
    stake = NestedObject(StakeSchema())

    @post_load
    def build(self, data: dict[str, Any], **_: Any) -> dict[str, Any]:
        """Return the sheet and its complete rules."""
        return {"sheet": data["sheet"], "rules": rules_with_stake(data)}


class PreviewSchema(StrictSchema):
    """Whether to only preview the sheet."""

    preview = Choice("true", "false", load_default="false")


PREVIEW = {
    "name": "preview",
    "in": "query",
    "description": "true: only read the sheet and store nothing",
    "schema": {"enum": ["true", "false"]},
}


class TypedPlayerSchema(AnswerSchema):
    """One column of an evening."""

    name = text()
    member = integer(allow_none=True, metadata={"description": "null for a new member"})
    total = integer()
    won = integer(metadata={"description": "the number of rounds won"})


class TypedEveningSchema(AnswerSchema):
    """One evening of a typed sheet."""

    day = text()
    rounds = integer()
    players = list_of(TypedPlayerSchema)
    winners = list_of(fields.String())
    known = flag(metadata={"description": "whether it is stored already"})


class SheetPreviewSchema(AnswerSchema):
    """The evenings of a typed sheet; nothing was stored."""

    evenings = list_of(TypedEveningSchema)


@blp.get("/groups/<group_id>/export.csv", tags=TAGS)
@blp.doc(**SECRET)
@blp.arguments(TableSchema(), location="query")
@blp.response(200, {"type": "string"}, content_type="text/csv")
def export_group_csv(query: dict[str, Any], group_id: str) -> Response:
    """Export all rounds, totals, settlements or payments of a group for a spreadsheet."""
    table = exports.group_table(ledger(), ledger().group(group_id), query["table"])
    return download(File(table, f"scorekeeper-{group_id}-{query['table']}.csv", CSV))


@blp.get("/groups/<group_id>/export.json", tags=TAGS)
@blp.doc(**SECRET)
@blp.response(200, {"type": "object"})
def export_group_json(group_id: str) -> Response:
    """Export a group with all its games; after an import, each has the same hash chain."""
    whole = exports.group_json(ledger(), ledger().group(group_id))
    return download(File(whole, f"scorekeeper-{group_id}.json", JSON))


@blp.post("/groups/import", tags=TAGS)
@blp.doc(requestBody={"content": {"application/json": {"schema": {"type": "object"}}}})
@blp.response(201, NewGroupAnswerSchema)
@blp.arguments(ImportSchema(), location="query")
@rate_limits.limit_import
def import_group(query: dict[str, Any]) -> Response:
    """Import a group with all its games, under new secrets; all or nothing.

    As with a single game, everything is checked and every round is scored again. as_it_was=true
    keeps differing scores and marks the group for good.
    """
    request.max_content_length = MAX_GROUP
    run = in_several_jobs(MAX_SECONDS)
    export, games = run(imports.group_from_json, json_text(request))
    as_it_was = query["as_it_was"] == "true"
    group = imports.read_group(export, games, as_it_was=as_it_was, run=run)
    return new_group_response(imports.write_group(ledger(), group))


@blp.post("/groups/<group_id>/sheets", tags=TAGS)
@blp.doc(**SECRET, parameters=[KEY, PREVIEW])
@blp.arguments(SheetSchema())
@blp.response(200, SheetPreviewSchema)
@blp.alt_response(201, schema=GroupSchema)
def import_sheet(body: dict[str, Any], group_id: str) -> Response:
    """Import a typed score sheet, all its evenings or none; preview=true only reads it.

    The first line holds the date and the names; every further line holds the points of a round.
    0 is the player who went out, an empty field a player who was away. Errors name line and
    column.
    """
    key = idempotency_key()  # checked also for a preview
    flags = {name: text for name, text in request.args.items() if name == "preview"}
    preview = load(PreviewSchema(), flags)["preview"] == "true"
    group, sheet = ledger().group(group_id), read_sheet(body["sheet"])
    rules = body["rules"] or paper_sheets.default_rules(group)
    if preview:
        previews = paper_sheets.preview_sheet(ledger(), group, sheet, rules)
        return answer({"evenings": [_evening(one) for one in previews]})
    after = paper_sheets.import_sheet(ledger(), group_id, sheet, rules, request_write(key=key))
    return group_response(after, status=201)


def _evening(one: SheetPreview) -> dict[str, Any]:
    columns = zip(one.typed.players, one.members, one.totals, one.game.sheet.tallies, strict=True)
    return {
        "day": one.typed.day,
        "rounds": len(one.typed.rounds),
        "players": [
            {"name": name, "member": member, "total": total, "won": tally.won}
            for name, member, total, tally in columns
        ],
        "winners": list(one.winners),
        "known": one.known,
    }
