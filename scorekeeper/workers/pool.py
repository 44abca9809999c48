"""A small pool of processes for work that would block other requests for too long.

A job is a plain function of plain data, such as drawing a sheet. It runs in a process that
holds neither the database nor a connection. The pool bounds the number of processes and of
queued jobs, and kills jobs that exceed their time or memory. Clients are served in rotation,
and urgent jobs (sheets of real games) come before others (free pads).

A server starts one process as soon as it is ready; others start with the jobs that need them.
They end with the process that started them, even if it is killed.
"""

import gc
import multiprocessing
import os
import sys
import tempfile
import threading
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache
from multiprocessing.connection import Connection, wait
from typing import Any, TypeVar, cast

from scorekeeper.workers.runner import Abandoned, Busy, Stopped, WorkFailed

T = TypeVar("T")

PLACES = 8
"""Jobs that run or wait; fewer than the server has threads, so that some stay free."""
PLACES_PER_CLIENT = 3
SECONDS = 10.0
"""The time limit of a job."""
MEMORY = 640 * 1024 * 1024
"""The address space of a worker, in bytes; a score sheet takes about half of it."""
NICE = 10
"""Added to the niceness of a worker, so that requests get the processor first."""
JOBS_PER_WORKER = 500
"""A worker is replaced after this many jobs."""
POLL_S = 0.1
"""How often a waiting thread checks that its client is still connected."""
GC_THRESHOLD = 10_000
"""New objects before a garbage collection: a few requests' worth rather than a fraction of one."""
PRELOADED = ["scorekeeper.workers.undisturbed", "scorekeeper.workers.jobs"]


# ---- in the worker -------------------------------------------------------------------


def work(jobs: Connection, memory: int) -> None:
    """Run jobs one after the other until the pipe is closed."""
    import scorekeeper.workers.undisturbed  # noqa: F401  # if there is no fork server

    threading.Thread(target=_end_with_parent, daemon=True).start()
    yield_to_requests()
    _limit_memory(memory)
    os.environ["OPENBLAS_NUM_THREADS"] = "1"  # numpy reserves 40 MB of addresses for each thread
    tune_collector()
    with suppress(EOFError, OSError):  # the other end is closed, perhaps during a job
        while True:
            job, args, kwargs = jobs.recv()
            jobs.send(_outcome(job, args, kwargs))


def tune_collector() -> None:
    """Let the garbage collector skip what there is now, which stays, and run less often."""
    gc.freeze()
    gc.set_threshold(GC_THRESHOLD)


def _outcome(job: Callable[..., Any], args: Any, kwargs: Any) -> tuple[bool, Any]:
    """Run a job; return whether it succeeded, and its result or its exception."""
    try:
        return True, job(*args, **kwargs)
    except MemoryError:
        return False, Stopped("memory")
    except Exception as error:
        return False, error


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent:
        wait([parent.sentinel])
        os._exit(1)


def yield_to_requests() -> None:
    """Lower the priority of this process, if it may."""
    if sys.platform != "win32":
        with suppress(OSError):  # a unit of systemd may forbid it
            os.nice(NICE)


def _limit_memory(memory: int) -> None:
    if sys.platform == "win32":
        return
    import resource

    with suppress(ValueError, OSError):  # macOS does not limit the address space
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))


# ---- in the parent -------------------------------------------------------------------


def _start_method() -> str:
    """Return the start method for workers: a fork server where possible.

    A fork server starts workers fastest, but needs a temporary folder for its socket. Forking
    this process would copy its open database and the locks that its threads hold.
    """
    with suppress(FileNotFoundError):
        if os.access(tempfile.gettempdir(), os.W_OK | os.X_OK) and sys.platform != "win32":
            return "forkserver"
    return "spawn"


class Worker:
    """A process that runs one job at a time for the thread that holds it."""

    def __init__(self, memory: int) -> None:
        context = multiprocessing.get_context(_start_method())
        if context.get_start_method() == "forkserver":
            context.set_forkserver_preload(PRELOADED)
            # glibc reserves 64 MB of addresses for each thread of a worker, a tenth of its limit.
            os.environ.setdefault("MALLOC_ARENA_MAX", "1")
        self._pipe, theirs = context.Pipe()
        start = cast(Any, context).Process
        self.process = start(target=work, args=(theirs, memory), name="worker", daemon=True)
        self.process.start()
        theirs.close()
        self.jobs = 0
        self._has_expired = False

    def do(
        self,
        job: Callable[..., T],
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
        *,
        seconds: float,
        gone: threading.Event | None,
    ) -> T:
        """Return the result of a job or raise what it raised; raises Stopped, Abandoned.

        A worker that no longer reads or writes would block the pipe for ever, so it is killed
        when the time is over, which closes the pipe.
        """
        self.jobs += 1
        expiry = threading.Timer(seconds, self._expire)
        expiry.daemon = True
        expiry.start()
        try:
            self._pipe.send((job, args, kwargs))
            while not wait([self._pipe, self.process.sentinel], timeout=POLL_S):
                if gone and gone.is_set():
                    raise Abandoned
            done, result = self._pipe.recv()
        except (EOFError, OSError):
            raise Stopped("time" if self._has_expired else "killed") from None
        finally:
            expiry.cancel()
        if done:
            return cast(T, result)
        raise result

    def _expire(self) -> None:
        self._has_expired = True
        self.process.kill()

    def kill(self) -> None:
        """Kill the process."""
        self.process.kill()
        self.process.join()
        self._pipe.close()

    @property
    def is_good(self) -> bool:
        """Whether the process may run another job."""
        fresh = self.jobs < JOBS_PER_WORKER and not self._has_expired
        return fresh and self.process.is_alive()


