"""How much of a record its last backup holds; how a backup is taken is up to the engine."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from scorekeeper.store.ledger import Ledger


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
    inspection, kept = ledger.store.inspection, ledger.settings.get("backup")
    at, _, events = kept.partition(" ") if kept else ("", "", "0")
    taken = Taken(at, int(events)) if kept else None
    return State(inspection.count_games(), inspection.count_events(), taken)


def compact(at: str) -> str:
    """A time as part of a file's name: ``20261121T153000Z``."""
    return at.replace("-", "").replace(":", "")
