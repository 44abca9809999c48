"""Who has the record open: many who visit it, one who serves it, or one who replaces it alone.

SQLite's own three locks say so, on an empty file beside the record. They work wherever
SQLite does, and end with the process that held them, however it ended.

That file is found by the record's path, symbolic links resolved. A hard link is another path
to the same file, so whoever serves or replaces a record also locks the file itself: one byte
far behind any page, by an open file description lock, which SQLite's own locks do not meet.
"""

import errno
import os
import struct
import sys
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Literal

from sqlite_utils.utils import sqlite3  # type: ignore[attr-defined]  # or its pysqlite3

from scorekeeper.store.errors import CannotOpen, InUse
from scorekeeper.store.files import give_away
from scorekeeper.store.sqlite.engine import connect, is_busy

Hold = Literal["visit", "serve", "alone"]
LOCKS: dict[Hold, tuple[str, ...]] = {
    "visit": ("BEGIN", "SELECT 1 FROM sqlite_schema"),  # SHARED
    "serve": ("BEGIN IMMEDIATE",),  # RESERVED: one, beside any number of visitors
    "alone": ("BEGIN EXCLUSIVE",),
}
PATIENCE_MS = 1000
FAR = 2**62
"""The byte that is locked; the largest database ends at 2**48."""
Inode = tuple[int, int]
_held: dict[Inode, int] = {}
"""What this process serves or replaces, with the descriptor that has the lock."""
_holding = threading.Lock()


@contextmanager
def hold(record: Path, how: Hold) -> Iterator[None]:
    """Have the record as a visitor, as its only server, or alone; InUse if that cannot be.

    A record that is served from now on is created, so that its file can be locked.
    """
    record = record.resolve()
    file = record.with_name(f"{record.name}.lock")
    try:
        if not file.exists():
            file.touch()
            give_away(file)
        lock = connect(file)
    except (OSError, sqlite3.Error) as error:
        if how != "visit":
            raise CannotOpen(f"{record}: {error}") from error
        yield  # where nothing can be written nothing can be replaced
        return
    with closing(lock):
        _take(lock, record, how)
        if how == "visit":
            yield
            return
        if how == "serve" and not record.exists():
            with suppress(OSError):  # the engine says why it cannot be
                record.touch(mode=0o600)
        with _inode_locked(record):
            yield


@contextmanager
def _inode_locked(record: Path) -> Iterator[None]:
    """Lock the file itself, under whatever name it was opened; InUse where somebody has it.

    Nothing is locked where there is no file, or where it cannot be written.
    """
    inode = _lock_inode(record)
    try:
        yield
    finally:
        if inode:
            with _holding:
                os.close(_held.pop(inode))


def _lock_inode(record: Path) -> Inode | None:
    with _holding:
        try:
            about = record.stat()
            inode = (about.st_dev, about.st_ino)
            # Never opened twice: closing a file drops all of SQLite's locks of this process on it.
            if inode in _held:
                raise InUse(str(record))
            handle = os.open(record, os.O_RDWR | getattr(os, "O_CLOEXEC", 0))
        except OSError:
            return None
        if not _lock(handle):
            os.close(handle)
            raise InUse(str(record))
        _held[inode] = handle
    return inode


def _lock(handle: int) -> bool:
    """Whether nobody else has the lock; True where the system or the disk knows no such locks."""
    if sys.platform != "linux":
        return True
    import fcntl

    byte = struct.pack("hhqqi0q", fcntl.F_WRLCK, os.SEEK_SET, FAR, 1, 0)
    try:
        fcntl.fcntl(handle, fcntl.F_OFD_SETLK, byte)
    except OSError as error:
        return error.errno not in (errno.EAGAIN, errno.EACCES)
    return True


def _let_go() -> None:
    """A child that was forked serves nothing; with its copy the lock would outlive this process."""
    for handle in _held.values():
        os.close(handle)
    _held.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_let_go)


def _take(lock: sqlite3.Connection, record: Path, how: Hold) -> None:
    try:
        lock.execute(f"PRAGMA busy_timeout = {PATIENCE_MS}")
        lock.execute("PRAGMA journal_mode = MEMORY")  # nothing is ever written
        for statement in LOCKS[how]:
            lock.execute(statement).fetchall()
    except sqlite3.Error as error:
        if is_busy(error):
            raise InUse(str(record)) from error
        raise CannotOpen(f"{record}: {error}") from error
