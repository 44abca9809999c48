"""SQLite such that a committed round stays: the guard, the connections, the transactions.

One connection per thread to read and one to write, every pragma read back on each of
them; one write at a time, which takes its lock at the start and is synced when it returns.

Two things save time. Concurrent writers share one commit: they write one after another into the
same transaction, each behind a savepoint, so that one that fails is undone alone, and all wait for
the single commit. And a commit without WAL excludes readers: SQLite would make one of them sleep
and retry, for milliseconds; here a lock lets them alternate.
"""

import logging
import os
import threading
import time
import weakref
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext
from pathlib import Path
from typing import Any, Literal

from sqlite_utils import Database
from sqlite_utils.utils import sqlite3  # type: ignore[attr-defined]  # or its pysqlite3

from scorekeeper.store.errors import CannotOpen, NotSaved, Unreadable

log = logging.getLogger(__name__)

Version = tuple[int, int, int]
Values = Sequence[object] | dict[str, Any]
"""What stands for the marks of a statement, by place or by name."""
JOURNALS = ("wal", "truncate")
"""With synchronous=FULL these two lose nothing in a power cut; DELETE did."""
FULL = 2
MOST_TOGETHER = 32
"""So many changes share a commit."""
BUSY_MS = 10_000
PROBE_EVERY_S = 5
"""So often at most something is written only to see whether it can be."""
ENGINE: Version = sqlite3.sqlite_version_info
FAILURES = (sqlite3.Error, UnicodeDecodeError)
"""What a damaged file makes Python raise; the second one when SQLite quotes the damage."""
_BUSY = (5, 6)  # SQLITE_BUSY, SQLITE_LOCKED
_DISK_FULL = 13  # SQLITE_FULL


class Moved(sqlite3.OperationalError):
    """Another file, or none, lies where the record was: what is written would be found by nobody.

    All goes on when the record is back in its place.
    """


def not_saved(error: BaseException) -> NotSaved:
    """Return the refusal of a change for what SQLite raised."""
    return NotSaved(error, disk_full=getattr(error, "sqlite_errorcode", None) == _DISK_FULL)


def keeps_wal_commits(version: Version) -> bool:
    """Whether this SQLite is free of the WAL-reset race, which can lose a commit.

    Fixed in 3.51.3 and in the maintained lines 3.50 (from 3.50.7) and 3.44 (from 3.44.6).
    """
    return (
        version >= (3, 51, 3)
        or (3, 50, 7) <= version < (3, 51, 0)
        or (3, 44, 6) <= version < (3, 45, 0)
    )


def choose_journal(version: Version, wished: str | None = None) -> str:
    """The journal mode: WAL where it is safe, else TRUNCATE, unless somebody insists."""
    safe = "wal" if keeps_wal_commits(version) else "truncate"
    if wished is None or wished == safe:
        return safe
    if wished not in JOURNALS:
        raise CannotOpen(f"journal mode {wished!r} can lose rounds; choose one of {JOURNALS}")
    log.warning(
        "journal mode %s was set by hand; SQLite %s would get %s",
        wished,
        ".".join(map(str, version)),
        safe,
    )
    return wished


