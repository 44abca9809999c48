"""``PostgresStore``, which puts the parts of this package together, and functions to open it."""

from contextlib import AbstractContextManager, nullcontext

import psycopg
from psycopg.conninfo import make_conninfo

from scorekeeper.config import Address
from scorekeeper.store.errors import (
    CannotOpen,
    ReadOnly,
    TooOld,
    Unreachable,
    WrongPassword,
)
from scorekeeper.store.ledger import Ledger
from scorekeeper.store.links import LinkKey
from scorekeeper.store.postgres.engine import Engine, with_defaults
from scorekeeper.store.postgres.events import Events
from scorekeeper.store.postgres.inspection import Inspection
from scorekeeper.store.postgres.migrations import (
    LOCK,
    is_older,
    migrate,
    require_tables,
    version_of,
)
from scorekeeper.store.postgres.names import Names
from scorekeeper.store.postgres.shared import Codes, Limits
from scorekeeper.store.sql.rights import Rights
from scorekeeper.store.sql.seasons import Seasons
from scorekeeper.store.sql.settings import Settings
from scorekeeper.store.write_status import AfterCommit

MAINTENANCE = LOCK + 1
"""The advisory lock of maintenance."""
OLDEST = 140_000
"""PostgreSQL 14."""


class PostgresStore:
    """A store in one PostgreSQL database; ``Store`` describes its methods."""

    engine_name = "postgresql"
    is_shared = True

    def __init__(self, engine: Engine, place: str) -> None:
        self.engine = engine
        self.place = place
        self.events = Events(engine)
        self.rights = Rights(engine)
        self.names = Names(engine)
        self.seasons = Seasons(engine)
        self.settings = Settings(engine)
        self.inspection = Inspection(engine)
        self.limits = Limits(engine)
        self.codes = Codes(engine)

    def transaction(self) -> AbstractContextManager[object]:
        """Open a write transaction; it is committed when the block is left."""
        return self.engine.write()

    @property
    def in_transaction(self) -> bool:
        """Whether this thread is in a write transaction."""
        return self.engine.transaction is not None

    def after_commit(self, call: AfterCommit) -> None:
        """Within a transaction: call this after its commit."""
        self.engine.after_commit(call)

    def defer_wait(self) -> AbstractContextManager[None]:
        """Return a block without effect: every commit waits until it is durable."""
        return nullcontext()

    def machines(self) -> int | None:
        """Return the primary and its synchronous standbys; None if they may not be seen."""
        standbys = self.inspection.standbys()
        return None if standbys is None else 1 + standbys

    def sole_maintainer(self) -> AbstractContextManager[bool]:
        """Hold the lock of maintenance, if no other process has it."""
        return self.engine.locked(MAINTENANCE)

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
        return version_of(self.engine) == 0

    def close(self) -> None:
        """Close all connections."""
        self.engine.close()


def open_ledger(address: Address, links: LinkKey) -> Ledger:
    """Return the ledger at an address, with its tables made or brought to the newest version.

    Raises CannotOpen, with a subclass for each reason that the operator can do something about.
    """
    _try(address.url)
    store = _opened(address)
    try:
        migrate(store.engine)
        require_tables(store.engine)
    except BaseException:
        store.close()
        raise
    return Ledger(store, links)


def read_ledger(address: Address) -> Ledger:
    """Return the ledger at an address for reading only."""
    _try(address.url)
    return Ledger(_opened(address))


def _opened(address: Address) -> PostgresStore:
    return PostgresStore(Engine(address.url), str(address))


def _try(address: str) -> None:
    """Connect once, to learn why it is not possible; raises CannotOpen."""
    try:
        with psycopg.connect(with_defaults(address)) as connection:
            if connection.info.server_version < OLDEST:
                raise TooOld(str(connection.info.server_version // 10_000))
    except psycopg.ProgrammingError as error:  # not an address
        raise CannotOpen(str(error)) from error
    except psycopg.OperationalError as error:
        raise _reason(address, error) from error


def _reason(address: str, error: psycopg.OperationalError) -> CannotOpen:
    why = " ".join(str(error).split())
    connection = error.pgconn
    if connection and connection.needs_password:
        return WrongPassword(why)
    if connection and connection.used_password and "password" in why:
        return WrongPassword(why)
    try:
        with psycopg.connect(make_conninfo(with_defaults(address), target_session_attrs="any")):
            return ReadOnly(why)
    except psycopg.OperationalError:
        return CannotOpen(why) if "FATAL" in why else Unreachable(why)
