"""The engine: journal modes, connections, shared commits, and a full disk."""

import logging
import resource
import sqlite3
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from functools import partial

import pytest

from bars import tried
from patience import PATIENCE_S, join, wait_until
from scorekeeper.store import CannotOpen, NotSaved, Unreadable, open_ledger
from scorekeeper.store.sqlite import engine as engines
from scorekeeper.store.sqlite import migrations as tables
from scorekeeper.store.sqlite.connections import read_pragmas
from scorekeeper.store.sqlite.engine import MAX_ROWS, Engine
from scorekeeper.store.sqlite.journal import choose_journal
from scorekeeper.web.api.group_transfer import MAX_GROUP

WAL_SAFE = [(3, 44, 6), (3, 44, 9), (3, 50, 7), (3, 50, 12), (3, 51, 3), (3, 52, 0), (4, 0, 0)]
WAL_RACES = [(3, 40, 1), (3, 44, 5), (3, 45, 0), (3, 49, 9), (3, 50, 6), (3, 51, 0), (3, 51, 2)]


@pytest.mark.bar("D7")
@pytest.mark.parametrize("version", WAL_SAFE)
def test_a_fixed_sqlite_version_uses_wal(version):
    assert choose_journal(version) == "wal"


@pytest.mark.bar("D7")
@pytest.mark.parametrize("version", WAL_RACES)
def test_a_sqlite_version_with_the_wal_reset_race_uses_truncate(version):
    assert choose_journal(version) == "truncate"


@pytest.mark.bar("D7")
@pytest.mark.parametrize("version", WAL_SAFE + WAL_RACES)
@pytest.mark.parametrize("wished", ["wal", "truncate"])
def test_a_configured_journal_mode_wins_and_is_logged(version, wished, caplog):
    with caplog.at_level(logging.WARNING):
        chosen = choose_journal(version, wished)

    assert chosen == wished
    assert ("set by hand" in caplog.text) == (wished != choose_journal(version))


@pytest.mark.bar("D7")
@pytest.mark.parametrize("version", [WAL_SAFE[0], WAL_RACES[0]])
@pytest.mark.parametrize("wished", ["delete", "persist", "memory", "off", "WAL; --", ""])
def test_a_journal_mode_that_can_lose_rounds_is_refused(version, wished):
    with pytest.raises(CannotOpen):
        choose_journal(version, wished)


