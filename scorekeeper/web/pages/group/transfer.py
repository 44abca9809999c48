"""Import of typed score sheets into a group, and export."""

from collections.abc import Iterator, Sequence
from typing import Any

from flask import abort, request, url_for
from werkzeug.wrappers import Response

from scorekeeper.domain.errors import Problem, RuleError
from scorekeeper.domain.group.state import Group
from scorekeeper.domain.rules import RuleSet
from scorekeeper.domain.rules.presets import PRESETS
from scorekeeper.export import tables
from scorekeeper.export.spreadsheet import Wording
from scorekeeper.i18n import Language
from scorekeeper.i18n.sheets import difference_words, left_out_words
from scorekeeper.services import exports
from scorekeeper.services.paper_sheets import (
    SheetPreview,
    default_rules,
    import_sheet,
    preview_sheet,
    read_for,
    rules_of,
)
from scorekeeper.store.writes import Write
from scorekeeper.web.background import in_several_jobs
from scorekeeper.web.context import language, ledger
from scorekeeper.web.files import CSV, JSON, File
from scorekeeper.web.pages.blueprint import Answer, group_or_404, handle_form, page, pages
from scorekeeper.web.rate_limits import limit_import
from scorekeeper.wire.csv_cells import DATE_ORDERS, decode_file
from scorekeeper.wire.csv_choices import ACTIONS, POINTS_KINDS, QUESTIONS, Choices
from scorekeeper.wire.csv_evening import Sheet

AS, EXISTING = "as.", "existing."
ANSWERS = (AS, EXISTING, "points", "dates")
"""The beginnings of the names of fields that answer questions."""
MAX_SECONDS = 120
"""Time limit for playing the evenings of a sheet."""
MAX_DIFFERENCES = 20
"""Rounds of one evening shown as different."""
SYSTEMS = tuple(PRESETS)


@pages.route("/s/<group_id>/in", methods=["GET", "POST"])
def group_import(group_id: str) -> Answer:
    """Import a typed score sheet after questions and a preview; also offers exports."""
    group = group_or_404(group_id)
    if request.method != "POST":
        return in_page(group)
    typed, take = "", request.form.get("do") == "take"
    try:
        typed = _typed()
        choices, rules = _choices(), rules_of(group, request.form.get("preset"))
        sheet = read_for(group, typed, choices)
        if sheet.questions or not take:
            return _preview(group, typed, sheet, rules), 422 if take else 200
    except RuleError as error:
        asked = not take and all(
            problem.facts.get("why") in QUESTIONS for problem in error.problems
        )
        return in_page(group, typed, problems=error.problems), 200 if asked else 422
    return handle_form(
        lambda write: _import(group_id, sheet, rules, write),
        url_for("pages.group", group_id=group_id),
        lambda **wrong: _preview_again(group_id, typed, sheet, rules, **wrong),
    )


@limit_import
def _import(group_id: str, sheet: Sheet, rules: RuleSet, write: Write) -> None:
    import_sheet(ledger(), group_id, sheet, rules, write, in_several_jobs(MAX_SECONDS))


def _typed() -> str:
    """Return the text of the field or of the uploaded file."""
    file = request.files.get("file")
    return decode_file(file.read()) if file and file.filename else request.form.get("sheet", "")


def _answers() -> dict[str, str]:
    """Return the answers given so far, by field; of a repeated one, the last counts."""
    fields = request.form.items(multi=True)
    return {name: value for name, value in fields if name.startswith(ANSWERS)}


def _choices() -> Choices:
    answers = _answers()
    headings = {name.removeprefix(AS): to for name, to in answers.items() if name.startswith(AS)}
    days = {name.removeprefix(EXISTING): action for name, action in answers.items()}
    return Choices(
        frozenset(heading for heading, to in headings.items() if to == "new"),
        frozenset(heading for heading, to in headings.items() if to == "out"),
        next((kind for kind in POINTS_KINDS if kind == answers.get("points")), None),
        next((order for order in DATE_ORDERS if order == answers.get("dates")), None),
        {day: action for day, to in days.items() for action in ACTIONS if action == to},
        language().zone,
    )


