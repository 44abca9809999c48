"""A folder of records: one file for each table, and two processes that own half of them each."""

import json
import os
import re
import resource
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

from scorekeeper.app import create_app
from scorekeeper.client import Server
from scorekeeper.client.wire import Reply, Request
from scorekeeper.shelf import Shelf
from scorekeeper.store import open_ledger
from scorekeeper.store.check import check
from scorekeeper.store.hold import InUse, hold
from web.pages.conftest import Form

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


# ---- a group gets a table of its own -------------------------------------------------

MEMBERS = [{"name": "Anna"}, {"name": "Ben"}]
ALIKE = [{"name": "Anna"}, {"name": "Anna"}]


def press(client: Client, *members: str, **about: Any) -> Any:
    """Found a group on the page; what was answered, and the form that was sent."""
    form = Form(client.get("/groups/new", headers=HERE).text).fields
    form.setlist("member", [*members])
    form["name"] = "Thursday"
    return client.post("/groups/new", data=form, headers=HERE, **about), form


def tables(folder: Path) -> list[str]:
    """The tables of a folder, and whatever else lies among them."""
    return sorted(place.name for place in (folder / "t").iterdir())


def founded(folder: Path) -> str:
    """The one table that was not made by hand."""
    (name,) = set(tables(folder)) - {"anna", "club-7"}
    return name


def test_a_group_that_is_founded_gets_a_file_and_an_address_of_its_own(shelf, folder):
    client = Client(shelf)
    shown, _ = press(client, "Anna", "Ben")
    table = founded(folder)
    (group,) = set(re.findall(r"/enter#(\w+)\.", shown.text))
    page = client.get(f"/t/{table}/s/{group}", headers=HERE)

    assert shown.status_code == 200
    assert all(address.startswith(f"/t/{table}/") for address in links(shown.text))
    assert "Thursday" in page.text
    assert [file.name for file in room(folder, table).glob("*.sqlite")] == [f"{table}.sqlite"]
    assert (room(folder, table).stat().st_mode & 0o777) == 0o700
    assert client.get(f"/s/{group}").status_code == 404  # nothing of it lies in front


def test_a_program_is_told_where_its_group_lies(shelf, folder):
    client = Client(shelf)
    answer = client.post(f"{ROOT}/groups", json={"name": "Thursday", "members": MEMBERS})
    pen = {"Authorization": f"Bearer {answer.json['pen']}"}
    group = f"/t/{founded(folder)}{ROOT}/groups/{answer.json['id']}"

    assert answer.status_code == 201
    assert answer.location == group
    assert client.get(group, headers=pen).json["name"] == "Thursday"
    assert client.post(f"{group}/games", json={"players": MEMBERS}, headers=pen).status_code != 404


@pytest.mark.parametrize("front", ["", "/t/anna"])
def test_the_client_finds_its_group_where_it_lies(shelf, front):
    group = program(shelf, front).found_group("Thursday", ["Anna", "Ben"])
    group.add_member("Claire")
    later = program(shelf, front + group.wire.table).group(group.id, group.secret)

    assert bool(group.wire.table) is not bool(front)
    assert [one["name"] for one in later.read()["members"]] == ["Anna", "Ben", "Claire"]


def program(shelf: Shelf, front: str) -> Server:
    """A program that knows a shelf by an address."""

    def send(asked: Request) -> Reply:
        about: dict[str, Any] = {"headers": dict(asked.headers), "data": asked.body}
        answer = Client(shelf).open(front + asked.path, method=asked.method, **about)
        headers = {name.lower(): text for name, text in answer.headers.items()}
        return Reply(answer.status_code, headers, answer.data)

    return Server(f"http://localhost{front}", transport=send)


