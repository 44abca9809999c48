"""Acknowledged rounds survive a power cut (D3)."""

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from bars import seed, tried, tries, trying
from scorekeeper.store import Ledger, Unreadable
from scorekeeper.store.check import check
from scorekeeper.store.errors import NotSaved
from scorekeeper.store.sqlite import engine
from scorekeeper.store.sqlite.engine import Engine
from scorekeeper.store.sqlite.migrations import migrate
from scorekeeper.store.sqlite.store import SqliteStore
from store.conftest import Table
from store.disk import Call, after_power_cut, recording_disk

FILE = "evenings.sqlite"


def opened(path: Path, journal: str) -> Ledger:
    """Open a ledger, also in a mode that the engine would refuse."""
    made = Engine(path, journal)
    try:
        migrate(made)
    except BaseException:
        made.close()
        raise
    return Ledger(SqliteStore(made))


def evenings(folder: Path, journal: str, dice: random.Random) -> list[Call]:
    """Record all calls to the disk and all acknowledgements, from an empty folder on.

    One game, then another one, then four at once whose rounds share commits.
    """

    def play(table: Table, game_id: str, rounds: Sequence[int]) -> None:
        disk.acknowledge((table.open(game_id), 1))
        for number, points in enumerate(rounds, 1):
            disk.acknowledge((game_id, table.record(game_id, points).version))
            if points % 3 == 0:
                disk.acknowledge((game_id, table.correct(game_id, number, points // 3).version))

    with recording_disk() as disk:
        for evening in (["monday"], ["tuesday"], [f"friday {seats}" for seats in range(4)]):
            table = Table(opened(folder / FILE, journal))
            rounds = [[dice.randint(1, 200) for _ in range(8)] for _ in evening]
            with ThreadPoolExecutor(len(evening)) as tables:
                list(tables.map(play, [table] * len(evening), evening, rounds))
            table.ledger.close()
    return disk.calls


def cut(calls: list[Call], dice: random.Random) -> tuple[dict[str, bytes], Counter[str]]:
    """Return the files after a power cut at a random moment, and the acknowledgements before it."""
    before = calls[: dice.randint(0, len(calls))]
    acknowledged = (call.data for call in before if call.kind == "acknowledged")
    return after_power_cut(before, dice), Counter(dict(acknowledged))


def found_versions(files: dict[str, bytes], folder: Path, journal: str) -> Counter[str] | None:
    """Return the versions of the games that a server finds in these files; None if damaged."""
    folder.mkdir(exist_ok=True)
    for file in folder.iterdir():
        file.unlink()
    for name, content in files.items():
        (folder / name).write_bytes(content)
    try:
        ledger = opened(folder / FILE, journal)
    except (Unreadable, NotSaved):
        return None
    try:
        report = check(ledger)
        if not all(line.ok for line in report.lines if line.key != "engine"):
            return None
        return Counter(dict(ledger.store.engine.rows("SELECT id, version FROM books")))
    finally:
        ledger.close()


def losses(folder: Path, journal: str, times: int) -> Iterator[bool]:
    """Return for many power cuts whether an acknowledged round was lost."""
    calls = evenings(folder, journal, random.Random(seed("D3")))
    for dice in trying("D3", times):
        files, acknowledged = cut(calls, dice)
        found = found_versions(files, folder / "found", journal)
        yield found is None or not acknowledged <= found


@pytest.mark.bar("D3")
@pytest.mark.parametrize("journal", ["wal", "truncate"])
def test_no_acknowledged_round_is_lost_when_the_power_fails(tmp_path, journal):
    for is_lost in losses(tmp_path, journal, tries("D3") // 2):
        assert not is_lost


@pytest.mark.bar("D3", control="WAL+NORMAL")
def test_rounds_are_lost_if_commits_are_not_synced(tmp_path, monkeypatch):
    monkeypatch.setattr(engine, "FULL", 1)

    assert count(losses(tmp_path, "wal", tries("D3") // 4))


@pytest.mark.bar("D3", control="DELETE+FULL")
def test_rounds_are_lost_if_removing_the_journal_is_not_synced(tmp_path):
    assert count(losses(tmp_path, "delete", tries("D3") // 4))


def count(lost: Iterator[bool]) -> int:
    """Count the failures of the broken variant."""
    times = 0
    for is_lost in lost:
        tried(0, failed=is_lost)
        times += is_lost
    return times
