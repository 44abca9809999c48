"""Measure the structure of the code: part of ``make check``.

The import graph has a node for each package below ``scorekeeper`` and for each module beside them;
its levels are the modules of the longest chain of imports. Files are counted if people write them.
"""

import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import grimp

ROOT = Path(__file__).parents[1]
PACKAGE = "scorekeeper"
MOST_NODES = 20
MOST_LEVELS = 10
MOST_LINES = 500
MOST_LINES_OF_MODULES = 450
"""Of Python modules outside of tests."""
FOLDERS = (
    "scorekeeper",
    "templates",
    "browser",
    "tests",
    "tools",
    "bench",
    "deploy",
    "docs",
    "examples",
)
SUFFIXES = {".py", ".html", ".css", ".js", ".md"}
GENERATED = ("docs/rules/", "scorekeeper/client/shapes.py", "tests/vendor/")


def import_graph() -> dict[str, set[str]]:
    """Return which nodes every node imports."""
    modules = grimp.build_graph(PACKAGE)
    graph: dict[str, set[str]] = {}
    for module in modules.modules:
        imported = map(_node, modules.find_modules_directly_imported_by(module))
        graph.setdefault(_node(module), set()).update(imported)
    return {node: imported - {node} for node, imported in graph.items()}


def _node(module: str) -> str:
    return ".".join(module.split(".")[:2])


def levels(graph: dict[str, set[str]]) -> int:
    """Return the number of nodes in the longest chain of imports; import-linter forbids cycles."""

    @cache
    def level(node: str) -> int:
        return 1 + max(map(level, graph[node]), default=0)

    return max(map(level, graph))


def long_files() -> Iterator[str]:
    """Yield every file written by hand that is too long; catalogues are not counted."""
    for path in sorted(path for folder in FOLDERS for path in (ROOT / folder).rglob("*.*")):
        name = path.relative_to(ROOT).as_posix()
        if path.suffix in SUFFIXES and not name.startswith(GENERATED):
            lines = path.read_text(encoding="utf-8").count("\n")
            is_module = path.suffix == ".py" and not name.startswith("tests/")
            most = MOST_LINES_OF_MODULES if is_module else MOST_LINES
            if lines > most:
                yield f"{name}: {lines} lines, at most {most}"


def problems() -> Iterator[str]:
    """Yield every limit that is exceeded."""
    graph = import_graph()
    if len(graph) > MOST_NODES:
        yield f"import graph: {len(graph)} nodes, at most {MOST_NODES}"
    if levels(graph) > MOST_LEVELS:
        yield f"import graph: {levels(graph)} levels, at most {MOST_LEVELS}"
    yield from long_files()


if __name__ == "__main__":
    found = list(problems())
    print("\n".join(found) or "structure: import graph and files are within their limits")
    sys.exit(bool(found))
