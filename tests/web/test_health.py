"""Whether a server reports that it can save a round."""

import shutil
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from unittest.mock import Mock

import pytest
from flask import Flask

from rest import QUICK, Table
from scorekeeper import create_app
from scorekeeper.store.sql.engine import PROBE_EVERY_S
from scorekeeper.store.sqlite import engine as engines
from scorekeeper.store.sqlite.engine import Engine

NEW = {
    "title": "Abend",
    "rules": {"preset": "german-family"},
    "players": [{"name": "Anna"}, {"name": "Bernd"}],
}


@pytest.fixture
def app(make_app) -> Flask:
    return make_app()


SQLITE = {"engine": "sqlite", "processes": 1}


def healthz(app: Flask) -> tuple[int, dict[str, str]]:
    answer = app.test_client().get("/healthz")
    return answer.status_code, answer.json


def test_a_healthy_server_answers_ok_and_nothing_else(app):
    assert healthz(app) == (
        200,
        {"status": "ok", "database": "ok", "disk": "ok", **SQLITE, "saved_on": 1},
    )


def test_a_read_only_database_is_unhealthy(app, monkeypatch):
    monkeypatch.setattr(Engine, "takes_writes", lambda engine: False)

    assert healthz(app) == (
        503,
        {"status": "failing", "database": "failing", "disk": "ok", **SQLITE},
    )


def test_a_missing_database_is_unhealthy_and_not_created_again(make_app, tmp_path):
    app = make_app()
    engine = Engine(tmp_path / "gone.sqlite", "truncate")

    assert not engine.takes_writes()
    assert not engine.path.exists()
    assert app.extensions["ledger"].store.engine.takes_writes()


def test_a_damaged_database_is_unhealthy(tmp_path):
    (tmp_path / "damaged.sqlite").write_bytes(b"no database " * 400)

    assert not Engine(tmp_path / "damaged.sqlite", "truncate").takes_writes()


@pytest.mark.parametrize("code", [sqlite3.SQLITE_BUSY, sqlite3.SQLITE_BUSY_RECOVERY])
def test_a_database_that_is_being_written_is_healthy(seconds, make_app, monkeypatch, code):
    busy = sqlite3.OperationalError("database is locked")
    busy.sqlite_errorcode = code
    ledger = make_app().extensions["ledger"]
    seconds[0] += PROBE_EVERY_S
    monkeypatch.setattr(sqlite3, "connect", Mock(side_effect=busy))

    assert ledger.store.engine.takes_writes()


@pytest.fixture
def seconds(monkeypatch) -> list[float]:
    """The monotonic clock of the engine."""
    now = [1000.0]
    monkeypatch.setattr("time.monotonic", lambda: now[0])
    return now


def statements(engine: Engine, monkeypatch) -> list[str]:
    """Record the statements of probes, which use their own connections."""
    executed: list[str] = []
    opened = engines.connect

    def traced(path, **how):
        conn = opened(path, **how)
        conn.set_trace_callback(executed.append)
        return conn

    monkeypatch.setattr(engines, "connect", traced)
    return executed


def test_health_is_probed_by_writing_at_most_every_few_seconds(seconds, app, monkeypatch):
    engine = app.extensions["ledger"].store.engine
    seconds[0] += PROBE_EVERY_S  # since the record was made
    executed = statements(engine, monkeypatch)
    before = engine.path.read_bytes()[24:28]  # SQLite counts its changes there
    first = [healthz(app)[0] for _ in range(50)]
    after = engine.path.read_bytes()[24:28]
    seconds[0] += PROBE_EVERY_S
    healthz(app)

    assert first == [200] * 50
    assert before != after
    assert executed.count("COMMIT") == 2


def test_a_saved_round_replaces_the_probe(seconds, app, monkeypatch):
    table = Table(app).begin()
    executed = statements(app.extensions["ledger"].store.engine, monkeypatch)
    table.record(QUICK)

    assert healthz(app)[0] == 200
    assert executed == []


def opened_unwritable(path, monkeypatch):
    """Return an app that starts on a database that its user can only read."""
    create_app({"DATA": path}).extensions["ledger"].close()

    def only_to_read(path, **how):
        address = f"{path.resolve().as_uri()}?mode=ro"  # what SQLite falls back to
        return sqlite3.connect(address, uri=True, isolation_level=None, check_same_thread=False)

    monkeypatch.setattr(engines, "connect", only_to_read)
    return create_app({"DATA": path})


