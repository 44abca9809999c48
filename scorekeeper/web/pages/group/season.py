"""The season table of a group: as a page, as a PDF and for a spreadsheet."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any

from flask import Response, abort, request, url_for
from marshmallow import EXCLUDE
from werkzeug.wrappers import Response as AnyResponse

from scorekeeper import pdf
from scorekeeper.domain.errors import RuleError
from scorekeeper.domain.group.season import Season, Span, Standing
from scorekeeper.domain.group.state import Group
from scorekeeper.domain.group.units import in_finest, moneys
from scorekeeper.export.tables import season_csv
from scorekeeper.services import groups
from scorekeeper.services.seasons import question_of, season
from scorekeeper.web import paper
from scorekeeper.web.context import language, ledger
from scorekeeper.web.files import CSV, File
from scorekeeper.web.pages.blueprint import faults_of, first_field_name, handle_form, page, pages
from scorekeeper.web.pages.group.transfer import in_words
from scorekeeper.wire.queries import ORDERS, SeasonQuerySchema
from scorekeeper.wire.strict import load
from scorekeeper.wording.amounts import sums_format
from scorekeeper.wording.seasons import (
    member_name,
    money_format,
    order_words,
    span_words,
    value_words,
)

Answer = str | tuple[str, int]
QUERY = SeasonQuerySchema(unknown=EXCLUDE)


@pages.get("/s/<group_id>/season")
def season_table(group_id: str) -> Answer:
    """Show the season table by points, average, evenings won, money, league score or rating."""
    group = ledger().group(group_id)
    try:
        return _page(group, season_of_query(group, dict(request.args)), {}), 200
    except RuleError as error:
        return _page(group, None, faults_of(error.problems, first_field_name)), 422


def season_of_query(group: Group, fields: dict[str, str]) -> Season:
    """Return the table of a query; RuleError if the query is not valid."""
    query = load(QUERY, {name: text for name, text in fields.items() if text.strip()})
    zone = language().zone
    choices, today = ledger().seasons.choices(group.id, zone=zone), datetime.now(zone).date()
    question = question_of(query, choices, today, zone)
    return season(ledger(), group, question)


def season_now(group: Group) -> Season | None:
    """Return this year's table for the group's page; None before the first evening is over."""
    table = season_of_query(group, {})
    return table if table.standings else None


@pages.post("/s/<group_id>/rating")
def keep_rating(group_id: str) -> AnyResponse | Answer:
    """Keep a rating of the members, or none."""
    on = request.form.get("on") == "yes"

    def shown(**wrong: Any) -> str:
        group = ledger().group(group_id)
        return _page(group, season_of_query(group, {}), {}, **wrong)

    return handle_form(
        lambda write: groups.keep_rating(ledger(), group_id, on, write),
        url_for("pages.season_table", group_id=group_id, by="rating" if on else None),
        shown,
    )


def _page(group: Group, table: Season | None, faults: dict[str, list[str]], **shown: Any) -> str:
    choices = ledger().seasons.choices(group.id, zone=language().zone)
    kept = {"league": "gin" in choices.families, "rating": group.rating}
    return page(
        "season.html",
        group=group,
        season=table,
        faults=faults,
        choices=choices,
        units=[*_units(choices.units, table)],
        orders=ORDERS,
        absent=[order for order, is_kept in kept.items() if not is_kept],
        form=request.args,
        here_again=dict(request.args),
        **shown,
    )


def _units(units: Sequence[str], table: Season | None) -> Iterator[tuple[str, str, bool]]:
    """Yield a unit for each money, what amounts in it are written in, and whether the table is."""
    asked = table.question.unit if table else None
    chosen = in_finest(units)[asked][0] if asked and asked in units else None
    for unit in moneys(units):
        written = sums_format(unit, [])
        if table and table.question.by == "money" and unit == chosen:
            written = money_format(table)
        yield unit, written.unit, unit == chosen


@pages.app_template_global("member_name")
def _member_name(group: Group, member: int) -> str:
    return member_name(group, member, language())


@pages.app_template_global("season_span")
def _span(span: Span) -> str:
    return span_words(span, language())


@pages.app_template_global("season_value")
def _value(one: Standing, table: Season) -> str:
    return value_words(one.value, table, language())


@pages.app_template_global("season_order")
def _order(table: Season) -> Iterator[str]:
    return order_words(table, language())


@pages.get("/s/<group_id>/season.pdf")
def season_pdf(group_id: str) -> Response:
    """Return the table as a PDF."""
    size = request.args.get("size", "A4")
    if size not in pdf.SHEET_SIZES:
        abort(404)
    return paper.season_table(_season_or_404(group_id), language(), size).response("inline")


@pages.get("/s/<group_id>/season.csv")
def season_sheet(group_id: str) -> Response:
    """Return the table for a spreadsheet."""
    lang = language()
    table = season_csv(_season_or_404(group_id), in_words(lang), lang.decimal_sign).encode()
    return File(table, f"scorekeeper-{group_id}-season.csv", CSV).response("attachment")


def _season_or_404(group_id: str) -> Season:
    group = ledger().group(group_id)
    try:
        return season_of_query(group, dict(request.args))
    except RuleError:
        abort(404)
