"""How much this thread has added to records, for whoever limits that."""

import threading
from collections.abc import Mapping

EACH = 300
"""Bytes that an event takes besides its payload and words: its row, its key, two indexes."""
EACH_TEXT = 60
EACH_BROWSER = 200


class Growth(threading.local):
    """Bytes, about; set to 0 by whoever begins to count."""

    octets = 0


def octets_of(payload: str, texts: Mapping[str, str]) -> int:
    """Return the bytes that an event takes, with the words that people wrote."""
    return EACH + len(payload) + sum(EACH_TEXT + len(text.encode()) for text in texts.values())


GROWTH = Growth()
