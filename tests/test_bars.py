"""Every bar of reliability has its tests, and the harness counts tries and failures."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from bars import EVERY, proofs, seed, some, tries
from bars_table import BARS

WANTED = {(bar.id, control) for bar in BARS.values() for control in ("", *bar.controls)}


def test_every_bar_and_every_control_has_its_test():
    assert set(proofs()) == WANTED


def test_a_bar_is_tried_as_often_as_its_column_says(monkeypatch):
    monkeypatch.setattr("bars.SOAK", 0)
    assert [tries(bar) for bar in ("D1", "C1", "D7", "Q1")] == [20, 4, EVERY, 0]
    monkeypatch.setattr("bars.SOAK", 1.0)
    assert [tries(bar) for bar in ("D1", "C1", "D2", "D7", "Q1")] == [1000, 50, EVERY, EVERY, 600]
    monkeypatch.setattr("bars.SOAK", 0.0001)
    assert [tries(bar) for bar in ("D1", "L1", "P5")] == [1, 10, 60]


def test_random_choices_depend_on_the_seed_only(monkeypatch):
    monkeypatch.setattr("bars.SOAK", 0)
    monkeypatch.delenv("SEED", raising=False)
    usual, sample = seed("D2"), some("D2", range(100))

    assert usual != seed("D1")
    assert sample == some("D2", range(100)) == sorted(sample)
    assert len(sample) == tries("D2")
    monkeypatch.setenv("SEED", "2")
    assert usual != seed("D2")
    assert sample != some("D2", range(100))


TRIED = """
import pytest
from bars import tried, trying

bar = pytest.mark.bar

@bar("D1")
@pytest.mark.parametrize("journal", ["wal", "truncate"])
def test_twice(journal):
    for dice in trying("D1", 10):
        assert dice.random() < 2

@bar("D2")
def test_breaks():
    for number, _ in enumerate(trying("D2"), 1):
        assert number < 7

@bar("D3", control="WAL+NORMAL")
def test_catches():
    tried(5, failed=2)

@bar("D3", control="DELETE+FULL")
def test_does_not_catch():
    tried(5)
    assert False

@bar("D7")
def test_once(): pass

@bar("D8")
def test_skipped(): pytest.skip("sample: what is skipped counts as not tried")

@bar("Q1")
def test_only_in_soak(): assert False

def test_of_no_bar(): pass
"""


@pytest.mark.usefixtures("external")
def test_tries_and_failures_of_all_processes_are_counted(tmp_path):
    Path(tmp_path, "test_some.py").write_text(TRIED)
    results = tmp_path / "results.json"
    parallel = ["-p", "xdist", "-n", "2"]
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "bars", f"--bars-to={results}", *parallel, tmp_path],
        cwd=Path(__file__).parent,
        env={**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        capture_output=True,
        text=True,
    )
    counts = {
        (count["bar"], count["control"]): (count["tries"], count["failed"])
        for count in json.loads(results.read_text())
    }

    assert counts == {
        ("D1", ""): (20, 0),
        ("D2", ""): (7, 1),
        ("D3", "WAL+NORMAL"): (5, 2),
        ("D3", "DELETE+FULL"): (6, 0),
        ("D7", ""): (1, 0),
        ("D8", ""): (0, 0),
    }
    assert "SEED=1 TRY=7 in the environment" in run.stdout
