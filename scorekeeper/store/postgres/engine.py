"""PostgreSQL set up so that a committed round is durable: connections, transactions, commits.

Every statement outside of a transaction takes a connection from a pool. A transaction keeps its
connection and belongs to its thread. Several processes on several machines may do so at once.

A commit may be reported as failed although it is durable, when the connection breaks in between.
It may also be reported as done although no standby has it, with a warning, when waiting for the
standby was cancelled. Both raise ``OutcomeUnknown``: the client sends the request again, and its
idempotency key tells whether it was written.
"""

import logging
import re
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from typing import Any

import psycopg
from psycopg import errors
from psycopg.adapt import Loader
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg.pq import TransactionStatus
from psycopg_pool import ConnectionPool, PoolTimeout

from scorekeeper.store.errors import NotSaved, OutcomeUnknown, Unreachable, Unreadable
from scorekeeper.store.sql.engine import NEVER, AfterCommit, Values
from scorekeeper.store.sql.engine import Engine as SharedEngine

log = logging.getLogger(__name__)

DEFAULTS: dict[str, str | int] = {
    "application_name": "scorekeeper",
    "connect_timeout": 3,
    "target_session_attrs": "read-write",  # of several hosts, the one that takes writes
    "keepalives_idle": 5,
    "keepalives_interval": 2,
    "keepalives_count": 3,
    "tcp_user_timeout": 10_000,  # ms without an answer to what was sent, as after a cut
}
"""Parameters of a connection that the address does not set."""
SESSION = """
    SET statement_timeout = '10s';
    SET lock_timeout = '5s';
    SET idle_in_transaction_session_timeout = '30s';
    SET client_encoding = 'UTF8';
    SELECT set_config('synchronous_commit', 'on', false)
    WHERE current_setting('synchronous_commit') NOT IN ('on', 'remote_apply');
    """
"""The settings of every session. Nobody waits forever, neither for a lock nor for a standby."""
MAX_CONNECTIONS = 20
"""More than the threads that answer requests."""
WAIT_S = 5
"""Seconds to wait for a connection."""
OPEN_S = 15
"""Seconds to wait for the very first one."""
RECONNECT_S = 4
"""Seconds after which a failed attempt to connect begins anew, without a growing delay."""
MAX_LIFETIME_S = 600
UNUSED_S = 1
"""Seconds after which an unused connection is checked before it is used again."""
_PARAMETER = re.compile(r"%|\?|(?<!:):([a-z_]+)")


class Connection(psycopg.Connection[tuple[Any, ...]]):
    """A connection that remembers when it was last used, and whether the server warned."""

    used_at = 0.0
    warned = False


class WholeNumber(Loader):
    """Reads the sums of integers, which PostgreSQL returns as ``numeric``."""

    def load(self, data: Any) -> int:
        return int(bytes(data))


