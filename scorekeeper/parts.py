"""What an application is put together from; an edition of the program is a choice of parts."""

from collections.abc import Callable, Set
from dataclasses import dataclass

from scorekeeper.store.rights import Rights
from scorekeeper.workers.runner import JobRunner


def in_processes(processes: int) -> JobRunner:
    """Return the pool of worker processes, shared by all applications of this process."""
    from scorekeeper.workers.pool import shared  # which not every edition can import

    return shared(processes)


@dataclass(frozen=True, kw_only=True)
class Parts:
    """The parts that editions choose differently; by default those of a server."""

    jobs: Callable[[int], JobRunner] = in_processes
    """Returns what runs long jobs, given the setting ``JOB_PROCESSES``."""
    rights: type[Rights] = Rights
    """Who may do what."""
    left_out: Set[str] = frozenset()
    """The endpoints that make no sense here: they answer 404, and no page links there."""
    on_one_phone: bool = False
    """Whether the record lies on the phone of its only reader, who needs copies of it."""
    framed: bool = False
    """Whether pages of the same origin may show this application in a frame."""


SERVER = Parts()
"""The edition for many people and phones."""
