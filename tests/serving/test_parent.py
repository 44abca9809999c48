"""The parent of several processes, with stand-ins for them: none is started here."""

import io
import logging
import signal
import subprocess
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest

from scorekeeper.serving import processes
from scorekeeper.serving.processes import READY

COMMAND = ("serve", "--port", "1")


class Stub:
    """Stands in for a process that was started."""

    def __init__(self, says: bytes, status: int | None, stubborn: bool = False) -> None:
        self.stdout, self.pid = io.BytesIO(says), 4711
        self.returncode, self._stubborn = status, stubborn
        self.told: list[str] = []

    def poll(self) -> int | None:
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        if self._stubborn:
            raise subprocess.TimeoutExpired("", timeout or 0)
        return self.returncode or 0

    def terminate(self) -> None:
        self.told.append("terminate")

    def kill(self) -> None:
        self.told.append("kill")


class Started:
    """Takes the place of ``subprocess.Popen`` and hands out stubs in order."""

    def __init__(self, stubs: Sequence[Stub]) -> None:
        self.stubs = stubs
        self.calls: list[tuple[list[str], dict[str, Any]]] = []

    def __call__(self, command: list[str], **more: Any) -> Stub:
        self.calls.append((command, more))
        return self.stubs[len(self.calls) - 1]


@pytest.fixture(autouse=True)
def _handlers() -> Iterator[None]:
    """Restore the handlers of signals, which the parent replaces for good."""

    def unhandled(number: int, frame: object) -> None:
        raise AssertionError(number)

    before = {n: signal.signal(n, unhandled) for n in (signal.SIGINT, signal.SIGTERM)}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.fixture
def start(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Started]:
    def starting(*stubs: Stub) -> Started:
        started = Started(stubs)
        monkeypatch.setattr(subprocess, "Popen", started)
        return started

    monkeypatch.setattr(processes, "LOOK_EVERY_S", 0.01)
    return starting


def stop(number: int = signal.SIGTERM) -> None:
    signal.raise_signal(number)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_processes_run_until_the_parent_is_told_to_stop(
    start: Callable[..., Started], number: int
) -> None:
    stubs = [Stub(READY, None), Stub(READY, None)]
    started = start(*stubs)

    assert processes.run(2, COMMAND, lambda: stop(number)) == 0
    assert [command[1:] for command, _ in started.calls] == 2 * [["-m", "scorekeeper", *COMMAND]]
    assert all(more["env"][processes.CHILD] == "1" for _, more in started.calls)
    assert [stub.told for stub in stubs] == [["terminate"], ["terminate"]]


@pytest.mark.parametrize(("status", "told"), [(3, 3), (0, 1)])
def test_a_process_that_ends_before_it_answers_ends_all_with_an_error(
    start: Callable[..., Started], status: int, told: int
) -> None:
    stubs = [Stub(READY, None), Stub(b"", status)]
    start(*stubs)

    assert processes.run(2, COMMAND, lambda: pytest.fail("ready")) == told
    assert stubs[0].told == ["terminate"]


def test_a_start_that_is_interrupted_is_no_error(start: Callable[..., Started]) -> None:
    class Interrupted(io.BytesIO):
        def readline(self, size: int | None = -1) -> bytes:
            stop()
            return b""

    stub = Stub(b"", 3)
    stub.stdout = Interrupted()
    start(stub)

    assert processes.run(1, COMMAND, lambda: pytest.fail("ready")) == 0


def test_a_process_that_ends_later_is_replaced(
    start: Callable[..., Started], caplog: pytest.LogCaptureFixture
) -> None:
    class Last(Stub):
        def poll(self) -> int | None:
            stop()
            return None

    stays, ended, new = Stub(READY, None), Stub(READY, None), Last(READY, None)
    started = start(stays, ended, new)

    def end() -> None:
        ended.returncode = -9

    with caplog.at_level(logging.ERROR):
        assert processes.run(2, COMMAND, end) == 0

    assert "process 4711 ended (-9) and is replaced" in caplog.text
    assert started.calls[2] == started.calls[0]
    assert (stays.told, ended.told, new.told) == (["terminate"], [], ["terminate"])


def test_a_process_that_does_not_stop_in_time_is_killed(
    start: Callable[..., Started], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(processes, "STOP_S", 0)
    stubborn, other = Stub(READY, None, stubborn=True), Stub(READY, None)
    start(stubborn, other)
    processes.run(2, COMMAND, stop)

    assert (stubborn.told, other.told) == (["terminate", "kill"], ["terminate"])
