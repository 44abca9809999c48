"""A copy that can be trusted, taken and put back: read whole before it takes anybody's place."""

import os
import shutil
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from sqlite_utils.utils import sqlite3  # type: ignore[attr-defined]  # or its pysqlite3

from scorekeeper.store.backup_state import State, compact, read_state
from scorekeeper.store.check import check
from scorekeeper.store.errors import InUse, NotOurs, NotSaved
from scorekeeper.store.files import becoming, side_files, sync, sync_folder
from scorekeeper.store.ledger import Ledger
from scorekeeper.store.report import Report
from scorekeeper.store.sqlite.engine import FAILURES, Engine, connect, is_busy, take_pages
from scorekeeper.store.sqlite.hold import hold
from scorekeeper.store.sqlite.migrations import migrate
from scorekeeper.store.sqlite.store import SqliteStore, engine_of


class BadBackup(Exception):
    """The copy is not good, and was thrown away."""

    def __init__(self, report: Report) -> None:
        super().__init__(", ".join(line.key for line in report.lines if not line.ok))
        self.report = report


class Poorer(Exception):
    """The backup holds fewer events than the record whose place it should take."""

    def __init__(self, offered: int, there: int) -> None:
        super().__init__(offered, there)
        self.offered, self.there = offered, there


# ---- taking one ----------------------------------------------------------------------


def backup(ledger: Ledger, target: str | Path, at: str) -> Report:
    """Copy the ledger while it is in use; what was at ``target`` stays until the copy is good.

    Copying the live file instead would give a file that looks whole and lacks rounds.
    """
    with becoming(Path(target)) as part:
        take_pages(engine_of(ledger).copy_to, part)
        with _opened(part) as copy:
            copy.names.clean(None)  # words that were erased go no further
            report = _good(copy)
            stamp = f"{at} {copy.store.inspection.count_events()}"
            copy.settings.keep("backup", stamp)  # the copy too knows when it was taken
    with suppress(NotSaved):  # the copy is good all the same
        ledger.settings.keep("backup", stamp)
    return report


@contextmanager
def _opened(part: Path) -> Iterator[Ledger]:
    """The ledger in a copy, brought up to date; when it is left, the copy is one file."""
    engine = Engine(part, "delete")
    with closing(Ledger(SqliteStore(engine))) as copy:
        migrate(engine, keep=False)
        yield copy


def _good(copy: Ledger) -> Report:
    report = check(copy)
    if not report.good:
        raise BadBackup(report)
    return report


# ---- putting one back ----------------------------------------------------------------


@dataclass(frozen=True)
class Restored:
    """What is in the record now, and where the one before it was put."""

    state: State
    aside: Path | None


def restore(source: Path, record: Path, at: str, *, force: bool = False) -> Restored:
    """Put a backup in the place of the record, in one step, after it was read whole.

    The record that was there is kept beside it. Raises InUse while somebody has it open,
    BadBackup, CannotOpen or NotSaved if the backup is not good, and Poorer if the record
    holds more events, unless ``force`` says that this is known.
    """
    record = record.resolve()  # a symbolic link stays one
    with hold(record, "alone"), becoming(record) as part:
        take_pages(partial(_give, source), part)
        with _opened(part) as copy:
            _good(copy)
            state = read_state(copy)
        there = _settle(record)
        if not force and there is not None and there > state.events:
            raise Poorer(state.events, there)
        aside = _set_aside(record, at)
    return Restored(state, aside)


def _give(source: Path, copy: sqlite3.Connection) -> None:
    """Put the pages of a backup into a copy; the backup itself is only read."""
    with closing(sqlite3.connect(f"{source.resolve().as_uri()}?mode=ro", uri=True)) as kept:
        if kept.execute("PRAGMA user_version").fetchone()[0] == 0:
            raise NotOurs(str(source))
        kept.backup(copy)


def _settle(record: Path) -> int | None:
    """Make the record one file and count its events; None if it cannot be read any more."""
    if not record.exists():
        return 0
    try:
        with closing(connect(record)) as there:
            there.execute("PRAGMA journal_mode = DELETE")
            events: int = there.execute("SELECT count(*) FROM events").fetchone()[0]
    except FAILURES as error:
        if is_busy(error):
            raise InUse(str(record)) from error
        return None
    return events


def _set_aside(record: Path, at: str) -> Path | None:
    """Give the record a second name, and take what lies beside it to that name.

    Its own name stays until the new file takes it: at no moment is there none.
    """
    if not record.exists():
        return None
    aside = record.with_name(f"{record.stem}-replaced-{compact(at)}{record.suffix}")
    try:
        os.link(record, aside)
    except FileExistsError:
        raise
    except OSError:  # a file system without second names
        shutil.copyfile(record, aside)
        sync(aside)
    for side in side_files(record):
        if side.stat().st_size:
            side.replace(aside.with_name(aside.name + side.name.removeprefix(record.name)))
        else:
            side.unlink()
    sync_folder(record.parent)
    return aside
