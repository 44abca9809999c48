"""Export and import of groups, and of score sheets typed as CSV."""

from collections.abc import Mapping
from dataclasses import asdict, replace
from typing import Any

from flask import Response, request
from marshmallow import fields, post_load

from scorekeeper.domain.rules import RuleSet
from scorekeeper.i18n.findings import finding
from scorekeeper.services import exports, imports, paper_sheets
from scorekeeper.services.paper_sheets import SheetPreview
from scorekeeper.services.sheet_corrections import Existing
from scorekeeper.store.writes import Write
from scorekeeper.web import rate_limits
from scorekeeper.web.api.blueprint import (
    KEY,
    SECRET,
    AnswerSchema,
    FindingSchema,
    answer,
    blp,
    idempotency_key,
    json_text,
)
from scorekeeper.web.api.group_answers import GroupSchema, NewGroupAnswerSchema
from scorekeeper.web.api.groups import group_response, new_group_response
from scorekeeper.web.api.parts import flag, integer, list_of, part, text
from scorekeeper.web.api.transfer import TAGS, ImportSchema, TableSchema, download
from scorekeeper.web.background import in_several_jobs
from scorekeeper.web.context import language, ledger
from scorekeeper.web.files import CSV, JSON, File
from scorekeeper.web.permissions import request_write
from scorekeeper.wire.csv_cells import DATE_ORDERS
from scorekeeper.wire.csv_choices import ACTIONS, POINTS_KINDS, Choices
from scorekeeper.wire.csv_columns import LEFT_OUT
from scorekeeper.wire.csv_evening import Sheet
from scorekeeper.wire.csv_sheet import MAX_COLUMNS, MAX_ROWS
from scorekeeper.wire.queries import Day
from scorekeeper.wire.schemas import RulesSchema, StakeSchema, with_extras
from scorekeeper.wire.strict import (
    Choice,
    ListOf,
    NestedObject,
    ShortText,
    StrictSchema,
    load,
    reasons,
    refuse,
)

MAX_GROUP = 8 * 1024 * 1024
"""Sixteen years of an evening a week, twelve rounds by points each; three years in full cards.

The command line has no such limit. A group is written in one transaction, during which nobody
else can record a round for a tenth of a second.
"""
MAX_SECONDS = 120
"""Time limit for checking a group or a typed sheet; the largest group by points takes a twentieth
of it."""
MAX_LETTERS = 60_000
MAX_HEADING = 200


class MultilineText(fields.String):
    """A text of several lines."""

    default_error_messages = reasons("string")

    def _deserialize(self, value: Any, attr: Any, data: Any, **_: Any) -> str:
        if not isinstance(value, str):
            refuse("type", expected="string")
        if len(value) > MAX_LETTERS:
            refuse("length", least=0, most=MAX_LETTERS)
        return value


class ExistingSchema(StrictSchema):
    """What to do with an evening that is here already but differs."""

    day = Day(required=True)
    do = Choice(*ACTIONS, required=True)


def headings() -> ListOf:
    return ListOf(ShortText(1, MAX_HEADING), 0, MAX_COLUMNS, load_default=list)


class SheetSchema(StrictSchema):
    """A typed score sheet; rules and stake left out are those of the house rules.

    ``new_members`` are the names that may join the group, ``left_out`` the headings of columns
    that are no players. ``points`` and ``dates`` say how to read a sheet that can be read in two
    ways; ``day_totals`` are totals that begin anew every day. ``existing`` says by day what to do
    with evenings that are here already but differ.
    """

    sheet = MultilineText(
        required=True,
        metadata={"maxLength": MAX_LETTERS, "examples": ["Date;Anna;Bernd\n2026-03-05;0;35"]},
    )
    rules = NestedObject(RulesSchema())
    stake = NestedObject(StakeSchema())
    new_members = headings()
    left_out = headings()
    points = Choice(*POINTS_KINDS)
    dates = Choice(*DATE_ORDERS)
    existing = ListOf(NestedObject(ExistingSchema()), 0, MAX_ROWS, load_default=list)

    @post_load
    def build(self, data: dict[str, Any], **_: Any) -> dict[str, Any]:
        """Return the sheet, what it says about the rules, and the choices."""
        choices = Choices(
            frozenset(data["new_members"]),
            frozenset(data["left_out"]),
            data.get("points"),
            data.get("dates"),
            {one["day"]: one["do"] for one in data["existing"]},
        )
        stated = {name: data[name] for name in ("rules", "stake") if name in data}
        return {"sheet": data["sheet"], "stated": stated, "choices": choices}


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


