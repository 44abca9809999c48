"""Waiting on many open lines of which few speak: a room full of phones.

waitress asks every open line before every wait what it waits for. Here a line is asked when
something happened on it and until it waits for its next question; all of them once a second,
since waitress hangs up on whoever was silent for too long. The system, too, hears of a line when
something changes about it, and not of thousands before every wait.
"""

import select
import time
from collections.abc import Iterable
from typing import Any

from waitress import wasyncore

ALL_AGAIN_S = 1.0
Lines = dict[int, Any]
"""What waitress listens to, by its handle: the door, lines, and the bell of its workers."""


class Waiting:
    """What each of the lines waits for; it may stand in for waitress's own loop."""

    def __init__(self, lines: Lines) -> None:
        self._lines = lines
        self._epoll = select.epoll()
        self._known: set[int] = set()
        self._lively: set[int] = set()
        self._all_again = 0.0

    def once(self, seconds: float) -> None:
        """Wait until something happens on a line, so long at most, and let it happen."""
        for handle in self._to_ask():
            self._ask(handle)
        for handle, events in self._epoll.poll(seconds):
            self._lively.add(handle)
            if handle in self._lines:
                wasyncore.readwrite(self._lines[handle], events)

    def _to_ask(self) -> Iterable[int]:
        now = time.monotonic()
        if now >= self._all_again:
            self._all_again = now + ALL_AGAIN_S
            return self._known | self._lines.keys()
        return self._lively | (self._known ^ self._lines.keys())

    def _ask(self, handle: int) -> None:
        """What a line waits for now, if it is still there."""
        line = self._lines.get(handle)
        if line is None:
            self._known.discard(handle)  # it was closed, and the system has forgotten it
            self._lively.discard(handle)
            return
        self._known.add(handle)
        reads = select.EPOLLIN | select.EPOLLPRI if line.readable() else 0
        writes = select.EPOLLOUT if line.writable() and not line.accepting else 0
        try:
            self._epoll.modify(handle, reads | writes)
        except FileNotFoundError:  # a new line, perhaps with the handle of one that is gone
            self._epoll.register(handle, reads | writes)
        if reads and not writes:
            self._lively.discard(handle)
        else:
            self._lively.add(handle)


def loop(timeout: float, map: Lines, use_poll: bool) -> None:
    """As ``wasyncore.loop``, which takes its place where the system cannot poll."""
    waiting = Waiting(map)
    while map:
        waiting.once(timeout)
