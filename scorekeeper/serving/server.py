"""Serving the application with granian: one process, which needs nothing beside it.

granian listens, parses HTTP and holds idle and slow connections outside of Python; the
adapter runs the application in threads. Both live in this process: if it is killed nothing
is left behind that holds the record, and if the server fails the command ends.
"""

import asyncio
import errno
import gc
import os
import signal
import socket
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Any, NoReturn

from granian.constants import HTTPModes, Interfaces
from granian.http import HTTP1Settings
from granian.log import LogLevels
from granian.server.embed import Server

from scorekeeper.serving.adapter import Adapter
from scorekeeper.web.observability import log_to_stderr

HEADERS_MS = 15_000
"""A connection has so long to send the headers of a request, however it drips, and may idle
so long between two requests; the pages ask every 2.5 s."""
MOST_HEADER_BYTES = 8 * 1024
"""Address and headers of a request, and what is held of an unfinished one."""
MOST_CONNECTIONS, WINDOWS_CONNECTIONS = 16_384, 1000
"""Each takes up to 16 kB while its headers are on their way, 2 kB while it is idle."""
RESERVED_HANDLES = 256
"""For the record, its backups and whatever else needs a file."""
BACKLOG = 4096
GRACE_S = 2.5
"""From the signal to the end, at most, whoever hangs on."""
SWITCH_S = 0.001
"""A thread that computes lets the others in after so long; 5 ms is usual, and whoever
records a round would wait for it a dozen times."""
YOUNG = 10_000
"""So many new objects before garbage is looked for: some requests' worth, not a part of one."""
SIGNALS = (signal.SIGINT, signal.SIGTERM)


class ServerFailed(Exception):
    """The server ended without being told to."""


def find_place(host: str, port: int) -> tuple[str, int]:
    """The address and port to listen on; OSError if they are taken or not ours.

    granian itself would share a port with another server of the same user.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.create_server((host, port), family=family) as free:
        address, port, *_ = free.getsockname()
    return address, port


def run(adapter: Adapter, place: tuple[str, int], *, ready: Callable[[], None]) -> None:
    """Serve until stopped by Ctrl-C or SIGTERM; ``ready`` is called when phones can connect.

    Raises OSError if the place was taken meanwhile, ServerFailed if the server ends by itself.
    """
    raise_handle_limit()
    sys.setswitchinterval(SWITCH_S)
    gc.freeze()  # what was made to start with stays: nobody need look through it again
    gc.set_threshold(YOUNG)
    asyncio.run(_serve(adapter, place, ready))


def leave() -> NoReturn:
    """End this process once all is put away.

    Connections that hang are left to threads of granian, which do not survive that an
    interpreter is taken down around them.
    """
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    os._exit(0)


async def _serve(adapter: Adapter, place: tuple[str, int], ready: Callable[[], None]) -> None:
    server = Server(
        adapter,
        *place,
        interface=Interfaces.ASGINL,
        http=HTTPModes.http1,
        websockets=False,
        backlog=BACKLOG,
        backpressure=most_connections(),
        http1_settings=HTTP1Settings(
            header_read_timeout=HEADERS_MS, max_buffer_size=MOST_HEADER_BYTES
        ),
        log_level=LogLevels.error,
        log_dictconfig=LOGGED,
    )
    log_to_stderr()
    stopping = asyncio.Event()
    _on_signals(stopping.set)
    serving = asyncio.create_task(server.serve())
    await _connect(place, serving)
    ready()
    told_to_stop = asyncio.create_task(stopping.wait())
    await asyncio.wait({serving, told_to_stop}, return_when=asyncio.FIRST_COMPLETED)
    if serving.done():
        serving.result()
        raise ServerFailed
    adapter.stop()
    server.stop()  # type: ignore[no-untyped-call]
    await asyncio.wait({serving}, timeout=GRACE_S)


async def _connect(place: tuple[str, int], serving: "asyncio.Task[None]") -> None:
    """Return when the server accepts connections; raise why it never will."""
    host, port = place
    here = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)
    while not serving.done():
        with suppress(OSError):
            _, writer = await asyncio.open_connection(here, port)
            writer.close()
            return
        await asyncio.sleep(0.01)
    serving.result()
    raise OSError(errno.EADDRINUSE, "Address already in use")


def _on_signals(stop: Callable[[], None]) -> None:
    """Call this in the event loop when the process is told to stop.

    The loop's own handlers would not do: they are told through a pipe that a flood of
    requests can fill, and the signal would be lost.
    """
    loop = asyncio.get_running_loop()
    for number in SIGNALS:
        signal.signal(number, lambda *_: loop.call_soon_threadsafe(stop))


LOGGED: dict[str, Any] = {
    "version": 1,
    "disable_existing_loggers": False,
    "handlers": {"stderr": {"class": "logging.StreamHandler", "stream": "ext://sys.stderr"}},
    "loggers": {"_granian": {"handlers": ["stderr"], "propagate": False}},
}
"""Errors of granian, which name nobody."""


# ---- how many connections ------------------------------------------------------------


def raise_handle_limit() -> None:
    """Have as many files and connections as the system lends to whoever asks."""
    if sys.platform == "win32":
        return
    import resource

    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = most if most != resource.RLIM_INFINITY else MOST_CONNECTIONS + RESERVED_HANDLES
    with suppress(ValueError, OSError):  # macOS says more than it gives
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, most))


def most_connections() -> int:
    """How many connections may be open at once, so that files can still be opened."""
    if sys.platform == "win32":
        return WINDOWS_CONNECTIONS
    import resource

    handles, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    if handles == resource.RLIM_INFINITY:
        return MOST_CONNECTIONS
    return max(1, min(MOST_CONNECTIONS, handles - min(RESERVED_HANDLES, handles // 2)))
