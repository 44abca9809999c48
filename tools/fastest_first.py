"""A pytest plugin for mutation testing: run the fastest tests first, as timed by mutmut.

Most mutants are killed by the first test that reaches them, so slow tests seldom run.
"""

import json
from pathlib import Path

import pytest

STATS = Path("mutmut-stats.json")


def pytest_make_parametrize_id(val: object) -> str | None:
    """Return the id of bytes and of odd characters: without pytest's escaping they have none."""
    if isinstance(val, bytes) or (isinstance(val, str) and not val.isprintable()):
        return ascii(val)[:60]
    return None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Sort the tests by duration, unknown ones first; without times they stay as they are."""
    if STATS.exists():
        durations = json.loads(STATS.read_text(encoding="utf-8"))["duration_by_test"]
        items.sort(key=lambda item: durations.get(item.nodeid, 0))
