"""Counters of what a thread has added to databases: bytes for rate limits, and commits."""

import threading
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager

EVENT_BYTES = 300
"""The size of an event besides its payload and texts: its row, its key, two indexes."""
TEXT_BYTES = 60
BROWSER_BYTES = 200


class Growth(threading.local):
    """Two counters."""

    size = 0
    """Approximate; callers reset it before they count."""
    commits = 0
    """The transactions that ended well; callers compare it with an earlier value."""


def event_size(payload: str, texts: Mapping[str, str]) -> int:
    """Return the size of an event with its texts."""
    words = sum(TEXT_BYTES + len(text.encode()) for text in texts.values())
    return EVENT_BYTES + len(payload) + words


GROWTH = Growth()


@contextmanager
def counted(
    block: AbstractContextManager[object], lost: type[BaseException] = BaseException
) -> Iterator[None]:
    """Count the commit of a block; if it raises ``lost``, also those within do not count."""
    before = GROWTH.commits
    try:
        with block:
            yield
    except lost:
        GROWTH.commits = before
        raise
    GROWTH.commits += 1
