"""Is it well, and how much is there to do: for whoever watches over the machine."""

from datetime import timedelta

from flask import Flask, Response, abort, jsonify, request

from scorekeeper.services.bookkeeping import now
from scorekeeper.store.backup import read_state
from scorekeeper.store.check import space_line
from scorekeeper.web.context import ledger
from scorekeeper.web.observability import counters, line, metric
from scorekeeper.web.trusted_hosts import is_near

PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8"


def register(app: Flask) -> None:
    """Put both addresses on the app."""
    app.add_url_rule("/healthz", "healthz", healthz)
    app.add_url_rule("/metrics", "metrics", metrics)


def healthz() -> tuple[Response, int]:
    """200 if a round would be saved now, else 503 and what is wrong; nobody is waited for."""
    parts = {"database": ledger().takes_writes(), "disk": space_line(ledger().engine).ok}
    well = all(parts.values())
    told = {name: "ok" if good else "failing" for name, good in parts.items()}
    return jsonify({"status": "ok" if well else "failing", **told}), 200 if well else 503


def metrics() -> Response:
    """Counters in the text format of Prometheus: where they are wanted, for the house only."""
    counted = counters()
    if counted is None or not is_near(request.remote_addr or ""):
        abort(404)
    lines = [*counted.lines(), *_measured()]
    return Response("\n".join(lines) + "\n", content_type=PROMETHEUS)


def _measured() -> list[str]:
    """What is looked up when it is asked for."""
    engine, age = ledger().engine, read_state(ledger()).age(now())
    lines = [
        *metric("database_bytes", "gauge", "Size of the record."),
        line("database_bytes", engine.path.stat().st_size),
        *metric("disk_free_bytes", "gauge", "Room on the disk of the record."),
        line("disk_free_bytes", space_line(engine).facts["free"]),
        *metric("backup_age_seconds", "gauge", "Since the last backup that was read back."),
    ]
    if age is not None:
        lines.append(line("backup_age_seconds", age // timedelta(seconds=1)))
    return lines
