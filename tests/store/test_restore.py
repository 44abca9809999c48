"""Restoring replaces the database completely or not at all, and keeps the old one."""

import os
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from scorekeeper.store import CannotOpen, NotSaved, open_ledger
from scorekeeper.store.backup_state import read_state
from scorekeeper.store.errors import InUse, Newer, NotOurs
from scorekeeper.store.sqlite import backup as backups
from scorekeeper.store.sqlite.backup import BadBackup, FewerEvents, backup, restore
from scorekeeper.store.sqlite.hold import hold
from store.conftest import version_in

AT = "2026-11-21T15:30:00Z"


@pytest.fixture
def saved(table, tmp_path):
    """A closed database with two rounds, and a backup with the first of them."""
    table.record(table.open(), 25)
    backup(table.ledger, tmp_path / "backup.sqlite", "2026-11-20T23:00:00Z")
    table.record("evening", 40)
    table.ledger.close()
    return tmp_path / "backup.sqlite"


def names(folder: Path) -> set[str]:
    return {file.name for file in folder.iterdir() if not file.name.endswith(".lock")}


def test_restoring_keeps_the_replaced_database_under_a_dated_name(saved, path):
    restored = restore(saved, path, AT, force=True)

    assert version_in(path) == 2
    assert restored.replaced == path.with_name("evenings-replaced-20261121T153000Z.sqlite")
    assert version_in(restored.replaced) == 3
    assert restored.state.games == 1
    assert restored.state.events == 2


def test_a_database_with_more_events_is_replaced_with_force_only(saved, path):
    before = path.read_bytes()
    there = names(path.parent)

    with pytest.raises(FewerEvents) as poorer:
        restore(saved, path, AT)

    assert (poorer.value.offered, poorer.value.there) == (2, 3)
    assert path.read_bytes() == before
    assert names(path.parent) == there


def test_a_backup_can_be_restored_where_there_is_no_database(saved, tmp_path):
    elsewhere = tmp_path / "new" / "record.sqlite"
    elsewhere.parent.mkdir()

    restored = restore(saved, elsewhere, AT)

    assert restored.replaced is None
    assert version_in(elsewhere) == 2
    assert names(elsewhere.parent) == {"record.sqlite"}


def test_an_unreadable_database_is_replaced_and_kept(saved, path):
    path.write_bytes(b"not a database " * 1000)
    damaged = path.read_bytes()

    restored = restore(saved, path, AT)

    assert version_in(path) == 2
    assert restored.replaced.read_bytes() == damaged


@pytest.fixture
def killed(table_at, path, saved):
    """The database of a killed server, whose last round is only in the journal."""
    ledger = open_ledger(path, journal="wal")
    table_at(ledger).record("evening", 15)
    left = path.with_name("killed") / path.name
    left.parent.mkdir()
    for file in path.parent.glob(f"{path.name}*"):
        shutil.copy(file, left.parent)
    ledger.close()
    assert left.with_name(f"{left.name}-wal").stat().st_size > 0
    return left


@pytest.mark.parametrize("readable", [True, False])
def test_the_journal_of_a_killed_server_stays_with_the_replaced_database(
    saved, killed, monkeypatch, readable
):
    """A journal beside another database would be played into it."""
    if not readable:
        monkeypatch.setattr(backups, "_merge_journal", lambda record: None)
    restored = restore(saved, killed, AT, force=True)

    assert not killed.with_name(f"{killed.name}-wal").exists()
    assert version_in(killed) == 2
    assert version_in(restored.replaced) == 4


def damaged(path: Path) -> None:
    with closing(sqlite3.connect(path)) as other:
        other.execute("DROP TRIGGER events_stay")
        other.execute("UPDATE events SET payload = replace(payload, '25', '52')")
        other.commit()


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:5000])


def emptied(path: Path) -> None:
    path.write_bytes(b"")


def no_database(path: Path) -> None:
    path.write_bytes(b"Dear neighbour, " * 1000)


def newer(path: Path) -> None:
    with closing(sqlite3.connect(path)) as other:
        other.execute("PRAGMA user_version = 99")


