"""A game or a group outside its ledger: everything but the secrets, as JSON values."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

from scorekeeper.domain.book import Book, Event, open_texts
from scorekeeper.domain.game import Game
from scorekeeper.domain.group import Group
from scorekeeper.domain.replay import replay
from scorekeeper.store.chain import links

FORMATS: Mapping[type[Book], str] = {Game: "scorekeeper game 1", Group: "scorekeeper group 1"}
_FIELDS = ("number", "at", "kind", "by", "payload", "key", "digest")
_BOOK_ID = re.compile(r"[\w-]{1,64}", re.ASCII)
B = TypeVar("B", bound=Book)


class BadExport(ValueError):
    """What should be imported is no whole, unchanged game or group."""


def exported(kind: type[Book], book_id: str, events: Sequence[Event]) -> dict[str, Any]:
    """The book as it leaves, without bank accounts; its head is the same wherever it goes.

    A group leaves with its evenings: they follow it, or go in under ``games``.
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


def imported(kind: type[B], data: Mapping[str, Any]) -> tuple[B, list[Event]]:
    """The book that ``exported`` gave, if form, chain and replay are good."""
    try:
        book_id, texts = _text(data["id"]), data["texts"]
        events = [
            _event(stored, texts.get(str(number), {}))
            for number, stored in enumerate(data["events"], 1)
        ]
        *_, head = links(book_id, events)
        good = data["format"] == FORMATS[kind] and _BOOK_ID.fullmatch(book_id)
        if not good or head.hex() != data["head"]:
            raise BadExport("not an unchanged export of scorekeeper")
        book = replay(book_id, events)
        if not isinstance(book, kind):
            raise BadExport("a group is no game")
        return book, events
    except BadExport:
        raise
    except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError) as error:
        raise BadExport(f"not an export of scorekeeper: {error!r}") from error


def evenings_of(
    group: Group, games: Iterable[Mapping[str, Any]]
) -> Iterator[tuple[Game, list[Event]]]:
    """The games that left with a group, one after the other; BadExport if any is not right."""
    missing = dict(group.evenings)
    for data in games:
        game, events = imported(Game, data)
        place = missing.pop(game.id, None)
        if place is None or len(place.members) != game.sheet.seats:
            raise BadExport(f"game {game.id} is no evening of this group")
        yield game, events
    if missing:
        raise BadExport(f"{len(missing)} evenings are missing")


def _event(stored: Mapping[str, Any], texts: Mapping[str, Any]) -> Event:
    number, at, kind, by, payload, key, digest = (stored[name] for name in _FIELDS)
    if type(number) is not int or not isinstance(payload, dict):
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
