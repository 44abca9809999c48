"""A disk that remembers what SQLite asked of it, refuses what it is told to, and loses power.

SQLite reaches files through a table of functions, its VFS. Here that table is copied, a few
of its functions write down what they are asked before they do it, and the copy is made the
one that every new connection of this process takes.
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
    """``sqlite3_io_methods``: what can be done with an open file."""

    _fields_ = (
        ("version", c_int),
        *functions("close read write truncate sync size lock unlock reserved control sector"),
        *functions("traits shm_map shm_lock shm_barrier shm_unmap fetch unfetch"),
    )


class Vfs(Structure):
    """``sqlite3_vfs``: how files are opened and removed."""

    _fields_ = (
        *((name, c_int) for name in ("version", "file_size", "path_size")),
        *functions("next name data open delete access full_path dl_open dl_error dl_sym dl_close"),
        *functions("random sleep time error time64 set_call get_call next_call"),
    )


LASTING = 0x00100 | 0x00800 | 0x80000
"""SQLITE_OPEN_MAIN_DB, _MAIN_JOURNAL and _WAL: the files that a power cut leaves."""
EIO = {"write": 778, "truncate": 1546, "sync": 1034, "delete": 2570}
"""SQLITE_IOERR_WRITE and its like: what SQLite hears when the system says EIO."""
ENOSPC = EIO | {"write": 13}
"""SQLITE_FULL; whatever needs no room fails as above."""
READ_ONLY = dict.fromkeys(EIO, 8)


_KEPT: list[object] = []
"""A connection that outlives its block still asks through the block's functions."""


@dataclass(frozen=True)
class Call:
    """Something that was asked of the disk, or told to somebody."""

    kind: str
    """found (with what was in it), write, truncate, sync, delete; folder: its entries are synced;
    told: see data."""
    file: str = ""
    at: int = 0
    """Where a write begins; how long a truncated file is."""
    data: Any = b""


class Disk:
    """What was asked of it, in order."""

    def __init__(self) -> None:
        self.calls: list[Call] = []
        self.names: set[str] = set()
        self.fault: Callable[[Call], int] = lambda call: 0
        """What a call is answered: 0 lets it be done, anything else is its error."""

    def tell(self, what: object) -> None:
        """Note what somebody was told at this point."""
        self.calls.append(Call("told", data=what))

    def asked(self, *what: Any) -> int:
        call = Call(*what)
        error = self.fault(call)
        if not error:
            self.calls.append(call)
            self.names -= {call.file} if call.kind == "delete" else set()
        return error

    def opened(self, path: Path) -> None:
        """A file is there from now on, if it was not."""
        if path.name not in self.names:
            self.names.add(path.name)
            self.calls.append(Call("found", path.name, data=path.read_bytes()))


@contextmanager
def remembering() -> Iterator[Disk]:
    """Connections opened within the block reach their files through the disk it gives."""
    sqlite = CDLL(getattr(_sqlite3, "__file__", None))
    sqlite.sqlite3_vfs_find.restype = c_void_p
    found = sqlite.sqlite3_vfs_find(None)
    usual = Vfs.from_address(found)
    ours = Vfs.from_buffer_copy(usual)
    noted = Disk()
    files: dict[int, tuple[str, Methods]] = {}
    """By address: the name of an open file and what can usually be done with it."""
    shared: dict[int, Methods] = {}

    @WRITE
    def write(file: int, data: int, size: int, at: int) -> int:
        name, methods = files[file]
        error = noted.asked("write", name, at, string_at(data, size))
        # a disk that fails, or is full, may have taken a part
        done = WRITE(methods.write)(file, data, size // 2 if error else size, at)
        return error or done

    @TRUNCATE
    def truncate(file: int, size: int) -> int:
        name, methods = files[file]
        return noted.asked("truncate", name, size) or TRUNCATE(methods.truncate)(file, size)

    @SYNC
    def sync(file: int, flags: int) -> int:
        name, methods = files[file]
        return noted.asked("sync", name) or SYNC(methods.sync)(file, flags)

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
        return noted.asked("delete", name) or DELETE(usual.delete)(found, path, in_folder_too)

    @OPEN_FOLDER
    def open_folder(path: bytes, handle: int) -> int:
        noted.asked("folder")
        return OPEN_FOLDER(folder_opener)(path, handle)

    def address(function: Any) -> int:
        return cast(function, c_void_p).value or 0

    changed = (write, truncate, sync)
    ours.open, ours.delete = address(open_file), address(delete)
    ours.name = cast(c_char_p(b"remembering"), c_void_p)
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
    """What is surely there, and what was asked since."""

    synced: bytes = b""
    waiting: list[Call] = field(default_factory=list)

    def content(self, is_kept: Callable[[], bool], sector: int) -> bytes:
        """The waiting calls in their order, each piece of them kept or not."""
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
    """Cut, or lengthen by zeros."""
    del content[size:]
    content.extend(bytes(size - len(content)))


def after_power_cut(calls: Iterable[Call], dice: random.Random) -> dict[str, bytes]:
    """The files as they may be found if the power fails after these calls.

    Only what was synced is sure. Of every other write each sector is there or not, whatever
    came before or after it; so is each shortening of a file. Names of files that were made or
    removed are sure once the folder was synced; before, they may stand as they did at any
    point since.
    """
    files: dict[str, File] = {}
    names: dict[str, list[File | None]] = {}
    """What a name may stand for, from what is sure to what is newest."""
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