@pytest.mark.parametrize(
    ("spoil", "refusal"),
    [
        (damaged, BadBackup),
        (cut, NotSaved),
        (emptied, NotOurs),
        (no_database, NotSaved),
        (newer, Newer),
        (Path.unlink, NotSaved),
    ],
)
def test_a_bad_backup_replaces_nothing(saved, path, spoil, refusal):
    before = path.read_bytes()
    spoil(saved)
    there = names(path.parent)

    with pytest.raises(refusal) as raised:
        restore(saved, path, AT, force=True)

    assert path.read_bytes() == before
    assert names(path.parent) == there
    if refusal is NotOurs:
        assert str(saved) in str(raised.value)


def test_restoring_does_not_change_the_backup(saved, path):
    before = saved.read_bytes()
    saved.chmod(0o400)
    restore(saved, path, AT, force=True)

    assert saved.read_bytes() == before


def test_a_failed_restore_leaves_the_database_in_place(saved, path, monkeypatch):
    def full(path: Path) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("scorekeeper.store.files.sync", full)
    with pytest.raises(OSError):
        restore(saved, path, AT, force=True)

    assert version_in(path) == 3
    assert not list(path.parent.glob("*.part*"))


def test_the_database_exists_at_every_moment_of_a_restore(saved, path, monkeypatch):
    replaced = []

    def replace(source: Path, target: Path) -> None:
        replaced.append((version_in(path), Path(target)))
        os.rename(source, target)

    monkeypatch.setattr("scorekeeper.store.files.os.replace", replace)
    restore(saved, path, AT, force=True)

    assert replaced == [(3, path)]  # the old one to its last moment


def test_two_restores_in_one_second_do_not_overwrite_a_replaced_database(saved, path):
    first = restore(saved, path, AT, force=True)
    content = first.replaced.read_bytes()

    with pytest.raises(FileExistsError):
        restore(saved, path, AT, force=True)

    assert first.replaced.read_bytes() == content


