"""Request ids, request logs, error logs and metrics; none of them contains a name."""

import logging
import re
import sqlite3
from collections.abc import Callable
from typing import NamedTuple

import pytest
from flask import Flask

from rest import QUICK, Table, codes
from scorekeeper.services.clock import set_clock
from scorekeeper.store import NotSaved
from scorekeeper.store.sqlite.backup import backup
from scorekeeper.store.sqlite.engine import Engine
from scorekeeper.web import observability
from scorekeeper.web.metrics import BUCKETS, Metrics
from web.pages.conftest import Browser

SECRET = "Canary Zwetschge"

ENV = {"REMOTE_ADDR": "127.0.0.1"}


@pytest.fixture
def app(make_app) -> Flask:
    return make_app(LOG_REQUESTS=1, METRICS=1)


class Line(NamedTuple):
    """Return the fields of a log line."""

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


# ---- the log -----------------------------------------------------------------------


def test_every_request_has_a_log_line_with_its_result(app, logged):
    table = Table(app).begin()
    table.record(QUICK)
    line = logged()[-1]

    assert line.method == "POST"
    assert line.place == f"/api/v1/games/{table.id}/rounds"
    assert line.status == "201"
    assert re.fullmatch(r"\d+\.\d", line.took)
    assert int(line.size) > 100
    assert (line.unit, line.of) == ("ms", "B")


def test_repeated_requests_are_logged_too(app, logged):
    table = Table(app).begin()
    tag = table.get("/games/{id}").headers["ETag"]
    for _ in range(3):
        table.get("/games/{id}", headers={"If-None-Match": tag})

    assert [line.status for line in logged()[-3:]] == ["304"] * 3
    assert {line.place for line in logged()[-3:]} == {f"/api/v1/games/{table.id}"}


def test_the_answer_has_the_request_id_of_its_log_line(app, logged):
    answer = app.test_client().get("/")

    assert answer.headers["X-Request-Id"] == logged()[-1].number
    assert re.fullmatch(r"[0-9a-f]{16}", logged()[-1].number)


