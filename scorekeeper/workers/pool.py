"""A small pool of processes for work that takes longer than a request may hold up others.

A job is a plain function of plain data, such as ``draw this sheet``, and runs in a process
that holds neither the record nor a connection. The pool is bounded in processes, in places
and in the time and memory of a job; what exceeds them is killed. Clients take turns, and
sheets of real tables come before free pads.

The processes start with the first job. They end when the process that started them ends,
even if that is killed.
"""

import multiprocessing
import os
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache
from multiprocessing.connection import Connection, wait
from typing import Any, TypeVar, cast

T = TypeVar("T")

PLACES = 8
"""Jobs that run or wait: fewer than the server has threads, so that some are always left."""
PLACES_PER_CLIENT = 3
SECONDS = 10.0
"""So long a job may run."""
MEMORY = 640 * 1024 * 1024
"""The address space of a worker, in bytes; a sheet takes about half of it."""
JOBS = 500
"""After so many jobs a worker makes room for a new one."""
LOOK_S = 0.1
"""How often a waiting thread looks whether its client is still there."""
PRELOADED = ["scorekeeper.workers.jobs"]


class WorkFailed(Exception):
    """A job was not done, for no fault of its own."""


class Busy(WorkFailed):
    """There are as many jobs as there may be."""


class Stopped(WorkFailed):
    """The job took too long or too much memory, and was killed."""


class Abandoned(WorkFailed):
    """Nobody waits for the job any more."""


# ---- in the worker -------------------------------------------------------------------


