"""Finding a name in the whole database, and erasing it there."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from scorekeeper.domain.game.state import Game
from scorekeeper.domain.group.state import Group
from scorekeeper.services.erasure import (
    NAMES,
    erase_mentions,
    erase_player,
    fold_case,
    name_redactor,
)
from scorekeeper.services.groups import erase_member
from scorekeeper.store.errors import Damaged
from scorekeeper.store.ledger import Ledger
from scorekeeper.store.writes import PROGRAM

Book = Game | Group
HOST = "host"
"""The right under which the administrator's changes are recorded."""


@dataclass(frozen=True)
class Occurrence:
    """A game or group that contains a name."""

    book: Book
    bearers: tuple[int, ...]
    """Seats of the game or members of the group that have or had the name."""
    mentions: int
    """Number of notes, titles and other texts that contain it."""


@dataclass(frozen=True)
class Found:
    """Where a name occurs."""

    occurrences: tuple[Occurrence, ...]
    """Groups first, because erasing there includes their evenings."""
    damaged: tuple[Damaged, ...] = ()
    """Games and groups with that name that cannot be read, so that it cannot be erased there."""


def find_name(ledger: Ledger, name: str, book_id: str | None = None) -> Found:
    """Return where a name occurs.

    The search covers the whole database, one game, or one group with its evenings. It ignores
    case and also finds mentions such as ``Annas``.
    """
    without = name_redactor([name])
    bearers: dict[str, set[int]] = {}
    mentions: Counter[str] = Counter()
    for word in ledger.names.written(lambda text: without(text) != text, book_id):
        if not word.field.startswith(NAMES):
            mentions[word.book] += 1
        elif fold_case(word.text) == fold_case(name):
            bearers.setdefault(word.book, set()).add(int(word.field.partition(".")[2]))
    found: list[Occurrence] = []
    damaged: list[Damaged] = []
    for one in sorted({*bearers, *mentions}):
        try:
            book = book_of(ledger, one)
        except Damaged as error:
            damaged.append(error)
        else:
            found.append(Occurrence(book, tuple(sorted(bearers.get(one, ()))), mentions[one]))
    found.sort(key=lambda one: not isinstance(one.book, Group))
    return Found(tuple(found), tuple(damaged))


def book_of(ledger: Ledger, book_id: str) -> Book:
    """Return a game or a group by its id."""
    return ledger.group(book_id) if ledger.kind(book_id) == "group" else ledger.game(book_id)


def by_index(ledger: Ledger, book_id: str, number: int) -> Occurrence:
    """Return a player or member by index; IndexError if there is none."""
    book = book_of(ledger, book_id)
    if not 0 <= number < len(book.players):
        raise IndexError(number)
    return Occurrence(book, (number,), 0)


def erase_occurrences(ledger: Ledger, found: Iterable[Occurrence], name: str) -> list[str]:
    """Erase the people found, and the name wherever else it was found.

    Return the groups that still have it because one of their evenings cannot be read.
    """
    left: list[str] = []
    for one in found:
        try:
            with ledger.transaction():
                erase_people(ledger, one.book, one.bearers)
                with ledger.book_transaction(one.book.id) as transaction:
                    erase_mentions(transaction, [name], by=HOST)
        except Damaged:
            left.append(one.book.id)
    ledger.cleaning.clean(None)
    return left


def erase_people(ledger: Ledger, book: Book, numbers: Iterable[int]) -> None:
    """Erase players of a game or members of a group, on behalf of the administrator."""
    for number in numbers:
        if isinstance(book, Group):
            erase_member(ledger, book.id, number, PROGRAM, by=HOST)
        else:
            erase_player(ledger, book.id, number, PROGRAM, by=HOST)
