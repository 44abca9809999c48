"""Our server, compared with plain Flask on the same HTTP server and disk."""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import date
from functools import reduce
from itertools import cycle, islice
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

from bench.measuring import alternately
from bench.requests import BOARD, ENTRY, HELP, HOME, RECORD, SERVE, SHEET
from bench.serving import Served, once, serve, served
from bench.table import Bar, Effort, Row, Step, at_least, at_most, format_seconds, note
from scorekeeper.domain.game import Game, created
from scorekeeper.services.backfill import played_game
from scorekeeper.services.demo import evening_of, people_of
from scorekeeper.store import open_ledger

PHONES = 4
EXAMPLE = Path(__file__).parents[1] / "examples" / "evening.json"
WATCHING = {"Cookie": "browser=bench"}
DAY = date(2026, 6, 12)
BOARD_ROUNDS = (10, 300)
"""Numbers of rounds of a short and a long board."""
MAX_ROUNDS = 1_000
"""The limit of rounds in a game."""
READY_S, COMMAND_S, MEMORY_MB, LONGER, BOARD_LONGER = 0.9, 0.25, 120, 1.5, 3.0
RECORDED, NOT_MODIFIED, BOARD_PAGE, ENTRY_PAGE = 0.8, 0.8, 0.2, 0.15
"""The least share of plain Flask's throughput."""


@dataclass(frozen=True)
class Pair:
    """Our server and the plain one, with the games of ours."""

    effort: Effort
    ours: Served
    bare: Served
    games: dict[int, str]
    """Addresses by number of rounds; ``WATCHING`` may read them."""

    def compared(
        self,
        what: str,
        request: str,
        own: list[dict[str, Any]],
        base: dict[str, Any],
        bar: Callable[[float], Bar] | None = None,
        growth: tuple[Step, ...] = (),
        per: str = "rounds of the game",
        more_turns: int = 1,
    ) -> Row:
        """Return a row with the answers per second of both, measured in turns."""
        ours, bare = alternately(
            replace(self.effort, runs=more_turns * self.effort.runs),
            lambda: self.ours.throughput(*own),
            lambda: self.bare.throughput(*[base] * PHONES),
        )
        return Row(
            what=what,
            request=request,
            work=f"{PHONES} phones at once",
            ours=f"{ours:,.0f}/s",
            baseline=f"{bare:,.0f}/s (bare Flask)",
            ratio=ours / bare,
            bars=(bar(ours / bare),) if bar else (),
            growth=growth,
            per=per,
        )

    def steps(self, request_of: Callable[[str], dict[str, Any]]) -> tuple[Step, ...]:
        """Return time per answer and memory of the server by number of rounds."""
        found = []
        for rounds, path in self.games.items():
            if rounds not in self.effort.sizes:
                continue
            before = self.ours.megabytes
            times = self.ours.load(request_of(path), most=self.effort.some(300))
            more = max(0.0, self.ours.megabytes - before)
            found.append(Step(rounds, median(times) / 1000, more))
        return tuple(found)


def measured(effort: Effort) -> Iterator[Row]:
    """Yield all rows about servers."""
    with TemporaryDirectory() as folder:
        data, rows = Path(folder, "ours.sqlite"), Path(folder, "bare.sqlite")
        counts = sorted({*BOARD_ROUNDS, *(count for count in effort.sizes if count <= MAX_ROUNDS)})
        games = {rounds: written_down(data, rounds) for rounds in counts}
        yield from start_up(effort, data, Path(folder))
        yield from commands(effort)
        with served(*serve(data)) as ours, served(*bare_server(rows)) as bare:
            pair = Pair(effort, ours, bare, games)
            yield memory(pair)
            yield recording(pair)
            yield not_modified(pair)
            yield page(pair, "200 of the board", BOARD, BOARD_PAGE)
            yield page(pair, "entry page", ENTRY, ENTRY_PAGE)
            yield long_board(pair)
            yield long_game(pair)


def bare_server(rows: Path) -> tuple[str, ...]:
    """Return the command of the plain server."""
    return "-m", "bench.bare", str(rows)


