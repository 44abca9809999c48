"""How many bytes of requests and answers are held in memory, for each client and together."""

import threading
from collections import Counter
from collections.abc import Hashable, Iterator
from contextlib import contextmanager

PER_CLIENT = 24 * 1024 * 1024
"""Three of the largest groups that are imported, or one three times as large that is exported."""
TOGETHER = 128 * 1024 * 1024


class TooMuchHeld(Exception):
    """There is no room for more bytes of this client."""


class HeldBytes:
    """A budget of bytes."""

    def __init__(self, per_client: int = PER_CLIENT, together: int = TOGETHER) -> None:
        self._per_client, self._together = per_client, together
        self._of_client: Counter[Hashable] = Counter()
        self.total = 0
        self._lock = threading.Lock()

    @contextmanager
    def share_of(self, client: Hashable) -> Iterator["Share"]:
        """What one request holds; it is given back in the end."""
        share = Share(self, client)
        try:
            yield share
        finally:
            with self._lock:
                self._move(client, -share.held)

    def take(self, client: Hashable, count: int) -> None:
        """Hold so many bytes more; TooMuchHeld where that is over the budget."""
        with self._lock:
            of_client = self._of_client[client] + count
            if self.total + count > self._together or of_client > self._per_client:
                raise TooMuchHeld
            self._move(client, count)

    def _move(self, client: Hashable, count: int) -> None:
        self.total += count
        self._of_client[client] += count
        if not self._of_client[client]:
            del self._of_client[client]


class Share:
    """The bytes that one request holds."""

    def __init__(self, budget: HeldBytes, client: Hashable) -> None:
        self._budget, self._client = budget, client
        self.held = 0

    def take(self, count: int) -> None:
        """Hold so many bytes more."""
        self._budget.take(self._client, count)
        self.held += count
