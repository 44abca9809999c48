"""What this thread has added to databases: bytes for rate limits, and commits."""

import threading
from collections.abc import Mapping

EVENT_BYTES = 300
"""The size of an event besides its payload and texts: its row, its key, two indexes."""
TEXT_BYTES = 60
BROWSER_BYTES = 200


class Growth(threading.local):
    """Two counters."""

    octets = 0
    """Approximate; callers reset it before they count."""
    commits = 0
    """The transactions that ended well; callers compare it with an earlier value."""


def octets_of(payload: str, texts: Mapping[str, str]) -> int:
    """Return the size of an event with its texts."""
    words = sum(TEXT_BYTES + len(text.encode()) for text in texts.values())
    return EVENT_BYTES + len(payload) + words


GROWTH = Growth()
