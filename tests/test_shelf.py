"""A folder of records: one file for each table, and two processes that own half of them each."""

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import pytest
from werkzeug.test import Client

from pages.conftest import Form
from scorekeeper.shelf import Shelf
from scorekeeper.store import open_ledger
from scorekeeper.store.check import check
from scorekeeper.store.hold import hold

ROOT = "/api/v1"
BEGIN = {
    "title": "",
    "rules": {"preset": "german-family"},
    "players": [{"name": "Anna"}, {"name": "Ben"}],
}
QUICK = {"outcome": "out", "winner": 0, "seats": [{}, {"points": 10}]}
HERE = {"Accept-Language": "en"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Room for two tables."""
    for table in ("anna", "club-7"):
        room(tmp_path, table).mkdir(parents=True)
    return tmp_path


@pytest.fixture
def shelf(folder: Path) -> Iterator[Shelf]:
    with ExitStack() as held:
        yield Shelf(folder, held)


def room(folder: Path, table: str) -> Path:
    """Where a table has its record, and what belongs to it."""
    return folder / "t" / table


def links(page: str) -> set[str]:
    """Where a page leads, and what it loads."""
    found = re.findall(r'(?:href|src|action)="(/[^"]*)"', page)
    return {address.partition("?")[0] for address in found}


def token(page: str) -> str:
    """What makes a form one that this browser was given."""
    return re.findall(r'name="csrf_token"[^>]* value="([^"]+)"', page)[0]


def test_every_address_of_a_table_stays_at_the_table(shelf):
    client = Client(shelf)
    page = client.get("/t/anna/", headers=HERE)
    to = re.search(r'name="to" value="([^"]+)"', page.text)
    chosen = {"csrf_token": token(page.text), "lang": "de", "to": to and to[1].rstrip("?")}
    follow_up = client.post("/t/anna/language", data=chosen)

    assert page.status_code == 200
    assert len(links(page.text)) > 5
    assert all(address.startswith("/t/anna/") for address in links(page.text))
    assert client.get("/t/anna", follow_redirects=True).request.path == "/t/anna/"
    assert follow_up.location == "/t/anna/"


def test_what_lies_at_one_table_is_unknown_at_all_others(shelf):
    client = Client(shelf)
    game = client.post(f"/t/anna{ROOT}/games", json=BEGIN).json
    pen = {"Authorization": f"Bearer {game['pen']}"}
    statuses = [
        client.get(f"{table}{ROOT}/games/{game['id']}", headers=pen).status_code
        for table in ("/t/anna", "/t/club-7", "")
    ]

    assert statuses == [200, 404, 404]


def test_a_browser_keeps_its_form_when_it_looks_in_at_another_table(shelf):
    client = Client(shelf)
    form = Form(client.get("/t/anna/new").text).fields
    form.setlist("name", ["Anna", "Ben", "Claire"])
    client.get("/t/club-7/new")
    client.get("/new")

    answer = client.post("/t/anna/new", data=form | {"do": "start"})

    assert answer.status_code == 200
    assert re.search(r"/t/anna/enter#\w+\.", answer.text)  # the link with the code leads here too


@pytest.mark.parametrize("table", ["ben", "backups", "0", "a" * 63])
def test_a_table_that_is_not_here_is_refused_in_words_and_nothing_is_made(shelf, folder, table):
    before = sorted(folder.rglob("*"))
    page = Client(shelf).get(f"/t/{table}/", headers=HERE)
    call = Client(shelf).post(f"/t/{table}{ROOT}/games", json=BEGIN, headers=HERE)

    assert (page.status_code, call.status_code) == (421, 421)
    assert f"does not keep the table {table}" in page.text
    assert f"does not keep the table {table}" in call.json["detail"]
    assert page.headers["Content-Security-Policy"]
    assert sorted(folder.rglob("*")) == before


@pytest.mark.parametrize("name", ["..", "ANNA", "anna.sqlite", "scorekeeper", "a" * 64, ""])
def test_what_cannot_be_a_table_is_no_page(shelf, folder, name):
    before = sorted(folder.rglob("*"))

    assert Client(shelf).get(f"/t/{name}/").status_code == 404
    assert sorted(folder.rglob("*")) == before


def test_a_table_that_another_process_serves_is_refused_until_it_lets_go(shelf, folder):
    with hold(room(folder, "anna") / "anna.sqlite", "serve"):
        during = Client(shelf).get("/t/anna/").status_code

    assert (during, Client(shelf).get("/t/anna/").status_code) == (421, 200)


# ---- two processes -------------------------------------------------------------------


class Process:
    """A server on a folder."""

    def __init__(self, folder: Path) -> None:
        command = [sys.executable, "-m", "scorekeeper", "serve", "--port", "0", "--data"]
        self.process = subprocess.Popen([*command, str(folder)], stdout=subprocess.PIPE, text=True)
        assert self.process.stdout
        told = re.search(r"http://[^:]+:(\d+)", self.process.stdout.readline())
        assert told
        self.port = int(told[1])

    def call(self, method: str, path: str, body: Any = None, **headers: str) -> tuple[int, Any]:
        connection = HTTPConnection("127.0.0.1", self.port, timeout=30)
        about = {"Content-Type": "application/json", **HERE}
        about |= {name.replace("_", "-"): text for name, text in headers.items()}
        connection.request(method, path, None if body is None else json.dumps(body), about)
        answer = connection.getresponse()
        said = answer.read()
        connection.close()
        return answer.status, json.loads(said)

    def stop(self) -> None:
        self.process.kill()
        self.process.wait()
        assert self.process.stdout
        self.process.stdout.close()


@contextmanager
def serving(*folders: Path) -> Iterator[list[Process]]:
    processes = [Process(folder) for folder in folders]
    try:
        yield processes
    finally:
        for process in processes:
            process.stop()


def play(process: Process, table: str, rounds: int) -> tuple[str, str]:
    """Begin a game at a table and record in it; its id and pen."""
    status, game = process.call("POST", f"/t/{table}{ROOT}/games", BEGIN)
    assert status == 201
    for number in range(rounds):
        assert record(process, table, game["id"], game["pen"], f"key-{number}") == 201
    return game["id"], game["pen"]


def record(process: Process, table: str, game: str, pen: str, key: str) -> int:
    path, rights = f"/t/{table}{ROOT}/games/{game}/rounds", {"Authorization": f"Bearer {pen}"}
    return process.call("POST", path, QUICK, Idempotency_Key=key, **rights)[0]


def test_two_processes_own_half_of_the_tables_each(tmp_path):
    one, two = tmp_path / "one", tmp_path / "two"
    for folder, table in ((one, "anna"), (two, "ben")):
        room(folder, table).mkdir(parents=True)

    with serving(one, two) as (first, second):
        anna, ben = play(first, "anna", 3), play(second, "ben", 2)
        refused = [record(second, "anna", *anna, "late"), record(first, "ben", *ben, "late")]
        first.stop()  # kill -9: the other plays on
        alone = record(second, "ben", *ben, "alone")
        shutil.move(room(one, "anna"), room(two, "anna"))  # and takes its table over as it runs
        moved = [record(second, "anna", *anna, key) for key in ("key-2", "late")]

    assert refused == [421, 421]
    assert alone == 201
    assert moved == [201, 201]
    assert rounds_in(two, "anna", anna[0]) == 4  # key-2 came twice and counts once
    assert rounds_in(two, "ben", ben[0]) == 3


def rounds_in(folder: Path, table: str, game: str) -> int:
    with closing(open_ledger(room(folder, table) / f"{table}.sqlite")) as ledger:
        assert check(ledger).good
        return len(ledger.game(game).sheet.rows)
