"""A store on one SQLite file, put together of its parts."""

from collections.abc import Callable
from contextlib import AbstractContextManager, suppress
from pathlib import Path

from scorekeeper.store.errors import CannotOpen, Unreadable
from scorekeeper.store.ledger import Ledger
from scorekeeper.store.sqlite.engine import ENGINE, Engine, choose_journal
from scorekeeper.store.sqlite.events import Events
from scorekeeper.store.sqlite.inspection import Inspection
from scorekeeper.store.sqlite.migrations import is_older, migrate
from scorekeeper.store.sqlite.names import Names
from scorekeeper.store.sqlite.rights import Rights
from scorekeeper.store.sqlite.seasons import Seasons
from scorekeeper.store.sqlite.settings import Settings


class SqliteStore:
    """One file; see ``Store`` for what its methods promise."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.place = str(engine.path)
        self.events = Events(engine)
        self.rights = Rights(engine)
        self.names = Names(engine)
        self.seasons = Seasons(engine)
        self.settings = Settings(engine)
        self.inspection = Inspection(engine)

    def transaction(self) -> AbstractContextManager[object]:
        """Make a change; the file is synced when the block is left."""
        return self.engine.write()

    @property
    def in_transaction(self) -> bool:
        """Whether this thread is making a change."""
        in_transaction: bool = self.engine.db.conn.in_transaction
        return in_transaction

    @property
    def changes(self) -> int:
        """The number of changes begun so far."""
        return self.engine.changes

    def after_commit(self, call: Callable[[BaseException | None], object]) -> None:
        """Within a change: call this when its commit is over."""
        self.engine.afterwards(call)

    def waiting_later(self) -> AbstractContextManager[None]:
        """Go on after a change while the disk works."""
        return self.engine.waiting_later()

    def takes_writes(self) -> bool:
        """Return whether a change would be durable now."""
        return self.engine.takes_writes()

    def quiet_s(self) -> float:
        """Return for how many seconds this process has saved nothing."""
        return self.engine.quiet_s()

    def is_outdated(self) -> bool:
        """Return whether an older version wrote the file, and nobody has migrated it yet."""
        return is_older(self.engine)

    def close(self) -> None:
        """Close all connections."""
        self.engine.close()


def open_ledger(path: str | Path, *, journal: str | None = None) -> Ledger:
    """Return the ledger in this file, which is made if it is not there.

    Raises CannotOpen if it cannot be opened so that it keeps what it confirms.
    """
    _for_its_owner(Path(path))
    engine = Engine(path, choose_journal(ENGINE, journal))
    try:
        migrate(engine)
    except BaseException:
        engine.close()
        raise
    return Ledger(SqliteStore(engine))


def read_ledger(path: str | Path) -> Ledger:
    """Return the ledger in this file, for reading only: every attempt to write is refused.

    Raises CannotOpen if it cannot be read so, for one if an interrupted write is still to
    be rolled back.
    """
    engine = Engine(path, None)
    try:
        engine.rows("SELECT count(*) FROM sqlite_schema")
    except Unreadable as error:
        engine.close()
        raise CannotOpen(f"{path}: {error}") from error
    return Ledger(SqliteStore(engine))


def engine_of(ledger: Ledger) -> Engine:
    """Return the SQLite engine of a ledger; TypeError if it is on another one."""
    if not isinstance(ledger.store, SqliteStore):
        raise TypeError(f"{ledger.store.place} is not a SQLite file")
    return ledger.store.engine


def _for_its_owner(path: Path) -> None:
    """Make a new record, with its names and the key of the cookies, readable for its owner only."""
    if not path.exists():
        with suppress(OSError):  # the engine says why it cannot be
            path.touch(mode=0o600)
