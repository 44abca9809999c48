"""Several processes that serve the same address, started and watched by a parent process.

They share the port (``SO_REUSEPORT``), and the kernel gives each new connection to one of them. A
process that ends by itself is replaced. When the parent ends, for whatever reason, the others find
their standard input closed, and stop.
"""

import logging
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from queue import Empty, SimpleQueue

log = logging.getLogger(__name__)

CHILD = "SCOREKEEPER_CHILD"
READY = b"ready\n"
LOOK_EVERY_S = 1
"""Seconds between two checks of the processes, and before one that cannot start is tried again."""
STOP_S = 5
"""The longest time that a process gets to stop."""


class Child:
    """This process, if it was started by another one to answer requests."""

    def __init__(self) -> None:
        threading.Thread(target=self._stop_with_parent, daemon=True).start()

    def is_ready(self) -> None:
        """Tell the parent that this process answers."""
        os.write(sys.stdout.fileno(), READY)

    def _stop_with_parent(self) -> None:
        sys.stdin.buffer.read()
        os.kill(os.getpid(), signal.SIGTERM)


def as_child() -> Child | None:
    """Return this process as a child; None if it was started by a person."""
    return Child() if os.environ.pop(CHILD, None) else None


Process = subprocess.Popen[bytes]


def run(number: int, command: Sequence[str], ready: Callable[[], None]) -> int:
    """Run a command of scorekeeper in several processes until this one is told to stop.

    ``ready`` is called when all of them answer. Returns the exit status: 0, or that of a process
    that ended before.
    """
    # A handler interrupts this thread anywhere; within an Event's methods it could not set it.
    stopping: SimpleQueue[int] = SimpleQueue()
    for signal_number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(signal_number, lambda number, _: stopping.put(number))
    running = [_start(command) for _ in range(number)]
    try:
        for process in running:
            if process.stdout is None or process.stdout.readline() != READY:
                return process.wait() or 1 if stopping.empty() else 0
        ready()
        while not _is_told(stopping):
            running = [_kept(process, command) for process in running]
        return 0
    finally:
        _stop(running)


def _is_told(stopping: "SimpleQueue[int]") -> bool:
    """Wait for a signal to stop until it is time to check the processes; return whether it came."""
    try:
        stopping.get(timeout=LOOK_EVERY_S)
    except Empty:
        return False
    return True


def _start(command: Sequence[str]) -> Process:
    return subprocess.Popen(
        [sys.executable, "-m", "scorekeeper", *command],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, CHILD: "1"},
        start_new_session=True,  # Ctrl-C is for the parent
    )


def _kept(process: Process, command: Sequence[str]) -> Process:
    """Return a running process, or the one that replaces it."""
    if process.poll() is None:
        return process
    log.error("process %s ended (%s) and is replaced", process.pid, process.returncode)
    return _start(command)


def _stop(running: Sequence[Process]) -> None:
    for process in running:
        process.terminate()
    until = time.monotonic() + STOP_S
    for process in running:
        try:
            process.wait(max(0, until - time.monotonic()))
        except subprocess.TimeoutExpired:
            process.kill()
