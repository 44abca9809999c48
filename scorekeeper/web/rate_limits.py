"""Rate limits per client: new games, wrong secrets, and bytes stored.

Reading with a valid secret is never limited; only wrong guesses are counted, so nobody can lock
out a table by guessing. Writes are limited by size, per client and per game or group, far above
what a table ever needs. Counters live no longer than their limit needs: in memory, or in the store
if several processes serve it.
"""

import threading
import time
from collections.abc import Callable, Hashable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import wraps
from ipaddress import IPv6Address
from typing import Any, ParamSpec, TypeVar, cast

from flask import Flask, current_app, g, request

from scorekeeper.store.errors import Unreadable
from scorekeeper.store.growth import GROWTH
from scorekeeper.store.protocol import LimitStore
from scorekeeper.web.errors import Refusal
from scorekeeper.web.trusted_hosts import read_address

P = ParamSpec("P")
T = TypeVar("T")

SECOND = 10**9
MINUTE, HOUR = 60 * SECOND, 3600 * SECOND
KILOBYTE = 1024
IMPORT_FACTOR = 4
"""Imports may add this many times as much as other requests, since many old games come at once."""
SHORT_PER_MINUTE = 60
"""Wrong short codes per minute from everywhere: with 50 codes open, one in 250 days is hit."""
SHORT_PER_HOUR = 12
"""Wrong short codes per hour of one client, which for IPv6 is a /48 network here.

Whoever wants to use up what all clients have together needs 5 addresses for a minute, and 300 to
go on. People mistype a code of six characters once or twice.
"""
MAX_ADDRESSES = 4096
IMPORT_S = 5
"""Seconds after which an import that met another one may try again."""
ALL_CLIENTS = "all"
HOUSEHOLD = 48
"""Bits that the addresses of one IPv6 connection share at least; it often has a whole /48."""
_ENTERING = threading.Lock()


