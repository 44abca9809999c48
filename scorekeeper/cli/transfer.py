"""Commands that export and import games and groups, and that generate a demo."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from datetime import date, datetime
from itertools import islice
from pathlib import Path
from shutil import copyfileobj
from tempfile import NamedTemporaryFile
from typing import TYPE_CHECKING

import click

from scorekeeper.cli.common import (
    fail,
    in_language,
    make_folder,
    open_database,
    progress,
    read_database,
    why_not_opened,
    with_data,
    with_progress,
)
from scorekeeper.config import Data, file_about, place_of
from scorekeeper.i18n import Language

if TYPE_CHECKING:
    from scorekeeper.export.tables import Table
    from scorekeeper.store.ledger import Ledger

# Repeated here, so that ``--help`` need not import the export modules.
TABLES = ("rounds", "totals", "settlements", "payments")


@click.command()
@click.option("--group", help="Export this group with all its games; default: the only group.")
@click.option("--game", help="Export this game.")
@click.option("--table", type=click.Choice(TABLES), help="Export a table as CSV instead.")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@with_data
@in_language
def export(
    group: str | None,
    game: str | None,
    table: "Table | None",
    file: Path,
    data: Data,
    lang: Language,
) -> None:
    """Write a group or a game to FILE without loss, or a table of it.

    A group is written as lines of JSON, followed by its games; `import` reads them. Only its
    owner can read FILE.
    """
    from scorekeeper.cli.output import problem_line
    from scorekeeper.domain.errors import RuleError
    from scorekeeper.services.exports import NothingNamed, export_parts
    from scorekeeper.store.errors import NotFound
    from scorekeeper.store.files import replacing

    with open_database(data, lang) as ledger:
        try:
            length, lines = export_parts(ledger, group, game, table)
            with (
                replacing(file) as part,
                progress(length) as step,
                part.open("w", encoding="utf-8", newline="") as out,
            ):
                for line in lines:
                    out.write(line)
                    step(1)
        except (NotFound, NothingNamed):
            known = [f"{one}  {ledger.group(one).name}" for one in ledger.groups()]
            fail([lang("terminal.what_to_export"), *known])
        except OSError as error:
            fail([f"{file}: {error.strerror}"])
        except RuleError as error:
            fail(problem_line(found, lang) for found in error.problems)
    click.echo(lang("terminal.paper_written", file=str(file)))


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
    from scorekeeper.cli.output import problem_line
    from scorekeeper.domain.errors import Problem, RuleError
    from scorekeeper.store.errors import AlreadyExists, NotFound
    from scorekeeper.store.exports import BadExport

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


def import_export(ledger: "Ledger", file: Path, as_it_was: bool, lang: Language) -> list[str]:
    """Import a game or a group; return the lines to print, with the new secrets."""
    from scorekeeper.domain.game import Game
    from scorekeeper.services import imports
    from scorekeeper.services.import_checks import HOST
    from scorekeeper.store.exports import FORMATS

    with seekable(file) as file, progress(file.stat().st_size) as step:
        export = next(imports.read_exports(file))
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
    ledger: "Ledger", group_id: str, preset: str | None, preview: bool, file: Path, lang: Language
) -> list[str]:
    """Import a CSV score sheet, unless ``preview``; return how it was read."""
    from scorekeeper.cli.output import sheet_lines
    from scorekeeper.services import paper_sheets
    from scorekeeper.wire.csv_sheet import decode_file, read_sheet

    group = ledger.group(group_id)
    sheet = read_sheet(decode_file(file.read_bytes()))
    rules = paper_sheets.rules_of(group, preset)
    lines = list(sheet_lines(paper_sheets.preview_sheet(ledger, group, sheet, rules), lang))
    if not preview:
        paper_sheets.import_sheet(ledger, group_id, sheet, rules)
        lines.append(lang("terminal.sheet_imported", n=len(sheet)))
    return lines


def secret_links(book_id: str, pen: str, watch: str, lang: Language) -> list[str]:
    """Return the links for writing and watching, to be appended to the server's address."""
    return [
        lang("terminal.pen_link", link=f"#{book_id}.{pen}"),
        lang("terminal.watch_link", link=f"#{book_id}.{watch}"),
    ]


