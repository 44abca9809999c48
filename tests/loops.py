"""Coroutines in tests."""

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

T = TypeVar("T")
LOOP = "loop"
"""How the names of the threads begin in which loops run."""


def run(work: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine in a thread of its own.

    A browser test that ran before keeps an event loop running in the thread of the tests.
    """
    with ThreadPoolExecutor(1, thread_name_prefix=LOOP) as thread:
        return thread.submit(asyncio.run, work).result()