def test_the_replaced_database_is_kept_without_hard_links_too(saved, path, monkeypatch):
    def unknown(*names: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(backups.os, "link", unknown)
    restored = restore(saved, path, AT, force=True)

    assert version_in(restored.replaced) == 3
    assert version_in(path) == 2


def test_backup_and_database_both_store_the_time_of_the_backup(saved, path):
    with closing(open_ledger(path)) as ledger:
        left = read_state(ledger)
    restore(saved, path, AT, force=True)
    with closing(open_ledger(path)) as ledger:
        back = read_state(ledger)

    assert left.last_backup == back.last_backup
    assert left.last_backup.at == "2026-11-20T23:00:00Z"
    assert (left.not_backed_up, back.not_backed_up) == (1, 0)


# ---- who has it open -----------------------------------------------------------------


HOLDS = """
import sys
from pathlib import Path
from scorekeeper.store.sqlite.hold import hold
with hold(Path(sys.argv[1]), sys.argv[2]):
    print("held", flush=True)
    sys.stdin.read()
"""


WRITES = """
import sqlite3, sys
sqlite3.connect(sys.argv[1], timeout=0, isolation_level=None).execute("BEGIN IMMEDIATE")
"""


@pytest.fixture
def held(path, external):
    """Lock the database in another process, and end that process in different ways."""
    holders = []

    def start(how: str, record: Path = path) -> subprocess.Popen[str]:
        command = [sys.executable, "-c", HOLDS, str(record), how]
        other = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        holders.append(other)
        assert other.stdout.readline() == "held\n"
        return other

    yield start
    for other in holders:
        other.kill()
        other.communicate()


@pytest.mark.parametrize("how", ["shared", "reserved"])
def test_a_database_in_use_is_not_replaced(saved, path, held, how):
    other = held(how)
    with pytest.raises(InUse):
        restore(saved, path, AT, force=True)
    assert version_in(path) == 3

    other.kill()  # and whoever dies has let it go
    other.wait()
    restore(saved, path, AT, force=True)

    assert version_in(path) == 2


def another_name(path: Path, kind: str) -> Path:
    other = path.parent / "elsewhere" / "other.sqlite"
    other.parent.mkdir()
    other.symlink_to(path) if kind == "symbolic" else os.link(path, other)
    return other


@pytest.mark.parametrize("kind", ["symbolic", "hard"])
@pytest.mark.parametrize("how", ["reserved", "exclusive"])
def test_a_database_under_another_name_has_the_same_lock(saved, path, held, kind, how):
    other = another_name(path, kind)
    holder = held("reserved", other)
    for name in (path, other):
        with pytest.raises(InUse), hold(name, how):
            pass
    holder.kill()
    holder.wait()

    with hold(path, how):
        pass


@pytest.mark.parametrize("kind", ["symbolic", "hard"])
@pytest.mark.usefixtures("external")
def test_one_process_serves_a_database_under_one_name_only(path, saved, held, kind):
    other = another_name(path, kind)
    with closing(open_ledger(path)) as ledger, hold(path, "reserved"):
        with ledger.store.engine.write(), pytest.raises(InUse), hold(other, "reserved"):
            pass
        with ledger.store.engine.write():  # what was refused has dropped no lock of SQLite's
            busy = subprocess.run(
                [sys.executable, "-c", WRITES, str(path)], capture_output=True, text=True
            )

    assert "locked" in busy.stderr


def test_a_new_database_is_locked_from_the_start(tmp_path, held):
    new, other = tmp_path / "new.sqlite", tmp_path / "other.sqlite"
    held("reserved", new)
    assert new.stat().st_mode & 0o777 == 0o600
    os.link(new, other)

    with pytest.raises(InUse), hold(other, "reserved"):
        pass


@pytest.mark.usefixtures("external")
def test_a_forked_child_does_not_keep_the_lock(path, saved):
    forks = f"""{HOLDS.partition("with")[0]}
import os
with hold(Path(sys.argv[1]), "reserved"):
    answer, tells = os.pipe()
    if os.fork() == 0:
        os.write(tells, b"here")
        sys.stdin.read()
        os._exit(0)
    os.read(answer, 4)
    os._exit(0)
"""
    command = [sys.executable, "-c", forks, str(path)]
    server = subprocess.Popen(command, stdin=subprocess.PIPE)
    server.wait()
    with hold(another_name(path, "hard"), "reserved"):
        pass
    server.communicate()


def test_restoring_keeps_a_symbolic_link(saved, path):
    link = another_name(path, "symbolic")
    restore(saved, link, AT, force=True)

    assert link.is_symlink()
    assert version_in(path) == 2


@pytest.mark.parametrize(
    ("first", "second", "together"),
    [
        ("shared", "shared", True),
        ("shared", "reserved", True),
        ("reserved", "shared", True),
        ("reserved", "reserved", False),
        ("shared", "exclusive", False),
        ("reserved", "exclusive", False),
        ("exclusive", "shared", False),
        ("exclusive", "reserved", False),
        ("exclusive", "exclusive", False),
    ],
)
def test_locks_admit_visitors_beside_one_server_and_a_restore_alone(
    tmp_path, first, second, together
):
    record = tmp_path / "record.sqlite"
    with hold(record, first):
        if together:
            with hold(record, second):
                pass
        else:
            with pytest.raises(InUse), hold(record, second):
                pass
    with hold(record, "exclusive"):  # nothing is left behind
        pass

    served = first == "reserved" or (together and second == "reserved")
    created = {"record.sqlite"} if served else set()
    assert {file.name for file in tmp_path.iterdir()} == {"record.sqlite.lock"} | created


def test_a_read_only_folder_can_be_visited(tmp_path):
    record = tmp_path / "nowhere" / "record.sqlite"
    with hold(record, "shared"):
        pass
    for how in ("reserved", "exclusive"):
        with pytest.raises(CannotOpen), hold(record, how):
            pass


def test_a_restore_by_root_keeps_the_owner_of_the_folder(saved, tmp_path, monkeypatch):
    given = {}
    folder = tmp_path / "service"
    folder.mkdir()
    monkeypatch.setattr("scorekeeper.store.files.os.geteuid", lambda: 0)
    monkeypatch.setattr(
        "scorekeeper.store.files.os.chown", lambda file, *owner: given.update({file.name: owner})
    )
    restore(saved, folder / "record.sqlite", AT)
    there = folder.stat()

    assert set(given.values()) == {(there.st_uid, there.st_gid)}
    assert "record.sqlite.lock" in given
    assert any(name.endswith(".part") for name in given)
