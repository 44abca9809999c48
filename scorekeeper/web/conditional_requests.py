"""A cache of not-modified (304) answers, since every phone polls for changes every few seconds.

An answer 304 is repeated from memory as long as its game, and the group whose secret opens it,
have the same version. Whatever could change the answer, including a replaced secret, is an
event and makes a new version.
"""

import re
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable
from typing import Any

from scorekeeper.store.errors import Unreadable
from scorekeeper.store.ledger import Ledger

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
NOT_MODIFIED = "304 NOT MODIFIED"

CacheKey = tuple[str | None, ...]
CachedAnswer = tuple[tuple[int, ...], list[tuple[str, str]]]
"""The versions that the answer was made for, and its headers."""


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
            version = self._version(book[1], key, environ)
        except Unreadable:
            return self._app(environ, start_response)  # the app reports the error
        if version is None:
            raise NotInMemory
        cached = self._answers.get(key)
        if cached and cached[0] == version:
            start_response(NOT_MODIFIED, list(cached[1]))
            return ()
        return self._run_app(environ, self._caching(key, version, start_response))

    def __len__(self) -> int:
        """Return the number of cached answers."""
        return len(self._answers)

    def _version(
        self, book_id: str, key: CacheKey, environ: dict[str, Any]
    ) -> tuple[int, ...] | None:
        if FROM_MEMORY in environ:
            return self._ledger.cached_versions(book_id)
        if key in self._answers:
            return self._ledger.versions(book_id)
        # A wrong secret takes as long for a book that is cached as for one that does not exist.
        return tuple(head.version for head in self._ledger.read_heads(book_id))

    def _run_app(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        """Run the application, unless an answer from memory is wanted."""
        if FROM_MEMORY in environ:
            raise NotInMemory
        return self._app(environ, start_response)

    def _caching(self, key: CacheKey, version: tuple[int, ...], start: Any) -> Any:
        """Return a ``start_response`` that also caches a 304."""

        def start_response(status: str, headers: list[tuple[str, str]], *more: Any) -> Any:
            if status.startswith("304"):
                self._store(key, (version, headers))
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
