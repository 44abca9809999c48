"""What docs/security.md says is so: every test it names exists, no requirement is left out."""

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
    """Every test there is, as ``file::name`` and as ``name``."""
    named = set()
    for path in (ROOT / "tests").rglob("test_*.py"):
        for name in re.findall(r"^ *def (test_\w+)", path.read_text(encoding="utf-8"), re.M):
            named |= {name, f"{path.relative_to(ROOT / 'tests')}::{name}"}
    return named


def spread(text: str) -> Iterator[str]:
    """``6.2.1-6.2.3, 6.4.1`` as single requirements."""
    for part in text.split(","):
        first, _, last = part.strip().partition("-")
        section, _, start = first.rpartition(".")
        for number in range(int(start), int((last or first).rpartition(".")[2]) + 1):
            assert not last or last.rpartition(".")[0] == section, part
            yield f"{section}.{number}"


# ---- the page ------------------------------------------------------------------------


def test_no_requirement_of_level_1_and_2_is_missing_and_none_is_there_twice():
    left_out = [number for some, _ in LEFT_OUT.findall(CHECKLIST) for number in spread(some)]
    named = [number for number, *_ in ROWS] + left_out

    assert sorted(named) == sorted(LISTED)


def test_every_line_of_the_checklist_is_read():
    lines = [line for line in CHECKLIST.splitlines() if re.match(r"\| \d", line)]

    assert len(lines) == len(ROWS)
    assert {number: level for number, level, *_ in ROWS}.items() <= LISTED.items()


def test_what_holds_names_its_proof_and_what_does_not_says_why():
    for number, _, _, stands, said in ROWS:
        if stands == "holds":
            assert re.search(r"`test_|`[\w/]+\.py::test_|above|docs/|\[", said), number
        else:
            assert len(said.split()) >= 4, number


def test_every_test_that_is_named_exists():
    named = set(re.findall(r"`((?:[\w/]+\.py::)?test_\w+)`", PAGE))

    assert len(named) > 60
    assert named <= all_tests()


def test_every_threat_names_what_proves_the_defence():
    table = THREATS.split("## Threats", 1)[1].split("##", 1)[0]
    threats = [line.split(" | ") for line in table.splitlines() if line.startswith("| ")][1:]

    assert len(threats) > 20
    for *told, proof in threats:
        assert len(told) == 4
        assert re.search(r"`test_|`[\w/]+\.py::test_|said openly", proof), proof


# ---- the code ------------------------------------------------------------------------


def test_nothing_runs_or_unpacks_what_comes_from_outside():
    """No code made of words, no shell, no format that builds objects, no XML."""
    modules = {"subprocess", "pickle", "marshal", "shelve", "xml", "yaml", "ctypes", "lxml"}
    calls = {"eval", "exec", "compile", "__import__", "system", "popen"}
    for path, code in CODE.items():
        for node in ast.walk(code):
            if isinstance(node, ast.Import):
                assert not {one.name.partition(".")[0] for one in node.names} & modules, path
            if isinstance(node, ast.ImportFrom):
                assert (node.module or "").partition(".")[0] not in modules, path
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                assert node.func.id not in calls, path


def test_the_server_asks_nobody():
    """No address is ever called; only the client for programs does, at its user's wish."""
    calling = {"urllib.request", "http.client", "smtplib", "ftplib", "create_connection"}
    for path in CODE:
        source = path.read_text(encoding="utf-8")

        assert "client" in path.parts or not [name for name in calling if name in source], path


def test_sql_is_written_in_the_package_of_its_engine_alone():
    statement = re.compile(r"\s*(SELECT|INSERT|UPDATE|DELETE|PRAGMA|CREATE) ")
    for path, code in CODE.items():
        for node in ast.walk(code):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                assert "sqlite" in path.parts or not statement.match(node.value), path


def test_no_secret_is_written_into_the_code():
    for path in CODE:
        assert not re.search(
            r"(?i)(secret|password|token)\w*\s*=\s*[\"'][^\"'\s]{12,}", path.read_text("utf-8")
        ), path
