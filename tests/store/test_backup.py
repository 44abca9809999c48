"""A backup taken while everybody writes is whole (B1)."""

import shutil
import threading
import time

import pytest

from scorekeeper.store import backup as backups
from scorekeeper.store import open_ledger
from scorekeeper.store.backup import BadBackup, backup
from scorekeeper.store.check import Line, Report


@pytest.fixture
def busy(table_at, path):
    """A table in WAL mode at which somebody writes all the time, and what was acknowledged."""
    ledger = open_ledger(path, journal="wal")
    table, stop, saved = table_at(ledger), threading.Event(), []
    table.open()

    def write():
        while not stop.is_set():
            saved.append(table.record("evening", 10).version)

    writer = threading.Thread(target=write)
    writer.start()
    yield ledger, saved
    stop.set()
    writer.join()
    ledger.close()


def enough(saved, more):
    wanted = len(saved) + more
    while len(saved) < wanted:
        time.sleep(0.001)


def rounds_in(copy):
    ledger = open_ledger(copy, journal="truncate")
    try:
        return ledger.version("evening") or 0
    finally:
        ledger.close()


def test_a_backup_under_load_holds_every_round_saved_before_it(busy, tmp_path):  # B1
    ledger, saved = busy
    for number in range(3):
        enough(saved, 20)
        before = saved[-1]
        report = backup(ledger, tmp_path / f"backup-{number}.sqlite")

        assert report.good
        assert rounds_in(tmp_path / f"backup-{number}.sqlite") >= before


def test_a_copy_of_the_live_file_lacks_rounds(busy, tmp_path):  # B1, control
    ledger, saved = busy
    enough(saved, 20)
    before = saved[-1]
    copied = shutil.copy(ledger.engine.path, tmp_path / "copy.sqlite")

    assert rounds_in(copied) < before


def test_a_backup_is_one_file_and_leaves_nothing_beside_it(table, tmp_path):
    table.record(table.open(), 25)
    folder = tmp_path / "backups"
    folder.mkdir()
    backup(table.ledger, folder / "evening.sqlite")

    assert [file.name for file in folder.iterdir()] == ["evening.sqlite"]
    assert rounds_in(folder / "evening.sqlite") == 2


def test_a_bad_copy_does_not_replace_the_last_good_backup(table, tmp_path, monkeypatch):
    table.open()
    target = tmp_path / "backup.sqlite"
    backup(table.ledger, target)
    good = target.read_bytes()
    monkeypatch.setattr(backups, "check", lambda copy: Report((Line("chain", False),)))

    with pytest.raises(BadBackup, match="chain"):
        backup(table.ledger, target)

    assert target.read_bytes() == good
    assert not list(tmp_path.glob("*.part*"))
