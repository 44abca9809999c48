"""Serve the application with granian, in one process.

granian listens, parses HTTP and holds idle and slow connections outside of Python; the adapter runs
the application in threads. Both live in this process: when it is killed, no child process remains
that holds the database, and when the server fails, the command ends.
"""

import asyncio
import errno
import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, NoReturn

from granian.constants import HTTPModes, Interfaces
from granian.http import HTTP1Settings
from granian.log import LogLevels
from granian.server.embed import Server

from scorekeeper.serving import lan
from scorekeeper.serving.adapter import Adapter
from scorekeeper.serving.unsent import bound_buffers
from scorekeeper.web.observability import log_to_stderr
from scorekeeper.workers.pool import tune_collector

HEADERS_MS = 15_000
"""Time to send the headers of a request, or to idle between two; pages poll every 2.5 s."""
MAX_HEADER_BYTES = 8 * 1024
"""Size of request line and headers, and of the buffer for an unfinished request."""
MAX_CONNECTIONS, WINDOWS_CONNECTIONS = 16_384, 1000
"""A connection takes up to 16 kB while its headers arrive, 2 kB while it is idle."""
RESERVED_HANDLES = 256
"""File descriptors kept free for the database, its backups and other files."""
BACKLOG = 4096
GRACE_S = 2.5
"""Longest time from the signal to the end, whatever connections remain."""
SWITCH_INTERVAL_S = 0.001
"""Interval after which a computing thread lets others run. With Python's default of 5 ms, a request
that records a round would wait for it a dozen times."""
SIGNALS = (signal.SIGINT, signal.SIGTERM)


class ServerFailed(Exception):
    """The server ended without being told to."""


def run(adapter: Adapter, address: tuple[str, int], *, ready: Callable[[], None]) -> None:
    """Serve until stopped by Ctrl-C or SIGTERM; call ``ready`` when phones can connect.

    Raises OSError if the port was taken in the meantime, ServerFailed if the server ends by itself.
    """
    raise_handle_limit()
    sys.setswitchinterval(SWITCH_INTERVAL_S)
    tune_collector()
    with asyncio.Runner(loop_factory=new_event_loop) as runner:
        runner.run(_serve(adapter, address, ready))


def new_event_loop() -> asyncio.AbstractEventLoop:
    """Return an event loop of uvloop, or of asyncio where there is no uvloop."""
    try:
        import uvloop
    except ImportError:  # on Windows or PyPy
        return asyncio.new_event_loop()
    return uvloop.new_event_loop()


def exit_process() -> NoReturn:
    """End this process once everything is closed.

    granian's threads may still serve hanging connections, and they do not survive the shutdown of
    the interpreter.
    """
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    os._exit(0)


async def _serve(adapter: Adapter, address: tuple[str, int], ready: Callable[[], None]) -> None:
    server = Server(
        adapter,
        *address,
        interface=Interfaces.ASGINL,
        http=HTTPModes.http1,
        websockets=False,
        backlog=BACKLOG,
        backpressure=most_connections(),
        http1_settings=HTTP1Settings(
            header_read_timeout=HEADERS_MS, max_buffer_size=MAX_HEADER_BYTES
        ),
        log_level=LogLevels.error,
        log_dictconfig=LOG_CONFIG,
    )
    log_to_stderr()
    stopping = asyncio.Event()
    with _called_on_signals(stopping.set):
        serving = asyncio.create_task(server.serve())
        await _connect(address, serving)
        bound_buffers(address[1])
        watching = asyncio.create_task(adapter.unsent.watch())
        ready()
        stop_requested = asyncio.create_task(stopping.wait())
        await asyncio.wait({serving, stop_requested}, return_when=asyncio.FIRST_COMPLETED)
        if serving.done():
            serving.result()
            raise ServerFailed
        watching.cancel()
        adapter.stop()
        server.stop()  # type: ignore[no-untyped-call]
        await asyncio.wait({serving}, timeout=GRACE_S)


async def _connect(address: tuple[str, int], serving: "asyncio.Task[None]") -> None:
    """Return when the server accepts connections; raise the reason if it never will."""
    host, port = address
    while not serving.done():
        with suppress(OSError):
            _, writer = await asyncio.open_connection(lan.reachable(host), port)
            writer.close()
            return
        await asyncio.sleep(0.01)
    serving.result()
    raise OSError(errno.EADDRINUSE, "Address already in use")


@contextmanager
def _called_on_signals(stop: Callable[[], None]) -> Iterator[None]:
    """Call ``stop`` in the event loop when the process is told to stop meanwhile.

    Two handlers, because each alone can lose the signal: the loop uses a pipe that a flood
    of requests can fill, and only this pipe wakes a loop that is just about to wait.
    """
    loop = asyncio.get_running_loop()
    for number in SIGNALS:
        with suppress(NotImplementedError):  # on Windows the loop is woken by every signal
            loop.add_signal_handler(number, stop)
        signal.signal(number, lambda *_: loop.call_soon_threadsafe(stop))
    try:
        yield
    finally:
        for number in SIGNALS:  # uvloop would keep our handlers when it is closed
            with suppress(NotImplementedError):
                loop.remove_signal_handler(number)


LOG_CONFIG: dict[str, Any] = {
    "version": 1,
    "disable_existing_loggers": False,
    "handlers": {"stderr": {"class": "logging.StreamHandler", "stream": "ext://sys.stderr"}},
    "loggers": {"_granian": {"handlers": ["stderr"], "propagate": False}},
}
"""Log granian's errors; they contain no personal data."""


# ---- how many connections ------------------------------------------------------------


def raise_handle_limit() -> None:
    """Raise the file-descriptor limit to its hard maximum."""
    if sys.platform == "win32":
        return
    import resource

    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = most if most != resource.RLIM_INFINITY else MAX_CONNECTIONS + RESERVED_HANDLES
    with suppress(ValueError, OSError):  # macOS reports more than it allows
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, most))


def most_connections() -> int:
    """Return how many connections may be open so that files can still be opened."""
    if sys.platform == "win32":
        return WINDOWS_CONNECTIONS
    import resource

    handles, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    if handles == resource.RLIM_INFINITY:
        return MAX_CONNECTIONS
    return max(1, min(MAX_CONNECTIONS, handles - min(RESERVED_HANDLES, handles // 2)))