def written_down(data: Path, rounds: int) -> str:
    """Store a running game with this many rounds and return its address."""
    chance = Random(1)  # the same players and rules for every length
    evening = evening_of(people_of(4, chance), DAY, chance)
    of_length = replace(
        evening,
        rounds=tuple(islice(cycle(evening.rounds), rounds)),
        at=tuple(islice(cycle(evening.at), rounds + 2)),
    )
    over, (first, *events) = played_game(of_length)
    game = reduce(Game.apply, events[:rounds], created(over.id, first))
    ledger = open_ledger(data)
    pen, _ = ledger.import_book(game, [first, *events[:rounds]])
    ledger.rights.remember("bench", game.id, pen)
    ledger.close()
    return f"/g/{game.id}"


def start_up(effort: Effort, data: Path, folder: Path) -> Iterator[Row]:
    """Yield wall-clock and processor time until a server is ready, and the time of a first page."""
    ours: list[tuple[float, ...]] = []
    bare: list[tuple[float, ...]] = []
    for run in range(effort.runs):
        for found, command in (ours, serve(data)), (bare, bare_server(folder / f"{run}.bare")):
            with served(*command) as server:
                found.append((server.ready, server.ready_processor, server.first))
    for (what, request, work, most), own, base in zip(
        (
            ("ready to serve", SERVE, "from the command", READY_S),
            ("ready, time of the processor", SERVE, "from the command", READY_S),
            ("first page", HOME, "as soon as it is ready", None),
        ),
        map(median, zip(*ours, strict=True)),
        map(median, zip(*bare, strict=True)),
        strict=True,
    ):
        yield Row(
            what=what,
            request=request,
            work=work,
            ours=format_seconds(own),
            baseline=f"{format_seconds(base)} (bare Flask)",
            ratio=own / base,
            bars=(at_most(own, most, " s"),) if most else (),
        )


def commands(effort: Effort) -> Iterator[Row]:
    """Yield the time of commands that end by themselves, beside Python with click."""
    for request, *files in (HELP,), (SHEET, str(EXAMPLE)):
        name = request.removeprefix("scorekeeper ")
        runs = [
            (*once("-m", "scorekeeper", name, *files), *once("-c", "import click"))
            for _ in range(effort.runs)
        ]
        seconds, processor, base, _ = map(median, zip(*runs, strict=True))
        yield Row(
            what="a command",
            request=request,
            work="from its start to its end",
            ours=f"{format_seconds(seconds)} (processor {format_seconds(processor)})",
            baseline=f"{format_seconds(base)} (Python and click)",
            ratio=seconds / base,
            bars=(at_most(seconds, COMMAND_S, " s"),),
        )


def memory(pair: Pair) -> Row:
    """Return the memory of all processes of a server after requests, half of them writes."""
    many = pair.effort.some(1000) // 2
    own = [read_request("/"), open_table(pair.ours)]
    base = [read_request("/"), open_table(pair.ours) | {"path": "/row"}]
    for server, requests in ((pair.ours, own), (pair.bare, base)):
        server.load(*requests, seconds=600, most=many)
    held, bare = pair.ours.megabytes_of_all, pair.bare.megabytes_of_all
    return Row(
        what="memory of all processes",
        request=f"{HOME}, {RECORD}",
        work=f"after {2 * many:,} requests",
        ours=f"{held:.0f} MB",
        baseline=f"{bare:.0f} MB (bare Flask)",
        ratio=held / bare,
        bars=(at_most(held, MEMORY_MB, " MB"),),
    )


def recording(pair: Pair) -> Row:
    """Return the rate of rounds recorded over HTTP, each durable when answered."""
    records = [open_table(pair.ours) for _ in range(PHONES)]
    row = records[0] | {"path": "/row"}
    growth = []
    for count in pair.effort.slow_sizes:
        if count > MAX_ROUNDS:
            note(f"{count:,} rounds are recorded")
        before, seconds_of = pair.ours.megabytes, 0.0
        for left in range(count, 0, -PHONES * MAX_ROUNDS):
            tables = [open_table(pair.ours) for _ in range(PHONES)]
            many = min(left, PHONES * MAX_ROUNDS)
            seconds_of += sum(pair.ours.load(*tables, seconds=3600, most=many)) / 1000 / PHONES
        growth.append(Step(count, seconds_of, max(0.0, pair.ours.megabytes - before)))
    return pair.compared(
        "record a round (checked, scored, synced)",
        RECORD,
        records,
        row,
        lambda ratio: at_least(ratio, RECORDED),
        tuple(growth),
        "rounds recorded",
        more_turns=3,  # the time of a disk sync varies
    )


