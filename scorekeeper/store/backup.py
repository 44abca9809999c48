"""A copy that can be trusted, taken and put back: read whole before it takes anybody's place."""

import os
import shutil
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path

from sqlite_utils.utils import sqlite3  # type: ignore[attr-defined]  # or its pysqlite3

from scorekeeper.store.check import Report, check
from scorekeeper.store.engine import FAILURES, Engine, NotSaved, connect, is_busy
from scorekeeper.store.files import becoming, side_files, sync, sync_folder, take_pages
from scorekeeper.store.hold import InUse, hold
from scorekeeper.store.ledger import Ledger
from scorekeeper.store.migrations import NotOurs, migrate


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


# ---- what is known about the last one ------------------------------------------------


@dataclass(frozen=True)
class Taken:
    """When a backup was taken, in UTC, and how many events it holds."""

    at: str
    events: int


@dataclass(frozen=True)
class State:
    """How much a record holds, and how much of that its last good backup does."""

    games: int
    events: int
    taken: Taken | None

    @property
    def unsaved(self) -> int:
        """Events that came after the last backup."""
        return self.events - (self.taken.events if self.taken else 0)

    def age(self, now: str) -> timedelta | None:
        """How old the last backup is; None if there is none, or its clock was wrong."""
        if self.taken is None or self.taken.at > now:
            return None
        return moment(now) - moment(self.taken.at)

    def is_late(self, now: str, hours: int) -> bool:
        """Whether something is in no backup though the last one is as old as this."""
        age = self.age(now)
        return self.unsaved > 0 and (age is None or age >= timedelta(hours=hours))


def moment(at: str) -> datetime:
    return datetime.fromisoformat(at)


def read_state(ledger: Ledger) -> State:
    """What is in the record and in its last backup."""
    games = ledger.engine.row("SELECT count(*) FROM books WHERE kind = 'game'")[0]
    kept = ledger.setting("backup")
    at, _, events = kept.partition(" ") if kept else ("", "", "0")
    return State(games, _events(ledger), Taken(at, int(events)) if kept else None)


def _events(ledger: Ledger) -> int:
    """How many events there are: none is ever deleted."""
    return int(ledger.engine.row("SELECT coalesce(max(rowid), 0) FROM events")[0])


# ---- taking one ----------------------------------------------------------------------


def backup(ledger: Ledger, target: str | Path, at: str) -> Report:
    """Copy the ledger while it is in use; what was at ``target`` stays until the copy is good.

    Copying the live file instead would give a file that looks whole and lacks rounds.
    """
    with becoming(Path(target)) as part:
        take_pages(ledger.engine.copy_to, part)
        with _opened(part) as copy:
            copy.clean(None)  # words that were erased go no further
            report = _good(copy)
            stamp = f"{at} {_events(copy)}"
            copy.keep_setting("backup", stamp)  # the copy too knows when it was taken
    with suppress(NotSaved):  # the copy is good all the same
        ledger.keep_setting("backup", stamp)
    return report


@contextmanager
def _opened(part: Path) -> Iterator[Ledger]:
    """The ledger in a copy, brought up to date; when it is left, the copy is one file."""
    with closing(Ledger(Engine(part, "delete"))) as copy:
        migrate(copy.engine, keep=False)
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
    BadBackup, EngineError or NotSaved if the backup is not good, and Poorer if the record
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


def compact(at: str) -> str:
    """A time as part of a file's name: ``20261121T153000Z``."""
    return at.replace("-", "").replace(":", "")