def test_a_group_that_is_taken_in_gets_a_table_of_its_own(shelf, folder):
    client = Client(shelf)
    new = client.post(f"/t/anna{ROOT}/groups", json={"name": "Thursday", "members": MEMBERS})
    pen = {"Authorization": f"Bearer {new.json['pen']}"}
    whole = client.get(f"{new.location}/export.json", headers=pen).json
    answer = client.post(f"{ROOT}/groups/import", json=whole)
    broken = client.post(f"{ROOT}/groups/import", json=whole | {"games": [{}]})

    assert (answer.status_code, broken.status_code) == (201, 422)
    assert answer.location == f"/t/{founded(folder)}{ROOT}/groups/{new.json['id']}"


def test_a_refused_founding_leaves_nothing_and_the_form_comes_back_filled(shelf, folder):
    client = Client(shelf)
    before = tables(folder)
    page, _ = press(client, "Anna", "Anna")
    call = client.post(f"{ROOT}/groups", json={"name": "Thursday", "members": ALIKE})
    unnamed = client.post(f"{ROOT}/groups", json={"name": "", "members": MEMBERS})

    assert [answer.status_code for answer in (page, call, unnamed)] == [422, 422, 422]
    assert Form(page.text).fields.getlist("member")[:2] == ["Anna", "Anna"]
    assert {address for address in links(page.text) if address.startswith("/t/")} == set()
    assert tables(folder) == before


def test_a_founding_that_does_not_get_onto_the_disk_leaves_nothing(shelf, folder, monkeypatch):
    before = tables(folder)

    def full(_: Path, target: Path) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "rename", full)
    answer = Client(shelf).post(f"{ROOT}/groups", json={"name": "Thursday", "members": MEMBERS})

    assert answer.status_code == 503
    assert tables(folder) == before


def test_a_founding_that_is_pressed_twice_is_one_table(shelf, folder):
    client = Client(shelf)
    _, form = press(client, "Anna", "Ben")
    again = client.post("/groups/new", data=form)

    assert again.status_code == 303
    assert again.location.startswith(f"/t/{founded(folder)}/s/")


def test_what_a_killed_server_left_half_made_is_gone_with_the_next_start(folder):
    (folder / "t" / ".part-x").mkdir()
    (folder / "t" / ".part-x" / "x.sqlite").touch()
    with ExitStack() as held:
        Shelf(folder, held)

        assert tables(folder) == ["anna", "club-7"]


def test_one_address_has_one_allowance_for_all_tables(folder):
    stranger = {"REMOTE_ADDR": "203.0.113.7"}
    with ExitStack() as held:
        client = Client(Shelf(folder, held, {"GAMES_PER_HOUR": 3}))
        group = {"name": "Thursday", "members": MEMBERS}
        asked = [(f"{ROOT}/groups", group)] * 2 + [(f"/t/anna{ROOT}/games", BEGIN)]
        asked += [(f"/t/club-7{ROOT}/games", BEGIN), (f"{ROOT}/groups", group)]
        answers = [client.post(where, json=body, environ_base=stranger) for where, body in asked]

    assert [answer.status_code for answer in answers] == [201, 201, 201, 429, 429]
    assert len(tables(folder)) == 4


def test_the_page_in_front_leads_back_to_the_groups_of_this_browser(shelf, folder):
    mine, other = Client(shelf), Client(shelf)
    press(mine, "Anna", "Ben")
    table = founded(folder)
    (group,) = groups_at(mine, table)
    mine.get(group)
    other.set_cookie("tables", f"{table}.anna.nobody...%2e%2e.{'a' * 99}")
    other.set_cookie("browser", "somebody")

    assert groups_at(mine, table, front="/") == {group}
    assert groups_at(other, table, front="/") == set()


def test_a_table_that_another_process_has_is_named_by_its_address(shelf):
    client = Client(shelf)
    for cookie, text in (("browser", "somebody"), ("tables", "two-k3m9x.Two.a/b.%2e%2e")):
        client.set_cookie(cookie, text)
    page = client.get("/", headers=HERE).text

    assert {address for address in links(page) if address.startswith("/t/")} == {"/t/two-k3m9x/"}
    assert "Table two-k3m9x" in page


