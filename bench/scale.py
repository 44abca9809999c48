"""Databases of both engines with very many games, compared with one of a hundred.

``python -m bench.scale --games 100000`` measures a large one too; ``--folder`` keeps the files of
SQLite for the next run. Servers on all of them run side by side and get requests in turns.
"""

import argparse
import json
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, suppress
from dataclasses import replace
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from threading import Thread
from uuid import uuid4

import click

from bench.crowd import ROUNDS, Crowd, browser, fill
from bench.requests import BOARD, CHECK, CHECK_NEW, GROUP, HOME, RECORD, SERVE
from bench.serving import Served, once, serve, served
from bench.table import Effort, Row, at_most, format_seconds, note, under
from scorekeeper.store import open_ledger, read_ledger
from tools.postgres_server import Server, programs

FEW, MANY = 100, 1_000
"""The small file still has a group and a browser with many games, to compare all pages."""
BOARDS = 40
"""Evenings differ in length; with fewer boards the median would depend on the choice."""
GROWTH = 1.3
REQUESTS = {
    "board, first time": BOARD,
    "page of a group, first time": GROUP,
    "start page, first time": HOME,
    "record a round": RECORD,
    "board": BOARD,
    "start page": HOME,
    "page of a group": GROUP,
}
BARRED = ("record a round", "board", "board, first time")
READY_S, RECOVERED_S = 0.9, 3.0
BYTES_A_ROUND = 1_000
CHECK_S, NEW_S = 480, 2.0
LARGEST = 100_000
"""The games, with 2,000,000 rounds, that are checked in CHECK_S."""
CLUB = 5, 12
"""Tables of a club, and the rounds that each of them records in an hour."""
TURNS = 30
KILL_AFTER_S = 1.0
ROUND = {"outcome": "out", "winner": 0, "seats": [{}, {"points": 35}, {"points": 12}]}
NEW_GAME = {
    "title": "",
    "rules": {"preset": "german-family"},
    "players": [{"name": name} for name in "ABC"],
}


Place = Path | str
"""A file, or the address of a database of PostgreSQL."""


def shown(games: int, place: Place) -> str:
    """Return how much was measured, and on which engine if it is not SQLite."""
    return f"{games:,} games" + (", PostgreSQL" if isinstance(place, str) else "")


class Site:
    """A server on a database, and a connection to it."""

    def __init__(self, work: str, boards: list[str], group: str, server: Served) -> None:
        self.work, self.server = work, server
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
    opened = server.call("POST", "/api/v1/games", NEW_GAME)
    rights = {"Authorization": f"Bearer {opened['pen']}", "Content-Type": "application/json"}
    return f"/api/v1/games/{opened['id']}/rounds", rights


def new_key() -> dict[str, str]:
    """Return a header with a new idempotency key."""
    return {"Idempotency-Key": str(uuid4())}


def measured(effort: Effort) -> Iterator[Row]:
    """Yield all rows about databases, each compared with the first of its engine."""
    more = [count for count in effort.slow_sizes if count > FEW] or [2 * FEW]
    yield from on_both([FEW, *more], effort.some(TURNS))


def on_both(counts: Sequence[int], turns: int, folder: Path | None = None) -> Iterator[Row]:
    """Yield the rows of SQLite, then of PostgreSQL if it is there."""
    with TemporaryDirectory() as passing:
        yield from compared(counts, turns, lambda games: made(folder or Path(passing), games))
    if (found := programs()) is None:
        note("PostgreSQL is not installed")
        return
    with Server(found) as server:
        yield from compared(counts, turns, lambda games: filled(server.new_database(), games))


def compared(
    counts: Sequence[int], turns: int, database_of: Callable[[int], Place]
) -> Iterator[Row]:
    """Yield the rows for databases with these numbers of games."""
    places = [database_of(games) for games in counts]
    yield from map(size, counts, places)
    yield from checked(counts[-1], places[-1])
    with ExitStack() as stack:
        sites = [
            Site(shown(games, place), *known(place), stack.enter_context(served(*serve(place))))
            for games, place in zip(counts, places, strict=True)
        ]
        for number in range(BOARDS):
            for site in sites:
                site.board_first_time(number)
        for site in sites:
            site.first_time()
        for number in range(turns):
            for site in sites:
                site.turn(number)
        few, *others = sites
        for many in others:
            yield from growth(few, many)
    yield recovered(counts[-1], places[-1])


