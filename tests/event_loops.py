"""Coroutines in tests."""

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from scorekeeper.serving.server import new_event_loop

T = TypeVar("T")
LOOP = "loop"
"""The prefix of the names of threads that run loops."""


def run(work: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine in its own thread, in a loop like that of the server.

    The thread of the tests may have a running event loop, left by an earlier browser test.
    """

    def in_loop() -> T:
        with asyncio.Runner(loop_factory=new_event_loop) as runner:
            return runner.run(work)

    with ThreadPoolExecutor(1, thread_name_prefix=LOOP) as thread:
        return thread.submit(in_loop).result()
