"""The adapter between an ASGI server and the app."""

import asyncio
import io
import logging
import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest
from werkzeug import Request

from event_loops import LOOP, run
from scorekeeper.serving import adapter as module
from scorekeeper.serving.adapter import (
    MAX_DISCARDED,
    MAX_PIECE,
    MAX_URL,
    PIECE_BYTES,
    UNFINISHED_BYTES,
    Adapter,
    Environ,
    environ_of,
)
from scorekeeper.serving.fair_threads import ALONE
from scorekeeper.serving.setup import error_answer
from scorekeeper.web.background import DISCONNECTED
from scorekeeper.web.conditional_requests import FROM_MEMORY, NotInMemory

LIMIT = 1000
OK = "200 OK"
PATIENCE_S = 20
Part = bytes | None
"""A piece of a body; None if the client disconnects."""


@dataclass
class Exchange:
    """A request as the server passes it on, and the messages that it gets."""

    parts: Sequence[Part] = ()
    ends: bool = True
    """Whether the body ends after its parts; else nothing more arrives."""
    sent: list[dict[str, Any]] = field(default_factory=list)
    read: int = 0
    leaves: asyncio.Event = field(default_factory=asyncio.Event)

    async def receive(self) -> dict[str, Any]:
        if self.read < len(self.parts):
            part = self.parts[self.read]
            self.read += 1
            if part is None:
                return {"type": "http.disconnect"}
            more = self.read < len(self.parts) or not self.ends
            return {"type": "http.request", "body": part, "more_body": more}
        await self.leaves.wait()
        return {"type": "http.disconnect"}

    async def send(self, message: Any) -> None:
        self.sent.append(message)

    @property
    def status(self) -> int:
        return int(self.sent[0]["status"])

    @property
    def headers(self) -> dict[bytes, bytes]:
        return dict(self.sent[0]["headers"])

    @property
    def body(self) -> bytes:
        return b"".join(message.get("body", b"") for message in self.sent[1:])


def scope(method: str = "GET", path: str = "/", query: bytes = b"", **headers: str) -> Any:
    names = {name.replace("_", "-").lower().encode(): text for name, text in headers.items()}
    return {
        "type": "http",
        "method": method,
        "path": path,
        "raw_path": path.encode(),
        "query_string": query,
        "http_version": "1.1",
        "scheme": "http",
        "client": ("192.0.2.7", "4711"),
        "server": ("127.0.0.1", "8000"),
        "headers": [(name, text.encode("latin-1")) for name, text in names.items()],
    }


def adapt(app: Any) -> Adapter:
    return Adapter(
        app,
        body_limit=lambda path: LIMIT,
        client_of=lambda environ: environ["REMOTE_ADDR"],
        error_answer=error_answer,
    )


def ask(app: Any, request: Any, exchange: Exchange | None = None) -> Exchange:
    """Return the answer of an app to a request."""
    exchange = exchange or Exchange()
    run(adapt(app)(request, exchange.receive, exchange.send))
    return exchange


class Seen:
    """An app that records its requests."""

    def __init__(self, *pieces: bytes) -> None:
        self.environs: list[Environ] = []
        self.pieces = pieces or (b"hello",)
        self.threads: list[str] = []

    def __call__(self, environ: Environ, start: Callable[..., Any]) -> Iterable[bytes]:
        if FROM_MEMORY in environ:
            raise NotInMemory
        self.environs.append(environ)
        self.threads.append(threading.current_thread().name)
        start(OK, [("Content-Type", "text/plain")])
        return self.pieces

    @property
    def body(self) -> bytes:
        found: bytes = self.environs[0]["wsgi.input"].read()
        return found


# ---- the environ ---------------------------------------------------------------------


def test_the_environ_describes_the_request() -> None:
    request = scope("POST", "/a%C3%A9%2Fb", b"x=%20", content_type="text/x", content_length="3")
    environ = environ_of(request)

    assert environ["PATH_INFO"].encode("latin-1").decode() == "/aé/b"
    assert (environ["QUERY_STRING"], environ["REQUEST_METHOD"]) == ("x=%20", "POST")
    assert (environ["CONTENT_TYPE"], environ["CONTENT_LENGTH"]) == ("text/x", "3")
    assert (environ["REMOTE_ADDR"], environ["SERVER_PORT"]) == ("192.0.2.7", "8000")


