"""The table of results: what was measured, how much of it, compared with what, and its bars."""

import os
import platform
import re
import sqlite3
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import NamedTuple

SIZES = (10, 1_000, 100_000)
MARKS = "<!-- bench -->", "<!-- /bench -->"
"""The table is written between these marks of a page."""
SHAPE = "{:<40} {:<34} {:<26} {:>26}  {:<34} {:>6}  {}"
HEAD = ("what", "stands for", "how much", "ours", "beside", "ratio", "bar")


@dataclass(frozen=True)
class Effort:
    """The amount that is measured."""

    runs: int = 5
    share: float = 1.0
    most: int = 1_000
    """The largest size for measurements that take minutes."""

    @property
    def room(self) -> int:
        """The bytes that the files of the largest size take, with their journals."""
        return 60_000 * self.most

    @property
    def turns(self) -> int:
        """The runs and a first one that warms up."""
        return self.runs + 1

    def fresh(self, count: int) -> int:
        """Return the questions needed to ask about ``count`` new ones in every turn."""
        return self.turns * self.some(count)

    def some(self, count: int) -> int:
        """Return the share of a count that there is time for."""
        return max(3, round(count * self.share))

    @property
    def sizes(self) -> tuple[int, ...]:
        """The sizes for quick work."""
        return tuple(count for count in SIZES if count <= 100_000 * self.share)

    @property
    def slow_sizes(self) -> tuple[int, ...]:
        """The sizes for work that takes milliseconds each time."""
        return tuple(count for count in self.sizes if count <= self.most)


QUICK = Effort(runs=1, share=0.01, most=10)
USUAL = Effort()
LARGE = Effort(most=100_000)


@dataclass(frozen=True)
class Bar:
    """A limit for a number, and whether it holds."""

    words: str
    held: bool

    def __str__(self) -> str:
        return f"{self.words} {'held' if self.held else 'MISSED'}"


def at_most(number: float, limit: float, unit: str = "") -> Bar:
    """Return a bar such as "at most 90 MB"; ratios have no unit."""
    return Bar(f"at most {as_limit(limit)}{unit}", number <= limit)


def as_limit(limit: float) -> str:
    """Return a limit as text."""
    return f"{limit:,g}" if limit >= 1 else f"{limit:.2g}"


def under(number: float, limit: float, unit: str = "") -> Bar:
    """Return a bar that excludes the limit itself."""
    return Bar(f"under {as_limit(limit)}{unit}", number < limit)


def at_least(number: float, limit: float, unit: str = "") -> Bar:
    """Return a bar with a lower limit."""
    return Bar(f"at least {as_limit(limit)}{unit}", number >= limit)


@dataclass(frozen=True)
class Step:
    """A size with its total time in seconds and its additional memory."""

    count: int
    seconds: float
    megabytes: float

    def __str__(self) -> str:
        return f"{self.count:,}: {format_seconds(self.seconds)}, {self.megabytes:.0f} MB"


class Growth(NamedTuple):
    """How time and memory grow: a step for each number of cards, rounds or whatever ``per`` is."""

    steps: Sequence[Step]
    per: str


NO_GROWTH = Growth((), "")


@dataclass(frozen=True, kw_only=True)
class Row:
    """A row of the table."""

    what: str
    request: str
    """The request or command of users that it stands for: see ``bench.requests``."""
    work: str = ""
    ours: str
    baseline: str = ""
    """The result of the baseline and its name."""
    ratio: float | None = None
    """Our result divided by the baseline's."""
    bars: tuple[Bar, ...] = ()
    growth: Growth = NO_GROWTH

    @property
    def missed(self) -> bool:
        return not all(bar.held for bar in self.bars)

    @property
    def cells(self) -> tuple[str, ...]:
        ratio = "" if self.ratio is None else as_ratio(self.ratio)
        bars = ", ".join(map(str, self.bars))
        return self.what, self.request, self.work, self.ours, self.baseline, ratio, bars

    @property
    def grows(self) -> str:
        return f"{self.growth.per} {'; '.join(map(str, self.growth.steps))}"

    def __str__(self) -> str:
        shown = SHAPE.format(*self.cells).rstrip()
        return f"{shown}\n      {self.grows}" if self.growth.steps else shown


def format_seconds(seconds: float) -> str:
    """Return a time as text: ``1.4 µs``, ``12 ms``, ``0.80 s``."""
    for unit, least in (("s", 0.5), ("ms", 0.5e-3), ("µs", 0.0)):
        if seconds >= least:
            number = seconds * {"s": 1, "ms": 1e3, "µs": 1e6}[unit]
            return f"{number:.{0 if number >= 100 else 1 if number >= 3 else 2}f} {unit}"
    return f"{seconds}"


def as_ratio(ratio: float) -> str:
    """Return a ratio with up to three significant digits."""
    return f"{ratio:,.0f}" if ratio >= 100 else f"{ratio:.2f}" if ratio >= 0.1 else f"{ratio:.3f}"


def note(words: str) -> None:
    """Print a message between two rows: what is skipped, what takes long."""
    print(f"      {words}", flush=True)


def setting(effort: Effort) -> str:
    """Return when, where and on which machine the results were measured."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 1e9
    return (
        f"{processor()}, {os.cpu_count()} cores, {memory:.0f} GB; {platform.system()}, "
        f"Python {platform.python_version()}, SQLite {sqlite3.sqlite_version}; "
        f"{date.today()}, commit {commit()}; {effort.runs} runs in turns"
    )


def commit() -> str:
    """Return the commit of the code, with a plus if there are uncommitted changes."""
    command = ("git", "describe", "--always", "--dirty=+", "--exclude=*")
    try:
        return subprocess.run(command, capture_output=True, text=True).stdout.strip()
    except OSError:  # git is not installed
        return ""


def processor() -> str:
    """Return the name of the processor, if the system provides it."""
    about = Path("/proc/cpuinfo")
    found = re.search(r"model name\s*:\s*(.+)", about.read_text()) if about.exists() else None
    return found[1] if found else platform.processor() or platform.machine()


def in_markdown(groups: Sequence[tuple[str, Sequence[Row]]], where: str) -> Iterator[str]:
    """Yield the table as Markdown, group by group."""
    yield f"Measured on {where}."
    for heading, lines in groups:
        yield f"\n### {heading}\n"
        yield f"| {' | '.join(HEAD)} |"
        yield "|---|---|---|--:|---|--:|---|"
        for line in lines:
            yield f"| {' | '.join(line.cells)} |"
        growth_of = [line for line in lines if line.growth.steps]
        if growth_of:
            yield "\n| as it grows | time and memory, by how much of it |\n|---|---|"
        for line in growth_of:
            yield f"| {line.what} | {line.grows} |"


def around(page: Path, marks: tuple[str, str] = MARKS) -> tuple[str, str]:
    """Return the page up to and from its two marks, including them."""
    before, begins, rest = page.read_text(encoding="utf-8").partition(marks[0])
    _, ends, after = rest.partition(marks[1])
    if not (begins and ends):
        raise SystemExit(f"{page} has no {' ... '.join(marks)}")
    return before + begins, ends + after


def write_between(page: Path, text: str, marks: tuple[str, str] = MARKS) -> None:
    """Write a text between the two marks of a page."""
    before, after = around(page, marks)
    page.write_text(f"{before}\n{text}\n{after}", encoding="utf-8")
