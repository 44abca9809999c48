"""SQLite set up so that a committed round is durable: connections, transactions, syncing.

Every thread has a connection to read, and all share one to write. Every pragma is read back on
each of them. One thread writes at a time; it takes the lock at the start of its transaction, and
the transaction is synced when it returns.

Two things save time. Concurrent writers share one commit: they write one after another into the
same transaction, each behind a savepoint, so that one that fails is rolled back alone, and all
wait for the single commit. Without WAL a commit excludes readers, and SQLite would make one side
sleep for milliseconds and retry; a lock lets them alternate instead.
"""

import logging
import os
import threading
import weakref
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext
from pathlib import Path
from typing import Any, Literal

from sqlite_utils import Database
from sqlite_utils.utils import sqlite3  # type: ignore[attr-defined]  # or its pysqlite3

from scorekeeper.store.errors import CannotOpen, Unreadable
from scorekeeper.store.sql.engine import AfterCommit, Values
from scorekeeper.store.sql.engine import Engine as SharedEngine
from scorekeeper.store.sqlite.connections import (
    FAILURES,
    Moved,
    connect,
    is_busy,
    is_temporary,
    not_saved,
    read_pragmas,
)

log = logging.getLogger(__name__)

FULL = 2
MAX_BATCH = 32
"""The most changes that share a commit, so that retries cannot keep it open."""
MAX_ROWS = 1_000
"""No other change joins a transaction of more rows: the cache must hold all of its pages."""
SPILL_PAGES = 4_250
"""The pages that the cache must hold before a transaction writes some of them to the file early.

Without WAL, the file is locked from then on: readers would wait for the commit and the commit for
them, until BUSY_MS. A group of 8 MB, the most that can be imported over HTTP, needs half as many
pages. (Of this number SQLite looks at the lowest eight bits, too: a multiple of 256 would mean
never.)
"""
BUSY_MS = 10_000


class Owner:
    """An object whose garbage collection closes the connection that it owns."""


class Commit:
    """The outcome of a transaction, for which its writers wait.

    ``rows_before`` is how many rows its connection had changed when it began.
    """

    def __init__(self, rows_before: int) -> None:
        self.rows_before = rows_before
        self.writers = 0
        """The number of writers that have joined, including those that failed."""
        self.after_commit: list[AfterCommit] = []
        self._done = threading.Event()
        self._error: BaseException | None = None

    def settle(self, error: BaseException | None = None) -> None:
        """Report that it is on disk, or the error if it is not."""
        self._error = error
        try:
            for call in self.after_commit:
                call(error)
        finally:
            self._done.set()

    def wait(self) -> None:
        """Wait until it is on disk; NotSaved if it failed."""
        self._done.wait()
        if self._error:
            raise not_saved(self._error) from self._error


