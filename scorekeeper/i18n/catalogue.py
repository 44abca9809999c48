"""Catalogues: sentences by key, read from the ``.po`` files when they are needed.

The ``msgid`` of an entry is its key (``E_FIRST_MIN``, ``reason.hand``), so that wording can
change without the code, and the languages can be compared key by key. A sentence refers to
its facts as ``{reached}``; no other use of braces is allowed.
"""

import re
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from gettext import c2py
from pathlib import Path
from threading import Lock
from typing import cast

from babel.messages.plurals import get_plural
from babel.messages.pofile import read_po

from scorekeeper.i18n.languages import LANGUAGES, TRAITS

AREAS = (
    *("terminal", "paper", "pages", "rules", "codes", "keys", "home", "end", "frame"),
    *("groups", "season", "tournament", "referee", "maintenance", "photo", "browser"),
)
"""In the order in which they are read: a command needs the first ones only."""
PLACEHOLDER = re.compile(r"(?P<joint>\([ne]\) )?\{(?P<name>\w+)\}")
"""A placeholder for a fact, and a letter that depends on it: ``(n)`` and ``(e)``.

Luxembourgish drops a final n before most consonants, French elides *de* and *que* before vowels.
"""

Forms = tuple[str, ...]
"""A sentence, or its plural forms, as many as the language has."""
Catalogue = Mapping[str, Forms]


def area_path(code: str, area: str) -> Path:
    """Return the path of the catalogue of an area."""
    return Path(__file__).parent / code / f"{area}.po"


def read_area(code: str, area: str) -> Catalogue:
    """Return the sentences of one area in one language."""
    with area_path(code, area).open("rb") as file:
        entries = read_po(file, locale=code, abort_invalid=True)
    return {_forms(entry.id)[0]: _forms(entry.string) for entry in entries if entry.id}


@cache
def read_catalogue(code: str) -> Catalogue:
    """Return all sentences of one language."""
    return {key: forms for area in AREAS for key, forms in read_area(code, area).items()}


class Sentences(dict[str, Forms]):
    """The sentences of one language; areas are read until one has the key that is asked for."""

    def __init__(self, code: str) -> None:
        super().__init__()
        self._code, self._unread = code, deque(AREAS)
        self._reading = Lock()

    def __missing__(self, key: str) -> Forms:
        with self._reading:
            while key not in self and self._unread:
                self.update(read_area(self._code, self._unread[0]))
                self._unread.popleft()
        return self.get(key, ())


def plural_of(code: str) -> tuple[int, Callable[[int], int]]:
    """Return how many plural forms a language has, and which of them goes with a number."""
    plural = get_plural(code)
    return plural.num_plurals, c2py(plural.plural_expr)


def placeholders(forms: Forms) -> frozenset[str]:
    """Return the facts that an entry refers to in any of its forms."""
    return frozenset(
        place["name"] for sentence in forms for place in PLACEHOLDER.finditer(sentence)
    )


def catalogue_problems() -> list[str]:
    """Return a line for every fault in the catalogues."""
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
        said = [entries[key] for entries in languages.values()]
        if len({(len(forms) > 1, placeholders(forms)) for forms in said}) > 1:
            yield f"{area}: {key}: other facts in another language, or plural forms in some only"


def _file_problems(code: str, area: str) -> Iterator[str]:
    text = area_path(code, area).read_text(encoding="utf-8")
    place = f"{code}/{area}.po"
    if f'"Language: {code}\\n"' not in text:
        yield f"{place}: the header names another language"
    for key, times in Counter(re.findall(r'^msgid "(.+)"$', text, re.MULTILINE)).items():
        if times > 1:
            yield f"{place}: {key}: {times} times"
    number, _ = plural_of(code)
    if f"nplurals={number};" not in text:
        yield f"{place}: the header names another number of plural forms than {number}"
    for key, forms in read_area(code, area).items():
        if len(forms) not in (1, number):
            yield f"{place}: {key}: {len(forms)} plural forms instead of {number}"
        if not all(sentence.strip() for sentence in forms):
            yield f"{place}: {key}: empty"
        for other, traits in TRAITS.items():
            if other != code and traits.joint and any(traits.joint in form for form in forms):
                yield f"{place}: {key}: {traits.joint} is for {traits.name}"
        if any(brace in PLACEHOLDER.sub("", sentence) for sentence in forms for brace in "{}"):
            yield f"{place}: {key}: a brace that holds no name"


def _forms(text: object) -> Forms:
    """Return the forms of an entry; babel gives a string, or several for plurals."""
    return (text,) if isinstance(text, str) else tuple(cast(Iterable[str], text))
