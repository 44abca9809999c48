"""Our server, compared with plain Flask on the same HTTP server and disk."""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import mean, median
from tempfile import TemporaryDirectory
from typing import Any

from bench import evenings
from bench.evenings import Evening, Request, read_request, record_request
from bench.measuring import alternately
from bench.requests import BOARD, ENTRY, HELP, HOME, RECORD, SERVE, SHEET
from bench.serving import Served, once, serve, served
from bench.table import Effort, Growth, Row, Step, at_least, at_most, format_seconds, note

PHONES = len(evenings.PHONES)
EXAMPLE = Path(__file__).parents[1] / "examples" / "evening.json"
EVENINGS = 100
"""Evenings under way, at each of which rounds are recorded and the new pages asked for."""
SHORT, LONG = 10, 300
"""Rounds of a short and a long board."""
MAX_ROUNDS = 1_000
"""The limit of rounds in a game."""
ASKS = 4
"""New rounds after which a page is asked for, to see how its time grows."""
READY_S, COMMAND_S, MEMORY_MB, LONGER, BOARD_LONGER = 0.9, 0.25, 120, 1.5, 3.0
RECORDED, NOT_MODIFIED, BOARD_PAGE, ENTRY_PAGE = 0.65, 0.8, 0.15, 0.12
"""The least share of plain Flask's throughput."""


@dataclass(frozen=True)
class Pair:
    """Our server and the plain one, with the evenings of ours."""

    effort: Effort
    ours: Served
    bare: Served
    by_length: dict[int, Evening]
    """Evenings that grow to these numbers of rounds."""
    long: Evening
    evenings: list[Evening]

    def compared(
        self,
        what: str,
        request: str,
        ours: Callable[[], float],
        bare: Callable[[], float],
        least: float,
        more_turns: int = 1,
    ) -> Row:
        """Return a row with the answers per second of both, measured in turns."""
        own, base = alternately(
            replace(self.effort, runs=more_turns * self.effort.runs), ours, bare
        )
        return Row(
            what=what,
            request=request,
            work=f"{PHONES} phones at once",
            ours=f"{own:,.0f}/s",
            baseline=f"{base:,.0f}/s (bare Flask)",
            ratio=own / base,
            bars=(at_least(own / base, least),),
        )

    def growth(self, times_of: Callable[[Evening], list[float]]) -> Growth:
        """Return time per answer and memory of the server by number of rounds."""
        found = []
        for rounds, one in self.by_length.items():
            before = self.ours.megabytes
            seconds = median(times_of(one)) / 1000
            found.append(Step(rounds, seconds, max(0.0, self.ours.megabytes - before)))
        return Growth(found, "rounds of the game")

    def size_of(self, request: Request) -> int:
        """Return the length of an answer before it is compressed."""
        cookie = request["headers"]["Cookie"]
        answer = self.ours.call("GET", request["path"], Cookie=cookie)
        return int(answer.headers["Content-Length"])


def measured(effort: Effort) -> Iterator[Row]:
    """Yield all rows about servers."""
    with TemporaryDirectory() as folder:
        data, rows = Path(folder, "ours.sqlite"), Path(folder, "bare.sqlite")
        sizes = [count for count in effort.sizes if 2 * ASKS <= count <= MAX_ROUNDS]
        by_length = {count: evenings.begun(data, count - 2 * ASKS) for count in sizes}
        long = evenings.begun(data, LONG)
        under_way = [evenings.begun(data, SHORT) for _ in range(max(PHONES, effort.some(EVENINGS)))]
        yield from start_up(effort, data, Path(folder))
        yield from commands(effort)
        with served(*serve(data)) as ours, served(*bare_server(rows)) as bare:
            pair = Pair(effort, ours, bare, by_length, long, under_way)
            yield memory(pair)
            yield recording(pair)
            yield not_modified(pair)
            yield boards(pair)
            yield entry_pages(pair)
            yield long_board(pair)
            yield long_game(pair)


def bare_server(rows: Path) -> tuple[str, ...]:
    """Return the command of the plain server."""
    return "-m", "bench.bare", str(rows)


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
    compared = pair.compared(
        "record a round (checked, scored, synced)",
        RECORD,
        lambda: pair.ours.throughput(*records),
        lambda: pair.bare.throughput(*[row] * PHONES),
        RECORDED,
        more_turns=3,  # the time of a disk sync varies
    )
    return replace(compared, growth=Growth(growth, "rounds recorded"))


