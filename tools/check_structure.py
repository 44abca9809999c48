"""Measure the structure of the code: part of ``make check``.

The import graph has a node for each package below ``scorekeeper`` and for each module beside them;
its levels are the modules of the longest chain of imports. The length of a function is that of its
body, without signature and docstring. Files are counted if people write them.
"""

import ast
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from statistics import median

import grimp

ROOT = Path(__file__).parents[1]
PACKAGE = "scorekeeper"
MOST_NODES = 20
MOST_LEVELS = 10
MEDIAN_LINES = 5
MOST_LINES = 500
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


def function_lengths() -> Iterator[int]:
    """Yield the length of every function of the package."""
    for path in (ROOT / PACKAGE).rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                body = node.body[bool(ast.get_docstring(node)) :]
                yield (body[-1].end_lineno or 0) - body[0].lineno + 1 if body else 0


def long_files() -> Iterator[str]:
    """Yield every file written by hand that is too long; catalogues are not counted."""
    for path in sorted(path for folder in FOLDERS for path in (ROOT / folder).rglob("*.*")):
        name = path.relative_to(ROOT).as_posix()
        if path.suffix in SUFFIXES and not name.startswith(GENERATED):
            lines = path.read_text(encoding="utf-8").count("\n")
            if lines > MOST_LINES:
                yield f"{name}: {lines} lines, at most {MOST_LINES}"


def problems() -> Iterator[str]:
    """Yield every limit that is exceeded."""
    graph, lines = import_graph(), median(function_lengths())
    if len(graph) > MOST_NODES:
        yield f"import graph: {len(graph)} nodes, at most {MOST_NODES}"
    if levels(graph) > MOST_LEVELS:
        yield f"import graph: {levels(graph)} levels, at most {MOST_LEVELS}"
    if lines > MEDIAN_LINES:
        yield f"functions: the median has {lines} lines, at most {MEDIAN_LINES}"
    yield from long_files()


if __name__ == "__main__":
    found = list(problems())
    print(
        "\n".join(found) or "structure: import graph, functions and files are within their limits"
    )
    sys.exit(bool(found))
