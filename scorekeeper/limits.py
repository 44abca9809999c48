"""How often one address may begin games and be wrong; how much is drawn side by side.

Who shows a right that opens is never limited: only what found nothing is counted, so
nobody can lock a table out by guessing beside it. All is kept in memory, of an address no
longer than its limit needs.
"""

import threading
import time
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from functools import wraps
from ipaddress import IPv6Address
from typing import Any, ParamSpec, TypeVar, cast

from flask import Flask, current_app, g, request

from scorekeeper.hosts import read_address
from scorekeeper.refusals import Refusal

P = ParamSpec("P")
T = TypeVar("T")

SECOND = 10**9
MINUTE, HOUR = 60 * SECOND, 3600 * SECOND
MOST_ADDRESSES = 4096
PATIENCE = 0.5
"""Seconds that a drawing waits for its place: two or three sheets."""
COME_BACK = 3
"""Seconds after which a drawing that found no place may try again."""


class Allowance:
    """So many in a span of time for one address, in any rhythm.

    One number is kept of an address: when it will have its whole allowance back. Then it is
    forgotten.
    """

    def __init__(self, many: int, span: int, clock: Callable[[], int] = time.monotonic_ns) -> None:
        self._span = span
        self._each = span // many if many else 0
        self._clock = clock
        self._whole_at: dict[Hashable, int] = {}
        self._waking = False
        self._lock = threading.Lock()

    def use(self, who: Hashable) -> int:
        """Use one; 0, or the seconds to wait where none is left."""
        if not self._each:
            return 0
        with self._lock:
            now = self._clock()
            self._forget(now)
            whole_at = self._whole_at.get(who, now) + self._each
            if whole_at > now + self._span:
                return -((now + self._span - whole_at) // SECOND)
            self._keep(who, whole_at)
        return 0

    def _keep(self, who: Hashable, whole_at: int) -> None:
        if not self._waking:
            self._wake()
        self._whole_at[who] = whole_at
        if len(self._whole_at) > MOST_ADDRESSES:
            del self._whole_at[min(self._whole_at, key=self._whole_at.__getitem__)]

    def _forget(self, now: int) -> None:
        self._whole_at = {who: at for who, at in self._whole_at.items() if at > now}

    def _wake(self) -> None:
        """Come back to forget, even if nobody asks again."""
        self._waking = True
        timer = threading.Timer(self._span / SECOND, self.forget)
        timer.daemon = True
        timer.start()

    def forget(self) -> None:
        """Forget who has the whole allowance back."""
        with self._lock:
            self._forget(self._clock())
            self._waking = False
            if self._whole_at:
                self._wake()

    def __len__(self) -> int:
        """How many addresses are remembered."""
        return len(self._whole_at)


class Room:
    """So many work side by side, as many wait a little while, and the others come back later.

    Who waits keeps a thread of the server, so that they may not be many.
    """

    def __init__(self, places: int) -> None:
        self._places = threading.BoundedSemaphore(places)
        self._door = threading.BoundedSemaphore(2 * places)

    def enter(self) -> bool:
        """Whether there was a place, at once or soon."""
        if not self._door.acquire(blocking=False):
            return False
        if self._places.acquire(timeout=PATIENCE):
            return True
        self._door.release()
        return False

    def leave(self) -> None:
        self._places.release()
        self._door.release()


@dataclass(frozen=True)
class Limits:
    """The limits of one app."""

    begun: Allowance
    wrong: Allowance
    papers: Room | None


def as_set(config: Mapping[str, Any]) -> Limits:
    """The limits that the settings wish for; nobody has used anything yet."""
    papers = config["PAPERS_AT_ONCE"]
    return Limits(
        begun=Allowance(config["GAMES_PER_HOUR"], HOUR),
        wrong=Allowance(config["WRONG_PER_MINUTE"], MINUTE),
        papers=Room(papers) if papers else None,
    )


def register(app: Flask) -> None:
    """Let every drawing wait for its place."""
    app.before_request(enter_room)
    app.teardown_request(leave_room)


def _limits() -> Limits:
    return cast(Limits, current_app.extensions["limits"])


def who(asking: str) -> Hashable:
    """Whom a limit counts: an address, of IPv6 the network of a household; None: this machine."""
    address = read_address(asking)
    if address is None:
        return asking
    if address.is_loopback:
        return None
    return int(address) >> 64 if isinstance(address, IPv6Address) else str(address)


def _count(allowance: Allowance, words: str) -> None:
    asking = who(request.remote_addr or "")
    if asking is not None and (seconds := allowance.use(asking)):
        raise Refusal(429, words, seconds=seconds)


def found_nothing() -> None:
    """Count a secret or an id that opens nothing; 429 from an address that had too many."""
    _count(_limits().wrong, "refused.wrong")


def begins(view: Callable[P, T]) -> Callable[P, T]:
    """Mark a view that begins a game or founds a group: 429 from an address that had too many."""

    @wraps(view)
    def limited(*given: P.args, **named: P.kwargs) -> T:
        _count(_limits().begun, "refused.begun")
        return view(*given, **named)

    return limited


def enter_room() -> None:
    """Before a drawing, whose address ends so: wait for a place; 503 where there is none."""
    room = _limits().papers
    if room is None or not request.path.endswith(".pdf"):
        return
    if not room.enter():
        raise Refusal(503, "refused.papers", seconds=COME_BACK)
    g.room = room


def leave_room(_: Any) -> None:
    """After it, however it went."""
    if room := g.pop("room", None):
        room.leave()
