"""The process pool: its limits, the order of its jobs, and how its processes end."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from patience import join, wait_until
from scorekeeper import pdf
from scorekeeper.domain.budget import TooMuch
from scorekeeper.domain.rules.presets import preset
from scorekeeper.i18n import language
from scorekeeper.workers import pool as pool_module
from scorekeeper.workers.pool import MEMORY, NICE, Pool
from scorekeeper.workers.runner import Abandoned, Busy, Stopped

LONG = 60


@pytest.fixture
def pool() -> Iterator[Pool]:
    """A pool with a single worker, so that further jobs have to wait."""
    small_pool = Pool(1, places=4, per_client=2, seconds=LONG)
    yield small_pool
    small_pool.close()


def threads_after_loading_arrays() -> int:
    import numpy  # noqa: F401

    return len(os.listdir("/proc/self/task"))


def megabytes_of_addresses() -> float:
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def refuse() -> None:
    raise TooMuch(7)


def wait_for(path: Path) -> None:
    """Occupy the worker until a file exists."""
    while not path.exists():
        time.sleep(0.01)


def append_text(path: Path, text: str) -> None:
    with path.open("a") as file:
        file.write(text)


def in_background(pool: Pool, *args: Any, **kwargs: Any) -> tuple[threading.Thread, list[object]]:
    """Run a job on a thread of its own; return the thread and a list for its result."""
    results: list[object] = []

    def ask() -> None:
        try:
            results.append(pool.run(*args, **kwargs))
        except Exception as error:
            results.append(error)

    thread = threading.Thread(target=ask)
    thread.start()
    return thread, results


def test_a_job_runs_in_another_process_and_returns_its_result(pool: Pool) -> None:
    paper = pool.run(pdf.rules_card, preset("robber"), language("lb", "Europe/Luxembourg"))

    assert paper == pdf.rules_card(preset("robber"), language("lb", "Europe/Luxembourg"))
    assert pool.run(os.getpid) != os.getpid()


def test_a_worker_runs_at_a_lower_priority(pool: Pool) -> None:
    assert pool.run(os.nice, 0) == min(19, os.nice(0) + NICE)


def test_a_worker_works_where_its_priority_may_not_be_lowered(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def forbidden(_: int) -> None:
        raise PermissionError

    monkeypatch.setattr(pool_module.os, "nice", forbidden)

    pool_module.yield_to_requests()


def test_a_worker_that_was_started_ahead_does_the_first_job(pool: Pool) -> None:
    pool.start_ahead()
    (worker,) = (thread for thread in threading.enumerate() if thread.name == "first-worker")
    worker.join(LONG)
    (idle,) = pool._idle

    assert pool.run(os.getpid) == idle.process.pid


def test_an_exception_of_a_job_is_raised_here_and_the_worker_survives(pool: Pool) -> None:
    worker = pool.run(os.getpid)

    with pytest.raises(TooMuch) as raised:
        pool.run(refuse)

    assert raised.value.problems[0].facts == {"most": 7}
    assert pool.run(os.getpid) == worker


def test_a_job_that_takes_too_long_is_killed(tmp_path: Path) -> None:
    pool = Pool(1, seconds=0.3)
    worker = pool.run(os.getpid)

    with pytest.raises(Stopped):
        pool.run(time.sleep, LONG)

    assert pool.run(os.getpid) != worker
    with pytest.raises(ProcessLookupError):
        os.kill(worker, 0)
    pool.close()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows cannot pause a process")
def test_a_worker_that_no_longer_reads_is_killed() -> None:
    pool = Pool(1, seconds=0.3)
    worker = pool.run(os.getpid)
    os.kill(worker, signal.SIGSTOP)

    with pytest.raises(Stopped, match="time"):
        pool.run(len, bytes(2**22))  # more than the pipe holds

    assert pool.run(os.getpid) != worker
    pool.close()


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux limits the address space")
def test_a_worker_whose_server_has_gone_during_a_job_ends_without_an_error() -> None:
    worker = pool_module.Worker(MEMORY)
    worker._pipe.send((time.sleep, (0.2,), {}))
    worker._pipe.close()
    worker.process.join(10)

    assert worker.process.exitcode == 0


def test_a_job_that_takes_too_much_memory_is_stopped(pool: Pool) -> None:
    with pytest.raises(Stopped):
        pool.run(bytes, 2**30)

    assert pool.run(len, b"again") == 5


@pytest.mark.skipif(not Path("/proc").exists(), reason="threads are counted in /proc")
def test_arrays_start_no_threads_in_a_worker(pool: Pool) -> None:
    assert pool.run(threads_after_loading_arrays) == 2  # one of them watches the parent


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux reports addresses in /proc")
def test_a_worker_does_not_reserve_the_addresses_that_its_jobs_may_use(pool: Pool) -> None:
    assert pool.run(megabytes_of_addresses) < MEMORY / 2**20 / 6


def test_a_worker_that_dies_is_replaced(pool: Pool) -> None:
    with pytest.raises(Stopped):
        pool.run(os._exit, 3)

    assert pool.run(len, b"again") == 5


def test_a_worker_is_replaced_after_many_jobs(pool: Pool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool_module, "JOBS_PER_WORKER", 3)
    workers = [pool.run(os.getpid) for _ in range(7)]

    assert [workers.count(worker) for worker in dict.fromkeys(workers)] == [3, 3, 1]


def test_jobs_of_a_disconnected_client_are_abandoned(pool: Pool) -> None:
    worker, gone = pool.run(os.getpid), threading.Event()
    running, results = in_background(pool, time.sleep, LONG, gone=gone)
    wait_until(lambda: pool._running)  # else the second job could overtake it
    waiting, more_results = in_background(pool, len, b"", gone=gone)
    wait_until(lambda: pool._waiting)

    gone.set()
    join(running, waiting)

    assert [type(one) for one in (*results, *more_results)] == [Abandoned, Abandoned]
    assert pool.run(os.getpid) != worker


def is_waiting(pool: Pool, count: int) -> bool:
    return len(pool._waiting) == count


def hold_worker(pool: Pool, tmp_path: Path) -> Path:
    """Occupy the only worker until the returned file exists."""
    free = tmp_path / "free"
    in_background(pool, wait_for, free, client="somebody")
    wait_until(lambda: pool._running)
    return free


def test_clients_are_served_in_rotation_and_urgent_jobs_come_first(tmp_path: Path) -> None:
    pool, done = Pool(1, seconds=LONG), tmp_path / "done"
    free = hold_worker(pool, tmp_path)
    threads = []
    for number, (client, what) in enumerate(("a1", "a2", "b1"), 1):
        threads.append(in_background(pool, append_text, done, client + what, client=client)[0])
        wait_until(partial(is_waiting, pool, number))
    threads.append(in_background(pool, append_text, done, "pad ", client="c", urgent=False)[0])
    wait_until(lambda: len(pool._waiting) == 4)
    threads.append(in_background(pool, append_text, done, "d1", client="d")[0])
    wait_until(lambda: len(pool._waiting) == 5)

    free.touch()
    join(*threads)

    assert done.read_text() == "a1b1d1a2pad "
    pool.close()


def test_the_jobs_of_one_client_are_limited(pool: Pool, tmp_path: Path) -> None:
    free = hold_worker(pool, tmp_path)
    first, _ = in_background(pool, len, b"", client="a")
    second, _ = in_background(pool, len, b"", client="a")
    wait_until(lambda: len(pool._waiting) == 2)

    with pytest.raises(Busy):
        pool.run(len, b"", client="a")

    free.touch()
    join(first, second)


def test_an_urgent_job_replaces_a_waiting_one_that_is_not(pool: Pool, tmp_path: Path) -> None:
    free = hold_worker(pool, tmp_path)
    pads = [in_background(pool, len, b"", client=client, urgent=False) for client in "abc"]
    wait_until(lambda: len(pool._waiting) == 3)

    with pytest.raises(Busy):
        pool.run(len, b"", client="d", urgent=False)
    sheet, results = in_background(pool, len, b"sheet", client="d")
    wait_until(lambda: any(result for _, result in pads))
    free.touch()
    join(sheet, *(pad for pad, _ in pads))

    assert results == [5]
    assert sum(isinstance(result[0], Busy) for _, result in pads) == 1


def test_the_client_with_most_jobs_loses_one_to_a_client_with_none(tmp_path: Path) -> None:
    pool = Pool(1, places=4, per_client=3, seconds=LONG)
    free = hold_worker(pool, tmp_path)
    many = [in_background(pool, len, b"", client="a") for _ in range(3)]
    wait_until(lambda: len(pool._waiting) == 3)

    other, results = in_background(pool, len, b"other", client="b")
    wait_until(lambda: any(result for _, result in many))
    free.touch()
    join(other, *(thread for thread, _ in many))

    assert results == [5]
    assert sum(isinstance(result[0], Busy) for _, result in many) == 1
    pool.close()


PARENT = """
import os, time
from scorekeeper.workers.pool import Pool

if __name__ == "__main__":
    pool = Pool(1)
    print(pool.run(os.getpid), flush=True)
    pool.run(time.sleep, 60)
"""


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
@pytest.mark.usefixtures("external")
def test_a_worker_ends_with_its_parent_even_if_that_is_killed(
    tmp_path: Path, number: signal.Signals
) -> None:
    script = tmp_path / "parent.py"
    script.write_text(PARENT)
    command = [sys.executable, str(script)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout
        worker = int(parent.stdout.readline())
        parent.send_signal(number)

    wait_until(lambda: not is_running(worker))


def is_running(pid: int) -> bool:
    """Return whether a process exists and is not a zombie."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"