class _QueuedJob:
    """A job that waits for a worker or runs."""

    def __init__(self, client: Hashable, *, urgent: bool) -> None:
        self.client = client
        self.urgent = urgent
        self.decided = threading.Event()
        """Set when the job may start, or is refused."""
        self.is_refused = False


class Pool:
    """At most ``size`` workers and a bounded queue of jobs.

    Urgent jobs come first; among equally urgent ones, clients are served in rotation. When
    the queue is full, a job replaces a waiting one that is less urgent or whose client has more
    jobs.
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
        self._starting = threading.Lock()
        """Held while a worker starts."""
        self._waiting: list[_QueuedJob] = []
        self._running: list[_QueuedJob] = []
        self._idle: list[Worker] = []
        self._last_served: dict[Hashable, int] = {}
        self._served = 0

    def run(
        self,
        job: Callable[..., T],
        *args: Any,
        client: Hashable = None,
        urgent: bool = True,
        gone: threading.Event | None = None,
        **kwargs: Any,
    ) -> T:
        """Run a job in a worker once it has a place; as ``JobRunner.run``."""
        with self._queued_place(client, urgent=urgent, gone=gone):
            if gone and gone.is_set():  # its place came free at the same moment
                raise Abandoned
            worker = self._take()
            try:
                done = worker.do(job, args, kwargs, seconds=self._seconds, gone=gone)
            except WorkFailed:
                worker.kill()
                raise
            except BaseException:
                self._put_back(worker)
                raise
            self._put_back(worker)
            return done

    def start_ahead(self) -> None:
        """Start a worker in the background, so that the first job need not wait for it."""
        threading.Thread(target=self._start_one, name="first-worker", daemon=True).start()

    def _start_one(self) -> None:
        with suppress(WorkFailed, OSError, EOFError):  # the first job will tell
            self.run(os.getpid, urgent=False)

    def close(self) -> None:
        """Kill all idle workers.

        Waits for one that is just starting: it would print a traceback if its parent ended first.
        """
        with self._starting, self._lock:
            idle, self._idle = self._idle, []
        for worker in idle:
            worker.kill()

    # ---- the queue

    @contextmanager
    def _queued_place(
        self, client: Hashable, *, urgent: bool, gone: threading.Event | None
    ) -> Iterator[None]:
        queued = _QueuedJob(client, urgent=urgent)
        with self._lock:
            self._admit(queued)
            self._start_next()
        try:
            while not queued.decided.wait(POLL_S):
                if gone and gone.is_set():
                    raise Abandoned
            if queued.is_refused:
                raise Busy
            yield
        finally:
            with self._lock:
                for jobs in (self._waiting, self._running):
                    if queued in jobs:
                        jobs.remove(queued)
                self._start_next()

    def _admit(self, queued: _QueuedJob) -> None:
        """Queue a job, if need be in place of another; raises Busy if there is no place."""
        if queued.client is not None and self._count(queued.client) >= self._per_client:
            raise Busy
        if len(self._waiting) + len(self._running) >= self._places:
            last = max(self._waiting, key=self._rank, default=queued)
            if self._rank(last) <= self._rank(queued, more=1):
                raise Busy
            self._waiting.remove(last)
            last.is_refused = True
            last.decided.set()
        self._waiting.append(queued)

    def _rank(self, queued: _QueuedJob, more: int = 0) -> tuple[bool, int]:
        """Return the sort key for evicting waiting jobs: the highest goes first."""
        return not queued.urgent, self._count(queued.client) + more

    def _count(self, client: Hashable) -> int:
        return sum(queued.client == client for queued in (*self._waiting, *self._running))

    def _start_next(self) -> None:
        """Start queued jobs while there are free workers."""
        while self._waiting and len(self._running) < self._size:
            queued = min(self._waiting, key=self._order)
            self._waiting.remove(queued)
            self._running.append(queued)
            self._served += 1
            waiting = {other.client for other in self._waiting}
            self._last_served = {
                client: number for client, number in self._last_served.items() if client in waiting
            }
            self._last_served[queued.client] = self._served
            queued.decided.set()

    def _order(self, queued: _QueuedJob) -> tuple[bool, int]:
        """Return the sort key for starting jobs: urgent first, then least recently served."""
        return not queued.urgent, self._last_served.get(queued.client, 0)

    # ---- workers

    def _take(self) -> Worker:
        with self._lock:
            if self._idle:
                return self._idle.pop()
        with self._starting:
            return Worker(self._memory)

    def _put_back(self, worker: Worker) -> None:
        if worker.is_good:
            with self._lock:
                self._idle.append(worker)
        else:
            worker.kill()


@lru_cache
def shared(size: int) -> Pool:
    """Return the pool shared by all applications of this process."""
    return Pool(size)
