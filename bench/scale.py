"""Files with very many games, compared with a file of a hundred.

``python -m bench.scale --games 100000`` measures a large file too; ``--folder`` keeps the files
for the next run. Servers on all files run side by side and get requests in turns.
"""

import argparse
import json
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, suppress
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from threading import Thread
from uuid import uuid4

import click

from bench.crowd import Crowd, browser, fill
from bench.serving import Served, serve, served
from bench.table import Bar, Effort, Row, at_most, format_seconds, note, under
from scorekeeper.store import open_ledger
from scorekeeper.store.sqlite.store import engine_of

FEW, MANY = 100, 1_000
"""The small file still has a group and a browser with many games, to compare all pages."""
BOARDS = 40
"""Evenings differ in length; with fewer boards the median would depend on the choice."""
GROWTH = 1.3
BARRED = ("record a round", "board", "board, first time")
READY_S, RECOVERED_S = 0.9, 3.0
BYTES_A_ROUND = 1_000
TURNS = 30
KILL_AFTER_S = 1.0
ROUND = {"outcome": "out", "winner": 0, "seats": [{}, {"points": 35}, {"points": 12}]}
ORDER = {
    "title": "",
    "rules": {"preset": "german-family"},
    "players": [{"name": name} for name in "ABC"],
}


class House:
    """A server on a file, and a connection to it."""

    def __init__(self, games: int, boards: list[str], group: str, server: Served) -> None:
        self.games, self.server = games, server
        self._boards, self._group = boards, group
        self.times: dict[str, list[float]] = {}
        """Times in ms by kind of request."""
        self._connection = HTTPConnection("127.0.0.1", server.port)
        self._round = new_round(server)
        self._fifty, self._club = ({"Cookie": f"browser={browser(one)}"} for one in range(2))

    def board_first_time(self, number: int) -> None:
        """Request a board for the first time since the start."""
        self._ask("board, first time", "GET", self._boards[number], self._fifty)

    def first_time(self) -> None:
        """Request the page of a group, and a browser's list of games, for the first time."""
        self._ask("page of a group, first time", "GET", self._group, self._club)
        self._ask("start page, first time", "GET", "/", self._fifty)

    def turn(self, number: int) -> None:
        """Record a round and request pages again."""
        path, rights = self._round
        self._ask("record a round", "POST", path, rights | new_key(), json.dumps(ROUND))
        board = self._boards[number % len(self._boards)]
        self._ask("board", "GET", board, self._fifty)
        self._ask("start page", "GET", "/", self._fifty)
        self._ask("page of a group", "GET", self._group, self._club)

    def _ask(
        self, what: str, method: str, path: str, headers: dict[str, str], body: str | None = None
    ) -> None:
        begun = time.perf_counter()
        self._connection.request(method, path, body, headers)
        answer = self._connection.getresponse()
        content = answer.read().decode()
        self.times.setdefault(what, []).append((time.perf_counter() - begun) * 1000)
        if answer.status >= 400:
            sys.exit(f"{method} {path}: {answer.status} {content[:200]}")


def new_round(server: Served) -> tuple[str, dict[str, str]]:
    """Begin a game; return the path and the headers to record a round."""
    opened = server.call("POST", "/api/v1/games", ORDER)
    rights = {"Authorization": f"Bearer {opened['pen']}", "Content-Type": "application/json"}
    return f"/api/v1/games/{opened['id']}/rounds", rights


def new_key() -> dict[str, str]:
    """Return a header with a new idempotency key."""
    return {"Idempotency-Key": str(uuid4())}


def measured(effort: Effort) -> Iterator[Row]:
    """Yield all rows about files, each compared with the first."""
    more = [count for count in effort.slow_sizes if count > FEW] or [2 * FEW]
    yield from compared([FEW, *more], effort.some(TURNS))


def compared(counts: Sequence[int], turns: int, folder: Path | None = None) -> Iterator[Row]:
    """Yield the rows for files with these numbers of games."""
    with TemporaryDirectory() as passing, ExitStack() as stack:
        files = [made(folder or Path(passing), games) for games in counts]
        yield from map(size, counts, files)
        houses = [
            House(games, *known(file), stack.enter_context(served(*serve(file))))
            for games, file in zip(counts, files, strict=True)
        ]
        for number in range(BOARDS):
            for house in houses:
                house.board_first_time(number)
        for house in houses:
            house.first_time()
        for number in range(turns):
            for house in houses:
                house.turn(number)
        few, *others = houses
        for many in others:
            yield from growth(few, many)
        stack.close()
        yield recovered(counts[-1], files[-1])


