"""What a host sees: health, a line and a number a request, counters; nobody is named."""

import logging
import re
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import Mock

import pytest
from flask import Flask

from rest import QUICK, Table, codes
from scorekeeper import create_app
from scorekeeper.store import NotSaved
from scorekeeper.store.sqlite import engine as engines
from scorekeeper.store.sqlite.backup import backup
from scorekeeper.store.sqlite.engine import Engine
from scorekeeper.web import observability
from scorekeeper.web.metrics import BUCKETS, Metrics

SECRET = "Canary Zwetschge"
NEW = {
    "title": "Abend",
    "rules": {"preset": "german-family"},
    "players": [{"name": "Anna"}, {"name": "Bernd"}],
}
ENV = {"REMOTE_ADDR": "127.0.0.1"}


@pytest.fixture
def made(tmp_path: Path) -> Iterator[Callable[..., Flask]]:
    apps = []

    def make(**settings: Any) -> Flask:
        given = {"DATA": tmp_path / "games.sqlite", "PROPAGATE_EXCEPTIONS": False, **settings}
        apps.append(create_app(given))
        return apps[-1]

    yield make
    for app in apps:
        app.extensions["ledger"].close()


@pytest.fixture
def app(made) -> Flask:
    return made(LOG_REQUESTS=1, METRICS=1)


class Line(NamedTuple):
    """A line of the log, taken apart."""

    number: str
    method: str
    place: str
    status: str
    took: str
    unit: str
    size: str
    of: str


@pytest.fixture
def logged(caplog) -> Callable[[], list[Line]]:
    caplog.set_level(logging.INFO, "scorekeeper.requests")
    return lambda: [
        Line(*record.getMessage().split(" "))
        for record in caplog.records
        if record.name == "scorekeeper.requests"
    ]


# ---- health --------------------------------------------------------------------------


def healthz(app: Flask) -> tuple[int, dict[str, str]]:
    answer = app.test_client().get("/healthz")
    return answer.status_code, answer.json


def test_a_well_table_says_so_and_nothing_else(app):
    assert healthz(app) == (200, {"status": "ok", "database": "ok", "disk": "ok"})


def test_a_database_that_takes_no_writes_is_not_well(app, monkeypatch):
    monkeypatch.setattr(Engine, "takes_writes", lambda engine: False)

    assert healthz(app) == (503, {"status": "failing", "database": "failing", "disk": "ok"})


def test_a_record_that_is_gone_takes_no_writes_and_is_not_made_anew(made, tmp_path):
    app = made()
    engine = Engine(tmp_path / "gone.sqlite", "truncate")

    assert not engine.takes_writes()
    assert not engine.path.exists()
    assert app.extensions["ledger"].store.engine.takes_writes()


def test_a_damaged_record_takes_no_writes(tmp_path):
    (tmp_path / "damaged.sqlite").write_bytes(b"no database " * 400)

    assert not Engine(tmp_path / "damaged.sqlite", "truncate").takes_writes()


@pytest.mark.parametrize("code", [sqlite3.SQLITE_BUSY, sqlite3.SQLITE_BUSY_RECOVERY])
def test_a_record_that_somebody_else_is_writing_takes_writes(seconds, made, monkeypatch, code):
    busy = sqlite3.OperationalError("database is locked")
    busy.sqlite_errorcode = code
    ledger = made().extensions["ledger"]
    seconds[0] += engines.PROBE_EVERY_S
    monkeypatch.setattr(sqlite3, "connect", Mock(side_effect=busy))

    assert ledger.store.engine.takes_writes()


@pytest.fixture
def seconds(monkeypatch) -> list[float]:
    """The monotonic clock as the engine reads it."""
    now = [1000.0]
    monkeypatch.setattr("scorekeeper.store.sqlite.engine.time.monotonic", lambda: now[0])
    return now


def statements(engine: Engine, monkeypatch) -> list[str]:
    """What is asked of the database from now on by probes, which use connections of their own."""
    asked: list[str] = []
    opened = engines.connect

    def traced(path, **how):
        conn = opened(path, **how)
        conn.set_trace_callback(asked.append)
        return conn

    monkeypatch.setattr(engines, "connect", traced)
    return asked


def test_it_writes_to_see_whether_it_can_and_strangers_wear_no_disk_by_asking(
    seconds, app, monkeypatch
):
    engine = app.extensions["ledger"].store.engine
    seconds[0] += engines.PROBE_EVERY_S  # since the record was made
    asked = statements(engine, monkeypatch)
    before = engine.path.read_bytes()[24:28]  # SQLite counts its changes there
    first = [healthz(app)[0] for _ in range(50)]
    after = engine.path.read_bytes()[24:28]
    seconds[0] += engines.PROBE_EVERY_S
    healthz(app)

    assert first == [200] * 50
    assert before != after
    assert asked.count("COMMIT") == 2


