"""A WSGI application behind an ASGI server, safe from slow, huge and countless requests.

The application runs in threads, and a request gets one only when all of it is here: its
address and body are bounded, its body has a deadline, and nothing is stored on disk. The
threads serve their clients in turn (fair_threads.py). An answer that is known from memory
(following.py) needs no thread at all.

Everything here speaks ASGI 3.0, so that any server of that protocol can stand in front.
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
from scorekeeper.web.conditional_requests import AT_ONCE, NotAtOnce, WsgiApp
from scorekeeper.web.observability import report

Message = MutableMapping[str, Any]
Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Environ = dict[str, Any]
Headers = list[tuple[str, str]]

DISCONNECTED = "scorekeeper.disconnected"
"""In the environ: a threading.Event that is set when nobody waits for the answer any more."""
MOST_URL = 6 * 1024
"""Bytes of path and query."""
BODY_S, BODY_BYTES_PER_S = 15, 100_000
"""A body has so many seconds, and one more for each so many bytes that it announces."""
DISCARDED = 1024 * 1024
"""Bytes beyond the limit that are read and thrown away, so that a browser that is still
sending gets to read why it was refused."""
SERVER = (b"server", b"scorekeeper")
PROMPT_S = 0.1
"""Most answers take less; only after that it is worth listening for a client that leaves."""
WHOLE = 256 * 1024
"""An answer up to so many bytes leaves at once, a longer one piece by piece, and counts as
held (held_bytes.py) until it has left."""
PIECE = 64 * 1024
LAST_S = 1
"""Seconds that long work goes on once the server is told to stop."""
STALL_S = 30
"""Seconds that a client may take to fetch one piece."""


class Refused(Exception):
    """A request that is answered with a status before the application sees it."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


class ClientGone(Exception):
    """The connection is closed: nobody reads an answer."""


class Answer(NamedTuple):
    """An answer that is ready to be sent."""

    status: int
    headers: Headers
    pieces: Sequence[bytes]


Refusals = Callable[[int, Environ], Answer]


class Adapter:
    """The ASGI application that runs a WSGI application.

    ``body_limit`` says how many bytes a body may have, by its path; what is longer comes to
    the application without its body but with its length, so that it is refused there.
    ``client_of`` says whose turn a request uses up. ``refuse`` words the refusals that are
    made here: 408, 414, 500 and 503.
    """

    def __init__(
        self,
        app: WsgiApp,
        *,
        body_limit: Callable[[str], int],
        client_of: Callable[[Environ], Hashable],
        refuse: Refusals,
    ) -> None:
        self._app = app
        self._body_limit, self._client_of, self._refuse = body_limit, client_of, refuse
        self._threads = FairThreads()
        self._held = HeldBytes()
        self._pace, self._gate = Pace(), Gate()
        self._under_way: set[Request] = set()
        self._stopping = False

    def stop(self) -> None:
        """Wait for no more bodies; what is being answered has a moment to get done."""
        self._stopping = True
        for request in self._under_way:
            request.stop_reading()
        asyncio.get_running_loop().call_later(LAST_S, self._cancel)

    def _cancel(self) -> None:
        for request in self._under_way:
            request.cancel()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        with suppress(ClientGone, asyncio.CancelledError):  # nobody is left to be answered
            environ = environ_of(scope)
            client = self._client_of(environ)
            await self._pace.turn(client)
            answer = self._at_once(environ)
            if answer:
                await send_answer(answer, send)
                return
            with self._held.share_of(client) as share:
                request = Request(environ, receive, send, share)
                self._under_way.add(request)
                try:
                    await self._answer(request, client)
                finally:
                    self._under_way.discard(request)

    async def _answer(self, request: "Request", client: Hashable) -> None:
        """Read a request, let the application answer it, send the answer."""
        environ = request.environ
        try:
            if self._stopping:
                raise Refused(503)
            if len(environ["PATH_INFO"]) + len(environ["QUERY_STRING"]) > MOST_URL:
                raise Refused(414)
            await request.read_body(self._body_limit(environ["PATH_INFO"]))
            answer = await self._run(request, client)
        except Refused as refused:
            answer = self._refuse(refused.status, environ)
        except TooMuchHeld:
            answer = self._refuse(503, environ)
        await send_answer(answer, request.send)

    async def _run(self, request: "Request", client: Hashable) -> Answer:
        """What the application answers, from a thread."""
        loop = asyncio.get_running_loop()
        done: asyncio.Future[Answer] = loop.create_future()

        def job() -> None:
            made: Answer | Exception
            if not request.begin():
                return
            try:
                made = request.run(self._app)
            except TooMuchHeld as full:
                made = full
            except Exception as error:  # Flask has answered for all that it could
                report(error)
                made = Refused(500)
            with suppress(RuntimeError):  # the loop is closed: the server has stopped
                loop.call_soon_threadsafe(settle, done, made)

        await self._gate.enter(client)
        try:
            self._threads.submit(client, job)
            await request.wait_for(done)
        finally:
            self._gate.leave(client)
        return done.result()

    def _at_once(self, environ: Environ) -> Answer | None:
        """An answer for which no thread is needed."""
        if "HTTP_IF_NONE_MATCH" not in environ:
            return None
        told: list[Any] = []
        with suppress(NotAtOnce):
            self._app({**environ, AT_ONCE: True}, lambda *given: told.extend(given))
            return Answer(int(told[0][:3]), told[1], ())
        return None