class Transaction:
    """The open transaction of a thread."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self.after_commit: list[AfterCommit] = []


def not_saved(error: BaseException) -> NotSaved:
    """Return the NotSaved for an error of PostgreSQL."""
    return NotSaved(error, disk_full=isinstance(error, errors.DiskFull))


def with_defaults(address: str) -> str:
    """Return an address with the parameters that it does not set itself."""
    given = conninfo_to_dict(address)
    return make_conninfo("", **{**DEFAULTS, **{k: v for k, v in given.items() if v is not None}})


class Engine(SharedEngine):
    """One PostgreSQL database."""

    def __init__(self, address: str) -> None:
        super().__init__()
        self._mine = threading.local()
        self._drained_at = NEVER
        self._pool = ConnectionPool(
            with_defaults(address),
            connection_class=Connection,
            kwargs={"autocommit": True},
            configure=_configure,
            min_size=1,
            max_size=MAX_CONNECTIONS,
            timeout=WAIT_S,
            max_lifetime=MAX_LIFETIME_S,
            reconnect_timeout=RECONNECT_S,
            open=False,
            name="scorekeeper",
        )
        try:
            self._pool.open(wait=True, timeout=OPEN_S)
        except PoolTimeout as error:
            raise Unreachable(str(error)) from error

    @property
    def transaction(self) -> Transaction | None:
        """The open transaction of this thread."""
        found: Transaction | None = getattr(self._mine, "transaction", None)
        return found

    @property
    def in_transaction(self) -> bool:
        """Whether this thread is in a write transaction."""
        return self.transaction is not None

    def rows(self, sql: str, values: Values = ()) -> list[Any]:
        """Return all rows of a query."""
        values = comparable(values)
        try:
            if self.transaction:
                return self._writing.execute(adapted(sql), values).fetchall()
            try:
                return self._read(sql, values)
            except psycopg.OperationalError as error:
                if isinstance(error, PoolTimeout) or not _is_lost(error):
                    raise
                return self._read(sql, values)  # on another connection; a query can be repeated
        except psycopg.Error as error:
            raise Unreadable(str(error)) from error

    def _read(self, sql: str, values: Values) -> list[Any]:
        with self._connection() as connection:
            return connection.execute(adapted(sql), values).fetchall()

    def execute(self, sql: str, values: Values = ()) -> None:
        """Run a statement within a transaction."""
        self._writing.execute(adapted(sql), values)

    def execute_many(self, sql: str, rows: Iterable[Sequence[object]]) -> None:
        """Run a statement once for every row, within a transaction."""
        with self._writing.cursor() as cursor:
            cursor.executemany(adapted(sql), rows)

    def script(self, statements: str) -> None:
        """Run statements without parameters within a transaction."""
        self._writing.execute(statements)

    @property
    def _writing(self) -> Connection:
        assert self.transaction, "only within a transaction"
        return self.transaction.connection

    @contextmanager
    def write(self) -> Iterator[None]:
        """Make an atomic change that is durable when the block is left.

        Within another change of this thread it is part of that one. Raises NotSaved.
        """
        if self.transaction:
            yield
            return
        try:
            with self._begun(self._commit):
                yield
        except (psycopg.Error, Unreadable) as error:
            self._mark_failed()
            raise not_saved(error) from error

    @contextmanager
    def rolled_back(self) -> Iterator[None]:
        """Run statements in a transaction of its own that leaves no trace; raises Unreadable."""
        try:
            with self._begun(lambda transaction: _roll_back(transaction.connection)):
                yield
        except psycopg.Error as error:
            raise Unreadable(str(error)) from error

    @contextmanager
    def locked(self, number: int) -> Iterator[bool]:
        """Hold an advisory lock of the whole database; False if another session has it."""
        try:
            with self._connection() as connection:
                held = connection.execute("SELECT pg_try_advisory_lock(%s)", (number,)).fetchone()
                try:
                    yield held == (True,)
                finally:
                    if held == (True,):
                        connection.execute("SELECT pg_advisory_unlock(%s)", (number,))
        except psycopg.Error as error:
            raise Unreadable(str(error)) from error

    @contextmanager
    def _begun(self, end: Callable[[Transaction], None]) -> Iterator[None]:
        """Begin a transaction, and ``end`` it when the block is left without an error."""
        with self._connection() as connection:
            connection.execute("BEGIN")
            transaction = self._mine.transaction = Transaction(connection)
            try:
                try:
                    yield
                finally:
                    self._mine.transaction = None
                end(transaction)
            except BaseException:
                _roll_back(connection)
                raise

    def _commit(self, transaction: Transaction) -> None:
        """Commit, and report the outcome to those who asked for it."""
        outcome: NotSaved | None = None
        connection = transaction.connection
        connection.warned = False
        try:
            done = connection.execute("COMMIT").statusmessage
            if done != "COMMIT":
                outcome = NotSaved(f"the server answered {done} to COMMIT")
            elif connection.warned:
                outcome = OutcomeUnknown("no standby has confirmed it yet")
        except psycopg.Error as error:
            outcome = OutcomeUnknown(error) if _is_lost(error) else not_saved(error)
            outcome.__cause__ = error
        for call in transaction.after_commit:
            call(outcome)
        if outcome:
            raise outcome
        self._mark_saved()

    def after_commit(self, call: AfterCommit) -> None:
        """Within a change: call this after its commit."""
        assert self.transaction, "only within a transaction"
        self.transaction.after_commit.append(call)

    @contextmanager
    def _connection(self) -> Iterator[Connection]:
        """Take a connection that works, and put it back."""
        connection = self._checked_connection()
        try:
            yield connection
        except BaseException as error:
            if _is_lost(error) or _is_lost(error.__cause__):
                connection.close()
            raise
        finally:
            connection.used_at = time.monotonic()
            self._pool.putconn(connection)
            if connection.closed:
                self._drain()

    def _checked_connection(self) -> Connection:
        """Return a connection to a server that takes writes.

        After a failover the pool may hold connections to a machine that is gone, or to one that
        has become a standby and would answer with an old state.
        """
        while True:
            connection = self._pool.getconn()
            if time.monotonic() - connection.used_at < UNUSED_S or _takes_writes(connection):
                return connection
            connection.close()
            self._pool.putconn(connection)
            self._drain()

    def _drain(self) -> None:
        """Replace the idle connections of the pool, at most once a second."""
        now = time.monotonic()
        if now - self._drained_at > UNUSED_S:
            self._drained_at = now
            self._pool.drain()

    def _probe(self) -> bool:
        """Write a message to the log of the server that nobody reads, and wait for its commit."""
        try:
            with self.write():
                self.execute("SELECT pg_logical_emit_message(true, 'scorekeeper', '')")
        except NotSaved as error:
            log.error("the database takes no writes: %s", error)
            return False
        return True

    def close(self) -> None:
        """Close all connections."""
        self._pool.close()


@lru_cache(512)
def adapted(sql: str) -> str:
    """Return a statement with the placeholders of psycopg."""

    def placeholder(found: re.Match[str]) -> str:
        if found[0] == "%":
            return "%%"
        return f"%({found[1]})s" if found[1] else "%s"

    return _PARAMETER.sub(placeholder, sql)


def comparable(values: Values) -> Values:
    """Return the parameters of a query, with NULL for texts that are stored nowhere.

    PostgreSQL neither stores nor compares a text that contains the character NUL. NULL equals
    nothing, so nothing is found.
    """
    if isinstance(values, dict):
        return {name: _comparable(value) for name, value in values.items()}
    return [_comparable(value) for value in values]


def _comparable(value: object) -> object:
    return None if isinstance(value, str) and "\0" in value else value


def _configure(connection: Connection) -> None:
    """Prepare a new connection."""
    connection.execute(SESSION)
    connection.adapters.register_loader("numeric", WholeNumber)
    connection.add_notice_handler(_warning_noted(connection))
    connection.used_at = time.monotonic()


def _warning_noted(connection: Connection) -> Callable[[errors.Diagnostic], None]:
    def note(notice: errors.Diagnostic) -> None:
        if notice.severity_nonlocalized == "WARNING":
            connection.warned = True

    return note


def _takes_writes(connection: Connection) -> bool:
    try:
        return connection.execute("SELECT NOT pg_is_in_recovery()").fetchone() == (True,)
    except psycopg.Error:
        return False


def _is_lost(error: BaseException | None) -> bool:
    """Return whether the connection is of no use any more: broken, or to a read-only server."""
    if isinstance(error, errors.ReadOnlySqlTransaction):
        return True
    if not isinstance(error, psycopg.OperationalError) or isinstance(error, errors.QueryCanceled):
        return False
    return error.sqlstate is None or error.sqlstate.startswith(("08", "57"))


def _roll_back(connection: Connection) -> None:
    """Roll back, or close the connection, which rolls back too."""
    try:
        if connection.pgconn.transaction_status != TransactionStatus.IDLE:
            connection.execute("ROLLBACK")
    except psycopg.Error:
        connection.close()
