"""A book: what happened, in order, and what that comes to. Games are books, and so are groups.

Events hold numbers and declared facts; the words people wrote (names, title, place,
notes) travel beside them in ``texts`` and can be erased without touching an event.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, ClassVar, Self


@dataclass(frozen=True)
class Event:
    """One thing that happened; never changed, never deleted."""

    number: int
    """From 1, without gap; the newest one's is the book's version."""
    at: str
    """UTC, ``2026-06-12T19:40:05Z``."""
    kind: str
    by: str
    """By which right."""
    payload: Mapping[str, Any] = field(default_factory=dict)
    texts: Mapping[str, str] = field(default_factory=dict)
    key: str | None = None
    digest: str | None = None


_EXACT = re.compile(r"-?\d{1,200}(/[1-9]\d{0,199})?", re.ASCII)


def exact(text: str) -> Fraction:
    """An exact number as events keep it; ValueError for 1/0, or 1e999 that fills the memory."""
    if not _EXACT.fullmatch(text):
        raise ValueError(f"no exact number: {text!r:.40}")
    numerator, _, denominator = text.partition("/")
    return Fraction(int(numerator), int(denominator or 1))


PRIVATE = ("holder.", "iban.")
"""Words that stay with whoever holds the pen: bank accounts, by side."""


def open_texts(texts: Mapping[str, str]) -> dict[str, str]:
    """The words that may leave a book, in its history and its export."""
    return {name: text for name, text in texts.items() if not name.startswith(PRIVATE)}


@dataclass(frozen=True, kw_only=True)
class Book:
    """A book at one of its versions."""

    id: str
    version: int = 1
    created_at: str = ""
    changed_at: str = ""
    texts: Mapping[str, str] = field(default_factory=dict)

    AFTER: ClassVar[Mapping[str, Callable[[Any, Event], Any]]]
    """By kind of event: the book with what that event changes."""

    def apply(self, event: Event) -> Self:
        """The book after one more event; ValueError for one that cannot follow."""
        if event.number != self.version + 1 or event.kind not in self.AFTER:
            raise ValueError(f"event {event.number}, {event.kind}, after version {self.version}")
        changed: Self = self.AFTER[event.kind](self, event)
        return replace(
            changed,
            version=event.number,
            changed_at=event.at,
            texts={**self.texts, **event.texts} if event.texts else self.texts,
        )


def unchanged(book: Any, event: Event) -> Any:
    """Only words or secrets changed, or nothing that a book shows."""
    return book
