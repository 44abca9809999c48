"""Games and groups over REST; every answer is checked against the OpenAPI document."""

import copy
import re
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from fractions import Fraction
from itertools import count
from socket import SHUT_RD, socket
from threading import Thread
from typing import Any
from wsgiref.types import WSGIApplication

import jsonschema_rs
from flask import Flask
from werkzeug.exceptions import NotFound
from werkzeug.middleware.dispatcher import DispatcherMiddleware
from werkzeug.serving import ThreadedWSGIServer
from werkzeug.test import TestResponse
from werkzeug.wsgi import ClosingIterator

import short
from examples import EXAMPLE, evening_of
from patience import join
from scorekeeper.client import Server
from tools.openapi import over_test_client

ROOT = "/api/v1"
EVENING = evening_of(EXAMPLE)


class Table:
    """A client with a game; ``pen`` and ``watch`` are the secrets of the game."""

    book = "/games/{id}"

    def __init__(self, app: Flask) -> None:
        self.app = app
        self.client = app.test_client()
        self.keys = count(1)
        self.id = self.pen = self.watch = ""

    def call(
        self,
        method: str,
        path: str,
        body: Any = None,
        *,
        secret: str | None = None,
        match: str | None = None,
        key: str | None = None,
        lang: str = "en",
        **more: Any,
    ) -> TestResponse:
        """Make a call with the pen; ``{id}`` in the path is the game."""
        held = self.pen if secret is None else secret
        headers = {"Accept-Language": lang, **more.pop("headers", {})}
        headers |= {"Authorization": f"Bearer {held}"} if held else {}
        headers |= {"If-Match": f'"{match}"'} if match else {}
        headers |= {"Idempotency-Key": key} if key else {}
        if isinstance(body, bytes):
            more |= {"data": body, "content_type": "image/jpeg"}
        elif body is not None:
            more["json"] = body
        path = path.replace("{id}", self.id)
        answer = self.client.open(ROOT + path, method=method, headers=headers, **more)
        described(self.app).check(method, answer)
        return answer

    def get(self, path: str, **more: Any) -> TestResponse:
        return self.call("GET", path, **more)

    def post(self, path: str, body: Any, **more: Any) -> TestResponse:
        return self.call("POST", path, body, **more)

    def begin(
        self, preset: str = "german-family", players: Iterable[str] = "ABCD", **more: Any
    ) -> "Table":
        """Create a game and store its secrets."""
        names = [{"name": name} for name in players]
        body = {"title": "Abend", "rules": {"preset": preset}, "players": names, **more}
        answer = self.post("/games", body, secret="")
        assert answer.status_code == 201, answer.text
        self.id, self.pen, self.watch = (answer.json[name] for name in ("id", "pen", "watch"))
        return self

    def record(self, body: Any, **more: Any) -> TestResponse:
        more.setdefault("key", f"key-{next(self.keys)}")
        return self.post("/games/{id}/rounds", body, **more)

    @property
    def version(self) -> str:
        return self.get(self.book).headers["ETag"].strip('"').partition("-")[0]


class Club(Table):
    """A client with a group; ``game`` is its last evening."""

    book, game = "/groups/{id}", ""

    def call(self, method: str, path: str, body: Any = None, **more: Any) -> TestResponse:
        """Make a call with the pen; ``{id}`` in the path is the group, ``{game}`` its evening."""
        return super().call(method, path.replace("{game}", self.game), body, **more)

    def found(self, *members: str, **more: Any) -> "Club":
        """Found a group that plays for money, and store its secrets."""
        about = {"rules": {"preset": "german-family"}, "stake": {"point_value": "1", "unit": "ct"}}
        names = [{"name": name} for name in members or ("Anna", "Ben", "Carl")]
        answer = self.post("/groups", {"name": "Runde", "members": names, **about, **more})
        assert answer.status_code == 201, answer.text
        self.id, self.pen, self.watch = (answer.json[name] for name in ("id", "pen", "watch"))
        return self

    def evening(self, *players: str, points: tuple[int, ...] = (), **more: Any) -> Table:
        """Begin a usual evening; with points of one round it is over at once."""
        names = [{"name": name} for name in players or ("Anna", "Ben", "Carl")]
        answer = self.post("/groups/{id}/games", {"players": names, **more})
        assert answer.status_code == 201, answer.text
        self.game = answer.json["id"]
        table = Table(self.app)
        table.id, table.pen = self.game, self.pen
        if points:
            table.record(short.body(*points))
            table.call("PATCH", "/games/{id}", {"over": True}, match="2")
        return table

    def pay(self, payer: int, payee: int, amount: str, unit: str = "ct", **more: Any) -> Any:
        more.setdefault("key", f"key-{next(self.keys)}")
        body = {"from": payer, "to": payee, "amount": amount, "unit": unit}
        return self.post("/groups/{id}/payments", body, **more)

    def balances(self, unit: str = "ct") -> list[str]:
        """Return all balances, and check that their sum is zero."""
        for known in self.get("/groups/{id}/money").json["units"]:
            assert sum(map(Fraction, known["amounts"])) == 0
            if known["unit"] == unit:
                return list(known["amounts"])
        return []


