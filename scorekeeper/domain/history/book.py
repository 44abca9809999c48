"""A book: a list of events and the state that results. Games and groups are books.

Events hold numbers and declared facts. Texts that people wrote (names, title, place,
notes) are beside them in ``texts`` and can be erased without changing an event.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, ClassVar, Self

TIME = "%Y-%m-%dT%H:%M:%SZ"


@dataclass(frozen=True)
class Event:
    """One event; never changed or deleted."""

    number: int
    """From 1, without gaps; the number of the newest event is the version of the book."""
    at: str
    """UTC, ``2026-06-12T19:40:05Z``."""
    kind: str
    by: str
    """The right used."""
    payload: Mapping[str, Any] = field(default_factory=dict)
    texts: Mapping[str, str] = field(default_factory=dict)
    key: str | None = None
    digest: str | None = None


_EXACT = re.compile(r"-?\d{1,200}(/[1-9]\d{0,199})?", re.ASCII)


def exact(text: str) -> Fraction:
    """Return an exact number as stored in events; raise ValueError for 1/0 and 1e999."""
    if not _EXACT.fullmatch(text):
        raise ValueError(f"no exact number: {text!r:.40}")
    numerator, _, denominator = text.partition("/")
    return Fraction(int(numerator), int(denominator or 1))


PRIVATE = ("holder.", "iban.")
"""Prefixes of private texts: bank accounts, by side."""
ERASING = ("erased", "discarded")
"""The kinds of events that erase texts of earlier ones."""


def open_texts(texts: Mapping[str, str]) -> dict[str, str]:
    """Return the texts that may appear in the history and the export of a book."""
    return {name: text for name, text in texts.items() if not name.startswith(PRIVATE)}


Changes = Mapping[str, Any]
"""Fields of a book with their new values."""


@dataclass(frozen=True, kw_only=True)
class Book:
    """A book at one of its versions."""

    id: str
    version: int = 1
    created_at: str = ""
    changed_at: str = ""
    texts: Mapping[str, str] = field(default_factory=dict)
    latest: Event = field(default=Event(1, "", "", ""), compare=False, repr=False)
    """The event of this version; its key and digest may be missing."""

    AFTER: ClassVar[Mapping[str, Callable[[Any, Event], Changes]]]
    """By kind of event: a function that returns the fields which that event changes."""

    def apply(self, event: Event) -> Self:
        """Return the book after one more event; raise ValueError for one that cannot follow."""
        if event.number != self.version + 1 or event.kind not in self.AFTER:
            raise ValueError(f"event {event.number}, {event.kind}, after version {self.version}")
        changes = self.AFTER[event.kind](self, event)
        texts = {**self.texts, **event.texts} if event.texts else self.texts
        version, at = event.number, event.at
        return replace(self, version=version, changed_at=at, latest=event, texts=texts, **changes)


def unchanged(book: Any, event: Event) -> Changes:
    """Return no fields: the event changes only texts, secrets or nothing visible."""
    return {}
