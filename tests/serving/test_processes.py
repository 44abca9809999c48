"""Several processes serve one PostgreSQL database; one of them may be killed."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from http.client import HTTPConnection, HTTPException
from urllib.request import urlopen

import psutil
import pytest

from bars import tries, trying
from scorekeeper.store import open_ledger
from scorekeeper.store.check import check

PATIENCE_S = 60
GAME = {
    "title": "",
    "rules": {"preset": "wiener"},
    "players": [{"name": "Anna"}, {"name": "Ben"}],
    "stake": {"point_value": "1", "unit": "ct"},
}


def lives(process: psutil.Process) -> bool:
    """Return whether a process runs; one that was just killed may be gone or about to go."""
    try:
        return process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


class Served:
    """A running ``scorekeeper serve --processes 2``."""

    def __init__(self, data: str, folder: str, **more: str) -> None:
        command = [sys.executable, "-m", "scorekeeper", "serve", "--port", "0", "--processes", "2"]
        environment = {
            "SCOREKEEPER_DATA": data,
            "SCOREKEEPER_METRICS": "1",
            "XDG_DATA_HOME": folder,
            "LC_ALL": "C",
            **more,
        }
        self.process = subprocess.Popen(
            command, env={**os.environ, **environment}, stdout=subprocess.PIPE, text=True
        )
        assert self.process.stdout
        first = self.process.stdout.readline()
        self.port = int(first.rpartition(":")[2])

    def workers(self) -> list[psutil.Process]:
        """Return the processes that answer."""
        return list(filter(lives, psutil.Process(self.process.pid).children()))

    def call(self, method: str, path: str, body: object = None, **headers: str) -> tuple[int, dict]:
        connection = HTTPConnection("127.0.0.1", self.port, timeout=20)
        try:
            headers = {"Content-Type": "application/json", **headers}
            connection.request(method, path, json.dumps(body) if body else None, headers)
            answer = connection.getresponse()
            return answer.status, json.loads(answer.read())
        finally:
            connection.close()

    def record(self, path: str, points: int, key: str, pen: str) -> None:
        """Record a round as a phone does: send it again until there is an answer."""
        body = {"outcome": "out", "winner": 0, "seats": [{}, {"points": points}]}
        headers = {"Authorization": f"Bearer {pen}", "Idempotency-Key": key}
        until, answer = time.monotonic() + PATIENCE_S, None
        while time.monotonic() < until:
            try:
                status, answer = self.call("POST", f"{path}/rounds", body, **headers)
            except (OSError, HTTPException):
                time.sleep(0.05)  # until a process has taken the place of the killed one
            else:
                if status in (200, 201):
                    return
        pytest.fail(f"the round was never recorded: {answer}")


@pytest.fixture
def served(postgres: str, tmp_path) -> Iterator[Served]:
    served = Served(postgres, str(tmp_path))
    yield served
    with served.process:  # which also closes the pipe
        served.process.kill()


@pytest.mark.bar("G0")
def test_rounds_survive_the_death_of_the_process_that_records_them(served, postgres):
    _, made = served.call("POST", "/api/v1/games", GAME)
    path = f"/api/v1/games/{made['id']}"
    for number, dice in enumerate(trying("G0", tries("G0"))):
        if number % 3 == 0 and len(workers := served.workers()) == 2:
            dice.choice(workers).send_signal(signal.SIGKILL)
        served.record(path, number, f"key {number}", made["pen"])

    ledger = open_ledger(postgres, link_key="key")
    points = [row.points(1).minus for row in ledger.game(made["id"]).sheet.rows]
    assert points == list(range(tries("G0")))
    assert check(ledger).clean
    ledger.close()


def test_health_and_metrics_are_those_of_all_processes(served):
    status, health = served.call("GET", "/healthz")

    assert status == 200
    assert (health["engine"], health["processes"], health["saved_on"]) == ("postgresql", 2, 1)

    for _ in range(20):  # each on a connection of its own, so both processes get some
        served.call("GET", "/healthz")
    with urlopen(f"http://127.0.0.1:{served.port}/metrics", timeout=20) as answer:
        counted = answer.read().decode()

    assert 'scorekeeper_requests_total{endpoint="healthz",status="2xx"} 21.0' in counted


def test_all_end_with_the_first_process_and_another_link_key_is_told_at_start(
    postgres, tmp_path, capfd
):
    """Three starts on one database serve to look at both."""
    ends = ((signal.SIGTERM, "one"), (signal.SIGINT, "one"), (signal.SIGKILL, "other"))
    said = []
    for how, key in ends:
        served = Served(postgres, str(tmp_path), SCOREKEEPER_SECRET_KEY=key)
        with served.process:
            workers = served.workers()
            served.process.send_signal(how)

            assert served.process.wait(20) == (-how if how == signal.SIGKILL else 0)
            _, alive = psutil.wait_procs(workers, 20)
            assert alive == []
        said.append("SCOREKEEPER_SECRET_KEY" in capfd.readouterr().err)

    assert said == [False, False, True]


def test_a_file_is_served_by_one_process(tmp_path, external):
    command = [sys.executable, "-m", "scorekeeper", "serve", "--processes", "2", "--lang", "en"]
    refused = subprocess.run(
        [*command, "--data", str(tmp_path / "games.sqlite")], capture_output=True, text=True
    )

    assert refused.returncode == 1
    assert "PostgreSQL" in refused.stderr
