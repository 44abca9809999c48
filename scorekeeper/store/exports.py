"""A game outside its ledger: everything but the secrets, as JSON values."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from scorekeeper.domain.book import Event, open_texts
from scorekeeper.domain.game import Game
from scorekeeper.domain.replay import replay
from scorekeeper.store.chain import links

FORMAT = "scorekeeper game 1"
_FIELDS = ("number", "at", "kind", "by", "payload", "key", "digest")
_GAME_ID = re.compile(r"[\w-]{1,64}", re.ASCII)


class BadExport(ValueError):
    """What should be imported is no whole, unchanged game."""


def exported(game_id: str, events: Sequence[Event]) -> dict[str, Any]:
    """The game as it leaves, without bank accounts; its head is the same wherever it goes."""
    *_, head = links(game_id, events)
    return {
        "format": FORMAT,
        "id": game_id,
        "head": head.hex(),
        "events": [{name: getattr(event, name) for name in _FIELDS} for event in events],
        "texts": {
            str(event.number): words for event in events if (words := open_texts(event.texts))
        },
    }


def imported(data: Mapping[str, Any]) -> tuple[list[Event], Game]:
    """The game that ``exported`` gave, if form, chain and replay are good."""
    try:
        game_id, texts = _text(data["id"]), data["texts"]
        events = [
            _event(stored, texts.get(str(number), {}))
            for number, stored in enumerate(data["events"], 1)
        ]
        *_, head = links(game_id, events)
        good = data["format"] == FORMAT and _GAME_ID.fullmatch(game_id)
        if not good or head.hex() != data["head"]:
            raise BadExport("not an unchanged export of scorekeeper")
        game = replay(game_id, events)
        if not isinstance(game, Game):
            raise BadExport("a group, not a game")
        return events, game
    except BadExport:
        raise
    except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError) as error:
        raise BadExport(f"not an export of scorekeeper: {error!r}") from error


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
