"""The baseline: Flask and SQLite and nothing else, on the same server with the same connections.

As one would write it by hand: a connection for each thread, the same journal and
``synchronous``, one lock to write, one commit for every row. Nothing of our store is in it,
so that what betters the store does not better the baseline.
"""

import sqlite3
import sys
import threading

from flask import Flask, Response, request
from werkzeug.wrappers import Response as WsgiResponse

from scorekeeper.serving import lan, server
from scorekeeper.serving.adapter import Adapter, Answer
from scorekeeper.store.sqlite.engine import ENGINE, choose_journal
from scorekeeper.web.conditional_requests import WsgiApp


class Rows(threading.local):
    """A thread's connection to the one table."""

    writing = threading.Lock()

    def __init__(self, file: str) -> None:
        self.db = sqlite3.connect(file, isolation_level=None, timeout=10)
        self.db.execute(f"PRAGMA journal_mode = {choose_journal(ENGINE)}")
        self.db.execute("PRAGMA synchronous = FULL")

    def insert(self, body: str) -> None:
        """One row, on disk when this returns."""
        with self.writing:
            self.db.execute("BEGIN IMMEDIATE")
            self.db.execute("INSERT INTO rounds (body) VALUES (?)", (body,))
            self.db.execute("COMMIT")


def bare_app(file: str) -> Flask:
    """A row that is committed, a page that is not new, a page of as many bytes as wished."""
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


def bare_adapter(app: WsgiApp) -> Adapter:
    """The same adapter as ours to the server, without our limits and words."""
    return Adapter(
        app,
        body_limit=lambda _: 1 << 20,
        client_of=lambda environ: environ["REMOTE_ADDR"],
        refuse=lambda status, _: Answer(status, [], ()),
    )


if __name__ == "__main__":
    app = bare_app(sys.argv[1])
    place = server.find_place("127.0.0.1", 0)
    server.run(bare_adapter(app), place, ready=lambda: print(lan.address(*place), flush=True))
    server.leave()