@pytest.mark.bar("D7")
@pytest.mark.parametrize("journal", ["wal", "truncate"])
def test_every_connection_reads_its_pragmas_back(path, journal):
    ledger = open_ledger(path, journal=journal)
    seen = []
    threads = [
        threading.Thread(target=lambda: seen.append(pragmas(ledger.store.engine))) for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    join(*threads)
    seen.append(pragmas(ledger.store.engine))
    ledger.close()

    assert seen == [{"journal_mode": journal, "synchronous": 2, "foreign_keys": 1}] * 9


def pragmas(engine):
    return read_pragmas(engine.db, ["journal_mode", "synchronous", "foreign_keys"])


@pytest.mark.bar("D7")
def test_an_engine_that_ignores_a_pragma_is_not_used():
    with pytest.raises(CannotOpen, match="SQLite answers"):
        _ = Engine(":memory:", "wal").db  # in memory there is no WAL


def test_each_thread_has_its_own_connection_which_ends_with_it(ledger):
    opened = []
    thread = threading.Thread(target=lambda: opened.append(ledger.store.engine.db))
    thread.start()
    join(thread)
    del thread

    assert opened[0] is not ledger.store.engine.db
    with pytest.raises(sqlite3.ProgrammingError, match="closed"):
        opened[0].execute("SELECT 1")


def ask_the_writer(engine, question):
    engine._writer.execute(question).fetchall()


@contextmanager
def disk_full(engine):
    pages = engine.row("PRAGMA page_count")[0]
    ask_the_writer(engine, f"PRAGMA max_page_count = {pages}")
    yield
    ask_the_writer(engine, "PRAGMA max_page_count = 1000000")


@contextmanager
def read_only(engine):
    ask_the_writer(engine, "PRAGMA query_only = ON")
    engine.pragmas["query_only"] = 1
    yield
    del engine.pragmas["query_only"]


@contextmanager
def writes_fail(engine):
    """Let the operating system refuse every byte beyond the first."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@pytest.mark.bar("D5")
@pytest.mark.parametrize("trouble", [disk_full, read_only, writes_fail])
def test_a_failed_write_raises_not_saved_and_reads_go_on(table, trouble):
    game_id = table.open()
    table.record(game_id, 10)
    before = table.ledger.export(game_id)

    with trouble(table.ledger.store.engine):
        with pytest.raises(NotSaved) as refused:
            for points in range(200):
                table.record(game_id, points)
        export = table.ledger.export(game_id)
        version = table.ledger.game(game_id).version
    after = table.record(game_id, 99)

    assert refused.value.disk_full == (trouble is disk_full)
    assert export["events"][: len(before["events"])] == before["events"]
    assert version == len(export["events"])
    assert after.version == version + 1  # it goes on by itself


def refused_writes(table):
    """Let eight threads write to their own games; return the number of refusals and of writes."""
    games = [table.open(f"game-{n}") for n in range(8)]
    start = threading.Barrier(len(games), timeout=PATIENCE_S)

    def write(game_id):
        refused = 0
        start.wait()
        for points in range(25):
            try:
                table.record(game_id, points)
            except NotSaved:
                refused += 1
        return refused

    with ThreadPoolExecutor(len(games)) as writers:
        return sum(writers.map(write, games)), 25 * len(games)


def test_concurrent_writers_wait_for_each_other(path, table_at):
    table = table_at(open_ledger(path, journal="wal"))
    refused, _ = refused_writes(table)
    table.ledger.close()

    assert refused == 0


@pytest.mark.bar("C1", control="deferred BEGIN")
def test_deferred_transactions_lose_writes(path, table_at, monkeypatch):
    @contextmanager
    def write(engine):
        db = engine.db
        if db.conn.in_transaction:
            yield db
            return
        try:
            db.execute("BEGIN")
            yield db
            db.execute("COMMIT")
        except engines.FAILURES as error:
            db.rollback()
            raise NotSaved(error) from error

    table = table_at(open_ledger(path, journal="wal"))
    monkeypatch.setattr(Engine, "write", write)
    monkeypatch.setattr(Engine, "after_commit", lambda engine, call: call(None))  # shared by nobody
    refused, of = refused_writes(table)
    tried(of, failed=refused)
    table.ledger.close()

    assert refused


def test_reads_and_commits_exclude_each_other_without_wal(path, table_at, monkeypatch):
    monkeypatch.setattr("scorekeeper.store.sqlite.engine.BUSY_MS", 0)  # refuse at once
    ledger = open_ledger(path, journal="truncate")
    table = table_at(ledger)
    game_id = table.open()
    done = threading.Event()

    def read():
        reads = 0
        while not done.is_set():
            reads += len(ledger.events(game_id))
        return reads

    with ThreadPoolExecutor(4) as readers:
        reading = [readers.submit(read) for _ in range(4)]
        try:
            for points in range(30):
                table.record(game_id, points)
        finally:
            done.set()
        assert all(found.result() for found in reading)
    ledger.close()


@pytest.fixture
def lines(path, monkeypatch):
    """An engine without WAL that waits for no lock, with an empty table."""
    monkeypatch.setattr("scorekeeper.store.sqlite.engine.BUSY_MS", 0)
    engine = Engine(path, "truncate")
    with engine.write() as db:
        db.execute("CREATE TABLE lines (line TEXT)")
    yield engine
    engine.close()


def test_reading_goes_on_during_the_largest_import(lines):
    line = "x" * 1000
    with ThreadPoolExecutor(1) as reader:
        with lines.write() as db:
            for _ in range(2 * MAX_GROUP // len(line)):
                db.execute("INSERT INTO lines VALUES (?)", (line,))
            before = reader.submit(lines.row, "SELECT count(*) FROM lines").result()
        after = reader.submit(lines.row, "SELECT count(*) FROM lines").result()

    assert (before, after) == ((0,), (2 * MAX_GROUP // len(line),))


@pytest.mark.parametrize(("rows", "may_join"), [(MAX_ROWS, True), (MAX_ROWS + 1, False)])
def test_no_change_joins_a_transaction_of_many_rows(lines, rows, may_join):
    lines._waiting.append(None)  # another writer would join
    with lines.defer_wait():
        with lines.write() as db:
            for _ in range(rows):
                db.execute("INSERT INTO lines VALUES ('')")
        is_open = lines._commit is not None
        lines._waiting.pop()
        with lines.write():  # commits what is open
            pass

    assert is_open == may_join


def test_a_failed_change_writes_nothing(table):
    game_id = table.open()
    head = table.ledger.head(game_id)

    with pytest.raises(RuntimeError), table.ledger.book_transaction(game_id) as transaction:
        transaction.append("round", table.round(1, 10), at="now", by="pen")
        transaction.replace_secret("pen", "another")
        raise RuntimeError

    assert table.ledger.head(game_id) == head
    assert table.ledger.game(game_id).version == 1
    assert table.ledger.rights.of_secret(game_id, table.pen) == "pen"


def together(engine, *changes):
    """Make changes that arrive while the first of them writes; return their outcomes."""
    begun = threading.Event()

    def write(nth):
        if nth:
            assert begun.wait(PATIENCE_S)
        with engine.write():
            begun.set()
            if not nth:
                wait_until(lambda: len(engine._waiting) == len(changes) - 1)
            changes[nth]()

    with ThreadPoolExecutor(len(changes)) as writers:
        return [
            done.exception() for done in [writers.submit(write, n) for n in range(len(changes))]
        ]


def break_the_commit(db):
    db.execute("PRAGMA defer_foreign_keys = ON")
    db.execute("INSERT INTO texts VALUES ('no such game', 1, 'title', '', 0)")


@pytest.fixture
def commits(monkeypatch):
    """Record every transaction that begins."""
    begun = []
    real = engines.Commit
    monkeypatch.setattr(engines, "Commit", lambda rows: begun.append(real(rows)) or begun[-1])
    return begun


@pytest.mark.parametrize("journal", ["wal", "truncate"])
def test_waiting_writers_share_the_next_commit(path, table_at, journal, commits):
    table = table_at(open_ledger(path, journal=journal))
    games = [table.open(f"game-{n}") for n in range(5)]
    commits.clear()

    done = together(table.ledger.store.engine, *(partial(table.record, game, 10) for game in games))
    saved = [table.ledger.version(game) for game in games]
    table.ledger.close()

    assert (done, saved, len(commits)) == ([None] * 5, [2] * 5, 1)


@pytest.mark.parametrize("place", range(3))
def test_only_the_failed_change_of_a_shared_commit_is_rolled_back(table, place):
    games = [table.open(f"game-{n}") for n in range(3)]

    def half(game):
        table.record(game, 10)
        raise RuntimeError

    works = [partial(table.record, game, 10) for game in games]
    works[place] = partial(half, games[place])
    failed = together(table.ledger.store.engine, *works)

    saved = [nth != place for nth in range(3)]
    assert [error is None for error in failed] == saved
    assert [table.ledger.version(game) == 2 for game in games] == saved
    assert [table.record(game, 20).version == 3 for game in games] == saved


def test_a_failed_commit_fails_for_all_its_writers(table):
    games = [table.open(f"game-{n}") for n in range(3)]

    works = [partial(table.record, game, 10) for game in games]
    engine = table.ledger.store.engine
    failed = together(engine, *works, lambda: break_the_commit(engine.db))

    assert [type(error) for error in failed] == [NotSaved] * 4
    assert [table.ledger.version(game) for game in games] == [1] * 3
    assert table.record(games[0], 20).version == 2  # it goes on by itself


@contextmanager
def nobody_commits(engine, last=lambda db: None):
    """Keep a writer waiting at all times, then let the last one commit."""
    engine._waiting.append(None)
    yield
    engine._waiting.pop()
    with suppress(NotSaved), engine.write() as db:
        last(db)


def goes_on(table, game_id, went_on):
    """Write without waiting, and return the outcome at the end."""
    with table.ledger.store.engine.defer_wait():
        table.record(game_id, 10)
        went_on.set()
    return "done"


def test_a_deferred_wait_ends_when_the_change_is_saved(table):
    game_id, went_on = table.open(), threading.Event()
    with ThreadPoolExecutor(1) as writers:
        with nobody_commits(table.ledger.store.engine):
            outcome = writers.submit(goes_on, table, game_id, went_on)
            assert went_on.wait(10)
            early = (
                outcome.done(),
                table.ledger.version(game_id),
                table.ledger.game(game_id).version,
            )

        assert early == (False, 1, 1)
        assert outcome.result(10) == "done"
    assert (table.ledger.version(game_id), table.ledger.game(game_id).version) == (2, 2)


def test_a_deferred_wait_raises_if_the_commit_fails(table):
    game_id, went_on = table.open(), threading.Event()
    with ThreadPoolExecutor(1) as writers:
        with nobody_commits(table.ledger.store.engine, last=break_the_commit):
            answer = writers.submit(goes_on, table, game_id, went_on)
            assert went_on.wait(10)

        with pytest.raises(NotSaved):
            answer.result(10)
    assert (table.ledger.version(game_id), table.ledger.game(game_id).version) == (1, 1)
    assert table.record(game_id, 20).version == 2


def test_a_change_rolled_back_alone_is_not_cached(table):
    games = [table.open(f"game-{n}") for n in range(2)]

    def half():
        table.record(games[1], 10)
        raise RuntimeError

    together(table.ledger.store.engine, partial(table.record, games[0], 10), half)

    assert [table.ledger.game(game).version for game in games] == [2, 1]


def test_changes_of_a_commit_that_meets_a_full_disk_are_not_reported_saved(table):
    game_id, other = table.open("one"), table.open("other")

    def fill_the_disk():
        with disk_full(table.ledger.store.engine):
            for points in range(200):
                table.record(other, points)

    failed = together(table.ledger.store.engine, partial(table.record, game_id, 10), fill_the_disk)

    assert [error.disk_full for error in failed] == [True, True]
    assert [table.ledger.version(game) for game in (game_id, other)] == [1, 1]


def test_retries_of_failing_writers_do_not_delay_a_commit(table):
    game_id, engine = table.open(), table.ledger.store.engine
    engine._waiting.append(None)  # another writer is always waiting
    with ThreadPoolExecutor(1) as writer:
        writer.submit(table.record, game_id, 10)
        wait_until(lambda: engine._commit)
        for _ in range(engines.MAX_BATCH):
            with suppress(RuntimeError), engine.write():
                raise RuntimeError
        saved = table.ledger.version(game_id)
        engine._waiting.pop()
        with engine.write():  # nobody waits for the test to end
            pass

    assert saved == 2


def test_a_database_of_another_program_is_not_changed(path):
    with sqlite3.connect(path) as other:
        other.execute("CREATE TABLE recipes (name TEXT)")
    other.close()

    with pytest.raises(tables.NotOurs, match=path.name):
        open_ledger(path)


def test_a_file_that_is_no_database_is_refused(path):
    path.write_bytes(b"Mau-Mau" * 1000)

    with pytest.raises(Unreadable):
        open_ledger(path)


def test_a_migration_is_atomic(path, monkeypatch):
    def broken(db):
        db.execute("CREATE TABLE half (way TEXT) STRICT")
        raise RuntimeError

    open_ledger(path).close()
    monkeypatch.setattr(tables, "MIGRATIONS", (*tables.MIGRATIONS, broken))
    with pytest.raises(RuntimeError):
        open_ledger(path)
    monkeypatch.undo()
    ledger = open_ledger(path)
    names = {name for name, _ in tables.schema(ledger.store.engine)}
    ledger.close()

    assert "half" not in names
