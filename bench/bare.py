"""The baseline: Flask and nothing else, on the same server with the same connections."""

import sys

from flask import Flask, Response, request

from scorekeeper import server
from scorekeeper.store.engine import ENGINE, Engine, choose_journal


def bare_app(file: str) -> Flask:
    """One endpoint that commits a row, one that answers 304."""
    app = Flask("bare")
    engine = Engine(file, choose_journal(ENGINE))
    with engine.write() as db:
        db.execute("CREATE TABLE rounds (id INTEGER PRIMARY KEY, body TEXT NOT NULL) STRICT")

    @app.post("/row")
    def row() -> tuple[dict[str, bool], int]:
        with engine.write() as db:
            db.execute("INSERT INTO rounds (body) VALUES (?)", (request.get_data(as_text=True),))
        return {"saved": True}, 201

    @app.get("/board")
    def board() -> Response:
        answer = Response("board")
        answer.set_etag("1")
        return answer.make_conditional(request)

    return app


if __name__ == "__main__":
    app = bare_app(sys.argv[1])
    listener = server.listen("127.0.0.1", 0)
    print(server.address(*listener.getsockname()), flush=True)
    server.run(app, listener)