@pytest.mark.parametrize(
    ("given", "used"),
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
def test_only_valid_request_ids_of_clients_are_used(app, logged, given, used):
    answer = app.test_client().get("/", environ_overrides={"HTTP_X_REQUEST_ID": given})

    assert (answer.headers["X-Request-Id"] == given) is used
    assert (logged()[-1].number == given) is used


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
def test_the_log_contains_no_typed_text(app, logged, caplog, method, path):
    app.test_client().open(
        path,
        method=method,
        headers={"Authorization": f"Bearer {SECRET}", "Cookie": "browser=Canary"},
        environ_overrides={"REMOTE_ADDR": "192.0.2.77", "HTTP_USER_AGENT": SECRET},
    )

    assert len(logged()) == 1
    for word in ("anary", "CANARY", "wetschge", "192.0.2.77", "\n"):
        assert word not in caplog.records[-1].getMessage()


def test_the_log_of_an_evening_contains_no_name_and_no_secret(app, caplog):  # A5
    caplog.set_level(logging.DEBUG)
    table = Table(app).begin(players=("Annegret", "Bertram"), title="Zwetschgenfest")
    seats = [{}, {"points": 12}]
    table.record({"outcome": "out", "winner": 0, "seats": seats, "note": "Schummelei"})
    table.record({"outcome": "out", "winner": 7, "seats": seats, "note": "Schummelei"})
    table.get("/games/{id}/sheet.pdf")
    table.get("/games/{id}", secret="aaaa-bbbb-cccc-dddd")
    answer = caplog.text

    for word in (table.pen, table.watch, "aaaa-bbbb", "Annegret", "Zwetschge", "Schummel"):
        assert word not in answer
    assert table.id in answer


def test_refused_requests_are_logged_with_their_status(app, logged):
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


def test_without_the_setting_requests_are_not_logged(make_app, logged):
    answer = make_app().test_client().get("/")

    assert logged() == []
    assert answer.headers["X-Request-Id"]


def test_log_lines_have_their_time_in_utc(capsys, app):
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


# ---- errors ------------------------------------------------------------------------


@pytest.fixture
def broken(app, monkeypatch):
    """An app whose first page raises an error."""

    def wrong(*_: object) -> None:
        raise ValueError(f"what {SECRET} typed")

    monkeypatch.setattr(type(app.extensions["ledger"].rights), "books_of", wrong)
    return app


def test_an_error_page_shows_the_request_id(broken, caplog):
    client = broken.test_client()
    client.set_cookie("browser", "known")
    answer = client.get("/", headers={"Accept-Language": "de"})
    number = answer.headers["X-Request-Id"]
    (body,) = [one.getMessage() for one in caplog.records if one.name == "scorekeeper.errors"]

    assert answer.status_code == 500
    assert f"Nr. {number}" in answer.text
    assert body.startswith(f"{number} ValueError\n")
    assert "in home" in body
    assert "Canary" not in body


def test_an_api_error_has_the_request_id(app, monkeypatch, caplog):
    table = Table(app).begin()

    def full(*_: object, **__: object) -> None:
        raise NotSaved(sqlite3.OperationalError("disk I/O error"))

    monkeypatch.setattr(Engine, "write", full)
    answer = table.record(QUICK)

    assert answer.status_code == 503
    assert f"{answer.headers['X-Request-Id']} NotSaved: disk I/O error" in caplog.text


def test_a_client_error_shows_no_request_id(app):
    assert "Nr. " not in app.test_client().get("/nowhere", headers={"Accept-Language": "de"}).text


# ---- counters ----------------------------------------------------------------------


def measured(app: Flask) -> dict[str, str]:
    """Return the values of /metrics by name and labels, and check their form."""
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

    assert said['requests_total{endpoint="api.create_game",status="2xx"}'] == "1.0"
    assert said['requests_total{endpoint="api.read_game",status="2xx"}'] == "1.0"
    assert said['requests_total{endpoint="api.read_game",status="4xx"}'] == "1.0"


def test_requests_that_reach_no_view_are_counted_too(app):
    table = Table(app).begin()
    tag = table.get("/games/{id}").headers["ETag"]
    for _ in range(3):
        table.get("/games/{id}", headers={"If-None-Match": tag})
    table.client.get("/nowhere")
    said = {name: n for name, n in measured(app).items() if name.startswith("requests_total")}

    assert {name: n for name, n in said.items() if "docs" not in name} == {
        'requests_total{endpoint="api.create_game",status="2xx"}': "1.0",
        'requests_total{endpoint="api.read_game",status="2xx"}': "1.0",
        'requests_total{endpoint="api.read_game",status="3xx"}': "1.0",
        'requests_total{endpoint="followed",status="3xx"}': "2.0",
        'requests_total{endpoint="none",status="4xx"}': "1.0",
    }


def test_the_sum_of_times_covers_all_requests(app):
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


def first_cause():
    try:
        return 1 // 0
    except ZeroDivisionError as error:
        raise KeyError from error


def first_context():
    try:
        return 1 // 0
    except ZeroDivisionError:
        return {}[""]


def test_the_counts_of_several_processes_are_read_where_they_share_them(app, monkeypatch, tmp_path):
    metrics = Metrics(app.extensions["ledger"])
    metrics.answered("x", "200", 0.1)
    assert b"scorekeeper_request_seconds_sum" in metrics.exposition()

    monkeypatch.setenv("PROMETHEUS_MULTIPROC_DIR", str(tmp_path))  # where none has counted yet
    counted = metrics.exposition()

    assert b"scorekeeper_request_seconds_sum" not in counted
    assert b"scorekeeper_database_bytes" in counted


@pytest.mark.parametrize("raised", [first_cause, first_context], ids=["from", "while"])
def test_an_error_is_logged_with_the_one_before_it(raised):
    with pytest.raises(KeyError) as error:
        raised()

    kinds = [line.strip() for line in observability.traceback_lines(error.value)]
    assert [kind for kind in kinds if kind.isalpha()] == ["KeyError", "ZeroDivisionError"]


def test_a_repeated_round_is_counted_once(app):
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


def test_rounds_entered_on_a_page_are_counted_alike(app):
    anna = Browser(app)
    game = anna.begin(name=["Anna", "Bernd"])
    refused = anna.enter(game, 0, hand__1="-5")
    form = anna.filled(f"{game}/round", winner="0", hand__1="25", do="save")
    for _ in range(2):
        anna.post(f"{game}/round", form)
    said = measured(app)

    assert refused.status_code == 422
    assert said["rounds_recorded_total"] == "1.0"
    assert {name: n for name, n in said.items() if "refused_total" in name} == {
        'rounds_refused_total{code="E_POINTS"}': "1.0"
    }


def test_database_size_and_backup_age_are_metrics(app, tmp_path):
    before = measured(app)
    assert "backup_age_seconds" not in before
    assert float(before["database_bytes"]) == (tmp_path / "games.sqlite").stat().st_size
    backup(app.extensions["ledger"], tmp_path / "copy.sqlite", "2020-01-01T00:00:00Z")

    with set_clock("2020-01-02T00:00:03Z"):
        assert measured(app)["backup_age_seconds"] == "86403.0"


def test_metrics_are_off_by_default(make_app):
    app = make_app()

    assert app.test_client().get("/metrics").status_code == 404
    assert app.extensions["metrics"] is None


def test_metrics_are_hidden_from_other_networks(app):
    far = app.test_client().get("/metrics", environ_overrides={"REMOTE_ADDR": "1.2.3.4"})
    near = app.test_client().get("/metrics", environ_overrides={"REMOTE_ADDR": "192.168.1.9"})

    assert (far.status_code, near.status_code) == (404, 200)
