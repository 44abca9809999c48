"""Run a WSGI application behind an ASGI server, protected from slow, huge and countless requests.

The application runs in threads. A request gets one only after all of it has arrived: its URL and
body are bounded, its body has a deadline, and nothing is stored on disk. The threads serve clients
in rotation (fair_threads.py). Not-modified answers from memory (web/conditional_requests.py) need
no thread.

This module speaks ASGI 3.0, so any ASGI server can stand in front.
"""

import asyncio
import io
import sys
import threading
from collections.abc import Awaitable, Callable, Hashable, MutableMapping, Sequence
from contextlib import suppress
from functools import lru_cache
from typing import Any, NamedTuple
from urllib.parse import unquote_to_bytes

from scorekeeper.serving.fair_threads import FairThreads
from scorekeeper.serving.held_bytes import HeldBytes, Share, TooMuchHeld
from scorekeeper.serving.pace import Gate, Pace
from scorekeeper.serving.unsent import Unsent
from scorekeeper.web.background import DISCONNECTED
from scorekeeper.web.conditional_requests import FROM_MEMORY, NotInMemory, WsgiApp
from scorekeeper.web.observability import report

Message = MutableMapping[str, Any]
Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Environ = dict[str, Any]
Headers = list[tuple[str, str]]

MAX_URL = 6 * 1024
"""Bytes of path and query."""
BODY_S, BODY_BYTES_PER_S = 15, 100_000
"""A body gets BODY_S seconds, and one more per BODY_BYTES_PER_S bytes announced."""
MAX_DISCARDED = 1024 * 1024
"""Bytes beyond the limit that are read and discarded, so that a browser still sending can read why
it was refused."""
SERVER = (b"server", b"scorekeeper")
LISTEN_AFTER_S = 0.1
"""Seconds before listening for a disconnect begins; most answers take less."""
MAX_PIECE = 64 * 1024
"""Bytes up to which an answer is sent at once. A longer one is sent in pieces and counts as held
(held_bytes.py) until the server has taken the last one."""
PIECE_BYTES = 16 * 1024
"""The server takes four pieces ahead of what the client has accepted."""
SEND_S, SEND_BYTES_PER_S = 30, 2_000
"""A long answer gets SEND_S seconds, and one more per SEND_BYTES_PER_S bytes."""
CANCEL_AFTER_S = 1
"""Seconds that running requests may still take once the server is told to stop."""
UNFINISHED_BYTES = 16 * 1024
"""The memory that a request counts as held while its body arrives, besides the body. It bounds how
many bodies a client can leave unfinished."""


class Refused(Exception):
    """A request is answered with an error status before it reaches the application."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


class ClientGone(Exception):
    """The client has closed the connection."""


class Answer(NamedTuple):
    """A complete response, ready to be sent."""

    status: int
    headers: Headers
    pieces: Sequence[bytes]


ErrorAnswer = Callable[[int, Environ], Answer]


class Adapter:
    """An ASGI application that runs a WSGI application.

    ``body_limit`` returns how many bytes a body may have, by path. A longer body is withheld from
    the application but its length is passed on, so that the application refuses it. ``client_of``
    returns the client that a request counts for. ``error_answer`` makes the answers to requests
    that are refused here: 400, 408, 414, 500 and 503.
    """

    def __init__(
        self,
        app: WsgiApp,
        *,
        body_limit: Callable[[str], int],
        client_of: Callable[[Environ], Hashable],
        error_answer: ErrorAnswer,
    ) -> None:
        self._app = app
        self._body_limit, self._client_of, self._error_answer = body_limit, client_of, error_answer
        self._threads = FairThreads()
        self._held = HeldBytes()
        self.unsent = Unsent(self._held)
        self._pace, self._gate = Pace(), Gate()
        self._active: set[Request] = set()
        self._stopping = False

    def stop(self) -> None:
        """Stop waiting for bodies, and cancel running requests after CANCEL_AFTER_S."""
        self._stopping = True
        for request in self._active:
            request.stop_reading()
        asyncio.get_running_loop().call_later(CANCEL_AFTER_S, self._cancel)

    def _cancel(self) -> None:
        for request in self._active:
            request.cancel()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        with suppress(ClientGone, asyncio.CancelledError):  # nobody is left to be answered
            environ = environ_of(scope)
            client = self._client_of(environ)
            await self._pace.wait(client)
            address, port = scope["client"]  # a port is text to granian, a number to others
            self.unsent.answered((address, str(port)), client)
            answer = self._from_memory(environ)
            if answer:
                await send_answer(answer, send)
                return
            with self._held.share_of(client) as share:
                request = Request(environ, receive, send, share)
                self._active.add(request)
                try:
                    await self._answer(request, client)
                finally:
                    self._active.discard(request)

    async def _answer(self, request: "Request", client: Hashable) -> None:
        """Read a request, run the application and send its answer."""
        environ = request.environ
        try:
            if self._stopping:
                raise Refused(503)
            if len(environ["PATH_INFO"]) + len(environ["QUERY_STRING"]) > MAX_URL:
                raise Refused(414)
            await request.read_body(self._body_limit(environ["PATH_INFO"]))
            answer = await self._run(request, client)
        except Refused as refused:
            answer = self._error_answer(refused.status, environ)
        except TooMuchHeld:
            answer = self._error_answer(503, environ)
        await send_answer(answer, request.send)

    async def _run(self, request: "Request", client: Hashable) -> Answer:
        """Return the application's answer, computed in a thread."""
        loop = asyncio.get_running_loop()
        done: asyncio.Future[Answer] = loop.create_future()

        def job() -> None:
            outcome: Answer | Exception
            if not request.begin():
                return
            try:
                outcome = request.run(self._app)
            except TooMuchHeld as full:
                outcome = full
            except Exception as error:  # Flask has answered whatever it could
                report(error)
                outcome = Refused(500)
            with suppress(RuntimeError):  # the loop is closed: the server has stopped
                loop.call_soon_threadsafe(settle, done, outcome)

        async with self._gate.place_for(client):
            self._threads.submit(client, job)
            await request.wait_for(done)
        return done.result()

    def _from_memory(self, environ: Environ) -> Answer | None:
        """Return an answer that needs no thread, if there is one."""
        if "HTTP_IF_NONE_MATCH" not in environ:
            return None
        start: list[Any] = []
        with suppress(NotInMemory):
            self._app({**environ, FROM_MEMORY: True}, lambda *args: start.extend(args))
            return Answer(int(start[0][:3]), start[1], ())
        return None


