"""A copy that can be trusted: taken through SQLite, read back whole, then put in place."""

import os
from pathlib import Path

from scorekeeper.store.check import Report, check
from scorekeeper.store.engine import FAILURES, Engine, NotSaved, connect
from scorekeeper.store.ledger import Ledger


class BadBackup(Exception):
    """The copy is not good, and was thrown away."""

    def __init__(self, report: Report) -> None:
        super().__init__(", ".join(line.key for line in report.lines if not line.ok))
        self.report = report


def backup(ledger: Ledger, target: str | Path) -> Report:
    """Copy the ledger while it is in use; what was at ``target`` stays until the copy is good.

    Copying the live file instead would give a file that looks whole and lacks rounds.
    """
    target = Path(target)
    part = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        _copy(ledger.engine, part)
        report = _verified(part)
        os.replace(part, target)
        _sync_folder(target.parent)
    finally:
        part.unlink(missing_ok=True)
    return report


def _copy(engine: Engine, part: Path) -> None:
    copy = connect(part)
    try:
        engine.db.conn.backup(copy)  # all pages in one step: one moment of the ledger
        copy.execute("PRAGMA journal_mode = DELETE")  # the copy is one file, without -wal
    except FAILURES as error:
        raise NotSaved(error) from error
    finally:
        copy.close()
    _sync(part)


def _verified(part: Path) -> Report:
    copy = Ledger(Engine(part, "truncate"))
    try:
        report = check(copy)
    finally:
        copy.close()
    if not report.good:
        raise BadBackup(report)
    return report


def _sync(path: Path) -> None:
    with path.open("rb+") as file:
        os.fsync(file.fileno())


def _sync_folder(folder: Path) -> None:
    """Wait until the new name is on the disk, where folders can be asked for that."""
    if os.name == "posix":
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