@click.command()
@click.argument("source", metavar="FROM", type=place_of)
@click.argument("target", metavar="TO", type=place_of)
@in_language
def copy(source: Data, target: Data, lang: Language) -> None:
    """Copy everything from one database to another: files, or addresses of PostgreSQL.

    No process may serve FROM meanwhile. If the copy is interrupted, run it again. FROM may also be
    a folder of SQLite files, as versions before 1.1 had for several tables.
    """
    from scorekeeper.store import copying
    from scorekeeper.store.errors import NotSaved, Unreadable
    from scorekeeper.store.report import SHOWN

    make_folder(target, lang)
    copied = copying.Copied()
    with open_database(target, lang, new=True) as into:
        for one in databases_in(source):
            with source_record(one, lang) as ledger:
                try:
                    copied += copying.copy(ledger.store, into.store, with_progress)
                except copying.Conflict as conflict:
                    fail([lang("terminal.copy.conflict", id=conflict.book_id, file=str(target))])
                except (NotSaved, Unreadable) as error:
                    fail([lang("terminal.copy.broken", why=str(error))])
            copy_key(one, target)
    click.echo(lang("terminal.copied", n=copied.books, events=copied.events, same=copied.same))
    if copied.different:
        fail([lang("terminal.copy.different", ids=", ".join(copied.different[:SHOWN]))])
    click.echo(lang("terminal.copy.equal"))


def databases_in(source: Data) -> Sequence[Data]:
    """Return the database itself, or those in a folder: the main file and one for each table."""
    if not (isinstance(source, Path) and source.is_dir()):
        return [source]
    return sorted([*source.glob("*.sqlite"), *source.glob("t/*/*.sqlite")])


@contextmanager
def source_record(data: Data, lang: Language) -> Iterator["Ledger"]:
    """Open a database to copy from; a file must not be served meanwhile."""
    from scorekeeper.store.errors import CannotOpen
    from scorekeeper.store.sqlite.hold import hold

    try:
        with (
            hold(data, "serve") if isinstance(data, Path) and data.is_file() else nullcontext(),
            read_database(data, lang, locked=True) as ledger,
        ):
            yield ledger
    except CannotOpen as error:
        fail(why_not_opened(error, data, lang))


def copy_key(source: Data, target: Data) -> None:
    """Copy the key of the links, so that they can be shown again; an existing one is kept."""
    from scorekeeper.store.files import replacing

    key, into = file_about(source, ".key"), file_about(target, ".key")
    if key.is_file() and not into.exists():
        with replacing(into) as part:
            part.write_bytes(key.read_bytes())


@click.command()
@click.option("--evenings", default=20, show_default=True, type=click.IntRange(1, 10_000))
@click.option("--members", default=6, show_default=True, type=click.IntRange(2, 40))
@click.option("--seed", default=1, show_default=True, help="Seed of the random numbers.")
@click.option(
    "--until", type=click.DateTime(["%Y-%m-%d"]), help="Day of the last evening; default: today."
)
@click.option(
    "--data",
    type=place_of,
    metavar="FILE|postgresql://...",
    default=Path("demo.sqlite"),
    show_default=True,
    help="Database of the demo, separate from your own.",
)
@in_language
def demo(
    evenings: int,
    members: int,
    seed: int,
    until: datetime | None,
    data: Data,
    lang: Language,
) -> None:
    """Generate a group with evenings to look at: scorekeeper serve --data demo.sqlite."""
    from scorekeeper.services.demo import DemoSettings, make

    last = until.date() if until else date.today()
    wishes = DemoSettings(evenings, members, seed, last, lang("terminal.demo_name"))
    with open_database(data, lang, new=True) as ledger, progress(evenings) as step:
        founded = make(ledger, wishes, step)
    group_id = founded.group.id
    click.echo(lang("terminal.founded", group=group_id, file=str(data)))
    click.echo("\n".join(secret_links(group_id, founded.pen, founded.watch, lang)))