def not_modified(pair: Pair) -> Row:
    """Return the rate of polls for an unchanged board, which phones send every few seconds."""

    def poll(one: Evening) -> Request:
        read = one.read()
        tag = pair.ours.call("GET", read["path"], **read["headers"]).headers["ETag"]
        return read_request(read["path"], 304, read["headers"] | {"If-None-Match": tag})

    own = [poll(pair.evenings[0])] * PHONES
    base = read_request("/", 304, {"If-None-Match": '"1"'})
    row = pair.compared(
        "304 of the board",
        BOARD,
        lambda: pair.ours.throughput(*own),
        lambda: pair.bare.throughput(*[base] * PHONES),
        NOT_MODIFIED,
    )
    most = pair.effort.some(300)
    return replace(row, growth=pair.growth(lambda one: pair.ours.load(poll(one), most=most)))


def boards(pair: Pair) -> Row:
    """Return the rate at which all phones of a table get the new board after a round."""
    phones = [[evening.read(phone=phone) for evening in pair.evenings] for phone in evenings.PHONES]
    row = after_each_round(pair, "200 of the board", BOARD, phones, BOARD_PAGE)
    work = f"{PHONES} phones at a table, each asks once after a round; {PHONES - 1} only watch"
    return replace(row, work=work)


def entry_pages(pair: Pair) -> Row:
    """Return the rate at which those who write get the form of the next round."""
    writers = [pair.evenings[number::PHONES] for number in range(PHONES)]
    row = after_each_round(
        pair,
        "entry page",
        ENTRY,
        [[one.read("/round") for one in some] for some in writers],
        ENTRY_PAGE,
        more_turns=3,
    )
    return replace(row, work=f"{PHONES} phones at once, each asks once after a round")


def after_each_round(
    pair: Pair,
    what: str,
    request: str,
    phones: list[list[Request]],
    least: float,
    more_turns: int = 1,
) -> Row:
    """Return the rate of a page when every evening has a new round, which is not measured.

    The plain page is as long on average, uncompressed.
    """
    rounds = [
        [evening.record for evening in pair.evenings[number::PHONES]] for number in range(PHONES)
    ]
    size = round(mean(pair.size_of(requests[0]) for requests in phones))
    base = [[read_request(f"/page/{size}")] * len(requests) for requests in phones]

    def ours() -> float:
        pair.ours.load(*rounds, seconds=600)
        return pair.ours.rate(*phones)

    def times_of(one: Evening) -> list[float]:
        return pair.ours.load(one.after_rounds(request.removeprefix(BOARD), ASKS))[1::2]

    row = pair.compared(what, request, ours, lambda: pair.bare.rate(*base), least, more_turns)
    growth = pair.growth(times_of)
    return replace(row, what=f"{what}, {size // 1000} kB", growth=growth)


def long_board(pair: Pair) -> Row:
    """Return how the board of a very long evening compares with a short one, each with new rounds.

    Its phone is the first to ask, so the board is drawn for it.
    """
    asked = pair.effort.some(20)
    short = [
        request for evening in pair.evenings[:asked] for request in evening.after_rounds("", 1)
    ]
    long = pair.long.after_rounds("", asked)
    base, own = alternately(
        pair.effort,
        *(lambda phone=phone: median(pair.ours.load(phone)[1::2]) for phone in (short, long)),
    )
    return Row(
        what=f"board of {LONG} rounds",
        request=BOARD,
        work="1 phone, which asks first",
        ours=f"{own:.1f} ms",
        baseline=f"{base:.1f} ms ({SHORT} rounds)",
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


def open_table(ours: Served) -> Request:
    """Begin the example game; return the request that records its first round."""
    opened, rounds = open_example(ours)
    return record_request(opened["id"], opened["pen"], rounds[0])


def open_example(ours: Served) -> tuple[Any, list[Any]]:
    """Begin the example game; return the answer, and the rounds to record."""
    about = json.loads(EXAMPLE.read_text(encoding="utf-8"))
    new_game = {name: about[name] for name in ("title", "rules", "stake", "players")}
    return ours.call("POST", "/api/v1/games", new_game), about["rounds"]
