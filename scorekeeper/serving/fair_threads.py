"""A bounded pool of threads that serves its clients in turn.

One client may send thousands of requests at once: they wait in a queue of its own, and the
next free thread takes the oldest request of the client whose turn it is. So nobody waits
for more than one request of each other client, and no client holds all threads.
"""

import threading
from collections import deque
from collections.abc import Callable, Hashable

THREADS = 12
PER_CLIENT = 4
"""Threads that one client may hold at once. Python runs one thread at a time, so more of
them would not answer faster, but everybody else would wait for each of them."""

Job = Callable[[], None]


class FairThreads:
    """Runs jobs of many clients, at most ``per_client`` of each at a time.

    Threads start as they are needed and are daemons: a job that hangs does not keep the
    process alive.
    """

    def __init__(self, threads: int = THREADS, per_client: int = PER_CLIENT) -> None:
        self._most, self._per_client = threads, per_client
        self._started = self._idle = 0
        self._waiting: dict[Hashable, deque[Job]] = {}
        self._running: dict[Hashable, int] = {}
        self._turns: deque[Hashable] = deque()
        """Clients with a job that may start now, each once, in the order of their turns."""
        self._has_turn: set[Hashable] = set()
        self._changed = threading.Condition()

    def submit(self, client: Hashable, job: Job) -> None:
        """Run a job when it is this client's turn; a job must not raise."""
        with self._changed:
            self._waiting.setdefault(client, deque()).append(job)
            self._queue(client)
            self._wake()

    def _wake(self) -> None:
        """Have a thread for the next turn, if there is one."""
        if self._turns and self._idle:
            self._changed.notify()
        elif self._turns and self._started < self._most:
            self._started += 1
            name = f"request-{self._started}"
            threading.Thread(target=self._work, name=name, daemon=True).start()

    def _queue(self, client: Hashable) -> None:
        """Give a client a turn if it has a job, a thread left, and no turn yet."""
        has_room = self._running.get(client, 0) < self._per_client
        if client in self._waiting and has_room and client not in self._has_turn:
            self._turns.append(client)
            self._has_turn.add(client)

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
        while not self._turns:
            self._idle += 1
            self._changed.wait()
            self._idle -= 1
        client = self._turns.popleft()
        self._has_turn.discard(client)
        jobs = self._waiting[client]
        job = jobs.popleft()
        if not jobs:
            del self._waiting[client]
        self._running[client] = self._running.get(client, 0) + 1
        self._queue(client)
        self._wake()
        return client, job

    def _finish(self, client: Hashable) -> None:
        self._running[client] -= 1
        if not self._running[client]:
            del self._running[client]
        self._queue(client)
        self._wake()
