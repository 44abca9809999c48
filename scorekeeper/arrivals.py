"""What comes from elsewhere: read as strictly as what is written here."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from scorekeeper.bookkeeping import TIME
from scorekeeper.domain.book import Book, Event
from scorekeeper.domain.game import Game
from scorekeeper.domain.group import Group
from scorekeeper.schemas import load_round
from scorekeeper.store.exports import BadExport
from scorekeeper.strict import FormError, Line, Strict, load, read_json

EXPORT_DEPTH = 12
"""A round lies four levels deep in its event, and a lay-off four levels deep in its round."""
GROUP_DEPTH = EXPORT_DEPTH + 2


class WordsSchema(Strict):
    """Words of an imported book."""

    text = Line(0, 280)


WORDS = WordsSchema()
OF_NOBODY: Mapping[type[Book], re.Pattern[str]] = {
    Game: re.compile(r"title|place|note\.\d{1,9}", re.ASCII),
    Group: re.compile(r"name|note\.\d{1,9}", re.ASCII),
}
"""Fields of words that are nobody's name; bank accounts never travel."""
BEARER: Mapping[type[Book], str] = {Game: "name", Group: "member"}
ALL_TIMES = "1900", "9999"
"""From the first of these years up to the second: no time zone leads out of the calendar."""


def check_book(book: Game | Group, events: Sequence[Event]) -> None:
    """Hold times, words and rounds to what is written here; BadExport or RuleError otherwise."""
    kind = type(book)
    names = {f"{BEARER[kind]}.{number}" for number in range(len(book.players))}
    for event in events:
        _check_time(event.at)
        for field, text in event.texts.items():
            if field not in names and not OF_NOBODY[kind].fullmatch(field):
                raise BadExport(f"no words of a book: {field!r:.40}")
            if load(WORDS, {"text": text})["text"] != text:
                raise BadExport(f"not as it is written here: {text!r:.40}")
        if "round" in event.payload:
            load_round(event.payload["round"])


def _check_time(at: str) -> None:
    try:
        good = datetime.strptime(at, TIME).strftime(TIME) == at
    except ValueError:
        good = False
    if not (good and ALL_TIMES[0] <= at < ALL_TIMES[1]):
        raise BadExport(f"no time: {at!r:.40}")


def read_exports(
    file: Path, step: Callable[[int], None] = lambda _: None
) -> Iterator[Mapping[str, Any]]:
    """The exports in a file: one, or a group and then its games, each on a line of its own.

    Line by line where it can be, so that a large group fits into a small memory. ``step``
    hears how many bytes are read.
    """
    with file.open("rb") as lines:
        first = lines.readline()
        try:
            export = _object(first)
        except FormError:  # one export, over several lines
            export, first = _object(first + lines.read()), b""
        yield from _unpacked(export)
        step(len(first))
        for line in lines:
            if line.strip():
                yield _object(line)
            step(len(line))


def _object(text: bytes) -> Mapping[str, Any]:
    export = read_json(text, GROUP_DEPTH)
    if not isinstance(export, dict):
        raise BadExport("not an export of scorekeeper")
    return export


def _unpacked(export: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """A group, and the games that came inside of it."""
    yield export
    games = export.get("games", [])
    if not isinstance(games, list):
        raise BadExport("no list of games")
    yield from games
