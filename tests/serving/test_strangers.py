"""W8: while strangers attack from one address, a phone at another one is served."""

import json
import random
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from datetime import date
from http.client import HTTPConnection, HTTPException
from pathlib import Path

import psutil
import pytest

from attacks import ATTACKS, Facts, attacking
from bars import SOAK, seed, steps, tried, tries
from phones import ms
from rest import ROOT
from scorekeeper.domain.game.changes import NewGame, PlayedEvening
from scorekeeper.domain.game.state import Game
from scorekeeper.services.backfill import played_game
from scorekeeper.services.demo import DemoSettings, make
from scorekeeper.services.exports import group_json
from scorekeeper.services.games import create_game, new_rules
from scorekeeper.store import open_ledger
from scorekeeper.store.exports import exported
from scorekeeper.wire.rounds import load_round
from serving.test_load import PLAIN_WSGI, ROUND

pytestmark = pytest.mark.usefixtures("external")

NAMES = ("Anna", "Bernd", "Claire")
LARGE_GROUPS = 3
PHONE = ("127.0.0.2", 0)
FORWARDED = {"X-Forwarded-For": "198.51.100.9"}
RECORDED_MS, READ_MS = 500, 300
MAX_MB = 400
ENDS_S = 5
PATIENCE_S = 10
EVERY_S = 0.05
"""The pause between two requests of the phone."""


@dataclass
class Server:
    """A server in its own process, with one game."""

    process: subprocess.Popen[bytes]
    port: int
    facts: Facts
    pen: str

    def peak_mb(self) -> float:
        """Return its largest memory so far, including child processes.

        Memory that processes share, as forked workers do, counts once.
        """
        server = psutil.Process(self.process.pid)
        return sum(map(peak_kb, [server, *server.children(recursive=True)])) / 1024


def peak_kb(process: psutil.Process) -> int:
    """Return the peak of a process, without the memory that it shares with others."""
    try:
        status = Path(f"/proc/{process.pid}/status").read_text()
        shared = Path(f"/proc/{process.pid}/smaps_rollup").read_text()
    except OSError:  # a worker that was replaced meanwhile
        return 0
    held = {name: int(kb) for name, kb in re.findall(r"(\w+):\s+(\d+) kB", status + shared)}
    return held.get("VmHWM", 0) - held.get("Rss", 0) + held.get("Pss", 0)


