"""Clients that do not read their answers are counted, and disconnected."""

import asyncio
import re
import select
import socket
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from http.client import HTTPConnection
from pathlib import Path

import pytest

from patience import wait_until
from phones import served
from scorekeeper.serving import unsent as module
from scorekeeper.serving.held_bytes import HeldBytes, TooMuchHeld
from scorekeeper.serving.unsent import BUFFER_BYTES, Unsent, bound_buffers, connections

pytestmark = pytest.mark.skipif(
    sys.platform != "linux",
    reason="only Linux tells a program how many bytes of an answer are unsent",
)

KB, MB = 1024, 1024 * 1024
PATIENCE_S = 20
STALLED, PIPELINED = 30, 24
FILE = "/static/entry.js"


class Pair:
    """A connection to a client that reads nothing by itself."""

    def __init__(self, listener: socket.socket) -> None:
        self.client = socket.create_connection(listener.getsockname(), PATIENCE_S)
        self.server, address = listener.accept()
        self.peer = (address[0], str(address[1]))
        self.server.setblocking(False)

    def fill(self, size: int = 64 * MB) -> None:
        """Send until this much is sent, or nothing more is accepted for a while."""
        while size > 0 and select.select([], [self.server], [], 0.1)[1]:
            with suppress(BlockingIOError):
                size -= self.server.send(bytes(min(size, 64 * KB)))

    def read(self) -> None:
        """Read everything that has arrived."""
        self.client.setblocking(False)
        with suppress(BlockingIOError):
            while self.client.recv(MB):
                pass

    def has_read(self) -> bool:
        """Read what has arrived, and return whether that was the last."""
        self.read()
        return not size_of(self)

    def is_open(self) -> bool:
        """Return whether the server's end still takes data."""
        try:
            self.server.send(b"")
            return self.server.getsockopt(socket.SOL_SOCKET, socket.SO_LINGER, 8)[:4] == bytes(4)
        except OSError:
            return False


@pytest.fixture
def listener(own_port: None) -> Iterator[socket.socket]:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        bound_buffers(listener.getsockname()[1])
        yield listener


@pytest.fixture
def pairs(listener: socket.socket) -> Iterator[list[Pair]]:
    made = [Pair(listener) for _ in range(3)]
    yield made
    for pair in made:
        pair.client.close()
        pair.server.close()


def look(unsent: Unsent, *pairs: Pair) -> None:
    unsent._look({pair.peer: "one" for pair in pairs})


def size_of(pair: Pair) -> int:
    return next((one.unsent for one in connections() if one.peer == pair.peer), 0)


def queued(pair: Pair) -> int:
    """Return how many bytes the system holds for a client, who may accept more meanwhile."""
    import fcntl
    import termios

    held = fcntl.ioctl(pair.server.fileno(), termios.TIOCOUTQ, bytes(4))
    return int.from_bytes(held, sys.byteorder)


def test_the_buffer_of_a_connection_is_bounded(pairs: list[Pair]) -> None:
    pair = pairs[0]
    pair.fill()

    assert pair.server.getsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF) == 2 * BUFFER_BYTES
    assert BUFFER_BYTES < size_of(pair) - module.BEHIND_BYTES < 3 * BUFFER_BYTES


def test_while_there_is_room_in_the_buffer_only_its_content_counts(pairs: list[Pair]) -> None:
    pair = pairs[0]
    pair.client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4 * KB)
    pair.fill(48 * KB)
    before = queued(pair)
    size = size_of(pair)

    assert before >= size >= queued(pair) > 0


def test_a_client_that_reads_nothing_is_disconnected(
    pairs: list[Pair], monkeypatch: pytest.MonkeyPatch
) -> None:
    stalls, reads, finished = pairs
    unsent = Unsent(HeldBytes())
    for pair in pairs:
        pair.fill()
    look(unsent, *pairs)
    assert all(pair.is_open() for pair in pairs)

    monkeypatch.setattr(module, "STALL_S", 0)
    wait_until(lambda: reads.has_read() and finished.has_read())
    reads.fill()
    look(unsent, *pairs)

    assert [pair.is_open() for pair in pairs] == [False, True, True]
    with pytest.raises(ConnectionResetError):
        stalls.server.close()
        while stalls.client.recv(MB):
            pass


def test_a_client_has_time_to_read(pairs: list[Pair]) -> None:
    unsent = Unsent(HeldBytes())
    pairs[0].fill()
    for _ in range(3):
        look(unsent, *pairs)

    assert pairs[0].is_open()


def test_what_is_unsent_counts_towards_the_budget(pairs: list[Pair]) -> None:
    for pair in pairs:
        pair.fill()
    sizes = [size_of(pair) for pair in pairs]
    held = HeldBytes(per_client=sum(sizes) + 100, together=sum(sizes) + 200)
    look(Unsent(held), *pairs)

    assert all(pair.is_open() for pair in pairs)
    with held.share_of("one") as own, held.share_of("other") as other:
        with pytest.raises(TooMuchHeld):
            own.take(101)
        own.take(100)
        with pytest.raises(TooMuchHeld):
            other.take(101)