def settle(done: "asyncio.Future[Answer]", outcome: Answer | Exception) -> None:
    """Deliver the outcome of a request, unless nobody waits for it any more."""
    if done.done():
        return
    if isinstance(outcome, Exception):
        done.set_exception(outcome)
    else:
        done.set_result(outcome)


class Request:
    """One request while it is read and answered."""

    def __init__(self, environ: Environ, receive: Receive, send: Send, share: Share) -> None:
        self.environ, self.send, self.share = environ, send, share
        self._receive = receive
        self._gone = environ[DISCONNECTED] = threading.Event()
        self._reading: asyncio.Timeout | None = None
        self._done: asyncio.Future[Answer] | None = None
        self._begun = False

    def stop_reading(self) -> None:
        """Stop waiting for the body because the server is stopping."""
        if self._reading:
            self._reading.reschedule(0)

    def cancel(self) -> None:
        """Signal that nobody waits for the answer; drop the request if it is still queued."""
        self._gone.set()
        if self._done and not self._begun:
            settle(self._done, Refused(503))

    def begin(self) -> bool:
        """Mark the request as started; False if nobody waits for the answer any more.

        Runs in a thread.
        """
        self._begun = not self._gone.is_set()
        return self._begun

    # ---- its body ------------------------------------------------------------------------

    async def read_body(self, limit: int) -> None:
        """Put the body into the environ, or only its length if it is over the limit.

        Raises Refused if it does not arrive in time, TooMuchHeld if there is no room for it.
        """
        announced = int(self.environ.get("CONTENT_LENGTH") or 0)
        if not announced and "HTTP_TRANSFER_ENCODING" not in self.environ:
            return
        if announced > limit + MAX_DISCARDED:
            return
        self.share.take(UNFINISHED_BYTES)
        try:
            async with asyncio.timeout(BODY_S + announced / BODY_BYTES_PER_S) as self._reading:
                length, body = await self._read(limit)
        except TimeoutError:
            raise Refused(408) from None
        finally:
            self._reading = None
            self.share.release(UNFINISHED_BYTES)
        self.environ["CONTENT_LENGTH"] = str(length)
        self.environ.pop("HTTP_TRANSFER_ENCODING", None)
        if length <= limit:
            self.environ["wsgi.input"] = io.BytesIO(body)

    async def _read(self, limit: int) -> tuple[int, bytes]:
        """Return the length of the body, and the body if it is within the limit."""
        pieces, length = [], 0
        while True:
            message = await self._receive()
            if message["type"] != "http.request":  # malformed, or nobody is left to be answered
                raise Refused(400)
            piece = message.get("body", b"")
            length += len(piece)
            if length <= limit:
                self.share.take(len(piece))
                pieces.append(piece)
            elif length > limit + MAX_DISCARDED or not message.get("more_body"):
                return length, b""
            if not message.get("more_body"):
                return length, b"".join(pieces)

    # ---- its answer ----------------------------------------------------------------------

    async def wait_for(self, done: "asyncio.Future[Answer]") -> None:
        """Wait for the answer; ClientGone if nobody will read it."""
        self._done = done
        await asyncio.wait({done}, timeout=LISTEN_AFTER_S)
        if done.done():
            return
        disconnect = asyncio.ensure_future(self._disconnected())
        either: set[asyncio.Future[Any]] = {done, disconnect}
        try:
            await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
        finally:
            disconnect.cancel()
        if not done.done():
            self._gone.set()
            done.cancel()
            raise ClientGone

    async def _disconnected(self) -> None:
        while (await self._receive())["type"] != "http.disconnect":
            pass  # the rest of a body that was not read

    def run(self, app: WsgiApp) -> Answer:
        """Return the application's answer; runs in a thread.

        The answer is complete before any of it is sent: a client could not tell an answer that
        breaks off from a complete one. Raises TooMuchHeld if there is no room for it.
        """
        start: list[Any] = []
        body = app(self.environ, lambda *args: start.extend(args))
        pieces: list[bytes] = []
        size = counted = 0
        try:
            for piece in body:
                pieces.append(piece)
                size += len(piece)
                if size > MAX_PIECE:
                    self.share.take(size - counted)
                    counted = size
        finally:
            if hasattr(body, "close"):
                body.close()
        return Answer(int(start[0][:3]), start[1], pieces)


