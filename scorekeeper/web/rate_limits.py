"""How often and how much one address may write, and guess.

Reading with a right that opens is never limited: only what found nothing is counted, so
nobody can lock a table out by guessing beside it. What is written is counted by its size,
for each address and for each game or group: far more than a table ever writes. All is kept
in memory, of an address no longer than its limit needs.
"""

import threading
import time
from collections.abc import Callable, Hashable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import wraps
from ipaddress import IPv6Address
from typing import Any, ParamSpec, TypeVar, cast

from flask import Flask, current_app, g, request

from scorekeeper.store.growth import GROWTH
from scorekeeper.web.errors import Refusal
from scorekeeper.web.trusted_hosts import read_address

P = ParamSpec("P")
T = TypeVar("T")

SECOND = 10**9
MINUTE, HOUR = 60 * SECOND, 3600 * SECOND
KILOBYTE = 1024
IMPORTS = 4
"""So many times as much may be imported as may be recorded: old games come all at once."""
MOST_ADDRESSES = 4096
IMPORT_S = 5
"""Seconds after which an import that met another one may try again."""
_ENTERING = threading.Lock()


class Allowance:
    """So many in a span of time for one address, in any rhythm: times, or bytes.

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

    def wait(self, who: Hashable) -> int:
        """0 if any are left, or the seconds until they are."""
        with self._lock:
            over = self._whole_at.get(who, 0) - (self._clock() + self._span)
            return 0 if over < 0 or not self._each else over // SECOND + 1

    def charge(self, who: Hashable, many: int) -> None:
        """Use so many, also more than are left: then they are missing later."""
        if not self._each or not many:
            return
        with self._lock:
            now = self._clock()
            self._forget(now)
            self._keep(who, max(self._whole_at.get(who, now), now) + many * self._each)

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


@dataclass(frozen=True)
class Limits:
    """The limits of one app."""

    begun: Allowance
    wrong: Allowance
    added: Allowance
    """Bytes that an address may add to the record."""
    imported: Allowance
    """Bytes that an address may add by importing."""
    added_to_one: Allowance
    """Bytes that may be added to one game or group."""
    importing: set[Hashable] = field(default_factory=set)
    """Addresses with an import under way, which takes several times its size of memory."""


def as_set(config: Mapping[str, Any]) -> Limits:
    """The limits that the settings wish for; nobody has used anything yet."""
    return Limits(
        begun=Allowance(config["GAMES_PER_HOUR"], HOUR),
        wrong=Allowance(config["WRONG_PER_MINUTE"], MINUTE),
        added=Allowance(config["KILOBYTES_PER_HOUR"] * KILOBYTE, HOUR),
        imported=Allowance(config["KILOBYTES_PER_HOUR"] * KILOBYTE * IMPORTS, HOUR),
        added_to_one=Allowance(config["GAME_KILOBYTES_PER_HOUR"] * KILOBYTE, HOUR),
    )


def register(app: Flask) -> None:
    """Charge what requests add to the record."""
    app.teardown_request(charge_added)


def _limits() -> Limits:
    return cast(Limits, current_app.extensions["limits"])


def who(asking: str, *, counts_loopback: bool = False) -> Hashable:
    """Whom a limit counts: an address, of IPv6 the network of a household.

    None for this machine itself, unless its addresses are to be counted one by one.
    """
    address = read_address(asking)
    if address is None:
        return asking
    if address.is_loopback:
        return str(address) if counts_loopback else None
    return int(address) >> 64 if isinstance(address, IPv6Address) else str(address)


def _asking() -> Hashable:
    counts_loopback = bool(current_app.config["LIMIT_LOOPBACK"])
    return who(request.remote_addr or "", counts_loopback=counts_loopback)


def _count(allowance: Allowance, words: str) -> None:
    asking = _asking()
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
        adds(_limits().added)
        return view(*given, **named)

    return limited


def imports(view: Callable[P, T]) -> Callable[P, T]:
    """Mark a view that takes in a game or group: counted as begun, and by its size apart.

    503 while another import from the same address is under way.
    """

    @wraps(view)
    def limited(*given: P.args, **named: P.kwargs) -> T:
        with _alone(_limits().importing):
            _count(_limits().begun, "refused.begun")
            adds(_limits().imported)
            return view(*given, **named)

    return limited


@contextmanager
def _alone(under_way: set[Hashable]) -> Iterator[None]:
    """While no other request of the same address does the same; 503 if one does."""
    asking = _asking()
    if asking is None:
        yield
        return
    with _ENTERING:
        if asking in under_way:
            raise Refusal(503, "refused.busy", seconds=IMPORT_S)
        under_way.add(asking)
    try:
        yield
    finally:
        under_way.discard(asking)


def adds(allowance: Allowance | None = None, book_id: str | None = None) -> None:
    """Before something is added to the record: 429 where an address, or a book, had too much.

    How much it was is known afterwards; what came of it is charged then.
    """
    asking = _asking()
    if asking is None:
        return
    counted = [(_limits().added if allowance is None else allowance, asking)]
    if book_id:
        counted.append((_limits().added_to_one, book_id))
    if seconds := max(one.wait(whose) for one, whose in counted):
        raise Refusal(429, "refused.added", seconds=seconds)
    g.added_by = counted
    GROWTH.octets = 0


def charge_added(_: Any) -> None:
    """After a request: what it added counts, however it went."""
    for allowance, whose in g.pop("added_by", ()):
        allowance.charge(whose, GROWTH.octets)
