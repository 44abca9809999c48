"""Automatic backups: when one is due, which are kept, and how failures are reported."""

import logging
import threading
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

import short
from patience import join
from scorekeeper import config, create_app
from scorekeeper.domain.game.changes import NewGame
from scorekeeper.services import games
from scorekeeper.services.clock import set_clock
from scorekeeper.services.games import new_rules
from scorekeeper.serving import maintenance
from scorekeeper.serving.maintenance import BackupTask, backups_in, run_maintenance, stamps_to_keep
from scorekeeper.store import Ledger, NotSaved, open_ledger
from scorekeeper.store.backup_state import read_state
from scorekeeper.store.check import check
from scorekeeper.store.sqlite.backup import backup

GONE = 2**22 + 1
"""A process number that is not in use."""
EVENING = datetime(2026, 11, 20, 19, tzinfo=UTC)


class Clock:
    """A game and its backup task, at any hour after the evening began."""

    def __init__(self, path: Path) -> None:
        self.ledger: Ledger = open_ledger(path)
        self.backup_task = BackupTask(
            self.ledger, path.parent / "backups", hours=24, days=7, weeks=8
        )
        rules = new_rules("german-family", {})
        self.game = games.create_game(self.ledger, NewGame("", "", rules, ("A", "B"))).game.id
        self.rounds = 0

    def record(self) -> None:
        self.rounds += 1
        short.record(self.ledger, self.game, 0, 5, key=str(self.rounds))

    def looks(self, hours: float) -> list[str]:
        """Run the task, and return the backups by their hours."""
        with set_clock(f"{EVENING + timedelta(hours=hours):%Y-%m-%dT%H:%M:%SZ}"):
            self.backup_task.run()
        return sorted(backups_in(self.backup_task.folder, "games"))


@pytest.fixture
def clock(tmp_path):
    clock = Clock(tmp_path / "games.sqlite")
    yield clock
    clock.ledger.close()


def test_the_first_round_is_backed_up_at_the_next_check(clock):
    clock.record()
    (taken,) = clock.looks(0)

    assert taken == "20261120T190000Z"
    with closing(open_ledger(clock.backup_task.folder / f"games-{taken}.sqlite")) as copy:
        assert check(copy).good
        assert copy.version(clock.game) == 2


def test_a_changed_database_is_backed_up_an_hour_before_a_day_has_passed(clock):
    clock.record()
    clock.looks(0)
    clock.record()

    assert len(clock.looks(22.9)) == 1
    assert len(clock.looks(23)) == 2
    assert len(clock.looks(23.2)) == 2


def test_without_changes_no_backup_is_taken(clock):
    clock.record()

    assert len(clock.looks(0)) == len(clock.looks(1000)) == 1


def test_a_manual_backup_counts_too(clock, tmp_path):
    clock.record()
    backup(clock.ledger, tmp_path / "by-hand.sqlite", "2026-11-20T18:00:00Z")

    assert clock.looks(0) == []


def test_a_last_backup_in_the_future_delays_nothing(clock, tmp_path):
    clock.record()
    backup(clock.ledger, tmp_path / "by-hand.sqlite", "2036-01-01T00:00:00Z")
    clock.record()

    assert len(clock.looks(0)) == 1


def test_a_failed_backup_is_logged_and_repeated_after_an_hour(clock, monkeypatch, caplog):
    tries = []

    def full(*_: object) -> None:
        tries.append(1)
        raise NotSaved(OSError("disk full"))

    clock.record()
    with monkeypatch.context() as patched, caplog.at_level(logging.ERROR):
        patched.setattr(maintenance, "backup", full)
        for hours in (0, 0.5, 0.99, 1):
            assert clock.looks(hours) == []
        failed = clock.backup_task.failed

    assert len(tries) == 2
    assert failed == "2026-11-20T20:00:00Z"
    assert "disk full" in caplog.text
    assert len(clock.looks(2)) == 1
    assert clock.backup_task.failed is None


def test_a_missing_backup_folder_does_not_stop_the_server(clock):
    clock.record()
    clock.backup_task.folder.write_text("a file of that name")

    assert clock.looks(0) == []
    assert clock.backup_task.failed


def test_unfinished_files_of_a_killed_server_are_removed(clock):
    clock.backup_task.folder.mkdir()
    left = clock.backup_task.folder / f".games-20261119T190000Z.sqlite.{GONE}.scorekeeper.part"
    other = clock.backup_task.folder / "letter.txt"
    for file in (left, left.with_name(f"{left.name}-journal"), other):
        file.write_text("half")
    clock.record()
    clock.looks(0)

    assert sorted(file.name for file in clock.backup_task.folder.iterdir()) == [
        "games-20261120T190000Z.sqlite",
        "letter.txt",
    ]


