"""``SqliteStore``, which puts the parts of this package together, and functions to open it."""

from contextlib import AbstractContextManager, nullcontext, suppress
from pathlib import Path

from scorekeeper.store.errors import CannotOpen, Unreadable
from scorekeeper.store.ledger import Ledger
from scorekeeper.store.links import LinkKey
from scorekeeper.store.protocol import Store
from scorekeeper.store.sql.events import Events
from scorekeeper.store.sqlite.engine import Engine
from scorekeeper.store.sqlite.inspection import Inspection
from scorekeeper.store.sqlite.journal import ENGINE, choose_journal
from scorekeeper.store.sqlite.migrations import is_older, migrate, version_of
from scorekeeper.store.sqlite.names import Names


class SqliteStore(Store):
    """A store on one SQLite file."""

    engine: Engine
    engine_name = "sqlite"
    is_shared = False
    """Commands write too, but what they change may be seen a few seconds later."""

    def __init__(self, engine: Engine) -> None:
        super().__init__(engine, str(engine.path))
        self.events = Events(engine)
        self.names = Names(engine)
        self.inspection = Inspection(engine)

    def machines(self) -> int:
        """Return one: the file is on this machine."""
        return 1

    def sole_maintainer(self) -> AbstractContextManager[bool]:
        """Return True: one process serves the file."""
        return nullcontext(True)

    def defer_wait(self) -> AbstractContextManager[None]:
        """Let transactions return before they are synced, and wait at the end of the block."""
        return self.engine.defer_wait()

    def version(self) -> int:
        """Return the version of the tables; 0 if there are none yet."""
        return version_of(self.engine)

    def is_outdated(self) -> bool:
        """Return whether an older version made the tables."""
        return is_older(self.engine)


def open_ledger(path: Path, links: LinkKey, journal: str | None) -> Ledger:
    """Return the ledger in this file, which is created if it does not exist.

    Raises CannotOpen if it cannot be opened so that confirmed changes are durable.
    """
    _create_private(path)
    engine = Engine(path, choose_journal(ENGINE, journal))
    try:
        migrate(engine)
    except BaseException:
        engine.close()
        raise
    return Ledger(SqliteStore(engine), links)


def read_ledger(path: Path) -> Ledger:
    """Return the ledger in this file for reading only.

    Raises CannotOpen if that fails, for example because an interrupted write must be rolled back
    first.
    """
    engine = Engine(path, None)
    try:
        engine.rows("SELECT count(*) FROM sqlite_schema")
    except Unreadable as error:
        engine.close()
        raise CannotOpen(f"{path}: {error}") from error
    return Ledger(SqliteStore(engine))


def engine_of(ledger: Ledger) -> Engine:
    """Return the SQLite engine of a ledger; TypeError if it has another engine."""
    if not isinstance(ledger.store, SqliteStore):
        raise TypeError(f"{ledger.store.place} is not a SQLite file")
    return ledger.store.engine


def _create_private(path: Path) -> None:
    """Create a missing file so that only its owner can read the names and the cookie key in it."""
    if not path.exists():
        with suppress(OSError):  # opening the database will report the reason
            path.touch(mode=0o600)
