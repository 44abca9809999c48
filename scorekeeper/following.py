"""The phones that follow: "has it changed?", asked by all of them every few seconds.

A request that was answered 304 is answered so again, without a look at anything else, as
long as its game, and the group that opens it too, have the same version: whatever could
change the answer, a replaced secret too, is an event and makes a new version.
"""

import re
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable
from typing import Any

from scorekeeper.store.engine import Unreadable
from scorekeeper.store.ledger import Ledger

WsgiApp = Callable[[dict[str, Any], Any], Iterable[bytes]]

A_BOOK = re.compile(r"/(?:g|s|api/v1/games|api/v1/groups)/([^/]+)")
ASKED_WITH = (
    "PATH_INFO",
    "QUERY_STRING",
    "HTTP_IF_NONE_MATCH",
    "HTTP_COOKIE",
    "HTTP_AUTHORIZATION",
    "HTTP_ACCEPT_LANGUAGE",
    "HTTP_HOST",
    "wsgi.url_scheme",
)
"""All of a request that can make a difference to its answer."""
FOLLOWERS = 4096
NOT_MODIFIED = "304 NOT MODIFIED"

Answered = tuple[tuple[int, ...], list[tuple[str, str]]]
"""The versions that were asked about, and the headers of the answer."""


class Following:
    """Around the app: answers the same question again as long as nothing happened."""

    def __init__(self, app: WsgiApp, ledger: Ledger) -> None:
        self._app = app
        self._ledger = ledger
        self._answered: OrderedDict[tuple[object, ...], Answered] = OrderedDict()
        self._lock = threading.Lock()

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        book = A_BOOK.match(environ["PATH_INFO"])
        asks = book and "HTTP_IF_NONE_MATCH" in environ and environ["REQUEST_METHOD"] == "GET"
        if not asks or book is None:
            return self._app(environ, start_response)
        question = tuple(environ.get(name) for name in ASKED_WITH)
        try:
            version = self._ledger.versions(book[1])  # before the answer is made, never after
        except Unreadable:
            return self._app(environ, start_response)  # which says so
        before = self._answered.get(question)
        if before and before[0] == version:
            start_response(NOT_MODIFIED, list(before[1]))
            return ()
        return self._app(environ, self._listen(question, version, start_response))

    def _listen(self, question: tuple[object, ...], version: tuple[int, ...], start: Any) -> Any:
        """The server's ``start_response``, with a note of what was answered."""

        def start_response(status: str, headers: list[tuple[str, str]], *more: Any) -> Any:
            if status.startswith("304"):
                with self._lock:
                    self._answered[question] = (version, headers)
                    if len(self._answered) > FOLLOWERS:
                        self._answered.popitem(last=False)
            return start(status, headers, *more)

        return start_response