def test_the_environ_describes_the_server() -> None:
    """Many threads of one process run the app; bodies of unknown length have an end (PEP 3333)."""
    environ = environ_of(scope("POST", "/", transfer_encoding="chunked"))
    environ["wsgi.input"] = io.BytesIO(b"{}")
    request = Request(environ)
    modes = request.is_multithread, request.is_multiprocess, request.is_run_once

    assert modes == (True, False, False)
    assert request.get_data() == b"{}"


def test_headers_with_underscores_are_ignored() -> None:
    request = scope()
    request["headers"] = [(b"x_forwarded_for", b"1.2.3.4"), (b"x-name", b"a"), (b"x-name", b"b")]
    environ = environ_of(request)

    assert "HTTP_X_FORWARDED_FOR" not in environ
    assert environ["HTTP_X_NAME"] == "a,b"


def test_several_cookie_headers_are_joined() -> None:
    request = scope()
    request["headers"] = [(b"cookie", b"a=1"), (b"cookie", b"b=2")]

    assert environ_of(request)["HTTP_COOKIE"] == "a=1;b=2"


# ---- bodies --------------------------------------------------------------------------


def test_the_body_is_read_before_a_thread_is_taken() -> None:
    app = Seen()
    answer = ask(app, scope("POST", content_length="6"), Exchange([b"abc", b"", b"def"]))

    assert (answer.status, answer.body, app.body) == (200, b"hello", b"abcdef")


def test_a_body_of_unknown_length_is_read_to_its_end() -> None:
    app = Seen()
    ask(app, scope("POST", transfer_encoding="chunked"), Exchange([b"abc", b"def"]))

    assert (app.body, app.environs[0]["CONTENT_LENGTH"]) == (b"abcdef", "6")
    assert "HTTP_TRANSFER_ENCODING" not in app.environs[0]


@pytest.mark.parametrize(
    "announced", [{"content_length": "1100"}, {"transfer_encoding": "chunked"}]
)
def test_the_app_gets_only_the_length_of_a_body_over_the_limit(announced: Any) -> None:
    """It is read to its end: a client that is still sending could not read why it is refused."""
    app = Seen()
    ask(app, scope("POST", **announced), Exchange([b"a" * 600, b"b" * 401, b"c" * 99]))

    assert (app.body, app.environs[0]["CONTENT_LENGTH"]) == (b"", "1100")


def test_a_body_at_the_limit_is_complete() -> None:
    app = Seen()
    ask(app, scope("POST", content_length="1000"), Exchange([b"a" * 600, b"b" * 400]))

    assert len(app.body) == LIMIT


@pytest.mark.parametrize(("more", "read"), [(0, 1), (1, 0)])
def test_a_huge_body_is_not_read(more: int, read: int) -> None:
    length = LIMIT + MAX_DISCARDED + more
    app, exchange = Seen(), Exchange([b"a" * length])
    ask(app, scope("POST", content_length=str(length)), exchange)

    assert (exchange.status, exchange.read, app.body) == (200, read, b"")
    assert app.environs[0]["CONTENT_LENGTH"] == str(length)


def test_an_endless_body_is_discarded_for_a_short_time_only() -> None:
    most = (LIMIT + MAX_DISCARDED) // PIECE_BYTES
    app, exchange = Seen(), Exchange([b"a" * PIECE_BYTES] * 1000)
    ask(app, scope("POST", transfer_encoding="chunked"), exchange)

    assert (exchange.status, exchange.read) == (200, most + 1)


def test_a_missing_body_is_refused_without_a_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "BODY_S", 0.01)
    app = Seen()
    answer = ask(app, scope("POST", content_length="6"), Exchange([b"abc"], ends=False))

    assert (answer.status, app.environs) == (408, [])
    assert answer.headers[b"referrer-policy"] == b"same-origin"


def test_the_deadline_covers_the_whole_body(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "BODY_S", 0.05)

    class Dripping(Exchange):
        async def receive(self) -> dict[str, Any]:
            await asyncio.sleep(0.01)
            return {"type": "http.request", "body": b"a", "more_body": True}

    assert ask(Seen(), scope("POST", content_length="900"), Dripping()).status == 408


def test_a_body_that_breaks_off_is_refused_without_a_thread() -> None:
    app = Seen()
    answer = ask(app, scope("POST", transfer_encoding="chunked"), Exchange([b"abc", None]))

    assert (answer.status, app.environs) == (400, [])
    assert answer.headers[b"referrer-policy"] == b"same-origin"


