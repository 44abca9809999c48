"""A limit on the bytes of requests and answers held in memory, per client and in total.

Answers that clients have not accepted yet (unsent.py) count as well.
"""

import threading
from collections import Counter
from collections.abc import Hashable, Iterator, Mapping
from contextlib import contextmanager

PER_CLIENT = 24 * 1024 * 1024
"""Three of the largest groups that are imported, or one three times as large that is exported."""
TOGETHER = 128 * 1024 * 1024


class TooMuchHeld(Exception):
    """There is no room for more bytes of this client."""


class HeldBytes:
    """A byte budget per client and in total."""

    def __init__(self, per_client: int = PER_CLIENT, together: int = TOGETHER) -> None:
        self._per_client, self._together = per_client, together
        self._of_client: Counter[Hashable] = Counter()
        self.total = 0
        self._unsent: Mapping[Hashable, int] = {}
        self._all_unsent = 0
        self._lock = threading.Lock()

    @contextmanager
    def share_of(self, client: Hashable) -> Iterator["Share"]:
        """Provide the share of one request, and release it at the end."""
        share = Share(self, client)
        try:
            yield share
        finally:
            share.release(share.held)

    def take(self, client: Hashable, count: int) -> None:
        """Reserve bytes for a client; TooMuchHeld if that exceeds the budget."""
        with self._lock:
            of_client = self._of_client[client] + self._unsent.get(client, 0) + count
            if self.exceeds(of_client, self.total + self._all_unsent + count):
                raise TooMuchHeld
            self._move(client, count)

    def exceeds(self, of_client: int, together: int) -> bool:
        """Return whether that many bytes of a client, or of all, are over the budget."""
        return of_client > self._per_client or together > self._together

    def set_unsent(self, unsent: Mapping[Hashable, int]) -> None:
        """Set how much each client has not accepted of its answers."""
        with self._lock:
            self._unsent, self._all_unsent = unsent, sum(unsent.values())

    def release(self, client: Hashable, count: int) -> None:
        """Return bytes to the budget."""
        with self._lock:
            self._move(client, -count)

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
        """Reserve bytes; TooMuchHeld if that exceeds the budget."""
        self._budget.take(self._client, count)
        self.held += count

    def release(self, count: int) -> None:
        """Return bytes before the request has ended."""
        self._budget.release(self._client, count)
        self.held -= count