def test_only_its_owner_can_read_a_backup(clock):
    clock.record()
    clock.looks(0)
    (file,) = clock.backup_task.folder.iterdir()

    assert file.stat().st_mode & 0o077 == 0
    assert clock.backup_task.folder.stat().st_mode & 0o077 == 0


# ---- retention ---------------------------------------------------------------------


def stamps(*days: int) -> list[str]:
    """Return two backups on each of these days after the first Monday of 2026."""
    first = datetime(2026, 1, 5, tzinfo=UTC)
    return [
        f"{first + timedelta(days=day, hours=hour):%Y%m%dT%H%M%SZ}"
        for day in days
        for hour in (9, 21)
    ]


def test_the_last_backup_of_seven_days_and_eight_weeks_is_kept():
    left = stamps_to_keep(stamps(*range(100)), 7, 8)

    sundays = [day for day in range(100) if day % 7 == 6]
    expected = {*range(93, 100), *sundays[-7:], 99}  # the hundredth day begins its week
    assert left == {stamp for day in expected for stamp in stamps(day)[1:]}


def test_days_without_a_backup_do_not_count():
    evenings = stamps(*range(0, 600, 30))

    assert stamps_to_keep(evenings, 7, 4) == set(evenings[1::2][-7:])


def test_the_very_last_backup_is_always_kept():
    assert stamps_to_keep(stamps(1, 2), 0, 0) == {stamps(2)[1]}
    assert stamps_to_keep([], 7, 8) == set()


def test_only_old_backups_of_this_database_are_removed(clock):
    clock.backup_task.folder.mkdir()
    foreign = {"games.sqlite", "notes-20200101T000000Z.sqlite", "games-old.sqlite"}
    for name in (*foreign, *(f"games-{stamp}.sqlite" for stamp in stamps(*range(100)))):
        (clock.backup_task.folder / name).touch()
    clock.record()
    left = clock.looks(0)

    assert len(left) == 7 + 5  # the last seven days, which touch three weeks, and five weeks more
    assert foreign <= {file.name for file in clock.backup_task.folder.iterdir()}


# ---- while people play ---------------------------------------------------------------


def test_rounds_are_recorded_while_backups_are_taken(clock, monkeypatch):
    """Every round is saved and every backup is complete, however often one is taken."""
    monkeypatch.setattr(BackupTask, "_is_time", lambda self, at: True)
    stopped, refused = threading.Event(), []

    def play() -> None:
        while not stopped.is_set():
            try:
                clock.record()
            except Exception as error:
                refused.append(error)

    player = threading.Thread(target=play)
    player.start()
    try:
        for hour in range(5):
            before = clock.ledger.version(clock.game)
            last = clock.looks(hour)[-1]
            with closing(open_ledger(clock.backup_task.folder / f"games-{last}.sqlite")) as copy:
                assert copy.version(clock.game) >= before
    finally:
        stopped.set()
        join(player)

    assert refused == []
    assert clock.backup_task.failed is None
    assert clock.ledger.version(clock.game) == clock.rounds + 1


def test_a_running_server_takes_backups_and_stops_at_once(tmp_path, monkeypatch):
    app = create_app({"DATA": tmp_path / "games.sqlite", "TESTING": True})
    looked = threading.Event()
    monkeypatch.setattr(BackupTask, "run", lambda self: looked.set())
    with run_maintenance(app):
        assert looked.wait(10)
        (thread,) = [one for one in threading.enumerate() if one.name == "maintenance"]
        assert thread.daemon
        assert app.extensions["backup_task"].folder == tmp_path / "backups"

    assert not thread.is_alive()
    app.extensions["ledger"].close()


def test_backups_can_have_another_folder_or_be_switched_off(tmp_path, monkeypatch):
    record = tmp_path / "games.sqlite"
    assert config.backups_folder(record, None) == tmp_path / "backups"
    assert config.backups_folder(record, "/mnt/stick") == Path("/mnt/stick")

    monkeypatch.setenv("SCOREKEEPER_BACKUPS", "off")
    app = create_app({"DATA": record, "TESTING": True})
    with run_maintenance(app):
        assert "backup_task" not in app.extensions
    state = read_state(app.extensions["ledger"])
    app.extensions["ledger"].close()

    assert (state.games, state.events, state.last_backup) == (0, 0, None)
