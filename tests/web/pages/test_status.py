"""Everyone can see whether all changes are in a backup, and nothing more."""

import re
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace

import pytest

from scorekeeper.i18n import LANGUAGES, language
from scorekeeper.services.clock import set_clock
from scorekeeper.serving.maintenance import BackupTask
from scorekeeper.store import NotSaved
from scorekeeper.store.sqlite import inspection
from scorekeeper.store.sqlite.backup import backup

MIB, GIB = 2**20, 2**30
NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)


def after(hours: float) -> str:
    return f"{NOON + timedelta(hours=hours):%Y-%m-%dT%H:%M:%SZ}"


@pytest.fixture
def seen(anna):
    """Return the page this many hours after noon, its text in one line."""

    def look(hours: float = 0, lang: str = "en") -> str:
        with set_clock(after(hours)):
            answer = anna.get("/status", **{"Accept-Language": lang})
        assert answer.status_code == 200
        return " ".join(re.sub(r"<[^>]+>", " ", answer.text).split())

    return look


@pytest.fixture
def backed_up(app, tmp_path):
    """Take a backup this many hours after noon."""
    ledger = app.extensions["ledger"]
    return lambda hours=0: backup(ledger, tmp_path / "by-hand.sqlite", after(hours))


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_backup_older_than_a_day_shows_a_warning(lang, anna, game, backed_up, seen):
    words = language(lang)
    backed_up()
    anna.enter(game, 0, hand__1="5", hand__2="7", hand__3="8")

    for hours, good in ((23.9, True), (24, False)):
        page = seen(hours, lang)
        assert (words("maintenance.good.word") in page) is good
        assert (words("maintenance.late.word") in page) is not good
    assert words("maintenance.days", n=1) in page
    assert words("maintenance.events_more", n=1) in page


@pytest.mark.parametrize("lang", LANGUAGES)
def test_without_changes_an_old_backup_is_fine(lang, game, backed_up, seen):
    backed_up()
    page = seen(24 * 400, lang)

    assert language(lang)("maintenance.good.word") in page
    assert language(lang)("maintenance.days", n=400) in page


def test_the_status_page_shows_an_empty_database_and_a_missing_backup(anna, seen):
    assert "All is well." in seen()
    anna.begin()

    assert "A backup is missing." in seen()
    assert "none are made automatically" in seen()


def test_the_first_backup_is_awaited_for_a_while(app, anna, seen, tmp_path, monkeypatch):
    ledger = app.extensions["ledger"]
    task = BackupTask(ledger, tmp_path / "backups", hours=24, days=7, weeks=8)
    monkeypatch.setitem(app.extensions, "backup_task", task)
    with set_clock(after(0)):
        task.run()  # nothing is recorded yet
    anna.begin()

    soon, late = seen(0.2), seen(0.4)
    with set_clock(after(0.4)):
        task.run()

    assert "All is well. The first backup is taken within the next ten minutes." in soon
    assert "A backup is missing." in late
    assert "Everything recorded is in a verified backup" in seen(0.5)


def test_a_failed_backup_is_shown_until_one_succeeds(app, game, seen, tmp_path, monkeypatch):
    def full(*_: object) -> None:
        raise NotSaved(OSError("/srv/secret/place: disk full"))

    backup_task = BackupTask(
        app.extensions["ledger"], tmp_path / "backups", hours=24, days=7, weeks=8
    )
    monkeypatch.setitem(app.extensions, "backup_task", backup_task)
    with monkeypatch.context() as patched, set_clock(after(0)):
        patched.setattr("scorekeeper.serving.maintenance.backup", full)
        backup_task.run()
    failing = seen(0.75)
    with set_clock(after(1)):
        backup_task.run()

    assert "A backup failed. The last attempt, 45 minutes ago, failed" in failing
    assert "/srv" not in failing
    assert "A backup failed" not in seen(1)
    assert "just now" in seen(1)


def test_the_status_page_shows_games_events_and_the_engine(anna, game, seen):
    anna.enter(game, 0, hand__1="5", hand__2="7", hand__3="8")
    page = seen()

    assert re.search(r"Games 1 Events 2 Free space \d+ [MG]iB Database SQLite 3\.\d+", page)


@pytest.mark.parametrize(
    ("free", "shown"),
    [
        (900 * MIB, "900 MiB"),
        (10 * GIB - 1, "10239 MiB"),
        (10 * GIB, "10 GiB"),
        (12 * GIB - 1, "11 GiB"),
    ],
)
def test_free_space_is_shown_in_whole_units(seen, monkeypatch, free, shown):
    monkeypatch.setattr(inspection.shutil, "disk_usage", lambda _: SimpleNamespace(free=free))

    assert f"Free space {shown} Database" in seen()


@pytest.mark.parametrize(
    ("seconds", "age"),
    [
        (59, "just now"),
        (60, "a minute ago"),
        (3599, "59 minutes ago"),
        (3600, "an hour ago"),
        (86_399, "23 hours ago"),
        (86_400, "a day ago"),
    ],
)
def test_the_age_of_a_backup_is_shown_in_its_largest_whole_unit(backed_up, seen, seconds, age):
    backed_up()

    assert age in seen(seconds / 3600)


def test_little_free_space_is_shown(game, backed_up, seen, monkeypatch):
    backed_up()
    monkeypatch.setattr(inspection, "MIN_FREE", 2**60)

    assert "Little space." in seen()


def test_the_status_page_contains_no_name_secret_or_path(app, anna, game, group, seen):
    text = anna.get("/status").text
    ledger = app.extensions["ledger"]
    texts = ledger.store.engine.rows("SELECT DISTINCT text FROM texts WHERE length(text) > 2")
    words = [word for (word,) in texts]
    ids = [book for (book,) in ledger.store.engine.rows("SELECT id FROM books")]
    place = ledger.store.engine.path

    assert len(words) > 4
    for hidden in (*words, *ids, ledger.secret_key(), str(place.parent), place.name):
        assert not re.search(rf"\b{re.escape(hidden)}\b", text), hidden
