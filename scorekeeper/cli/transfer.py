"""Commands that export games and groups, copy databases, and generate a demo."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from datetime import date, datetime
from pathlib import Path

import click

from scorekeeper.cli.common import (
    fail,
    in_language,
    progress,
    system_words,
    with_data,
    with_progress,
)
from scorekeeper.cli.files import reject_database, say_written
from scorekeeper.cli.ledgers import (
    files_in,
    make_folder,
    open_database,
    read_database,
    why_not_opened,
)
from scorekeeper.cli.output import problem_line, secret_links
from scorekeeper.config import Data, file_about, place_of
from scorekeeper.domain.errors import RuleError
from scorekeeper.export.tables import TABLES, Table
from scorekeeper.i18n import Language
from scorekeeper.services.demo import DemoSettings, make
from scorekeeper.services.exports import NothingNamed, export_parts
from scorekeeper.store import (
    CannotOpen,
    Ledger,
    NotFound,
    NotSaved,
    Unreadable,
    copying,
    open_ledger,
)
from scorekeeper.store.errors import Diverged
from scorekeeper.store.files import replacing
from scorekeeper.store.report import SHOWN
from scorekeeper.store.sqlite.hold import hold
from scorekeeper.store.sqlite.migrations import outdated

FIRST_YEAR = 1900
"""Demo evenings end in this year or later."""


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
    table: Table | None,
    file: Path,
    data: Data,
    lang: Language,
) -> None:
    """Write a group or a game to FILE without loss, or a table of it.

    A group is written as lines of JSON, followed by its games; `import` reads them. Only its
    owner can read FILE.
    """
    reject_database(file, lang)
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
            fail([f"{file}: {system_words(error, lang)}"])
        except RuleError as error:
            fail(problem_line(found, lang) for found in error.problems)
    say_written(file, lang)


@click.command()
@click.argument("source", metavar="FROM", type=place_of)
@click.argument("target", metavar="TO", type=place_of)
@in_language
def copy(source: Data, target: Data, lang: Language) -> None:
    """Copy everything from one database to another: files, or addresses of PostgreSQL.

    No process may serve FROM meanwhile. If the copy is interrupted, run it again. FROM may also be
    a folder of SQLite files, as versions before 1.1 had for several tables. A file of an older
    version is upgraded first, as by a start of the server.
    """
    make_folder(target, lang)
    copied = copying.Copied()
    with open_database(target, lang, new=True) as into:
        for one in databases_in(source):
            with source_database(one, lang) as ledger:
                try:
                    copied += copying.copy(ledger.store, into.store, with_progress)
                except Diverged as diverged:
                    fail([lang("terminal.copy.conflict", id=diverged.book_id, file=str(target))])
                except (NotSaved, Unreadable) as error:
                    fail([lang("terminal.copy.broken", why=str(error))])
            copy_key(one, target)
    click.echo(lang("terminal.copied", n=copied.books, events=copied.events, same=copied.same))
    if copied.different:
        fail([lang("terminal.copy.different", ids=", ".join(copied.different[:SHOWN]))])
    click.echo(lang("terminal.copy.equal"))


def databases_in(source: Data) -> Sequence[Data]:
    """Return the database itself, or those in a folder: the main file and one for each table."""
    return (isinstance(source, Path) and files_in(source)) or [source]


@contextmanager
def source_database(data: Data, lang: Language) -> Iterator[Ledger]:
    """Open a database to copy from; a file must not be served meanwhile, and is upgraded."""
    try:
        with hold(data, "reserved") if isinstance(data, Path) and data.is_file() else nullcontext():
            if isinstance(data, Path) and outdated(data):
                open_ledger(data).close()
            with read_database(data, lang, locked=True) as ledger:
                yield ledger
    except CannotOpen as error:
        fail(why_not_opened(error, data, lang))


def copy_key(source: Data, target: Data) -> None:
    """Copy the key of the links, so that they can be shown again; an existing one is kept."""
    key, into = file_about(source, ".key"), file_about(target, ".key")
    if key.is_file() and not into.exists():
        with replacing(into) as part:
            part.write_bytes(key.read_bytes())


def _day_of_this_calendar(
    _: click.Context, option: click.Parameter, day: datetime | None
) -> datetime | None:
    """Refuse a day before which there would be no room for the evenings."""
    if day and day.year < FIRST_YEAR:
        raise click.BadParameter(str(day), param=option)
    return day


@click.command()
@click.option("--evenings", default=20, show_default=True, type=click.IntRange(1, 10_000))
@click.option("--members", default=6, show_default=True, type=click.IntRange(2, 40))
@click.option("--seed", default=1, show_default=True, help="Seed of the random numbers.")
@click.option(
    "--until",
    type=click.DateTime(["%Y-%m-%d"]),
    callback=_day_of_this_calendar,
    help="Day of the last evening; default: today.",
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
    last = until.date() if until else date.today()
    settings = DemoSettings(evenings, members, seed, last, lang("terminal.demo_name"))
    with open_database(data, lang, new=True) as ledger, progress(evenings) as step:
        founded = make(ledger, settings, step)
    group_id = founded.group.id
    click.echo(lang("terminal.founded", group=group_id, file=str(data)))
    click.echo("\n".join(secret_links(group_id, founded.pen, founded.watch, lang)))
