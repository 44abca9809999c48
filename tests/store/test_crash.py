"""Acknowledged rounds survive kill -9 (D1)."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

import scorekeeper
from bars import tries, trying
from scorekeeper.store import open_ledger
from scorekeeper.store.check import check

WRITER = Path(__file__).with_name("writer.py")
HOME = Path(scorekeeper.__file__).parents[1]


@pytest.mark.bar("D1")
@pytest.mark.parametrize("writers", [1, 4])
@pytest.mark.parametrize("journal", ["truncate", "wal"])
@pytest.mark.usefixtures("external")
def test_no_acknowledged_round_is_lost_when_the_server_is_killed(
    tmp_path, table_at, journal, writers
):
    for number, dice in enumerate(trying("D1", tries("D1") // 4)):
        if number % 10 == 0:  # else the evenings grow too long
            path = tmp_path / f"{number}.sqlite"
            ledger = open_ledger(path, journal=journal)
            table = table_at(ledger)
            evenings = [table.open(f"evening-{n}") for n in range(writers)]
            payload = json.dumps(table.round(1, 25))
            ledger.close()
        acknowledged = killed_writer(path, payload, journal, evenings, dice.uniform(0.001, 0.06))
        ledger = open_ledger(path, journal=journal)
        saved = {evening: ledger.version(evening) for evening in evenings}
        report = check(ledger)
        ledger.close()

        assert acknowledged
        # The last of each may be saved and not yet acknowledged.
        assert all(saved[evening] - number in (0, 1) for evening, number in acknowledged.items())
        assert [line for line in report.lines if not line.ok and line.key != "engine"] == []


def killed_writer(path, payload, journal, evenings, after):
    """Return the last round of each evening acknowledged before the writer was killed."""
    writer = subprocess.Popen(
        [sys.executable, WRITER, path, journal, payload, *evenings],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,  # that the journal was set by hand
        text=True,
        env={**os.environ, "PYTHONPATH": str(HOME)},
    )
    with writer, writer.stdout as said:
        said.readline()  # it is open
        first = said.readline()
        time.sleep(after)
        writer.kill()
        words = (line.split() for line in (first, *said) if line.endswith("\n"))
        return {evening: int(number) for evening, number in words}
