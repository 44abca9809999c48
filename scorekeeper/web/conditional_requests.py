"""A cache of not-modified (304) answers, since every phone polls for changes every few seconds.

An answer 304 is repeated from memory as long as its game, and the group whose secret opens it,
have the same version, and the browser has the same right. Whatever else could change the answer,
including a replaced secret, is an event and makes a new version.
"""

import re
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from werkzeug.http import parse_cookie

from scorekeeper.store.errors import Unreadable
from scorekeeper.store.ledger import Ledger
from scorekeeper.web.context import BROWSER_COOKIES

WsgiApp = Callable[[dict[str, Any], Any], Iterable[bytes]]

BOOK_PATH = re.compile(r"/(?:g|s|api/v1/games|api/v1/groups)/([^/]+)")
KEY_FIELDS = (
    "SCRIPT_NAME",
    "PATH_INFO",
    "QUERY_STRING",
    "HTTP_IF_NONE_MATCH",
    "HTTP_COOKIE",
    "HTTP_AUTHORIZATION",
    "HTTP_ACCEPT_LANGUAGE",
    "HTTP_HOST",
    "wsgi.url_scheme",
)
"""Everything in a request that can make a difference to its answer."""
MAX_ENTRIES = 4096
MAX_BYTES = 4 * 1024 * 1024
"""Limit of all keys together, so that long URLs cannot fill the memory."""
FROM_MEMORY = "scorekeeper.from_memory"
"""Environ key: answer from memory or raise NotInMemory."""
BY_THE_CLOCK = "scorekeeper.by_the_clock"
"""Environ key: this answer changes with time alone, so it must not be repeated."""
NOT_MODIFIED = "304 NOT MODIFIED"

CacheKey = tuple[str | None, ...]
State = tuple[object, ...]
CachedAnswer = tuple[State, list[tuple[str, str]]]
"""The state that the answer was made for, and its headers."""


class NotInMemory(Exception):
    """The answer is not in memory."""


class NotModifiedCache:
    """WSGI middleware that repeats 304 answers while nothing has changed."""

    def __init__(self, app: WsgiApp, ledger: Ledger) -> None:
        self._app = app
        self._ledger = ledger
        self._answers: OrderedDict[CacheKey, CachedAnswer] = OrderedDict()
        self._bytes = 0
        self._lock = threading.Lock()

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        book = BOOK_PATH.match(environ["PATH_INFO"])
        is_conditional = "HTTP_IF_NONE_MATCH" in environ and environ["REQUEST_METHOD"] == "GET"
        if book is None or not is_conditional:
            return self._run_app(environ, start_response)
        key = tuple(environ.get(name) for name in KEY_FIELDS)
        try:
            # Read before the app runs: a change in between must make the entry stale.
            state = self._state(book[1], key, environ)
        except Unreadable:
            return self._app(environ, start_response)  # the app reports the error
        if state is None:
            raise NotInMemory
        cached = self._answers.get(key)
        if cached and cached[0] == state:
            start_response(NOT_MODIFIED, list(cached[1]))
            return ()
        return self._run_app(environ, self._caching(key, state, environ, start_response))

    def __len__(self) -> int:
        """Return the number of cached answers."""
        return len(self._answers)

    def _state(self, book_id: str, key: CacheKey, environ: dict[str, Any]) -> State | None:
        """Return the versions of a book and its group, and a mark of the browser's right."""
        ledger = self._ledger
        if FROM_MEMORY in environ:
            versions = ledger.cached_versions(book_id)
        elif key in self._answers:
            versions = ledger.versions(book_id)
        else:
            # A wrong secret takes as long for a book that is cached as for one that does not exist.
            versions = tuple(head.version for head in ledger.read_heads(book_id))
        if versions is None:
            return None
        cookies = parse_cookie(environ.get("HTTP_COOKIE"))
        browsers = [cookies[name] for name in BROWSER_COOKIES if name in cookies]
        return versions, *(ledger.rights.mark(browser, book_id) for browser in browsers)

    def _run_app(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        """Run the application, unless an answer from memory is wanted."""
        if FROM_MEMORY in environ:
            raise NotInMemory
        return self._app(environ, start_response)

    def _caching(self, key: CacheKey, state: State, environ: Mapping[str, Any], start: Any) -> Any:
        """Return a ``start_response`` that also caches a 304."""

        def start_response(status: str, headers: list[tuple[str, str]], *more: Any) -> Any:
            if status.startswith("304") and BY_THE_CLOCK not in environ:
                self._store(key, (state, headers))
            return start(status, headers, *more)

        return start_response

    def _store(self, key: CacheKey, answer: CachedAnswer) -> None:
        with self._lock:
            if key not in self._answers:
                self._bytes += size_of(key)
            self._answers[key] = answer
            while len(self._answers) > MAX_ENTRIES or self._bytes > MAX_BYTES:
                oldest, _ = self._answers.popitem(last=False)
                self._bytes -= size_of(oldest)


def size_of(key: CacheKey) -> int:
    """Return the length of a cache key."""
    return sum(len(text) for text in key if text is not None)