def test_a_round_that_was_saved_shows_it_too(seconds, app, monkeypatch):
    table = Table(app).begin()
    asked = statements(app.extensions["ledger"].store.engine, monkeypatch)
    table.record(QUICK)

    assert healthz(app)[0] == 200
    assert asked == []


def opened_unwritable(path, monkeypatch):
    """An app as it starts on a record that its user may only read."""
    create_app({"DATA": path}).extensions["ledger"].close()

    def only_to_read(path, **how):
        address = f"{path.resolve().as_uri()}?mode=ro"  # what SQLite falls back to
        return sqlite3.connect(address, uri=True, isolation_level=None, check_same_thread=False)

    monkeypatch.setattr(engines, "connect", only_to_read)
    return create_app({"DATA": path})


def test_a_server_that_starts_on_a_record_it_may_only_read_recovers_by_itself(
    seconds, tmp_path, monkeypatch
):
    with monkeypatch.context() as unwritable:
        app = opened_unwritable(tmp_path / "games.sqlite", unwritable)
        table = Table(app)
        refused, said = table.post("/games", NEW, secret=""), healthz(app)
        page = app.test_client().get("/")
        seconds[0] += engines.PROBE_EVERY_S
        still = healthz(app)
    again = table.post("/games", NEW, secret="")
    well = healthz(app)
    app.extensions["ledger"].close()

    assert (refused.status_code, page.status_code) == (503, 200)
    assert "saved" in refused.json["detail"]
    assert said == still == (503, {"status": "failing", "database": "failing", "disk": "ok"})
    assert (again.status_code, well[0]) == (201, 200)


def test_without_a_write_it_sees_by_itself_that_the_record_can_be_written_again(
    seconds, tmp_path, monkeypatch
):
    with monkeypatch.context() as unwritable:
        app = opened_unwritable(tmp_path / "games.sqlite", unwritable)
        before = healthz(app)[0]
    seconds[0] += engines.PROBE_EVERY_S
    after = healthz(app)[0]
    app.extensions["ledger"].close()

    assert (before, after) == (503, 200)


@pytest.mark.parametrize("journal", ["truncate", "wal"])
@pytest.mark.parametrize("instead", ["nothing", "a copy", "another file"])
def test_while_the_record_is_elsewhere_nothing_is_saved_and_all_resumes_when_it_is_back(
    made, tmp_path, journal, instead
):
    app = made(JOURNAL=journal)
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


def test_a_record_that_was_overwritten_is_not_well(seconds, made):
    app = made()
    Table(app).begin()
    path = app.extensions["ledger"].store.engine.path
    path.write_bytes(b"no database " * 400)
    seconds[0] += engines.PROBE_EVERY_S

    assert healthz(app)[0] == 503


def test_a_record_that_was_overwritten_with_an_older_state_records_nothing_on_top_of_it(
    made, tmp_path
):
    app = made()
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


def test_a_full_disk_is_not_well(app, monkeypatch):
    full = shutil.disk_usage("/")._replace(free=2**20)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: full)

    assert healthz(app) == (503, {"status": "failing", "database": "ok", "disk": "failing"})