def _preview(group: Group, typed: str, sheet: Sheet, rules: RuleSet, **wrong: Any) -> str:
    """Return the questions of a sheet or, once they are answered, its preview."""
    if sheet.questions:
        return in_page(group, typed, sheet, problems=sheet.questions, **wrong)
    evenings = preview_sheet(ledger(), group, sheet, rules, in_several_jobs(MAX_SECONDS))
    return in_page(group, typed, sheet, evenings, **wrong)


def _preview_again(group_id: str, typed: str, sheet: Sheet, rules: RuleSet, **wrong: Any) -> str:
    """Return the preview for the current state of the group, or why there is none."""
    group = group_or_404(group_id)
    try:
        return _preview(group, typed, sheet, rules, **wrong)
    except RuleError as error:
        return in_page(group, typed, problems=error.problems)


def in_page(
    group: Group,
    typed: str = "",
    sheet: Sheet | None = None,
    evenings: Sequence[SheetPreview] = (),
    *,
    problems: Sequence[Problem] = (),
    stale: bool = False,
) -> str:
    """Render the page with its input, what is wrong with it, questions, or the preview."""
    lang = language()
    asks = not evenings and all(problem.facts.get("why") in QUESTIONS for problem in problems)
    left_out = sheet.left_out if sheet else ()
    words = [left_out_words(one.value, one.line, one.column, lang) for one in left_out]
    return page(
        "group_import.html",
        group=group,
        typed=typed,
        evenings=evenings,
        choosing=any(evening.existing and not evening.known for evening in evenings),
        to_import=sum(not evening.known for evening in evenings),
        differences=_differences,
        questions=problems if asks else (),
        answers={**_answers(), "preset": request.form.get("preset", "")},
        left_out=left_out,
        left_out_words=", ".join(words),
        wrong=[] if asks else [lang.problem(problem) for problem in problems],
        stale=stale,
        systems=SYSTEMS,
        chosen=request.form.get("preset", ""),
        house=default_rules(group),
        tables=tables.TABLES,
    )


def _differences(one: SheetPreview) -> list[str]:
    """Return how an evening differs from the game that is here, in words."""
    lang, found = language(), one.existing.differences if one.existing else ()
    words = [
        difference_words(each.number, each.kind, each.cells(one.names), each.facts, lang)
        for each in found[:MAX_DIFFERENCES]
    ]
    more = len(found) - len(words)
    return [*words, lang("groups.import.more", n=more)] if more else words


def in_words(lang: Language) -> Wording:
    """Return a function that words headings and values of tables in a language."""

    def word(text: str) -> str:
        for key in (f"csv.{text}", f"pages.outcome.{text}", f"preset.{text}"):
            if key in lang:
                return lang(key)
        name, _, tally = text.rpartition(" ")  # Anna minus
        return f"{name} {lang(f'csv.{tally}')}"

    return word


@pages.get("/s/<group_id>/export.csv")
def group_csv(group_id: str) -> Response:
    """Export a table of the group for a spreadsheet."""
    group, lang, name = group_or_404(group_id), language(), table_of_query()
    table = exports.group_table(ledger(), group, name, in_words(lang), lang.decimal_sign)
    return csv_file(table, f"{group_id}-{name}")


@pages.get("/g/<game_id>/export.csv")
def game_csv(game_id: str) -> Response:
    """Export a table of the game for a spreadsheet."""
    game, lang, name = ledger().game(game_id), language(), table_of_query()
    table = tables.game_table(game, name, in_words(lang), lang.decimal_sign)
    return csv_file(table.encode(), f"{game_id}-{name}")


@pages.get("/s/<group_id>/export.json")
def group_json(group_id: str) -> Response:
    """Export the whole group as one file, which can be imported elsewhere."""
    whole = exports.group_json(ledger(), group_or_404(group_id).id)
    return File(whole, f"scorekeeper-{group_id}.json", JSON).response("attachment")


def table_of_query() -> tables.Table:
    """Return the table named in the query; 404 if there is none."""
    name = request.args.get("table", "rounds")
    return next((table for table in tables.TABLES if table == name), None) or abort(404)


def csv_file(table: bytes | Iterator[str], name: str) -> Response:
    """Return a table as a file to download."""
    return File(table, f"scorekeeper-{name}.csv", CSV).response("attachment")
