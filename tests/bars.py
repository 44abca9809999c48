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

T = TypeVar("T")
EVERY = 10**9
"""All cases there are."""
THOUSAND = 1000


@dataclass(frozen=True)
class Bar:
    """One row of the table; *commit* and *soak* are the texts of its columns."""

    id: str
    area: str
    must: str
    commit: str
    soak: str
    controls: tuple[str, ...] = ()
    alone: bool = False
    """Whether it measures time, so that nothing else may run beside it."""

    @property
    def column(self) -> str:
        """The column for this run; *commit* too for a bar that has no *soak*."""
        return self.soak or self.commit if SOAK else self.commit


BARS = {
    bar.id: bar
    for bar in (
        Bar(
            "D1",
            "store",
            "kill -9 during a stream of posts: no acknowledged round lost, none half, chain good",
            "20",
            "1,000",
        ),
        Bar(
            "D2",
            "store",
            "kill, EIO, ENOSPC at every write and sync call of a record, a correction, a strike:"
            " nothing falsely called saved, nothing lost",
            "sample of 40",
            "all",
        ),
        Bar(
            "D3",
            "store",
            "power-cut images (unsynced writes dropped, reordered, torn):"
            " no acknowledged round lost",
            "500",
            "20,000",
            ("WAL+NORMAL", "DELETE+FULL"),
        ),
        Bar(
            "D5",
            "store",
            "disk full, read-only file: reads go on, writes say 'not saved', all resumes alone",
            "1",
            "20",
        ),
        Bar("D7", "store", "the engine guard: versions and modes, each connection", "all", ""),
        Bar("D8", "store", "bit flips: every change of content is reported", "200", "10,000"),
        Bar(
            "L1",
            "store",
            "settlements of random games are exactly zero, with the fewest payments",
            "2,000",
            "100,000",
        ),
        Bar(
            "L3",
            "web",
            "create, record, correct, strike, repeat, stale, hand over, export, import, restart"
            " against a plain list",
            "100 x 30",
            "2,000 x 50",
        ),
        Bar("L4", "store", "replayed events equal the projections", "all tests", "10,000"),
        Bar("L5", "store", "no UPDATE or DELETE on events in the whole run", "all tests", ""),
        Bar(
            "C1",
            "web",
            "50 writers on one game who look at the version: no gap, no loss, no double",
            "10 x 20",
            "50 x 100",
            ("no version check", "deferred BEGIN"),
        ),
        Bar(
            "C4",
            "web",
            "posts delivered 1 to 5 times, shuffled: each recorded once",
            "200",
            "10,000",
        ),
        Bar(
            "A1",
            "web",
            "invented ids and secrets: none opens, and players behind the same address are served",
            "",
            "10,000",
            alone=True,
        ),
        Bar("A2", "web", "every route, method and right: exactly the rights table", "all", ""),
        Bar("A3", "web", "a replaced right is refused on the next request", "10", "1,000"),
        Bar(
            "A5",
            "web",
            "canary secrets are in no log line, page, PDF, CSV, referrer",
            "all tests",
            "",
        ),
        Bar("W1", "web", "security headers on every route and status", "all", ""),
        Bar("W2", "web", "hostile names and notes on every page in Chromium", "30", "200"),
        Bar(
            "W5",
            "web",
            "requests made from the schema: no 5xx, no violation, half of the rounds get through",
            "500",
            "100,000",
        ),
        Bar(
            "W6",
            "web",
            "hostile bodies on every route that writes: no 5xx, each under 100 ms",
            "50",
            "150",
            alone=True,
        ),
        Bar(
            "W7",
            "web",
            "500 idle sockets, 200 slow senders: a good phone is still served",
            "",
            "1",
            ("plain WSGI",),
            alone=True,
        ),
        Bar(
            "W8",
            "web",
            "while strangers attack from one address, a phone at another one records with p99 under"
            " 500 ms and reads under 300 ms; under 400 MB; SIGTERM in 5 s",
            "1 x 1 s",
            "3 x 15 s",
            ("plain WSGI",),
            alone=True,
        ),
        Bar(
            "W9",
            "web",
            "forged books: no 5xx on import or on any page, paper, table or call after it",
            "100",
            "20,000",
            ("no checks",),
        ),
        Bar(
            "W10",
            "web",
            "hands made to be hard (up to 24 cards, 8 jokers, wild twos, 37 melds on the table):"
            " answered within a budget of steps and 300 ms, at most 1 in 1,000 refused",
            "100",
            "20,000",
            ("no budget",),
            alone=True,
        ),
        Bar("P1", "web", "hostile names wherever a PDF has names", "50", "300"),
        Bar("P5", "web", "hostile cells of a CSV: inert, numbers still numbers", "60", ""),
        Bar(
            "B1",
            "store",
            "a backup under load, restored: complete and good",
            "3",
            "100",
            ("cp",),
        ),
        Bar("B3", "store", "export, import into an empty place: equal heads", "20", "1,000"),
        Bar(
            "G0", "serving", "one of two processes killed: no round lost or doubled", "20", "1,000"
        ),
        Bar(
            "G3",
            "store",
            "a replaced secret, an erased name, an ended game: seen by every process at once",
            "50",
            "2,000",
            ("heads from memory",),
        ),
        Bar(
            "G4",
            "store",
            "end, record, settle, erase a member, take out of the group, all at once:"
            " no deadlock, no lost change",
            "200",
            "20,000",
            ("game before group",),
        ),
        Bar(
            "G5",
            "store",
            "the connection breaks at COMMIT: reported as unknown, sent again, counted once",
            "50",
            "1,000",
        ),
        Bar(
            "G6",
            "store",
            "a copy between databases, broken off anywhere and run again: equal in everything",
            "10",
            "200",
        ),
        Bar(
            "O1",
            "web",
            "a phone's connection cut, its tab or the server killed: recorded exactly once",
            "12",
            "200",
            ("a new key for every attempt",),
        ),
        Bar(
            "Q1",
            "web",
            "500 games at once, 2,500 phones: p99 of a post under 300 ms, no 5xx",
            "",
            "600 s",
            alone=True,
        ),
        Bar(
            "solver",
            "rules",
            "two solvers agree on random hands, rules and tables",
            "2,000",
            "100,000",
        ),
        Bar(
            "mutants",
            "rules",
            "of small mistakes put into domain and store, tests notice 95 %",
            "",
            "400",
            alone=True,
        ),
    )
}
SOAK = float(os.environ.get("SOAK") or 0)
"""The share of the column *soak* to run; 0 for the column *commit*."""
TESTS = Path(__file__).parent
MARK = re.compile(r'pytest\.mark\.bar\(\s*"(\w+)"(?:,\s*control="([^"]+)")?,?\s*\)')


def tries(bar: str, every: int = EVERY) -> int:
    """Return how often this run tries a bar; ``every`` if the column has no number."""
    column = BARS[bar].column
    found = re.search(r"\d[\d,]*", column)
    if found is None:
        return every if column else 0
    times = int(found[0].replace(",", ""))
    return max(1, math.ceil(times * SOAK)) if SOAK and BARS[bar].soak else times


def steps(bar: str) -> int:
    """Return the number of steps of each try: the second number of ``100 x 30``."""
    return int(BARS[bar].column.partition(" x ")[2].split()[0])


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

    def __add__(self, other: "Count") -> "Count":
        return replace(
            self,
            tries=self.tries + other.tries,
            failed=self.failed + other.failed,
            seconds=self.seconds + other.seconds,
            skipped=self.skipped or other.skipped,
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

    def pytest_sessionfinish(self) -> None:
        if self.target:
            counts = [asdict(count) for count in self.counts.values()]
            self.target.write_text(json.dumps(counts, indent=1), encoding="utf-8")
