"""A club night of 200: drawing a round, all tables writing at the same moment, the standings.

A draw and the first reader of the standings take processor time; what the tables write is
waited for over HTTP, because phones at fifty tables share one disk.
"""

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory
from time import process_time
from typing import Any

from bench.evenings import record_request, won_round
from bench.measuring import Runner, alternately, compare
from bench.requests import DRAW, RECORD, STANDINGS
from bench.serving import Served, serve, served
from bench.table import Effort, Row, format_seconds, under
from bench.web import bare_server
from scorekeeper import create_app
from scorekeeper.domain.group.changes import NewGroup
from scorekeeper.domain.group.tables import Stated
from scorekeeper.domain.rules.presets import preset
from scorekeeper.domain.tournament.changes import Entry
from scorekeeper.domain.tournament.draw import draw
from scorekeeper.domain.tournament.lots import lots
from scorekeeper.domain.tournament.plan import Plan, without_stakes
from scorekeeper.domain.tournament.scale import Performance
from scorekeeper.domain.tournament.state import Drawn, Entrant, Result, Tournament
from scorekeeper.services import groups, tournaments
from scorekeeper.store import Ledger, open_ledger
from scorekeeper.store.writes import Write

ENTRANTS, FEW, SIZE, CLUBS, ROUNDS = 200, 14, 4, 12, 3
BEFORE = 6
"""Evenings of which the next round is drawn again and again, each time from another seed."""
MOMENTS = 4
"""How often all tables write at the same moment in each run."""
DRAW_MS, WRITE_MS, PAGE_MS = 300, 150, 6
MOST = 400
"""A total has less than so many points."""
RULES = without_stakes(preset("german-family").override({"end.mode": "rounds", "end.rounds": 100}))
PLAN = Plan(format="swiss", rounds=ROUNDS + 1, rules=RULES, split_clubs=True)


def measured(effort: Effort) -> Iterator[Row]:
    """Yield all rows about tournaments."""
    yield from drawing(effort)
    with TemporaryDirectory() as folder:
        yield writing(effort, Path(folder))
        yield reading(effort, Path(folder))


# ---- drawing -------------------------------------------------------------------------


def drawing(effort: Effort) -> Iterator[Row]:
    """Yield the time of a draw that keeps apart who has met and who is of one club."""
    chance = Random(1)
    evenings = [after_rounds(ENTRANTS, chance) for _ in range(BEFORE)]
    # A copy has none of the meetings and standings that a draw computes once.
    questions = [
        (replace(evenings[number % BEFORE]), f"{number:08x}") for number in range(effort.fresh(150))
    ]
    yield from compare(
        effort,
        DRAW,
        f"{ENTRANTS} entrants of {CLUBS} clubs, round {ROUNDS + 1}",
        Runner("a Swiss draw", lambda question: draw(*question), questions),
        Runner("by lot, nothing kept apart", by_lot, questions),
        bars=lambda times: (under(times.p99 * 1000, DRAW_MS, " ms p99"),),
    )


def after_rounds(entrants: int, chance: Random) -> Tournament:
    """Return a tournament whose tables have played some rounds."""
    there = tuple(Entrant((number,), number % CLUBS) for number in range(entrants))
    now = Tournament(PLAN, "0", there, CLUBS)
    for number in range(1, ROUNDS + 1):
        drawn = draw(now, f"{number}")
        results = {}
        for table, seats in enumerate(drawn.tables):
            played = tuple(Performance(-chance.randrange(MOST)) for _ in seats)
            results[table] = Result(played, "game", "", number, table, PLAN.scale)
        games = tuple(f"{number}-{table}" for table in results)
        one = Drawn(
            number, "", drawn.tables, drawn.out, games, "", PLAN.scale, results, closed=True
        )
        now = replace(now, rounds=(*now.rounds, one))
    return now


def by_lot(question: tuple[Tournament, str]) -> list[Sequence[int]]:
    """Return tables in the order of the lots, whoever has met."""
    now, seed = question
    order = lots(range(len(now.entrants)), seed, 1)
    return [order[first : first + SIZE] for first in range(0, len(order), SIZE)]


# ---- writing -------------------------------------------------------------------------


