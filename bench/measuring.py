"""Measuring time and memory: in turns, after a warm-up, growth in subprocesses.

Computations are measured in processor time, because other programs on the machine would make
some answers look slow.
"""

import os
import re
import resource
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from importlib import import_module
from multiprocessing import get_context
from pathlib import Path
from statistics import mean, median
from time import perf_counter, process_time_ns
from typing import Any

import psutil

from bench.table import NO_GROWTH, Bar, Effort, Growth, Row, Step, at_most, format_seconds, note

Questions = Sequence[Any]


@dataclass(frozen=True)
class Runner:
    """A function under test and the questions it answers."""

    name: str
    answer: Callable[[Any], object]
    questions: Questions
    most: float | None = None
    """The allowed ratio of our time to this one's."""
    again: bool = False
    """Whether every turn asks all questions, because there are no more of their kind."""

    def asked(self, turn: int, turns: int) -> Questions:
        """Return the questions of one turn: new ones, of which nothing is cached."""
        return self.questions if self.again else self.questions[turn::turns]


@dataclass(frozen=True)
class Times:
    """The times of one answer, in seconds."""

    mean: float
    p99: float
    most: float
    count: int

    def __str__(self) -> str:
        """Return mean and p99, or mean and maximum of fewer than a hundred times."""
        slow = (
            f"p99 {format_seconds(self.p99)}"
            if self.count >= 100
            else f"most {format_seconds(self.most)}"
        )
        return f"{format_seconds(self.mean)} ({slow})"


def race(effort: Effort, *runners: Runner) -> list[Times]:
    """Return the times of all runners, run in turns so that noise affects them alike.

    The first turn warms up. Of the others the quietest counts.
    """
    times: list[list[Times]] = [[] for _ in runners]
    for turn in range(effort.turns):
        for runner, measured in zip(runners, times, strict=True):
            asked = runner.asked(turn, effort.turns)
            measured.append(summed_up([timed(runner.answer, question) for question in asked]))
    return [min(measured[1:], key=lambda each: each.mean) for measured in times]


def timed(answer: Callable[[Any], object], question: Any) -> int:
    """Return the nanoseconds of processor time for one answer."""
    begun = process_time_ns()
    answer(question)
    return process_time_ns() - begun


def summed_up(nanoseconds: Sequence[float]) -> Times:
    """Return the statistics of many times, less the cost of the clock."""
    times = sorted(max(0, duration - CLOCK) / 1e9 for duration in nanoseconds)
    return Times(mean(times), times[int(len(times) * 0.99)], times[-1], len(times))


def _clock() -> int:
    """Return the cost of reading the clock around an empty call."""
    return int(median(timed(hash, None) for _ in range(10_000)))


CLOCK = _clock()


def compare(
    effort: Effort,
    request: str,
    work: str,
    ours: Runner,
    *others: Runner,
    bars: Callable[[Times], tuple[Bar, ...]] = lambda _: (),
    growth: Growth = NO_GROWTH,
) -> Iterator[Row]:
    """Yield a row that compares the first runner with each of the others."""
    own, *theirs = race(effort, ours, *others)
    first = Row(
        what=ours.name,
        request=request,
        work=work,
        ours=str(own),
        bars=bars(own),
        growth=growth,
    )
    if not others:
        yield first
    for number, (other, times) in enumerate(zip(others, theirs, strict=True)):
        ratio = own.mean / times.mean
        held = () if other.most is None else (at_most(ratio, other.most),)
        line = replace(first, bars=(), growth=NO_GROWTH) if number else first
        named = f"{format_seconds(times.mean)} ({other.name})"
        yield replace(line, baseline=named, ratio=ratio, bars=(*line.bars, *held))


def alternately(effort: Effort, *measures: Callable[[], float]) -> list[float]:
    """Return the median of each measure, run in turns after a warm-up."""
    runs = [[measure() for measure in measures] for _ in range(effort.runs + 1)]
    return [median(values) for values in zip(*runs[1:], strict=True)]


def seconds_of(work: Callable[[], object]) -> float:
    """Return the seconds that some work takes."""
    begun = perf_counter()
    work()
    return perf_counter() - begun


def growth_of(
    counts: Sequence[int],
    make: Callable[[int], Questions],
    answer: Callable[[Any], object],
    *,
    per: str,
) -> Growth:
    """Return time and memory for each number of questions, each in a subprocess."""

    def measure(count: int) -> Step:
        questions = make(count)
        before = megabytes()
        begun = perf_counter()
        for question in questions:
            answer(question)
        seconds = perf_counter() - begun
        return Step(count, seconds, max(0.0, most_megabytes() - before))

    return Growth([in_subprocess(partial(measure, count)) for count in counts], per)


def in_subprocess(work: Callable[[], Any]) -> Any:
    """Return the result of a function run in a subprocess."""
    fork = get_context("fork")
    ear, mouth = fork.Pipe(duplex=False)
    child = fork.Process(target=lambda: mouth.send(work()))
    child.start()
    mouth.close()
    answer = ear.recv()
    child.join()
    return answer


def megabytes(process: int | None = None) -> float:
    """Return the memory of a process, by default this one."""
    return float(psutil.Process(process).memory_info().rss) / 1e6


def shared_megabytes(process: psutil.Process) -> float:
    """Return the memory of a process, with its share of what others use too where that is known."""
    held = process.memory_full_info()
    return float(getattr(held, "pss", held.uss)) / 1e6


def most_megabytes() -> float:
    """Return the peak memory of this process, without that inherited from its parent."""
    status = Path("/proc/self/status")
    if status.exists():
        kilobytes = re.search(r"VmHWM:\s*(\d+)", status.read_text())
        return int(kilobytes[1]) * 1024 / 1e6 if kilobytes else megabytes()
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e6


def peers_folder() -> Path:
    """Return the folder where ``make peers`` installs packages to compare with."""
    return Path(os.environ.get("PEERS", "build/peers")).resolve()


@cache
def peer(name: str) -> Any:
    """Return a package to compare with; None and a message, printed once, if missing."""
    if str(peers_folder()) not in sys.path:
        sys.path.append(str(peers_folder()))  # last, so that it shadows nothing
    try:
        return import_module(name)
    except ImportError:
        note(f"{name} is not installed (make peers)")
        return None
