"""Catalogues: sentences by key, read from the ``.po`` files at start.

The ``msgid`` of an entry is its key (``E_FIRST_MIN``, ``reason.hand``), so that a sentence
may change without its key, and all three languages can be compared key by key. A sentence
names its facts as ``{reached}``; nothing else in braces means anything.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import cast

from babel.messages.pofile import read_po

LANGUAGES = ("de", "en", "lb")
AREAS = (
    *("codes", "rules", "referee", "pages", "keys", "paper", "terminal", "groups", "season"),
    "upkeep",
)
PLACE = re.compile(r"(?P<soft>\(n\) )?\{(?P<name>\w+)\}")
"""Where a fact goes; ``(n)`` before it is a final n that Luxembourgish may drop there."""

Forms = tuple[str, ...]
"""One sentence, or its plural forms: for one, and for any other number."""
Catalogue = Mapping[str, Forms]


def area_path(code: str, area: str) -> Path:
    """Where the words of an area lie."""
    return Path(__file__).parent / code / f"{area}.po"


def read_area(code: str, area: str) -> Catalogue:
    """The sentences of one area in one language."""
    with area_path(code, area).open("rb") as file:
        entries = read_po(file, locale=code, abort_invalid=True)
    return {_forms(entry.id)[0]: _forms(entry.string) for entry in entries if entry.id}


@cache
def read_catalogue(code: str) -> Catalogue:
    """All sentences of one language, read once."""
    return {key: forms for area in AREAS for key, forms in read_area(code, area).items()}


def placeholders(forms: Forms) -> frozenset[str]:
    """The facts that an entry names in any of its forms."""
    return frozenset(place["name"] for sentence in forms for place in PLACE.finditer(sentence))


def catalogue_problems() -> list[str]:
    """What is wrong with the catalogues: nothing, or a line for each finding."""
    return [finding for area in AREAS for finding in _area_problems(area)] + [
        f"{key}: in more than one area"
        for key, times in Counter(
            key for area in AREAS for key in read_area(LANGUAGES[0], area)
        ).items()
        if times > 1
    ]


def _area_problems(area: str) -> Iterator[str]:
    languages = {code: read_area(code, area) for code in LANGUAGES}
    for code in LANGUAGES:
        yield from _file_problems(code, area)
    for key in sorted(set().union(*languages.values())):
        without = [code for code, entries in languages.items() if key not in entries]
        if without:
            yield f"{area}: {key}: missing in {', '.join(without)}"
            continue
        shapes = {(len(entries[key]), placeholders(entries[key])) for entries in languages.values()}
        if len(shapes) > 1:
            yield f"{area}: {key}: other facts or other plural forms in another language"


def _file_problems(code: str, area: str) -> Iterator[str]:
    text = area_path(code, area).read_text(encoding="utf-8")
    place = f"{code}/{area}.po"
    if f'"Language: {code}\\n"' not in text:
        yield f"{place}: the header names another language"
    for key, times in Counter(re.findall(r'^msgid "(.+)"$', text, re.MULTILINE)).items():
        if times > 1:
            yield f"{place}: {key}: {times} times"
    for key, forms in read_area(code, area).items():
        if not all(sentence.strip() for sentence in forms):
            yield f"{place}: {key}: empty"
        if code != "lb" and any("(n)" in sentence for sentence in forms):
            yield f"{place}: {key}: (n) is for Luxembourgish"
        if any(brace in PLACE.sub("", sentence) for sentence in forms for brace in "{}"):
            yield f"{place}: {key}: a brace that holds no name"


def _forms(text: object) -> Forms:
    """One text, or several as babel gives plurals."""
    return (text,) if isinstance(text, str) else tuple(cast(Iterable[str], text))