@pytest.fixture(scope="session")
def books(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return exports of games and groups to import, small ones and the largest allowed."""
    folder = tmp_path_factory.mktemp("books")
    until = date(2026, 6, 12)
    for number, evenings in enumerate((2, *([300] * LARGE_GROUPS if SOAK else ()))):
        ledger = open_ledger(folder / f"{number}.sqlite")
        group = make(
            ledger, DemoSettings(evenings=evenings, members=6, seed=number, until=until)
        ).group
        (folder / f"groups.{number}").write_text("".join(group_json(ledger, group.id)))
        (folder / f"games.{number}").write_text(json.dumps(long_game(1_900 if SOAK else 10)))
        ledger.close()
    return folder


def long_game(rounds: int) -> object:
    """Return the export of a game with this many rounds."""
    order = NewGame("Abend", "", new_rules("german-family", {"end.mode": "manual"}), NAMES)
    facts = load_round(ROUND).round
    times = ("2026-06-12T18:00:00Z",) * (rounds + 2)
    game, events = played_game(PlayedEvening(order, (facts,) * rounds, times))
    return exported(Game, game.id, events)


@contextmanager
def serving(data: Path, *command: str) -> Iterator[Server]:
    ledger = open_ledger(data)
    order = NewGame("Abend", "", new_rules("german-family", {}), NAMES)
    begun = create_game(ledger, order)
    ledger.close()
    command = command or ("-m", "scorekeeper", "serve", "--port", "0", "--data", str(data))
    with subprocess.Popen(
        [sys.executable, *command],
        stdout=subprocess.PIPE,
        env={
            "PATH": "/usr/bin:/bin",
            "SCOREKEEPER_TRUSTED_PROXIES": "1",
            "PYTHONPATH": ":".join(sys.path),
        },
    ) as process:
        assert process.stdout
        found = re.search(rb":(\d+)$", process.stdout.readline().strip())
        assert found
        facts = {
            "game": begun.game.id,
            "watch": begun.watch,
            "tag": '"1"',
            "large": "/static/base.css",
        }
        try:
            yield Server(process, int(found[1]), facts, begun.pen)
        finally:
            with suppress(psutil.NoSuchProcess):
                for child in psutil.Process(process.pid).children(recursive=True):
                    child.kill()  # which the server of the control would leave behind
            process.kill()


@dataclass
class Phone:
    """A phone at the table, for this many seconds."""

    server: Server
    seconds: float
    patience: float = PATIENCE_S
    recorded: list[float] = field(default_factory=list)
    read: list[float] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)

    def play(self) -> None:
        """Record and read rounds, each on its own connection."""
        until = time.monotonic() + self.seconds
        threads = [
            threading.Thread(target=self._keep_on, args=(act, times, until))
            for act, times in ((self._record, self.recorded), (self._read, self.read))
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    def _keep_on(self, act: object, times: list[float], until: float) -> None:
        assert callable(act)
        number = 0
        while time.monotonic() < until:
            number += 1
            began = time.monotonic()
            try:
                with closing(self._connection()) as connection:
                    act(connection, number)
            except (OSError, HTTPException) as error:
                self.failed.append(type(error).__name__)
            times.append(time.monotonic() - began)
            time.sleep(EVERY_S)

    def _connection(self) -> HTTPConnection:
        return HTTPConnection(
            "127.0.0.1", self.server.port, timeout=self.patience, source_address=PHONE
        )

    def _record(self, connection: HTTPConnection, number: int) -> None:
        headers = {**self._headers(), "Idempotency-Key": f"{self.server.port}-{number}-{id(self)}"}
        path = f"{ROOT}/games/{self.server.facts['game']}/rounds"
        self._ask(connection, "POST", path, headers, json.dumps(ROUND), {201})

    def _read(self, connection: HTTPConnection, number: int) -> None:
        path = f"{ROOT}/games/{self.server.facts['game']}"
        self._ask(connection, "GET", path, self._headers(), None, {200})

    def _headers(self) -> dict[str, str]:
        right = {"Authorization": f"Bearer {self.server.pen}", "Content-Type": "application/json"}
        return {**FORWARDED, **right}

    def _ask(
        self,
        connection: HTTPConnection,
        method: str,
        path: str,
        headers: dict[str, str],
        body: str | None,
        good: set[int],
    ) -> None:
        connection.request(method, path, body, headers)
        answer = connection.getresponse()
        answer.read()
        if answer.status not in good:
            self.failed.append(f"{method} {answer.status}")

    def __str__(self) -> str:
        result = [f"{name} {len(times)}" for name, times in self._named()]
        result += [f"{name} p99 {ms(sorted(times), 0.99):.0f} ms" for name, times in self._named()]
        return f"{', '.join(result)}, failed: {self.failed[:5]}"

    def _named(self) -> tuple[tuple[str, list[float]], ...]:
        return ("recorded", self.recorded), ("read", self.read)

    def is_served(self) -> bool:
        """Return whether all was answered, and in time if time is measured."""
        if self.failed:
            return False
        recorded, read = (ms(sorted(times), 0.99) for _, times in self._named())
        return not SOAK or (recorded < RECORDED_MS and read < READ_MS)


def connections() -> int:
    """Return how many connections a stranger opens; fewer beside other tests."""
    return 15_000 if SOAK else 1_000


@pytest.mark.bar("W8")
@pytest.mark.parametrize("attack", ATTACKS)
def test_a_phone_is_served_while_strangers_attack(tmp_path: Path, books: Path, attack: str) -> None:
    random.seed(seed("W8"))
    for number in range(tries("W8")):
        with serving(tmp_path / f"{number}.sqlite") as server:
            phone = Phone(server, steps("W8"))
            facts = {**server.facts, "books": str(books)}
            with attacking(server.port, attack, facts, connections()) as opened:
                phone.play()
                server.process.send_signal(signal.SIGTERM)
                began = time.monotonic()
                peak = server.peak_mb()
                ended = server.process.wait(4 * ENDS_S)
                took = time.monotonic() - began
        print(f"{attack}: {opened:,} connections, {phone}, {peak:.0f} MB, ended in {took:.1f} s")

        assert phone.is_served(), str(phone)
        assert peak < MAX_MB
        assert ended == 0
        assert not SOAK or took < ENDS_S
        tried()


@pytest.mark.bar("W8", control="plain WSGI")
def test_attacks_block_the_phone_on_a_plain_wsgi_server(tmp_path: Path) -> None:
    data = tmp_path / "games.sqlite"
    with serving(data, "-c", PLAIN_WSGI, str(data)) as server:
        phone = Phone(server, 1, patience=2)  # four times what it may take at most
        with attacking(server.port, "slow bodies", server.facts, 200):
            phone.play()
        print(phone)

        assert not phone.is_served()
