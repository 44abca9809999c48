"""Commands that maintain the database: check, rebuild, backup, restore, erase."""

import os
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path

import click

from scorekeeper.cli.common import fail, in_language, system_words, with_data, with_progress
from scorekeeper.cli.files import reject_own_file
from scorekeeper.cli.ledgers import (
    make_folder,
    open_database,
    read_database,
    restore_hint,
    why_not_opened,
)
from scorekeeper.cli.output import check_line
from scorekeeper.config import Data, file_about
from scorekeeper.domain.game import changes
from scorekeeper.domain.game.state import Game
from scorekeeper.domain.group.state import Group
from scorekeeper.i18n import Language
from scorekeeper.services import names
from scorekeeper.services.clock import now
from scorekeeper.store import NotFound, NotSaved, Unreadable, last_check, read_ledger
from scorekeeper.store import check as checks
from scorekeeper.store.errors import InUse
from scorekeeper.store.sqlite import backup as backups
from scorekeeper.store.sqlite.backup import BadBackup, FewerEvents
from scorekeeper.wording.seasons import member_name


@click.command()
@click.option("--against", metavar="DIGITS", help="Find the state that a printed sheet shows.")
@click.option("--new", is_flag=True, help="Check only what is new since the last good check.")
@with_data
@in_language
def check(against: str | None, new: bool, data: Data, lang: Language) -> None:
    """Check the database: engine, hash chain, and a replay of every game.

    Nothing is written to it. The exit status is 1 if anything is wrong.
    """
    remembered = file_about(data, ".checked")
    with read_database(data, lang) as ledger:
        if against is not None:
            try:
                found = checks.find_digits(ledger, against)
            except ValueError:
                fail([lang("terminal.no_digits", digits=against)])
            for game, version in found:
                click.echo(lang("terminal.digits_found", game=game, version=version))
            if not found:
                fail([lang("terminal.digits_unknown", digits=against)])
            return
        last = ledger.store.inspection.last()
        report = checks.check(
            ledger,
            changes.score_again,
            with_progress,
            processes=checks.Processes(os.cpu_count() or 1, partial(read_ledger, data)),
            since=last_check.load(remembered) if new else None,
        )
    if last and report.good:
        last_check.save(remembered, last)
    for line in report.lines:
        click.echo(check_line(line, lang))
    if not report.good:
        fail([lang("terminal.check_bad"), restore_hint(data, lang)])
    if not report.clean:
        fail([lang("terminal.check_found")])


@click.command()
@with_data
@in_language
def rebuild(data: Data, lang: Language) -> None:
    """Recompute the stored results for seasons and statistics from the events.

    The exit status is 1 if a game or group is damaged; all others are recomputed.
    """
    with open_database(data, lang) as ledger:
        try:
            rebuilt = checks.rebuild(ledger, with_progress)
        except (NotSaved, Unreadable, ValueError, KeyError) as error:
            fail([lang("terminal.not_rebuilt", why=str(error))])
    click.echo(lang("terminal.rebuilt", n=rebuilt.changed, evenings=rebuilt.evenings))
    if rebuilt.damaged:
        fail(lang.problem(one.problem) for one in rebuilt.damaged)


@click.command()
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@with_data
@in_language
def backup(file: Path, data: Data, lang: Language) -> None:
    """Copy the database to FILE while it is in use, and verify the copy."""
    if not isinstance(data, Path):
        fail([lang("maintenance.servers_backups")])
    reject_own_file(file, data, lang)
    with open_database(data, lang) as ledger:
        try:
            report = backups.backup(ledger, file, now())
        except OSError as error:
            fail([f"{file}: {system_words(error, lang)}"])
        except InUse as error:
            fail(why_not_opened(error, file, lang))
        except (BadBackup, NotSaved, Unreadable) as error:
            fail([lang("terminal.backup_bad", why=str(error))])
    chain = report.line("chain").facts
    click.echo(
        lang("terminal.backup_done", file=str(file), games=chain["games"], events=chain["events"])
    )