def work(jobs: Connection, memory: int) -> None:
    """Do one job after the other until the pipe is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent
    threading.Thread(target=_end_with_parent, daemon=True).start()
    _limit_memory(memory)
    while True:
        try:
            job, given, named = jobs.recv()
        except EOFError:
            return
        jobs.send(_outcome(job, given, named))


def _outcome(job: Callable[..., Any], given: Any, named: Any) -> tuple[bool, Any]:
    """Whether the job was done, and its result or what it raised."""
    try:
        return True, job(*given, **named)
    except MemoryError:
        return False, Stopped("memory")
    except Exception as error:
        return False, error


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent:
        wait([parent.sentinel])
        os._exit(1)


def _limit_memory(memory: int) -> None:
    if sys.platform == "win32":
        return
    import resource

    with suppress(ValueError, OSError):  # macOS does not limit the address space
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))


# ---- in the parent -------------------------------------------------------------------


def _method() -> str:
    """How worker processes start: as copies of a prepared one where that is possible.

    Copies start at once, but need a temporary folder for a socket. A copy of this process
    would hold the record, and locks that its threads have taken.
    """
    with suppress(FileNotFoundError):
        if os.access(tempfile.gettempdir(), os.W_OK | os.X_OK) and sys.platform != "win32":
            return "forkserver"
    return "spawn"


class Worker:
    """One process, which does one job at a time for the thread that holds it."""

    def __init__(self, memory: int) -> None:
        context = multiprocessing.get_context(_method())
        if context.get_start_method() == "forkserver":
            context.set_forkserver_preload(PRELOADED)
        self._pipe, theirs = context.Pipe()
        start = cast(Any, context).Process
        self.process = start(target=work, args=(theirs, memory), name="worker", daemon=True)
        self.process.start()
        theirs.close()
        self.jobs = 0

    def do(
        self,
        job: Callable[..., T],
        given: tuple[Any, ...],
        named: dict[str, Any],
        *,
        seconds: float,
        gone: threading.Event | None,
    ) -> T:
        """Return the result of a job or raise what it raised; raises Stopped, Abandoned."""
        self.jobs += 1
        ends = time.monotonic() + seconds
        try:
            self._pipe.send((job, given, named))
            while not wait([self._pipe, self.process.sentinel], timeout=LOOK_S):
                if gone and gone.is_set():
                    raise Abandoned
                if time.monotonic() > ends:
                    raise Stopped("time")
            done, result = self._pipe.recv()
        except (EOFError, OSError):
            raise Stopped("killed") from None
        if done:
            return cast(T, result)
        raise result

    def kill(self) -> None:
        """End the process, whatever it does."""
        self.process.kill()
        self.process.join()
        self._pipe.close()

    @property
    def is_good(self) -> bool:
        """Whether it may do another job."""
        return self.jobs < JOBS and self.process.is_alive()


class _Ticket:
    """A job that waits for a worker, or has one."""

    def __init__(self, client: Hashable, *, urgent: bool) -> None:
        self.client = client
        self.urgent = urgent
        self.called = threading.Event()
        """Set when it may start, or was sent away."""
        self.is_refused = False


class Pool:
    """At most ``size`` workers, and the jobs that wait for them.

    Urgent jobs come before others, and among equal ones clients take turns. A job that
    finds no place takes that of one that waits, if that one is less urgent or comes from a
    client with more jobs.
    """

    def __init__(
        self,
        size: int,
        *,
        places: int = PLACES,
        per_client: int = PLACES_PER_CLIENT,
        seconds: float = SECONDS,
        memory: int = MEMORY,
    ) -> None:
        self._size, self._places, self._per_client = size, places, per_client
        self._seconds, self._memory = seconds, memory
        self._lock = threading.Lock()
        self._waiting: list[_Ticket] = []
        self._running: list[_Ticket] = []
        self._idle: list[Worker] = []
        self._last_turn: dict[Hashable, int] = {}
        self._turns = 0

    def run(
        self,
        job: Callable[..., T],
        *given: Any,
        client: Hashable = None,
        urgent: bool = True,
        gone: threading.Event | None = None,
        **named: Any,
    ) -> T:
        """Return what ``job(*given, **named)`` returns, or raise what it raises.

        ``client`` is whose turn it uses; None is this machine, which has as many places as
        there are. ``gone`` is set when nobody waits any more. Raises Busy, Stopped or
        Abandoned where the job is not done.
        """
        with self._place(client, urgent=urgent, gone=gone):
            worker = self._take()
            try:
                done = worker.do(job, given, named, seconds=self._seconds, gone=gone)
            except WorkFailed:
                worker.kill()
                raise
            except BaseException:
                self._put_back(worker)
                raise
            self._put_back(worker)
            return done

    def close(self) -> None:
        """End all workers that have nothing to do."""
        with self._lock:
            idle, self._idle = self._idle, []
        for worker in idle:
            worker.kill()

    # ---- whose turn it is

    @contextmanager
    def _place(
        self, client: Hashable, *, urgent: bool, gone: threading.Event | None
    ) -> Iterator[None]:
        ticket = _Ticket(client, urgent=urgent)
        with self._lock:
            self._admit(ticket)
            self._call_next()
        try:
            while not ticket.called.wait(LOOK_S):
                if gone and gone.is_set():
                    raise Abandoned
            if ticket.is_refused:
                raise Busy
            yield
        finally:
            with self._lock:
                for tickets in (self._waiting, self._running):
                    if ticket in tickets:
                        tickets.remove(ticket)
                self._call_next()

    def _admit(self, ticket: _Ticket) -> None:
        """Give a job a place, if need be that of another; Busy if there is none for it."""
        if ticket.client is not None and self._count(ticket.client) >= self._per_client:
            raise Busy
        if len(self._waiting) + len(self._running) >= self._places:
            last = max(self._waiting, key=self._rank, default=ticket)
            if self._rank(last) <= self._rank(ticket, more=1):
                raise Busy
            self._waiting.remove(last)
            last.is_refused = True
            last.called.set()
        self._waiting.append(ticket)

    def _rank(self, ticket: _Ticket, more: int = 0) -> tuple[bool, int]:
        """The higher, the sooner a job has to go; a job that is not there yet counts too."""
        return not ticket.urgent, self._count(ticket.client) + more

    def _count(self, client: Hashable) -> int:
        return sum(ticket.client == client for ticket in (*self._waiting, *self._running))

    def _call_next(self) -> None:
        """Start jobs while there are workers for them."""
        while self._waiting and len(self._running) < self._size:
            ticket = min(self._waiting, key=self._order)
            self._waiting.remove(ticket)
            self._running.append(ticket)
            self._turns += 1
            waiting = {other.client for other in self._waiting}
            self._last_turn = {
                client: turn for client, turn in self._last_turn.items() if client in waiting
            }
            self._last_turn[ticket.client] = self._turns
            ticket.called.set()

    def _order(self, ticket: _Ticket) -> tuple[bool, int]:
        """Urgent ones first, then the client whose last turn is the longest ago."""
        return not ticket.urgent, self._last_turn.get(ticket.client, 0)

    # ---- workers

    def _take(self) -> Worker:
        with self._lock:
            if self._idle:
                return self._idle.pop()
        return Worker(self._memory)

    def _put_back(self, worker: Worker) -> None:
        if worker.is_good:
            with self._lock:
                self._idle.append(worker)
        else:
            worker.kill()


@lru_cache
def shared(size: int) -> Pool:
    """The pool that all applications of this process use."""
    return Pool(size)
