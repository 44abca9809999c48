"""Parts and pages that are the same for all readers of a version, prepared once.

After every round, each phone at the table asks for the same new board.
"""

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence, Sized
from contextlib import contextmanager
from typing import NamedTuple, TypeVar, cast

from flask import current_app, request, session

from scorekeeper.config import VERSION
from scorekeeper.web.compression import PreparedResponse, compressed
from scorekeeper.web.context import language
from scorekeeper.web.pages.blueprint import fingerprint

MAX_BYTES = 4 * 1024 * 1024
"""Limit of everything that is prepared."""
MAX_TEXT = 256 * 1024
"""A longer page or part is not kept: a single one must not displace all others."""

Key = tuple[str | int, ...]
"""Everything that a part or page depends on besides its version."""
Texts = TypeVar("Texts", bound=tuple[Sized, ...])


class Page(NamedTuple):
    """A page, plain and compressed."""

    body: bytes
    compressed_body: bytes


class Prepared:
    """The parts and pages that were used last, each of one version."""

    def __init__(self) -> None:
        self._prepared: OrderedDict[Key, tuple[str, tuple[Sized, ...]]] = OrderedDict()
        self._bytes = 0
        self._lock = threading.Lock()
        self._making: dict[Key, threading.Lock] = {}

    def once(self, key: Key, version: str, make: Callable[[], Texts]) -> Texts:
        """Return the texts of this version, which are made unless they are prepared.

        Threads that want the same texts wait for the first of them.
        """
        texts = self._find(key, version)
        if texts is None:
            with self._making_alone(key):
                texts = self._find(key, version)
                if texts is None:
                    texts = make()
                    self._store(key, version, texts)
        return cast(Texts, texts)

    @contextmanager
    def _making_alone(self, key: Key) -> Iterator[None]:
        with self._lock:
            making = self._making.setdefault(key, threading.Lock())
        try:
            with making:
                yield
        finally:
            self._making.pop(key, None)

    def _find(self, key: Key, version: str) -> tuple[Sized, ...] | None:
        with self._lock:
            known, texts = self._prepared.get(key, (None, ()))
            if known != version:
                return None
            self._prepared.move_to_end(key)
            return texts

    def __len__(self) -> int:
        """Return the number of parts and pages."""
        return len(self._prepared)

    def _store(self, key: Key, version: str, texts: tuple[Sized, ...]) -> None:
        if size_of(texts) > MAX_TEXT:
            return
        with self._lock:
            _, outdated = self._prepared.pop(key, (None, ()))
            self._bytes += size_of(texts) - size_of(outdated)
            self._prepared[key] = version, texts
            while self._bytes > MAX_BYTES:
                _, (_, oldest) = self._prepared.popitem(last=False)
                self._bytes -= size_of(oldest)


def size_of(texts: tuple[Sized, ...]) -> int:
    """Return the length of all texts."""
    return sum(map(len, texts))


def prepared() -> Prepared:
    """Return the prepared parts and pages of the app."""
    return cast(Prepared, current_app.extensions["prepared"])


def tag_of(what: str, version: object, sheets: Sequence[str], *, has_form: bool) -> str:
    """Return the tag of a page that readers poll: its version, language, form and styles."""
    form = session.get("csrf_token", "")[:8] if has_form else ""
    look = "".join(fingerprint(f"{sheet}.css") for sheet in sheets)
    return f"{what}-{version}-{language().code}-{form}-{VERSION}-{look}"


def prepared_response(version: str, render: Callable[[], str], group: str = "") -> PreparedResponse:
    """Return a page that is the same for all readers of a version who see the same group."""
    key = request.script_root, request.full_path, language().code, group

    def make() -> Page:
        body = render().encode()
        return Page(body, compressed(body))

    return PreparedResponse(*prepared().once(key, version, make))