def not_modified(pair: Pair) -> Row:
    """Return the rate of polls for an unchanged board, which phones send every few seconds."""

    def poll(path: str) -> dict[str, Any]:
        tag = pair.ours.call("GET", path, **WATCHING).headers["ETag"]
        return read_request(path, 304, WATCHING | {"If-None-Match": tag})

    return pair.compared(
        "304 of the board",
        BOARD,
        [poll(pair.games[10])] * PHONES,
        read_request("/", 304, {"If-None-Match": '"1"'}),
        lambda ratio: at_least(ratio, NOT_MODIFIED),
        pair.steps(poll),
    )


def page(pair: Pair, what: str, request: str, least: float) -> Row:
    """Return the rate of a compressed page; the plain one is as long and uncompressed."""

    def request_of(board: str) -> dict[str, Any]:
        path = request.replace(BOARD, board)
        return read_request(path, 200, WATCHING | {"Accept-Encoding": "gzip"})

    own = request_of(pair.games[10])
    size = int(pair.ours.call("GET", own["path"], **WATCHING).headers["Content-Length"])
    base, named = read_request(f"/page/{size}"), f"{what}, {size // 1000} kB"
    return pair.compared(
        named,
        request,
        [own] * PHONES,
        base,
        lambda ratio: at_least(ratio, least),
        pair.steps(request_of),
    )


def long_board(pair: Pair) -> Row:
    """Return how the board of a very long evening compares with a short one."""
    short, long = (
        lambda rounds=rounds: median(
            pair.ours.load(read_request(pair.games[rounds], 200, WATCHING), most=100)
        )
        for rounds in BOARD_ROUNDS
    )
    base, own = alternately(pair.effort, short, long)
    return Row(
        what="board of 300 rounds",
        request=BOARD,
        work="1 phone",
        ours=f"{own:.1f} ms",
        baseline=f"{base:.1f} ms (10 rounds)",
        ratio=own / base,
        bars=(at_most(own / base, BOARD_LONGER),),
    )


def long_game(pair: Pair) -> Row:
    """Return how late rounds (991 to 1,010) of a game compare with early ones (1 to 20)."""
    last = pair.effort.some(1010)
    young, old = [], []
    for _ in range(min(3, pair.effort.runs)):
        times = pair.ours.load(open_table(pair.ours), seconds=600, most=last)
        young.append(median(times[:20]))
        old.append(median(times[-20:]))
    own, base = median(old), median(young)
    return Row(
        what=f"record round {last - 10:,}",
        request=RECORD,
        work="1 phone",
        ours=f"{own:.2f} ms",
        baseline=f"{base:.2f} ms (round 10)",
        ratio=own / base,
        bars=(at_most(own / base, LONGER),),
    )


def open_table(ours: Served) -> dict[str, Any]:
    """Begin the example game; return the request that records its first round."""
    opened, rounds = open_example(ours)
    return {
        "method": "POST",
        "path": f"/api/v1/games/{opened['id']}/rounds",
        "headers": {
            "Authorization": f"Bearer {opened['pen']}",
            "Content-Type": "application/json",
        },
        "body": json.dumps(rounds[0]),
        "expect": 201,
    }


def open_example(ours: Served) -> tuple[Any, list[Any]]:
    """Begin the example game; return the answer, and the rounds to record."""
    about = json.loads(EXAMPLE.read_text(encoding="utf-8"))
    new_game = {name: about[name] for name in ("title", "rules", "stake", "players")}
    return ours.call("POST", "/api/v1/games", new_game), about["rounds"]


def read_request(
    path: str, expect: int = 200, headers: dict[str, str] | None = None
) -> dict[str, Any]:
    """Return a reading request."""
    return {"method": "GET", "path": path, "headers": headers or {}, "expect": expect}
