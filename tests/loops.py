"""Coroutines in tests."""

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

T = TypeVar("T")
LOOP = "loop"
"""The prefix of the names of threads that run loops."""


def run(work: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine in its own thread.

    The thread of the tests may have a running event loop, left by an earlier browser test.
    """
    with ThreadPoolExecutor(1, thread_name_prefix=LOOP) as thread:
        return thread.submit(asyncio.run, work).result()
