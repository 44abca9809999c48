"""A pool of threads that serves clients in rotation."""

import threading
from collections.abc import Hashable

from scorekeeper.serving.fair_threads import FairThreads

PATIENCE_S = 20


class Work:
    """Jobs that record when they run and can be held up."""

    def __init__(self, threads: FairThreads) -> None:
        self._threads = threads
        self.begun: list[Hashable] = []
        self.go_on = threading.Event()
        self._begins = threading.Semaphore(0)
        self._ends = threading.Semaphore(0)

    def send(self, client: Hashable, count: int = 1, *, held: bool = False) -> None:
        def job() -> None:
            self.begun.append(client)
            self._begins.release()
            if held:
                assert self.go_on.wait(PATIENCE_S)
            self._ends.release()

        for _ in range(count):
            self._threads.submit(client, job)

    def wait_for(self, begins: int = 0, ends: int = 0) -> None:
        for semaphore, count in ((self._begins, begins), (self._ends, ends)):
            for _ in range(count):
                assert semaphore.acquire(timeout=PATIENCE_S)


def test_clients_are_served_in_rotation() -> None:
    work = Work(FairThreads(threads=1))
    work.send("first", held=True)
    work.wait_for(begins=1)
    work.send("greedy", 50)
    work.send("phone")
    work.go_on.set()
    work.wait_for(ends=52)

    assert work.begun.index("phone") == 2
    assert len(work.begun) == 52


def test_a_client_holds_no_more_threads_than_its_share() -> None:
    work = Work(FairThreads(threads=4, alone=3, beside_others=3))
    work.send("greedy", 10, held=True)
    work.wait_for(begins=3)
    work.send("phone")
    work.wait_for(ends=1)

    assert work.begun == ["greedy"] * 3 + ["phone"]
    work.go_on.set()
    work.wait_for(ends=10)
    assert work.begun.count("greedy") == 10


def test_the_share_of_threads_is_smaller_beside_other_clients() -> None:
    threads = FairThreads(threads=8, alone=3, beside_others=1)
    phone, greedy = Work(threads), Work(threads)
    phone.send("phone", held=True)
    phone.wait_for(begins=1)
    greedy.send("greedy", 10, held=True)
    greedy.wait_for(begins=1)
    assert greedy.begun == ["greedy"]

    phone.go_on.set()
    phone.wait_for(ends=1)
    greedy.wait_for(begins=2)
    assert greedy.begun == ["greedy"] * 3

    greedy.go_on.set()
    greedy.wait_for(ends=10)


def test_requests_of_one_client_keep_their_order() -> None:
    seen: list[int] = []
    done = threading.Semaphore(0)
    threads = FairThreads(threads=1)
    for number in range(20):
        threads.submit("one", lambda number=number: (seen.append(number), done.release()))
    for _ in range(20):
        assert done.acquire(timeout=PATIENCE_S)

    assert seen == list(range(20))


def test_threads_start_as_they_are_needed() -> None:
    before = threading.active_count()
    work = Work(FairThreads(threads=5, alone=5))
    for _ in range(10):
        work.send("one")
        work.wait_for(ends=1)

    assert threading.active_count() - before <= 5
    work.send("one", 9, held=True)
    work.wait_for(begins=15)
    assert threading.active_count() - before == 5
    work.go_on.set()
    work.wait_for(ends=9)
