"""Waiting with a limit, so that a test fails instead of lasting forever."""

from collections.abc import Callable
from subprocess import Popen, TimeoutExpired
from threading import Thread
from time import monotonic, sleep  # not those that a test replaces
from typing import Any

PATIENCE_S = 60
"""Much longer than anything takes on a busy machine."""


def wait_until(
    holds: Callable[[], object], pause: Callable[[], object] = lambda: sleep(0.005)
) -> None:
    """Wait until a condition holds; a page of a browser needs its own way to pause."""
    until = monotonic() + PATIENCE_S
    while not holds():
        if monotonic() > until:
            raise AssertionError(f"what is waited for did not happen in {PATIENCE_S} seconds")
        pause()


def join(*threads: Thread) -> None:
    """Wait until threads have ended."""
    for thread in threads:
        thread.join(PATIENCE_S)
        assert not thread.is_alive(), f"{thread.name} did not end in {PATIENCE_S} seconds"


def terminate(process: Popen[Any]) -> None:
    """Ask a process to end, and wait until it has; one that does not is killed."""
    process.terminate()
    try:
        process.wait(PATIENCE_S)
    except TimeoutExpired:
        process.kill()
        raise AssertionError(f"a process did not stop {PATIENCE_S} seconds after SIGTERM") from None
