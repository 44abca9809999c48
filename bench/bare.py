"""The baseline: plain Flask and SQLite on the same server.

It is written as one would by hand: a connection per thread, the same journal mode and
``synchronous`` setting, a write lock, one commit per row. It uses nothing of our store, so that
improvements of the store do not improve the baseline.
"""

import sqlite3
import sys
import threading

from flask import Flask, Response, request
from werkzeug.wrappers import Response as WsgiResponse

from scorekeeper.serving import lan, server
from scorekeeper.serving.adapter import Adapter, Answer
from scorekeeper.store.sqlite.journal import ENGINE, choose_journal
from scorekeeper.web.conditional_requests import WsgiApp


class Rows(threading.local):
    """A connection per thread to the only table."""

    writing = threading.Lock()

    def __init__(self, file: str) -> None:
        self.db = sqlite3.connect(file, isolation_level=None, timeout=10)
        self.db.execute(f"PRAGMA journal_mode = {choose_journal(ENGINE)}")
        self.db.execute("PRAGMA synchronous = FULL")

    def insert(self, body: str) -> None:
        """Insert a row; it is on disk when this returns."""
        with self.writing:
            self.db.execute("BEGIN IMMEDIATE")
            self.db.execute("INSERT INTO rounds (body) VALUES (?)", (body,))
            self.db.execute("COMMIT")


def bare_app(file: str) -> Flask:
    """Return an app that commits a row, answers 304, and serves a page of a given size."""
    app = Flask("bare")
    template = app.jinja_env.from_string("<!DOCTYPE html>{{ text }}")
    rows = Rows(file)
    rows.db.execute("CREATE TABLE rounds (id INTEGER PRIMARY KEY, body TEXT NOT NULL) STRICT")

    @app.post("/row")
    def row() -> tuple[dict[str, bool], int]:
        rows.insert(request.get_data(as_text=True))
        return {"saved": True}, 201

    @app.get("/")
    def board() -> WsgiResponse:
        answer = Response("board")
        answer.set_etag("1")
        return answer.make_conditional(request)

    @app.get("/page/<int:size>")
    def page(size: int) -> str:
        return template.render(text="x" * (size - 15))

    return app


def serve(app: WsgiApp) -> None:
    """Serve an app on our server without our limits and messages, and print its address."""
    adapter = Adapter(
        app,
        body_limit=lambda _: 1 << 20,
        client_of=lambda environ: environ["REMOTE_ADDR"],
        error_answer=lambda status, _: Answer(status, [], ()),
    )
    place = lan.find_address("127.0.0.1", 0)
    server.run(adapter, place, ready=lambda: print(lan.address(*place), flush=True))
    server.exit_process()


if __name__ == "__main__":
    serve(bare_app(sys.argv[1]))
