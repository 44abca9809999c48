"""Exports of games and groups: everything but the secrets, as JSON values."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from scorekeeper.domain.game.state import Game
from scorekeeper.domain.group.state import Group
from scorekeeper.domain.history.book import Book, Event, open_texts
from scorekeeper.store.chain import links

FORMATS: Mapping[type[Book], str] = {Game: "scorekeeper game 1", Group: "scorekeeper group 1"}
_FIELDS = ("number", "at", "kind", "by", "payload", "key", "digest")
BOOK_ID = re.compile(r"[\w-]{1,64}", re.ASCII)
"""The ids of games and groups that an import accepts; those made here have no hyphens."""


class BadExport(ValueError):
    """The import is not a complete, unchanged game or group."""


def exported(kind: type[Book], book_id: str, events: Sequence[Event]) -> dict[str, Any]:
    """Return the export of a book, without bank accounts; its head is the same everywhere.

    The games of a group are not part of it: callers send them after it or under ``games``.
    """
    *_, head = links(book_id, events)
    return {
        "format": FORMATS[kind],
        "id": book_id,
        "head": head.hex(),
        "events": [{name: getattr(event, name) for name in _FIELDS} for event in events],
        "texts": {
            str(event.number): words for event in events if (words := open_texts(event.texts))
        },
    }


def read_export(kind: type[Book], data: Any) -> tuple[str, list[Event]]:
    """Return the id and the events of an export; BadExport if its form or chain is not good.

    It does not check that the events can be replayed, or that they obey the rules of a live game.
    """
    book_id, events = exported_events(kind, data)
    try:
        *_, head = links(book_id, events)
    except (TypeError, ValueError, RecursionError) as error:  # no event, or not JSON
        raise BadExport(f"not an export of scorekeeper: {error!r}") from error
    if head.hex() != data.get("head"):
        raise BadExport("not an unchanged export of scorekeeper")
    return book_id, events


def exported_events(kind: type[Book], data: Any) -> tuple[str, list[Event]]:
    """Return the id and the events of an export; BadExport if its form is not good."""
    try:
        book_id, texts = _text(data["id"]), data["texts"]
        if data["format"] != FORMATS[kind] or not BOOK_ID.fullmatch(book_id):
            raise BadExport("not an export of scorekeeper")
        events = [
            _event(stored, number, texts.get(str(number), {}))
            for number, stored in enumerate(data["events"], 1)
        ]
    except BadExport:
        raise
    except (LookupError, TypeError, ValueError, AttributeError, RecursionError) as error:
        raise BadExport(f"not an export of scorekeeper: {error!r}") from error
    return book_id, events


def _event(stored: Mapping[str, Any], place: int, texts: Mapping[str, Any]) -> Event:
    number, at, kind, by, payload, key, digest = (stored[name] for name in _FIELDS)
    if type(number) is not int or number != place or not isinstance(payload, dict):
        raise BadExport("an event without number or payload")
    words = {_text(field): _text(text) for field, text in texts.items()}
    return Event(
        number, _text(at), _text(kind), _text(by), payload, words, _maybe(key), _maybe(digest)
    )


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise BadExport(f"no text: {value!r:.40}")
    return value


def _maybe(value: object) -> str | None:
    return None if value is None else _text(value)
