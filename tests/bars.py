"""The bars of reliability: what must hold, how often a test tries to break it, and the results.

A test names its bar, asks how often to try, and takes its random numbers from the bar's seed::

    @pytest.mark.bar("D1")
    def test_no_acknowledged_round_is_lost(...):
        for dice in trying("D1"):
            ...

With ``control="WAL+NORMAL"`` it proves that the same test catches a broken variant.
``make test`` tries as often as the column *commit* says, ``make soak`` as the column *soak*:
SOAK=1 in the environment, or a share of it. SEED=... changes the random numbers.
"""

import json
import math
import os
import random
import re
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, TypeVar
from zlib import crc32

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import seed as drawn_by
from hypothesis.strategies import SearchStrategy, tuples

from bars_table import BARS, Bar

T = TypeVar("T")
EVERY = 10**9
"""All cases there are."""
THOUSAND = 1000


SOAK = float(os.environ.get("SOAK") or 0)
"""The share of the column *soak* to run; 0 for the column *commit*."""
TESTS = Path(__file__).parent
MARK = re.compile(r'pytest\.mark\.bar\(\s*"(\w+)"(?:,\s*control="([^"]+)")?,?\s*\)')


def column(bar: Bar) -> str:
    """Return the column for this run; *commit* too for a bar that has no *soak*."""
    return bar.soak or bar.commit if SOAK else bar.commit


def tries(bar: str, every: int = EVERY) -> int:
    """Return how often this run tries a bar; ``every`` if the column has no number."""
    wanted = column(BARS[bar])
    found = re.search(r"\d[\d,]*", wanted)
    if found is None:
        return every if wanted else 0
    times = int(found[0].replace(",", ""))
    return max(1, math.ceil(times * SOAK)) if SOAK and BARS[bar].soak else times


def steps(bar: str) -> int:
    """Return the number of steps of each try: the second number of ``100 x 30``."""
    return int(column(BARS[bar]).partition(" x ")[2].split()[0])


def seed(bar: str) -> int:
    """Return the random seed of a bar."""
    return crc32(f"{bar} {os.environ.get('SEED', '1')}".encode())


def trying(bar: str, times: int | None = None) -> Iterator[random.Random]:
    """Yield a random generator for each try, and count the try when the next one begins.

    TRY=17 in the environment repeats the seventeenth alone.
    """
    times = tries(bar) if times is None else times
    only = os.environ.get("TRY")
    for number in [int(only)] if only else range(1, times + 1):
        NOW.at = number
        yield random.Random(f"{seed(bar)} {number}")
        tried()


def some(bar: str, cases: Sequence[T]) -> list[T]:
    """Return a sample of as many cases as the bar tries, in their order."""
    if tries(bar) >= len(cases):
        return list(cases)
    chosen = random.Random(seed(bar)).sample(range(len(cases)), tries(bar))
    return [cases[place] for place in sorted(chosen)]


def drawn(
    bar: str, *strategies: SearchStrategy[Any], times: int | None = None
) -> Callable[[Callable[..., None]], Callable[[], None]]:
    """Decorate a test as Hypothesis' ``given`` does, with as many examples as the bar tries.

    They run a thousand at a time, each thousand with its own seed, to limit the memory.
    """
    wanted = tries(bar) if times is None else times

    def decorate(test: Callable[..., None]) -> Callable[[], None]:
        def run() -> None:
            for first in range(0, wanted, THOUSAND):

                @drawn_by(seed(bar) + first)
                @settings(
                    max_examples=min(THOUSAND, wanted - first),
                    database=None,
                    deadline=None,
                    derandomize=False,
                    suppress_health_check=list(HealthCheck),
                )
                @given(tuples(*strategies))
                def once(values: tuple[Any, ...]) -> None:
                    test(*values)
                    tried()

                NOW.at = first + 1
                once()

        run.__name__, run.__doc__, run.__module__ = test.__name__, test.__doc__, test.__module__
        return run

    return decorate


def proofs() -> dict[tuple[str, str], set[Path]]:
    """Return the files with the tests of each bar and of each control."""
    found: dict[tuple[str, str], set[Path]] = {}
    for path in TESTS.rglob("test_*.py"):
        for bar, control in MARK.findall(path.read_text(encoding="utf-8")):
            found.setdefault((bar, control), set()).add(path)
    return found


# ---- results -----------------------------------------------------------------------------