def settle(done: "asyncio.Future[Answer]", made: Answer | Exception) -> None:
    """Hand over what came of a request, unless nobody waits for it any more."""
    if done.done():
        return
    if isinstance(made, Exception):
        done.set_exception(made)
    else:
        done.set_result(made)


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
        """The server stops: its body is not waited for."""
        if self._reading:
            self._reading.reschedule(0)

    def cancel(self) -> None:
        """Tell the work for it that nobody waits for the answer; work in the queue is dropped."""
        self._gone.set()
        if self._done and not self._begun:
            settle(self._done, Refused(503))

    def begin(self) -> bool:
        """In a thread: its turn has come; False if nobody waits for the answer any more."""
        self._begun = not self._gone.is_set()
        return self._begun

    # ---- its body ------------------------------------------------------------------------

    async def read_body(self, limit: int) -> None:
        """Put the body into the environ, or nothing but its length if that is over the limit.

        Raises Refused if it does not come in time, TooMuchHeld if there is no room for it.
        """
        announced = int(self.environ.get("CONTENT_LENGTH") or 0)
        if not announced and "HTTP_TRANSFER_ENCODING" not in self.environ:
            return
        if announced > limit + DISCARDED:
            return
        try:
            async with asyncio.timeout(BODY_S + announced / BODY_BYTES_PER_S) as self._reading:
                length, body = await self._read(limit)
        except TimeoutError:
            raise Refused(408) from None
        finally:
            self._reading = None
        self.environ["CONTENT_LENGTH"] = str(length)
        self.environ.pop("HTTP_TRANSFER_ENCODING", None)
        if length <= limit:
            self.environ["wsgi.input"] = io.BytesIO(body)

    async def _read(self, limit: int) -> tuple[int, bytes]:
        """How long the body is, and what of it is within the limit."""
        pieces, length = [], 0
        while True:
            message = await self._receive()
            if message["type"] != "http.request":
                raise ClientGone
            piece = message.get("body", b"")
            length += len(piece)
            if length <= limit:
                self.share.take(len(piece))
                pieces.append(piece)
            elif length > limit + DISCARDED or not message.get("more_body"):
                return length, b""
            if not message.get("more_body"):
                return length, b"".join(pieces)

    # ---- its answer ----------------------------------------------------------------------

    async def wait_for(self, done: "asyncio.Future[Answer]") -> None:
        """Wait for an answer; ClientGone if nobody will read it."""
        self._done = done
        await asyncio.wait({done}, timeout=PROMPT_S)
        if done.done():
            return
        leaving = asyncio.ensure_future(self._leaving())
        either: set[asyncio.Future[Any]] = {done, leaving}
        try:
            await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
        finally:
            leaving.cancel()
        if not done.done():
            self._gone.set()
            done.cancel()
            raise ClientGone

    async def _leaving(self) -> None:
        while (await self._receive())["type"] != "http.disconnect":
            pass  # the end of a body that nobody needed

    def run(self, app: WsgiApp) -> Answer:
        """In a thread: what the application answers.

        It is made to its end before it is sent: an answer that breaks off half-way would
        look complete to whoever reads it. Raises TooMuchHeld if there is no room for it.
        """
        told: list[Any] = []
        made = app(self.environ, lambda *given: told.extend(given))
        pieces: list[bytes] = []
        size = counted = 0
        try:
            for piece in made:
                pieces.append(piece)
                size += len(piece)
                if size > WHOLE:
                    self.share.take(size - counted)
                    counted = size
        finally:
            if hasattr(made, "close"):
                made.close()
        return Answer(int(told[0][:3]), told[1], pieces)


def start_of(answer: Answer) -> Message:
    """The ASGI message that begins an answer."""
    headers = [encoded(header) for header in answer.headers]
    headers.append(SERVER)
    return {"type": "http.response.start", "status": answer.status, "headers": headers}


@lru_cache(1024)
def encoded(header: tuple[str, str]) -> tuple[bytes, bytes]:
    """A header as it is sent."""
    name, text = header
    return name.lower().encode("latin-1"), text.encode("latin-1")


async def send_answer(answer: Answer, send: Send) -> None:
    """Send an answer, a long one piece by piece to a client that keeps fetching it."""
    await send(start_of(answer))
    if sum(map(len, answer.pieces)) <= WHOLE:
        await send({"type": "http.response.body", "body": b"".join(answer.pieces)})
        return
    with suppress(TimeoutError):
        for piece in answer.pieces:
            for start in range(0, len(piece), PIECE):
                part = piece[start : start + PIECE]
                message = {"type": "http.response.body", "body": part, "more_body": True}
                await asyncio.wait_for(send(message), STALL_S)
        await send({"type": "http.response.body"})


# ---- the environ -------------------------------------------------------------------------


def environ_of(scope: Scope) -> Environ:
    """The environ of a request whose body is yet to be read (PEP 3333)."""
    client, server = scope["client"], scope["server"]
    path: bytes = scope["raw_path"]
    is_old = scope["http_version"] in ("1", "1.0")
    environ: Environ = {
        "REQUEST_METHOD": scope["method"],
        "SCRIPT_NAME": "",
        "PATH_INFO": (unquote_to_bytes(path) if b"%" in path else path).decode("latin-1"),
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
    if is_old and not environ.get("HTTP_HOST"):  # which may leave it out
        environ.pop("HTTP_HOST", None)
    return environ


@lru_cache(256)
def environ_key(name: bytes) -> str | None:
    """The key of a header in the environ.

    A name with an underscore has none: ``X_Forwarded_For`` would be taken for the header
    that proxies set.
    """
    if b"_" in name:
        return None
    key = name.decode("latin-1").upper().replace("-", "_")
    return key if key in ("CONTENT_TYPE", "CONTENT_LENGTH") else f"HTTP_{key}"
