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
from scorekeeper.store.postgres.shared import Codes, Limits
from scorekeeper.store.protocol import Store
from scorekeeper.store.sql.names import Names

MAINTENANCE = LOCK + 1
"""The advisory lock of maintenance."""
OLDEST = 140_000
"""PostgreSQL 14."""


class PostgresStore(Store):
    """A store in one PostgreSQL database."""

    engine: Engine
    engine_name = "postgresql"
    is_shared = True
    inspection: Inspection

    def __init__(self, engine: Engine, place: str) -> None:
        super().__init__(engine, place)
        self.events = Events(engine)
        self.names = Names(engine)
        self.inspection = Inspection(engine)
        self.limits = Limits(engine)
        self.codes = Codes(engine)

    def machines(self) -> int | None:
        """Return the primary and its synchronous standbys; None if they may not be seen."""
        standbys = self.inspection.standbys()
        return None if standbys is None else 1 + standbys

    def sole_maintainer(self) -> AbstractContextManager[bool]:
        """Hold the lock of maintenance, if no other process has it."""
        return self.engine.locked(MAINTENANCE)

    def defer_wait(self) -> AbstractContextManager[None]:
        """Return a block without effect: every commit waits until it is durable."""
        return nullcontext()

    def version(self) -> int:
        """Return the version of the tables; 0 if there are none yet."""
        return version_of(self.engine)

    def is_outdated(self) -> bool:
        """Return whether an older version made the tables."""
        return is_older(self.engine)


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
