"""How many requests of one client are begun in a moment while others ask too.

What the event loop answers itself costs little, but thousands of connections that ask at
once would each be served before the one of a phone at the table.
"""

import asyncio
from collections import Counter, deque
from collections.abc import Hashable

MANY = 50
"""Requests of one client that are begun in a moment: 1,000 a second."""
MOMENT_S = 0.05
OTHERS_S = 60
"""For so long after requests of two clients nobody is thought to be alone."""


class Pace:
    """Lets a client that is alone ask as fast as it can, and otherwise so many at a time."""

    def __init__(self, many: int = MANY) -> None:
        self._many = many
        self._last: Hashable = None
        self._others_until = 0.0
        self._begun: Counter[Hashable] = Counter()
        self._waiting: dict[Hashable, deque[asyncio.Future[None]]] = {}
        self._ticking = False

    async def turn(self, client: Hashable) -> None:
        """Wait until this client may begin one more request."""
        loop = asyncio.get_running_loop()
        if client != self._last:
            if self._last is not None:
                self._others_until = loop.time() + OTHERS_S
            self._last = client
        if loop.time() >= self._others_until:
            return
        if not self._ticking:
            self._ticking = True
            loop.call_later(MOMENT_S, self._tick, loop)
        if self._begun[client] < self._many:
            self._begun[client] += 1
            return
        turn: asyncio.Future[None] = loop.create_future()
        self._waiting.setdefault(client, deque()).append(turn)
        await turn

    def _tick(self, loop: asyncio.AbstractEventLoop) -> None:
        """The next moment: who waited longest is first."""
        self._begun.clear()
        for client, turns in list(self._waiting.items()):
            for _ in range(min(self._many, len(turns))):
                turn = turns.popleft()
                if not turn.done():
                    turn.set_result(None)
                    self._begun[client] += 1
            if not turns:
                del self._waiting[client]
        self._ticking = bool(self._begun)
        if self._ticking:
            loop.call_later(MOMENT_S, self._tick, loop)


class Gate:
    """Lets so many requests of one client in at a time; the others wait, at no cost."""

    def __init__(self, many: int = MANY) -> None:
        self._many = many
        self._inside: Counter[Hashable] = Counter()
        self._waiting: dict[Hashable, deque[asyncio.Future[None]]] = {}

    async def enter(self, client: Hashable) -> None:
        """Wait for a place, which ``leave`` gives back."""
        if self._inside[client] < self._many:
            self._inside[client] += 1
            return
        place: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(client, deque()).append(place)
        await place

    def leave(self, client: Hashable) -> None:
        """Hand the place to who waited longest."""
        places = self._waiting.get(client, deque())
        while places:
            place = places.popleft()
            if not place.done():
                place.set_result(None)
                return
        self._waiting.pop(client, None)
        self._inside[client] -= 1
        if not self._inside[client]:
            del self._inside[client]
