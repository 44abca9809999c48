"""Jobs that run where they are asked for."""

import os

import pytest

from scorekeeper.workers.runner import InProcess, Stopped


def refuse(error: Exception) -> None:
    raise error


def test_a_job_runs_in_this_process_and_returns_its_result() -> None:
    assert InProcess().run(os.getpid, client="anybody", urgent=False) == os.getpid()


def test_a_job_raises_its_own_error() -> None:
    with pytest.raises(KeyError, match="lost"):
        InProcess().run(refuse, KeyError("lost"))


def test_a_job_without_enough_memory_counts_as_stopped() -> None:
    with pytest.raises(Stopped):
        InProcess().run(refuse, MemoryError())
