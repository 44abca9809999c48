"""The secrets of links, derived from a key that lies outside the database.

The database holds only the SHA-256 of a secret. With the key, whoever holds the pen can be shown
the current link again. Where the key is missing, as beside a restored backup, old links still
work but can only be replaced.
"""

import hmac
import secrets
from collections.abc import Iterable, Mapping
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import Literal

from scorekeeper.domain.history.book import Event
from scorekeeper.store.files import replacing

ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
"""Base 32 without i, l, o, u, which are misread."""
LENGTH = 28  # times 5 bits: 140
ORIGINS = ("created", "founded", "secret", "discarded")
"""The kinds of events that make or end a secret."""

SecretName = Literal["pen", "watch", "paper"]
Origin = tuple[int, str]
"""The number and the time of the event that made a secret."""


def origins(events: Iterable[Event]) -> Mapping[str, Origin]:
    """Return the events that made the current secrets, by name."""
    made: dict[str, Origin] = {}
    for event in events:
        if event.number == 1:
            made = dict.fromkeys(("pen", "watch"), (1, event.at))
        elif event.kind == "secret":
            made[event.payload["right"]] = (event.number, event.at)
        elif event.kind == "discarded":
            made = {}
    return made


class LinkKey:
    """The key of an installation: configured, or kept in a file beside the database."""

    def __init__(self, file: Path | None = None, configured: str | None = None) -> None:
        self._file, self._configured = file, configured

    @cached_property
    def _key(self) -> bytes:
        return (self._configured or _kept_in(self._file) or secrets.token_urlsafe(32)).encode()

    @property
    def fingerprint(self) -> str:
        """Sixteen digits that identify the key without revealing it."""
        return hmac.digest(self._key, b"mark", "sha256").hex()[:16]

    def secret(self, book_id: str, right: str, origin: Origin) -> str:
        """Return a secret of 140 bits, easy to read out: ``7k2m-...``, seven groups of four."""
        number, at = origin
        text = f"link {book_id} {right} {number} {at}"
        drawn = int.from_bytes(hmac.digest(self._key, text.encode(), "sha256"))
        return grouped("".join(ALPHABET[drawn >> 5 * place & 31] for place in range(LENGTH)))

    def secrets(self, book_id: str, made: Mapping[str, Origin]) -> tuple[str, str]:
        """Return the pen and the secret to watch of a book; if it was discarded, random ones."""
        pen, watch = (
            self.secret(book_id, right, made[right]) if right in made else secrets.token_urlsafe(32)
            for right in ("pen", "watch")
        )
        return pen, watch


def grouped(text: str) -> str:
    """Return a secret with a hyphen after every four characters."""
    return "-".join(text[start : start + 4] for start in range(0, len(text), 4))


def _kept_in(file: Path | None) -> str:
    """Return the key in a file, which is made when first asked for; empty if it cannot be."""
    if file is None:
        return ""
    with suppress(OSError, UnicodeDecodeError):
        if not file.exists():
            with replacing(file) as part:
                part.write_text(secrets.token_urlsafe(32), encoding="ascii")
        return file.read_text(encoding="ascii").strip()
    return ""