class Engine(SharedEngine):
    """One database file."""

    def __init__(self, path: str | Path, journal: str | None) -> None:
        super().__init__()
        self.path = Path(path)
        self.pragmas: dict[str, str | int] = {
            "busy_timeout": BUSY_MS,
            "synchronous": FULL,
            "foreign_keys": 1,
            "cache_spill": SPILL_PAGES,
        }
        self.read_only = journal is None
        """Without a journal mode the file is opened for reading only."""
        if journal is not None:
            self.pragmas["journal_mode"] = journal
        self._writing = threading.Lock()
        self._writing_thread: int | None = None
        self._waiting: deque[None] = deque()  # one element for each waiting writer
        self._writer: Database | None = None
        self._writer_of: Owner | None = None
        self._commit: Commit | None = None
        """The outcome of the open transaction."""
        self._after_commit: list[AfterCommit] = []
        """The callbacks of the current change."""
        self._read_or_commit: AbstractContextManager[object] = (
            nullcontext() if journal == "wal" else threading.Lock()
        )
        """Without WAL, the lock that lets readers and commits alternate."""
        self._mine = threading.local()
        self._first: Database | None = None
        """The first read connection: all threads use it when no other can be opened."""
        self._closers: list[weakref.finalize[Any, Any]] = []
        self._opening = threading.Lock()
        self._inode: tuple[int, int] | None = None
        """The file that was opened; None for a database in memory."""

    @property
    def is_writing(self) -> bool:
        """Whether this thread holds the write lock."""
        return self._writing_thread == threading.get_ident()

    @property
    def in_transaction(self) -> bool:
        """Whether this thread is in a write transaction."""
        in_transaction: bool = self.db.conn.in_transaction
        return in_transaction

    @property
    def db(self) -> Database:
        """This thread's connection; the shared one for writing while it holds the write lock."""
        if self.is_writing:
            if self._writer is None:
                self._writer_of = Owner()
                self._writer = self._open(self._writer_of)
            return self._writer
        mine: Database | None = getattr(self._mine, "db", None)
        return mine or self._reader()

    def _reader(self) -> Database:
        """Return a read connection for this thread, or the first one while the file is moved."""
        if self._first and not self.is_in_place():
            return self._first
        if self._first is None:
            self._first = self._mine.db = self._open(self)
        else:
            self._mine.db = self._open(threading.current_thread())
        mine: Database = self._mine.db
        return mine

    def _open(self, owner: object) -> Database:
        """Return a connection that is closed with its owner; only the first creates the file."""
        try:
            conn = connect(self.path, mode=self._mode)
        except FAILURES as error:
            raise CannotOpen(f"{self.path}: {error}") from error
        try:
            db = Database(conn)
            self._require_pragmas(db)
            if self.read_only:
                self.pragmas |= read_pragmas(db, ("journal_mode",))
            self._inode = self._inode or self._inode_now()
            self._require_in_place()
        except BaseException as error:
            conn.close()
            if isinstance(error, FAILURES):
                raise CannotOpen(f"{self.path}: {error}") from error
            raise
        with self._opening:
            closer = weakref.finalize(owner, conn.close)
            self._closers = [other for other in self._closers if other.alive] + [closer]
        return db

    @property
    def _mode(self) -> Literal["rwc", "rw", "ro"]:
        if self.read_only:
            return "ro"
        return "rwc" if self._inode is None else "rw"

    def _require_pragmas(self, db: Database) -> None:
        for name, value in self.pragmas.items():
            db.execute(f"PRAGMA {name} = {value}")
        got = read_pragmas(db, self.pragmas)
        if got != self.pragmas:
            raise CannotOpen(f"{self.path}: SQLite answers {got} instead of {self.pragmas}")

    def _inode_now(self) -> tuple[int, int] | None:
        """Return the identity of the file at the path; None if there is none."""
        try:
            about = os.stat(self.path)
        except OSError:
            return None
        return about.st_dev, about.st_ino

    def is_in_place(self) -> bool:
        """Return whether the opened file is still at its path."""
        return self._inode == self._inode_now()

    def _require_in_place(self) -> None:
        if not self.is_in_place():
            raise Moved(f"{self.path} was moved or replaced; it is served again when it is back")

    def rows(self, sql: str, values: Values = ()) -> list[Any]:
        """Return all rows of a query, so that it holds no lock afterwards."""
        try:
            with self._read_or_commit:
                return self.db.execute(sql, values).fetchall()
        except FAILURES as error:
            raise Unreadable(str(error)) from error

    def execute(self, sql: str, values: Values = ()) -> None:
        """Run a statement within a change of this thread."""
        self.db.execute(sql, values)

    def execute_many(self, sql: str, rows: Iterable[Sequence[object]]) -> None:
        """Run a statement once for every row, within a change of this thread."""
        self.db.conn.executemany(sql, rows)

    def copy_to(self, other: sqlite3.Connection) -> None:
        """Copy all pages as of one moment; without WAL, commits wait for it."""
        with self._read_or_commit:
            self.db.conn.backup(other)

    @contextmanager
    def write(self) -> Iterator[Database]:
        """Make an atomic change that is on disk when the block is left; raises NotSaved.

        Within another change of this thread it is part of that one.
        """
        if self.is_writing:
            yield self.db
            return
        with self._write_lock():
            try:
                with self._change() as commit:
                    yield self.db
            finally:
                if not self._waiting or self._is_full():  # else a waiting writer joins and commits
                    self._commit_batch()
        self._wait_for(commit)

    def _wait_for(self, commit: Commit) -> None:
        later: list[Commit] | None = getattr(self._mine, "later", None)
        if later is None:
            commit.wait()
        else:
            later.append(commit)

    @contextmanager
    def defer_wait(self) -> Iterator[None]:
        """Let changes return before they are on disk, and wait for them when the block is left.

        An answer can be built while the disk works. Raises NotSaved at the end, also if building
        the answer has failed.
        """
        commits: list[Commit] = []
        self._mine.later = commits
        try:
            yield
        finally:
            self._mine.later = None
            for commit in commits:
                commit.wait()

    def after_commit(self, call: AfterCommit) -> None:
        """Within a change: call this after its commit, before the writers return.

        A change that is rolled back alone does not call it.
        """
        self._after_commit.append(call)

    def _is_full(self) -> bool:
        """Return whether no more writers may join the open transaction."""
        if self._commit is None:
            return False
        rows = self.db.conn.total_changes - self._commit.rows_before
        return self._commit.writers >= MAX_BATCH or rows > MAX_ROWS

    @contextmanager
    def _write_lock(self) -> Iterator[None]:
        """Hold the lock that lets one thread write at a time."""
        self._waiting.append(None)
        try:
            self._writing.acquire()
        finally:  # a writer that gave up must not be waited for
            self._waiting.pop()
        try:
            self._writing_thread = threading.get_ident()
            yield
        finally:
            self._writing_thread = None
            self._writing.release()

    @contextmanager
    def _change(self) -> Iterator[Commit]:
        """Make one change in the open transaction or in a new one; roll it back if it fails.

        BEGIN IMMEDIATE takes the lock at once, where a deferred BEGIN could fail later.
        """
        first = self._commit is None
        try:
            self._require_in_place()
            self.db.execute("BEGIN IMMEDIATE" if first else "SAVEPOINT change")
            self._commit = self._commit or Commit(self.db.conn.total_changes)
            self._commit.writers += 1
            self._after_commit = []
            yield self._commit
            if not first:
                self.db.execute("RELEASE change")
            self._commit.after_commit += self._after_commit
        except BaseException as error:
            if first or not self._rolled_back_alone(error):
                self._abort_batch(error)
            if isinstance(error, (*FAILURES, Unreadable)):
                raise not_saved(error) from error
            raise

    def _rolled_back_alone(self, error: BaseException) -> bool:
        """Roll back one change and return True; False after an error of the database itself."""
        if isinstance(error, (*FAILURES, Unreadable)):
            return False
        try:
            self.db.execute("ROLLBACK TO change")
            self.db.execute("RELEASE change")
        except FAILURES:
            return False
        return True

    def _commit_batch(self) -> None:
        """Commit the open transaction and release its writers."""
        if self._commit is None:
            return
        try:
            self._require_in_place()
            with self._read_or_commit:
                self.db.execute("COMMIT")
        except BaseException as error:
            self._abort_batch(error)
            if not isinstance(error, FAILURES):
                raise
        else:
            self._mark_saved()
            commit, self._commit = self._commit, None
            commit.settle()

    def _abort_batch(self, error: BaseException) -> None:
        """Roll back the open transaction and release its writers with the error."""
        commit, self._commit = self._commit, None
        try:
            self.db.rollback()
        except (*FAILURES, Unreadable):  # the next change must not join a transaction left open
            self._drop_writer()
        if isinstance(error, (*FAILURES, Unreadable)):
            self._mark_failed()
            if not is_temporary(error):
                self._drop_writer()
        if commit:
            commit.settle(error)

    def _drop_writer(self) -> None:
        """Close the write connection; the next change opens another one.

        A connection that was opened while the file was read-only can never write.
        """
        self._writer = self._writer_of = None

    def takes_writes(self) -> bool:
        """Return whether a round would be saved now; False while the file is not in its place."""
        return self.is_in_place() and super().takes_writes()

    def _probe(self) -> bool:
        """Rewrite the first page of the file unchanged, and wait for the disk."""
        if not self._writing.acquire(blocking=False):
            return self._takes  # the running write will show it
        try:
            with self._read_or_commit, closing(connect(self.path, mode="rw")) as db:
                for name, value in {**self.pragmas, "busy_timeout": 0}.items():
                    db.execute(f"PRAGMA {name} = {value}")
                db.execute("BEGIN IMMEDIATE")
                (version,) = db.execute("PRAGMA user_version").fetchone()
                db.execute(f"PRAGMA user_version = {version}")
                db.execute("COMMIT")
        except FAILURES as error:
            if not is_busy(error):
                log.error("%s takes no writes: %s", self.path, error)
            return is_busy(error)
        finally:
            self._writing.release()
        return True

    def rewrite(self) -> bool:
        """Rewrite the whole file without deleted rows, and empty its journal; raises NotSaved.

        Return False if a reader kept the journal in use, so that it still has old pages.
        """
        with self._write_lock():
            self._commit_batch()
            try:
                self._require_in_place()
                with self._read_or_commit:
                    self.db.execute("VACUUM")
                    (busy, *_) = self.db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
            except FAILURES as error:
                raise not_saved(error) from error
        return not busy

    def close(self) -> None:
        """Close all connections."""
        with self._opening:
            for closer in self._closers:
                closer()
            self._closers = []
        self._mine = threading.local()
        self._writer = self._writer_of = self._first = None
