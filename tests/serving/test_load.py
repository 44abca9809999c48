"""The server process under load: Q1, Q2, W7 and A1.

The phones run in their own process (phones.py). Tests that measure time run alone.
"""

import json
import random
import socket
import threading
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Any

import psutil
import pytest

from bars import noted, seed, tried, tries
from phones import Order, play, served
from rest import ROOT
from scorekeeper.domain.game.changes import NewGame, score_for
from scorekeeper.services.games import create_game, new_rules, record_round
from scorekeeper.store import open_ledger, read_ledger
from scorekeeper.store.writes import Write
from scorekeeper.wire.rounds import load_round

pytestmark = pytest.mark.usefixtures("external")

GAMES, PHONES = 500, 2500
MANY_GAMES = 2000
KEY = "of the server, and of the games that it finds"
ASKED_EVERY, PLAYED_EVERY = 5, 60
IDLE, SLOW = 500, 200
MAX_MS = 300
ROUND = {"outcome": "out", "winner": 0, "seats": [{}, {"points": 12}, {"points": 35}]}
Held = tuple[str, str]
"""The id of a game and its pen."""


def tables(data: Path | str, count: int, key: str | None = None) -> list[Held]:
    """Create games with a few rounds each."""
    ledger, games = open_ledger(data, link_key=key), []
    rules, facts = new_rules("german-family", {}), load_round(ROUND).round
    with ledger.transaction():
        for _ in range(count):
            begun = create_game(ledger, NewGame("Abend", "", rules, ("Anna", "Bernd", "Claire")))
            for key in "abc":
                record_round(
                    ledger,
                    begun.game.id,
                    score_for(ledger.game(begun.game.id), facts),
                    write=Write(key=key),
                )
            games.append((begun.game.id, begun.pen))
    ledger.close()
    return games


def posting(game: Held, every: float, **more: str) -> Order:
    """A phone that records one round after the other."""
    headers = {"Authorization": f"Bearer {game[1]}", **more}
    path = f"{ROOT}/games/{game[0]}/rounds"
    return {"name": "post", "every": every, "path": path, "headers": headers, "body": ROUND}


# ---- Q1 ----------------------------------------------------------------------------------


