"""Runs in the Python of a browser: the tests of the worked examples, with pytest."""

import sys
import xml
from collections.abc import Iterator
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

ABSENT = ("hypothesis", "hypothesis.strategies", "pygments", "pygments.formatters")
ABSENT += ("pygments.formatters.terminal", "pygments.lexers", "pygments.lexers.diff")
ABSENT += ("pygments.lexers.python", "pygments.lexer", "pygments.util")
"""Modules that these tests name and do not need: Hypothesis has no package for browsers."""


class Idle:
    """Stands in for everything in such a module."""

    def __call__(self, *_: Any, **__: Any) -> "Idle":
        return self

    def __getattr__(self, name: str) -> "Idle":
        if name.startswith("__"):
            raise AttributeError(name)
        return self

    def __iter__(self) -> Iterator[Any]:
        return iter(())

    def __or__(self, other: Any) -> "Idle":
        return self


class Absent(ModuleType):
    """Has every name."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return Idle()


class Watch:
    """Keeps the tests that are given a worked example, and counts how they end."""

    def __init__(self) -> None:
        self.passed: list[str] = []
        self.failed: list[str] = []

    def pytest_collection_modifyitems(self, items: list[Any]) -> None:
        items[:] = [item for item in items if "example" in item.fixturenames]

    def pytest_runtest_logreport(self, report: Any) -> None:
        if report.failed:
            self.failed.append(f"{report.nodeid}\n{report.longrepr}")
        elif report.when == "call":
            self.passed.append(report.nodeid)

    def pytest_collectreport(self, report: Any) -> None:
        if report.failed:
            self.failed.append(f"{report.nodeid}\n{report.longrepr}")


def run(folder: str, files: list[str]) -> tuple[list[str], list[str]]:
    """Run the tests of files; return the names of those that passed, and what failed."""
    for name in ABSENT:
        module = sys.modules[name] = Absent(name)
        module.__spec__ = ModuleSpec(name, None)
    sys.path[:0] = [folder, f"{folder}/packages"]
    sys.path.append(f"{folder}/stdlib.zip")
    xml.__path__.append(f"{folder}/stdlib.zip/xml")  # most of it is not part of the edition
    import pytest

    watch = Watch()
    options = ("-q", "-s", "--noconftest", "-p", "no:cacheprovider", "--import-mode=importlib")
    options += ("--assert=plain",)
    also = ("--rootdir", folder, "-c", f"{folder}/none.ini", "--color=no", "--tb=short")
    pytest.main([*options, *also, *(f"{folder}/{file}" for file in files)], plugins=[watch])
    return watch.passed, watch.failed
