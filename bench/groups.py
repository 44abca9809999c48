"""Groups with many years of evenings: their pages, an import, and making the demo.

Pages are requested inside this process; ``web`` measures what HTTP adds.
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

from bench.measuring import alternately, most_megabytes, seconds_of
from bench.requests import DEMO, GROUP, IMPORT, SEASON, STATISTICS
from bench.table import Effort, Row, at_most, format_seconds, under
from scorekeeper import create_app
from scorekeeper.services import exports, imports
from scorekeeper.services.demo import ROUNDS, DemoSettings, make
from scorekeeper.services.import_checks import HOST
from scorekeeper.store import open_ledger

FEW, MANY, MEMBERS = 20, 2_000, 20
PAGE_MS, IMPORT_S, DEMO_S = 300, 60, 60
LAST_DAY = date(2026, 6, 12)
FLAT_MB = 40
"""The memory that the large import may need beyond the small one."""
PAGES = (
    ("page of a group", GROUP, 2.0),
    ("season of all", SEASON, None),
    ("statistics of all", STATISTICS, None),
)
"""Name, request, and the allowed ratio to the same page with few evenings."""


def measured(effort: Effort) -> Iterator[Row]:
    """Yield all rows about groups."""
    many = max(effort.some(MANY), 2 * FEW)
    with TemporaryDirectory() as folder:
        files = {count: Path(folder, f"{count}.sqlite") for count in (FEW, many)}
        few, long = (made(file, count) for count, file in files.items())
        yield Row(
            what="demo made up and written",
            request=DEMO,
            work=f"{many:,} evenings",
            ours=format_seconds(long),
            baseline=f"{format_seconds(few)} ({FEW} evenings)",
            ratio=long / few,
            bars=(under(long, DEMO_S, " s"),),
        )
        for what, request, most in PAGES:
            few, long = answered(effort, request.removeprefix("GET "), *files.values())
            yield Row(
                what=what,
                request=request,
                work=f"{many:,} evenings",
                ours=format_seconds(long),
                baseline=f"{format_seconds(few)} ({FEW} evenings)",
                ratio=long / few,
                bars=(
                    under(long * 1000, PAGE_MS, " ms"),
                    *((at_most(long / few, most),) if most else ()),
                ),
            )
        small, large = (imported(file) for file in files.values())
        rounds, less = many * ROUNDS, FEW * ROUNDS
        yield Row(
            what="import",
            request=IMPORT,
            work=f"{rounds:,} rounds",
            ours=f"{format_seconds(large['seconds'])}",
            baseline=f"{format_seconds(large['plain'])} (json, a row a line)",
            ratio=large["seconds"] / large["plain"],
            bars=(under(large["seconds"], IMPORT_S, " s"),),
        )
        more = large["megabytes"] - small["megabytes"]
        yield Row(
            what="memory of that import",
            request=IMPORT,
            work=f"{rounds:,} rounds",
            ours=f"{large['megabytes']:.0f} MB",
            baseline=f"{small['megabytes']:.0f} MB ({less:,} rounds)",
            ratio=large["megabytes"] / small["megabytes"],
            bars=(under(more, FLAT_MB, " MB more"),),
        )


def made(file: Path, evenings: int) -> float:
    """Return the seconds that making a group takes."""
    ledger = open_ledger(file)
    seconds = seconds_of(
        lambda: make(ledger, DemoSettings(evenings, MEMBERS, seed=1, until=LAST_DAY))
    )
    ledger.close()
    return seconds


def answered(effort: Effort, path: str, *files: Path) -> list[float]:
    """Return the seconds for a page from each of the files, requested in turns."""
    with ExitStack() as stack:
        asks = [stack.enter_context(asking(file, path)) for file in files]
        return alternately(replace(effort, runs=3 * effort.runs), *asks)


@contextmanager
def asking(file: Path, path: str) -> Iterator[Callable[[], float]]:
    """Yield a function that requests a page of the group and returns the seconds taken."""
    app = create_app({"DATA": file, "TESTING": True})
    ledger = app.extensions["ledger"]
    (group_id,) = ledger.groups()
    secret = "bench"
    with ledger.book_transaction(group_id) as transaction:
        transaction.replace_secret("watch", secret)
    ledger.rights.remember("bench", group_id, secret)
    client = app.test_client()
    client.set_cookie("browser", "bench")

    def ask() -> None:
        answer = client.get(path.format(group=group_id))
        if answer.status_code != 200:
            sys.exit(f"{path}: {answer.status_code}")

    yield lambda: seconds_of(ask)
    ledger.close()


def imported(file: Path) -> dict[str, float]:
    """Return time and peak memory of an import into a new file, in a subprocess."""
    export = file.with_suffix(".jsonl")
    ledger = open_ledger(file)
    with export.open("w", encoding="utf-8") as out:
        for line in exports.group_lines(ledger, ledger.groups()[0]):
            out.write(line + "\n")
    ledger.close()
    command = [sys.executable, "-m", "bench.groups", str(export), str(file.with_suffix(".in"))]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    found: dict[str, float] = json.loads(done.stdout)
    return found


def import_book(export: Path, file: Path) -> None:
    """Run the import, then insert the same lines as plain rows."""
    ledger = open_ledger(file)

    def whole() -> None:
        exports = imports.read_exports(export)
        group = imports.read_group(next(exports), exports, bounds=HOST)
        imports.write_group(ledger, group, islice(imports.read_exports(export), 1, None))

    seconds = seconds_of(whole)
    megabytes = most_megabytes()
    plain = seconds_of(lambda: as_rows(export, file.with_suffix(".rows")))
    print(json.dumps({"seconds": seconds, "plain": plain, "megabytes": megabytes}))


def as_rows(export: Path, file: Path) -> None:
    """Parse every line as JSON and insert it as a row, all in one transaction."""
    with closing(sqlite3.connect(file)) as db, db, export.open(encoding="utf-8") as lines:
        db.execute("CREATE TABLE lines (id INTEGER PRIMARY KEY, body TEXT NOT NULL)")
        texts = ((json.dumps(json.loads(line)),) for line in lines)
        db.executemany("INSERT INTO lines (body) VALUES (?)", texts)


if __name__ == "__main__":
    import_book(*map(Path, sys.argv[1:]))
