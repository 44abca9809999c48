"""Count what clients have not accepted of their answers, and disconnect those that stall.

The server hands an answer to the system, which keeps it until the client has accepted it, and
nobody learns how much is left. On Linux a process can ask about its own sockets: every LOOK_S
seconds, those that hold something are counted towards the limits of their clients. Elsewhere
nothing is counted, and only long answers have a deadline (adapter.py).
"""

import asyncio
import os
import select
import socket
import struct
import sys
import time
from collections import Counter
from collections.abc import Hashable, Iterator
from contextlib import contextmanager, suppress
from typing import NamedTuple

from scorekeeper.serving.held_bytes import HeldBytes

LOOK_S = 1.0
"""Seconds between two looks."""
STALL_S, STALL_BYTES = 30, 64 * 1024
"""A client must accept STALL_BYTES in STALL_S, or all that is left if that is less."""
BUFFER_BYTES = 64 * 1024
"""What the system holds for a connection; Linux doubles it for its own needs, and would otherwise
let it grow to 4 MB."""
BEHIND_BYTES = 128 * 1024
"""What the server itself may hold for a connection whose buffer is full: the end of one answer,
and the beginning of the next."""
PAUSES = 20
"""The least time between two looks, as a multiple of the processor time of a look."""

FOLDER = "/proc/self/fd"
TCP_INFO_BYTES, ACKED_OFFSET = 128, 120
"""``struct tcp_info`` of Linux, up to and including ``tcpi_bytes_acked``."""
RESET = struct.pack("ii", 1, 0)
"""``SO_LINGER``: drop what is unsent as soon as the connection is closed."""

Peer = tuple[str, str]
"""Address and port of the other end of a connection."""


class Connection(NamedTuple):
    """A connection with something unsent."""

    handle: int
    peer: Peer
    unsent: int
    """Bytes that the client has not accepted yet."""
    accepted: int
    """Bytes that it has accepted since it connected."""


class Waiting(NamedTuple):
    """A client that is expected to accept more of its answers."""

    since: float
    target: int
    """What it must have accepted by STALL_S later."""


class Unsent:
    """The answers that clients have not accepted yet."""

    def __init__(self, held: HeldBytes) -> None:
        self._held = held
        self._answered: dict[Peer, Hashable] = {}
        """The clients that were answered since the last look."""
        self._clients: dict[Peer, Hashable] = {}
        """The clients with something unsent at the last look."""
        self._waiting: dict[Peer, Waiting] = {}

    def answered(self, peer: Peer, client: Hashable) -> None:
        """Note that a client gets an answer on a connection."""
        self._answered[peer] = client

    async def watch(self) -> None:
        """Look at the connections again and again."""
        if sys.platform != "linux":
            return
        took = 0.0
        while True:
            await asyncio.sleep(max(LOOK_S, PAUSES * took))
            if self._answered or self._clients:
                clients, self._answered = self._answered, {}
                took = await asyncio.to_thread(self._timed_look, self._clients | clients)

    def _timed_look(self, clients: dict[Peer, Hashable]) -> float:
        """Look, and return the processor time that it took; waiting for others does not count."""
        began = time.thread_time()
        self._look(clients)
        return time.thread_time() - began

    def _look(self, clients: dict[Peer, Hashable]) -> None:
        """Count what is unsent, and disconnect clients that stall or hold too much."""
        now = time.monotonic()
        found = [connection for connection in connections() if connection.peer in clients]
        stalled = {connection.peer for connection in found if self._stalls(connection, now)}
        unsent = Counter[Hashable]()
        for connection in found:
            if connection.peer not in stalled:
                unsent[clients[connection.peer]] += connection.unsent
        together = unsent.total()
        for connection in sorted(found, key=lambda connection: connection.unsent, reverse=True):
            client = clients[connection.peer]
            if connection.peer in stalled:
                disconnect(connection)
            elif self._held.exceeds(unsent[client], together):
                disconnect(connection)
                unsent[client] -= connection.unsent
                together -= connection.unsent
        peers = {connection.peer for connection in found}
        self._clients = {peer: clients[peer] for peer in peers}
        self._waiting = {peer: self._waiting[peer] for peer in peers}
        self._held.set_unsent(unsent)

    def _stalls(self, connection: Connection, now: float) -> bool:
        """Return whether a client has accepted too little; else expect it to accept more."""
        waiting = self._waiting.get(connection.peer)
        if waiting and connection.accepted < waiting.target:
            return now > waiting.since + STALL_S
        target = connection.accepted + min(connection.unsent, STALL_BYTES)
        self._waiting[connection.peer] = Waiting(now, target)
        return False


# ---- the sockets of this process -----------------------------------------------------


def bound_buffers(port: int) -> None:
    """Bound what the system holds for a connection to this port that is accepted from now on."""
    for handle in _handles():
        with suppress(OSError), _socket(handle) as listener:
            if (
                listener.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN)
                and _port(listener) == port
            ):
                listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, BUFFER_BYTES)


def connections() -> Iterator[Connection]:
    """Yield the connections of this process that hold something unsent."""
    import fcntl
    import termios

    for handle in _handles():
        # A file, a connection that was closed in the meantime, or a system that tells less.
        with suppress(OSError, struct.error):
            unsent = struct.unpack("i", fcntl.ioctl(handle, termios.TIOCOUTQ, bytes(4)))[0]
            if unsent and (connection := _connection(handle, unsent)):
                yield connection


def _connection(handle: int, unsent: int) -> Connection | None:
    with _socket(handle) as sock:
        if sock.family not in (socket.AF_INET, socket.AF_INET6):
            return None
        info = sock.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, TCP_INFO_BYTES)
        (accepted,) = struct.unpack_from("=Q", info, ACKED_OFFSET)
        behind = 0 if _takes_more(handle) else BEHIND_BYTES
        return Connection(handle, _peer(sock), unsent + behind, accepted)


def disconnect(connection: Connection) -> None:
    """End a connection and drop what is unsent; the server notices it and closes its end."""
    with suppress(OSError), _socket(connection.handle) as sock:
        if _peer(sock) == connection.peer:
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
            sock.shutdown(socket.SHUT_RDWR)


def _handles() -> Iterator[int]:
    with suppress(FileNotFoundError):  # not on Linux
        yield from map(int, os.listdir(FOLDER))


@contextmanager
def _socket(handle: int) -> Iterator[socket.socket]:
    """Use a socket that belongs to the server.

    No copy of the handle is made: if it had become that of a database by now, closing the copy
    would drop the locks of this process on that file.
    """
    sock = socket.socket(fileno=handle)
    try:
        yield sock
    finally:
        sock.detach()


def _peer(sock: socket.socket) -> Peer:
    address, port, *_ = sock.getpeername()
    return address.partition("%")[0], str(port)


def _port(sock: socket.socket) -> object:
    name = sock.getsockname()
    return name[1] if isinstance(name, tuple) else None


def _takes_more(handle: int) -> bool:
    """Return whether there is room in the buffer of a connection."""
    poll = select.poll()
    poll.register(handle, select.POLLOUT)
    return bool(poll.poll(0))
