"""One request, one answer: what is sent, what may be sent again, what a refusal becomes."""

import json
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from typing import Any, TypeVar, cast
from urllib.parse import quote, urlencode, urlsplit
from uuid import uuid4

T = TypeVar("T")

ROOT = "/api/v1"
WAITS = (0.3, 1.0, 3.0)
"""Seconds before a request without an answer is sent again."""
TIMEOUT = 30.0


@dataclass(frozen=True)
class Request:
    """What is sent; its headers hold a secret and are never shown."""

    method: str
    path: str
    headers: Mapping[str, str] = field(repr=False)
    body: bytes | None = field(default=None, repr=False)


@dataclass(frozen=True)
class Reply:
    """What comes back; a new game's secrets may be in it."""

    status: int
    headers: Mapping[str, str] = field(repr=False)
    """Named in lower case."""
    body: bytes = field(repr=False)

    @property
    def version(self) -> str | None:
        """The version that the answer shows, in whatever language."""
        tag = self.headers.get("etag")
        return tag.strip('"').partition("-")[0] if tag else None

    def read(self, kind: type[T]) -> T:
        """The answer as what it is known to be."""
        return cast(T, json.loads(self.body))


Transport = Callable[[Request], Reply]
"""Whatever takes a request to a server; OSError or HTTPException if no answer comes back."""


@dataclass(frozen=True)
class Problem:
    """One thing that was wrong."""

    code: str
    message: str
    """In the language of the client."""
    place: tuple[str | int, ...]
    """Where in the body."""
    facts: Mapping[str, Any]


class Refused(Exception):
    """The server understood and said no."""

    def __init__(self, status: int, title: str, problems: Sequence[Problem] = ()) -> None:
        super().__init__(status, title, problems)
        self.status, self.title, self.problems = status, title, tuple(problems)

    @property
    def code(self) -> str:
        """The code of the first problem, ``E_FIRST_MIN``; empty where it has none."""
        return self.problems[0].code if self.problems else ""

    @property
    def message(self) -> str:
        """What was wrong, in words."""
        return self.problems[0].message if self.problems else self.title

    @property
    def place(self) -> tuple[str | int, ...]:
        """Where in the body the first problem is."""
        return self.problems[0].place if self.problems else ()

    def __str__(self) -> str:
        where = "/".join(map(str, self.place))
        return " ".join(filter(None, (str(self.status), self.code, where, self.message)))


class Unknown(Refused):
    """Not there, or not opened by this secret: both look the same."""


class Stale(Refused):
    """Somebody else was faster: read again, decide again."""


class Lost(ConnectionError):
    """No answer came back, however often it was asked."""


REFUSALS = {404: Unknown, 412: Stale}


CONNECTIONS = {"http": HTTPConnection, "https": HTTPSConnection}


def over_http(address: str, timeout: float = TIMEOUT) -> Transport:
    """To a server by its address; what it says is believed as it stands, redirects are not."""
    where = urlsplit(address)
    if where.scheme not in CONNECTIONS or not where.hostname or where.username is not None:
        raise ValueError("an address begins with http:// or https:// and holds no password")
    connect = CONNECTIONS[where.scheme]

    def send(request: Request) -> Reply:
        connection = connect(where.netloc, timeout=timeout)
        try:
            path = where.path.rstrip("/") + request.path
            connection.request(request.method, path, request.body, dict(request.headers))
            answer = connection.getresponse()
            headers = {name.lower(): value for name, value in answer.getheaders()}
            return Reply(answer.status, headers, answer.read())
        finally:
            connection.close()

    return send


@dataclass(frozen=True)
class Wire:
    """The way to a server, and the language it answers in."""

    transport: Transport
    language: str = "en"
    waits: Sequence[float] = WAITS

    def call(
        self,
        method: str,
        path: str,
        body: Any = None,
        *,
        secret: str = "",
        version: str | None = None,
        key: str | None = None,
        again: bool = False,
        **query: Any,
    ) -> Reply:
        """One call; ``again``: it does no harm twice. Raises Refused or Lost."""
        headers = {"Accept-Language": self.language}
        if secret:
            headers["Authorization"] = f"Bearer {''.join(secret.split())}"
        if version is not None:
            headers["If-Match"] = f'"{version}"'
        if key is not None:
            headers["Idempotency-Key"] = key
        asked = {name: _text(value) for name, value in given(**query).items()}
        address = ROOT + path + (f"?{urlencode(asked)}" if asked else "")
        text = None
        if body is not None:
            headers["Content-Type"] = "application/json"
            text = json.dumps(body).encode()
        harmless = again or method == "GET" or key is not None
        reply = self._answered(Request(method, address, headers, text), harmless)
        if reply.status >= 300:
            raise refusal(reply)
        return reply

    def _answered(self, request: Request, harmless: bool) -> Reply:
        """The answer, whatever it says; the very same is sent again while none comes."""
        for wait in (*self.waits, None):
            try:
                return self.transport(request)
            except (OSError, HTTPException) as error:
                if wait is None or not harmless:
                    raise Lost(f"no answer to {request.method} {request.path}") from error
                time.sleep(wait)
        raise AssertionError


def new_key() -> str:
    """A key by which the server knows a request that it has answered before."""
    return str(uuid4())


def part(name: str) -> str:
    """A part of a path, whatever is in it."""
    return quote(name, safe="")


def given(**words: Any) -> dict[str, Any]:
    """A body of what was stated; ``in_`` and ``from_`` stand for words of Python."""
    return {name.rstrip("_"): value for name, value in words.items() if value is not None}


def refusal(reply: Reply) -> Refused:
    """What a refusal becomes; an answer that is none of ours has only its status."""
    try:
        told = json.loads(reply.body)
        problems = [
            Problem(one["code"], one["message"], tuple(one["path"]), one["facts"])
            for one in told["problems"]
        ]
        title = told["title"]
    except (ValueError, KeyError, TypeError):
        title, problems = "", []
    return REFUSALS.get(reply.status, Refused)(reply.status, title, problems)


def _text(value: Any) -> str:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)
