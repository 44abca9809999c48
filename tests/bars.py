"""The bars of reliability: what must never happen, how often it is tried, and what came of it.

A test names the bar it holds, asks how often to try, and draws its chance from the bar's seed::

    @pytest.mark.bar("D1")
    def test_no_acknowledged_round_is_lost(...):
        for dice in trying("D1"):
            ...

With ``control="WAL+NORMAL"`` it proves that the same harness notices a broken variant.
``make test`` tries as often as the column *commit* says, ``make soak`` as the column *soak*:
SOAK=1 in the environment, or a share of it; SEED=... for other chances than the usual ones.
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
"""As often as there are cases."""
THOUSAND = 1000


@dataclass(frozen=True)
class Bar:
    """One row of the table; the columns *commit* and *soak* are written as it writes them."""

    id: str
    room: str
    must: str
    commit: str
    soak: str
    controls: tuple[str, ...] = ()
    alone: bool = False
    """It measures time, so nothing else may run beside it."""

    @property
    def column(self) -> str:
        """How often, for this run; what has no soak of its own is tried as always."""
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
            "doors",
            "create, record, correct, strike, repeat, stale, hand over, export, import, restart"
            " against a plain list",
            "100 x 30",
            "2,000 x 50",
        ),
        Bar("L4", "store", "replayed events equal the projections", "all tests", "10,000"),
        Bar("L5", "store", "no UPDATE or DELETE on events in the whole run", "all tests", ""),
        Bar(
            "C1",
            "doors",
            "50 writers on one game who look at the version: no gap, no loss, no double",
            "10 x 20",
            "50 x 100",
            ("no version check", "deferred BEGIN"),
        ),
        Bar(
            "C4",
            "doors",
            "posts delivered 1 to 5 times, shuffled: each recorded once",
            "200",
            "10,000",
        ),
        Bar(
            "A1",
            "doors",
            "invented ids and secrets: none opens, and who plays behind the same address is served",
            "",
            "10,000",
            alone=True,
        ),
        Bar("A2", "doors", "every route, method and right: exactly the rights table", "all", ""),
        Bar("A3", "doors", "a replaced right is refused on the next request", "10", "1,000"),
        Bar(
            "A5",
            "doors",
            "canary secrets are in no log line, page, PDF, CSV, referrer",
            "all tests",
            "",
        ),
        Bar("W1", "doors", "security headers on every route and status", "all", ""),
        Bar("W2", "doors", "hostile names and notes on every page in Chromium", "30", "200"),
        Bar(
            "W5",
            "doors",
            "requests made from the schema: no 5xx, no violation, half of the rounds get through",
            "500",
            "100,000",
        ),
        Bar(
            "W6",
            "doors",
            "hostile bodies on every route that writes: no 5xx, each under 100 ms",
            "50",
            "150",
            alone=True,
        ),
        Bar(
            "W7",
            "doors",
            "500 idle sockets, 200 slow senders: a good phone is still served",
            "",
            "1",
            ("plain WSGI",),
            alone=True,
        ),
        Bar(
            "W8",
            "doors",
            "while strangers attack from one address, a phone at another one records with p99 under"
            " 500 ms and reads under 300 ms; under 400 MB; SIGTERM in 5 s",
            "1 x 1 s",
            "3 x 15 s",
            ("plain WSGI",),
            alone=True,
        ),
        Bar(
            "W9",
            "doors",
            "forged books: no 5xx on import or on any page, paper, table or call after it",
            "100",
            "20,000",
            ("no checks",),
        ),
        Bar(
            "W10",
            "doors",
            "hands made to be hard (up to 24 cards, 8 jokers, wild twos, 37 melds on the table):"
            " answered within a budget of steps and 300 ms, at most 1 in 1,000 refused",
            "100",
            "20,000",
            ("no budget",),
            alone=True,
        ),
        Bar("P1", "doors", "hostile names wherever a PDF has names", "50", "300"),
        Bar("P5", "doors", "hostile cells of a CSV: inert, numbers still numbers", "60", ""),
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
            "O1",
            "doors",
            "a phone's connection cut, its tab or the server killed: recorded exactly once",
            "12",
            "200",
        ),
        Bar(
            "Q1",
            "doors",
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
"""The share of the column *soak* that is asked for; 0: the column *commit*."""
TESTS = Path(__file__).parent
MARK = re.compile(r'pytest\.mark\.bar\(\s*"(\w+)"(?:,\s*control="([^"]+)")?,?\s*\)')


def tries(bar: str, every: int = EVERY) -> int:
    """How often this run tries; ``every`` where it is all there is, of which there is no number."""
    column = BARS[bar].column
    found = re.search(r"\d[\d,]*", column)
    if found is None:
        return every if column else 0
    times = int(found[0].replace(",", ""))
    return max(1, math.ceil(times * SOAK)) if SOAK and BARS[bar].soak else times


def steps(bar: str) -> int:
    """Of how many steps each try is: the second number of ``100 x 30``."""
    return int(BARS[bar].column.partition(" x ")[2].split()[0])


def seed(bar: str) -> int:
    """What the chance of a bar begins with."""
    return crc32(f"{bar} {os.environ.get('SEED', '1')}".encode())


def trying(bar: str, times: int | None = None) -> Iterator[random.Random]:
    """A chance of its own for each try, counted once the next one is asked for.

    TRY=17 in the environment tries the seventeenth again, alone.
    """
    times = tries(bar) if times is None else times
    only = os.environ.get("TRY")
    for number in [int(only)] if only else range(1, times + 1):
        NOW.at = number
        yield random.Random(f"{seed(bar)} {number}")
        tried()


def some(bar: str, cases: Sequence[T]) -> list[T]:
    """As many of these cases as the bar tries, in their order."""
    if tries(bar) >= len(cases):
        return list(cases)
    chosen = random.Random(seed(bar)).sample(range(len(cases)), tries(bar))
    return [cases[place] for place in sorted(chosen)]


def drawn(
    bar: str, *strategies: SearchStrategy[Any], times: int | None = None
) -> Callable[[Callable[..., None]], Callable[[], None]]:
    """Hypothesis' ``given``, as often as the bar asks, a thousand at a time.

    Each thousand has a seed of its own; more at once would be remembered all together.
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
    """In which files each bar, and each control of a bar, has its tests."""
    found: dict[tuple[str, str], set[Path]] = {}
    for path in TESTS.rglob("test_*.py"):
        for bar, control in MARK.findall(path.read_text(encoding="utf-8")):
            found.setdefault((bar, control), set()).add(path)
    return found


