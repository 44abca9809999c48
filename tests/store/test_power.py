"""What was called saved is there after the power failed (D3)."""

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
from store.disk import Call, after_power_cut, remembering

FILE = "evenings.sqlite"


def opened(path: Path, journal: str) -> Ledger:
    """Also in a mode that the engine guard would refuse."""
    made = Engine(path, journal)
    try:
        migrate(made)
    except BaseException:
        made.close()
        raise
    return Ledger(SqliteStore(made))


def evenings(folder: Path, journal: str, dice: random.Random) -> list[Call]:
    """All that was asked of the disk, and told to the players, from an empty folder on.

    One table on one evening, one on the next, then four at once whose rounds are committed
    together.
    """

    def play(table: Table, game_id: str, rounds: Sequence[int]) -> None:
        disk.tell((table.open(game_id), 1))
        for number, points in enumerate(rounds, 1):
            disk.tell((game_id, table.record(game_id, points).version))
            if points % 3 == 0:
                disk.tell((game_id, table.correct(game_id, number, points // 3).version))

    with remembering() as disk:
        for evening in (["monday"], ["tuesday"], [f"friday {seats}" for seats in range(4)]):
            table = Table(opened(folder / FILE, journal))
            rounds = [[dice.randint(1, 200) for _ in range(8)] for _ in evening]
            with ThreadPoolExecutor(len(evening)) as tables:
                list(tables.map(play, [table] * len(evening), evening, rounds))
            table.ledger.close()
    return disk.calls


def cut(calls: list[Call], dice: random.Random) -> tuple[dict[str, bytes], Counter[str]]:
    """The files after the power failed at some moment, and what had been told until then."""
    before = calls[: dice.randint(0, len(calls))]
    told = (call.data for call in before if call.kind == "told")
    return after_power_cut(before, dice), Counter(dict(told))


def kept(files: dict[str, bytes], folder: Path, journal: str) -> Counter[str] | None:
    """The versions that a server finds who starts on these files; None: it finds damage."""
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
    """Of so many power cuts: was anything lost that somebody had been told is saved?"""
    calls = evenings(folder, journal, random.Random(seed("D3")))
    for dice in trying("D3", times):
        files, told = cut(calls, dice)
        found = kept(files, folder / "found", journal)
        yield found is None or not told <= found


@pytest.mark.bar("D3")
@pytest.mark.parametrize("journal", ["wal", "truncate"])
def test_no_acknowledged_round_is_lost_when_the_power_fails(tmp_path, journal):
    for is_lost in losses(tmp_path, journal, tries("D3") // 2):
        assert not is_lost


@pytest.mark.bar("D3", control="WAL+NORMAL")
def test_without_syncing_each_commit_rounds_are_lost(tmp_path, monkeypatch):
    monkeypatch.setattr(engine, "FULL", 1)

    assert count(losses(tmp_path, "wal", tries("D3") // 4))


@pytest.mark.bar("D3", control="DELETE+FULL")
def test_a_journal_whose_removal_was_not_synced_takes_rounds_back(tmp_path):
    assert count(losses(tmp_path, "delete", tries("D3") // 4))


def count(lost: Iterator[bool]) -> int:
    """How often the broken variant showed itself."""
    times = 0
    for is_lost in lost:
        tried(0, failed=is_lost)
        times += is_lost
    return times
