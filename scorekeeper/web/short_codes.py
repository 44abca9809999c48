"""Short codes to type: six characters that let somebody watch while the page with them is open.

They are in memory, or in the store if several processes serve it. The page renews its code every
few seconds; without that the code expires. There are 2**30 of them, and wrong ones are limited per
address and for all together.
"""

import secrets
import threading
import time
from typing import NamedTuple, cast

from flask import current_app

from scorekeeper.store.links import ALPHABET
from scorekeeper.store.protocol import CodeStore
from scorekeeper.store.rights import plain, secret_digest
from scorekeeper.web import rate_limits
from scorekeeper.web.context import ledger

LENGTH = 6
LIFE_S = 90
"""Seconds that a code lives without being renewed; timers of hidden pages run once a minute."""
LIFE_NS = LIFE_S * 10**9
MAX_OF_ONE = 8
"""Codes of one game or group at once."""


class Live(NamedTuple):
    """A code that stands for a secret of a book until a time."""

    book_id: str
    digest: bytes
    until: int


class CodesInMemory:
    """The codes of one process; see ``CodeStore``. The code renewed last comes last."""

    def __init__(self) -> None:
        self._codes: dict[str, Live] = {}
        self._lock = threading.Lock()

    def add(self, code: str, book_id: str, digest: bytes, life_ns: int, most: int) -> bool:
        """Add a code; False if it is in use. A book keeps the ``most`` youngest codes."""
        with self._lock:
            now = _now()
            self._codes = {code: live for code, live in self._codes.items() if live.until > now}
            if code in self._codes:
                return False
            self._codes[code] = Live(book_id, digest, now + life_ns)
            own = [code for code, live in self._codes.items() if live.book_id == book_id]
            for oldest in own[:-most]:
                del self._codes[oldest]
            return True

    def renew(self, code: str, book_id: str, digest: bytes, life_ns: int) -> bool:
        """Let a code live on; False if it does not stand for this secret any more."""
        with self._lock:
            if self._opens(code) != (book_id, digest):
                return False
            del self._codes[code]
            self._codes[code] = Live(book_id, digest, _now() + life_ns)
            return True

    def end(self, code: str, book_id: str) -> None:
        """Delete a code of a book."""
        with self._lock:
            if (found := self._opens(code)) and found[0] == book_id:
                del self._codes[code]

    def find(self, code: str) -> tuple[str, bytes] | None:
        """Return the book and the digest of the secret that a code stands for."""
        with self._lock:
            return self._opens(code)

    def take(self, code: str) -> tuple[str, bytes] | None:
        """Return the same, and end the code."""
        with self._lock:
            found = self._opens(code)
            self._codes.pop(code, None)
            return found

    def _opens(self, code: str) -> tuple[str, bytes] | None:
        found = self._codes.get(code)
        return found[:2] if found and found.until > _now() else None


class ShortCodes:
    """The codes that are valid now, in memory or in a store that processes share."""

    def __init__(self, shared: CodeStore | None = None) -> None:
        self.store: CodeStore = shared or CodesInMemory()

    def renew(self, book_id: str, secret: str, code: str = "") -> str:
        """Return the code of an open page, which lives on; a new one if it has expired."""
        known, digest = plain(code), secret_digest(secret)
        if not self.store.renew(known, book_id, digest, LIFE_NS):
            known = self.new(LENGTH, book_id, digest, LIFE_NS, MAX_OF_ONE)
        return known.upper()

    def new(self, length: int, book_id: str, digest: bytes, life_ns: int, most: int) -> str:
        """Add a code that is not in use, and return it."""
        while True:
            code = "".join(secrets.choice(ALPHABET) for _ in range(length))
            if self.store.add(code, book_id, digest, life_ns, most):
                return code

    def end(self, book_id: str, code: str) -> None:
        """End a code whose page was closed."""
        self.store.end(plain(code), book_id)

    def find(self, typed: str) -> tuple[str, bytes] | None:
        """Return the book and the digest of the secret that a typed code stands for."""
        return self.store.find(plain(typed))


def _now() -> int:
    """Return the time of this process in nanoseconds."""
    return int(time.monotonic() * 10**9)


def is_short(typed: str) -> bool:
    """Return whether this may be a short code."""
    return len(plain(typed)) == LENGTH


def short_codes() -> ShortCodes:
    """Return the codes of the app."""
    return cast(ShortCodes, current_app.extensions["short_codes"])


def find_link(typed: str) -> tuple[str, str] | None:
    """Return the book that a short code opens and its secret to watch; counts a wrong code."""
    rate_limits.limit_short_codes()
    if found := short_codes().find(typed):
        book_id, digest = found
        secret = ledger().link_secret(book_id, "watch")
        if secret and secret_digest(secret) == digest:
            return book_id, secret
    rate_limits.count_wrong_short_code()
    return None