# ---- what came of it ---------------------------------------------------------------------


@dataclass
class Count:
    """What one test, or all tests of a bar together, came to."""

    bar: str = ""
    control: str = ""
    tries: int = 0
    failed: int = 0
    seconds: float = 0.0
    at: int = 0
    """The try at hand."""
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
"""Of the test that is running."""
DONE = 0
"""Tries of this process, for whoever waits."""
_told = 0.0


def tried(times: int = 1, *, failed: int = 0) -> None:
    """Count tries of the running test; of a control, what failed is what it must show.

    A test that counts nothing is one try.
    """
    global DONE, _told
    NOW.tries += times
    NOW.failed += failed
    DONE += 0 if NOW.control else times
    told = os.environ.get("SOAK_DONE")
    if told and time.monotonic() > _told + 0.5:
        _told = time.monotonic()
        Path(told).write_text(str(DONE))


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("bars")
    group.addoption("--bar", help="only the tests of this bar")
    group.addoption("--bars-to", type=Path, help="write what came of the bars to this file")


def pytest_configure(config: pytest.Config) -> None:
    words = "bar(id, control=''): holds a bar of reliability, or shows that its harness bites"
    config.addinivalue_line("markers", words)
    config.pluginmanager.register(Results(config.getoption("--bars-to")))


def marks(item: pytest.Item) -> list[tuple[str, str]]:
    """The bars, or controls of bars, that a test is for."""
    return [
        (mark.args[0], mark.kwargs.get("control", "")) for mark in item.iter_markers(name="bar")
    ]


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what this run does not try."""
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
    """Let what was counted travel with the test's report, and say how to try again."""
    report = yield
    if marks(item) and (report.when == "call" or not report.passed):
        report.bars = [asdict(_came_of(bar, control, report)) for bar, control in marks(item)]
        if report.failed:
            again = f"SEED={os.environ.get('SEED', '1')}" + (f" TRY={NOW.at}" if NOW.at else "")
            report.sections.append(("once more", f"{again} in the environment tries it again"))
    return report


def _came_of(bar: str, control: str, report: pytest.TestReport) -> Count:
    count = replace(NOW, bar=bar, control=control, seconds=report.duration, at=0)
    if report.skipped:
        return replace(count, skipped=str(report.longrepr))
    if report.failed:  # a control that fails did not bite
        return replace(count, tries=count.tries + 1, failed=0 if control else count.failed + 1)
    return replace(count, tries=count.tries or 1, failed=count.failed or int(bool(control)))


class Results:
    """What came of all bars of a run, whichever process tried them."""

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
            told = [asdict(count) for count in self.counts.values()]
            self.target.write_text(json.dumps(told, indent=1), encoding="utf-8")
