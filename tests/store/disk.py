"""A disk that records SQLite's calls, fails as told, and simulates power cuts.

SQLite accesses files through a table of functions, its VFS. This module copies that table, lets
some of its functions record their calls, and makes the copy the default of this process.
"""

import _sqlite3
import random
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from ctypes import (
    CDLL,
    CFUNCTYPE,
    Structure,
    addressof,
    byref,
    c_char_p,
    c_int,
    c_int64,
    c_void_p,
    cast,
    string_at,
)
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

WRITE = CFUNCTYPE(c_int, c_void_p, c_void_p, c_int, c_int64)
TRUNCATE = CFUNCTYPE(c_int, c_void_p, c_int64)
SYNC = CFUNCTYPE(c_int, c_void_p, c_int)
OPEN = CFUNCTYPE(c_int, c_void_p, c_void_p, c_void_p, c_int, c_void_p)
DELETE = CFUNCTYPE(c_int, c_void_p, c_char_p, c_int)
OPEN_FOLDER = CFUNCTYPE(c_int, c_char_p, c_void_p)
SET_CALL = CFUNCTYPE(c_int, c_void_p, c_char_p, c_void_p)
GET_CALL = CFUNCTYPE(c_void_p, c_void_p, c_char_p)


def functions(names: str) -> Iterator[tuple[str, Any]]:
    return ((name, c_void_p) for name in names.split())


class Methods(Structure):
    """``sqlite3_io_methods``: the operations on an open file."""

    _fields_ = (
        ("version", c_int),
        *functions("close read write truncate sync size lock unlock reserved control sector"),
        *functions("traits shm_map shm_lock shm_barrier shm_unmap fetch unfetch"),
    )


class Vfs(Structure):
    """``sqlite3_vfs``: opening and removing files."""

    _fields_ = (
        *((name, c_int) for name in ("version", "file_size", "path_size")),
        *functions("next name data open delete access full_path dl_open dl_error dl_sym dl_close"),
        *functions("random sleep time error time64 set_call get_call next_call"),
    )


LASTING = 0x00100 | 0x00800 | 0x80000
"""SQLITE_OPEN_MAIN_DB, _MAIN_JOURNAL and _WAL: the files that survive a power cut."""
EIO = {"write": 778, "truncate": 1546, "sync": 1034, "delete": 2570}
"""SQLITE_IOERR_WRITE and similar: SQLite's errors for EIO."""
ENOSPC = EIO | {"write": 13}
"""SQLITE_FULL; calls that need no space fail as above."""
READ_ONLY = dict.fromkeys(EIO, 8)


_KEPT: list[object] = []
"""Kept alive, because a connection that outlives its block still calls them."""


@dataclass(frozen=True)
class Call:
    """A call to the disk, or an acknowledgement."""

    kind: str
    """found (with what was in it), write, truncate, sync, delete; folder: its entries are synced;
    acknowledged: see data."""
    file: str = ""
    at: int = 0
    """The offset of a write, or the size of a truncated file."""
    data: Any = b""


class Disk:
    """The recorded calls in order."""

    def __init__(self) -> None:
        self.calls: list[Call] = []
        self.names: set[str] = set()
        self.fault: Callable[[Call], int] = lambda call: 0
        """Return the result of a call: 0 lets it happen, anything else is its error."""

    def acknowledge(self, what: object) -> None:
        """Record an acknowledgement at this point."""
        self.calls.append(Call("acknowledged", data=what))

    def record(self, *what: Any) -> int:
        call = Call(*what)
        error = self.fault(call)
        if not error:
            self.calls.append(call)
            self.names -= {call.file} if call.kind == "delete" else set()
        return error

    def opened(self, path: Path) -> None:
        """Record that a file exists from now on."""
        if path.name not in self.names:
            self.names.add(path.name)
            self.calls.append(Call("found", path.name, data=path.read_bytes()))