def test_bodies_over_the_memory_budget_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    app = Seen()
    adapter = adapt(app)
    adapter._held._per_client = UNFINISHED_BYTES + 100
    exchange = Exchange([b"a" * 101])
    run(adapter(scope("POST", content_length="101"), exchange.receive, exchange.send))

    assert (exchange.status, exchange.headers[b"retry-after"]) == (503, b"5")
    assert (app.environs, adapter._held.total) == ([], 0)


def test_a_client_has_a_limit_of_unfinished_bodies() -> None:
    app = Seen()
    adapter = adapt(app)
    adapter._held._per_client = 2 * UNFINISHED_BYTES + 10
    waiting = asyncio.Event()

    class Waiting(Exchange):
        async def receive(self) -> dict[str, Any]:
            await waiting.wait()
            return await super().receive()

    request = scope("POST", content_length="1")
    first, second = Waiting([b"a"]), Waiting([b"b"])
    third, fourth = Exchange([b"c"]), Exchange([b"d"])

    async def all_of_them() -> None:
        unfinished = [
            asyncio.create_task(adapter(request, one.receive, one.send)) for one in (first, second)
        ]
        await asyncio.sleep(0)
        await adapter(request, third.receive, third.send)
        waiting.set()
        await asyncio.gather(*unfinished)
        await adapter(request, fourth.receive, fourth.send)

    run(all_of_them())

    assert [one.status for one in (first, second, third, fourth)] == [200, 200, 503, 200]
    assert adapter._held.total == 0


# ---- addresses -----------------------------------------------------------------------


@pytest.mark.parametrize(("length", "status"), [(MAX_URL, 200), (MAX_URL + 1, 414)])
def test_a_url_over_the_limit_is_refused(length: int, status: int) -> None:
    request = scope(path="/" + "a" * 99, query=b"b" * (length - 100))

    assert ask(Seen(), request).status == status


@pytest.mark.parametrize(
    ("path", "kind"), [("/api/v1/x", b"application/problem+json"), ("/x", b"text/plain")]
)
def test_early_errors_are_in_the_readers_language(path: str, kind: bytes) -> None:
    request = scope(path=path, query=b"b" * MAX_URL, accept_language="en")
    answer = ask(Seen(), request)

    assert answer.headers[b"content-type"].startswith(kind)
    assert b"The address is too long" in answer.body
    assert answer.headers[b"content-security-policy"]
    assert answer.headers[b"cache-control"] == b"private, no-cache"


# ---- answers -------------------------------------------------------------------------


def test_a_long_answer_is_sent_in_pieces() -> None:
    long = b"x" * (MAX_PIECE + 1)
    answer = ask(Seen(long[:9], long[9:]), scope())

    assert answer.body == long
    assert max(len(message.get("body", b"")) for message in answer.sent) == PIECE_BYTES
    assert [message.get("more_body", False) for message in answer.sent][-2:] == [True, False]


def test_an_answer_that_fails_midway_is_not_sent_as_complete(
    caplog: pytest.LogCaptureFixture,
) -> None:
    def breaking(environ: Environ, start: Callable[..., Any]) -> Iterable[bytes]:
        start(OK, [])
        yield b"half"
        raise KeyError(environ["REMOTE_ADDR"], environ["PATH_INFO"])

    with caplog.at_level(logging.ERROR):
        answer = ask(breaking, scope(path="/g/secret"))

    assert (answer.status, b"half" in answer.body) == (500, False)
    assert "KeyError" in caplog.text
    assert "192.0.2.7" not in caplog.text
    assert "/g/secret" not in caplog.text


def test_the_body_of_an_app_is_closed() -> None:
    closed: list[bool] = []

    class Pieces(io.BytesIO):
        def close(self) -> None:
            closed.append(True)
            super().close()

    def app(environ: Environ, start: Callable[..., Any]) -> Iterable[bytes]:
        start(OK, [])
        return Pieces(b"hello")

    assert ask(app, scope()).body == b"hello"
    assert closed == [True]


