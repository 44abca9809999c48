"""PostgreSQL with two processes, compared with SQLite, which is served by one."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from bench.evenings import read_request
from bench.measuring import alternately
from bench.requests import GAME, RECORD
from bench.serving import Served, serve, served
from bench.table import Effort, Row, at_least, note
from bench.web import open_table
from tools.postgres_server import Server, programs

PHONES = 32
PROCESSES = 2
RECORDED = 1.5
"""The least throughput of PostgreSQL, as a multiple of that of SQLite."""


def measured(effort: Effort) -> Iterator[Row]:
    """Yield the rows; none on a machine without PostgreSQL."""
    if (found := programs()) is None:
        note("PostgreSQL is not installed")
        return
    with (
        TemporaryDirectory() as folder,
        Server(found) as engine,
        served(*serve(Path(folder, "games.sqlite"))) as sqlite,
        served(*serve(engine.new_database()), "--processes", str(PROCESSES)) as postgres,
    ):
        both = Both(effort, postgres, sqlite)
        yield both.compared("record a round", RECORD, open_table, RECORDED)
        yield both.compared("304 of a game", GAME, _poll)


def _poll(server: Served) -> dict[str, Any]:
    """Begin a game; return the request that asks whether it has changed."""
    game = open_table(server)
    path = game["path"].removesuffix("/rounds")
    rights = {"Authorization": game["headers"]["Authorization"]}
    tag = server.call("GET", path, **rights).headers["ETag"]
    return read_request(path, 304, rights | {"If-None-Match": tag})


@dataclass(frozen=True)
class Both:
    """A server on each engine."""

    effort: Effort
    postgres: Served
    sqlite: Served

    def compared(
        self,
        what: str,
        request: str,
        begin: Callable[[Served], dict[str, Any]],
        least: float | None = None,
    ) -> Row:
        """Return a row with the answers per second of both.

        Every phone repeats a request of its own, about the game that ``begin`` begins.
        """
        ours, base = alternately(
            self.effort,
            *(
                partial(server.throughput, *[begin(server) for _ in range(PHONES)])
                for server in (self.postgres, self.sqlite)
            ),
        )
        return Row(
            what=what,
            request=request,
            work=f"{PHONES} phones, {PROCESSES} processes",
            ours=f"{ours:,.0f}/s (PostgreSQL)",
            baseline=f"{base:,.0f}/s (SQLite, 1 process)",
            ratio=ours / base,
            bars=(at_least(ours / base, least),) if least else (),
        )
