"""docs/coverage.md is right and complete."""

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
MAP = (ROOT / "docs" / "coverage.md").read_text(encoding="utf-8")
ROWS = re.findall(r"^\| ([0-9.b]+) \| .*? \| (.*?) \|$", MAP, re.MULTILINE)
SECTIONS = {"2": 0, "3": 7, "3.7": 8, "4": 0, "5": 6, "5.3": 8, "6": 6, "6.6": 10}
SECTIONS |= {"7": 7, "7.1": 5, "7.3": 4, "7.4": 13, "7.7": 6, "8": 6, "9": 8, "10": 4, "12": 0}
"""The number of clauses in each section of the rules; 0 if the section is a clause itself."""


def clauses() -> set[str]:
    """Return every clause of the rules, sections with clauses expanded."""
    numbered = {f"{top}.{n}" for top, count in SECTIONS.items() for n in range(1, count + 1)}
    whole = {section for section, count in SECTIONS.items() if not count}
    return (numbered | whole | {"6.2b"}) - set(SECTIONS) | whole


def examples() -> set[str]:
    """Return the ids of all worked examples in the data."""
    files = (ROOT / "tests" / "data").glob("*.toml")
    return {code for file in files for code in tomllib.loads(file.read_text(encoding="utf-8"))}


def test_every_clause_of_the_rules_is_in_the_map_once():
    assert sorted(clause for clause, _ in ROWS) == sorted(clauses())


def test_every_clause_has_a_test():
    for clause, proof in ROWS:
        assert re.search(r"`test_|\b[A-Z]\d\db?\b", proof), clause


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
    named = {code for _, proof in ROWS for code in re.findall(r"\b[A-Z]\d\db?\b", proof)}

    assert named == examples()
