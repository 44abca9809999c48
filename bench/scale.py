"""Whether a file with very many games is as quick as one with a hundred.

``python -m bench.scale --games 100000`` measures the large one too; ``--folder`` keeps the
files for the next time. Servers on all files run side by side and are asked in turns.
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
import psutil

from bench.crowd import Crowd, browser, fill
from bench.serving import Served, serve, served
from scorekeeper.store.ledger import open_ledger

Found = tuple[str, str, str, float | None, str, bool]
"""What, ours, baseline, ratio, bar, whether it held."""
FEW, MANY = 100, 1_000
"""The fewest have a group and a browser full of games, so that all pages can be compared."""
BOARDS = 10
GROWTH = 1.3
BARRED = ("record a round", "board", "board, first time")
READY_S, RECOVERED_S = 1.5, 3.0
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
    """A server on a file, with one connection to it."""

    def __init__(self, games: int, boards: list[str], group: str, server: Served) -> None:
        self.games, self.server = games, server
        self._boards, self._group = boards, group
        self.times: dict[str, list[float]] = {}
        """In ms, by what was asked for."""
        self._connection = HTTPConnection("127.0.0.1", server.port)
        self._round = new_round(server)
        self._fifty, self._club = ({"Cookie": f"browser={browser(one)}"} for one in range(2))

    def first_time(self) -> None:
        """Boards and a group that nobody has looked at since the start."""
        for path in self._boards:
            self._ask("board, first time", "GET", path, self._fifty)
        self._ask("page of a group, first time", "GET", self._group, self._club)
        self._ask("start page, first time", "GET", "/", self._fifty)

    def turn(self, number: int) -> None:
        """A round, and pages that somebody has looked at."""
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
        said = answer.read().decode()
        self.times.setdefault(what, []).append((time.perf_counter() - begun) * 1000)
        if answer.status >= 400:
            sys.exit(f"{method} {path}: {answer.status} {said[:200]}")

    @property
    def megabytes(self) -> float:
        """What the server holds."""
        return float(psutil.Process(self.server.process.pid).memory_info().rss) / 1e6


def new_round(server: Served) -> tuple[str, dict[str, str]]:
    """Where a round of a new game is recorded, and by what right."""
    opened = server.call("POST", "/api/v1/games", ORDER)
    rights = {"Authorization": f"Bearer {opened['pen']}", "Content-Type": "application/json"}
    return f"/api/v1/games/{opened['id']}/rounds", rights


def new_key() -> dict[str, str]:
    """Every round is another one."""
    return {"Idempotency-Key": str(uuid4())}


def measured(counts: Sequence[int] = (FEW, MANY), folder: Path | None = None) -> Iterator[Found]:
    """Every line about files of so many games, each held against the first."""
    with TemporaryDirectory() as passing, ExitStack() as stack:
        files = [made(folder or Path(passing), games) for games in counts]
        yield from map(size, counts, files)
        houses = [
            House(games, *known(file), stack.enter_context(served(*serve(file))))
            for games, file in zip(counts, files, strict=True)
        ]
        for house in houses:
            house.first_time()
        for number in range(TURNS):
            for house in houses:
                house.turn(number)
        few, *others = houses
        for many in others:
            yield from growth(few, many)
        stack.close()
        yield recovered(counts[-1], files[-1])


def known(file: Path) -> tuple[list[str], str]:
    """The addresses of some boards and of a group."""
    ledger = open_ledger(file)
    games = [f"/g/{game}" for game, _ in ledger.books_of(browser(0), "game")[:BOARDS]]
    ((group, _),) = ledger.books_of(browser(1), "group")
    ledger.close()
    return games, f"/s/{group}"


def made(folder: Path, games: int) -> Path:
    """A file with so many games, unless it was made before."""
    file = folder / f"{games}.sqlite"
    if not file.exists():
        part = file.with_suffix(".part")
        ledger = open_ledger(part)
        hidden = not sys.stderr.isatty()
        with click.progressbar(length=games, show_pos=True, hidden=hidden, file=sys.stderr) as bar:
            fill(ledger, Crowd(games), bar.update)
        ledger.close()
        part.rename(file)
    return file


def size(games: int, file: Path) -> Found:
    """Bytes of the file for each of its rounds."""
    ledger = open_ledger(file)
    (rounds,) = ledger.engine.row("SELECT count(*) FROM events WHERE kind = 'round'")
    ledger.close()
    each = file.stat().st_size / rounds
    bar = f"at most {BYTES_A_ROUND} B" if games >= MANY else ""
    what = f"file of {games:,} games, a round"
    return what, f"{each:.0f} B", "", None, bar, each <= BYTES_A_ROUND


def growth(few: House, many: House) -> Iterator[Found]:
    """What a file of many games takes beside one of few."""
    name, base = f"{many.games:,} games", f"({few.games} games)"
    ready, before = many.server.ready, few.server.ready
    told = f"{ready:.2f} s", f"{before:.2f} s {base}"
    yield f"ready, {name}", *told, ready / before, f"under {READY_S:.2f} s", ready < READY_S
    for what, times in many.times.items():
        own, before = median(times), median(few.times[what])
        bar, ratio = f"at most {GROWTH:.2f}" if what in BARRED else "", own / before
        told = f"{own:.1f} ms", f"{before:.1f} ms {base}"
        yield f"{what}, {name}", *told, ratio, bar, ratio <= GROWTH
    own, before = many.megabytes, few.megabytes
    yield f"memory, {name}", f"{own:.0f} MB", f"{before:.0f} MB {base}", own / before, "", True


def recovered(games: int, file: Path) -> Found:
    """From the command to the first page after the server was killed while it wrote."""
    with served(*serve(file)) as server:
        writing = Thread(target=write, args=(server.port, *new_round(server)))
        writing.start()
        time.sleep(KILL_AFTER_S)
        server.process.kill()
        writing.join()
    with served(*serve(file)) as again:
        ready = again.ready
    bar = f"under {RECOVERED_S:.2f} s"
    what = f"ready after kill -9, {games:,} games"
    return what, f"{ready:.2f} s", "", None, bar, ready < RECOVERED_S


def write(port: int, path: str, rights: dict[str, str]) -> None:
    """Record one round after the other, as long as there is a server."""
    connection = HTTPConnection("127.0.0.1", port)
    with suppress(OSError, HTTPException):
        while True:
            connection.request("POST", path, json.dumps(ROUND), rights | new_key())
            connection.getresponse().read()


def main() -> None:
    """Measure a file of a hundred games and files of as many as wished."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--games", type=int, nargs="+", default=[MANY])
    parser.add_argument("--folder", type=Path, help="where the files are kept for the next time")
    wished = parser.parse_args()
    shape = "{:<42} {:>10}  {:<22} {:>5}  {:<14} {}"
    for what, ours, baseline, ratio, bar, held in measured([FEW, *wished.games], wished.folder):
        shown = "" if ratio is None else f"{ratio:.2f}"
        verdict = "" if not bar else "held" if held else "MISSED"
        print(shape.format(what, ours, baseline, shown, bar, verdict), flush=True)


if __name__ == "__main__":
    main()
