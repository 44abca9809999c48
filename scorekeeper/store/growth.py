"""The bytes that this thread has added to databases, for rate limits."""

import threading
from collections.abc import Mapping

EVENT_BYTES = 300
"""The size of an event besides its payload and texts: its row, its key, two indexes."""
TEXT_BYTES = 60
BROWSER_BYTES = 200


class Growth(threading.local):
    """A counter in bytes, approximate; callers reset it before they count."""

    octets = 0


def octets_of(payload: str, texts: Mapping[str, str]) -> int:
    """Return the size of an event with its texts."""
    words = sum(TEXT_BYTES + len(text.encode()) for text in texts.values())
    return EVENT_BYTES + len(payload) + words


GROWTH = Growth()