class TokenBucket:
    """A token bucket per client: ``many`` uses or bytes per ``span`` nanoseconds, in any rhythm.

    It stores only the time when the bucket of a client will be full again, and drops it then.
    """

    def __init__(self, many: int, span: int, clock: Callable[[], int] = time.monotonic_ns) -> None:
        self._span = span
        self._cost = span // many if many else 0
        self._clock = clock
        self._full_at: dict[Hashable, int] = {}
        self._scheduled = False
        self._lock = threading.Lock()

    def use(self, client: Hashable) -> int:
        """Use one; return 0, or the seconds to wait if none is left."""
        if not self._cost:
            return 0
        with self._lock:
            now = self._clock()
            self._purge(now)
            full_at = self._full_at.get(client, now) + self._cost
            if full_at > now + self._span:
                return -((now + self._span - full_at) // SECOND)
            self._store(client, full_at)
        return 0

    def wait(self, client: Hashable) -> int:
        """Return 0 if a whole one is left, else the seconds until there is."""
        with self._lock:
            over = self._full_at.get(client, 0) + self._cost - (self._clock() + self._span)
            return -(-over // SECOND) if over > 0 and self._cost else 0

    def charge(self, client: Hashable, many: int) -> None:
        """Use ``many``; if fewer are left, later uses have to wait."""
        if not self._cost or not many:
            return
        with self._lock:
            now = self._clock()
            self._purge(now)
            self._store(client, max(self._full_at.get(client, now), now) + many * self._cost)

    def _store(self, client: Hashable, full_at: int) -> None:
        if not self._scheduled:
            self._schedule_purge()
        self._full_at[client] = full_at
        if len(self._full_at) > MAX_ADDRESSES:
            del self._full_at[min(self._full_at, key=self._full_at.__getitem__)]

    def _purge(self, now: int) -> None:
        self._full_at = {client: at for client, at in self._full_at.items() if at > now}

    def _schedule_purge(self) -> None:
        """Schedule ``purge``, which is needed even if no request follows."""
        self._scheduled = True
        timer = threading.Timer(self._span / SECOND, self.purge)
        timer.daemon = True
        timer.start()

    def purge(self) -> None:
        """Drop clients whose bucket is full again."""
        with self._lock:
            self._purge(self._clock())
            self._scheduled = False
            if self._full_at:
                self._schedule_purge()

    def __len__(self) -> int:
        """Return the number of clients remembered."""
        return len(self._full_at)


class SharedBucket(TokenBucket):
    """A token bucket shared by all processes that serve the database."""

    def __init__(self, store: LimitStore, name: str, many: int, span: int) -> None:
        super().__init__(many, span)
        self._shared, self._name = store, name

    def use(self, client: Hashable) -> int:
        """Use one; return 0, or the seconds to wait if none is left."""
        if not self._cost:
            return 0
        return -(-self._shared.use(self._name, str(client), self._cost, self._span) // SECOND)

    def wait(self, client: Hashable) -> int:
        """Return 0 if a whole one is left, else the seconds until there is."""
        if not self._cost:
            return 0
        over = self._shared.over(self._name, str(client), self._span - self._cost)
        return -(-over // SECOND) if over > 0 else 0

    def charge(self, client: Hashable, many: int) -> None:
        """Use ``many``; if fewer are left, later uses have to wait."""
        if self._cost and many:
            self._shared.charge(self._name, str(client), many * self._cost)


@dataclass(frozen=True)
class Limits:
    """The limits of one app."""

    begun: TokenBucket
    wrong: TokenBucket
    wrong_short: TokenBucket
    """Wrong short codes of all clients together."""
    own_short: TokenBucket
    """Wrong short codes of one client."""
    added: TokenBucket
    """Bytes that a client may add to the database."""
    imported: TokenBucket
    """Bytes that a client may add by importing."""
    added_to_one: TokenBucket
    """Bytes that may be added to one game or group."""
    importing: set[Hashable] = field(default_factory=set)
    """Addresses with an import under way, which takes several times its size of memory."""


def limits_from(config: Mapping[str, Any], shared: LimitStore | None = None) -> Limits:
    """Return the configured limits, in memory or in a store that processes share."""

    def bucket(name: str, many: int, span: int) -> TokenBucket:
        return SharedBucket(shared, name, many, span) if shared else TokenBucket(many, span)

    added = config["KILOBYTES_PER_HOUR"] * KILOBYTE
    return Limits(
        begun=bucket("begun", config["GAMES_PER_HOUR"], HOUR),
        wrong=bucket("wrong", config["WRONG_PER_MINUTE"], MINUTE),
        wrong_short=bucket("wrong_short", SHORT_PER_MINUTE, MINUTE),
        own_short=bucket("own_short", SHORT_PER_HOUR, HOUR),
        added=bucket("added", added, HOUR),
        imported=bucket("imported", added * IMPORT_FACTOR, HOUR),
        added_to_one=bucket("added_to_one", config["GAME_KILOBYTES_PER_HOUR"] * KILOBYTE, HOUR),
    )


def register(app: Flask) -> None:
    """Charge what requests add to the database."""
    app.teardown_request(charge_added)


def _limits() -> Limits:
    return cast(Limits, current_app.extensions["limits"])


def client_key(address: str, *, counts_loopback: bool = False, prefix: int = 64) -> Hashable:
    """Return the key of a client: its address, or its network with IPv6, a /64 by default.

    None for a loopback address, unless these are to be limited too.
    """
    parsed = read_address(address)
    if parsed is None:
        return address
    if parsed.is_loopback:
        return str(parsed) if counts_loopback else None
    return int(parsed) >> (128 - prefix) if isinstance(parsed, IPv6Address) else str(parsed)


def _client(prefix: int = 64) -> Hashable:
    counts_loopback = bool(current_app.config["LIMIT_LOOPBACK"])
    return client_key(request.remote_addr or "", counts_loopback=counts_loopback, prefix=prefix)


def _count(bucket: TokenBucket, message_key: str, prefix: int = 64) -> None:
    client = _client(prefix)
    if client is not None and (seconds := bucket.use(client)):
        raise Refusal(429, message_key, seconds=seconds)


def count_wrong_guess() -> None:
    """Count a wrong secret or id; 429 if the client has sent too many."""
    _count(_limits().wrong, "refused.wrong")


def limit_short_codes() -> None:
    """Refuse a short code if its client, or all together, have sent too many wrong ones: 429."""
    client, network, limits = _client(), _client(HOUSEHOLD), _limits()
    own = limits.wrong.wait(client) or limits.own_short.wait(network) if client is not None else 0
    if seconds := own or limits.wrong_short.wait(ALL_CLIENTS):
        raise Refusal(429, "refused.wrong", seconds=seconds)


def count_wrong_short_code() -> None:
    """Count a wrong short code, of its client and then of all; 429 if the client sent too many.

    A refused one does not count for all: one client could otherwise lock out everybody.
    """
    count_wrong_guess()
    _count(_limits().own_short, "refused.wrong", HOUSEHOLD)
    _limits().wrong_short.charge(ALL_CLIENTS, 1)


def limit_creation(view: Callable[P, T]) -> Callable[P, T]:
    """Decorate a view that creates a game or group: 429 if the client has created too many."""

    @wraps(view)
    def limited(*args: P.args, **kwargs: P.kwargs) -> T:
        _count(_limits().begun, "refused.begun")
        limit_growth(_limits().added)
        return view(*args, **kwargs)

    return limited


def limit_import(view: Callable[P, T]) -> Callable[P, T]:
    """Decorate a view that imports games or a group; its size is counted separately.

    What is imported into a group counts for that group too. 503 while another import of the same
    client is running.
    """

    @wraps(view)
    def limited(*args: P.args, **kwargs: P.kwargs) -> T:
        with _one_at_a_time(_limits().importing):
            _count(_limits().begun, "refused.begun")
            limit_growth(_limits().imported, (request.view_args or {}).get("group_id"))
            return view(*args, **kwargs)

    return limited


@contextmanager
def _one_at_a_time(running: set[Hashable]) -> Iterator[None]:
    """Allow one such request per client at a time; 503 for a second one."""
    client = _client()
    if client is None:
        yield
        return
    with _ENTERING:
        if client in running:
            raise Refusal(503, "refused.busy", seconds=IMPORT_S)
        running.add(client)
    try:
        yield
    finally:
        running.discard(client)


def limit_growth(bucket: TokenBucket | None = None, book_id: str | None = None) -> None:
    """Refuse a request that adds data if its client or book has added too much: 429.

    The size is known only afterwards and is charged then.
    """
    client = _client()
    if client is None:
        return
    counted = [(_limits().added if bucket is None else bucket, client)]
    if book_id:
        counted.append((_limits().added_to_one, book_id))
    if seconds := max(bucket.wait(key) for bucket, key in counted):
        raise Refusal(429, "refused.added", seconds=seconds)
    g.added_by = counted
    GROWTH.size = 0


def charge_added(_: Any) -> None:
    """Charge what a request has added, whether it succeeded or not.

    If the shared limits cannot be reached it is not charged: the answer is made already, and an
    error would take its place.
    """
    for bucket, key in g.pop("added_by", ()):
        with suppress(Unreadable):
            bucket.charge(key, GROWTH.size)
