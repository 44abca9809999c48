"""The chain: every event carries the SHA-256 of its predecessor and itself."""

import json
from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256
from typing import Any
from zlib import crc32

from scorekeeper.domain.book import Event
from scorekeeper.store.errors import Damaged

BEGINNING = b""
"""What stands before the first event."""
Stored = tuple[int, str, str, str, str, str | None, str | None]
"""Number, at, kind, by, payload as canonical JSON, key, digest."""


_WRITER = json.JSONEncoder(
    sort_keys=True,
    separators=(",", ":"),
    ensure_ascii=False,
    allow_nan=False,
    check_circular=False,  # twice as fast; what we write was read from JSON or is its like
)


def canonical(value: Any) -> str:
    """JSON in its one form: sorted keys, no blanks, nothing that is not a number."""
    return _WRITER.encode(value)


def as_kept(payload: Mapping[str, Any]) -> Any:
    """A payload as it comes back from the disk, so that memory and disk agree."""
    return json.loads(canonical(payload))


def stored(event: Event) -> Stored:
    """What is kept of an event, the words people wrote apart."""
    payload = canonical(event.payload)
    return event.number, event.at, event.kind, event.by, payload, event.key, event.digest


def read_payload(book_id: str, number: int, text: str) -> Any:
    """Return the payload of a stored event; Damaged for what is no JSON object."""
    try:
        payload = json.loads(text)
    except ValueError:
        payload = None
    if not isinstance(payload, dict):
        raise Damaged(book_id, number)
    return payload


def link(before: bytes, game_id: str, event: Stored) -> bytes:
    """The link of one event: the hash of canonical JSON behind the link before.

    The payload goes in as the very text that is stored, so that no change of it stays
    unseen; the words people wrote are no part of it and can be erased.
    """
    *head, payload, key, digest = event
    first, last = canonical([game_id, *head])[:-1], canonical([key, digest])[1:]
    return sha256(before + f"{first},{payload},{last}".encode()).digest()


def links(game_id: str, events: Iterable[Event]) -> Iterator[bytes]:
    """The chain of a game, link by link."""
    before = BEGINNING
    for event in events:
        before = link(before, game_id, stored(event))
        yield before


def text_sum(game_id: str, number: int, field: str, text: str) -> int:
    """A sum that shows a damaged text; it lies in the text's row and goes with it."""
    return crc32("\0".join((game_id, str(number), field, text)).encode())