def test_an_answer_from_memory_needs_no_thread() -> None:
    here: list[str] = []

    def app(environ: Environ, start: Callable[..., Any]) -> Iterable[bytes]:
        here.append(threading.current_thread().name)
        assert FROM_MEMORY in environ
        start("304 NOT MODIFIED", [("ETag", '"1"')])
        return ()

    answer = ask(app, scope(if_none_match='"1"'))

    assert (answer.status, answer.headers[b"etag"]) == (304, b'"1"')
    (thread,) = here
    assert thread.startswith(LOOP)


def test_other_answers_come_from_a_thread() -> None:
    app = Seen()
    answer = ask(app, scope(if_none_match='"1"'))

    assert answer.status == 200
    assert FROM_MEMORY not in app.environs[0]
    assert app.threads[0].startswith("request-")


# ---- clients that leave, a server that stops -----------------------------------------


def test_a_view_learns_that_its_client_has_disconnected() -> None:
    begun, answer = threading.Event(), threading.Event()

    def slow(environ: Environ, start: Callable[..., Any]) -> Iterable[bytes]:
        begun.set()
        if environ[DISCONNECTED].wait(PATIENCE_S):
            answer.set()
        start(OK, [])
        return (b"late",)

    async def leave() -> Exchange:
        exchange = Exchange()
        asking = asyncio.create_task(adapt(slow)(scope(), exchange.receive, exchange.send))
        await asyncio.to_thread(begun.wait, PATIENCE_S)
        exchange.leaves.set()
        await asking
        return exchange

    assert run(leave()).sent == []
    assert answer.wait(PATIENCE_S)


def test_a_stopping_server_waits_for_no_body_and_cancels_long_work(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "CANCEL_AFTER_S", 0)
    begun = threading.Event()

    def slow(environ: Environ, start: Callable[..., Any]) -> Iterable[bytes]:
        begun.set()
        assert environ[DISCONNECTED].wait(PATIENCE_S)
        start(OK, [])
        return (b"cut short",)

    async def stop() -> list[int]:
        adapter = adapt(slow)
        working, dripping, late = Exchange(), Exchange([b"a"], ends=False), Exchange()
        asks = [
            asyncio.create_task(adapter(scope(), working.receive, working.send)),
            asyncio.create_task(
                adapter(scope("POST", content_length="9"), dripping.receive, dripping.send)
            ),
        ]
        await asyncio.to_thread(begun.wait, PATIENCE_S)
        adapter.stop()
        await adapter(scope(), late.receive, late.send)
        await asyncio.gather(*asks)
        return [exchange.status for exchange in (working, dripping, late)]

    assert run(stop()) == [200, 408, 503]


def test_a_stopping_server_answers_waiting_requests(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "CANCEL_AFTER_S", 0)
    begun, go_on = threading.Semaphore(0), threading.Event()

    def slow(environ: Environ, start: Callable[..., Any]) -> Iterable[bytes]:
        begun.release()
        assert go_on.wait(PATIENCE_S)
        start(OK, [])
        return (b"done",)

    async def stop() -> list[int]:
        adapter = adapt(slow)
        exchanges = [Exchange() for _ in range(ALONE + 3)]
        asks = [
            asyncio.create_task(adapter(scope(), exchange.receive, exchange.send))
            for exchange in exchanges
        ]
        for _ in range(ALONE):
            await asyncio.to_thread(begun.acquire)
        adapter.stop()
        await asyncio.gather(*asks[ALONE:])
        go_on.set()
        await asyncio.gather(*asks)
        return [exchange.status for exchange in exchanges]

    assert run(stop()) == [200] * ALONE + [503] * 3


def test_cancelled_requests_raise_nothing() -> None:
    async def cancel() -> None:
        exchange = Exchange([b"a"], ends=False)
        request = scope("POST", content_length="9")
        asking = asyncio.create_task(adapt(Seen())(request, exchange.receive, exchange.send))
        await asyncio.sleep(0)
        asking.cancel()
        await asking

    run(cancel())


def test_a_long_answer_that_is_not_accepted_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "SEND_S", 0.05)
    monkeypatch.setattr(module, "SEND_BYTES_PER_S", 10**9)

    class Stalled(Exchange):
        async def send(self, message: Any) -> None:
            await super().send(message)
            if len(self.sent) > 4:
                await asyncio.Event().wait()

    adapter, exchange = adapt(Seen(b"x" * (MAX_PIECE + 1))), Stalled()
    run(adapter(scope(), exchange.receive, exchange.send))

    assert exchange.sent[-1]["more_body"]
    assert adapter._held.total == 0