def club(games: Sequence[Held]) -> Iterator[Order]:
    """Return phones: at each table one records and all poll."""
    for game_id, pen in games:
        yield posting((game_id, pen), PLAYED_EVERY)
        for phone in range(PHONES // GAMES):
            headers = {"Authorization": f"Bearer {pen}", "User-Agent": f"phone {phone}"}
            path = f"{ROOT}/games/{game_id}"
            yield {"name": "poll", "every": ASKED_EVERY, "path": path, "headers": headers}


def withheld() -> float:
    """Return the processor time that other guests took from a virtual machine, if it is known."""
    return getattr(psutil.cpu_times(), "steal", 0.0)


@pytest.mark.bar("Q1")
def test_five_hundred_tables_are_served_at_once(tmp_path: Path) -> None:
    games = tables(tmp_path / "club.sqlite", GAMES)
    before = withheld()
    with served(tmp_path / "club.sqlite") as port:
        answer = play(port, list(club(games)), tries("Q1"))
    print(f"the machine was without its processor for {withheld() - before:.0f} s")
    for name, answers in answer.items():
        print(name, answers)
    tried(tries("Q1"))

    assert set(answer["post"].statuses) == {201}
    assert set(answer["poll"].statuses) <= {200, 304}
    assert answer["post"].within(0.99) < MAX_MS


# ---- Q2 ----------------------------------------------------------------------------------


@pytest.mark.bar("Q2")
def test_two_thousand_tables_are_served_by_two_processes(postgres: str) -> None:
    games = tables(postgres, MANY_GAMES, KEY)
    before, stolen = count_events(postgres), withheld()
    command = ("-m", "scorekeeper", "serve", "--port", "0", "--processes", "2")
    with served(postgres, *command, DATA=postgres, SECRET_KEY=KEY) as port:
        answer = play(port, list(club(games)), tries("Q2"))
    print(f"the machine was without its processor for {withheld() - stolen:.0f} s")
    for name, answers in answer.items():
        print(name, answers)
    posts, polls = answer["post"], answer["poll"]
    added = count_events(postgres) - before
    unanswered = sum(count for status, count in posts.statuses.items() if isinstance(status, str))
    noted(f"rounds: {posts.brief}; questions: {polls.brief}")
    tried(tries("Q2"))

    assert 0 <= added - posts.statuses[201] <= unanswered
    assert {status for status in posts.statuses if isinstance(status, int)} <= {201, 429, 503}
    assert {status for status in polls.statuses if isinstance(status, int)} <= {200, 304, 429, 503}


def count_events(data: str) -> int:
    """Return the number of events in a database."""
    with closing(read_ledger(data)) as ledger:
        return ledger.store.inspection.count_events()


# ---- W7 ----------------------------------------------------------------------------------

PLAIN_WSGI = """
import socket, sys, threading, time
from granian import Granian
from scorekeeper import create_app
from scorekeeper.serving.lan import find_address

def announce():
    while True:
        try:
            socket.create_connection(place).close()
        except OSError:
            time.sleep(0.05)
        else:
            break
    print(f"http://127.0.0.1:{place[1]}", flush=True)

place = find_address("127.0.0.1", 0)
server = Granian(
    "", *place, interface="wsgi", blocking_threads=8, workers_kill_timeout=1, log_enabled=False
)
server.on_startup(lambda: threading.Thread(target=announce, daemon=True).start())
load = lambda: create_app({"DATA": sys.argv[1], "TRUSTED_PROXIES": 1})
server.serve(target_loader=load, wrap_loader=False)
"""
"""The same server without our adapter: a thread waits for every body."""


@contextmanager
def besieged(port: int) -> Iterator[None]:
    """Hold idle connections, and others that send a byte now and then.

    Half of the latter send headers, the others a body.
    """
    head = (
        f"POST {ROOT}/games HTTP/1.1\r\nHost: localhost\r\nContent-Length: 60000\r\n"
        "Content-Type: application/json\r\n\r\n"
    ).encode()
    over = threading.Event()
    with ExitStack() as lines:
        opened = [
            lines.enter_context(socket.create_connection(("127.0.0.1", port)))
            for _ in range(IDLE + SLOW)
        ]
        lines.callback(over.set)

        for line in opened[: SLOW // 2]:
            line.sendall(head)

        def drip() -> None:
            sent = 0
            while not over.wait(0.2):
                for line in opened[: SLOW // 2]:
                    line.sendall(b" ")
                for line in opened[SLOW // 2 : SLOW]:
                    line.sendall(head[sent : sent + 1] or b" ")
                sent += 1

        slow = threading.Thread(target=drip)
        slow.start()
        yield
        over.set()
        slow.join()


def answered(port: int, game: Held, number: int) -> bool:
    """Return whether a round is recorded in time."""
    headers = {
        "Authorization": f"Bearer {game[1]}",
        "Idempotency-Key": str(number),
        "Content-Type": "application/json",
    }
    line = HTTPConnection("127.0.0.1", port, timeout=5)
    try:
        line.request("POST", f"{ROOT}/games/{game[0]}/rounds", json.dumps(ROUND), headers)
        return line.getresponse().status == 201
    except (OSError, HTTPException):
        return False
    finally:
        line.close()


@pytest.mark.bar("W7")
def test_idle_connections_do_not_block_others(tmp_path: Path) -> None:
    (game,) = tables(tmp_path / "games.sqlite", 1)
    for _ in range(tries("W7")):
        with served(tmp_path / "games.sqlite") as port, besieged(port):
            assert all([answered(port, game, number) for number in range(50)])
        tried()


@pytest.mark.bar("W7", control="plain WSGI")
def test_slow_senders_block_a_plain_wsgi_server(tmp_path: Path) -> None:
    (game,) = tables(tmp_path / "games.sqlite", 1)
    command = ("-c", PLAIN_WSGI, str(tmp_path / "games.sqlite"))
    with served(tmp_path, *command) as port, besieged(port):
        assert not all(answered(port, game, number) for number in range(50))


# ---- A1 ----------------------------------------------------------------------------------

NEIGHBOUR = {"X-Forwarded-For": "203.0.113.7"}
"""Send every request from the same address."""
STRANGERS = 4


def guessing(game: Held, dice: random.Random) -> Iterator[Order]:
    """Return strangers with invented secrets, ids, codes and cookies."""
    for number in range(tries("A1")):
        path, headers = f"{ROOT}/games/{game[0]}", {"Authorization": f"Bearer {invented(dice, 28)}"}
        match number % 4:
            case 1:
                path = f"{ROOT}/games/{invented(dice, 10)}"
            case 2:
                path, headers = f"/g/{game[0]}", {"Cookie": f"browser={invented(dice, 32)}"}
            case 3:
                path, headers = f"{ROOT}/groups/{game[0]}", headers
        yield {"name": "guess", "path": path, "headers": {**headers, **NEIGHBOUR}}


def invented(dice: random.Random, length: int) -> str:
    return "".join(dice.choices("abcdefghjkmnpqrstuvwxyz23456789", k=length))


@pytest.mark.bar("A1")
def test_guessing_finds_nothing_and_does_not_slow_others(tmp_path: Path) -> None:
    (game,) = tables(tmp_path / "games.sqlite", 1)
    guesses = list(guessing(game, random.Random(seed("A1"))))
    strangers: list[dict[str, Any]] = [
        {"name": "guess", "every": 0, "asks": guesses[first::STRANGERS]}
        for first in range(STRANGERS)
    ]
    with served(tmp_path / "games.sqlite", TRUSTED_PROXIES="1") as port:
        answer = play(port, [*strangers, posting(game, 0.1, **NEIGHBOUR)], 3600)
    for name, answers in answer.items():
        print(name, answers)
    tried(answer["guess"].statuses.total())

    assert set(answer["guess"].statuses) <= {404, 429}
    assert set(answer["post"].statuses) == {201}
    assert answer["post"].within(0.99) < MAX_MS