def is_busy(error: BaseException) -> bool:
    """Whether somebody else stood in the way; what he was doing lies above the lowest byte."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF in _BUSY


def _passes(error: BaseException) -> bool:
    """Whether the same connection may do better later: the disk is full, or somebody writes."""
    return is_busy(error) or getattr(error, "sqlite_errorcode", None) == _DISK_FULL


def connect(path: Path, *, mode: Literal["rwc", "rw", "ro"] = "rwc") -> sqlite3.Connection:
    """A bare connection that begins no transaction by itself; a file is made in ``rwc`` only."""
    place = path if mode == "rwc" else f"{path.resolve().as_uri()}?mode={mode}"
    return sqlite3.connect(place, isolation_level=None, check_same_thread=False, uri=mode != "rwc")


Afterwards = Callable[[BaseException | None], object]
"""Is called with why something is not on disk, or with None where it is."""


class Owner:
    """Has a connection, which is closed when nobody needs its owner any more."""


class Commit:
    """What becomes of the writes of one transaction."""

    def __init__(self) -> None:
        self.writers = 0
        """How many writers have joined it, including those that were refused."""
        self.afterwards: list[Afterwards] = []
        self._done = threading.Event()
        self._error: BaseException | None = None

    def settle(self, error: BaseException | None = None) -> None:
        """Say that it is on disk, or why it is not."""
        self._error = error
        for call in self.afterwards:
            call(error)
        self._done.set()

    def wait(self) -> None:
        """Until it is on disk; NotSaved if it is not."""
        self._done.wait()
        if self._error:
            raise not_saved(self._error) from self._error


class Engine:
    """One database file."""

    def __init__(self, path: str | Path, journal: str | None) -> None:
        self.path = Path(path)
        self.pragmas: dict[str, str | int] = {
            "busy_timeout": BUSY_MS,
            "synchronous": FULL,
            "foreign_keys": 1,
        }
        self.read_only = journal is None
        """Without a journal mode of its own the file is opened for reading only."""
        if journal is not None:
            self.pragmas["journal_mode"] = journal
        self._writing = threading.Lock()
        self._writing_thread: int | None = None
        self._waiting: deque[None] = deque()  # as many as there are who wait to write
        self._writer: Database | None = None
        self._writer_of: Owner | None = None
        self._commit: Commit | None = None
        """That of the transaction which is open now."""
        self._afterwards: list[Afterwards] = []
        """Of the change that is made now."""
        self.changes = 0
        """How many changes were begun: within one, its number."""
        self._settled: AbstractContextManager[object] = (
            nullcontext() if journal == "wal" else threading.Lock()
        )
        self._mine = threading.local()
        self._first: Database | None = None
        """The first connection to read with: where no other can be opened, all may use it."""
        self._closers: list[weakref.finalize[Any, Any]] = []
        self._opening = threading.Lock()
        self._inode: tuple[int, int] | None = None
        """The file that was opened first; None for one in memory."""
        self._probing = threading.Lock()
        self._saved_at = self._probed_at = -float("inf")
        """When a commit and when a probe last showed how it stands, by the monotonic clock."""
        self._takes = True

    @property
    def is_writing(self) -> bool:
        """Whether this thread is the one that writes now."""
        return self._writing_thread == threading.get_ident()

    @property
    def db(self) -> Database:
        """This thread's connection; while it writes, the one that all writing goes through."""
        if self.is_writing:
            if self._writer is None:
                self._writer_of = Owner()
                self._writer = self._open(self._writer_of)
            return self._writer
        mine: Database | None = getattr(self._mine, "db", None)
        return mine or self._reader()

    def _reader(self) -> Database:
        """A connection for this thread to read with, or the first one while the file is away."""
        if self._first and not self.is_in_place():
            return self._first
        if self._first is None:
            self._first = self._mine.db = self._open(self)
        else:
            self._mine.db = self._open(threading.current_thread())
        mine: Database = self._mine.db
        return mine

    def _open(self, owner: object) -> Database:
        """A connection that is closed when its owner is gone; no file is made after the first."""
        try:
            conn = connect(self.path, mode=self._mode)
        except FAILURES as error:
            raise CannotOpen(f"{self.path}: {error}") from error
        try:
            db = Database(conn)
            self._demand_pragmas(db)
            if self.read_only:
                self.pragmas |= read_pragmas(db, ("journal_mode",))
            self._inode = self._inode or self._inode_now()
            self._demand_in_place()
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

    def _demand_pragmas(self, db: Database) -> None:
        for name, value in self.pragmas.items():
            db.execute(f"PRAGMA {name} = {value}")
        got = read_pragmas(db, self.pragmas)
        if got != self.pragmas:
            raise CannotOpen(f"{self.path}: SQLite answers {got} instead of {self.pragmas}")

    def _inode_now(self) -> tuple[int, int] | None:
        """Which file lies at the path now; None if none does."""
        try:
            about = os.stat(self.path)
        except OSError:
            return None
        return about.st_dev, about.st_ino

    def is_in_place(self) -> bool:
        """Whether the file that was opened still lies where it was."""
        return self._inode == self._inode_now()

    def _demand_in_place(self) -> None:
        if not self.is_in_place():
            raise Moved(f"{self.path} was moved or replaced; it is served again when it is back")

    def rows(self, sql: str, values: Values = ()) -> list[Any]:
        """What a question gives, read to its end so that it holds no lock."""
        try:
            with self._settled:
                return self.db.execute(sql, values).fetchall()
        except FAILURES as error:
            raise Unreadable(str(error)) from error

    def row(self, sql: str, values: Values = ()) -> Any:
        """The first row of a question, or None."""
        return next(iter(self.rows(sql, values)), None)

    def copy_to(self, other: sqlite3.Connection) -> None:
        """Copy all pages as of one moment; commits wait meanwhile where there is no WAL."""
        with self._settled:
            self.db.conn.backup(other)

    @contextmanager
    def write(self) -> Iterator[Database]:
        """A change, whole or not at all, on disk when the block is left; within another, a part.

        Raises NotSaved if the disk did not take it.
        """
        if self.is_writing:
            yield self.db
            return
        with self._write_lock():
            try:
                with self._change() as commit:
                    yield self.db
            finally:
                if not self._waiting or self._is_full():  # else the last who waits does it for all
                    self._put_on_disk()
        self._wait_for(commit)

    def _wait_for(self, commit: Commit) -> None:
        later: list[Commit] | None = getattr(self._mine, "later", None)
        if later is None:
            commit.wait()
        else:
            later.append(commit)

    @contextmanager
    def waiting_later(self) -> Iterator[None]:
        """Go on after a change while the disk works: it is waited for when this is left.

        So an answer can be made in the meantime, and given when all is on disk. Raises NotSaved.
        """
        commits: list[Commit] = []
        self._mine.later = commits
        try:
            yield
        finally:
            self._mine.later = None
        for commit in commits:
            commit.wait()

    def afterwards(self, call: Afterwards) -> None:
        """Within a change: what to do when its commit is over, before anybody is told.

        Nothing if the change is undone alone.
        """
        self._afterwards.append(call)

    def _is_full(self) -> bool:
        """Whether no writer may join any more, so that retries cannot keep the commit open."""
        return self._commit is not None and self._commit.writers >= MOST_TOGETHER

    @contextmanager
    def _write_lock(self) -> Iterator[None]:
        """Hold the lock that lets one thread write at a time."""
        self._waiting.append(None)
        try:
            self._writing.acquire()
        finally:  # whoever is counted and never comes would keep all others waiting
            self._waiting.pop()
        try:
            self._writing_thread = threading.get_ident()
            yield
        finally:
            self._writing_thread = None
            self._writing.release()

    @contextmanager
    def _change(self) -> Iterator[Commit]:
        """One change in the transaction that is open, or in a new one; undone if it fails.

        BEGIN IMMEDIATE, since a deferred one fails when it goes from reading to writing.
        """
        first = self._commit is None
        try:
            self._demand_in_place()
            self.db.execute("BEGIN IMMEDIATE" if first else "SAVEPOINT change")
            self._commit = self._commit or Commit()
            self._commit.writers += 1
            self.changes += 1
            self._afterwards = []
            yield self._commit
            if not first:
                self.db.execute("RELEASE change")
            self._commit.afterwards += self._afterwards
        except BaseException as error:
            if first or not self._undone(error):
                self._give_up(error)
            if isinstance(error, (*FAILURES, Unreadable)):
                raise not_saved(error) from error
            raise

    def _undone(self, error: BaseException) -> bool:
        """Take one change back; not if it failed for the database, which is then not trusted."""
        if isinstance(error, (*FAILURES, Unreadable)):
            return False
        try:
            self.db.execute("ROLLBACK TO change")
            self.db.execute("RELEASE change")
        except FAILURES:
            return False
        return True

    def _put_on_disk(self) -> None:
        """Commit what is open, and tell all who wait for it."""
        if self._commit is None:
            return
        try:
            self._demand_in_place()
            with self._settled:
                self.db.execute("COMMIT")
        except BaseException as error:
            self._give_up(error)
            if not isinstance(error, FAILURES):
                raise
        else:
            self._saved_at = time.monotonic()
            self._commit.settle()
            self._commit = None

    def _give_up(self, error: BaseException) -> None:
        """Drop what is open, and tell all who wait for it."""
        commit, self._commit = self._commit, None
        try:
            self.db.rollback()
        except (*FAILURES, Unreadable):  # a transaction left open would swallow the next one
            self._forget_writer()
        if isinstance(error, (*FAILURES, Unreadable)):
            self._saved_at = -float("inf")
            if not _passes(error):
                self._forget_writer()
        if commit:
            commit.settle(error)

    def _forget_writer(self) -> None:
        """Close the connection to write with; the next change opens another one.

        One that was opened while the file could not be written could never write.
        """
        self._writer = self._writer_of = None

    def takes_writes(self) -> bool:
        """Whether a round would be saved now; whoever asks waits for nobody who writes.

        Shown by the last commit, or else by a write that changes nothing: at most one in
        ``PROBE_EVERY_S``, however often it is asked. In between the last answer stands.
        """
        if not self.is_in_place():
            return False
        now = time.monotonic()
        if now - self._saved_at < PROBE_EVERY_S:
            return True
        if now - self._probed_at >= PROBE_EVERY_S and self._probing.acquire(blocking=False):
            try:
                self._probed_at = now
                self._takes = self._probe()
            finally:
                self._probing.release()
        return self._takes

    def quiet_s(self) -> float:
        """For how many seconds nothing was saved by this process."""
        return time.monotonic() - self._saved_at

    def _probe(self) -> bool:
        """Write the first page of the file as it is, and wait for the disk."""
        if not self._writing.acquire(blocking=False):
            return self._takes  # whoever writes will show it
        try:
            with self._settled, closing(connect(self.path, mode="rw")) as db:
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

    def write_anew(self) -> bool:
        """Write the whole file again without what was deleted, and empty its journal.

        False if somebody read from the journal, which then keeps old pages. Raises NotSaved.
        """
        with self._write_lock():
            self._put_on_disk()
            try:
                self._demand_in_place()
                with self._settled:
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


def read_pragmas(db: Database, names: Iterable[str]) -> dict[str, str | int]:
    """What a connection says its settings are."""
    return {name: db.execute(f"PRAGMA {name}").fetchone()[0] for name in names}


def marks(values: Sequence[object]) -> str:
    """Return the placeholders for so many values."""
    return ", ".join("?" * len(values))


def take_pages(give: Callable[[sqlite3.Connection], None], part: Path) -> None:
    """Fill a file with the pages that ``give`` puts into a connection."""
    try:
        with closing(connect(part)) as copy:
            copy.execute("PRAGMA synchronous = OFF")  # it is synced when it is whole
            give(copy)
            copy.execute("PRAGMA journal_mode = DELETE")  # the copy is one file, without -wal
    except FAILURES as error:
        raise not_saved(error) from error
