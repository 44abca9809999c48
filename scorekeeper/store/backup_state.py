"""How much of a ledger its last backup covers. Backups themselves are made by the engine."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from scorekeeper.store.ledger import Ledger


@dataclass(frozen=True)
class LastBackup:
    """When the last backup was taken, in UTC, and how many events it holds."""

    at: str
    events: int


@dataclass(frozen=True)
class State:
    """The size of a ledger, and its last good backup."""

    games: int
    events: int
    last_backup: LastBackup | None

    @property
    def not_backed_up(self) -> int:
        """The number of events after the last backup."""
        return self.events - (self.last_backup.events if self.last_backup else 0)

    def age(self, now: str) -> timedelta | None:
        """Return the age of the last backup; None if there is none or its time is in the future."""
        if self.last_backup is None or self.last_backup.at > now:
            return None
        return moment(now) - moment(self.last_backup.at)

    def is_late(self, now: str, hours: int) -> bool:
        """Return whether there are newer events and the last backup is at least this old."""
        age = self.age(now)
        return self.not_backed_up > 0 and (age is None or age >= timedelta(hours=hours))


def moment(at: str) -> datetime:
    return datetime.fromisoformat(at)


def read_state(ledger: Ledger) -> State:
    """Return the state of a ledger and of its last backup."""
    inspection, stamp = ledger.store.inspection, ledger.settings.get("backup")
    at, _, events = stamp.partition(" ") if stamp else ("", "", "0")
    last_backup = LastBackup(at, int(events)) if stamp else None
    return State(inspection.count_games(), inspection.count_events(), last_backup)


def compact(at: str) -> str:
    """Return a time for use in a file name: ``20261121T153000Z``."""
    return at.replace("-", "").replace(":", "")
