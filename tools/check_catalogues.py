"""Compare the catalogues of all languages, and find keys that nothing uses: part of ``make check``.

A key is used if code or a template contains it, or joins it from parts, such as
``f"option.{name}"`` or ``"option." ~ name``. The parts between must be words of the code, too.

A translation begins as a copy of the English sentences. A language is complete when no sentence of
three or more words is the English one; shorter ones (*Gin*, *Name*) may be the same.
"""

import ast
import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from jinja2 import Environment, nodes

from scorekeeper.domain.rules import OPTIONS
from scorekeeper.i18n import LANGUAGES, catalogue_problems
from scorekeeper.i18n.catalogue import (
    AREAS,
    PLACEHOLDER,
    Catalogue,
    Forms,
    area_path,
    read_area,
    read_catalogue,
)

ROOT = Path(__file__).parents[1]
FINDING = ("", ".", "")
"""The key of a finding: its code and its reason, which ``Language.problem`` joins."""

Join = tuple[str, ...]
"""The constant parts of a text, with a gap between any two of them."""
ENGLISH = "en"
WORD = re.compile(r"[^\W\d_]{2,}")
NAMES = {"home.system.find", "source.003", "terminal.check.session"}
"""Sentences that consist of names, and may be the same in every language."""


class Sources:
    """The words of the code and the templates, and how they join words."""

    def __init__(self) -> None:
        self.words = {"", *OPTIONS, *LANGUAGES}
        joins: set[Join] = set()
        for text in _texts():
            if isinstance(text, str):
                self.words.add(text)
            else:
                joins.add(text)
        self._joins = [_pattern(join) for join in joins if re.search("[a-z]", "".join(join))]
        self._finding = _pattern(FINDING)

    def use(self, key: str) -> bool:
        """Return whether this key, or part of one, is a word or joined from words."""
        if key in self.words or key.isdecimal():
            return True
        joins = [self._finding] * key.startswith(("E_", "W_")) + self._joins
        found = (join.fullmatch(key) for join in joins)
        return any(all(map(self.use, match.groups())) for match in found if match)


def _texts() -> Iterator[str | Join]:
    for path in sorted((ROOT / "scorekeeper").rglob("*.py")):
        yield from _texts_of_code(ast.parse(path.read_text(encoding="utf-8")))
    for path in sorted((ROOT / "templates").rglob("*.*")):
        source = Environment(autoescape=True).parse(path.read_text(encoding="utf-8"))
        yield from _texts_of_template(source)
    for path in sorted((ROOT / "browser").glob("*.*")):
        yield from _texts_of_script(path.read_text(encoding="utf-8"))


def _texts_of_script(script: str) -> Iterator[str | Join]:
    """Yield the words between quotes of the scripts around the pages, and what they join."""
    yield from re.findall(r"""["']([\w.]+)["']""", script)
    for text in re.findall(r"`([\w.${}]+)`", script):
        yield tuple(re.split(r"\$\{\w+\}", text))


def _texts_of_code(tree: ast.Module) -> Iterator[str | Join]:
    for node in ast.walk(tree):
        match node:
            case ast.Constant(value=str(text)):
                yield text
            case ast.JoinedStr(values=parts):
                yield _join(
                    part.value if isinstance(part, ast.Constant) else None for part in parts
                )
            case (
                ast.AugAssign(value=ast.Constant(value=str(suffix)))
                | ast.BinOp(op=ast.Add(), right=ast.Constant(value=str(suffix)))
            ):
                yield "", suffix


def _texts_of_template(tree: nodes.Template) -> Iterator[str | Join]:
    for const in tree.find_all(nodes.Const):
        if isinstance(const.value, str):
            yield const.value
            if "%s" in const.value:
                yield tuple(const.value.split("%s"))
    for concat in tree.find_all(nodes.Concat):
        yield _join(part.value if isinstance(part, nodes.Const) else None for part in concat.nodes)


def _join(parts: Iterable[object]) -> Join:
    """Return the constant parts; None is a gap."""
    return tuple("".join("\0" if part is None else str(part) for part in parts).split("\0"))


def _pattern(join: Join) -> re.Pattern[str]:
    return re.compile("(.*)".join(map(re.escape, join)))


def unused() -> Iterator[str]:
    """Yield every key that neither code nor templates use."""
    sources = Sources()
    for key in read_catalogue(LANGUAGES[0]):
        if not sources.use(key):
            yield f"{key}: nothing uses it"


# ---- what is not translated yet ------------------------------------------------------


def to_translate() -> Catalogue:
    """Return the English sentences of three or more words."""
    known = read_catalogue(ENGLISH)
    return {key: known[key] for key in known if key not in NAMES and is_long(known[key])}


def is_long(forms: Forms) -> bool:
    """Return whether a sentence has three words or more besides its facts."""
    return any(len(WORD.findall(PLACEHOLDER.sub("", form))) >= 3 for form in forms)


def untranslated(own: Catalogue) -> list[str]:
    """Return the keys of which a language has no sentence of its own."""
    return [
        key
        for key, english in to_translate().items()
        if not any(own.get(key, ())) or {*own[key]} <= {*english}
    ]


def still_english() -> Iterator[str]:
    """Yield a line for each language that readers get English sentences in."""
    for code in LANGUAGES:
        if code != ENGLISH and (keys := untranslated(read_catalogue(code))):
            yield f"{code}: {len(keys)} sentences are still English: {', '.join(keys[:5])}, ..."


def unfinished() -> Iterator[str]:
    """Yield how far each language is that readers are not offered yet."""
    for folder in sorted(area_path(ENGLISH, AREAS[0]).parents[1].iterdir()):
        if folder.name not in LANGUAGES and any(folder.glob("*.po")):
            areas = (area for area in AREAS if area_path(folder.name, area).exists())
            begun = {k: v for area in areas for k, v in read_area(folder.name, area).items()}
            left, all_of = len(untranslated(begun)), len(to_translate())
            yield f"{folder.name}: {left} of {all_of} sentences to translate; not offered yet"


if __name__ == "__main__":
    problems = [*catalogue_problems(), *still_english(), *unused()]
    print("\n".join(problems) or "catalogues: every key in every language, and none unused")
    for line in unfinished():
        print(line)
    sys.exit(bool(problems))