@click.command()
@click.argument("file", metavar="BACKUP", type=click.Path(path_type=Path))
@click.option("--force", is_flag=True, help="Restore even if BACKUP has fewer events.")
@with_data
@in_language
def restore(file: Path, force: bool, data: Data, lang: Language) -> None:
    """Verify BACKUP and replace the database with it.

    The replaced database is kept beside it. No process may have the database open.
    """
    if not isinstance(data, Path):
        fail([lang("maintenance.servers_backups")])
    if not file.is_file():
        fail([lang("maintenance.no_file", file=str(file))])
    bad = lang("maintenance.not_restored", file=str(file))
    make_folder(data, lang)
    try:
        restored = backups.restore(file, data, now(), force=force)
    except FewerEvents as poorer:
        there = {"offered": poorer.offered, "there": poorer.there}
        fail([lang("maintenance.poorer", file=str(file), **there)])
    except BadBackup as error:
        fail([bad, *(check_line(line, lang) for line in error.report.lines if not line.ok)])
    except InUse as error:
        fail(why_not_opened(error, data, lang))
    except (NotSaved, Unreadable) as error:
        fail([bad, why_not_opened(error, file, lang)[0]])
    except OSError as error:
        fail([f"{error.filename or data}: {system_words(error, lang)}"])
    state = restored.state
    click.echo(lang("maintenance.restored", file=str(data), games=state.games, events=state.events))
    if state.last_backup:
        at = state.last_backup.at
        click.echo(lang("maintenance.taken", date=lang.date(at), time=lang.time(at)))
    if restored.replaced:
        click.echo(lang("maintenance.kept_aside", file=str(restored.replaced)))
    click.echo(lang("maintenance.codes_of_then"))


@click.command()
@click.option("--name", help="The name to erase; without --game or --group in the whole database.")
@click.option("--game", help="Erase in this game only.")
@click.option("--group", help="Erase in this group and its evenings only.")
@click.option("--number", type=click.IntRange(1), help="Number of the player or member, from 1.")
@click.option("--yes", is_flag=True, help="Erase; without it, only list what would be erased.")
@with_data
@in_language
def erase(
    name: str | None,
    game: str | None,
    group: str | None,
    number: int | None,
    yes: bool,
    data: Data,
    lang: Language,
) -> None:
    """Erase a person's name from the database file; the numbers stay.

    Choose the person by --name, or by --number in a game or group. This cannot be undone.
    """
    book = game or group
    if (game and group) or not (name or (book and number)) or (name and number):
        fail([lang("terminal.erase_whom")])
    with open_database(data, lang) as ledger:
        try:
            if book and number:
                found = names.Found((names.by_index(ledger, book, number - 1),))
            else:
                found = names.find_name(ledger, name or "", book)
        except (NotFound, IndexError):
            fail([lang("terminal.erase_nobody")])
        if not (found.occurrences or found.damaged):
            fail([lang("terminal.erase_nobody")])
        for line in found_lines(found.occurrences, lang):
            click.echo(line)
        left = [damaged.book_id for damaged in found.damaged]
        if yes:
            left += names.erase_occurrences(ledger, found.occurrences, name or "")
        has_traces = ledger.names.is_unclean()
    if found.occurrences:
        click.echo(lang("terminal.erase_done" if yes else "terminal.erase_ask"))
    if yes and has_traces:
        click.echo(lang("terminal.erase_traces"))
    if left:
        damage = [lang.problem(damaged.problem) for damaged in found.damaged]
        fail([*damage, lang("terminal.erase_left", ids=", ".join(left))])


def found_lines(found: Iterable[names.Occurrence], lang: Language) -> Iterator[str]:
    """Yield where a name occurs: ``Stammtisch abc "Donnerstag": Anna (3 Abende)``."""
    for occurrence in found:
        mentions = [_bearer(occurrence.book, number, lang) for number in occurrence.bearers]
        if occurrence.mentions:
            mentions.append(lang("terminal.erase_mentions", n=occurrence.mentions))
        if isinstance(occurrence.book, Group):
            kind, title = "group", occurrence.book.name
        else:
            day = lang.date(occurrence.book.created_at)
            kind, title = "game", occurrence.book.title or lang("pages.untitled", date=day)
        yield lang(
            f"terminal.erase_{kind}", id=occurrence.book.id, title=title, what=", ".join(mentions)
        )


def _bearer(book: Game | Group, number: int, lang: Language) -> str:
    """Return the name, in a group with its number of evenings."""
    if isinstance(book, Game):
        return book.players[number] or lang.seat(number)
    evenings = sum(number in seating.members for seating in book.evenings.values())
    return lang("terminal.erase_member", player=member_name(book, number, lang), n=evenings)
