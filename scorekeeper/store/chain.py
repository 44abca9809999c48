"""The hash chain: every event carries the SHA-256 of its predecessor's link and itself."""

import json
from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256
from typing import Any
from zlib import crc32

from scorekeeper.domain.history.book import Event
from scorekeeper.store.errors import Damaged

BEGINNING = b""
"""The link before the first event."""
Stored = tuple[int, str, str, str, str, str | None, str | None]
"""Number, at, kind, by, payload as canonical JSON, key, digest."""
EventRow = tuple[int, str, str, str, str, str | None, str | None, bytes]
"""A stored event and its link."""
TextRow = tuple[str, int, str, str, int]
"""Book, number of the event, field, text, checksum."""


_WRITER = json.JSONEncoder(
    sort_keys=True,
    separators=(",", ":"),
    ensure_ascii=False,
    allow_nan=False,
    check_circular=False,  # twice as fast; values come from JSON and cannot be circular
)


def canonical(value: Any) -> str:
    """Return canonical JSON: sorted keys, no spaces, no NaN or infinity."""
    return _WRITER.encode(value)


def as_stored(payload: Mapping[str, Any]) -> Any:
    """Return a payload as it would be read back, so that memory and disk agree."""
    return json.loads(canonical(payload))


def stored(event: Event) -> Stored:
    """Return the columns of an event without its texts, which are stored separately."""
    payload = canonical(event.payload)
    return event.number, event.at, event.kind, event.by, payload, event.key, event.digest


def read_payload(book_id: str, number: int, text: str) -> Any:
    """Return the payload of a stored event; Damaged if it is not a JSON object."""
    try:
        payload = json.loads(text)
    except ValueError:
        payload = None
    if not isinstance(payload, dict):
        raise Damaged(book_id, number)
    return payload


def read_events(
    book_id: str, rows: Iterable[Stored], texts: Iterable[tuple[int, str, str]]
) -> Iterator[Event]:
    """Yield the events of a book from their rows, and texts from number, field and text.

    Raises Damaged for a payload that cannot be read.
    """
    by_event: dict[int, dict[str, str]] = {}
    for number, field, text in texts:
        by_event.setdefault(number, {})[field] = text
    for number, at, kind, by, payload, key, digest in rows:
        content = read_payload(book_id, number, payload)
        yield Event(number, at, kind, by, content, by_event.get(number, {}), key, digest)


def link(before: bytes, game_id: str, event: Stored) -> bytes:
    """Return the link of an event: the hash of the previous link and the event's canonical JSON.

    The payload is hashed as the exact text that is stored, so that any change to it shows.
    Texts that people wrote are not hashed, so that they can be erased.
    """
    *head, payload, key, digest = event
    first, last = canonical([game_id, *head])[:-1], canonical([key, digest])[1:]
    return sha256(before + f"{first},{payload},{last}".encode()).digest()


def links(game_id: str, events: Iterable[Event]) -> Iterator[bytes]:
    """Yield the links of a book's events."""
    before = BEGINNING
    for event in events:
        before = link(before, game_id, stored(event))
        yield before


def text_sum(game_id: str, number: int, field: str, text: str) -> int:
    """Return the checksum of a text, which is stored in the text's row and erased with it."""
    return crc32("\0".join((game_id, str(number), field, text)).encode())
