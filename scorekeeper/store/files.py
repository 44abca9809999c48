"""Whole files: synced, then put in place under their name at once."""

import os
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

SIDES = ("-wal", "-shm", "-journal")
"""What SQLite may keep beside a file; beside another file it would spoil that one."""

UNFINISHED = re.compile(r"\..+\.(\d+)\.scorekeeper\.part(-wal|-shm|-journal)?")
"""A file that is not whole yet, with the process that writes it."""
A_DAY = 24 * 3600
"""No file takes longer; an older one is left over, even if its number is another process now."""
_writing: set[Path] = set()
"""What this process writes now."""


def side_files(file: Path) -> Iterator[Path]:
    """What lies beside a database."""
    beside = (file.with_name(file.name + side) for side in SIDES)
    return (path for path in beside if path.exists())


@contextmanager
def becoming(target: Path) -> Iterator[Path]:
    """A file that takes the name of ``target`` when all went well, and is gone otherwise.

    What was at ``target`` stays whole until then; only its owner can read the new one.
    """
    part = target.with_name(f".{target.name}.{os.getpid()}.scorekeeper.part")
    sweep(target.parent)
    _writing.add(part)
    try:
        part.touch(mode=0o600)
        give_away(part)
        yield part
        sync(part)
        os.replace(part, target)
        sync_folder(target.parent)
    finally:
        _writing.discard(part)
        for file in (part, *side_files(part)):
            file.unlink(missing_ok=True)


def sweep(folder: Path) -> None:
    """Remove what processes that were killed left unfinished in a folder."""
    with suppress(OSError):  # whatever cannot be removed stands in nobody's way
        for file in folder.iterdir():
            named = UNFINISHED.fullmatch(file.name)
            if named and _is_left(file, int(named[1])):
                file.unlink(missing_ok=True)


def _is_left(file: Path, process: int) -> bool:
    if time.time() - file.stat().st_mtime > A_DAY:
        return True
    if process == os.getpid():  # in a container every server has the same number
        return not any(file.name.startswith(part.name) for part in _writing)
    return os.name == "posix" and not _is_running(process)


def _is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):  # it is somebody else's
        return True
    return True


def give_away(file: Path) -> None:
    """What root makes in the folder of a service belongs to whoever the folder belongs to."""
    if os.name == "posix" and os.geteuid() == 0:
        folder = file.parent.stat()
        os.chown(file, folder.st_uid, folder.st_gid)


def sync(path: Path) -> None:
    """Wait until a file is on the disk."""
    with path.open("rb+") as file:
        os.fsync(file.fileno())


def sync_folder(folder: Path) -> None:
    """Wait until the names in a folder are on the disk, where folders can be asked for that."""
    if os.name == "posix":
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
