"""docs/coverage.md is right and complete."""

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
MAP = (ROOT / "docs" / "coverage.md").read_text(encoding="utf-8")
ROWS = re.findall(r"^\| ((?:MORE )?[0-9.b]+) \| .*? \| (.*?) \|$", MAP, re.MULTILINE)
CLAUSES = [clause for clause, _ in ROWS]
FIRST = [clause for clause in CLAUSES if not clause.startswith("MORE")]
"""The clauses without those of RULES-MORE, of which each is listed where something proves it."""
OUTSIDE = "11"
"""The section on the interface to programs, which is described by OpenAPI."""


def examples() -> set[str]:
    """Return the ids of all worked examples in the data."""
    files = (ROOT / "tests" / "data").glob("*.toml")
    return {code for file in files for code in tomllib.loads(file.read_text(encoding="utf-8"))}


def test_clauses_are_listed_once_and_numbered_without_a_gap():
    numbers: dict[str, set[int]] = {}
    for clause in FIRST:
        parts = clause.removesuffix("b").split(".")
        for depth in range(1, len(parts)):
            numbers.setdefault(".".join(parts[:depth]), set()).add(int(parts[depth]))

    assert len({*CLAUSES}) == len(CLAUSES)
    assert [top for top, found in numbers.items() if found != {*range(1, max(found) + 1)}] == []


def test_every_clause_that_is_cited_exists():
    files = [path for top in ("scorekeeper", "tests") for path in (ROOT / top).rglob("*.py")]
    cited = {
        clause
        for path in files
        for more, clause in re.findall(
            r"RULES(-MORE)? (\d+(?:\.\d+b?)*)", path.read_text(encoding="utf-8")
        )
        for clause in ([f"MORE {clause}"] if more else [clause])
    }
    known = {clause[:end] for clause in CLAUSES for end in range(1, len(clause) + 1)}
    parts = tuple(f"{clause}." for clause in CLAUSES if clause.startswith("MORE"))
    unknown = {clause for clause in cited - known if not clause.startswith(parts)}

    assert len(cited) > 30
    assert {clause for clause in unknown if clause.split(".")[0] != OUTSIDE} == set()


def test_every_clause_has_a_test():
    for clause, proof in ROWS:
        assert re.search(r"`test_|\b[A-Z]\d+b?\b", proof), clause


def test_every_named_test_exists():
    files = (ROOT / "tests").rglob("test_*.py")
    sources = [path.read_text(encoding="utf-8") for path in files]
    named = set(re.findall(r"`(test_\w+)(?:\[([^`]+)\])?`", MAP))

    def stands(name: str, case: str) -> bool:
        """Return whether a file has the test, and the case among its texts."""
        return any(
            f"def {name}(" in source and (not case or f'"{case}"' in source) for source in sources
        )

    assert len(named) > 100
    assert [one for one in sorted(named) if not stands(*one)] == []


def test_every_worked_example_is_listed_and_exists():
    named = {code for _, proof in ROWS for code in re.findall(r"\b[A-Z]\d+b?\b", proof)}

    assert named == examples()