def test_it_waits_for_nobody_who_writes(app):
    with app.extensions["ledger"].store.engine.write():
        assert healthz(app)[0] == 200
    other = sqlite3.connect(app.extensions["ledger"].store.engine.path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")  # in another process, for instance
    try:
        assert healthz(app)[0] == 200
    finally:
        other.close()


def test_it_leaves_the_way_free_for_the_next_write(app):
    healthz(app)
    Table(app).begin()


# ---- the log -------------------------------------------------------------------------


def test_a_line_says_what_came_of_a_request(app, logged):
    table = Table(app).begin()
    table.record(QUICK)
    line = logged()[-1]

    assert line.method == "POST"
    assert line.place == f"/api/v1/games/{table.id}/rounds"
    assert line.status == "201"
    assert re.fullmatch(r"\d+\.\d", line.took)
    assert int(line.size) > 100
    assert (line.unit, line.of) == ("ms", "B")


def test_what_is_asked_again_has_its_line_too(app, logged):
    table = Table(app).begin()
    tag = table.get("/games/{id}").headers["ETag"]
    for _ in range(3):
        table.get("/games/{id}", headers={"If-None-Match": tag})

    assert [line.status for line in logged()[-3:]] == ["304"] * 3
    assert {line.place for line in logged()[-3:]} == {f"/api/v1/games/{table.id}"}


def test_the_answer_carries_the_number_of_its_line(app, logged):
    answer = app.test_client().get("/")

    assert answer.headers["X-Request-Id"] == logged()[-1].number
    assert re.fullmatch(r"[0-9a-f]{16}", logged()[-1].number)


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("4bf92f3577b34da6", True),
        ("a3ce929d-0e0e-4736-9f1c-000000000000", True),
        ("short", False),
        ("x" * 65, False),
        ("with space 12", False),
        ("<script>alert(1)", False),
        ("zwölfzwölf", False),
    ],
)
def test_a_number_from_outside_is_kept_only_if_it_is_one(app, logged, given, kept):
    answer = app.test_client().get("/", environ_overrides={"HTTP_X_REQUEST_ID": given})

    assert (answer.headers["X-Request-Id"] == given) is kept
    assert (logged()[-1].number == given) is kept


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", f"/g/{SECRET}"),
        ("GET", f"/{SECRET}"),
        ("GET", f"/static/{SECRET}"),
        ("GET", f"/api/v1/games/{SECRET}/history"),
        ("GET", f"/referee?cards={SECRET}"),
        ("GET", "/x%0a0123456789abcdef GET / 200 Canary%20Zwetschge"),
        ("CANARY", "/"),
    ],
)
def test_no_word_that_somebody_typed_is_in_the_log(app, logged, caplog, method, path):
    app.test_client().open(
        path,
        method=method,
        headers={"Authorization": f"Bearer {SECRET}", "Cookie": "browser=Canary"},
        environ_overrides={"REMOTE_ADDR": "192.0.2.77", "HTTP_USER_AGENT": SECRET},
    )

    assert len(logged()) == 1
    for word in ("anary", "CANARY", "wetschge", "192.0.2.77", "\n"):
        assert word not in caplog.records[-1].getMessage()


def test_an_evening_leaves_no_name_and_no_secret_in_the_log(app, caplog):  # A5
    caplog.set_level(logging.DEBUG)
    table = Table(app).begin(players=("Annegret", "Bertram"), title="Zwetschgenfest")
    seats = [{}, {"points": 12}]
    table.record({"outcome": "out", "winner": 0, "seats": seats, "note": "Schummelei"})
    table.record({"outcome": "out", "winner": 7, "seats": seats, "note": "Schummelei"})
    table.get("/games/{id}/sheet.pdf")
    table.get("/games/{id}", secret="aaaa-bbbb-cccc-dddd")
    told = caplog.text

    for word in (table.pen, table.watch, "aaaa-bbbb", "Annegret", "Zwetschge", "Schummel"):
        assert word not in told
    assert table.id in told


def test_who_is_refused_leaves_a_line_with_the_reason(app, logged):
    table = Table(app).begin()
    table.get("/games/{id}", secret="wrong")
    table.record(QUICK, secret=table.watch)
    app.test_client().post("/enter", data={"code": f"{table.id}.wrong"})
    app.test_client().get("/", base_url="http://evil.example")

    assert [(line.place, line.status) for line in logged()[-4:]] == [
        ("/api/v1/games/<game_id>", "404"),
        ("/api/v1/games/<game_id>/rounds", "403"),
        ("/enter", "400"),
        ("/", "400"),
    ]


def test_without_the_setting_nothing_is_said(made, logged):
    answer = made().test_client().get("/")

    assert logged() == []
    assert answer.headers["X-Request-Id"]


def test_the_standard_error_has_a_line_with_its_time_in_utc(capsys, app):
    try:
        observability.log_to_stderr()
        app.test_client().get("/")
    finally:
        logging.getLogger("scorekeeper").handlers.clear()
        observability.request_log.setLevel(logging.NOTSET)

    assert re.fullmatch(
        r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ [0-9a-f]{16} GET / 200 \d+\.\d ms \d+ B\n",
        capsys.readouterr().err,
    )


# ---- errors --------------------------------------------------------------------------


@pytest.fixture
def broken(app, monkeypatch):
    """An app whose first page comes upon a fault."""

    def wrong(*_: object) -> None:
        raise ValueError(f"what {SECRET} typed")

    monkeypatch.setattr(type(app.extensions["ledger"].rights), "books_of", wrong)
    return app


def test_a_reader_sees_the_number_under_which_the_reason_is_logged(broken, caplog):
    client = broken.test_client()
    client.set_cookie("browser", "known")
    answer = client.get("/", headers={"Accept-Language": "de"})
    number = answer.headers["X-Request-Id"]
    (told,) = [one.getMessage() for one in caplog.records if one.name == "scorekeeper.errors"]

    assert answer.status_code == 500
    assert f"Nr. {number}" in answer.text
    assert told.startswith(f"{number} ValueError\n")
    assert "in home" in told
    assert "Canary" not in told


