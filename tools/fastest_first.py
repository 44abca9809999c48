"""A pytest plugin for mutation testing: run the fastest tests first, as timed by mutmut.

Most mutants are killed by the first test that reaches them, so slow tests seldom run.
"""

import json
from pathlib import Path

import pytest

STATS = Path("mutmut-stats.json")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Sort the tests by duration, unknown ones first; without times they stay as they are."""
    if STATS.exists():
        durations = json.loads(STATS.read_text(encoding="utf-8"))["duration_by_test"]
        items.sort(key=lambda item: durations.get(item.nodeid, 0))
