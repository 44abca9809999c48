"""Access rights: watching a book, and holding its pen.

The rights in a group extend to its games. A game may have a third secret, ``paper``, which is
printed on its score sheets: it allows watching, and is given and withdrawn on its own.

Secrets and browsers are stored as SHA-256 only. What is stored for a browser is the secret it
used, not the right: when the secret is replaced, the browser loses its right.
"""

import os
import re
from collections.abc import Callable, Iterable, Mapping
from hashlib import sha256
from hmac import compare_digest
from typing import Literal

from scorekeeper.store.cache import BookHead, Kind
from scorekeeper.store.chain import canonical
from scorekeeper.store.growth import BROWSER_BYTES, GROWTH
from scorekeeper.store.links import SecretName, grouped
from scorekeeper.store.protocol import Store
from scorekeeper.store.writes import Holder

Right = Literal["watch", "pen"]
"""The right of a client in a book, by whichever secret."""
Heads = Callable[[str], tuple[BookHead, ...]]
"""Returns the head of a book, followed by the head of its group."""

_MISREAD = str.maketrans("ilo", "110")
_NOBODY = os.urandom(32)
"""The digest of no secret."""


def normal(typed: str) -> str:
    """Return a secret as ``LinkKey`` writes it, however it was typed."""
    return grouped(plain(typed))


def plain(typed: str) -> str:
    """Return a code in lower case without hyphens and spaces, misread letters corrected."""
    return re.sub(r"[\s\-\u2010-\u2015_.]", "", typed).lower().translate(_MISREAD)


def digest(text: str) -> bytes:
    """Return the SHA-256 of a text."""
    return sha256(text.encode("utf-8", "surrogatepass")).digest()


def secret_digest(secret: str) -> bytes:
    """Return the stored form of a secret, however it was typed."""
    return digest(normal(secret))


def creation_key(key: str, browser: str) -> bytes:
    """Return the digest of an idempotency key and the browser that creates a book with it."""
    return digest(canonical([key, browser]))


class Withdrawn(Exception):
    """The pen of a request was replaced before its change was made."""

    def __init__(self, left: Right | None) -> None:
        super().__init__(left)
        self.left = left
        """The right that is left."""


class Rights:
    """The access rights in the books of a ledger.

    The right to write is checked when a request arrives, and again in the transaction that makes
    the change: the pen may have been replaced while the request was waiting.
    """

    def __init__(self, store: Store, heads: Heads, cached_heads: Heads) -> None:
        self._store = store
        self._heads, self._cached_heads = heads, cached_heads
        self._marks = [object()] * 256
        """One for all browsers whose digest begins with the same byte."""

    def check_pens(self, holders: Iterable[Holder]) -> None:
        """Raise Withdrawn unless all of them still hold their pens."""
        for holder in holders:
            if (held := self.held_by(holder)) != "pen":
                raise Withdrawn(held)

    def held_by(self, holder: Holder) -> Right | None:
        """Return the right of a client in a book, by its secret or as a browser."""
        if holder.secret:
            return self.of_secret(holder.book_id, holder.secret)
        return self.of_browser(holder.browser, holder.book_id) if holder.browser else None

    def of_secret(self, book_id: str, secret: str) -> Right | None:
        """Return the right that a secret gives in a book, directly or through its group.

        A wrong secret is compared with the heads as stored, even if they are cached: otherwise
        it would be refused sooner where there is such a book.
        """
        given = secret_digest(secret)
        return _opened(given, self._cached_heads(book_id)) or _opened(given, self._heads(book_id))

    def secrets_of(self, book_id: str) -> Mapping[SecretName, bytes | None]:
        """Return the digests of a book's own secrets; empty if there is no such book."""
        for head in self._heads(book_id)[:1]:  # the second would be that of its group
            return {"pen": head.pen, "watch": head.watch, "paper": head.paper}
        return {}

    def is_current(self, book_id: str, name: SecretName, secret: str) -> bool:
        """Return whether this is the current secret of this name in a book itself."""
        stored = self.secrets_of(book_id).get(name)
        return bool(stored and compare_digest(stored, secret_digest(secret)))

    def remember(self, browser: str, book_id: str, secret: str) -> Right | None:
        """Store a secret for a browser and return its right; None if it opens nothing."""
        given = secret_digest(secret)
        right = _opened(given, self._heads(book_id)[:1])
        if right:
            GROWTH.size += BROWSER_BYTES
            self._store.rights.remember(digest(browser), book_id, given)
            self._mark(digest(browser))
        return right

    def keep_watching(self, book_id: str) -> None:
        """Let the browsers that hold the pen of a book itself watch it when they lose the pen."""
        secrets = self.secrets_of(book_id)
        pen, watch = secrets["pen"], secrets["watch"]
        assert pen and watch
        for browser, secret in self._store.rights.browsers_of(book_id):
            if compare_digest(bytes(secret), pen):
                GROWTH.size += BROWSER_BYTES
                self._store.rights.remember(bytes(browser), book_id, watch)

    def copy(self, source: bytes, browser: str, *, moves: bool) -> None:
        """Give a browser what another one holds, named by its digest; it may lose it."""
        copied = self._store.rights.copy(source, digest(browser), moves=moves)
        self._mark(source, digest(browser))
        GROWTH.size += copied * BROWSER_BYTES

    def _mark(self, *browsers: bytes) -> None:
        """Note that these browsers, named by their digests, may have other rights than before."""
        for browser in browsers:
            self._marks[browser[0]] = object()

    def mark(self, browser: str, book_id: str) -> object:
        """Return a value that differs once this browser has another right in a book.

        It is in memory if this process alone writes. Changes that are events do not count.
        """
        if self._store.is_shared:
            return self.of_browser(browser, book_id)
        return self._marks[digest(browser)[0]]

    def of_browser(self, browser: str, book_id: str) -> Right | None:
        """Return the strongest right of a browser in a book, directly or through its group."""
        is_pen = self._store.rights.holds_pen(digest(browser), book_id)
        return None if is_pen is None else "pen" if is_pen else "watch"

    def books_of(self, browser: str, kind: Kind) -> list[tuple[str, Right]]:
        """Return the games or groups of a browser with its right, last changed first."""
        books = self._store.rights.books_of(digest(browser), kind)
        return [(book_id, "pen" if is_pen else "watch") for book_id, is_pen in books]


class SoleOwner(Rights):
    """The rights where one person uses the program: they hold the pen of every book."""

    def of_browser(self, browser: str, book_id: str) -> Right | None:
        """Return the pen of every book that exists."""
        return "pen" if self._heads(book_id) else None

    def books_of(self, browser: str, kind: Kind) -> list[tuple[str, Right]]:
        """Return all games or groups, last changed first."""
        return [(book_id, "pen") for book_id in self._store.rights.all_books(kind)]


def _opened(given: bytes, books: Iterable[BookHead]) -> Right | None:
    """Return the strongest right that the digest of a secret gives in these books.

    Without a book it is compared all the same, so that the time does not tell.
    """
    known = [(book.pen, book.watch, book.paper or _NOBODY) for book in books]
    held = [_held(given, *digests) for digests in [*known, (_NOBODY,) * 3]]
    return "pen" if "pen" in held else "watch" if "watch" in held else None


def _held(given: bytes, pen: bytes, *to_read: bytes) -> Right | None:
    holds_pen, opens = compare_digest(given, pen), [compare_digest(given, one) for one in to_read]
    return "pen" if holds_pen else "watch" if any(opens) else None
