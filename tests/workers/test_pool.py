"""The pool of processes: its limits, whose turn it is, and what is left of it."""

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

from scorekeeper import pdf
from scorekeeper.domain.budget import TooMuch
from scorekeeper.domain.presets import preset
from scorekeeper.i18n import language
from scorekeeper.workers.pool import Abandoned, Busy, Pool, Stopped

LONG = 60


@pytest.fixture
def pool() -> Iterator[Pool]:
    """One worker, so that everybody else has to wait."""
    made = Pool(1, places=4, per_client=2)
    yield made
    made.close()


def refuse() -> None:
    raise TooMuch(7)


def wait_for(path: Path) -> None:
    """Hold the worker until a file is there."""
    while not path.exists():
        time.sleep(0.01)


def note(path: Path, text: str) -> None:
    with path.open("a") as file:
        file.write(text)


def in_background(pool: Pool, *given: Any, **named: Any) -> tuple[threading.Thread, list[object]]:
    """A job on a thread of its own, and what came of it."""
    came: list[object] = []

    def ask() -> None:
        try:
            came.append(pool.run(*given, **named))
        except Exception as error:
            came.append(error)

    thread = threading.Thread(target=ask)
    thread.start()
    return thread, came


def until(is_so: Any) -> None:
    while not is_so():
        time.sleep(0.005)


def test_a_job_runs_in_another_process_and_brings_its_result_back(pool: Pool) -> None:
    paper = pool.run(pdf.rules_card, preset("robber"), language("lb", "Europe/Luxembourg"))

    assert paper == pdf.rules_card(preset("robber"), language("lb", "Europe/Luxembourg"))
    assert pool.run(os.getpid) != os.getpid()


def test_what_a_job_raises_is_raised_here_and_the_worker_goes_on(pool: Pool) -> None:
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


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux limits the address space")
def test_a_job_that_takes_too_much_memory_is_stopped(pool: Pool) -> None:
    with pytest.raises(Stopped):
        pool.run(bytes, 2**30)

    assert pool.run(len, b"again") == 5


def test_a_worker_that_dies_is_replaced(pool: Pool) -> None:
    with pytest.raises(Stopped):
        pool.run(os._exit, 3)

    assert pool.run(len, b"again") == 5


def test_nothing_is_done_for_a_client_who_left(pool: Pool) -> None:
    worker, gone = pool.run(os.getpid), threading.Event()
    running, came = in_background(pool, time.sleep, LONG, gone=gone)
    waiting, came_too = in_background(pool, len, b"", gone=gone)
    until(lambda: pool._waiting)

    gone.set()
    running.join()
    waiting.join()

    assert [type(one) for one in (*came, *came_too)] == [Abandoned, Abandoned]
    assert pool.run(os.getpid) != worker


def is_waiting(pool: Pool, count: int) -> bool:
    return len(pool._waiting) == count


def held(pool: Pool, tmp_path: Path) -> Path:
    """A job that holds the only worker until this file is there."""
    free = tmp_path / "free"
    in_background(pool, wait_for, free, client="somebody")
    until(lambda: pool._running)
    return free


def test_clients_take_turns_and_urgent_jobs_come_first(tmp_path: Path) -> None:
    pool, done = Pool(1), tmp_path / "done"
    free = held(pool, tmp_path)
    threads = []
    for number, (client, what) in enumerate(("a1", "a2", "b1"), 1):
        threads.append(in_background(pool, note, done, client + what, client=client)[0])
        until(partial(is_waiting, pool, number))
    threads.append(in_background(pool, note, done, "pad ", client="c", urgent=False)[0])
    until(lambda: len(pool._waiting) == 4)
    threads.append(in_background(pool, note, done, "d1", client="d")[0])
    until(lambda: len(pool._waiting) == 5)

    free.touch()
    for thread in threads:
        thread.join()

    assert done.read_text() == "a1b1d1a2pad "
    pool.close()


def test_one_client_has_only_so_many_places(pool: Pool, tmp_path: Path) -> None:
    free = held(pool, tmp_path)
    first, _ = in_background(pool, len, b"", client="a")
    second, _ = in_background(pool, len, b"", client="a")
    until(lambda: len(pool._waiting) == 2)

    with pytest.raises(Busy):
        pool.run(len, b"", client="a")

    free.touch()
    first.join()
    second.join()


def test_a_sheet_takes_the_place_of_a_pad_that_waits(pool: Pool, tmp_path: Path) -> None:
    free = held(pool, tmp_path)
    pads = [in_background(pool, len, b"", client=client, urgent=False) for client in "abc"]
    until(lambda: len(pool._waiting) == 3)

    with pytest.raises(Busy):
        pool.run(len, b"", client="d", urgent=False)
    sheet, came = in_background(pool, len, b"sheet", client="d")
    until(lambda: any(result for _, result in pads))
    free.touch()
    sheet.join()
    for pad, _ in pads:
        pad.join()

    assert came == [5]
    assert sum(isinstance(result[0], Busy) for _, result in pads) == 1


def test_who_has_most_jobs_makes_room_for_who_has_none(tmp_path: Path) -> None:
    pool = Pool(1, places=4, per_client=3)
    free = held(pool, tmp_path)
    many = [in_background(pool, len, b"", client="a") for _ in range(3)]
    until(lambda: len(pool._waiting) == 3)

    other, came = in_background(pool, len, b"other", client="b")
    until(lambda: any(result for _, result in many))
    free.touch()
    other.join()
    for thread, _ in many:
        thread.join()

    assert came == [5]
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


@pytest.mark.skipif(sys.platform == "win32", reason="there is no kill -9")
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
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

    until(lambda: not is_running(worker))


def is_running(pid: int) -> bool:
    """Whether there is such a process that has not ended."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"
