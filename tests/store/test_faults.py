"""The disk fails or the server dies at any call: nothing is falsely called saved (D2, D5)."""

import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from werkzeug.test import TestResponse

from bars import some, tried, trying
from rest import QUICK, Table
from scorekeeper import create_app
from scorekeeper.services.clock import set_clock
from scorekeeper.store import Ledger, open_ledger
from scorekeeper.store.check import check
from store.disk import EIO, ENOSPC, READ_ONLY, Call, Disk, recording_disk

FILE = "games.sqlite"
MODES = ("truncate", "wal", "wal, emptied each time")
CORRECTED = {**QUICK, "seats": [{}, {"points": 1}, {"points": 2}, {"points": 3}]}
ACTIONS = {
    "record": ("POST", "/games/{id}/rounds", QUICK),
    "correct": ("PUT", "/games/{id}/rounds/1", CORRECTED),
    "strike": ("DELETE", "/games/{id}/rounds/1", None),
}
FAULTS = ("EIO", "EIO from then on", "ENOSPC", "ENOSPC from then on", "kill")
NEW = {"rules": {"preset": "german-family"}, "players": [{"name": "Anna"}, {"name": "Bernd"}]}
SAVED, NOT_SAVED = (200, 201), (503, 507)


@dataclass(frozen=True)
class Case:
    mode: str
    action: str
    number: int
    """Which of the changing calls fails, and how."""
    fault: str


class Server:
    """A table that serves all cases of a mode, one after the other."""

    def __init__(self, disk: Disk, folder: Path, mode: str) -> None:
        self.disk, self.folder = disk, folder
        self.journal = mode.partition(",")[0]
        folder.mkdir()
        data = {"DATA": folder / FILE, "JOURNAL": self.journal, "GAMES_PER_HOUR": 0}
        self.app = create_app(data)
        self.ledger: Ledger = self.app.extensions["ledger"]
        self.emptied = mode != self.journal

    def begin(self) -> Table:
        """Create a game of one round, to be changed."""
        if self.emptied:  # set again: after a failure another connection writes
            with self.ledger.store.engine.write() as db:
                db.execute("PRAGMA wal_autocheckpoint = 1")
        table = Table(self.app).begin()
        assert table.record(QUICK).status_code == 201
        return table

    def calls(self, action: str) -> int:
        """Return the number of changing calls of an action."""
        table, before = self.begin(), len(self.disk.calls)
        assert act(table, action).status_code in SAVED
        return sum(call.kind in EIO for call in self.disk.calls[before:])

    def left(self, name: str) -> Path:
        """Return a copy of the files, as a restarted server would find them."""
        copies = self.folder / name
        shutil.rmtree(copies, ignore_errors=True)
        copies.mkdir()
        for file in self.folder.glob(f"{FILE}*"):
            if not file.name.endswith("-shm"):  # it does not outlive those who share it
                shutil.copy(file, copies)
        return copies / FILE


def act(table: Table, action: str) -> TestResponse:
    method, path, body = ACTIONS[action]
    match = "2" if method != "POST" else None
    return table.call(method, path, body, key="the key", match=match)


def state(ledger: Ledger, game_id: str) -> tuple[int | None, Any]:
    """Return the state of a game for comparisons."""
    return ledger.version(game_id), ledger.game(game_id).sheet.rows


def found(path: Path, journal: str, game_id: str) -> tuple[int | None, Any]:
    """Return the state that a server finds in these files, and check that they are sound."""
    ledger = open_ledger(path, journal=journal)
    report = check(ledger)
    known = state(ledger, game_id)
    ledger.close()
    assert [line.key for line in report.lines if not line.ok and line.key != "engine"] == []
    return known


@pytest.fixture
def servers(tmp_path: Path) -> Iterator[dict[str, Server]]:
    with recording_disk() as disk:
        made = {mode: Server(disk, tmp_path / mode, mode) for mode in MODES}
        yield made
        for server in made.values():
            server.ledger.close()


@pytest.mark.bar("D2")
@pytest.mark.filterwarnings("ignore::ResourceWarning")
def test_no_failing_disk_call_loses_a_round_or_falsely_reports_it_saved(servers):
    cases = [
        Case(mode, action, number, fault)
        for mode, server in servers.items()
        for action in ACTIONS
        for number in range(1, server.calls(action) + 1)
        for fault in FAULTS
    ]
    with set_clock("2026-06-12T19:40:05Z"):  # a repeat may come a second later
        for case in some("D2", cases):
            attempt(case, servers[case.mode])
            tried()


def attempt(case: Case, server: Server) -> None:
    table, journal, killed = server.begin(), server.journal, []
    before = state(server.ledger, table.id)
    calls = count(1)

    def fault(call: Call) -> int:
        if call.kind not in EIO:
            return 0
        number = next(calls)
        if case.fault == "kill":
            if number == case.number:
                killed.append(server.left("killed"))
            return 0
        met = number >= case.number if "then on" in case.fault else number == case.number
        return met and (EIO if case.fault.startswith("EIO") else ENOSPC)[call.kind]

    server.disk.fault = fault
    answer = act(table, case.action)
    server.disk.fault = lambda call: 0
    left = found(server.left("left"), journal, table.id)
    again = act(table, case.action)
    after = state(server.ledger, table.id)

    assert next(calls) > case.number, case
    assert answer.status_code in SAVED + NOT_SAVED, case
    assert again.status_code in SAVED, case  # all goes on by itself, and the key counts once
    assert after[0] == before[0] + 1 == int(table.version), case
    assert left == after if answer.status_code in SAVED else left in (before, after), case
    assert all(found(path, journal, table.id) in (before, after) for path in killed), case
    assert bool(killed) == (case.fault == "kill"), case


@pytest.mark.bar("D5")
@pytest.mark.parametrize(("errors", "status"), [(ENOSPC, 507), (READ_ONLY, 503)])
def test_on_a_read_only_disk_reads_work_and_writes_resume_later(servers, errors, status):
    for dice in trying("D5"):
        server = servers[dice.choice(MODES)]
        table = server.begin()
        paths = [f"/games/{{id}}{page}" for page in ("", "/rounds/1", "/settlement", "/sheet.pdf")]
        before = [table.get(path).data for path in paths]
        server.disk.fault = lambda call: errors.get(call.kind, 0)
        posts = range(dice.randint(1, 5))
        refused = [table.record(QUICK, key=f"later {n}") for n in posts]
        begun = table.post("/games", {**NEW, "title": "Another"}, secret="")
        page = server.app.test_client().get("/new")
        during = [table.get(path).data for path in paths]
        server.disk.fault = lambda call: 0
        resumed = [table.record(QUICK, key=f"later {n}") for n in posts]

        assert {answer.status_code for answer in [*refused, begun]} == {status}
        assert all("saved" in answer.json["detail"] for answer in refused)
        assert during == before
        assert page.status_code == 200
        assert all(answer.status_code == 201 for answer in resumed)
        assert table.version == str(2 + len(posts))
