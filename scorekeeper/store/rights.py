"""Who may watch a book and who holds its pen.

Who may watch a group may watch its games; who holds its pen may write in them.

Secrets and browsers are kept as SHA-256 only. A browser remembers the secret it was
shown, not the right: when the secret is replaced, the browser's right is gone with it.
"""

import os
import re
import secrets
import threading
from collections.abc import Callable, Iterable
from hashlib import sha256
from hmac import compare_digest
from typing import Literal

from scorekeeper.store.cache import BookHead, Kind
from scorekeeper.store.growth import EACH_BROWSER, GROWTH
from scorekeeper.store.protocol import Store

Right = Literal["watch", "pen"]
Demand = Callable[[], object]
"""Raises Withdrawn if a right is no longer there."""

ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
"""Base 32 without i, l, o, u, which are misread."""
_MISREAD = str.maketrans("ilo", "110")
_LENGTH = 28  # times 5 bits: 140
_NOBODY = (os.urandom(32), os.urandom(32))


def new_secret() -> str:
    """A secret of 140 bits, easy to read out: ``7k2m-...``, seven groups of four."""
    return _grouped("".join(secrets.choice(ALPHABET) for _ in range(_LENGTH)))


def normal(typed: str) -> str:
    """A secret as ``new_secret`` writes it, however it was typed."""
    return _grouped(re.sub(r"[\s\-\u2010-\u2015_.]", "", typed).lower().translate(_MISREAD))


def _grouped(text: str) -> str:
    return "-".join(text[start : start + 4] for start in range(0, len(text), 4))


def digest(text: str) -> bytes:
    """What is stored instead of a secret."""
    return sha256(text.encode("utf-8", "surrogatepass")).digest()


def secret_digest(secret: str) -> bytes:
    """What is stored of a game's secret, however it was typed."""
    return digest(normal(secret))


class Withdrawn(Exception):
    """The pen with which a change was asked for was replaced before the change was made."""

    def __init__(self, left: Right | None) -> None:
        super().__init__(left)
        self.left = left
        """What the writer may still do there."""


class Rights:
    """Who may do what in the books of a ledger.

    Whether somebody may write is asked when a request comes in, and again in the transaction
    that makes the change: the pen may have been replaced while the request waited for its turn.
    """

    def __init__(self, store: Store, heads: Callable[[str], tuple[BookHead, ...]]) -> None:
        self._store = store
        self._heads = heads
        """Gives the head of a book and that of the group that opens it too."""
        self._request = threading.local()
        self._demanded_in = 0
        """The change, by its number, for which the demands have been met."""

    def demand(self, demand: Demand) -> None:
        """Let every change by this thread meet a demand, until ``demand_nothing``."""
        self._request.demands = (*self._demands(), demand)

    def demand_nothing(self) -> None:
        """Forget the demands; the next request has its own."""
        self._request.demands = ()

    def _demands(self) -> tuple[Demand, ...]:
        return getattr(self._request, "demands", ())

    def meet_demands(self) -> None:
        """Before the first event of a change; the change itself may replace a secret after it."""
        if self._demanded_in != self._store.changes:
            for demand in self._demands():
                demand()
            self._demanded_in = self._store.changes

    def demand_pen(self, book_id: str, *, secret: str = "", browser: str = "") -> None:
        """Withdrawn if a secret, or else a browser, no longer holds the pen of a book."""
        held = self.of_secret(book_id, secret) if secret else self.of_browser(browser, book_id)
        if held != "pen":
            raise Withdrawn(held)

    def of_secret(self, book_id: str, secret: str) -> Right | None:
        """Return the right that a secret gives in a book, itself or through its group."""
        return _opened(secret, self._heads(book_id))

    def secrets_of(self, book_id: str) -> tuple[bytes, bytes] | None:
        """What is stored of the secrets that open a book itself, to be compared later."""
        for one in self._heads(book_id):
            if one.book_id == book_id:
                return one.pen, one.watch
        return None

    def remember(self, browser: str, book_id: str, secret: str) -> Right | None:
        """Let a browser keep what a secret opens; None and nothing kept if it opens nothing."""
        right = _opened(secret, [one for one in self._heads(book_id) if one.book_id == book_id])
        if right:
            GROWTH.octets += EACH_BROWSER
            self._store.rights.remember(digest(browser), book_id, secret_digest(secret))
        return right

    def forget(self, browser: str, book_id: str) -> None:
        """Take a book off a browser's list."""
        self._store.rights.forget(digest(browser), book_id)

    def of_browser(self, browser: str, book_id: str) -> Right | None:
        """Return the strongest right a browser has in a book now, itself or through its group."""
        return _named(self._store.rights.holds_pen(digest(browser), book_id))

    def books_of(self, browser: str, kind: Kind) -> list[tuple[str, Right]]:
        """Return the games or groups of a browser with its right, what changed last first."""
        kept = self._store.rights.books_of(digest(browser), kind)
        return [(book_id, "pen" if is_pen else "watch") for book_id, is_pen in kept]


def _opened(secret: str, books: Iterable[BookHead]) -> Right | None:
    """The strongest right that a secret has in any of these; with none it is compared too."""
    given = secret_digest(secret)
    known = [(book.pen, book.watch) for book in books]
    held = [_held(given, pen, watch) for pen, watch in [*known, _NOBODY]]
    return "pen" if "pen" in held else "watch" if "watch" in held else None


def _held(given: bytes, pen: bytes, watch: bytes) -> Right | None:
    holds_pen, may_watch = compare_digest(given, pen), compare_digest(given, watch)
    return "pen" if holds_pen else "watch" if may_watch else None


def _named(is_pen: bool | None) -> Right | None:
    return None if is_pen is None else "pen" if is_pen else "watch"