class DifferingPointsSchema(AnswerSchema):
    """The points of a player whose round differs; null if the player was away."""

    name = text()
    stored = integer(allow_none=True)
    typed = integer(allow_none=True)


class DifferingRoundSchema(AnswerSchema):
    """A round that is not the same on the sheet and in the game."""

    round = integer()
    kind = text(metadata={"enum": ["changed", "new", "missing"]})
    points = list_of(DifferingPointsSchema)
    facts = list_of(
        fields.String(), metadata={"description": "columns beside the points that differ"}
    )


class ExistingEveningSchema(AnswerSchema):
    """The game that is this evening already, and how the sheet differs from it."""

    game = text()
    differences = list_of(DifferingRoundSchema)


class TypedEveningSchema(AnswerSchema):
    """One evening of a typed sheet."""

    day = text()
    rounds = integer()
    players = list_of(TypedPlayerSchema)
    winners = list_of(fields.String())
    known = flag(metadata={"description": "whether exactly this evening is stored already"})
    existing = part(ExistingEveningSchema, allow_none=True)
    action = text(
        allow_none=True,
        metadata={
            "enum": ["import", "replace", "skip", None],
            "description": "what an import does; null: to be decided in existing",
        },
    )


class LeftOutSchema(AnswerSchema):
    """A column that is no player, or a row that is no round; then column is null."""

    value = text()
    line = integer()
    column = integer(allow_none=True)
    why = text(metadata={"enum": list(LEFT_OUT)})


class SheetPreviewSchema(AnswerSchema):
    """The evenings of a typed sheet; nothing was stored.

    An import needs an answer to every question, in new_members or left_out, and a decision in
    existing for every evening without an action.
    """

    evenings = list_of(TypedEveningSchema)
    left_out = list_of(LeftOutSchema)
    questions = list_of(FindingSchema)


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
    whole = exports.group_json(ledger(), ledger().group(group_id).id)
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
@blp.alt_response(412, response="Stale")
def import_sheet(body: dict[str, Any], group_id: str) -> Response:
    """Import a typed score sheet, all its evenings or none; preview=true only reads it.

    The first line holds the date and the names; every further line holds the points of a round.
    0 is the player who went out, an empty field a player who was away. Errors name line and
    column. Columns that are no players are left out. Names that would join the group must be
    named in new_members. An evening that is here already is skipped, or its new rounds are added;
    one that differs must be decided in existing. If it is open how the numbers are to be read, the
    preview is refused too, with E_SHEET: why is day_month until dates is sent, and running until
    points is one of the kinds in the facts.
    """
    key = idempotency_key()  # checked also for a preview
    flags = {name: text for name, text in request.args.items() if name == "preview"}
    preview = load(PreviewSchema(), flags)["preview"] == "true"
    group = ledger().group(group_id)
    choices = replace(body["choices"], zone=language().zone)
    sheet = paper_sheets.read_for(group, body["sheet"], choices)
    stated = body["stated"]
    rules = with_extras(stated.get("rules", paper_sheets.default_rules(group)), stated)
    if preview:
        run = in_several_jobs(MAX_SECONDS)
        previews = paper_sheets.preview_sheet(ledger(), group, sheet, rules, run)
        return answer(
            {
                "evenings": [_evening(one) for one in previews],
                "left_out": [asdict(one) for one in sheet.left_out],
                "questions": [finding(question, language()) for question in sheet.questions],
            }
        )
    return _import_sheet(group_id, sheet, rules, request_write(key=key))


@rate_limits.limit_import
def _import_sheet(group_id: str, sheet: Sheet, rules: RuleSet, write: Write) -> Response:
    run = in_several_jobs(MAX_SECONDS)
    after = paper_sheets.import_sheet(ledger(), group_id, sheet, rules, write, run)
    return group_response(after, status=201)


def _evening(one: SheetPreview) -> dict[str, Any]:
    columns = zip(one.typed.players, one.members, one.totals, one.rounds_won, strict=True)
    return {
        "day": one.typed.day,
        "rounds": len(one.typed.rounds),
        "players": [
            {"name": name, "member": member, "total": total, "won": won}
            for name, member, total, won in columns
        ],
        "winners": list(one.winners),
        "known": one.known,
        "existing": one.existing and _existing(one.existing, one.names),
        "action": one.action,
    }


def _existing(existing: Existing, names: Mapping[int, str]) -> dict[str, Any]:
    return {
        "game": existing.game.id,
        "differences": [
            {
                "round": difference.number,
                "kind": difference.kind,
                "points": [
                    {"name": name, "stored": stored, "typed": typed}
                    for name, stored, typed in difference.cells(names)
                ],
                "facts": list(difference.facts),
            }
            for difference in existing.differences
        ],
    }
