"""Short codes to type: six characters that let somebody watch, while the page with them is open.

They are kept in memory only. The page renews its code every few seconds; without that the code
expires. There are 2**30 of them, and wrong ones are limited per address and for all together.
"""

import secrets
import threading
import time
from typing import NamedTuple, cast

from flask import current_app

from scorekeeper.store.links import ALPHABET
from scorekeeper.store.rights import plain
from scorekeeper.web import rate_limits
from scorekeeper.web.context import ledger

LENGTH = 6
LIFE_S = 90
"""Seconds that a code lives without being renewed; timers of hidden pages run once a minute."""
MAX_OF_ONE = 8
"""Codes of one game or group at once."""


class Live(NamedTuple):
    """A code that stands for a secret of a book until a time."""

    book_id: str
    secret: str
    until: float


class ShortCodes:
    """The codes that are valid now."""

    def __init__(self) -> None:
        self._codes: dict[str, Live] = {}
        self._lock = threading.Lock()

    def renew(self, book_id: str, secret: str, code: str = "") -> str:
        """Return the code of an open page, which lives on; a new one if it has expired."""
        with self._lock:
            self._purge()
            kept = plain(code) if self._opens(plain(code)) == (book_id, secret) else self._drawn()
            self._codes.pop(kept, None)  # the code renewed last is the youngest
            self._codes[kept] = Live(book_id, secret, time.monotonic() + LIFE_S)
            self._limit(book_id)
        return kept.upper()

    def end(self, book_id: str, code: str) -> None:
        """End a code whose page was closed."""
        with self._lock:
            if (found := self._opens(plain(code))) and found[0] == book_id:
                del self._codes[plain(code)]

    def find(self, typed: str) -> tuple[str, str] | None:
        """Return the book and the secret that a typed code stands for."""
        with self._lock:
            return self._opens(plain(typed))

    def _opens(self, code: str) -> tuple[str, str] | None:
        found = self._codes.get(code)
        return found[:2] if found and found.until > time.monotonic() else None

    def _drawn(self) -> str:
        while (code := "".join(secrets.choice(ALPHABET) for _ in range(LENGTH))) in self._codes:
            pass
        return code

    def _purge(self) -> None:
        now = time.monotonic()
        self._codes = {code: live for code, live in self._codes.items() if live.until > now}

    def _limit(self, book_id: str) -> None:
        """End the oldest codes of a book that has too many."""
        own = [code for code, live in self._codes.items() if live.book_id == book_id]
        for code in own[:-MAX_OF_ONE]:
            del self._codes[code]


def is_short(typed: str) -> bool:
    """Return whether this may be a short code."""
    return len(plain(typed)) == LENGTH


def short_codes() -> ShortCodes:
    """Return the codes of the app."""
    return cast(ShortCodes, current_app.extensions["short_codes"])


def find_link(typed: str) -> tuple[str, str] | None:
    """Return the book that a short code opens and its secret to watch; counts a wrong code."""
    rate_limits.limit_short_codes()
    found = short_codes().find(typed)
    if found is None or ledger().link_secret(found[0], "watch") != found[1]:
        rate_limits.count_wrong_short_code()
        return None
    return found
