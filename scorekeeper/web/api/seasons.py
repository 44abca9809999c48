"""Who stands where after many evenings: the season, everybody against everybody, one member.

None of these answers carries a version: they change with games that move no money, too.
"""

from datetime import date
from typing import Any

from flask import Response

from scorekeeper import pdf
from scorekeeper.domain.options import FAMILIES
from scorekeeper.domain.season import Season
from scorekeeper.export.spreadsheet import season_csv
from scorekeeper.i18n import LANGUAGES
from scorekeeper.services import groups, seasons
from scorekeeper.services.seasons import EVERY, MOST_ROUNDS, ORDERS
from scorekeeper.services.statistics import statistics
from scorekeeper.web.api.blueprint import SECRET, answer, blp
from scorekeeper.web.api.group_answers import (
    EncountersSchema,
    OneMemberSchema,
    SeasonSchema,
    encounter_answer,
    one_member_answer,
    season_answer,
)
from scorekeeper.web.api.groups import ONE_MEMBER, check_member
from scorekeeper.web.api.paper import FILE, KIND, wished
from scorekeeper.web.api.queries import Day, Digits, SpanSchema, span_of
from scorekeeper.web.api.travel import file_answer
from scorekeeper.web.background import in_pool
from scorekeeper.web.context import ledger
from scorekeeper.wire.schemas import OfOption
from scorekeeper.wire.strict import Choice, Line, Strict

TAGS = ["Season"]


class SeasonQuerySchema(Strict):
    """Which table; unless said, the average of this year in the family and unit played most."""

    by = Choice(*ORDERS)
    year = Line(1, 4)
    first = Day(data_key="from")
    last = Day(data_key="to")
    family = Choice(*FAMILIES, EVERY)
    unit = OfOption("settle.unit")
    min_rounds = Digits(0, MOST_ROUNDS)

    def made(self, found: dict[str, Any]) -> dict[str, str]:
        """The same by the names that an address has for it."""
        names = {"first": "from", "last": "to"}
        return {names.get(name, name): str(value) for name, value in found.items()}


@blp.get("/groups/<group_id>/season", tags=TAGS)
@blp.doc(**SECRET)
@blp.arguments(SeasonQuerySchema(), location="query")
@blp.response(200, SeasonSchema)
def read_season(query: dict[str, str], group_id: str) -> Response:
    """Who stands where, by points, average per round, evenings won, money or league score.

    Training is left out. Who played too few rounds is listed at the end, without a rank.
    """
    return answer(season_answer(_table(query, group_id)))


def _table(query: dict[str, str], group_id: str) -> Season:
    """The table of an address, read as its page reads it."""
    asked = seasons.asked(query, ledger().seasons.choices(group_id), date.today())
    return seasons.season(ledger(), ledger().group(group_id), asked)


class SeasonPaperQuerySchema(SeasonQuerySchema):
    """Which table, how large, in which language."""

    size = Choice(*pdf.SHEET_SIZES, load_default="A4")
    lang = Choice(*LANGUAGES)


@blp.get("/groups/<group_id>/season.pdf", tags=TAGS)
@blp.doc(**SECRET)
@blp.arguments(SeasonPaperQuerySchema(), location="query")
@blp.response(200, FILE, content_type=KIND)
def group_season_pdf(query: dict[str, str], group_id: str) -> Response:
    """The season on paper."""
    table = _table(query, group_id)
    paper = in_pool(pdf.season_table, table, wished(query), size=query["size"])
    return file_answer(paper, KIND, f"scorekeeper-{group_id}-season.pdf")


@blp.get("/groups/<group_id>/season.csv", tags=TAGS)
@blp.doc(**SECRET)
@blp.arguments(SeasonQuerySchema(), location="query")
@blp.response(200, {"type": "string"}, content_type="text/csv")
def group_season_csv(query: dict[str, str], group_id: str) -> Response:
    """The season for a spreadsheet, money and averages exact."""
    table = season_csv(_table(query, group_id)).encode("utf-8-sig")
    return file_answer(table, "text/csv; charset=utf-8", f"scorekeeper-{group_id}-season.csv")


@blp.get("/groups/<group_id>/encounters", tags=TAGS)
@blp.doc(**SECRET)
@blp.arguments(SpanSchema(), location="query")
@blp.response(200, EncountersSchema)
def read_encounters(query: dict[str, Any], group_id: str) -> Response:
    """Who beats whom: what stood between every two members, pair by pair as in a settlement."""
    met = ledger().seasons.encounters(group_id, span_of(query))
    return answer({"encounters": [encounter_answer(one) for one in met]})


@blp.get(ONE_MEMBER, tags=TAGS)
@blp.doc(**SECRET)
@blp.arguments(SpanSchema(), location="query")
@blp.response(200, OneMemberSchema)
def read_member(query: dict[str, Any], group_id: str, member: int) -> Response:
    """One member: figures, streaks, whom he beats, and the whole statement of his money."""
    check_member(group_id, member)
    group = ledger().group(group_id)
    found = statistics(ledger(), group_id, span_of(query), member=member)
    entries = groups.statement(ledger(), group, member)
    return answer(one_member_answer(group, member, found, entries))
