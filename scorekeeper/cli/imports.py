"""The command that imports games, groups and paper score sheets."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from itertools import islice
from pathlib import Path
from shutil import copyfileobj
from tempfile import NamedTemporaryFile

import click

from scorekeeper.cli.common import fail, in_language, progress, with_data
from scorekeeper.cli.ledgers import open_database
from scorekeeper.cli.output import problem_line, secret_links, sheet_lines
from scorekeeper.config import Data
from scorekeeper.domain.errors import Problem, RuleError
from scorekeeper.domain.game import Game
from scorekeeper.i18n import Language
from scorekeeper.services import copies, imports, paper_sheets
from scorekeeper.services.import_checks import HOST
from scorekeeper.store import AlreadyExists, BadExport, Ledger, NotFound
from scorekeeper.store.exports import FORMATS
from scorekeeper.wire.csv_sheet import decode_file, read_sheet


@click.command("import")
@click.option("--group", help="Import FILE as a paper score sheet (CSV) of this group.")
@click.option("--preset", help="Rule system of the sheet; default: the group's rules.")
@click.option("--preview", is_flag=True, help="Only show how the sheet is read.")
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
    preset: str | None,
    preview: bool,
    as_it_was: bool,
    files: tuple[Path, ...],
    data: Data,
    lang: Language,
) -> None:
    """Import games and groups that `export` wrote, or a typed paper sheet; all of it or nothing."""
    if group is None and (preset or preview):
        fail([lang("terminal.whose_sheet")])
    with open_database(data, lang, new=group is None) as ledger:
        for file in files:
            try:
                if group is None:
                    lines = import_export(ledger, file, as_it_was, lang)
                else:
                    lines = import_csv(ledger, group, preset, preview, file, lang)
            except OSError as error:
                fail([f"{file}: {error.strerror}"])
            except NotFound:
                fail([lang("terminal.no_group", group=str(group))])
            except BadExport:
                fail([f"{file}: {lang.problem(Problem('E_IMPORT'))}"])
            except AlreadyExists as known:
                problem = Problem("E_IMPORT", {"why": "known", "id": known.book_id})
                fail([f"{file}: {lang.problem(problem)}"])
            except RuleError as error:
                fail(f"{file}: {problem_line(found, lang)}" for found in error.problems)
            click.echo("\n".join(lines))


def import_export(ledger: Ledger, file: Path, as_it_was: bool, lang: Language) -> list[str]:
    """Import a game, a group or a copy; return the lines to print, with the new secrets."""
    with seekable(file) as file, progress(file.stat().st_size) as step:
        export = next(imports.read_exports(file))
        if export.get("format") == copies.FORMAT:
            return import_copy(ledger, file.read_bytes(), as_it_was, lang)
        if export.get("format") == FORMATS[Game]:
            opened = imports.import_game(ledger, export, as_it_was=as_it_was, bounds=HOST)
            book_id, pen, watch = opened.game.id, opened.pen, opened.watch
            message = "terminal.game_imported"
        else:
            games = islice(imports.read_exports(file, step), 1, None)
            group = imports.read_group(export, games, as_it_was=as_it_was, bounds=HOST)
            games = islice(imports.read_exports(file), 1, None)
            founded = imports.write_group(ledger, group, games)
            book_id, pen, watch = founded.group.id, founded.pen, founded.watch
            message = "terminal.group_imported"
    return [lang(message, id=book_id), *secret_links(book_id, pen, watch, lang)]


def import_copy(ledger: Ledger, body: bytes, as_it_was: bool, lang: Language) -> list[str]:
    """Import everything that another installation has copied into one file."""
    before = {*ledger.games(), *ledger.groups()}
    taken = copies.take_copy(ledger, copies.read_copy(body), as_it_was=as_it_was)
    lines = [lang("terminal.copy_imported", **asdict(taken))]
    for book in copies.read_copy(body):
        if (book_id := book["id"]) not in before:
            pen, watch = (ledger.link_secret(book_id, right) or "" for right in ("pen", "watch"))
            lines += secret_links(book_id, pen, watch, lang)
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


def import_csv(
    ledger: Ledger, group_id: str, preset: str | None, preview: bool, file: Path, lang: Language
) -> list[str]:
    """Import a CSV score sheet, unless ``preview``; return how it was read."""
    group = ledger.group(group_id)
    sheet = read_sheet(decode_file(file.read_bytes()))
    rules = paper_sheets.rules_of(group, preset)
    lines = list(sheet_lines(paper_sheets.preview_sheet(ledger, group, sheet, rules), lang))
    if not preview:
        paper_sheets.import_sheet(ledger, group_id, sheet, rules)
        lines.append(lang("terminal.sheet_imported", n=len(sheet)))
    return lines
