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

from scorekeeper.store.errors import Unreadable
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
MOST_BYTES = 4 * 1024 * 1024
"""Of all questions together, so that long addresses do not fill the memory."""
AT_ONCE = "scorekeeper.at_once"
"""In the environ: the answer is wanted from memory alone, else NotAtOnce."""
NOT_MODIFIED = "304 NOT MODIFIED"

Question = tuple[str | None, ...]
Answered = tuple[tuple[int, ...], list[tuple[str, str]]]
"""The versions that were asked about, and the headers of the answer."""


class NotAtOnce(Exception):
    """The answer is not in memory."""


class Following:
    """Around the app: answers the same question again as long as nothing happened."""

    def __init__(self, app: WsgiApp, ledger: Ledger) -> None:
        self._app = app
        self._ledger = ledger
        self._answered: OrderedDict[Question, Answered] = OrderedDict()
        self._bytes = 0
        self._lock = threading.Lock()

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        book = A_BOOK.match(environ["PATH_INFO"])
        asks = book and "HTTP_IF_NONE_MATCH" in environ and environ["REQUEST_METHOD"] == "GET"
        if not asks or book is None:
            return self._look(environ, start_response)
        question = tuple(environ.get(name) for name in ASKED_WITH)
        try:
            version = self._version(book[1], environ)  # before the answer is made, never after
        except Unreadable:
            return self._app(environ, start_response)  # which says so
        if version is None:
            raise NotAtOnce
        before = self._answered.get(question)
        if before and before[0] == version:
            start_response(NOT_MODIFIED, list(before[1]))
            return ()
        return self._look(environ, self._listen(question, version, start_response))

    def __len__(self) -> int:
        """How many questions are remembered."""
        return len(self._answered)

    def _version(self, book_id: str, environ: dict[str, Any]) -> tuple[int, ...] | None:
        if AT_ONCE in environ:
            return self._ledger.remembered_versions(book_id)
        return self._ledger.versions(book_id)

    def _look(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        """Ask the app, which may take its time."""
        if AT_ONCE in environ:
            raise NotAtOnce
        return self._app(environ, start_response)

    def _listen(self, question: Question, version: tuple[int, ...], start: Any) -> Any:
        """The server's ``start_response``, with a note of what was answered."""

        def start_response(status: str, headers: list[tuple[str, str]], *more: Any) -> Any:
            if status.startswith("304"):
                self._keep(question, (version, headers))
            return start(status, headers, *more)

        return start_response

    def _keep(self, question: Question, answered: Answered) -> None:
        with self._lock:
            if question not in self._answered:
                self._bytes += size_of(question)
            self._answered[question] = answered
            while len(self._answered) > FOLLOWERS or self._bytes > MOST_BYTES:
                oldest, _ = self._answered.popitem(last=False)
                self._bytes -= size_of(oldest)


def size_of(question: Question) -> int:
    """How long a question is."""
    return sum(len(text) for text in question if text is not None)
