"""Backup and restore. A copy is checked completely before it replaces anything."""

import os
import shutil
from collections.abc import Iterator
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from sqlite_utils.utils import sqlite3  # type: ignore[attr-defined]  # or its pysqlite3

from scorekeeper.store.backup_state import State, compact, read_state
from scorekeeper.store.check import check
from scorekeeper.store.errors import InUse, NotOurs, NotSaved
from scorekeeper.store.files import replacing, side_files, sync, sync_folder
from scorekeeper.store.ledger import Ledger
from scorekeeper.store.report import Report
from scorekeeper.store.sqlite.connections import FAILURES, connect, fill_copy, is_busy
from scorekeeper.store.sqlite.engine import Engine
from scorekeeper.store.sqlite.hold import hold
from scorekeeper.store.sqlite.migrations import migrate
from scorekeeper.store.sqlite.store import SqliteStore, engine_of


class BadBackup(Exception):
    """The copy is not good, and was deleted."""

    def __init__(self, report: Report) -> None:
        super().__init__(", ".join(line.key for line in report.lines if not line.ok))
        self.report = report


class FewerEvents(Exception):
    """The backup holds fewer events than the database that it would replace."""

    def __init__(self, offered: int, there: int) -> None:
        super().__init__(offered, there)
        self.offered, self.there = offered, there


# ---- backup --------------------------------------------------------------------------


def backup(ledger: Ledger, target: str | Path, at: str) -> Report:
    """Copy the ledger while it is in use; ``target`` is replaced once the copy is good.

    A plain copy of the live file could look complete and lack rounds. Raises InUse if ``target`` is
    a database that a process has open.
    """
    with _unused(Path(target)), replacing(Path(target)) as part:
        fill_copy(engine_of(ledger).copy_to, part)
        with _opened(part) as copy:
            copy.names.clean(None)  # traces of erased names must not be in backups
            report = _check(copy)
            stamp = f"{at} {copy.store.inspection.count_events()}"
            copy.settings.set("backup", stamp)  # in the copy too
    with suppress(NotSaved):  # the copy is good anyway
        ledger.settings.set("backup", stamp)
    return report


def _unused(target: Path) -> AbstractContextManager[None]:
    """Lock what is replaced if a process may have it open; nothing is created beside a copy."""
    lock = target.resolve().with_name(f"{target.resolve().name}.lock")
    return hold(target, "exclusive") if lock.exists() else nullcontext()


@contextmanager
def _opened(part: Path) -> Iterator[Ledger]:
    """Open and migrate the ledger in a copy; at the end the copy is a single file."""
    engine = Engine(part, "delete")
    with closing(Ledger(SqliteStore(engine))) as copy:
        migrate(engine, back_up=False)
        yield copy


def _check(copy: Ledger) -> Report:
    """Return the report on a copy; BadBackup if it is not good."""
    report = check(copy)
    if not report.good:
        raise BadBackup(report)
    return report


# ---- restore -------------------------------------------------------------------------


@dataclass(frozen=True)
class Restored:
    """The state of the restored database, and the path of the one that it replaced."""

    state: State
    replaced: Path | None


def restore(source: Path, database: Path, at: str, *, force: bool = False) -> Restored:
    """Check a backup and atomically replace the database with it.

    The replaced database stays beside the new one. Raises InUse while another process has it open,
    BadBackup, CannotOpen or NotSaved if the backup is not good, and FewerEvents if the current
    database has more events, unless ``force`` is set.
    """
    database = database.resolve()  # a symbolic link stays one
    with hold(database, "exclusive"), replacing(database) as part:
        fill_copy(partial(_copy_pages, source), part)
        with _opened(part) as copy:
            _check(copy)
            state = read_state(copy)
        there = _merge_journal(database)
        if not force and there is not None and there > state.events:
            raise FewerEvents(state.events, there)
        replaced = _link_replaced(database, at)
    return Restored(state, replaced)


def _copy_pages(source: Path, copy: sqlite3.Connection) -> None:
    """Copy the pages of a backup, which is opened for reading only."""
    with closing(sqlite3.connect(f"{source.resolve().as_uri()}?mode=ro", uri=True)) as backup:
        if backup.execute("PRAGMA user_version").fetchone()[0] == 0:
            raise NotOurs(str(source))
        backup.backup(copy)


def _merge_journal(database: Path) -> int | None:
    """Make the database a single file and return the number of its events; None if unreadable."""
    if not database.exists():
        return 0
    try:
        with closing(connect(database)) as there:
            there.execute("PRAGMA journal_mode = DELETE")
            events: int = there.execute("SELECT count(*) FROM events").fetchone()[0]
    except FAILURES as error:
        if is_busy(error):
            raise InUse(str(database)) from error
        return None
    return events


def _link_replaced(database: Path, at: str) -> Path | None:
    """Link the database to a dated name, move its side files there, and return that path.

    The original name stays until the restored file replaces it, so it always exists.
    """
    if not database.exists():
        return None
    replaced = database.with_name(f"{database.stem}-replaced-{compact(at)}{database.suffix}")
    try:
        os.link(database, replaced)
    except FileExistsError:
        raise
    except OSError:  # a file system without hard links
        shutil.copyfile(database, replaced)
        sync(replaced)
    for side in side_files(database):
        if side.stat().st_size:
            side.replace(replaced.with_name(replaced.name + side.name.removeprefix(database.name)))
        else:
            side.unlink()
    sync_folder(database.parent)
    return replaced