Validator = jsonschema_rs.Draft202012Validator


class Described:
    """The OpenAPI document of an app, with all answers closed to further keys."""

    def __init__(self, app: Flask) -> None:
        self.document: dict[str, Any] = app.test_client().get(f"{ROOT}/openapi.json").json
        self.components = copy.deepcopy(self.document["components"])
        for name, schema in self.components["schemas"].items():
            inherited = name == "RoundAnswer"
            schema["additionalProperties"] = schema.get("additionalProperties", inherited)
        self.paths = [
            (re.compile(re.sub(r"{\w+}", "[^/]+", path)), operations)
            for path, operations in self.document["paths"].items()
        ]
        self._validators: dict[int, Validator] = {}

    def operation(self, method: str, path: str) -> dict[str, Any] | None:
        """Return the description of a call."""
        for pattern, operations in self.paths:
            found: dict[str, Any] | None = operations.get(method.lower())
            if found and pattern.fullmatch(path):
                return found
        return None

    def check(self, method: str, answer: TestResponse) -> None:
        """Check that an answer matches the document."""
        operation = self.operation(method, answer.request.path)
        if operation is None or answer.status_code == 304:
            return
        responses = operation["responses"]
        assert answer.status_code not in (403, 404) or str(answer.status_code) in responses
        declared = responses.get(str(answer.status_code), responses["default"])
        if "$ref" in declared:
            declared = self.components["responses"][declared["$ref"].rsplit("/", 1)[1]]
        said = (method, answer.request.path, answer.status_code, answer.mimetype)
        assert answer.mimetype in declared["content"], said
        if answer.is_json:
            self._validator(declared["content"][answer.mimetype]["schema"]).validate(answer.json)

    def _validator(self, schema: dict[str, Any]) -> Validator:
        """Return the validator of a schema; cached, because making it takes time."""
        known = self._validators.get(id(schema))
        if known is None:
            known = Validator({**schema, "components": self.components})
            self._validators[id(schema)] = known
        return known


def server(app: Flask) -> Server:
    """Return a client of an app; it never waits, and every answer is checked."""
    check = described(app).check
    return Server("http://test", transport=over_test_client(app, check), waits=())


def mounted(app: Flask, prefix: str) -> WSGIApplication:
    """Return an app below a prefix of a site that has nothing else."""
    return DispatcherMiddleware(NotFound(), {prefix: app})


SOON = 0.05
"""The seconds until a server notices that it must stop; the default is half of one."""


class Serving(ThreadedWSGIServer):
    """Serve an app on a real server until its last answer.

    By default werkzeug does not wait for the threads of running requests, which could then use
    the database of the next test.
    """

    daemon_threads = False

    def __init__(self, app: Flask, port: int = 0) -> None:
        self._lines: set[socket] = set()
        super().__init__("127.0.0.1", port, answered_at_once(app))
        self._thread = Thread(target=self.serve_forever, args=(SOON,))
        self._thread.start()

    def process_request(self, request: Any, client_address: Any) -> None:
        self._lines.add(request)
        super().process_request(request, client_address)

    def shutdown_request(self, request: Any) -> None:
        self._lines.discard(request)
        super().shutdown_request(request)

    def stop(self) -> None:
        """Accept no more requests on open connections, and answer those already read."""
        self.shutdown()
        join(self._thread)

    def server_close(self) -> None:
        for line in tuple(self._lines):
            with suppress(OSError):
                line.shutdown(SHUT_RD)
        super().server_close()


def answered_at_once(app: Flask) -> WSGIApplication:
    """Close every answer before it is sent: werkzeug leaves it open if the client has gone."""

    def answer(environ: dict[str, Any], start_response: Any) -> list[bytes]:
        with closing(ClosingIterator(app(environ, start_response))) as pieces:
            return list(pieces)

    return answer


@contextmanager
def served(app: Flask) -> Iterator[str]:
    """Return the URL of an app on a real server."""
    serving = Serving(app)
    try:
        yield f"http://127.0.0.1:{serving.server_port}"
    finally:
        serving.stop()


_known: list[Described] = []


def described(app: Flask) -> Described:
    """Return the document; cached, because every app has the same one."""
    if not _known:
        _known.append(Described(app))
    return _known[0]


def codes(answer: TestResponse) -> list[tuple[str, list[Any]]]:
    """Return code and place of each problem of an answer."""
    return [(problem["code"], problem["path"]) for problem in answer.json["problems"]]


QUICK = short.body(0, 12, 35, 60)