def test_a_server_started_on_a_read_only_database_recovers(seconds, tmp_path, monkeypatch):
    with monkeypatch.context() as unwritable:
        app = opened_unwritable(tmp_path / "games.sqlite", unwritable)
        table = Table(app)
        refused, said = table.post("/games", NEW, secret=""), healthz(app)
        page = app.test_client().get("/")
        seconds[0] += PROBE_EVERY_S
        still = healthz(app)
    again = table.post("/games", NEW, secret="")
    well = healthz(app)
    app.extensions["ledger"].close()

    assert (refused.status_code, page.status_code) == (503, 200)
    assert "saved" in refused.json["detail"]
    assert (
        said == still == (503, {"status": "failing", "database": "failing", "disk": "ok", **SQLITE})
    )
    assert (again.status_code, well[0]) == (201, 200)


def test_a_probe_notices_that_the_database_is_writable_again(seconds, tmp_path, monkeypatch):
    with monkeypatch.context() as unwritable:
        app = opened_unwritable(tmp_path / "games.sqlite", unwritable)
        before = healthz(app)[0]
    seconds[0] += PROBE_EVERY_S
    after = healthz(app)[0]
    app.extensions["ledger"].close()

    assert (before, after) == (503, 200)


@pytest.mark.parametrize("journal", ["truncate", "wal"])
@pytest.mark.parametrize("instead", ["nothing", "a copy", "another file"])
def test_nothing_is_saved_while_the_database_is_moved(make_app, tmp_path, journal, instead):
    app = make_app(JOURNAL=journal)
    ledger, table = app.extensions["ledger"], Table(app).begin()
    table.record(QUICK)
    path, away = ledger.store.engine.path, tmp_path / "away.sqlite"
    board = table.get("/games/{id}").data
    path.rename(away)
    if instead != "nothing":
        path.write_bytes(away.read_bytes() if instead == "a copy" else b"hello")
    during = table.record(QUICK, key="later")
    said = healthz(app)
    with ThreadPoolExecutor(1) as another:
        read = [
            table.get("/games/{id}").data,
            another.submit(table.get, "/games/{id}").result().data,
        ]
    left = path.read_bytes() if path.exists() else None
    away.replace(path)
    after = table.record(QUICK, key="later")

    assert (during.status_code, said[0], said[1]["database"]) == (503, 503, "failing")
    assert "saved" in during.json["detail"]
    assert read == [board, board]
    assert instead != "nothing" or left is None  # nothing was made in its place
    assert (after.status_code, healthz(app)[0]) == (201, 200)
    assert len(ledger.game(table.id).sheet.rows) == 2


def test_an_overwritten_database_is_unhealthy(seconds, make_app):
    app = make_app()
    Table(app).begin()
    path = app.extensions["ledger"].store.engine.path
    path.write_bytes(b"no database " * 400)
    seconds[0] += PROBE_EVERY_S

    assert healthz(app)[0] == 503


def test_nothing_is_recorded_in_a_database_overwritten_with_an_older_state(make_app, tmp_path):
    app = make_app()
    table = Table(app).begin()
    path = app.extensions["ledger"].store.engine.path
    old = path.read_bytes()
    table.record(QUICK)
    new = path.read_bytes()
    path.write_bytes(old)
    during, said = table.record(QUICK, key="later"), healthz(app)
    path.write_bytes(new)
    after = table.record(QUICK, key="later")

    assert (during.status_code, said[0]) == (503, 503)
    assert (after.status_code, healthz(app)[0]) == (201, 200)


def test_a_full_disk_is_unhealthy(app, monkeypatch):
    full = shutil.disk_usage("/")._replace(free=2**20)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: full)

    assert healthz(app) == (
        503,
        {"status": "failing", "database": "ok", "disk": "failing", **SQLITE},
    )


def test_the_health_check_does_not_wait_for_writers(app):
    with app.extensions["ledger"].store.engine.write():
        assert healthz(app)[0] == 200
    other = sqlite3.connect(app.extensions["ledger"].store.engine.path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")  # in another process, for instance
    try:
        assert healthz(app)[0] == 200
    finally:
        other.close()


def test_the_health_check_does_not_block_the_next_write(app):
    healthz(app)
    Table(app).begin()
