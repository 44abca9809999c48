"""The mutation testing tool; with mutmut installed, also a sample of mutants."""

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

from bars import tried, tries
from tools import mutants
from tools.mutants import Mutant, found, is_good, is_of, sample, summary, table, why_equivalent

ROOT = Path(__file__).parents[1]
AREAS = mutants.areas()
NAMES = [
    "scorekeeper.domain.money.settlement.x_settle__mutmut_1",
    "scorekeeper.domain.rounds.scoring.gin.x_score__mutmut_2",
    "scorekeeper.domain.rounds.scoring.x_score_round__mutmut_1",
    "scorekeeper.domain.rules.xǁRuleSetǁnames__mutmut_3",
    "scorekeeper.store.names.x_clean__mutmut_1",
]


def survivor(number: int, was: str = "a < b", becomes: str = "a <= b") -> Mutant:
    name = f"scorekeeper.domain.money.settlement.x_settle__mutmut_{number}"
    return Mutant(name, "survived", was, becomes)


def killed(number: int) -> Mutant:
    return Mutant(f"scorekeeper.domain.money.settlement.x_settle__mutmut_{number}", "killed")


def test_a_seed_draws_the_same_sample_whatever_the_order_of_the_names():
    names = [f"m{number}" for number in range(1000)]

    assert sample(names, 40, "1") == sample(names[::-1], 40, "1")
    assert sample(names, 40, "1") != sample(names, 40, "2")
    assert sample(names[:3], 40, "1") == names[:3]


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [("settlement", [0]), ("scoring", [1, 2]), ("scoring.gin", [1]), ("store", [4]), ("gi", [])],
)
def test_a_module_is_named_as_it_is_imported(wanted: str, expected: list[int]):
    assert [nth for nth, name in enumerate(NAMES) if is_of(name, [wanted])] == expected


def test_a_mutant_knows_its_module_and_function():
    method = Mutant(NAMES[3], "killed")

    assert (method.module, method.function) == ("domain.rules", "RuleSet.names")
    assert (survivor(1).module, survivor(1).function) == ("domain.money.settlement", "settle")


@pytest.mark.parametrize(
    ("code", "is_killed"),
    [(1, True), (3, True), (-24, True), (0, False), (33, False), (255, False), (None, False)],
)
def test_a_mutant_whose_tests_did_not_run_is_not_killed(monkeypatch, code, is_killed):
    monkeypatch.setattr(mutants, "changed_lines", lambda area, name: ("a", "b"))

    assert found(AREAS["core"], NAMES[0], code).killed is is_killed


@pytest.mark.parametrize(("area", "enough"), [("core", 20), ("around", 10)])
def test_the_share_of_an_area_must_be_killed(area: str, enough: int):
    least = AREAS[area].least_killed

    assert is_good([survivor(0), *map(killed, range(1, enough))], least)
    assert not is_good([survivor(0), *map(killed, range(1, enough - 1))], least)


def test_every_package_but_the_outermost_is_mutated():
    mutated = [package for area in AREAS.values() for package in area.packages]
    packages = {path.parent.name for path in (ROOT / "scorekeeper").glob("*/__init__.py")}

    assert len(mutated) == len({*mutated})
    assert packages - {*mutated} == {"camera", "cli", "client", "in_browser", "workers"}


def test_an_equivalent_mutant_is_listed_with_its_reason(monkeypatch):
    known = {"function": "domain.money.settlement.*", "was": "a <", "becomes": "a <="}
    known["why"] = "a is odd"
    monkeypatch.setattr(mutants, "reasons", lambda: [known])
    judged = [survivor(0), survivor(1, "a | b", "a & b"), killed(2)]

    assert summary(judged) == (
        "3 mutants: 1 killed, 1 survived, 1 equivalent; 50.0 % of those that differ were killed"
    )
    shown = table(judged, "7", "abc")
    assert "| domain.money.settlement | 3 | 1 | 1 | 1 |" in shown
    assert "`a < b` | `a <= b` | equivalent: a is odd |" in shown
    assert "`a \\| b` | `a & b` | survived: **no test notices** |" in shown


@pytest.mark.parametrize(
    ("was", "becomes", "alike"),
    [
        ('"SELECT id FROM books"', '"select id from books"', True),
        ('"SELECT id FROM books"', '"SELECT ID FROM BOOKS"', True),
        ('"SELECT id FROM books"', '"XXSELECT id FROM booksXX"', False),
        ("\"SELECT 'game' FROM books\"", "\"select 'game' from books\"", True),
        ("\"SELECT 'game' FROM books\"", "\"SELECT 'GAME' FROM BOOKS\"", False),
        ('"game"', '"GAME"', False),
    ],
)
def test_sql_may_be_written_in_either_case(was, becomes, alike):
    assert bool(why_equivalent(survivor(0, was, becomes))) == alike


def test_the_selected_tests_exist():
    selected = [name for area in AREAS.values() for name in area.tests]
    named = [name.partition("=")[2] or name for name in selected]
    paths = [ROOT / name.partition("::")[0] for name in named if name.startswith("tests/")]

    assert paths
    assert [path for path in paths if not path.exists()] == []


@pytest.mark.bar("mutants")
@pytest.mark.skipif(not importlib.util.find_spec("mutmut"), reason="mutmut is not installed")
@pytest.mark.usefixtures("external")
def test_enough_mutants_are_killed():
    size = tries("mutants")
    seed = os.environ.get("SEED", "1")
    command = [sys.executable, "-m", "tools.mutants", "--sample", str(size), "--seed", seed]

    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)

    print(done.stdout)
    tried(size)
    assert done.returncode == 0, done.stdout
