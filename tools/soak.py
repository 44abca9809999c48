"""Run the reliability bars as often as they require: ``make soak``.

Every bar runs in a process of its own, two at a time; bars that measure time run alone.
Results go to build/soak.json and, as a table, to build/soak.md. They replace earlier results of
the same bars and keep all others. The output of each bar is in build/soak/.
"""

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

import bars
from bars import EVERY
from bars_table import BARS, Bar
from bench.table import commit, write_between

ROOT = Path(__file__).parents[1]
AREAS = sorted({bar.area for bar in BARS.values()})
USUAL = [area for area in AREAS if area != "cluster"]
"""Failovers take half an hour more, and are tried when asked for."""
LOGS = ROOT / "build" / "soak"
RESULTS = LOGS.with_suffix(".json")
TABLE = LOGS.with_suffix(".md")
MARKS = "<!-- soak -->", "<!-- end of soak -->"
LONGEST = ("N1", "W11", "W9", "N2", "C4", "O1", "L1", "W5", "L3", "L4", "solver")
"""The longest bars start first, so that none of them runs alone at the end."""
HEAD = """\
| bar | what must hold | asked | tried | failed | time | seed | commit | on |
|---|---|---|---|---|---|---|---|---|
"""
Row = dict[str, Any]
"""The result of a bar, or of one of its controls."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    names = (*BARS, *AREAS)
    choice = f"{' '.join(names)}; none: {' '.join(USUAL)}"
    parser.add_argument("bars", nargs="*", metavar="BAR", help=choice)
    parser.add_argument("--seed", default="1", help="other chances than the usual ones")
    parser.add_argument("--share", type=float, default=1, help="0.01: a hundredth, for a trial")
    parser.add_argument("--jobs", type=int, default=2, help="how many bars run at a time")
    parser.add_argument("--table", type=Path, metavar="FILE", help="only put the table into it")
    arguments = parser.parse_args()
    if unknown := set(arguments.bars) - set(names):
        parser.error(f"no such bar: {' '.join(sorted(unknown))}")
    if arguments.table:
        write_between(arguments.table, f"\n{table(load_results())}", MARKS)
        return
    os.environ |= {"SOAK": str(arguments.share), "SEED": arguments.seed}
    bars.SOAK = arguments.share
    sys.exit(not soak(arguments.bars or USUAL, arguments.jobs))


def soak(names: Sequence[str], jobs: int) -> bool:
    """Run bars; return whether all held and all of their controls failed as they must."""
    LOGS.mkdir(parents=True, exist_ok=True)
    wanted = [bar for bar in BARS.values() if bar.id in names or bar.area in names]
    together = sorted(
        (bar for bar in wanted if not bar.alone),
        key=lambda bar: LONGEST.index(bar.id) if bar.id in LONGEST else len(LONGEST),
    )
    results = []
    for some, at_once in ((together, jobs), ([bar for bar in wanted if bar.alone], 1)):
        for attempt in finished(some, at_once):
            rows = attempt.rows()
            save_results(attempt.bar, rows)
            results += rows
            print("\r\033[K" * sys.stdout.isatty() + "\n".join(map(line, rows)), flush=True)
    print(f"The table is in {TABLE.relative_to(ROOT)}.")
    return all(is_good(row) for row in results)


class Attempt:
    """A running bar."""

    def __init__(self, bar: Bar) -> None:
        self.bar, self.began, self.commit = bar, time.monotonic(), commit()
        self.done, self.counts, self.log = (
            LOGS / f"{bar.id}.{kind}" for kind in ("done", "json", "log")
        )
        for previous in (self.done, self.counts):
            previous.unlink(missing_ok=True)
        files = {
            path for (tried, _), found in bars.proofs().items() for path in found if tried == bar.id
        }
        options = ["-p", "no:cacheprovider", "--tb=short", "-rP", "-o", "faulthandler_timeout=0"]
        options += [f"--bar={bar.id}", f"--bars-to={self.counts}"]
        with self.log.open("w") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "pytest", *options, *sorted(files)],
                cwd=ROOT,
                stdout=log,
                stderr=subprocess.STDOUT,
                env={**os.environ, "SOAK_DONE": str(self.done)},
            )

    def __str__(self) -> str:
        done = int(self.done.read_text() or 0) if self.done.exists() else 0
        of, seconds = bars.tries(self.bar.id), time.monotonic() - self.began
        if of == EVERY or not done:
            return f"{self.bar.id} since {clock(seconds)}"
        return f"{self.bar.id} {done:,}/{of:,}, {clock(seconds / done * max(0, of - done))} left"

    def rows(self) -> list[Row]:
        """Return the results; a bar without a result has failed."""
        counts = json.loads(self.counts.read_text()) if self.counts.exists() else []
        counts = [count for count in counts if count["bar"] == self.bar.id]
        if not any(count["control"] == "" for count in counts):
            silent = bars.Count(self.bar.id, failed=1, skipped=f"see {self.log}")
            counts = [vars(silent), *counts]
        about = {
            "asked": required_of(self.bar),
            "seed": os.environ["SEED"],
            "commit": self.commit,
            "on": f"{datetime.now(UTC):%Y-%m-%d}",
        }
        return [{**count, **about} for count in counts]


def finished(waiting: Sequence[Bar], at_once: int) -> Iterator[Attempt]:
    """Run bars, ``at_once`` at a time; yield each when it is done."""
    to_come = list(waiting)
    running: list[Attempt] = []
    while to_come or running:
        while to_come and len(running) < at_once:
            running.append(Attempt(to_come.pop(0)))
        for attempt in [attempt for attempt in running if attempt.process.poll() is not None]:
            running.remove(attempt)
            yield attempt
        if sys.stdout.isatty():
            status = " · ".join([*map(str, running), f"{len(to_come)} to come"])
            print(f"\r\033[K{status}", end="", flush=True)
        time.sleep(0.2)


# ---- results ---------------------------------------------------------------------------


def load_results() -> list[Row]:
    """Return the stored results of the bars and controls that still exist."""
    rows: list[Row] = json.loads(RESULTS.read_text(encoding="utf-8")) if RESULTS.exists() else []
    return [row for row in rows if exists(row)]


def exists(row: Row) -> bool:
    """Return whether there is such a bar, and such a control of it."""
    bar = BARS.get(row["bar"])
    return bar is not None and (not row["control"] or row["control"] in bar.controls)


def save_results(bar: Bar, rows: list[Row]) -> None:
    """Store the results of a bar in place of its earlier ones."""
    order = list(BARS)
    known = [row for row in load_results() if row["bar"] != bar.id]
    known = sorted(known + rows, key=lambda row: (order.index(row["bar"]), row["control"]))
    RESULTS.write_text(json.dumps(known, indent=1), encoding="utf-8")
    TABLE.write_text(table(known), encoding="utf-8")


def is_good(row: Row) -> bool:
    """Return whether a bar had no failures, or a control had some."""
    return not row["skipped"] and bool(row["failed"]) == bool(row["control"])


def verdict(row: Row) -> str:
    """Return how often a bar failed, and what was measured."""
    if row["skipped"]:
        return f"not tried: {row['skipped']}"
    if row["control"]:
        return f"{row['failed']:,}" if row["failed"] else "**0: does not bite**"
    failed = f"**{row['failed']:,}**" if row["failed"] else "0"
    return "; ".join(filter(None, (failed, row.get("note"))))


def line(row: Row) -> str:
    """Return a row for the terminal."""
    name = f"{row['bar']} {row['control']}".strip()
    return f"{name:<22}{row['tries']:>9,} tried {clock(row['seconds']):>8}  failed: {verdict(row)}"


def table(rows: list[Row]) -> str:
    """Return all results as a table, in the order of the bars."""
    return HEAD + "".join(f"| {' | '.join(cells(row))} |\n" for row in rows)


def cells(row: Row) -> tuple[str, ...]:
    control = row["control"]
    return (
        f"{row['bar']}, {control}" if control else row["bar"],
        "must fail" if control else BARS[row["bar"]].must,
        "" if control else row["asked"],
        f"{row['tries']:,}",
        verdict(row),
        clock(row["seconds"]),
        row["seed"],
        row["commit"],
        row["on"],
    )


def required_of(bar: Bar) -> str:
    """Return how often a bar had to be tried."""
    is_part = bars.SOAK != 1 and any(map(str.isdigit, bar.soak))
    return f"{100 * bars.SOAK:g} % of {bar.soak}" if is_part else bars.column(bar)


def clock(seconds: float) -> str:
    return f"{seconds / 60:.0f} min" if seconds > 99 else f"{seconds:.0f} s"


if __name__ == "__main__":
    main()
