"""Health and metrics for monitoring."""

from flask import Flask, Response, abort, current_app, jsonify, request

from scorekeeper.web.context import ledger
from scorekeeper.web.trusted_hosts import is_private


def register(app: Flask) -> None:
    """Add both routes."""
    app.add_url_rule("/healthz", "healthz", healthz)
    app.add_url_rule("/metrics", "metrics", metrics)


def healthz() -> tuple[Response, int]:
    """Answer 200 if a round could be saved now, else 503 and what fails; waits for no lock."""
    store = ledger().store
    space = store.inspection.space_line()
    parts = {"database": ledger().takes_writes()}
    if space:
        parts["disk"] = space.ok
    well = all(parts.values())
    states = {name: "ok" if good else "failing" for name, good in parts.items()}
    about = {"engine": store.engine_name, "processes": current_app.config["PROCESSES"]}
    if well and (machines := store.machines()):
        about["saved_on"] = machines
    return jsonify({"status": "ok" if well else "failing", **states, **about}), 200 if well else 503


def metrics() -> Response:
    """Answer with the metrics, if they are enabled and the client is in the local network."""
    metrics = current_app.extensions["metrics"]
    if metrics is None or not is_private(request.remote_addr or ""):
        abort(404)
    return Response(metrics.exposition(), content_type=metrics.content_type)
