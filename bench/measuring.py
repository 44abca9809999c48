"""How time and memory are taken: in turns, warmed up, each growth in a process of its own."""

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
from time import perf_counter, perf_counter_ns
from typing import Any

import psutil

from bench.table import Bar, Effort, Line, Step, at_most, note, told

Asked = Sequence[Any]


@dataclass(frozen=True)
class Runner:
    """Someone who answers questions."""

    name: str
    answer: Callable[[Any], object]
    asked: Asked
    most: float | None = None
    """How many times as long as this one ours may take."""


@dataclass(frozen=True)
class Times:
    """Seconds for one answer."""

    mean: float
    p99: float
    most: float
    count: int

    def __str__(self) -> str:
        """Of fewer than a hundred the slowest is said: nothing else is above their p99."""
        slow = f"p99 {told(self.p99)}" if self.count >= 100 else f"most {told(self.most)}"
        return f"{told(self.mean)} ({slow})"


def race(effort: Effort, *runners: Runner) -> list[Times]:
    """All in turns, so that what else the machine does hits them alike.

    The quietest of a few runs for every question; a first run, not counted, warms up.
    """
    times = [[float("inf")] * len(runner.asked) for runner in runners]
    for turn in range(effort.runs + 1):
        for runner, quietest in zip(runners, times, strict=True):
            for i, question in enumerate(runner.asked):
                took = timed(runner.answer, question)
                if turn:
                    quietest[i] = min(quietest[i], took)
    return [summed_up(quietest) for quietest in times]


def timed(answer: Callable[[Any], object], question: Any) -> int:
    """Nanoseconds for one answer."""
    begun = perf_counter_ns()
    answer(question)
    return perf_counter_ns() - begun


def summed_up(nanoseconds: Sequence[float]) -> Times:
    """The times of many answers, without what the clock itself takes."""
    times = sorted(max(0, took - CLOCK) / 1e9 for took in nanoseconds)
    return Times(mean(times), times[int(len(times) * 0.99)], times[-1], len(times))


def _clock() -> int:
    """What it costs to look at the clock, and to call nothing."""
    return int(median(timed(hash, None) for _ in range(10_000)))


CLOCK = _clock()


def beside(
    effort: Effort,
    work: str,
    ours: Runner,
    *others: Runner,
    bars: Callable[[Times], tuple[Bar, ...]] = lambda _: (),
    growth: Sequence[Step] = (),
    per: str = "",
) -> Iterator[Line]:
    """What ours takes, and a line for each of the others who answer the like."""
    own, *theirs = race(effort, ours, *others)
    first = Line(what=ours.name, work=work, ours=str(own), bars=bars(own), growth=growth, per=per)
    if not others:
        yield first
    for number, (other, times) in enumerate(zip(others, theirs, strict=True)):
        ratio = own.mean / times.mean
        held = () if other.most is None else (at_most(ratio, other.most),)
        line = replace(first, bars=(), growth=()) if number else first
        named = f"{told(times.mean)} ({other.name})"
        yield replace(line, beside=named, ratio=ratio, bars=(*line.bars, *held))


def alternately(effort: Effort, *measures: Callable[[], float]) -> list[float]:
    """The median of each, taken in turns; a first run of each is not counted."""
    runs = [[measure() for measure in measures] for _ in range(effort.runs + 1)]
    return [median(values) for values in zip(*runs[1:], strict=True)]


def took(work: Callable[[], object]) -> float:
    """Seconds."""
    begun = perf_counter()
    work()
    return perf_counter() - begun


def grown(
    counts: Sequence[int], make: Callable[[int], Asked], answer: Callable[[Any], object]
) -> list[Step]:
    """What so many questions take, other ones each time, asked in a process of its own."""

    def asked(count: int) -> Step:
        questions = make(count)
        before = megabytes()
        begun = perf_counter()
        for question in questions:
            answer(question)
        seconds = perf_counter() - begun
        return Step(count, seconds, max(0.0, most_megabytes() - before))

    return [alone(partial(asked, count)) for count in counts]


def alone(work: Callable[[], Any]) -> Any:
    """What a work answers in a process of its own."""
    fork = get_context("fork")
    ear, mouth = fork.Pipe(duplex=False)
    child = fork.Process(target=lambda: mouth.send(work()))
    child.start()
    mouth.close()
    answer = ear.recv()
    child.join()
    return answer


def megabytes(process: int | None = None) -> float:
    """What a process holds; this one unless said otherwise."""
    return float(psutil.Process(process).memory_info().rss) / 1e6


def most_megabytes() -> float:
    """The most this process ever held; not what its parent held, which Linux counts in."""
    status = Path("/proc/self/status")
    if status.exists():
        kilobytes = re.search(r"VmHWM:\s*(\d+)", status.read_text())
        return int(kilobytes[1]) * 1024 / 1e6 if kilobytes else megabytes()
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e6


def peers_folder() -> Path:
    """Where packages to compare with were put by ``make peers``."""
    return Path(os.environ.get("PEERS", "build/peers")).resolve()


@cache
def peer(name: str) -> Any:
    """A package to compare with, or None and a message, said once."""
    if str(peers_folder()) not in sys.path:
        sys.path.append(str(peers_folder()))  # last, so that it displaces nothing
    try:
        return import_module(name)
    except ImportError:
        note(f"{name} is not installed (make peers)")
        return None
