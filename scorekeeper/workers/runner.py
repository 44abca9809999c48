"""Runners of the long jobs of an application: a pool of processes, or the process itself."""

import threading
from collections.abc import Callable, Hashable
from typing import Any, Protocol, TypeVar

T = TypeVar("T")


class WorkFailed(Exception):
    """A job was not done, through no error of its own."""


class Busy(WorkFailed):
    """The queue is full."""


class Stopped(WorkFailed):
    """The job exceeded its time or memory and was killed."""


class Abandoned(WorkFailed):
    """The client disconnected before the job was done."""


class JobRunner(Protocol):
    """Runs jobs, which are plain functions of plain data."""

    def run(
        self,
        job: Callable[..., T],
        *args: Any,
        client: Hashable = None,
        urgent: bool = True,
        gone: threading.Event | None = None,
        **kwargs: Any,
    ) -> T:
        """Return what ``job(*args, **kwargs)`` returns, or raise what it raises.

        ``client`` identifies the client that the job counts for; None is the server itself, which
        has no limit of its own. ``gone`` is set when the client disconnects. Raises Busy, Stopped
        or Abandoned if the job is not done.
        """

    def start_ahead(self) -> None:
        """Prepare for the first job, so that it need not wait."""

    def close(self) -> None:
        """Release what is held between jobs."""


class InProcess:
    """Runs each job at once, where it was asked for: for one person, or for tests.

    It cannot stop a job that takes too long.
    """

    def run(
        self,
        job: Callable[..., T],
        *args: Any,
        client: Hashable = None,
        urgent: bool = True,
        gone: threading.Event | None = None,
        **kwargs: Any,
    ) -> T:
        """Return what the job returns; Stopped if the memory does not suffice."""
        try:
            return job(*args, **kwargs)
        except MemoryError:
            raise Stopped("memory") from None

    def start_ahead(self) -> None:
        """Do nothing: there is nothing to start."""

    def close(self) -> None:
        """Do nothing: nothing is held."""
