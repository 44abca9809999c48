"""Seasons and statistics: the table, results between members, one member.

These answers carry no version, because they also change with games that move no money.
"""

from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any

from flask import Response

from scorekeeper import pdf
from scorekeeper.domain.group.season import Season
from scorekeeper.export.tables import season_csv
from scorekeeper.i18n import LANGUAGES
from scorekeeper.services import groups, seasons
from scorekeeper.services.statistics import statistics
from scorekeeper.web import paper
from scorekeeper.web.api.blueprint import SECRET, answer, blp
from scorekeeper.web.api.groups import MEMBER_PATH, check_member
from scorekeeper.web.api.paper import BINARY_SCHEMA, requested_language
from scorekeeper.web.api.season_answers import (
    EncountersSchema,
    MemberDetailsSchema,
    SeasonSchema,
    one_member_answer,
    season_answer,
)
from scorekeeper.web.api.transfer import download
from scorekeeper.web.context import ledger
from scorekeeper.web.files import CSV, PDF, File
from scorekeeper.wire.queries import SeasonQuerySchema, SpanSchema, span_of
from scorekeeper.wire.strict import Choice

TAGS = ["Season"]


@blp.get("/groups/<group_id>/season", tags=TAGS)
@blp.doc(**SECRET)
@blp.arguments(SeasonQuerySchema(), location="query")
@blp.response(200, SeasonSchema)
def read_season(query: dict[str, Any], group_id: str) -> Response:
    """Return the season table by points, average, evenings won, money, league score or rating.

    The average is per round. A rating is over all years, if the group keeps one. Training does
    not count. Members with too few rounds come last, without a rank.
    """
    return answer(season_answer(_table(group_id, query)))


def _table(group_id: str, query: dict[str, Any]) -> Season:
    choices, today = ledger().seasons.choices(group_id), datetime.now(UTC).date()
    question = seasons.question_of(query, choices, today)
    return seasons.season(ledger(), ledger().group(group_id), question)


class SeasonPaperQuerySchema(SeasonQuerySchema):
    """The table, its paper size and its language."""

    size = Choice(*pdf.SHEET_SIZES, load_default="A4")
    lang = Choice(*LANGUAGES)


@blp.get("/groups/<group_id>/season.pdf", tags=TAGS)
@blp.doc(**SECRET)
@blp.arguments(SeasonPaperQuerySchema(), location="query")
@blp.response(200, BINARY_SCHEMA, content_type=PDF)
def group_season_pdf(query: dict[str, Any], group_id: str) -> Response:
    """Return the season table as a PDF."""
    table = _table(group_id, query)
    return download(paper.season_table(table, requested_language(query), query["size"]))


@blp.get("/groups/<group_id>/season.csv", tags=TAGS)
@blp.doc(**SECRET)
@blp.arguments(SeasonQuerySchema(), location="query")
@blp.response(200, {"type": "string"}, content_type="text/csv")
def group_season_csv(query: dict[str, Any], group_id: str) -> Response:
    """Return the season table for a spreadsheet, with exact money and averages."""
    table = season_csv(_table(group_id, query)).encode()
    return download(File(table, f"scorekeeper-{group_id}-season.csv", CSV))


@blp.get("/groups/<group_id>/encounters", tags=TAGS)
@blp.doc(**SECRET)
@blp.arguments(SpanSchema(), location="query")
@blp.response(200, EncountersSchema)
def read_encounters(query: dict[str, Any], group_id: str) -> Response:
    """Return the results between every two members, pair by pair as in a settlement."""
    met = ledger().seasons.encounters(group_id, span_of(query))
    return answer({"encounters": [asdict(one) for one in met]})


@blp.get(MEMBER_PATH, tags=TAGS)
@blp.doc(**SECRET)
@blp.arguments(SpanSchema(), location="query")
@blp.response(200, MemberDetailsSchema)
def read_member(query: dict[str, Any], group_id: str, member: int) -> Response:
    """Return one member: figures, streaks, results against others, and their statement."""
    check_member(group_id, member)
    group = ledger().group(group_id)
    numbers = statistics(ledger(), group_id, span_of(query), member=member)
    entries = groups.statement(ledger(), group, member)
    return answer(one_member_answer(group, member, numbers, entries))