def test_a_program_gets_the_number_with_the_problem(app, monkeypatch, caplog):
    table = Table(app).begin()

    def full(*_: object, **__: object) -> None:
        raise NotSaved(sqlite3.OperationalError("disk I/O error"))

    monkeypatch.setattr(Engine, "write", full)
    answer = table.record(QUICK)

    assert answer.status_code == 503
    assert f"{answer.headers['X-Request-Id']} NotSaved: disk I/O error" in caplog.text


def test_a_fault_of_the_reader_has_no_number(app):
    assert "Nr. " not in app.test_client().get("/nowhere", headers={"Accept-Language": "de"}).text


# ---- counters ------------------------------------------------------------------------


def measured(app: Flask) -> dict[str, str]:
    """What /metrics says, by name and labels; its form is checked on the way."""
    answer = app.test_client().get("/metrics", environ_overrides=ENV)
    assert answer.status_code == 200
    assert answer.content_type == "text/plain; version=0.0.4; charset=utf-8"
    said, kinds = {}, set()
    for line in answer.text.splitlines():
        if kind := re.fullmatch(r"# (HELP|TYPE) (scorekeeper_[a-z_]+) (.+)", line):
            kinds |= {kind[2]} if kind[1] == "TYPE" else set()
            continue
        value = re.fullmatch(
            r'(scorekeeper_([a-z_]+)(?:{[a-z]+="[^"\\]*"(?:,[a-z]+="[^"\\]*")*})?) ([\d.e+]+)', line
        )
        assert value, line
        assert re.sub(r"_(bucket|sum|count)$", "", f"scorekeeper_{value[2]}") in kinds
        said[value[1].removeprefix("scorekeeper_")] = value[3]
    return said


def test_requests_are_counted_by_endpoint_and_status(app):
    table = Table(app).begin()
    table.get("/games/{id}")
    table.get("/games/{id}", secret="wrong")
    said = measured(app)

    assert said['requests_total{endpoint="api.open_game",status="2xx"}'] == "1.0"
    assert said['requests_total{endpoint="api.read_game",status="2xx"}'] == "1.0"
    assert said['requests_total{endpoint="api.read_game",status="4xx"}'] == "1.0"


def test_times_add_up_to_all_requests(app):
    for _ in range(4):
        app.test_client().get("/")
    said = measured(app)
    buckets = [float(n) for name, n in said.items() if name.startswith("request_seconds_bucket")]

    assert buckets == sorted(buckets)
    assert len(buckets) == len(BUCKETS) + 1
    assert buckets[-1] == float(said["request_seconds_count"]) == 4
    assert 'request_seconds_bucket{le="0.005"}' in said


def test_a_request_is_counted_in_its_bucket(app):
    metrics = Metrics(app.extensions["ledger"])
    for seconds in (0.005, 0.006, 0.3, 0.301, 9):
        metrics.answered("x", "200", seconds)
    lines = metrics.exposition().decode().splitlines()
    buckets = [one.rpartition(" ")[2] for one in lines if "_bucket" in one]

    assert buckets == ["1.0", "2.0", "2.0", "2.0", "2.0", "3.0", "4.0", "4.0", "5.0"]
    assert "scorekeeper_request_seconds_sum 9.612" in lines


def test_a_round_is_counted_once_however_often_it_is_sent(app):
    table = Table(app).begin()
    for _ in range(3):
        table.record(QUICK, key="once")
    table.record(QUICK)

    assert measured(app)["rounds_recorded_total"] == "2.0"


def test_refused_rounds_are_counted_by_their_code(app):
    table = Table(app).begin()
    refused = table.record({"outcome": "out", "winner": 7, "seats": QUICK["seats"]})
    (code, _), *_ = codes(refused)

    assert measured(app)[f'rounds_refused_total{{code="{code}"}}'] == "1.0"


def test_the_record_and_the_age_of_its_backup_are_measured(app, tmp_path):
    before = measured(app)
    assert "backup_age_seconds" not in before
    assert float(before["database_bytes"]) == (tmp_path / "games.sqlite").stat().st_size
    backup(app.extensions["ledger"], tmp_path / "copy.sqlite", "2020-01-01T00:00:00Z")

    assert float(measured(app)["backup_age_seconds"]) > 6 * 365 * 24 * 3600


def test_without_the_setting_nothing_is_counted_or_told(made):
    app = made()

    assert app.test_client().get("/metrics").status_code == 404
    assert app.extensions["metrics"] is None


def test_strangers_are_not_told(app):
    far = app.test_client().get("/metrics", environ_overrides={"REMOTE_ADDR": "1.2.3.4"})
    near = app.test_client().get("/metrics", environ_overrides={"REMOTE_ADDR": "192.168.1.9"})

    assert (far.status_code, near.status_code) == (404, 200)
