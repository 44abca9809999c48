"""Limit how many requests of one client start at a time while there are other clients.

Answers from the event loop cost little, but thousands of connections of one client would otherwise
all be served before one request of a phone at the table.
"""

import asyncio
from collections import Counter, deque
from collections.abc import Hashable
from weakref import WeakValueDictionary

MANY = 50
"""Requests of one client that may start in INTERVAL_S: 1,000 a second."""
INTERVAL_S = 0.05
OTHERS_S = 60
"""Seconds after a change of client during which no client counts as the only one."""


class Pace:
    """Starts a single client's requests without delay, otherwise ``many`` per INTERVAL_S."""

    def __init__(self, many: int = MANY) -> None:
        self._many = many
        self._last: Hashable = None
        self._others_until = 0.0
        self._begun: Counter[Hashable] = Counter()
        self._waiting: dict[Hashable, deque[asyncio.Future[None]]] = {}
        self._ticking = False

    async def wait(self, client: Hashable) -> None:
        """Wait until this client may start one more request."""
        loop = asyncio.get_running_loop()
        if client != self._last:
            if self._last is not None:
                self._others_until = loop.time() + OTHERS_S
            self._last = client
        if loop.time() >= self._others_until:
            return
        if not self._ticking:
            self._ticking = True
            loop.call_later(INTERVAL_S, self._tick, loop)
        if self._begun[client] < self._many:
            self._begun[client] += 1
            return
        start: asyncio.Future[None] = loop.create_future()
        self._waiting.setdefault(client, deque()).append(start)
        await start

    def _tick(self, loop: asyncio.AbstractEventLoop) -> None:
        """Start a new interval: requests that have waited longest go first."""
        self._begun.clear()
        for client, starts in list(self._waiting.items()):
            for _ in range(min(self._many, len(starts))):
                start = starts.popleft()
                if not start.done():
                    start.set_result(None)
                    self._begun[client] += 1
            if not starts:
                del self._waiting[client]
        self._ticking = bool(self._begun)
        if self._ticking:
            loop.call_later(INTERVAL_S, self._tick, loop)


class Gate:
    """Admits ``many`` requests of each client at a time; the others wait in order."""

    def __init__(self, many: int = MANY) -> None:
        self._many = many
        self._places: WeakValueDictionary[Hashable, asyncio.Semaphore] = WeakValueDictionary()
        """By client, as long as one of its requests is inside or waits."""

    def place_for(self, client: Hashable) -> asyncio.Semaphore:
        """Return what a request of this client enters (``async with``) to get a place."""
        places = self._places.get(client)
        if places is None:
            places = self._places[client] = asyncio.Semaphore(self._many)
        return places
