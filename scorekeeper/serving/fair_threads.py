"""A bounded thread pool that serves requests of different clients in rotation.

Each client has a queue of its own. A free thread takes the oldest request of the next client in
the rotation, so nobody waits for more than one request of each other client, and no client can
occupy all threads.
"""

import threading
from collections import Counter, deque
from collections.abc import Callable, Hashable

THREADS = 12
ALONE, BESIDE_OTHERS = 4, 2
"""Threads that one client may use while it is the only one, and while there are others.

Python runs one thread at a time, so more threads would not answer sooner, but every other client
would wait for each of them.
"""

Job = Callable[[], None]


class FairThreads:
    """A thread pool for the jobs of many clients.

    Each client has at most ``alone`` jobs running, or ``beside_others`` while there are other
    clients. Threads start when they are needed and are daemons, so a job that hangs does not keep
    the process alive.
    """

    def __init__(
        self, threads: int = THREADS, alone: int = ALONE, beside_others: int = BESIDE_OTHERS
    ) -> None:
        self._most, self._alone, self._beside_others = threads, alone, beside_others
        self._started = self._idle = 0
        self._waiting: dict[Hashable, deque[Job]] = {}
        self._running: Counter[Hashable] = Counter()
        self._clients: Counter[Hashable] = Counter()
        """Number of jobs waiting or running, by client; clients without any are not in it."""
        self._rotation: deque[Hashable] = deque()
        """Clients with a job that may start now, each once, in the order they are served."""
        self._in_rotation: set[Hashable] = set()
        self._changed = threading.Condition()

    def submit(self, client: Hashable, job: Job) -> None:
        """Run a job when the rotation reaches this client; the job must not raise."""
        with self._changed:
            self._clients[client] += 1
            self._waiting.setdefault(client, deque()).append(job)
            self._queue(client)
            self._wake()

    def _wake(self) -> None:
        """Wake or start a thread if a job may start."""
        if self._rotation and self._idle:
            self._changed.notify()
        elif self._rotation and self._started < self._most:
            self._started += 1
            name = f"request-{self._started}"
            threading.Thread(target=self._work, name=name, daemon=True).start()

    def _queue(self, client: Hashable) -> None:
        """Put a client into the rotation if it has a job and may use a thread."""
        most = self._alone if len(self._clients) == 1 else self._beside_others
        has_room = self._running[client] < most
        if client in self._waiting and has_room and client not in self._in_rotation:
            self._rotation.append(client)
            self._in_rotation.add(client)

    def _work(self) -> None:
        while True:
            with self._changed:
                client, job = self._next()
            try:
                job()
            finally:
                del job
                with self._changed:
                    self._finish(client)

    def _next(self) -> tuple[Hashable, Job]:
        while not self._rotation:
            self._idle += 1
            self._changed.wait()
            self._idle -= 1
        client = self._rotation.popleft()
        self._in_rotation.discard(client)
        jobs = self._waiting[client]
        job = jobs.popleft()
        if not jobs:
            del self._waiting[client]
        self._running[client] += 1
        self._queue(client)
        self._wake()
        return client, job

    def _finish(self, client: Hashable) -> None:
        for counted in (self._running, self._clients):
            counted[client] -= 1
            if not counted[client]:
                del counted[client]
        self._queue(client)
        if len(self._clients) == 1:  # the remaining client may use more threads from now on
            self._queue(*self._clients)
        self._wake()
