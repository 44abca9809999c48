"""How a group bears many years: its page, its season, an import, the demo that makes it.

Pages are asked inside this process: what HTTP adds to them is measured in ``web``.
"""

import json
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import replace
from datetime import date
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.measuring import alternately, most_megabytes, took
from bench.table import Effort, Line, at_most, told, under
from scorekeeper import create_app
from scorekeeper.services import exports, imports
from scorekeeper.services.demo import ROUNDS, Wishes, make
from scorekeeper.services.import_checks import HOST
from scorekeeper.store import open_ledger

FEW, MANY, MEMBERS = 20, 2_000, 20
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


def measured(effort: Effort) -> Iterator[Line]:
    """Every line about groups."""
    many = max(effort.some(MANY), 2 * FEW)
    with TemporaryDirectory() as folder:
        files = {count: Path(folder, f"{count}.sqlite") for count in (FEW, many)}
        few, long = (made(file, count) for count, file in files.items())
        yield Line(
            what="demo made up and written",
            work=f"{many:,} evenings",
            ours=told(long),
            beside=f"{told(few)} ({FEW} evenings)",
            ratio=long / few,
            bars=(under(long, DEMO_S, " s"),),
        )
        for what, path, most in PAGES:
            few, long = answered(effort, path, *files.values())
            yield Line(
                what=what,
                work=f"{many:,} evenings",
                ours=told(long),
                beside=f"{told(few)} ({FEW} evenings)",
                ratio=long / few,
                bars=(
                    under(long * 1000, PAGE_MS, " ms"),
                    *((at_most(long / few, most),) if most else ()),
                ),
            )
        small, large = (imported(file) for file in files.values())
        rounds, less = many * ROUNDS, FEW * ROUNDS
        yield Line(
            what="import",
            work=f"{rounds:,} rounds",
            ours=f"{told(large['seconds'])}",
            beside=f"{told(large['plain'])} (json, a row a line)",
            ratio=large["seconds"] / large["plain"],
            bars=(under(large["seconds"], IMPORT_S, " s"),),
        )
        more = large["megabytes"] - small["megabytes"]
        yield Line(
            what="memory of that import",
            work=f"{rounds:,} rounds",
            ours=f"{large['megabytes']:.0f} MB",
            beside=f"{small['megabytes']:.0f} MB ({less:,} rounds)",
            ratio=large["megabytes"] / small["megabytes"],
            bars=(under(more, FLAT_MB, " MB more"),),
        )


def made(file: Path, evenings: int) -> float:
    """Seconds to make a group up."""
    ledger = open_ledger(file)
    seconds = took(lambda: make(ledger, Wishes(evenings, MEMBERS, seed=1, until=LAST_DAY)))
    ledger.close()
    return seconds


def answered(effort: Effort, path: str, *files: Path) -> list[float]:
    """Seconds to a page from each of the files, asked in turns."""
    with ExitStack() as stack:
        asks = [stack.enter_context(asking(file, path)) for file in files]
        return alternately(replace(effort, runs=3 * effort.runs), *asks)


@contextmanager
def asking(file: Path, path: str) -> Iterator[Callable[[], float]]:
    """What asks for a page of the one group of a file and says how long that took."""
    app = create_app({"DATA": file, "TESTING": True})
    ledger = app.extensions["ledger"]
    (group_id,) = ledger.groups()
    secret = "bench"
    with ledger.turn(group_id) as turn:
        turn.replace_secret("watch", secret)
    ledger.rights.remember("bench", group_id, secret)
    client = app.test_client()
    client.set_cookie("browser", "bench")

    def ask() -> None:
        answer = client.get(path.format(group=group_id))
        if answer.status_code != 200:
            sys.exit(f"{path}: {answer.status_code}")

    yield lambda: took(ask)
    ledger.close()


def imported(file: Path) -> dict[str, float]:
    """Seconds and most memory of an import into a new file, in a process of its own."""
    export = file.with_suffix(".jsonl")
    ledger = open_ledger(file)
    with export.open("w", encoding="utf-8") as out:
        for line in exports.group_lines(ledger, ledger.group(ledger.groups()[0])):
            out.write(line + "\n")
    ledger.close()
    command = [sys.executable, "-m", "bench.groups", str(export), str(file.with_suffix(".in"))]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    found: dict[str, float] = json.loads(done.stdout)
    return found


def take_in(export: Path, file: Path) -> None:
    """The import itself, and then the same lines as mere rows."""
    ledger = open_ledger(file)

    def whole() -> None:
        exports = imports.read_exports(export)
        group = imports.read_group(next(exports), exports, bounds=HOST)
        imports.write_group(ledger, group, islice(imports.read_exports(export), 1, None))

    seconds = took(whole)
    megabytes = most_megabytes()
    plain = took(lambda: as_rows(export, file.with_suffix(".rows")))
    print(json.dumps({"seconds": seconds, "plain": plain, "megabytes": megabytes}))


def as_rows(export: Path, file: Path) -> None:
    """Read every line as JSON and write it as a row, all in one transaction."""
    with closing(sqlite3.connect(file)) as db, db, export.open(encoding="utf-8") as lines:
        db.execute("CREATE TABLE lines (id INTEGER PRIMARY KEY, body TEXT NOT NULL)")
        texts = ((json.dumps(json.loads(line)),) for line in lines)
        db.executemany("INSERT INTO lines (body) VALUES (?)", texts)


if __name__ == "__main__":
    take_in(*map(Path, sys.argv[1:]))
