"""``SqliteStore``, which puts the parts of this package together, and functions to open it."""

from contextlib import AbstractContextManager, nullcontext, suppress
from pathlib import Path

from scorekeeper.config import file_about
from scorekeeper.store.errors import CannotOpen, Unreadable
from scorekeeper.store.ledger import Ledger
from scorekeeper.store.links import LinkKey
from scorekeeper.store.sql.events import Events
from scorekeeper.store.sql.rights import Rights
from scorekeeper.store.sql.seasons import Seasons
from scorekeeper.store.sql.settings import Settings
from scorekeeper.store.sqlite.engine import Engine
from scorekeeper.store.sqlite.inspection import Inspection
from scorekeeper.store.sqlite.journal import ENGINE, choose_journal
from scorekeeper.store.sqlite.migrations import is_empty, is_older, migrate
from scorekeeper.store.sqlite.names import Names
from scorekeeper.store.write_status import AfterCommit


class SqliteStore:
    """A store on one SQLite file; ``Store`` describes its methods."""

    engine_name = "sqlite"
    is_shared = False
    """Commands write too, but what they change may be seen a few seconds later."""
    limits = codes = None

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
        """Open a write transaction; the file is synced when the block is left."""
        return self.engine.write()

    @property
    def in_transaction(self) -> bool:
        """Whether this thread is in a write transaction."""
        in_transaction: bool = self.engine.db.conn.in_transaction
        return in_transaction

    def after_commit(self, call: AfterCommit) -> None:
        """Within a transaction: call this after its commit."""
        self.engine.after_commit(call)

    def defer_wait(self) -> AbstractContextManager[None]:
        """Let transactions return before they are synced, and wait at the end of the block."""
        return self.engine.defer_wait()

    def machines(self) -> int:
        """Return one: the file is on this machine."""
        return 1

    def sole_maintainer(self) -> AbstractContextManager[bool]:
        """Return True: one process serves the file."""
        return nullcontext(True)

    def takes_writes(self) -> bool:
        """Return whether a change would be durable now."""
        return self.engine.takes_writes()

    def quiet_s(self) -> float:
        """Return the seconds since this process last saved something."""
        return self.engine.quiet_s()

    def is_outdated(self) -> bool:
        """Return whether an older version made the tables."""
        return is_older(self.engine)

    def is_empty(self) -> bool:
        """Return whether there are no tables yet."""
        return is_empty(self.engine)

    def close(self) -> None:
        """Close all connections."""
        self.engine.close()


def open_ledger(
    path: str | Path, *, journal: str | None = None, link_key: str | None = None
) -> Ledger:
    """Return the ledger in this file, which is created if it does not exist.

    The secrets of links are derived from ``link_key``, else from a key in a file beside it,
    which no backup contains.
    Raises CannotOpen if it cannot be opened so that confirmed changes are durable.
    """
    _create_private(Path(path))
    engine = Engine(path, choose_journal(ENGINE, journal))
    try:
        migrate(engine)
    except BaseException:
        engine.close()
        raise
    return Ledger(SqliteStore(engine), LinkKey(file_about(Path(path), ".key"), link_key))


def read_ledger(path: str | Path) -> Ledger:
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
