"""Import of typed score sheets into a group, and export."""

from collections.abc import Iterator, Sequence
from typing import Any

from flask import abort, request, url_for
from werkzeug.wrappers import Response

from scorekeeper.domain.errors import Problem, RuleError
from scorekeeper.domain.group import Group
from scorekeeper.domain.options import RuleSet
from scorekeeper.domain.presets import PRESETS
from scorekeeper.export import tables
from scorekeeper.export.spreadsheet import Wording
from scorekeeper.i18n import Language
from scorekeeper.services import exports
from scorekeeper.services.paper_sheets import (
    SheetPreview,
    default_rules,
    import_sheet,
    preview_sheet,
    rules_of,
)
from scorekeeper.web.context import language, ledger
from scorekeeper.web.files import CSV, JSON, File
from scorekeeper.web.pages.blueprint import Answer, group_or_404, handle_form, page, pages
from scorekeeper.wire.csv_sheet import FAMILIES, TypedEvening, decode_file, read_sheet

SYSTEMS = tuple(name for name, rules in PRESETS.items() if rules.family in FAMILIES)


@pages.route("/s/<group_id>/in", methods=["GET", "POST"])
def group_import(group_id: str) -> Answer:
    """Import a typed score sheet after a preview; also offers exports."""
    group = group_or_404(group_id)
    if request.method != "POST":
        return in_page(group)
    typed = ""
    try:
        typed = _typed()
        rules = rules_of(group, request.form.get("preset"))
        sheet = read_sheet(typed)
        if request.form.get("do") != "take":
            return in_page(group, typed, preview_sheet(ledger(), group, sheet, rules))
    except RuleError as error:
        return in_page(group, typed, problems=error.problems), 422
    return handle_form(
        lambda version, key: import_sheet(
            ledger(), group_id, sheet, rules, expect=version, key=key
        ),
        url_for("pages.group", group_id=group_id),
        lambda **wrong: _preview_again(group_id, typed, sheet, rules, **wrong),
    )


def _typed() -> str:
    """Return the text of the field or of the uploaded file."""
    file = request.files.get("file")
    return decode_file(file.read()) if file and file.filename else request.form.get("sheet", "")


def _preview_again(
    group_id: str, typed: str, sheet: Sequence[TypedEvening], rules: RuleSet, **wrong: Any
) -> str:
    """Return the preview again for the current state of the group."""
    group = group_or_404(group_id)
    return in_page(group, typed, preview_sheet(ledger(), group, sheet, rules), **wrong)


def in_page(
    group: Group,
    typed: str = "",
    evenings: Sequence[SheetPreview] = (),
    *,
    problems: Sequence[Problem] = (),
    stale: bool = False,
) -> str:
    """Render the page with its input, what is wrong with it, or the preview."""
    return page(
        "group_import.html",
        group=group,
        typed=typed,
        evenings=evenings,
        known=[one for one in evenings if one.known],
        wrong=[language().problem(problem) for problem in problems],
        stale=stale,
        systems=SYSTEMS,
        chosen=request.form.get("preset", ""),
        house=default_rules(group),
        tables=tables.TABLES,
    )


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
    whole = exports.group_json(ledger(), group_or_404(group_id))
    return File(whole, f"scorekeeper-{group_id}.json", JSON).response("attachment")


def table_of_query() -> tables.Table:
    """Return the table named in the query; 404 if there is none."""
    name = request.args.get("table", "rounds")
    return next((table for table in tables.TABLES if table == name), None) or abort(404)


def csv_file(table: bytes | Iterator[str], name: str) -> Response:
    """Return a table as a file to download."""
    return File(table, f"scorekeeper-{name}.csv", CSV).response("attachment")