@contextmanager
def recording_disk() -> Iterator[Disk]:
    """Let connections opened within the block use this disk."""
    sqlite = CDLL(getattr(_sqlite3, "__file__", None))
    sqlite.sqlite3_vfs_find.restype = c_void_p
    found = sqlite.sqlite3_vfs_find(None)
    usual = Vfs.from_address(found)
    ours = Vfs.from_buffer_copy(usual)
    noted = Disk()
    files: dict[int, tuple[str, Methods]] = {}
    """The name and the original methods of every open file, by address."""
    shared: dict[int, Methods] = {}

    @WRITE
    def write(file: int, data: int, size: int, at: int) -> int:
        name, methods = files[file]
        error = noted.record("write", name, at, string_at(data, size))
        # a disk that fails, or is full, may have taken a part
        done = WRITE(methods.write)(file, data, size // 2 if error else size, at)
        return error or done

    @TRUNCATE
    def truncate(file: int, size: int) -> int:
        name, methods = files[file]
        return noted.record("truncate", name, size) or TRUNCATE(methods.truncate)(file, size)

    @SYNC
    def sync(file: int, flags: int) -> int:
        name, methods = files[file]
        return noted.record("sync", name) or SYNC(methods.sync)(file, flags)

    @OPEN
    def open_file(_: int, text: int | None, file: int, flags: int, flags_given: int) -> int:
        path = Path(string_at(text).decode()) if text else None  # SQLite holds on to its text
        error = OPEN(usual.open)(found, text, file, flags, flags_given)
        if path and flags & LASTING and not error:
            place = c_void_p.from_address(file)
            methods = Methods.from_address(place.value)
            files[file] = path.name, methods
            if place.value not in shared:
                watched = shared[place.value] = Methods.from_buffer_copy(methods)
                watched.write, watched.truncate, watched.sync = map(address, changed)
            place.value = addressof(shared[place.value])
            noted.opened(path)
        return error

    @DELETE
    def delete(_: int, path: bytes, in_folder_too: int) -> int:
        name = Path(path.decode()).name
        return noted.record("delete", name) or DELETE(usual.delete)(found, path, in_folder_too)

    @OPEN_FOLDER
    def open_folder(path: bytes, handle: int) -> int:
        noted.record("folder")
        return OPEN_FOLDER(folder_opener)(path, handle)

    def address(function: Any) -> int:
        return cast(function, c_void_p).value or 0

    changed = (write, truncate, sync)
    ours.open, ours.delete = address(open_file), address(delete)
    ours.name = cast(c_char_p(b"recording"), c_void_p)
    folder_opener = GET_CALL(usual.get_call)(found, b"openDirectory")
    SET_CALL(usual.set_call)(found, b"openDirectory", address(open_folder))
    _KEPT.append((ours, shared, changed, open_file, delete, open_folder))
    sqlite.sqlite3_vfs_register(byref(ours), 1)
    try:
        yield noted
    finally:
        sqlite.sqlite3_vfs_unregister(byref(ours))
        sqlite.sqlite3_vfs_register(c_void_p(found), 1)
        SET_CALL(usual.set_call)(found, b"openDirectory", None)


# ---- the power is cut --------------------------------------------------------------------

SECTORS = (512, 4096)


@dataclass
class File:
    """The synced content, and the calls since."""

    synced: bytes = b""
    waiting: list[Call] = field(default_factory=list)

    def content(self, is_kept: Callable[[], bool], sector: int) -> bytes:
        """Apply the pending calls in order, each piece of them or not."""
        content = bytearray(self.synced)
        for call in self.waiting:
            if call.kind == "truncate":
                if is_kept():
                    _cut(content, call.at)
                continue
            for begin in range(call.at - call.at % sector, call.at + len(call.data), sector):
                piece = slice(max(begin, call.at), min(begin + sector, call.at + len(call.data)))
                if is_kept():
                    _cut(content, max(len(content), piece.stop))
                    content[piece] = call.data[piece.start - call.at : piece.stop - call.at]
        return bytes(content)

    def settle(self) -> None:
        self.synced = self.content(lambda: True, SECTORS[-1])
        self.waiting = []


def _cut(content: bytearray, size: int) -> None:
    """Truncate, or extend with zeros."""
    del content[size:]
    content.extend(bytes(size - len(content)))


def after_power_cut(calls: Iterable[Call], dice: random.Random) -> dict[str, bytes]:
    """Return possible files after a power cut that follows these calls.

    Only synced data is certain. Every sector of any other write is present or missing, independent
    of its neighbours, and so is each truncation. Names of created or removed files are certain once
    the folder was synced; before that they may be as at any point since.
    """
    files: dict[str, File] = {}
    names: dict[str, list[File | None]] = {}
    """Return the possible contents of a name, from the synced to the newest."""
    for call in calls:
        match call.kind:
            case "found":
                files[call.file] = File(call.data)
                names.setdefault(call.file, [None]).append(files[call.file])
            case "delete":
                del files[call.file]
                names[call.file].append(None)
            case "write" | "truncate":
                files[call.file].waiting.append(call)
            case "sync":
                files[call.file].settle()
            case "folder":
                names = {name: stood[-1:] for name, stood in names.items()}
    likely, sector = dice.choice((0.0, 0.1, 0.5, 0.9, 1.0)), dice.choice(SECTORS)
    left = {name: dice.choice(stood) for name, stood in names.items()}
    return {
        name: file.content(lambda: dice.random() < likely, sector)
        for name, file in left.items()
        if file
    }