@pytest.mark.parametrize("limit", ["per_client", "together"])
def test_a_client_over_the_budget_loses_its_fullest_connections(
    pairs: list[Pair], limit: str
) -> None:
    full, other_full, small = pairs
    full.fill()
    other_full.fill()
    small.client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4 * KB)
    small.fill(120 * KB)
    budget = {"per_client": 100 * MB, "together": 100 * MB}
    held = HeldBytes(**budget | {limit: size_of(small) + size_of(full) + KB})
    look(Unsent(held), *pairs)

    assert small.is_open()
    assert [full.is_open(), other_full.is_open()].count(True) == 1


PATCHED = """
import sys
from scorekeeper.cli.commands import main
from scorekeeper.serving import unsent
unsent.LOOK_S, unsent.STALL_S = 0.2, 2
main(["serve", "--port", "0", "--data", sys.argv[1]])
"""


@pytest.mark.usefixtures("external")
def test_clients_that_stop_reading_do_not_keep_their_connections(tmp_path: Path) -> None:
    data = str(tmp_path / "games.sqlite")
    one = f"GET {FILE} HTTP/1.1\r\nHost: localhost\r\n"
    requests = f"{one}\r\n" * (PIPELINED - 1) + f"{one}Connection: close\r\n\r\n"
    with served(data, "-c", PATCHED, data) as port, ExitStack() as stack:
        clients = [
            stack.enter_context(socket.create_connection(("127.0.0.1", port), PATIENCE_S))
            for _ in range(STALLED + 1)
        ]
        for client in clients:
            client.sendall(requests.encode())
        reads, *stalled = clients
        heard = 0
        while piece := reads.recv(16 * KB):
            heard += len(piece)
        ends = time.monotonic() + PATIENCE_S
        while any(is_held(port, client) for client in stalled) and time.monotonic() < ends:
            time.sleep(0.1)

        assert not any(is_held(port, client) for client in stalled)
        assert heard > PIPELINED * 15 * KB
        phone = HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S)
        phone.request("GET", "/healthz")
        assert phone.getresponse().status == 200
        phone.close()


COUNTING = """
import sys
from pathlib import Path
from scorekeeper.cli.commands import main
from scorekeeper.serving.adapter import Adapter

class Counting:
    async def __call__(self, scope, receive, send):
        with Path(sys.argv[2]).open("a") as file:
            file.write("x")
        await answer(self, scope, receive, send)

answer, Adapter.__call__ = Adapter.__call__, Counting.__call__
main(["serve", "--port", "0", "--data", sys.argv[1]])
"""


@pytest.mark.usefixtures("external")
def test_a_pipelined_request_waits_for_the_answers_before_it(tmp_path: Path) -> None:
    data, counted = str(tmp_path / "games.sqlite"), tmp_path / "requests"
    one = f"GET {FILE} HTTP/1.1\r\nHost: localhost\r\n"
    requests = f"{one}\r\n" * (PIPELINED - 1) + f"{one}Connection: close\r\n\r\n"
    with served(data, "-c", COUNTING, data, str(counted)) as port, socket.socket() as client:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4 * KB)
        client.settimeout(PATIENCE_S)
        client.connect(("127.0.0.1", port))
        client.sendall(requests.encode())
        before, begun = -1, 0
        while not begun or begun > before:
            time.sleep(1)
            before, begun = begun, counted.stat().st_size if counted.exists() else 0

        assert begun < PIPELINED
        while client.recv(64 * KB):
            pass
        assert counted.stat().st_size == PIPELINED


def is_held(port: int, client: socket.socket) -> bool:
    """Return whether the server's end of a connection is still there."""
    here = client.getsockname()[1]
    end = rf":{port:04X} \w+:{here:04X} 01 "
    return bool(re.search(end, Path("/proc/net/tcp").read_text()))


def test_a_look_that_has_to_wait_does_not_postpone_the_next_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    looks: list[float] = []

    def wait_for_the_processor(_: object) -> None:
        looks.append(time.monotonic())
        time.sleep(0.1)

    async def watch() -> None:
        watched = Unsent(HeldBytes())
        monkeypatch.setattr(watched, "_look", wait_for_the_processor)
        watched.answered(("192.0.2.1", "1"), "a client")
        watching = asyncio.create_task(watched.watch())
        while len(looks) < 3 and not watching.done():
            watched.answered(("192.0.2.1", "1"), "a client")
            await asyncio.sleep(0.01)
        watching.cancel()

    monkeypatch.setattr(module, "LOOK_S", 0.01)
    with ThreadPoolExecutor(1) as beside:  # tests in a browser leave a running loop here
        beside.submit(asyncio.run, asyncio.wait_for(watch(), PATIENCE_S)).result()

    assert looks[2] - looks[0] < module.PAUSES * 0.1  # what one pause was
