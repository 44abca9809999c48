"""docs/security.md is right: its tests exist, and no requirement is missing."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")
THREATS, CHECKLIST = PAGE.split("## The checklist", 1)
LISTED = dict(
    line.split() for line in (ROOT / "tests" / "data" / "asvs.txt").read_text().splitlines()
)
"""Every requirement of levels 1 and 2 of ASVS 5.0.0, with its level."""
ROW = re.compile(r"^\| (\d+\.\d+\.\d+) \| ([12]) \| (.+?) \| (holds|partly|no) \| (.+?) \|$", re.M)
ROWS = ROW.findall(CHECKLIST)
LEFT_OUT = re.compile(r"^- \*\*Not here\*\*: ([\d.,\- ]+): (.+)$", re.M)

CODE = {
    path: ast.parse(path.read_text(encoding="utf-8"))
    for path in sorted((ROOT / "scorekeeper").rglob("*.py"))
}


def all_tests() -> set[str]:
    """Return every test as ``file::name`` and as ``name``."""
    named = set()
    for path in (ROOT / "tests").rglob("test_*.py"):
        for name in re.findall(r"^ *def (test_\w+)", path.read_text(encoding="utf-8"), re.M):
            named |= {name, f"{path.relative_to(ROOT / 'tests')}::{name}"}
    return named


def spread(text: str) -> Iterator[str]:
    """Return ``6.2.1-6.2.3, 6.4.1`` as single requirements."""
    for part in text.split(","):
        first, _, last = part.strip().partition("-")
        section, _, start = first.rpartition(".")
        for number in range(int(start), int((last or first).rpartition(".")[2]) + 1):
            assert not last or last.rpartition(".")[0] == section, part
            yield f"{section}.{number}"


# ---- the page ------------------------------------------------------------------------


def test_every_requirement_of_levels_1_and_2_is_listed_once():
    left_out = [number for some, _ in LEFT_OUT.findall(CHECKLIST) for number in spread(some)]
    named = [number for number, *_ in ROWS] + left_out

    assert sorted(named) == sorted(LISTED)


def test_every_line_of_the_checklist_is_read():
    lines = [line for line in CHECKLIST.splitlines() if re.match(r"\| \d", line)]

    assert len(lines) == len(ROWS)
    assert {number: level for number, level, *_ in ROWS}.items() <= LISTED.items()


def test_met_requirements_name_a_test_and_others_a_reason():
    for number, _, _, stands, said in ROWS:
        if stands == "holds":
            assert re.search(r"`test_|`[\w/]+\.py::test_|above|docs/|\[", said), number
        else:
            assert len(said.split()) >= 4, number


def test_every_named_test_exists():
    named = set(re.findall(r"`((?:[\w/]+\.py::)?test_\w+)`", PAGE))

    assert len(named) > 60
    assert named <= all_tests()


def test_every_threat_names_the_test_of_its_defence():
    table = THREATS.split("## Threats", 1)[1].split("##", 1)[0]
    threats = [line.split(" | ") for line in table.splitlines() if line.startswith("| ")][1:]

    assert len(threats) > 20
    for *row, proof in threats:
        assert len(row) == 4
        assert re.search(r"`test_|`[\w/]+\.py::test_", proof), proof


# ---- the code ------------------------------------------------------------------------


OWN_PROCESSES = [("processes.py", {"subprocess"}), ("photographs.py", {"ctypes"})]
"""The modules that start this program itself and return memory to the system, with nothing that a
stranger has sent."""


def test_no_input_is_executed_or_unpickled():
    """No eval, no shell, no pickle, no XML."""
    modules = {"subprocess", "pickle", "marshal", "shelve", "xml", "yaml", "ctypes", "lxml"}
    calls = {"eval", "exec", "compile", "__import__", "system", "popen"}
    for path, code in CODE.items():
        for node in ast.walk(code):
            if isinstance(node, ast.Import):
                used = {one.name.partition(".")[0] for one in node.names} & modules
                assert not used or (path.name, used) in OWN_PROCESSES, path
            if isinstance(node, ast.ImportFrom):
                assert (node.module or "").partition(".")[0] not in modules, path
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                assert node.func.id not in calls, path


def test_the_server_makes_no_requests():
    """Only the client opens connections, to the server that its user names."""
    calling = {"urllib.request", "http.client", "smtplib", "ftplib", "create_connection"}
    for path in CODE:
        source = path.read_text(encoding="utf-8")

        assert "client" in path.parts or not [name for name in calling if name in source], path


def test_only_the_engine_packages_contain_sql():
    statement = re.compile(r"\s*(SELECT|INSERT|UPDATE|DELETE|PRAGMA|CREATE) ")
    for path, code in CODE.items():
        for node in ast.walk(code):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                is_engine = path.parent.name in ("sql", "sqlite", "postgres")
                assert is_engine or not statement.match(node.value), path


def test_the_code_contains_no_secret():
    for path in CODE:
        assert not re.search(
            r"(?i)(secret|password|token)\w*\s*=\s*[\"'][^\"'\s]{12,}", path.read_text("utf-8")
        ), path
