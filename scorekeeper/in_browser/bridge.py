"""Answers requests of pages that no server has received: ``Bridge.answer``.

A service worker sees no cookies, so they are kept here. The one that identifies the browser is the
same for everybody, because everybody is the owner; the language is kept in the database.
"""

import sys
from collections.abc import Callable, Iterable
from io import BytesIO
from typing import Any, NamedTuple
from urllib.parse import unquote_to_bytes, urlsplit

from flask import Flask
from werkzeug.http import dump_cookie, parse_cookie

from scorekeeper.web.context import BROWSER_COOKIE, LANGUAGE_COOKIE, cookie_name

OWNER = "owner"
KEPT = "cookie"
"""The setting that holds the language cookie."""


class Answer(NamedTuple):
    """A response as JavaScript can use it."""

    status: int
    headers: list[tuple[str, str]]
    body: bytes


class Bridge:
    """One application, mounted below a path, for one person."""

    def __init__(self, app: Flask, root: str) -> None:
        """``root`` is the address below which the application answers, without a slash."""
        self.app = app
        self._root = urlsplit(root)
        self._settings = app.extensions["ledger"].settings
        self._cookies: dict[str, str] = {}
        with app.request_context(self._environ("GET", root, (), b"")):
            browser, self._language = map(cookie_name, (BROWSER_COOKIE, LANGUAGE_COOKIE))
        self._cookies[browser] = OWNER
        if language := self._settings.get(KEPT):
            self._cookies[self._language] = language

    def answer(
        self, method: str, url: str, headers: Iterable[tuple[str, str]] = (), body: bytes = b""
    ) -> Answer:
        """Return the response to a request for a URL below the root."""
        started: list[Any] = []

        def start(status: str, fields: list[tuple[str, str]], *_: Any) -> Callable[[bytes], None]:
            started[:] = status, fields
            return lambda _: None

        parts = self.app.wsgi_app(self._environ(method, url, headers, body), start)
        try:
            content = b"".join(parts)
        finally:
            if close := getattr(parts, "close", None):
                close()
        status, fields = started
        for name, value in fields:
            if name.lower() == "set-cookie":
                self._keep(value)
        shown = [(name, value) for name, value in fields if name.lower() != "set-cookie"]
        return Answer(int(status.partition(" ")[0]), shown, content)

    def _environ(
        self, method: str, url: str, headers: Iterable[tuple[str, str]], body: bytes
    ) -> dict[str, Any]:
        asked = urlsplit(url)
        path = unquote_to_bytes(asked.path.removeprefix(self._root.path)).decode("latin-1")
        port = self._root.port or {"https": 443}.get(self._root.scheme, 80)
        environ: dict[str, Any] = {
            "REQUEST_METHOD": method,
            "SCRIPT_NAME": self._root.path,
            "PATH_INFO": path or "/",
            "QUERY_STRING": asked.query,
            "REMOTE_ADDR": "127.0.0.1",
            "SERVER_NAME": self._root.hostname or "localhost",
            "SERVER_PORT": str(port),
            "SERVER_PROTOCOL": "HTTP/1.1",
            "CONTENT_LENGTH": str(len(body)),
            "wsgi.version": (1, 0),
            "wsgi.url_scheme": self._root.scheme,
            "wsgi.input": BytesIO(body),
            "wsgi.errors": sys.stderr,
            "wsgi.multithread": False,
            "wsgi.multiprocess": False,
            "wsgi.run_once": False,
        }
        for name, value in headers:
            key = name.upper().replace("-", "_")
            environ[key if key == "CONTENT_TYPE" else f"HTTP_{key}"] = value
        jar = "; ".join(dump_cookie(*cookie, path=None) for cookie in self._cookies.items())
        return environ | {"HTTP_COOKIE": jar, "HTTP_HOST": self._root.netloc}

    def _keep(self, cookie: str) -> None:
        """Keep a cookie for the next request; the cookie of the language is kept for longer."""
        name, value = next(iter(parse_cookie(cookie.partition(";")[0]).items()))
        if name == self._language and self._cookies.get(name) != value:
            self._settings.set(KEPT, value)
        self._cookies[name] = value
