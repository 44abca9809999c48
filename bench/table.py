"""The one table: what was measured, how much of it, beside what, and which bar it had to hold."""

import os
import platform
import re
import sqlite3
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

LADDER = (10, 1_000, 100_000)
MARKS = "<!-- bench -->", "<!-- /bench -->"
"""Between these marks of a page stands the table."""
SHAPE = "{:<40} {:<26} {:>26}  {:<34} {:>6}  {}"
HEAD = ("what", "how much", "ours", "beside", "ratio", "bar")


@dataclass(frozen=True)
class Effort:
    """How long is measured."""

    runs: int = 5
    share: float = 1.0
    most: int = 1_000
    """How far those ladders are climbed whose rungs take minutes."""

    @property
    def room(self) -> int:
        """Bytes that the files of the longest ladder take, with their journals."""
        return 30_000 * self.most

    def some(self, count: int) -> int:
        """As many of so many as there is time for."""
        return max(3, round(count * self.share))

    @property
    def rungs(self) -> tuple[int, ...]:
        """How often quick work is done to see it grow."""
        return tuple(count for count in LADDER if count <= 100_000 * self.share)

    @property
    def long_rungs(self) -> tuple[int, ...]:
        """The same for work that takes milliseconds each time."""
        return tuple(count for count in self.rungs if count <= self.most)


QUICK = Effort(runs=1, share=0.01, most=10)
USUAL = Effort()
LARGE = Effort(most=100_000)


@dataclass(frozen=True)
class Bar:
    """What was promised of a number, and whether it is so."""

    words: str
    held: bool

    def __str__(self) -> str:
        return f"{self.words} {'held' if self.held else 'MISSED'}"


def at_most(number: float, limit: float, unit: str = "") -> Bar:
    """``unit`` follows the limit: "at most 90 MB"; a ratio has none."""
    return Bar(f"at most {as_limit(limit)}{unit}", number <= limit)


def as_limit(limit: float) -> str:
    """A limit as it was promised."""
    return f"{limit:,g}" if limit >= 1 else f"{limit:.2g}"


def under(number: float, limit: float, unit: str = "") -> Bar:
    """Not even the limit itself."""
    return Bar(f"under {as_limit(limit)}{unit}", number < limit)


def at_least(number: float, limit: float, unit: str = "") -> Bar:
    """The other way about."""
    return Bar(f"at least {as_limit(limit)}{unit}", number >= limit)


@dataclass(frozen=True)
class Step:
    """What so much work took: all of it in seconds, and the memory it needed on top."""

    count: int
    seconds: float
    megabytes: float

    def __str__(self) -> str:
        return f"{self.count:,}: {told(self.seconds)}, {self.megabytes:.0f} MB"


@dataclass(frozen=True, kw_only=True)
class Line:
    """One line of the table."""

    what: str
    work: str = ""
    ours: str
    beside: str = ""
    """The number of the baseline and its name."""
    ratio: float | None = None
    """Ours by the baseline's."""
    bars: tuple[Bar, ...] = ()
    growth: Sequence[Step] = ()
    per: str = ""
    """What there is more of as it grows."""

    @property
    def missed(self) -> bool:
        return not all(bar.held for bar in self.bars)

    @property
    def cells(self) -> tuple[str, ...]:
        ratio = "" if self.ratio is None else as_ratio(self.ratio)
        return self.what, self.work, self.ours, self.beside, ratio, ", ".join(map(str, self.bars))

    @property
    def grows(self) -> str:
        return f"{self.per} {'; '.join(map(str, self.growth))}"

    def __str__(self) -> str:
        shown = SHAPE.format(*self.cells).rstrip()
        return f"{shown}\n      {self.grows}" if self.growth else shown


def told(seconds: float) -> str:
    """A time as one says it: ``1.4 µs``, ``12 ms``, ``0.80 s``."""
    for unit, least in (("s", 0.5), ("ms", 0.5e-3), ("µs", 0.0)):
        if seconds >= least:
            number = seconds * {"s": 1, "ms": 1e3, "µs": 1e6}[unit]
            return f"{number:.{0 if number >= 100 else 1 if number >= 3 else 2}f} {unit}"
    return f"{seconds}"


def as_ratio(ratio: float) -> str:
    """Three figures that tell, as far as there are any."""
    return f"{ratio:,.0f}" if ratio >= 100 else f"{ratio:.2f}" if ratio >= 0.1 else f"{ratio:.3f}"


def note(words: str) -> None:
    """Say something between two lines of the table: what is left out, what takes its time."""
    print(f"      {words}", flush=True)


def setting(effort: Effort) -> str:
    """Where and when all this was measured."""
    commit = said("git", "rev-parse", "--short=10", "HEAD") or "no commit"
    changed = " and changes" if said("git", "status", "--porcelain", "-uno") else ""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 1e9
    return (
        f"{processor()}, {os.cpu_count()} cores, {memory:.0f} GB; {platform.system()}, "
        f"Python {platform.python_version()}, SQLite {sqlite3.sqlite_version}; "
        f"{date.today()}, commit {commit}{changed}; {effort.runs} runs in turns"
    )


def said(*command: str) -> str:
    """What a program answers, nothing where it is not there."""
    try:
        return subprocess.run(command, capture_output=True, text=True).stdout.strip()
    except OSError:
        return ""


def processor() -> str:
    """The name of the processor, as far as the system says it."""
    about = Path("/proc/cpuinfo")
    found = re.search(r"model name\s*:\s*(.+)", about.read_text()) if about.exists() else None
    return found[1] if found else platform.processor() or platform.machine()


def in_markdown(groups: Sequence[tuple[str, Sequence[Line]]], where: str) -> Iterator[str]:
    """All lines of the table for a page, group by group."""
    yield f"Measured on {where}."
    for heading, lines in groups:
        yield f"\n### {heading}\n"
        yield f"| {' | '.join(HEAD)} |"
        yield "|---|---|--:|---|--:|---|"
        for line in lines:
            yield f"| {' | '.join(line.cells)} |"
        grown = [line for line in lines if line.growth]
        if grown:
            yield "\n| as it grows | time and memory, by how much of it |\n|---|---|"
        for line in grown:
            yield f"| {line.what} | {line.grows} |"


def around(page: Path, marks: tuple[str, str] = MARKS) -> tuple[str, str]:
    """What a page has before and after its two marks, the marks with it."""
    before, begins, rest = page.read_text(encoding="utf-8").partition(marks[0])
    _, ends, after = rest.partition(marks[1])
    if not (begins and ends):
        raise SystemExit(f"{page} has no {' ... '.join(marks)}")
    return before + begins, ends + after


def write_between(page: Path, text: str, marks: tuple[str, str] = MARKS) -> None:
    """Put a text where the page has its two marks."""
    before, after = around(page, marks)
    page.write_text(f"{before}\n{text}\n{after}", encoding="utf-8")
