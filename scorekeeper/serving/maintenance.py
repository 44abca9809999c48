"""Maintenance tasks: a thread that erases old names and takes backups when they are due."""

import logging
import re
import threading
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from scorekeeper.config import backups_folder
from scorekeeper.services.clock import now
from scorekeeper.services.retention import Retention
from scorekeeper.store.backup_state import State, compact, moment, read_state
from scorekeeper.store.errors import Unreadable
from scorekeeper.store.ledger import Ledger
from scorekeeper.store.protocol import Store
from scorekeeper.store.sqlite.backup import backup

if TYPE_CHECKING:
    from flask import Flask

log = logging.getLogger(__name__)

RUN_EVERY_S = 600
"""Seconds between two runs of the tasks."""
HOURS_AHEAD = 1
"""Hours before a backup would be late at which the next one is taken."""
RETRY_AFTER = timedelta(hours=1)
"""Time until the next attempt after a failed backup."""
STOP_S = 2
"""Seconds that a running task gets to finish when the server stops."""
FILE_NAME = re.compile(r"(.+)-(\d{8}T\d{6}Z)\.sqlite")


Task = Callable[[], None]


class MaintenanceThread:
    """A thread that runs maintenance tasks periodically, one after the other."""

    def __init__(self, store: Store, *tasks: Task) -> None:
        self._store = store
        self._tasks = tasks
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name="maintenance", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """Start no more tasks, and wait briefly for a running one."""
        self._stopped.set()
        self._thread.join(STOP_S)

    def _run(self) -> None:
        while not self._stopped.is_set():
            self._run_once()
            self._stopped.wait(RUN_EVERY_S)

    def _run_once(self) -> None:
        """Run all tasks, unless another process is running them on the same database."""
        try:
            with self._store.sole_maintainer() as alone:
                for task in self._tasks if alone else ():
                    task()
        except Unreadable as error:
            log.error("no maintenance: %s", error)


class BackupTask:
    """Backups of one database in a folder, taken when due."""

    def __init__(self, ledger: Ledger, folder: Path, hours: int, days: int, weeks: int) -> None:
        self._ledger, self.folder = ledger, folder
        self._hours, self._days, self._weeks = hours, days, weeks
        self._name = Path(ledger.store.place).stem
        self.failed: str | None = None
        """Time of the last attempt if it failed, else None."""
        self._ran: str | None = None

    def awaits_first(self, state: State, at: str) -> bool:
        """Return whether there is no backup yet, but the next run will take one."""
        if state.last_backup or self.failed or not self._ran:
            return False
        return moment(at) - moment(self._ran) < timedelta(seconds=2 * RUN_EVERY_S)

    def run(self) -> None:
        """Take a backup if one is due; log a failure and try again later."""
        self._ran = at = now()
        try:
            if self._is_time(at):
                self._take(at)
                self.failed = None
        except Exception as error:  # nobody would notice if the thread died
            self.failed = at
            log.error("no backup was taken: %s: %s", type(error).__name__, error)

    def _is_time(self, at: str) -> bool:
        if self.failed and moment(at) - moment(self.failed) < RETRY_AFTER:
            return False
        return read_state(self._ledger).is_late(at, self._hours - HOURS_AHEAD)

    def _take(self, at: str) -> None:
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        backup(self._ledger, self.folder / f"{self._name}-{compact(at)}.sqlite", at)
        taken = backups_in(self.folder, self._name)
        for stamp in taken.keys() - stamps_to_keep(taken, self._days, self._weeks):
            taken[stamp].unlink()


def backups_in(folder: Path, name: str) -> dict[str, Path]:
    """Return the backups of a database in a folder, by the time in their names."""
    named = (FILE_NAME.fullmatch(file.name) for file in folder.glob("*.sqlite"))
    return {one[2]: folder / one[0] for one in named if one and one[1] == name}


def stamps_to_keep(stamps: Collection[str], days: int, weeks: int) -> set[str]:
    """Return the backups to keep: the last one of each day and of each week.

    Days without a backup do not count, so a group that plays once a month keeps just as many
    backups. The very last backup is always kept.
    """
    by_day: dict[object, str] = {}
    by_week: dict[object, str] = {}
    for stamp in sorted(stamps, reverse=True):
        day = datetime.strptime(stamp, "%Y%m%dT%H%M%SZ").replace(tzinfo=UTC).date()
        by_day.setdefault(day, stamp)
        by_week.setdefault(day.isocalendar()[:2], stamp)
    return {*[*by_day.values()][: max(days, 1)], *[*by_week.values()][:weeks]}


def maintenance_tasks(app: "Flask") -> list[Task]:
    """Return the maintenance tasks of an app: retention, and backups unless they are off.

    The status page reads the backup task from the app's extensions.
    """
    ledger: Ledger = app.extensions["ledger"]
    retention = Retention(ledger, app.config["RETENTION_DAYS"])
    if limits := ledger.store.limits:
        return [retention.run, limits.purge]  # backups are made by the server of the database
    folder = backups_folder(ledger.store.place, app.config["BACKUPS"])
    if folder is None:
        return [retention.run]
    often = (app.config[f"BACKUP_{name}"] for name in ("HOURS", "DAYS", "WEEKS"))
    backup_task = app.extensions["backup_task"] = BackupTask(ledger, folder, *often)
    return [retention.run, backup_task.run]


@contextmanager
def run_maintenance(app: "Flask") -> Iterator[None]:
    """Run the app's maintenance tasks in the background."""
    thread = MaintenanceThread(app.extensions["ledger"].store, *maintenance_tasks(app))
    thread.start()
    try:
        yield
    finally:
        thread.stop()