def groups_at(client: Client, table: str, front: str = "") -> set[str]:
    page = client.get(front or f"/t/{table}/", headers=HERE).text
    return {address for address in links(page) if address.startswith(f"/t/{table}/s/")}


def test_a_code_that_is_typed_in_front_opens_what_lies_at_a_table(shelf, folder):
    shown, _ = press(Client(shelf), "Anna", "Ben")
    code = re.findall(r'class="code">([^<]+)<', shown.text)[0]
    link = re.findall(r'class="address" href="([^"]+)"', shown.text)[0]
    for typed in (code, code.upper(), link):
        friend = Client(shelf)
        form = {"csrf_token": token(friend.get("/enter").text), "code": typed}
        onward = friend.post("/enter", data=form)
        opened = friend.post(onward.location, data=form)  # as a browser does at 307

        assert code.startswith(f"{founded(folder)}/")
        assert (onward.status_code, onward.location) == (307, f"/t/{founded(folder)}/enter")
        assert opened.location.startswith(f"/t/{founded(folder)}/s/")


def test_a_wrong_code_in_front_is_refused_there(shelf):
    client = Client(shelf)
    form = {"csrf_token": token(client.get("/enter").text)}

    for typed in ("abc.def", "http://kitchen/enter#abc.def", "t/anna"):
        assert client.post("/enter", data=form | {"code": typed}).status_code == 404


# ---- not all tables are open ---------------------------------------------------------


@pytest.fixture
def by_hand(folder, monkeypatch) -> Iterator[Shelf]:
    """A shelf whose upkeep the test does."""
    monkeypatch.setattr("scorekeeper.shelf.Chores.start", lambda _: None)
    monkeypatch.setattr("scorekeeper.shelf.Chores.stop", lambda _: None)
    with ExitStack() as held:
        yield Shelf(folder, held)


def test_the_table_that_nobody_asked_for_longest_is_closed_and_opens_again(
    by_hand, folder, monkeypatch
):
    monkeypatch.setattr("scorekeeper.shelf.MOST_OPEN", 1)
    client = Client(by_hand)
    game = client.post(f"/t/anna{ROOT}/games", json=BEGIN, buffered=True).json
    client.get("/t/club-7/")
    with hold(room(folder, "anna") / "anna.sqlite", "alone"):
        pass  # nobody has it open
    pen = {"Authorization": f"Bearer {game['pen']}"}

    assert client.get(f"/t/anna{ROOT}/games/{game['id']}", headers=pen).status_code == 200


def test_a_table_that_is_answering_is_not_closed(by_hand, folder, monkeypatch):
    monkeypatch.setattr("scorekeeper.shelf.MOST_OPEN", 1)
    client = Client(by_hand)
    answering = client.get("/t/anna/", buffered=False)
    client.get("/t/club-7/")
    with pytest.raises(InUse), hold(room(folder, "anna") / "anna.sqlite", "serve"):
        pass
    answering.close()
    client.get("/t/club-7/")


def test_one_thread_sees_to_open_tables_and_to_closed_ones(by_hand, folder):
    play_alone(folder, "anna")
    assert Client(by_hand).post(f"/t/club-7{ROOT}/games", json=BEGIN).status_code == 201
    by_hand._look_at_all()
    by_hand._look_at_all()  # nothing is new

    assert list(by_hand._tables) == ["club-7"]
    assert len(backups(folder, "anna")) == len(backups(folder, "club-7")) == 1


def test_a_table_that_cannot_be_seen_to_does_not_stop_the_others(by_hand, folder):
    for table in ("aaa", "zzz"):
        room(folder, table).mkdir()
        (room(folder, table) / f"{table}.sqlite").write_bytes(b"no record")
    play_alone(folder, "anna")
    by_hand._look_at_all()

    assert len(backups(folder, "anna")) == 1


def backups(folder: Path, table: str) -> list[Path]:
    return [*room(folder, table).glob(f"backups/{table}-*.sqlite")]


