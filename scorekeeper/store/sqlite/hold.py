"""Locks on a database: shared for commands, reserved for one server, exclusive for a restore.

They are SQLite's own three locks, on an empty file beside the database. They work wherever
SQLite does, and end with their process, however it ends.

The lock file is found by the path of the database, with symbolic links resolved. A hard link is
another path to the same file, so a server or restore also locks the database file itself: one byte
far behind any page, with an open file description lock, which does not interfere with SQLite's.
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
from scorekeeper.store.files import match_folder_owner
from scorekeeper.store.sqlite.connections import connect, is_busy

Hold = Literal["shared", "reserved", "exclusive"]
LOCKS: dict[Hold, tuple[str, ...]] = {
    "shared": ("BEGIN", "SELECT 1 FROM sqlite_schema"),
    "reserved": ("BEGIN IMMEDIATE",),  # one, beside any number of shared locks
    "exclusive": ("BEGIN EXCLUSIVE",),
}
PATIENCE_MS = 1000
LOCK_BYTE = 2**62
"""The offset of the locked byte; the largest database ends at 2**48."""
Inode = tuple[int, int]
_held: dict[Inode, int] = {}
"""The files that this process serves or replaces, with the descriptors of their locks."""
_holding = threading.Lock()


@contextmanager
def hold(database: Path, how: Hold) -> Iterator[None]:
    """Hold one of SQLite's locks on a database; InUse if others hold one that excludes it.

    A reserved lock creates the file if there is none, so that it can be locked.
    """
    database = database.resolve()
    file = database.with_name(f"{database.name}.lock")
    try:
        if not file.exists():
            file.touch()
            match_folder_owner(file)
        lock = connect(file)
    except (OSError, sqlite3.Error) as error:
        if how != "shared":
            raise CannotOpen(f"{database}: {error}") from error
        yield  # in a read-only folder nothing can be replaced either
        return
    with closing(lock):
        _take(lock, database, how)
        if how == "shared":
            yield
            return
        if how == "reserved" and not database.exists():
            with suppress(OSError):  # opening the database will report the reason
                database.touch(mode=0o600)
        with _inode_locked(database):
            yield


@contextmanager
def _inode_locked(database: Path) -> Iterator[None]:
    """Lock the file itself, whatever its name; InUse if another process has the lock.

    Does nothing if there is no file or it cannot be written.
    """
    inode = _lock_inode(database)
    try:
        yield
    finally:
        if inode:
            with _holding:
                os.close(_held.pop(inode))


def _lock_inode(database: Path) -> Inode | None:
    with _holding:
        try:
            about = database.stat()
            inode = (about.st_dev, about.st_ino)
            # Never open it twice: closing a file drops all of this process's SQLite locks on it.
            if inode in _held:
                raise InUse(str(database))
            handle = os.open(database, os.O_RDWR | getattr(os, "O_CLOEXEC", 0))
        except OSError:
            return None
        if not _lock(handle):
            os.close(handle)
            raise InUse(str(database))
        _held[inode] = handle
    return inode


def _lock(handle: int) -> bool:
    """Take the lock and return whether that worked; True if the system has no such locks."""
    if sys.platform != "linux":
        return True
    import fcntl

    byte = struct.pack("hhqqi0q", fcntl.F_WRLCK, os.SEEK_SET, LOCK_BYTE, 1, 0)
    try:
        fcntl.fcntl(handle, fcntl.F_OFD_SETLK, byte)
    except OSError as error:
        return error.errno not in (errno.EAGAIN, errno.EACCES)
    return True


def _close_inherited() -> None:
    """Close the lock descriptors in a forked child, where they would outlive this process."""
    for handle in _held.values():
        os.close(handle)
    _held.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_close_inherited)


def _take(lock: sqlite3.Connection, database: Path, how: Hold) -> None:
    try:
        lock.execute(f"PRAGMA busy_timeout = {PATIENCE_MS}")
        lock.execute("PRAGMA journal_mode = MEMORY")  # nothing is ever written
        for statement in LOCKS[how]:
            lock.execute(statement).fetchall()
    except sqlite3.Error as error:
        if is_busy(error):
            raise InUse(str(database)) from error
        raise CannotOpen(f"{database}: {error}") from error
