"""Who may watch a game and who holds its pen (RELIABILITY 1.6).

Secrets and browsers are kept as SHA-256 only. A browser remembers the secret it was
shown, not the right: when the secret is replaced, the browser's right is gone with it.
"""

import os
import re
import secrets
from hashlib import sha256
from hmac import compare_digest
from typing import Literal

from scorekeeper.store.engine import Engine

Right = Literal["watch", "pen"]

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


class Rights:
    """The part of the ledger that knows who may do what."""

    engine: Engine

    def right(self, game_id: str, secret: str) -> Right | None:
        """What a secret opens; an unknown game takes as long as a wrong secret."""
        known = self.engine.row("SELECT pen, watch FROM games WHERE id = ?", (game_id,))
        pen, watch = known or _NOBODY
        given = secret_digest(secret)
        holds_pen, may_watch = compare_digest(given, pen), compare_digest(given, watch)
        return "pen" if holds_pen else "watch" if may_watch else None

    def remember(self, browser: str, game_id: str, secret: str) -> Right | None:
        """Let a browser keep what a secret opens; None and nothing kept if it opens nothing."""
        right = self.right(game_id, secret)
        if right:
            with self.engine.write() as db:
                db.execute(
                    "INSERT OR IGNORE INTO browsers VALUES (?, ?, ?)",
                    (digest(browser), game_id, secret_digest(secret)),
                )
        return right

    def forget(self, browser: str, game_id: str) -> None:
        """Take a game off a browser's list."""
        with self.engine.write() as db:
            db.execute(
                "DELETE FROM browsers WHERE browser = ? AND game = ?", (digest(browser), game_id)
            )

    def browser_right(self, browser: str, game_id: str) -> Right | None:
        """The strongest right a browser has in a game now."""
        kept = self.engine.row(
            """
            SELECT max(secret = pen) FROM browsers JOIN games ON id = game
            WHERE browser = ? AND game = ? AND secret IN (pen, watch)
            """,
            (digest(browser), game_id),
        )
        return _named(kept[0])

    def games_of(self, browser: str) -> list[tuple[str, Right]]:
        """The games of a browser with its right, what was played last first."""
        kept = self.engine.rows(
            """
            SELECT id, max(secret = pen) FROM browsers JOIN games ON id = game
            WHERE browser = ? AND secret IN (pen, watch) GROUP BY id
            ORDER BY (SELECT at FROM events WHERE events.game = id AND number = version) DESC, id
            """,
            (digest(browser),),
        )
        return [(game_id, "pen" if is_pen else "watch") for game_id, is_pen in kept]


def _named(is_pen: int | None) -> Right | None:
    return None if is_pen is None else "pen" if is_pen else "watch"
