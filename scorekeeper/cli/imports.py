"""The command that imports games, groups and paper score sheets."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict
from itertools import chain, islice
from pathlib import Path
from shutil import copyfileobj
from tempfile import NamedTemporaryFile
from typing import Any

import click

from scorekeeper.cli.common import fail, in_language, progress, with_data
from scorekeeper.cli.ledgers import open_database
from scorekeeper.cli.output import problem_line, secret_links, sheet_lines
from scorekeeper.config import Data
from scorekeeper.domain.errors import Problem, RuleError
from scorekeeper.domain.game.state import Game
from scorekeeper.i18n import Language
from scorekeeper.services import copies, imports, paper_sheets
from scorekeeper.services.import_checks import HOST
from scorekeeper.store import AlreadyExists, BadExport, Ledger, NotFound
from scorekeeper.store.exports import FORMATS
from scorekeeper.store.writes import PROGRAM
from scorekeeper.wire.csv_cells import DATE_ORDERS, decode_file
from scorekeeper.wire.csv_choices import ACTIONS, POINTS_KINDS, QUESTIONS, Choices


def _of_a_day(option: str, words: str) -> Callable[[Any], Any]:
    """Return an option about the evening of a day, which is here already."""
    day = click.DateTime(["%Y-%m-%d"])
    return click.option(option, multiple=True, type=day, metavar="DAY", help=words)


@click.command("import")
@click.option("--group", help="Import FILE as a paper score sheet (CSV) of this group.")
@click.option("--preset", help="Rule system of the sheet; default: the group's rules.")
@click.option("--preview", is_flag=True, help="Only show how the sheet is read.")
@click.option(
    "--new-members", multiple=True, metavar="NAME", help="This name on the sheet joins the group."
)
@click.option(
    "--leave-out", multiple=True, metavar="NAME", help="This column of the sheet is no player."
)
@click.option("--points", type=click.Choice(POINTS_KINDS), help="Points per round, or totals.")
@click.option("--dates", type=click.Choice(DATE_ORDERS), help="What 3/5/2026 begins with.")
@_of_a_day("--replace", "Correct the evening of this day to the sheet.")
@_of_a_day("--keep", "Keep both evenings of this day.")
@_of_a_day("--skip", "Do not import the evening of this day.")
@click.option(
    "--as-it-was", is_flag=True, help="Keep points that the rules score differently today."
)
@click.argument(
    "files", metavar="FILE...", nargs=-1, required=True, type=click.Path(path_type=Path)
)
@with_data
@in_language
def import_files(
    group: str | None,
    as_it_was: bool,
    files: tuple[Path, ...],
    data: Data,
    lang: Language,
    **options: Any,
) -> None:
    """Import what `export` wrote, or typed paper sheets; of each file everything or nothing."""
    if group is None and any(options.values()):
        fail([lang("terminal.whose_sheet")])
    with open_database(data, lang, new=group is None) as ledger:
        for file in files:
            try:
                if group is None:
                    lines = import_export(ledger, file, as_it_was, lang)
                else:
                    lines = import_csv(ledger, group, file, options, lang)
            except NotFound:
                fail([lang("terminal.no_group", group=str(group))])
            except BadExport:
                fail([f"{file}: {lang.problem(Problem('E_IMPORT'))}"])
            except AlreadyExists as known:
                problem = Problem("E_IMPORT", {"why": "known", "id": known.book_id})
                fail([f"{file}: {lang.problem(problem)}"])
            except RuleError as error:
                lines = [f"{file}: {problem_line(found, lang)}" for found in error.problems]
                if any(found.facts.get("why") in QUESTIONS for found in error.problems):
                    lines.append(lang("terminal.sheet_answers"))
                fail(lines)
            click.echo("\n".join(lines))


def import_export(ledger: Ledger, file: Path, as_it_was: bool, lang: Language) -> list[str]:
    """Import games, a group or a copy; return the lines to print, with the new secrets."""
    with seekable(file) as file, progress(file.stat().st_size) as step:
        exports = imports.read_exports(file, step)
        export = next(exports)
        if export.get("format") == copies.FORMAT:
            return import_copy(ledger, file.read_bytes(), as_it_was, lang)
        if export.get("format") == FORMATS[Game]:
            return import_games(ledger, chain([export], exports), as_it_was, lang)
        group = imports.read_group(export, exports, as_it_was=as_it_was, bounds=HOST)
        games = islice(imports.read_exports(file), 1, None)
        founded = imports.write_group(ledger, group, games)
    return _lines("terminal.group_imported", founded.group.id, founded.pen, founded.watch, lang)


def import_games(
    ledger: Ledger, exports: Iterable[Mapping[str, Any]], as_it_was: bool, lang: Language
) -> list[str]:
    """Import the games of a file, all or none."""
    ready = [imports.ready_game(one, as_it_was=as_it_was, bounds=HOST) for one in exports]
    with ledger.transaction():
        opened = [imports.write_game(ledger, game) for game in ready]
    return [
        line
        for one in opened
        for line in _lines("terminal.game_imported", one.game.id, one.pen, one.watch, lang)
    ]


def _lines(message: str, book_id: str, pen: str, watch: str, lang: Language) -> list[str]:
    return [lang(message, id=book_id), *secret_links(book_id, pen, watch, lang)]


def import_copy(ledger: Ledger, body: bytes, as_it_was: bool, lang: Language) -> list[str]:
    """Import everything that another installation has copied into one file; return the lines.

    They hold the links that are new, also those of a game whose links were replaced there. Exits
    if a game went on in another way there: what is here stays.
    """

    def links(book_id: str) -> tuple[str | None, str | None]:
        return ledger.link_secret(book_id, "pen"), ledger.link_secret(book_id, "watch")

    known = {*ledger.games(), *ledger.groups()}
    books = [str(book.get("id")) for book in copies.read_copy(body)]
    before = {book_id: links(book_id) for book_id in known.intersection(books)}
    taken = copies.take_copy(ledger, copies.read_copy(body), as_it_was=as_it_was)
    lines = [lang("terminal.copy_imported", **asdict(taken))]
    for book_id in books:
        pen, watch = now = links(book_id)
        if now != before.get(book_id) and pen and watch:
            lines += secret_links(book_id, pen, watch, lang)
    if taken.diverged:
        click.echo("\n".join(lines))
        fail([lang("terminal.copy_diverged")])
    return lines


@contextmanager
def seekable(file: Path) -> Iterator[Path]:
    """Yield a file that can be read more than once: a temporary copy if it is a pipe."""
    if file.is_file():
        yield file
        return
    with file.open("rb") as pipe, NamedTemporaryFile() as copy:
        copyfileobj(pipe, copy)
        copy.flush()
        yield Path(copy.name)


def choices_of(options: Mapping[str, Any], lang: Language) -> Choices:
    """Return the options of a sheet as choices."""
    days = {f"{day:%Y-%m-%d}": action for action in ACTIONS for day in options[action]}
    joining, left_out = frozenset(options["new_members"]), frozenset(options["leave_out"])
    return Choices(joining, left_out, options["points"], options["dates"], days, lang.zone)


def import_csv(
    ledger: Ledger, group_id: str, file: Path, options: Mapping[str, Any], lang: Language
) -> list[str]:
    """Import a CSV score sheet, or only preview it; return how it was read."""
    text, choices = decode_file(file.read_bytes()), choices_of(options, lang)
    group = ledger.group(group_id)
    rules = paper_sheets.rules_of(group, options["preset"])
    sheet = paper_sheets.read_for(group, text, choices)
    evenings = paper_sheets.preview_sheet(ledger, group, sheet, rules)
    lines = list(sheet_lines(sheet, evenings, lang))
    if not options["preview"]:
        paper_sheets.import_sheet(ledger, group_id, sheet, rules, PROGRAM)
        written = sum(evening.action != "skip" for evening in evenings)
        lines.append(lang("terminal.sheet_imported", n=written))
    return lines
