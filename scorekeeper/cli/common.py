"""Shared parts of the commands: options, access to the database, progress bars, error exits."""

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import click

from scorekeeper import config
from scorekeeper.config import Data, file_about, place_of
from scorekeeper.i18n import LANGUAGES, Language, language, pick_language

if TYPE_CHECKING:
    from scorekeeper.store.ledger import Ledger

Command = Callable[..., None]


def in_language(command: Command) -> Command:
    """Add ``--lang`` to a command; the default is the language of the terminal."""
    return click.option(
        "--lang",
        type=click.Choice(LANGUAGES),
        callback=lambda context, option, preferred: terminal_language(preferred),
        help="Language of the output; default: that of the terminal (LC_ALL, LANG).",
    )(command)


def with_data(command: Command) -> Command:
    """Add ``--data`` to a command: the database file, or the address of a PostgreSQL database."""
    return click.option(
        "--data",
        type=place_of,
        metavar="FILE|postgresql://...",
        default=config.default_data,
        envvar="SCOREKEEPER_DATA",
        help="Database; default: SCOREKEEPER_DATA, else a file in the user's data folder.",
    )(command)


def terminal_language(preferred: str | None = None) -> Language:
    """Return the preferred language, else that of the terminal, else English."""
    names = (os.environ.get(name) for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    locale = next(filter(None, names), "C")
    code = pick_language([locale[:2]], preferred)
    try:
        return language(code, config.settings()["TIMEZONE"])
    except config.UnknownZone as zone:
        fail([language(code)("terminal.no_zone", zone=str(zone))])
    except config.BadSetting as bad:
        fail([language(code)("terminal.bad_setting", setting=str(bad))])


with_house_rules = click.option(
    "--option", "options", multiple=True, metavar="NAME=VALUE", help="A house rule."
)


def house_rules(options: tuple[str, ...], lang: Language) -> dict[str, object]:
    """Return house rules such as ``joker.hand_value=50``; exits if one has no value."""
    from scorekeeper.wire.strict import read_word

    values = [option.partition("=") for option in options]
    if wrong := [name for name, equals, _ in values if not equals]:
        fail([lang("terminal.no_value", option=wrong[0])])
    return {name.strip(): read_word(value.strip()) for name, _, value in values}


@contextmanager
def progress(steps: int) -> Iterator[Callable[[int], None]]:
    """Show a progress bar for several steps, if standard error is a terminal."""
    hidden = steps < 2 or not sys.stderr.isatty()
    with click.progressbar(length=steps, hidden=hidden, file=sys.stderr, show_pos=True) as bar:
        yield bar.update


def with_progress(items: list[Any]) -> Iterator[Any]:
    """Yield the items, with a progress bar."""
    with progress(len(items)) as step:
        for item in items:
            yield item
            step(1)


@contextmanager
def open_database(data: Data, lang: Language, *, new: bool = False) -> Iterator["Ledger"]:
    """Open the ledger of a PostgreSQL database or an existing file, or of a new one if ``new``."""
    from scorekeeper.store import open_ledger
    from scorekeeper.store.errors import CannotOpen, NotSaved
    from scorekeeper.store.sqlite.hold import hold
    from scorekeeper.store.sqlite.migrations import outdated

    reject_folder(data, lang)
    if isinstance(data, Path) and not (new or data.is_file()):
        fail([lang("terminal.no_database", file=str(data))])
    with ExitStack() as stack:
        try:
            if isinstance(data, Path):
                stack.enter_context(hold(data, "serve" if outdated(data) else "visit"))
            ledger = open_ledger(
                data,
                journal=os.environ.get("SCOREKEEPER_JOURNAL"),
                link_key=os.environ.get("SCOREKEEPER_SECRET_KEY"),
            )
        except (CannotOpen, NotSaved) as error:
            fail(why_not_opened(error, data, lang))
        stack.callback(ledger.close)
        yield ledger


@contextmanager
def read_database(data: Data, lang: Language, *, locked: bool = False) -> Iterator["Ledger"]:
    """Open the ledger of a database read-only; exits if it needs to be upgraded.

    ``locked`` states that the caller has locked the file.
    """
    from scorekeeper.store import read_ledger
    from scorekeeper.store.errors import CannotOpen
    from scorekeeper.store.sqlite.hold import hold

    reject_folder(data, lang)
    if isinstance(data, Path) and not data.is_file():
        fail([lang("terminal.no_database", file=str(data))])
    with ExitStack() as stack:
        try:
            if isinstance(data, Path) and not locked:
                stack.enter_context(hold(data, "visit"))
            ledger = read_ledger(data)
            stack.callback(ledger.close)
            older = ledger.store.is_outdated()
        except CannotOpen as error:
            fail(why_not_opened(error, data, lang))
        if older:
            fail([lang("terminal.outdated", file=str(data))])
        yield ledger


def reject_folder(data: Data, lang: Language) -> None:
    """Exit if ``--data`` is a folder, naming the records in it."""
    if not (isinstance(data, Path) and data.is_dir()):
        return
    tables = [file for file in data.glob("t/*/*.sqlite") if file.stem == file.parent.name]
    if not tables:
        fail([lang("terminal.is_folder", folder=str(data), file=str(data / "games.sqlite"))])
    files = sorted([*data.glob("scorekeeper.sqlite"), *tables])
    fail([lang("terminal.folder_of_tables", folder=str(data)), *(f"--data {one}" for one in files)])


def make_folder(data: Data, lang: Language) -> None:
    """Make the folder of a record, readable for its owner only; exits if that fails."""
    reject_folder(data, lang)
    folder = file_about(data, "").parent
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        fail([f"{error.filename}: {error.strerror}"])


def why_not_opened(error: Exception, data: Data, lang: Language) -> list[str]:
    """Return why a record or a backup could not be opened, and what to do."""
    from scorekeeper.store.errors import (
        CannotOpen,
        InUse,
        MissingPrivileges,
        Newer,
        NoDriver,
        NotOurs,
        ReadOnly,
        TooOld,
        Unreachable,
        WrongPassword,
    )

    for kind, key in (
        *((InUse, "in_use"), (Newer, "newer"), (NotOurs, "not_ours"), (NoDriver, "no_driver")),
        *((Unreachable, "unreachable"), (WrongPassword, "wrong_password"), (TooOld, "too_old")),
        *((MissingPrivileges, "missing_privileges"), (ReadOnly, "read_only")),
    ):
        if isinstance(error, kind):
            return [lang(f"maintenance.{key}", file=str(data), why=str(error))]
    why = lang("terminal.cannot_open", why=str(error))
    return [why, restore_hint(data, lang)] if isinstance(error, CannotOpen) else [why]


def restore_hint(data: Data, lang: Language) -> str:
    """Return the newest backup of a record and the command that restores it."""
    from scorekeeper.serving.maintenance import backups_in

    if not isinstance(data, Path):
        return lang("maintenance.servers_backups")
    preferred = config.settings()["BACKUPS"]
    folder = config.backups_folder(data, preferred) or data.parent
    if there := backups_in(folder, data.stem):
        return lang("maintenance.newest", file=str(there[max(there)]))
    return lang("maintenance.no_backups", folder=str(folder))


def write_file(file: Path, content: bytes) -> None:
    """Write a file; exits if that fails."""
    try:
        file.write_bytes(content)
    except OSError as error:
        fail([f"{file}: {error.strerror}"])


def fail(lines: Iterable[str]) -> NoReturn:
    """Print error messages and exit with status 1."""
    for line in lines:
        click.echo(line, err=True)
    sys.exit(1)
