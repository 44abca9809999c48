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

from scorekeeper.store.engine import Engine
from scorekeeper.store.growth import EACH_BROWSER, GROWTH
from scorekeeper.store.memory import Kind, Standing

Right = Literal["watch", "pen"]
Demand = Callable[[], object]
"""Raises Withdrawn if a right is no longer there."""

ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
"""Base 32 without i, l, o, u, which are misread."""
_MISREAD = str.maketrans("ilo", "110")
_LENGTH = 28  # times 5 bits: 140
_NOBODY = (os.urandom(32), os.urandom(32))

GROUP_OF = "SELECT group_id FROM evenings WHERE game = :book"


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
    """The part of the ledger that knows who may do what.

    Whether somebody may write is asked when a request comes in, and again in the transaction
    that makes the change: the pen may have been replaced while the request waited for its turn.
    """

    engine: Engine

    def __init__(self) -> None:
        super().__init__()
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

    def _meet_demands(self) -> None:
        """Before the first event of a change; the change itself may replace a secret after it."""
        if self._demanded_in != self.engine.changes:
            for demand in self._demands():
                demand()
            self._demanded_in = self.engine.changes

    def demand_pen(self, book_id: str, *, secret: str = "", browser: str = "") -> None:
        """Withdrawn if a secret, or else a browser, no longer holds the pen of a book."""
        held = self.right(book_id, secret) if secret else self.browser_right(browser, book_id)
        if held != "pen":
            raise Withdrawn(held)

    def standings(self, book_id: str) -> tuple[Standing, ...]:
        """A book and the group that opens it too, as they stand."""
        raise NotImplementedError

    def right(self, book_id: str, secret: str) -> Right | None:
        """What a secret opens, its group's too."""
        return _opened(secret, self.standings(book_id))

    def secrets_of(self, book_id: str) -> tuple[bytes, bytes] | None:
        """What is stored of the secrets that open a book itself, to be compared later."""
        for one in self.standings(book_id):
            if one.book_id == book_id:
                return one.pen, one.watch
        return None

    def remember(self, browser: str, book_id: str, secret: str) -> Right | None:
        """Let a browser keep what a secret opens; None and nothing kept if it opens nothing."""
        right = _opened(secret, [one for one in self.standings(book_id) if one.book_id == book_id])
        if right:
            GROWTH.octets += EACH_BROWSER
            with self.engine.write() as db:
                db.execute(
                    "INSERT OR IGNORE INTO browsers VALUES (?, ?, ?)",
                    (digest(browser), book_id, secret_digest(secret)),
                )
        return right

    def forget(self, browser: str, book_id: str) -> None:
        """Take a book off a browser's list."""
        with self.engine.write() as db:
            db.execute(
                "DELETE FROM browsers WHERE browser = ? AND book = ?", (digest(browser), book_id)
            )

    def browser_right(self, browser: str, book_id: str) -> Right | None:
        """The strongest right a browser has in a book now, itself or through its group."""
        kept = self.engine.row(
            f"""
            SELECT max(secret = pen) FROM browsers JOIN books ON id = book
            WHERE browser = :browser AND book IN (:book, ({GROUP_OF})) AND secret IN (pen, watch)
            """,
            {"browser": digest(browser), "book": book_id},
        )
        return _named(kept[0])

    def books_of(self, browser: str, kind: Kind) -> list[tuple[str, Right]]:
        """The games or groups of a browser with its right, what changed last first."""
        kept = self.engine.rows(
            """
            SELECT id, max(secret = pen) FROM browsers JOIN books ON id = book
            WHERE browser = ? AND kind = ? AND secret IN (pen, watch) GROUP BY id
            ORDER BY (SELECT at FROM events WHERE events.book = id AND number = version) DESC, id
            """,
            (digest(browser), kind),
        )
        return [(book_id, "pen" if is_pen else "watch") for book_id, is_pen in kept]


def _opened(secret: str, books: Iterable[Standing]) -> Right | None:
    """The strongest right that a secret has in any of these; with none it is compared too."""
    given = secret_digest(secret)
    known = [(book.pen, book.watch) for book in books]
    held = [_held(given, pen, watch) for pen, watch in [*known, _NOBODY]]
    return "pen" if "pen" in held else "watch" if "watch" in held else None


def _held(given: bytes, pen: bytes, watch: bytes) -> Right | None:
    holds_pen, may_watch = compare_digest(given, pen), compare_digest(given, watch)
    return "pen" if holds_pen else "watch" if may_watch else None


def _named(is_pen: int | None) -> Right | None:
    return None if is_pen is None else "pen" if is_pen else "watch"
