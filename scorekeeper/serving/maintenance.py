"""Upkeep by itself: a thread looks at the clock, lets names go and copies when it is time."""

import logging
import re
import threading
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

from flask import Flask

from scorekeeper.config import backups_folder
from scorekeeper.services.bookkeeping import now
from scorekeeper.services.retention import Forgetter
from scorekeeper.store.backups import compact, moment, read_state
from scorekeeper.store.ledger import Ledger
from scorekeeper.store.sqlite.backup import backup

log = logging.getLogger(__name__)

LOOK_EVERY = 600
"""Seconds between two looks at the clock."""
EARLY = 1
"""Hours before a backup would be late that the next one is taken."""
TRIED_AGAIN_AFTER = timedelta(hours=1)
"""How long after a backup that failed."""
GOING = 2
"""Seconds that what is under way has to end in when the server stops."""
NAMED = re.compile(r"(.+)-(\d{8}T\d{6}Z)\.sqlite")


Look = Callable[[], None]


class Chores:
    """A thread that looks at the clock and does what is due, one thing after the other."""

    def __init__(self, *looks: Look) -> None:
        self._looks = looks
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name="chores", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """No more looks; what is under way may end, but not for long."""
        self._stopped.set()
        self._thread.join(GOING)

    def _run(self) -> None:
        while not self._stopped.is_set():
            for look in self._looks:
                look()
            self._stopped.wait(LOOK_EVERY)


class Keeper:
    """Keeps backups of one record in a folder."""

    def __init__(self, ledger: Ledger, folder: Path, hours: int, days: int, weeks: int) -> None:
        self._ledger, self.folder = ledger, folder
        self._hours, self._days, self._weeks = hours, days, weeks
        self._name = Path(ledger.store.place).stem
        self.failed: str | None = None
        """When the last try went wrong; None if it went well."""

    def look(self) -> None:
        """Take a backup if it is time; what goes wrong is said and tried again later."""
        at = now()
        try:
            if self._is_time(at):
                self._take(at)
                self.failed = None
        except Exception as error:  # a thread that died would be missed by nobody
            self.failed = at
            log.error("no backup was taken: %s: %s", type(error).__name__, error)

    def _is_time(self, at: str) -> bool:
        if self.failed and moment(at) - moment(self.failed) < TRIED_AGAIN_AFTER:
            return False
        return read_state(self._ledger).is_late(at, self._hours - EARLY)

    def _take(self, at: str) -> None:
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        backup(self._ledger, self.folder / f"{self._name}-{compact(at)}.sqlite", at)
        taken = backups_in(self.folder, self._name)
        for stamp in taken.keys() - kept(taken, self._days, self._weeks):
            taken[stamp].unlink()


def backups_in(folder: Path, name: str) -> dict[str, Path]:
    """The backups of a record in a folder, by the time in their names."""
    named = (NAMED.fullmatch(file.name) for file in folder.glob("*.sqlite"))
    return {one[2]: folder / one[0] for one in named if one and one[1] == name}


def kept(stamps: Collection[str], days: int, weeks: int) -> set[str]:
    """Those to keep: the last one of each day and of each week that has any, for so many of them.

    Days without a backup do not count: who plays once a month keeps as many evenings. The
    last one of all stays whatever is wished.
    """
    by_day: dict[object, str] = {}
    by_week: dict[object, str] = {}
    for stamp in sorted(stamps, reverse=True):
        day = datetime.strptime(stamp, "%Y%m%dT%H%M%SZ").replace(tzinfo=UTC).date()
        by_day.setdefault(day, stamp)
        by_week.setdefault(day.isocalendar()[:2], stamp)
    return {*[*by_day.values()][: max(days, 1)], *[*by_week.values()][:weeks]}


def looks_of(app: Flask) -> list[Look]:
    """Return what is due for the app's record from time to time.

    Names are erased when their time is over, then backups are taken unless they are off. The
    status page asks the keeper of the backups.
    """
    ledger: Ledger = app.extensions["ledger"]
    forgetter = Forgetter(ledger, app.config["RETENTION_DAYS"])
    folder = backups_folder(ledger.store.place, app.config["BACKUPS"])
    if folder is None:
        return [forgetter.look]
    often = (app.config[f"BACKUP_{name}"] for name in ("HOURS", "DAYS", "WEEKS"))
    keeper = app.extensions["keeper"] = Keeper(ledger, folder, *often)
    return [forgetter.look, keeper.look]


@contextmanager
def keeping(app: Flask) -> Iterator[None]:
    """See to the app's record while it runs."""
    chores = Chores(*looks_of(app))
    chores.start()
    try:
        yield
    finally:
        chores.stop()