def known(place: Place) -> tuple[list[str], str]:
    """Return the addresses of some boards and of a group."""
    ledger = read_ledger(place)
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
        filled(part, games)
        part.rename(file)
    return file


def filled(place: Place, games: int) -> Place:
    """Put games into an empty database."""
    ledger = open_ledger(place)
    hidden = not sys.stderr.isatty()
    with click.progressbar(length=games, show_pos=True, hidden=hidden, file=sys.stderr) as bar:
        fill(ledger, Crowd(games), bar.update)
    ledger.close()
    return place


def size(games: int, place: Place) -> Row:
    """Return the bytes on the disk per round."""
    ledger = read_ledger(place)
    each = ledger.store.inspection.size() / (games * ROUNDS)
    ledger.close()
    barred = games >= MANY and isinstance(place, Path)
    bars = (at_most(each, BYTES_A_ROUND, " B"),) if barred else ()
    return Row(
        what="on the disk, each round",
        request=RECORD,
        work=shown(games, place),
        ours=f"{each:.0f} B",
        bars=bars,
    )


def checked(games: int, place: Place) -> Iterator[Row]:
    """Yield the times of a check of everything, and of one after an hour of a club."""
    work = shown(games, place)
    with TemporaryDirectory() as folder:  # where the last check is remembered
        check = ("-m", "scorekeeper", "check", "--data", str(place))
        everything, _ = once(*check, XDG_DATA_HOME=folder)
        with served(*serve(place)) as server:
            tables, rounds = CLUB
            for _ in range(tables):
                path, rights = new_round(server)
                for _ in range(rounds):
                    server.call("POST", path, ROUND, **rights, **new_key())
        new, _ = once(*check, "--new", XDG_DATA_HOME=folder)
    bars = (under(everything, CHECK_S, " s"),) if games >= LARGEST else ()
    yield Row(what="check", request=CHECK, work=work, ours=format_seconds(everything), bars=bars)
    yield Row(
        what="check of a club's last hour",
        request=CHECK_NEW,
        work=work,
        ours=format_seconds(new),
        bars=(under(new, NEW_S, " s"),),
    )


def growth(few: Site, many: Site) -> Iterator[Row]:
    """Yield rows that compare a file of many games with one of few."""

    def row(
        what: str, request: str, shown: Callable[[float], str], own: float, before: float
    ) -> Row:
        baseline = f"{shown(before)} ({few.work})"
        return Row(what=what, request=request, work=many.work, ours=shown(own),
                   baseline=baseline, ratio=own / before)  # fmt: skip

    ready = row("ready", SERVE, format_seconds, many.server.ready, few.server.ready)
    yield replace(ready, bars=(at_most(many.server.ready, READY_S, " s"),))
    for what, times in many.times.items():
        own, before = median(times), median(few.times[what])
        bars = (at_most(own / before, GROWTH),) if what in BARRED else ()
        yield replace(row(what, REQUESTS[what], "{:.1f} ms".format, own, before), bars=bars)
    all_of_them = ", ".join(dict.fromkeys(REQUESTS.values()))
    own, before = many.server.megabytes, few.server.megabytes
    yield row("memory", all_of_them, "{:.0f} MB".format, own, before)


def recovered(games: int, place: Place) -> Row:
    """Return the time to the first page after the server was killed during writes."""
    statuses: list[int] = []
    with served(*serve(place)) as server:
        writing = Thread(target=write, args=(server.port, *new_round(server), statuses))
        writing.start()
        time.sleep(KILL_AFTER_S)
        server.process.kill()
        writing.join()
    if set(statuses) != {201}:
        sys.exit(f"it did not write while it was killed: {sorted(set(statuses))}")
    with served(*serve(place)) as again:
        ready = again.ready
    return Row(
        what="ready after kill -9",
        request=SERVE,
        work=shown(games, place),
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
    """Measure databases of a hundred games and of given sizes."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--games", type=int, nargs="+", default=[MANY])
    parser.add_argument("--folder", type=Path, help="where the files are kept for the next time")
    options = parser.parse_args()
    for line in on_both([FEW, *options.games], TURNS, options.folder):
        print(line, flush=True)


if __name__ == "__main__":
    main()
