"""The forms of findings: what clients can rely on, without what differs from case to case."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from scorekeeper.domain.errors import Problem

FORMS_FILE = Path(__file__).parent / "data" / "findings.txt"


class Form(NamedTuple):
    """The form of a finding. Clients word findings by it, so a missing fact is a fault."""

    key: str
    """The code, with the reason if there is one: ``E_RUN.gap``."""
    place: str
    facts: frozenset[str]

    def __str__(self) -> str:
        return f"{self.key} at {self.place} with {' '.join(sorted(self.facts)) or 'no facts'}"


def form_of(problem: Problem) -> Form:
    """Return the form of a finding; a fact that is None is not stated."""
    option, why = problem.facts.get("option"), problem.facts.get("why")
    place = (
        "#" if isinstance(part, int) else "OPTION" if part == option else part
        for part in problem.path
    )
    stated = {name for name, fact in problem.facts.items() if fact is not None}
    key = problem.code if why is None else f"{problem.code}.{why}"
    return Form(key, "/".join(place) or "-", frozenset(stated - {"why"}))


def listed_forms() -> Iterator[Form]:
    """Yield every form in the list."""
    places: list[str] = []
    for line in FORMS_FILE.read_text(encoding="utf-8").splitlines():
        if line.startswith("at "):
            places = line.split()[1:]
        elif line.startswith(" "):
            key, _, facts = line.strip().partition(":")
            yield from (Form(key, place, frozenset(facts.split())) for place in places)


FORMS = frozenset(listed_forms())


def declared_findings(folder: Path) -> Iterator[tuple[str, set[str], bool]]:
    """Yield every finding in the code: its key, its facts, whether more facts are added."""
    for path in sorted(folder.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant):
                code = node.args[0].value
                if isinstance(code, str) and re.fullmatch(r"[EW]_[A-Z_]+", code):
                    yield _declared(code, node)


def _declared(code: str, call: ast.Call) -> tuple[str, set[str], bool]:
    facts = {keyword.arg: keyword.value for keyword in call.keywords}
    called = getattr(call.func, "id", getattr(call.func, "attr", ""))
    for argument in call.args[1:]:
        if called == "Problem" and isinstance(argument, ast.Name):
            facts[None] = argument  # facts made elsewhere
        if isinstance(argument, ast.Dict):
            keys = [getattr(key, "value", None) for key in argument.keys]
            facts |= dict(zip(keys, argument.values, strict=True))
    why = facts.get("why")
    key = f"{code}.{why.value}" if isinstance(why, ast.Constant) else code
    names = {name for name in facts if name} | {"player" for name in facts if name == "seat"}
    return key, names | ({"cards"} if called == "finding" else set()), None in facts
