"""A backup during writes is complete (B1)."""

import os
import shutil
import subprocess
import sys
import threading
import time
from contextlib import contextmanager

import pytest

from bars import tried, tries, trying
from patience import join, wait_until
from scorekeeper.cli.answering import served_app
from scorekeeper.store import open_ledger
from scorekeeper.store.errors import Unreadable
from scorekeeper.store.files import remove_unfinished, replacing
from scorekeeper.store.report import CheckResult, Report
from scorekeeper.store.sqlite import backup as backups
from scorekeeper.store.sqlite.backup import BadBackup, backup
from store.conftest import version_in

AT = "2026-06-12T22:00:00Z"


@contextmanager
def busy(table_at, path):
    """A game in WAL mode with a constant writer, and the acknowledged rounds."""
    ledger = open_ledger(path, journal="wal")
    table, stop, saved = table_at(ledger), threading.Event(), []
    table.open()

    def write():
        while not stop.is_set():
            saved.append(table.record("evening", 10).version)

    writer = threading.Thread(target=write)
    writer.start()
    try:
        yield ledger, saved
    finally:
        stop.set()
        join(writer)
        ledger.close()


@pytest.fixture
def lacking(table_at, tmp_path):
    """Make copies under load, and return how many acknowledged rounds each lacks."""

    def made(copy):
        left = tries("B1")
        while left:  # evenings of ten copies, for they grow long
            with busy(table_at, tmp_path / f"busy-{left}.sqlite") as (ledger, saved):
                for dice in trying("B1", min(left, 10)):
                    enough(saved, dice.randint(1, 40))
                    before = saved[-1]
                    copied = copy(ledger, tmp_path / "copy.sqlite")
                    yield before - held(copied)
                    left -= 1

    return made


def held(copy):
    """Return the version in a copy; 0 if it is too damaged to open."""
    try:
        return version_in(copy, journal="truncate") or 0
    except Unreadable:
        return 0


def enough(saved, more):
    wanted = len(saved) + more
    wait_until(lambda: len(saved) >= wanted, lambda: time.sleep(0.001))


@pytest.mark.bar("B1")
def test_a_backup_under_load_holds_every_round_saved_before_it(lacking):
    def backed_up(ledger, target):
        assert backup(ledger, target, AT).good
        return target

    for lacks in lacking(backed_up):
        assert lacks <= 0


@pytest.mark.bar("B1", control="cp")
def test_a_copy_of_the_live_file_lacks_rounds(lacking):
    def copied(ledger, target):
        return shutil.copy(ledger.store.engine.path, target)

    lacked = [lacks for lacks in lacking(copied) if lacks > 0]
    tried(0, failed=len(lacked))

    assert lacked


def test_a_backup_is_a_single_file(table, tmp_path):
    table.record(table.open(), 25)
    folder = tmp_path / "backups"
    folder.mkdir()
    backup(table.ledger, folder / "evening.sqlite", AT)

    assert [file.name for file in folder.iterdir()] == ["evening.sqlite"]
    assert version_in(folder / "evening.sqlite") == 2


BREAKS_OFF = """
import os, sys
from pathlib import Path
from scorekeeper.store.files import replacing
with replacing(Path(sys.argv[1])) as part:
    part.with_name(part.name + "-journal").touch()
    print(part.name)
    sys.stdout.flush()
    os._exit(9) if sys.argv[2] == "dies" else sys.stdin.read()
"""


def breaking_off(target, how):
    command = [sys.executable, "-c", BREAKS_OFF, str(target), how]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    return process, target.with_name(process.stdout.readline().strip())


@pytest.mark.usefixtures("external")
def test_the_next_backup_removes_unfinished_files(table, tmp_path):
    table.open()
    folder = tmp_path / "copies"
    folder.mkdir()
    process, left = breaking_off(folder / "first.sqlite", "dies")
    process.communicate()
    there = left.exists()
    backup(table.ledger, folder / "second.sqlite", AT)

    assert there
    assert [file.name for file in folder.iterdir()] == ["second.sqlite"]


@pytest.mark.usefixtures("external")
def test_files_that_another_process_is_writing_are_not_removed(table, tmp_path):
    table.open()
    process, part = breaking_off(tmp_path / "first.sqlite", "goes on")
    remove_unfinished(tmp_path)
    there = part.exists()
    process.communicate()

    assert there
    assert (tmp_path / "first.sqlite").exists()


def test_an_unfinished_file_of_an_earlier_process_with_the_same_number_is_removed(tmp_path):
    mine = tmp_path / f".a.sqlite.{os.getpid()}.scorekeeper.part"
    mine.touch()
    old = tmp_path / f".b.sqlite.{os.getppid()}.scorekeeper.part-wal"
    old.touch()
    os.utime(old, (0, 0))
    foreign = tmp_path / ".c.sqlite.part"
    foreign.touch()
    with replacing(tmp_path / "d.sqlite") as part:
        remove_unfinished(tmp_path)
        left = set(tmp_path.iterdir())

    assert left == {foreign, part}


@pytest.mark.usefixtures("external")
def test_a_starting_server_removes_unfinished_files_of_a_restore(tmp_path, monkeypatch):
    monkeypatch.setenv("SCOREKEEPER_BACKUPS", "off")
    process, _ = breaking_off(tmp_path / "games.sqlite", "dies")
    process.communicate()
    with served_app(tmp_path / "games.sqlite"):
        assert not list(tmp_path.glob("*.part*"))


def test_a_bad_copy_does_not_replace_the_last_good_backup(table, tmp_path, monkeypatch):
    table.open()
    target = tmp_path / "backup.sqlite"
    backup(table.ledger, target, AT)
    good = target.read_bytes()
    monkeypatch.setattr(backups, "check", lambda copy: Report((CheckResult("chain", False),)))

    with pytest.raises(BadBackup, match="chain"):
        backup(table.ledger, target, AT)

    assert target.read_bytes() == good
    assert not list(tmp_path.glob("*.part*"))