def play_alone(folder: Path, table: str) -> None:
    """Begin a game at a table while no server is there."""
    app = create_app({"DATA": room(folder, table) / f"{table}.sqlite"})
    assert app.test_client().post(f"{ROOT}/games", json=BEGIN).status_code == 201
    app.extensions["ledger"].close()


# ---- two processes -------------------------------------------------------------------


class Process:
    """A server on a folder; the tables that it founds are called after it."""

    def __init__(self, folder: Path) -> None:
        command = [sys.executable, "-m", "scorekeeper", "serve", "--port", "0", "--data"]
        self.process = subprocess.Popen(
            [*command, str(folder)],
            env={**os.environ, "SCOREKEEPER_TABLES": f"{folder.name}-"},
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self.process.stdout
        told = re.search(r"http://[^:]+:(\d+)", self.process.stdout.readline())
        assert told
        self.port = int(told[1])

    def call(self, method: str, path: str, body: Any = None, **headers: str) -> tuple[int, Any]:
        return self.answer(method, path, body, **headers)[:2]

    def answer(
        self, method: str, path: str, body: Any = None, **headers: str
    ) -> tuple[int, Any, str]:
        connection = HTTPConnection("127.0.0.1", self.port, timeout=30)
        about = {"Content-Type": "application/json", **HERE}
        about |= {name.replace("_", "-"): text for name, text in headers.items()}
        connection.request(method, path, None if body is None else json.dumps(body), about)
        answer = connection.getresponse()
        said = answer.read()
        connection.close()
        return answer.status, json.loads(said), answer.headers.get("Location", "")

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


def test_two_processes_own_half_of_the_groups_each(tmp_path):
    one, two = tmp_path / "one", tmp_path / "two"
    for folder in (one, two):
        folder.mkdir()

    with serving(one, two) as (first, second):
        here, there = [found(first, "Anna"), found(first, "Ben")], [found(second, "Claire")]
        crossed = [read(second, *here[0]), read(first, *there[0])]
        own = [read(first, *group) for group in here] + [read(second, *there[0])]
        first.stop()  # kill -9: the other goes on, and founds
        there.append(found(second, "Dora"))
        alone = [read(second, *group) for group in there]
        with serving(one) as (again,):
            after = [read(again, *group) for group in here]

    assert crossed == [421, 421]
    assert own == after[:2] + alone[:1] == ["Anna", "Ben", "Claire"]
    assert alone == ["Claire", "Dora"]
    assert {address.split("/")[2][:4] for address, _ in here} == {"one-"}
    assert {address.split("/")[2][:4] for address, _ in there} == {"two-"}
    for folder in (one, two):
        assert len(tables(folder)) == 2
        for table in tables(folder):
            with closing(open_ledger(room(folder, table) / f"{table}.sqlite")) as ledger:
                assert check(ledger).good
                assert len(ledger.groups()) == 1


def found(process: Process, name: str) -> tuple[str, str]:
    """Found a group in front of a folder; its address and pen."""
    order = {"name": name, "members": MEMBERS}
    status, new, address = process.answer("POST", f"{ROOT}/groups", order)
    assert status == 201
    return address, new["pen"]


def read(process: Process, group: str, pen: str) -> Any:
    """What a group is called, or how that is refused."""
    status, told = process.call("GET", group, Authorization=f"Bearer {pen}")
    return told["name"] if status == 200 else status


@pytest.mark.skipif(sys.platform != "linux", reason="limits are asked of Linux")
def test_a_server_takes_all_handles_that_it_may_have(tmp_path):
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (before[0] - 1, before[1]))
    try:
        folder = tmp_path / "one"
        folder.mkdir()
        with serving(folder) as (process,):
            process.call("GET", "/healthz")
            soft, hard = resource.prlimit(process.process.pid, resource.RLIMIT_NOFILE)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)

    assert soft == hard == before[1]


def rounds_in(folder: Path, table: str, game: str) -> int:
    with closing(open_ledger(room(folder, table) / f"{table}.sqlite")) as ledger:
        assert check(ledger).good
        return len(ledger.game(game).sheet.rows)