@dataclass
class Count:
    """The result of one test, or of all tests of a bar together."""

    bar: str = ""
    control: str = ""
    tries: int = 0
    failed: int = 0
    seconds: float = 0.0
    at: int = 0
    """The number of the current try."""
    skipped: str = ""
    note: str = ""
    """What was measured."""

    def __add__(self, other: "Count") -> "Count":
        return replace(
            self,
            tries=self.tries + other.tries,
            failed=self.failed + other.failed,
            seconds=self.seconds + other.seconds,
            skipped=self.skipped or other.skipped,
            note=other.note or self.note,
        )


NOW = Count()
"""The result of the running test."""
DONE = 0
"""The number of tries of this process, for the progress display."""
_reported_at = 0.0


def tried(times: int = 1, *, failed: int = 0) -> None:
    """Count tries of the running test; a control must have some that failed.

    A test that counts nothing is one try.
    """
    global DONE, _reported_at
    NOW.tries += times
    NOW.failed += failed
    DONE += 0 if NOW.control else times
    file = os.environ.get("SOAK_DONE")
    if file and time.monotonic() > _reported_at + 0.5:
        _reported_at = time.monotonic()
        Path(file).write_text(str(DONE))


def noted(words: str) -> None:
    """Put something measured beside the result of the running test."""
    NOW.note = words


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("bars")
    group.addoption("--bar", help="only the tests of this bar")
    group.addoption("--bars-to", type=Path, help="write the results of the bars to this file")


def pytest_configure(config: pytest.Config) -> None:
    words = "bar(id, control=''): tests a bar of reliability, or that the test can fail"
    config.addinivalue_line("markers", words)
    config.pluginmanager.register(Results(config.getoption("--bars-to")))


def marks(item: pytest.Item) -> list[tuple[str, str]]:
    """Return the bars, or controls of bars, of a test."""
    return [
        (mark.args[0], mark.kwargs.get("control", "")) for mark in item.iter_markers(name="bar")
    ]


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselect tests of bars that this run does not try."""
    wanted = config.getoption("--bar")

    def is_tried(item: pytest.Item) -> bool:
        bars = [bar for bar, _ in marks(item)]
        return all(tries(bar) for bar in bars) and (wanted is None or wanted in bars)

    left = [item for item in items if not is_tried(item)]
    if left:
        config.hook.pytest_deselected(items=left)
        items[:] = [item for item in items if is_tried(item)]


def pytest_runtest_setup(item: pytest.Item) -> None:
    global NOW
    _, control = next(iter(marks(item)), ("", ""))
    NOW = Count(control=control)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Add the counts to the test's report, and say how to repeat a failure."""
    report = yield
    if marks(item) and (report.when == "call" or not report.passed):
        report.bars = [asdict(_result(bar, control, report)) for bar, control in marks(item)]
        if report.failed:
            again = f"SEED={os.environ.get('SEED', '1')}" + (f" TRY={NOW.at}" if NOW.at else "")
            report.sections.append(("repeat", f"{again} in the environment repeats this try"))
    return report


def _result(bar: str, control: str, report: pytest.TestReport) -> Count:
    count = replace(NOW, bar=bar, control=control, seconds=report.duration, at=0)
    if report.skipped:
        return replace(count, skipped=str(report.longrepr))
    if report.failed:  # a failed control did not catch its broken variant
        return replace(count, tries=count.tries + 1, failed=0 if control else count.failed + 1)
    return replace(count, tries=count.tries or 1, failed=count.failed or int(bool(control)))


class Results:
    """The results of all bars of a run, from all of its processes."""

    def __init__(self, target: Path | None) -> None:
        self.target = target
        self.counts: dict[tuple[str, str], Count] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        for values in getattr(report, "bars", ()):
            count = Count(**values)
            before = self.counts.get((count.bar, count.control))
            self.counts[count.bar, count.control] = before + count if before else count

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        if self.counts:
            seconds = sum(count.seconds for count in self.counts.values())
            bars = {bar for bar, _ in self.counts}
            terminalreporter.write_line(f"{len(bars)} bars of reliability: {seconds:.0f} s")
        for count in self.counts.values():
            if count.note:
                terminalreporter.write_line(f"{count.bar}: {count.tries} tried, {count.note}")

    def pytest_sessionfinish(self) -> None:
        if self.target:
            counts = [asdict(count) for count in self.counts.values()]
            self.target.write_text(json.dumps(counts, indent=1), encoding="utf-8")
