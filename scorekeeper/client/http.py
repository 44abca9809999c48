"""HTTP requests and answers: headers, retries, and error answers as exceptions."""

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
"""Seconds to wait before each retry of a request without an answer."""
TIMEOUT_S = 30


@dataclass(frozen=True)
class Request:
    """A request; its repr hides headers and body, which may hold secrets."""

    method: str
    path: str
    headers: Mapping[str, str] = field(repr=False)
    body: bytes | None = field(default=None, repr=False)


@dataclass(frozen=True)
class Reply:
    """An answer; its repr hides headers and body, which may hold secrets."""

    status: int
    headers: Mapping[str, str] = field(repr=False)
    """Names are in lower case."""
    body: bytes = field(repr=False)

    @property
    def version(self) -> str | None:
        """The version in the ETag, without the language that follows it."""
        tag = self.headers.get("etag")
        return tag.strip('"').partition("-")[0] if tag else None

    def read(self, kind: type[T]) -> T:
        """Return the JSON body as the given type; it is not validated."""
        return cast(T, json.loads(self.body))


Transport = Callable[[Request], Reply]
"""Sends a request; raises OSError or HTTPException if no answer comes back."""


@dataclass(frozen=True)
class Problem:
    """One problem of a refused request."""

    code: str
    message: str
    """In the language of the client."""
    place: tuple[str | int, ...]
    """The path in the body."""
    facts: Mapping[str, Any]


class Refused(Exception):
    """The server refused the request."""

    def __init__(self, status: int, title: str, problems: Sequence[Problem] = ()) -> None:
        super().__init__(status, title, problems)
        self.status, self.title, self.problems = status, title, tuple(problems)

    @property
    def code(self) -> str:
        """The code of the first problem, ``E_FIRST_MIN``; empty where it has none."""
        return self.problems[0].code if self.problems else ""

    @property
    def message(self) -> str:
        """The message of the first problem, else the title of the error."""
        return self.problems[0].message if self.problems else self.title

    @property
    def place(self) -> tuple[str | int, ...]:
        """The path of the first problem in the body."""
        return self.problems[0].place if self.problems else ()

    def __str__(self) -> str:
        path = "/".join(map(str, self.place))
        return " ".join(filter(None, (str(self.status), self.code, path, self.message)))


class Unknown(Refused):
    """The game or group does not exist, or the secret is wrong; the server does not say which."""


class Stale(Refused):
    """The version last seen is outdated; read again before changing anything."""


class Lost(ConnectionError):
    """No answer came back, even after all retries."""


ERROR_TYPES = {404: Unknown, 412: Stale}
CONNECTION_TYPES = {"http": HTTPConnection, "https": HTTPSConnection}


def http_transport(address: str) -> Transport:
    """Return a transport to the server at an address; redirects are not followed."""
    url = urlsplit(address)
    if url.scheme not in CONNECTION_TYPES or not url.hostname or url.username is not None:
        raise ValueError("an address begins with http:// or https:// and holds no password")
    connect = CONNECTION_TYPES[url.scheme]

    def send(request: Request) -> Reply:
        connection = connect(url.netloc, timeout=TIMEOUT_S)
        try:
            path = url.path.rstrip("/") + request.path
            connection.request(request.method, path, request.body, dict(request.headers))
            answer = connection.getresponse()
            headers = {name.lower(): value for name, value in answer.getheaders()}
            return Reply(answer.status, headers, answer.read())
        finally:
            connection.close()

    return send


NO_HEADERS: Mapping[str, str] = {}
KEY = "Idempotency-Key"


def headers_of(secret: str, version: str | None, key: str | None) -> dict[str, str]:
    """Return the headers with the secret of a book, its version last seen, and a key."""
    headers = {"Authorization": f"Bearer {''.join(secret.split())}"} if secret else {}
    if version is not None:
        headers["If-Match"] = f'"{version}"'
    return headers if key is None else {**headers, KEY: key}


@dataclass(frozen=True)
class HttpClient:
    """Sends requests to a server, with retries, in one language."""

    transport: Transport
    language: str = "en"
    waits: Sequence[float] = WAITS

    def call(
        self,
        method: str,
        path: str,
        body: Any = None,
        headers: Mapping[str, str] = NO_HEADERS,
        *,
        idempotent: bool = False,
        **query: Any,
    ) -> Reply:
        """Send a request and return the answer; raises Refused or Lost.

        A body of bytes is a picture, any other is sent as JSON.
        """
        headers = {"Accept-Language": self.language, **headers}
        query = {name: _text(value) for name, value in without_none(**query).items()}
        address = ROOT + path + (f"?{urlencode(query)}" if query else "")
        text = body if isinstance(body, bytes) else None
        if text is not None:
            headers["Content-Type"] = picture_kind(text)
        elif body is not None:
            headers["Content-Type"] = "application/json"
            text = json.dumps(body).encode()
        may_retry = idempotent or method == "GET" or KEY in headers
        reply = self._send(Request(method, address, headers, text), may_retry)
        if reply.status >= 300:
            raise error_from(reply)
        return reply

    def _send(self, request: Request, may_retry: bool) -> Reply:
        """Return the answer whatever its status, retrying while there is none."""
        waits = iter(self.waits if may_retry else ())
        while True:
            try:
                return self.transport(request)
            except (OSError, HTTPException) as error:
                if (wait := next(waits, None)) is None:
                    raise Lost(f"no answer to {request.method} {request.path}") from error
                time.sleep(wait)


SIGNATURES = {b"\x89PNG": "image/png", b"RIFF": "image/webp"}


def picture_kind(picture: bytes) -> str:
    """Return the content type of a picture by its first bytes."""
    return SIGNATURES.get(picture[:4], "image/jpeg")


def new_key() -> str:
    """Return a new idempotency key."""
    return str(uuid4())


def quote_path(name: str) -> str:
    """Return a string quoted as one segment of a path."""
    return quote(name, safe="")


def without_none(**optional: Any) -> dict[str, Any]:
    """Return the arguments that are not None; ``from_`` stands for the keyword ``from``."""
    return {name.rstrip("_"): value for name, value in optional.items() if value is not None}


def error_from(reply: Reply) -> Refused:
    """Return the exception for an error answer; one of a proxy has only its status."""
    try:
        answer = json.loads(reply.body)
        problems = [
            Problem(one["code"], one["message"], tuple(one["path"]), one["facts"])
            for one in answer["problems"]
        ]
        title = answer["title"]
    except (ValueError, KeyError, TypeError):
        title, problems = "", []
    return ERROR_TYPES.get(reply.status, Refused)(reply.status, title, problems)


def _text(value: Any) -> str:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)