def writing(effort: Effort, folder: Path) -> Row:
    """Return how long the tables of a round wait until their rounds are on the disk."""
    data = folder / "writing.sqlite"
    ledger = open_ledger(data)
    group_id = begun(ledger, ENTRANTS)
    now = tournaments.tournament_of(ledger.group(group_id))
    records = [
        record_request(game, ledger.link_secret(game, "pen") or "", won_round(len(seats)))
        for game, seats in zip(now.rounds[0].games, now.rounds[0].tables, strict=True)
    ]
    ledger.close()
    rows = [one | {"path": "/row"} for one in records]
    with served(*serve(data)) as ours, served(*bare_server(folder / "bare.sqlite")) as bare:
        own, base = list[float](), list[float]()

        def waits(server: Served, requests: Sequence[Any], found: list[float]) -> float:
            for _ in range(MOMENTS):
                found += server.load(*([one] for one in requests), seconds=60)
            return median(found)

        alternately(effort, lambda: waits(ours, records, own), lambda: waits(bare, rows, base))
    own_p99, base_p99 = (sorted(found)[int(len(found) * 0.99)] for found in (own, base))
    return Row(
        what="all tables save a round at once",
        request=RECORD,
        work=f"{len(records)} tables, the same moment",
        ours=f"{median(own):.0f} ms (p99 {own_p99:.0f} ms)",
        baseline=f"{median(base):.0f} ms (p99 {base_p99:.0f} ms, bare Flask)",
        ratio=median(own) / median(base),
        bars=(under(own_p99, WRITE_MS, " ms p99"),),
    )


def begun(ledger: Ledger, entrants: int) -> str:
    """Return a group whose tournament has its first round drawn."""
    group_id = groups.create_group(ledger, NewGroup("Club", ())).group.id
    tournaments.create_tournament(ledger, group_id, PLAN, Write())
    entries = [Entry((f"Player {n:03}",), f"Club {n % CLUBS}") for n in range(entrants)]
    tournaments.enter(ledger, group_id, entries, Write())
    tournaments.draw_round(ledger, group_id, Write())
    return group_id


# ---- reading -------------------------------------------------------------------------


def reading(effort: Effort, folder: Path) -> Row:
    """Return the time of the standings for the first reader after a result has changed."""
    asks = [asking(folder / f"{count}.sqlite", count) for count in (ENTRANTS, FEW)]
    own, few = alternately(replace(effort, runs=10 * effort.runs), *asks)
    return Row(
        what="standings, first reader",
        request=STANDINGS,
        work=f"{ENTRANTS} entrants, {ROUNDS} rounds",
        ours=f"{format_seconds(own)} of the processor",
        baseline=f"{format_seconds(few)} ({FEW} entrants)",
        ratio=own / few,
        bars=(under(own * 1000, PAGE_MS, " ms"),),
    )


def asking(file: Path, entrants: int) -> Callable[[], float]:
    """Return a function that corrects a result, asks for the page and returns its seconds."""
    app = create_app({"DATA": file, "TESTING": True})
    ledger: Ledger = app.extensions["ledger"]
    group_id, chance = begun(ledger, entrants), Random(1)

    def correct(number: int, table: int) -> None:
        seats = tournaments.tournament_of(ledger.group(group_id)).rounds[number - 1].tables[table]
        stated = [Stated(chance.randrange(MOST)) for _ in seats]
        tournaments.state_result(ledger, group_id, (number, table), stated, Write())

    for number in range(1, ROUNDS + 1):
        now = tournaments.tournament_of(ledger.group(group_id))
        for table in range(len(now.rounds[-1].tables)):
            correct(number, table)
        if number < ROUNDS:
            tournaments.draw_round(ledger, group_id, Write(), closing=True)
    ledger.rights.remember("bench", group_id, ledger.link_secret(group_id, "watch") or "")
    client = app.test_client()
    client.set_cookie("browser", "bench")
    path = STANDINGS.removeprefix("GET ").format(group=group_id)

    def ask() -> float:
        correct(1, 0)
        begun_at = process_time()
        answer = client.get(path)
        seconds = process_time() - begun_at
        if answer.status_code != 200:
            sys.exit(f"{path}: {answer.status_code}")
        return seconds

    return ask
