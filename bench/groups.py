"""How a group bears many years: its page, its season, an import, the demo that makes it."""

import json
import resource
import subprocess
import sys
import time
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

from scorekeeper import create_app, extracts, groups
from scorekeeper.arrivals import check_book, read_exports
from scorekeeper.demo import Wishes, make
from scorekeeper.store.ledger import open_ledger

Found = tuple[str, str, str, float | None, str, bool]
"""What, ours, baseline, ratio, bar, whether it held."""
FEW, MANY, MEMBERS = 20, 2_000, 20
RUNS = 15
PAGE_MS, IMPORT_S, DEMO_S = 300, 60, 60
LAST_DAY = date(2026, 6, 12)
FLAT_MB = 40
"""What an import of all those rounds may need beside what one of a hundredth needs."""
PAGES = (
    ("page of a group", "/s/{group}", 2.0),
    ("season of all", "/s/{group}/season?year=all", None),
    ("statistics of all", "/s/{group}/statistics?year=all", None),
)
"""What, its address, how many times the page of few evenings it may take."""


def measured() -> Iterator[Found]:
    """Every line about groups."""
    with TemporaryDirectory() as folder:
        files = {count: Path(folder, f"{count}.sqlite") for count in (FEW, MANY)}
        seconds = {count: made(file, count) for count, file in files.items()}
        took = seconds[MANY]
        what = f"demo: {MANY:,} evenings made up and written"
        yield what, f"{took:.1f} s", "", None, f"under {DEMO_S} s", took < DEMO_S
        for what, path, most in PAGES:
            few, many = (answered(file, path) for file in files.values())
            ratio = many / few
            held = many < PAGE_MS and (most is None or ratio <= most)
            bar = f"under {PAGE_MS} ms" if most is None else f"{PAGE_MS} ms, {most:.2f}"
            shown = f"{many:.0f} ms", f"{few:.0f} ms ({FEW} evenings)"
            yield f"{what}, {MANY:,} evenings", *shown, ratio, bar, held
        (_, small), (took, large) = (imported(file) for file in files.values())
        bar = f"under {IMPORT_S} s"
        yield "import of 60,000 rounds", f"{took:.1f} s", "", None, bar, took < IMPORT_S
        shown = f"{large:.0f} MB", f"{small:.0f} MB (600 rounds)"
        bar, held = f"{FLAT_MB} MB more", large - small < FLAT_MB
        yield "memory of that import", *shown, large / small, bar, held


def made(file: Path, evenings: int) -> float:
    """Seconds to make a group up."""
    ledger = open_ledger(file)
    begun = time.perf_counter()
    make(ledger, Wishes(evenings, MEMBERS, seed=1, until=LAST_DAY))
    took = time.perf_counter() - begun
    ledger.close()
    return took


def answered(file: Path, path: str) -> float:
    """Milliseconds to a page, in the middle of many."""
    app = create_app({"DATA": file, "TESTING": True})
    ledger = app.extensions["ledger"]
    (group_id,) = ledger.groups()
    secret = "bench"
    with ledger.turn(group_id) as turn:
        turn.replace_secret("watch", secret)
    ledger.remember("bench", group_id, secret)
    client = app.test_client()
    client.set_cookie("browser", "bench")
    times = []
    for _ in range(RUNS):
        begun = time.perf_counter()
        answer = client.get(path.format(group=group_id))
        times.append(time.perf_counter() - begun)
        if answer.status_code != 200:
            sys.exit(f"{path}: {answer.status_code}")
    ledger.close()
    return median(times) * 1000


def imported(file: Path) -> tuple[float, float]:
    """Seconds and most memory of an import into a new file, in a process of its own."""
    export = file.with_suffix(".jsonl")
    ledger = open_ledger(file)
    with export.open("w", encoding="utf-8") as out:
        for line in extracts.group_lines(ledger, ledger.group(ledger.groups()[0])):
            out.write(line + "\n")
    ledger.close()
    command = [sys.executable, "-m", "bench.groups", str(export), str(file.with_suffix(".in"))]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    told: dict[str, Any] = json.loads(done.stdout)
    return told["seconds"], told["megabytes"]


def take_in(export: Path, file: Path) -> None:
    """The import itself."""
    ledger = open_ledger(file)
    begun = time.perf_counter()
    exports = read_exports(export)
    groups.import_group(ledger, next(exports), exports, judge=check_book)
    seconds = time.perf_counter() - begun
    megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000
    print(json.dumps({"seconds": seconds, "megabytes": megabytes}))


if __name__ == "__main__":
    take_in(*map(Path, sys.argv[1:]))
