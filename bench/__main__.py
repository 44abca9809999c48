"""Runs everything and prints one table."""

import json
import os
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

import psutil

from bench import groups, paper, phone, scale
from bench.serving import Served, serve, served
from scorekeeper.store.ledger import open_ledger

RUNS = 5
PHONES = 4
EXAMPLE = Path(__file__).parents[1] / "examples" / "evening.json"


@dataclass(frozen=True)
class Table:
    """A game that is being played on our server."""

    game: str
    pen: str

    def record(self) -> dict[str, Any]:
        """The request that records the example's first round, cards and all."""
        headers = {"Authorization": f"Bearer {self.pen}", "Content-Type": "application/json"}
        body = json.dumps(json.loads(EXAMPLE.read_text())["rounds"][0])
        path = f"/api/v1/games/{self.game}/rounds"
        return {"method": "POST", "path": path, "headers": headers, "body": body, "expect": 201}


def open_table(ours: Served) -> Table:
    """Begin a game as in the example."""
    about = json.loads(EXAMPLE.read_text())
    order = {name: about[name] for name in ("title", "rules", "stake", "players")}
    opened = ours.call("POST", "/api/v1/games", order)
    return Table(opened["id"], opened["pen"])


@dataclass(frozen=True)
class Line:
    """One line of the result."""

    what: str
    ours: str
    baseline: str
    ratio: float | None
    bar: str
    held: bool


def recording(ours: Served, bare: Served) -> Line:
    """Rounds recorded over HTTP, each durable when answered."""
    records = [open_table(ours).record() for _ in range(PHONES)]
    row = records[0] | {"path": "/row"}
    own, base = alternately(
        lambda: ours.throughput(*records), lambda: bare.throughput(*[row] * PHONES)
    )
    return compared("record a round (checked, scored, synced)", own, base, at_least=0.5)


def not_modified(ours: Served, bare: Served, data: Path) -> Line:
    """What every phone asks every few seconds: has the board changed?"""
    table = open_table(ours)
    ours.load(table.record(), seconds=0.1)
    ledger = open_ledger(data)
    ledger.remember("bench", table.game, table.pen)
    ledger.close()
    path = f"/g/{table.game}"
    board = ours.call("GET", path, Cookie="browser=bench")
    seen = {"Cookie": "browser=bench", "If-None-Match": board.headers["ETag"]}
    poll = {"method": "GET", "path": path, "headers": seen, "expect": 304}
    plain = {"method": "GET", "path": "/board", "headers": {"If-None-Match": '"1"'}, "expect": 304}
    own, base = alternately(
        lambda: ours.throughput(*[poll] * PHONES), lambda: bare.throughput(*[plain] * PHONES)
    )
    return compared("304 of the board", own, base, at_least=0.8)


def long_game(ours: Served) -> Line:
    """Whether a game becomes slower the longer it lasts: rounds 1 to 20, 991 to 1,010."""
    young, old = [], []
    for _ in range(3):
        record = open_table(ours).record()
        times: list[float] = []
        while len(times) < 1010:
            times += ours.load(record, seconds=0.5)
        young.append(median(times[:20]))
        old.append(median(times[990:1010]))
    own, base = median(old), median(young)
    ratio = own / base
    shown = f"{own:.2f} ms", f"{base:.2f} ms (round 10)"
    return Line("record round 1,000", *shown, ratio, "at most 1.50", ratio <= 1.5)


def start_up(data: Path) -> Line:
    """From the command to the first page."""
    times = []
    for _ in range(RUNS):
        with served(*serve(data)) as ours:
            times.append(ours.ready)
    ready = median(times)
    return Line("ready to serve", f"{ready:.2f} s", "", None, "under 1.50 s", ready < 1.5)


def memory(ours: Served) -> Line:
    """What the server holds after at least 1,000 requests, every second a round recorded."""
    start = {"method": "GET", "path": "/", "headers": {}, "expect": 200}
    record = open_table(ours).record()
    answers = 0
    while answers < 1000:
        answers += len(ours.load(start, record, seconds=0.5))
    size = psutil.Process(ours.process.pid).memory_info().rss / 1e6
    return Line(
        "memory after 1,000 requests", f"{size:.0f} MB", "", None, "at most 90 MB", size <= 90
    )


def alternately(*measures: Callable[[], float]) -> list[float]:
    """The median of each, taken in turns so that what else the machine does hits all alike."""
    runs = [[measure() for measure in measures] for _ in range(RUNS)]
    return [median(values) for values in zip(*runs, strict=True)]


def compared(what: str, own: float, base: float, *, at_least: float) -> Line:
    """A line about throughput."""
    ratio = own / base
    bar = f"at least {at_least:.2f}"
    return Line(what, f"{own:,.0f}/s", f"{base:,.0f}/s (bare Flask)", ratio, bar, ratio >= at_least)


def measured() -> Iterator[Line]:
    """Every line of the table, as it comes."""
    with TemporaryDirectory() as folder:
        data = Path(folder, "ours.sqlite")
        yield start_up(data)
        with (
            served(*serve(data)) as ours,
            served("-m", "bench.bare", str(Path(folder, "bare.sqlite"))) as bare,
        ):
            yield memory(ours)
            yield recording(ours, bare)
            yield not_modified(ours, bare, data)
            yield long_game(ours)
    for part in (paper, phone, groups, scale):
        yield from (Line(*found) for found in part.measured())


def main() -> None:
    """Print the table."""
    print(f"Python {sys.version.split()[0]}, {os.cpu_count()} cores, {PHONES} phones at once,")
    print(f"medians of {RUNS} runs in turns\n")
    shape = "{:<42} {:>10}  {:<22} {:>5}  {:<14} {}"
    print(shape.format("what", "ours", "baseline", "ratio", "bar", ""))
    for line in measured():
        ratio = "" if line.ratio is None else f"{line.ratio:.2f}"
        held = "" if not line.bar else "held" if line.held else "MISSED"
        print(shape.format(line.what, line.ours, line.baseline, ratio, line.bar, held), flush=True)


if __name__ == "__main__":
    main()