def start_message(answer: Answer) -> Message:
    """Return the ASGI message that starts a response."""
    headers = [encode_header(header) for header in answer.headers]
    headers.append(SERVER)
    return {"type": "http.response.start", "status": answer.status, "headers": headers}


@lru_cache(1024)
def encode_header(header: tuple[str, str]) -> tuple[bytes, bytes]:
    """Return a header as ASGI sends it."""
    name, text = header
    return name.lower().encode("latin-1"), text.encode("latin-1")


async def send_answer(answer: Answer, send: Send) -> None:
    """Send an answer; a long one in pieces, as the client accepts them."""
    await send(start_message(answer))
    size = sum(map(len, answer.pieces))
    if size <= MAX_PIECE:
        await send({"type": "http.response.body", "body": b"".join(answer.pieces)})
        return
    with suppress(TimeoutError):  # the server closes the connection if the end is missing
        async with asyncio.timeout(SEND_S + size / SEND_BYTES_PER_S):
            for piece in answer.pieces:
                for start in range(0, len(piece), PIECE_BYTES):
                    part = piece[start : start + PIECE_BYTES]
                    message = {"type": "http.response.body", "body": part, "more_body": True}
                    await send(message)
            await send({"type": "http.response.body"})


# ---- the environ -------------------------------------------------------------------------


def environ_of(scope: Scope) -> Environ:
    """Return the environ of a request whose body is still to be read (PEP 3333)."""
    client, server = scope["client"], scope["server"]
    path: bytes = scope["raw_path"]
    is_old = scope["http_version"] in ("1", "1.0")
    environ: Environ = {
        "REQUEST_METHOD": scope["method"],
        "SCRIPT_NAME": "",
        "PATH_INFO": unquote_to_bytes(path).decode("latin-1"),
        "QUERY_STRING": scope["query_string"].decode("latin-1"),
        "SERVER_NAME": server[0],
        "SERVER_PORT": str(server[1]),
        "SERVER_PROTOCOL": "HTTP/1.0" if is_old else "HTTP/1.1",
        "REMOTE_ADDR": client[0],
        "REMOTE_PORT": str(client[1]),
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope["scheme"],
        "wsgi.input": io.BytesIO(),
        "wsgi.input_terminated": True,
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": False,
        "wsgi.run_once": False,
    }
    for name, value in scope["headers"]:
        key = environ_key(name)
        if key is None:
            continue
        text = value.decode("latin-1")
        if key in environ:
            environ[key] += (";" if key == "HTTP_COOKIE" else ",") + text
        else:
            environ[key] = text
    if is_old and not environ.get("HTTP_HOST"):  # HTTP/1.0 allows an empty one
        environ.pop("HTTP_HOST", None)
    return environ


@lru_cache(256)
def environ_key(name: bytes) -> str | None:
    """Return the environ key of a header; None for a name with an underscore.

    ``X_Forwarded_For`` would be taken for the header that proxies set.
    """
    if b"_" in name:
        return None
    key = name.decode("latin-1").upper().replace("-", "_")
    return key if key in ("CONTENT_TYPE", "CONTENT_LENGTH") else f"HTTP_{key}"
