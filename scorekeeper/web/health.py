"""Is it well, and how much is there to do: for whoever watches over the machine."""

from flask import Flask, Response, abort, current_app, jsonify, request

from scorekeeper.web.context import ledger
from scorekeeper.web.trusted_hosts import is_near


def register(app: Flask) -> None:
    """Put both addresses on the app."""
    app.add_url_rule("/healthz", "healthz", healthz)
    app.add_url_rule("/metrics", "metrics", metrics)


def healthz() -> tuple[Response, int]:
    """200 if a round would be saved now, else 503 and what is wrong; nobody is waited for."""
    space = ledger().store.inspection.space_line()
    parts = {"database": ledger().takes_writes(), "disk": space.ok}
    well = all(parts.values())
    told = {name: "ok" if good else "failing" for name, good in parts.items()}
    return jsonify({"status": "ok" if well else "failing", **told}), 200 if well else 503


def metrics() -> Response:
    """Answer with the metrics, where the settings want them, to this machine and network only."""
    known = current_app.extensions["metrics"]
    if known is None or not is_near(request.remote_addr or ""):
        abort(404)
    return Response(known.exposition(), content_type=known.content_type)