def known(file: Path) -> tuple[list[str], str]:
    """Return the addresses of some boards and of a group."""
    ledger = open_ledger(file)
    games = [f"/g/{game}" for game, _ in ledger.rights.books_of(browser(0), "game")[:BOARDS]]
    ((group, _),) = ledger.rights.books_of(browser(1), "group")
    ledger.close()
    return games, f"/s/{group}"


def made(folder: Path, games: int) -> Path:
    """Return a file with this many games, making it if it does not exist."""
    file = folder / f"{games}.sqlite"
    if file.exists():
        return file
    note(f"a file with {games:,} games is made")
    folder.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=folder) as apart:
        part = Path(apart, file.name)
        ledger = open_ledger(part)
        hidden = not sys.stderr.isatty()
        with click.progressbar(length=games, show_pos=True, hidden=hidden, file=sys.stderr) as bar:
            fill(ledger, Crowd(games), bar.update)
        ledger.close()
        part.rename(file)
    return file


def size(games: int, file: Path) -> Row:
    """Return the bytes of the file per round."""
    ledger = open_ledger(file)
    (rounds,) = engine_of(ledger).row("SELECT count(*) FROM events WHERE kind = 'round'")
    ledger.close()
    each = file.stat().st_size / rounds
    bars = (at_most(each, BYTES_A_ROUND, " B"),) if games >= MANY else ()
    return Row(what="file, each round", work=f"{games:,} games", ours=f"{each:.0f} B", bars=bars)


def growth(few: House, many: House) -> Iterator[Row]:
    """Yield rows that compare a file of many games with one of few."""
    ready, before = many.server.ready, few.server.ready
    bar = at_most(ready, READY_S, " s")
    yield grown_line(
        "ready", few, many, (format_seconds(ready), format_seconds(before)), ready / before, bar
    )
    for what, times in many.times.items():
        own, before = median(times), median(few.times[what])
        bars = (at_most(own / before, GROWTH),) if what in BARRED else ()
        shown = f"{own:.1f} ms", f"{before:.1f} ms"
        yield grown_line(what, few, many, shown, own / before, *bars)
    own, before = many.server.megabytes, few.server.megabytes
    yield grown_line("memory", few, many, (f"{own:.0f} MB", f"{before:.0f} MB"), own / before)


def grown_line(
    what: str, few: House, many: House, shown: tuple[str, str], ratio: float, *bars: Bar
) -> Row:
    """Return the row of one kind of request."""
    own, before = shown
    compare = f"{before} ({few.games:,} games)"
    work = f"{many.games:,} games"
    return Row(what=what, work=work, ours=own, baseline=compare, ratio=ratio, bars=bars)


def recovered(games: int, file: Path) -> Row:
    """Return the time to the first page after the server was killed during writes."""
    statuses: list[int] = []
    with served(*serve(file)) as server:
        writing = Thread(target=write, args=(server.port, *new_round(server), statuses))
        writing.start()
        time.sleep(KILL_AFTER_S)
        server.process.kill()
        writing.join()
    if set(statuses) != {201}:
        sys.exit(f"it did not write while it was killed: {sorted(set(statuses))}")
    with served(*serve(file)) as again:
        ready = again.ready
    return Row(
        what="ready after kill -9",
        work=f"{games:,} games",
        ours=format_seconds(ready),
        bars=(under(ready, RECOVERED_S, " s"),),
    )


def write(port: int, path: str, rights: dict[str, str], statuses: list[int]) -> None:
    """Record rounds until the server is gone."""
    connection = HTTPConnection("127.0.0.1", port)
    with suppress(OSError, HTTPException):
        while True:
            connection.request("POST", path, json.dumps(ROUND), rights | new_key())
            answer = connection.getresponse()
            answer.read()
            statuses.append(answer.status)


def main() -> None:
    """Measure a file of a hundred games and files of given sizes."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--games", type=int, nargs="+", default=[MANY])
    parser.add_argument("--folder", type=Path, help="where the files are kept for the next time")
    options = parser.parse_args()
    for line in compared([FEW, *options.games], TURNS, options.folder):
        print(line, flush=True)


if __name__ == "__main__":
    main()
