"""What comes from elsewhere: read as strictly as what is written here."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from scorekeeper.domain.book import Book, Event
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


def check_book(book: Book, events: Sequence[Event]) -> None:
    """Hold the words and rounds of a book to what is written here; RuleError otherwise."""
    for event in events:
        for text in event.texts.values():
            load(WORDS, {"text": text})
        if "round" in event.payload:
            load_round(event.payload["round"])


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
