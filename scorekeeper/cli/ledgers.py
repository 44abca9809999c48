"""Opening the database for a command, and the reasons why it could not be opened."""

import os
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path

from scorekeeper import config
from scorekeeper.cli.common import fail
from scorekeeper.cli.files import ABOUT_A_FILE
from scorekeeper.config import Data, file_about
from scorekeeper.i18n import Language
from scorekeeper.serving.maintenance import FILE_NAME, backups_in
from scorekeeper.store import CannotOpen, Ledger, NotSaved, open_ledger, read_ledger
from scorekeeper.store.errors import (
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
from scorekeeper.store.sqlite.hold import hold
from scorekeeper.store.sqlite.migrations import is_blank, is_ours, outdated

REASONS = (
    *((InUse, "in_use"), (Newer, "newer"), (NotOurs, "not_ours"), (NoDriver, "no_driver")),
    *((Unreachable, "unreachable"), (WrongPassword, "wrong_password"), (TooOld, "too_old")),
    *((MissingPrivileges, "missing_privileges"), (ReadOnly, "read_only")),
)
"""The names of the kinds of errors in the catalogues."""
SHOWN_BACKUPS = 5


@contextmanager
def open_database(data: Data, lang: Language, *, new: bool = False) -> Iterator[Ledger]:
    """Open the ledger of a PostgreSQL database or an existing file, or of a new one if ``new``."""
    reject_folder(data, lang)
    if new:
        require_no_backups_of_nothing(data, lang)
    else:
        require_file(data, lang)
    with ExitStack() as stack:
        if isinstance(data, Path) and not data.exists():
            stack.enter_context(removed_if_refused(data))
        try:
            if isinstance(data, Path):
                stack.enter_context(hold(data, "reserved" if outdated(data) else "shared"))
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
def removed_if_refused(data: Path) -> Iterator[None]:
    """Remove the new file of a command that exits before anything was written to it."""
    files = [file_about(data, ending) for ending in ABOUT_A_FILE]
    made = [file for file in files if not file.exists()]  # the key of a lost database is kept
    try:
        yield
    except (NotSaved, OSError, SystemExit):
        with suppress(CannotOpen), hold(data, "exclusive"):
            with closing(read_ledger(data)) as ledger:
                unused = not (ledger.games() or ledger.groups())
            for file in made if unused else ():
                file.unlink(missing_ok=True)
        raise


@contextmanager
def read_database(data: Data, lang: Language, *, locked: bool = False) -> Iterator[Ledger]:
    """Open the ledger of a database read-only; exits if it needs to be upgraded.

    ``locked`` states that the caller has locked the file.
    """
    reject_folder(data, lang)
    require_file(data, lang)
    with ExitStack() as stack:
        try:
            if isinstance(data, Path) and not locked:
                stack.enter_context(hold(data, "shared"))
            ledger = read_ledger(data)
            stack.callback(ledger.close)
            older, empty = ledger.store.is_outdated(), ledger.store.version() == 0
        except CannotOpen as error:
            fail(why_not_opened(error, data, lang))
        if empty:
            fail([lang("terminal.empty", file=str(data)), restore_hint(data, lang)])
        if older:
            fail([lang("terminal.outdated", file=str(data))])
        yield ledger


def reject_folder(data: Data, lang: Language) -> None:
    """Exit if ``--data`` is a folder, naming the databases in it."""
    if not (isinstance(data, Path) and data.is_dir()):
        return
    files = files_in(data)
    if not any(file.parent != data for file in files):
        fail([lang("terminal.is_folder", folder=str(data), file=str(data / "games.sqlite"))])
    fail([lang("terminal.folder_of_tables", folder=str(data)), *(f"--data {one}" for one in files)])


def files_in(folder: Path) -> list[Path]:
    """Return the databases in a folder that a version before 1.1 served."""
    tables = [file for file in folder.glob("t/*/*.sqlite") if file.stem == file.parent.name]
    return sorted([*folder.glob("scorekeeper.sqlite"), *tables])


def require_file(data: Data, lang: Language) -> None:
    """Exit if there is no database file."""
    if isinstance(data, Path) and not data.is_file():
        fail([lang("terminal.no_database", file=str(data))])


def require_no_backups_of_nothing(data: Data, lang: Language) -> None:
    """Exit if a file is missing or has no tables although there are backups of it.

    It was probably cut short or deleted by accident, which a new database would hide.
    """
    if not isinstance(data, Path) or not is_blank(data):
        return
    if files := backups_of(data, backups_folder(data)):
        fail(
            [
                lang("terminal.emptied", file=str(data), n=len(files)),
                *(f"    {file}" for file in files[:SHOWN_BACKUPS]),
                _restoring(data, files[0], lang),
                lang("terminal.start_anew"),
            ]
        )


def make_folder(data: Data, lang: Language) -> None:
    """Make the folder of a database, readable for its owner only."""
    reject_folder(data, lang)
    file_about(data, "").parent.mkdir(mode=0o700, parents=True, exist_ok=True)


def why_not_opened(error: Exception, data: Data, lang: Language) -> list[str]:
    """Return why a database or a backup could not be opened, and what to do."""
    for kind, key in REASONS:
        if isinstance(error, kind):
            return [lang(f"maintenance.{key}", file=str(data), why=str(error))]
    why = lang("terminal.cannot_open", why=str(error))
    return [why, restore_hint(data, lang)] if isinstance(error, CannotOpen) else [why]


def restore_hint(data: Data, lang: Language) -> str:
    """Return the newest backup of a database and the command that restores it."""
    if not isinstance(data, Path):
        return lang("maintenance.servers_backups")
    folder = backups_folder(data)
    if files := backups_of(data, folder):
        return _restoring(data, files[0], lang)
    return lang("maintenance.no_backups", folder=str(folder), data=str(data.absolute()))


def _restoring(data: Path, backup: Path, lang: Language) -> str:
    """Return the command that restores a backup, for any folder in which it is typed."""
    return lang("maintenance.newest", data=str(data.absolute()), file=str(backup.absolute()))


def backups_folder(data: Path) -> Path:
    """Return the folder in which to look for backups of a database."""
    return config.backups_folder(data, config.settings()["BACKUPS"]) or data.parent


def backups_of(data: Path, folder: Path) -> list[Path]:
    """Return the backups of a database, newest first; those made by hand may have any name."""
    found = backups_in(folder, data.stem)
    if folder.resolve() != data.parent.resolve():  # beside the database, others are no backups
        for file in folder.glob("[!.]*"):
            if not FILE_NAME.fullmatch(file.name) and is_ours(file):
                at = datetime.fromtimestamp(file.stat().st_mtime, UTC)
                found[f"{at:%Y%m%dT%H%M%SZ} {file.name}"] = file
    return [found[stamp] for stamp in sorted(found, reverse=True)]
