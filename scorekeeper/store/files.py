"""Atomic replacement of files: write beside the target, sync, rename."""

import os
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from shutil import copyfileobj
from tempfile import TemporaryDirectory

SIDES = ("-wal", "-shm", "-journal")
"""The suffixes of SQLite's side files; beside another database they would damage it."""

UNFINISHED = re.compile(r"\..+\.(\d+)\.scorekeeper\.part(-wal|-shm|-journal)?")
"""The name of an unfinished file, with the number of the process that writes it."""
MAX_AGE_S = 24 * 3600
"""Older unfinished files are abandoned, even if another process has their number by now."""
_writing: set[Path] = set()
"""The files that this process is writing."""


def side_files(file: Path) -> Iterator[Path]:
    """Yield the side files of a database."""
    beside = (file.with_name(file.name + side) for side in SIDES)
    return (path for path in beside if path.exists())


@contextmanager
def replacing(target: Path) -> Iterator[Path]:
    """Open a temporary file that replaces ``target`` at the end, or is removed on an error.

    ``target`` stays intact until then, also behind a symbolic link. Only its owner can read the new
    file. A pipe or device is no file to replace: it is written to at the end.
    """
    if target.exists() and not (target.is_file() or target.is_dir()):
        with TemporaryDirectory() as folder:
            part = Path(folder, "part")
            yield part
            with part.open("rb") as whole, target.open("wb") as out:
                copyfileobj(whole, out)
        return
    target = target.resolve()
    part = target.with_name(f".{target.name}.{os.getpid()}.scorekeeper.part")
    remove_unfinished(target.parent)
    _writing.add(part)
    try:
        part.touch(mode=0o600)
        match_folder_owner(part)
        yield part
        sync(part)
        os.replace(part, target)
        sync_folder(target.parent)
    finally:
        _writing.discard(part)
        for file in (part, *side_files(part)):
            file.unlink(missing_ok=True)


def remove_unfinished(folder: Path) -> None:
    """Remove the unfinished files that killed processes have left in a folder."""
    with suppress(OSError):  # a file that cannot be removed does no harm
        for file in folder.iterdir():
            named = UNFINISHED.fullmatch(file.name)
            if named and _is_abandoned(file, int(named[1])):
                file.unlink(missing_ok=True)


def _is_abandoned(file: Path, process: int) -> bool:
    if time.time() - file.stat().st_mtime > MAX_AGE_S:
        return True
    if process == os.getpid():  # in a container every server has the same number
        return not any(file.name.startswith(part.name) for part in _writing)
    return os.name == "posix" and not _is_running(process)


def _is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):  # it belongs to another user
        return True
    return True


def match_folder_owner(file: Path) -> None:
    """Give a file that root has created to the owner of its folder, as a service needs it."""
    if hasattr(os, "geteuid") and os.geteuid() == 0:  # neither Windows nor a browser has users
        folder = file.parent.stat()
        os.chown(file, folder.st_uid, folder.st_gid)


def sync(path: Path) -> None:
    """Wait until a file is on the disk."""
    with path.open("rb+") as file:
        os.fsync(file.fileno())


def sync_folder(folder: Path) -> None:
    """Wait until the names in a folder are on the disk, where the system supports it."""
    if os.name == "posix":
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
