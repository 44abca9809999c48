"""Compile every template and look for missing catalogue keys: part of ``make check``."""

import ast
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from jinja2 import Environment, TemplateSyntaxError, nodes

from scorekeeper import create_app
from scorekeeper.i18n import LANGUAGES, language

ROOT = Path(__file__).parents[1]
TEMPLATES = ROOT / "templates"


def findings(environment: Environment) -> Iterator[str]:
    """Yield templates that do not compile, and keys without words."""
    for path in sorted(TEMPLATES.rglob("*.*")):
        source = path.read_text(encoding="utf-8")
        try:
            environment.compile(source, filename=str(path))
            keys = list(keys_in_template(environment.parse(source)))
        except TemplateSyntaxError as error:
            yield f"{path.relative_to(ROOT)}:{error.lineno}: {error.message}"
        else:
            yield from missing(path, keys)
    for path in sorted((ROOT / "scorekeeper").rglob("*.py")):
        yield from missing(path, keys_in_code(ast.parse(path.read_text(encoding="utf-8"))))


def keys_in_template(tree: nodes.Template) -> Iterator[tuple[int, str]]:
    """Yield the literal keys that a template passes to ``lang``, with their lines."""
    for call in tree.find_all(nodes.Call):
        if isinstance(call.node, nodes.Name) and call.node.name == "lang" and call.args:
            first = call.args[0]
            if isinstance(first, nodes.Const):
                yield call.lineno, str(first.value)


def keys_in_code(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield the literal keys that a module passes to ``lang``, with their lines."""
    for call in ast.walk(tree):
        match call:
            case ast.Call(func=ast.Name(id="lang"), args=[ast.Constant(value=str(key)), *_]):
                yield call.lineno, key


def missing(path: Path, keys: Iterable[tuple[int, str]]) -> Iterator[str]:
    """Yield the keys that are missing in a language."""
    for line, key in keys:
        without = [code for code in LANGUAGES if key not in language(code)]
        if without:
            yield f"{path.relative_to(ROOT)}:{line}: no words for {key} in {', '.join(without)}"


if __name__ == "__main__":
    with TemporaryDirectory() as folder:
        app = create_app({"DATA": Path(folder, "check.sqlite")})
        found = list(findings(app.jinja_env))
    print("\n".join(found) or "templates: all compile, all words are there")
    sys.exit(bool(found))
