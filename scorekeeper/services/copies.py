"""Copies: everything as one file of JSON lines, and taking such a file in.

The first line says what it is; every other line is a game that belongs to no group, or a group with
its games under ``games``. A book that is already here is continued if the copy is ahead of it.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from scorekeeper.domain.game.state import Game
from scorekeeper.domain.group.state import Group
from scorekeeper.services import imports
from scorekeeper.services.bookkeeping import NO_RESULT, update_group_of
from scorekeeper.services.clock import now
from scorekeeper.services.erasure import erase_accounts
from scorekeeper.services.exports import group_json
from scorekeeper.services.import_checks import HOST
from scorekeeper.store.errors import Diverged
from scorekeeper.store.exports import FORMATS, BadExport
from scorekeeper.store.ledger import Ledger
from scorekeeper.store.rows import BookRows, rows_of_book

FORMAT = "scorekeeper copy 1"
COPIED = "copied"
"""The setting that holds the position of the last event in the last copy, and its time."""


@dataclass
class Taken:
    """The result of taking in a file, in books: games outside of groups, and groups."""

    new: int = 0
    continued: int = 0
    known: int = 0
    """Already here, with everything that the file holds."""
    diverged: int = 0
    """Continued here and there in different ways, or with a game that another group has here; what
    is here stays."""

    def count(self, outcome: str) -> None:
        """Count a book, by the name of its field."""
        setattr(self, outcome, getattr(self, outcome) + 1)


# ---- a copy --------------------------------------------------------------------------


def copy_lines(ledger: Ledger) -> Iterator[str]:
    """Yield a copy of all games and groups, line by line.

    Groups come first, so that a game they let go of is no longer booked in them.
    """
    groups = ledger.groups()
    inside = {game for group in groups for game in ledger.group(group).evenings}
    games = [game for game in ledger.games() if game not in inside]
    yield json.dumps({"format": FORMAT, "books": len(groups) + len(games)}) + "\n"
    for group in groups:
        yield "".join(group_json(ledger, group)).replace("\n", "") + "\n"
    for game in games:
        yield json.dumps(ledger.export(game), ensure_ascii=False) + "\n"


# ---- taking one in -------------------------------------------------------------------


def read_copy(body: bytes) -> Iterator[Mapping[str, Any]]:
    """Yield the books of a file: a copy, or the export of one game or group.

    Raises FormError if it is not JSON, BadExport if it is something else.
    """
    first, _, others = body.partition(b"\n")
    about = imports.read_object(first) if FORMAT.encode() in first else {}
    if about.get("format") != FORMAT:  # an export, perhaps with these words as its title
        yield imports.read_object(body)
        return
    books = [line for line in others.splitlines() if line.strip()]
    if about.get("books") != len(books):
        raise BadExport("the copy is not complete")
    for line in books:
        yield imports.read_object(line)


def take_copy(
    ledger: Ledger, books: Iterable[Mapping[str, Any]], *, as_it_was: bool = True
) -> Taken:
    """Check books and take them in; all of them or, after an error, none.

    Raises BadExport or RuleError for books that scorekeeper would not have written. With
    ``as_it_was``, points that today's rules would not give stay, and the book is marked.
    """
    taken, waiting = Taken(), list[Mapping[str, Any]]()
    with ledger.transaction():
        for book in books:
            if book.get("format") == FORMATS[Game]:
                taken.count(_take_game(ledger, book, as_it_was=as_it_was))
            elif how := _take_group(ledger, book, as_it_was=as_it_was, waits=True):
                taken.count(how)
            else:
                waiting.append(book)
        for book in waiting:  # by now other groups may have let go of their games
            taken.count(_take_group(ledger, book, as_it_was=as_it_was, waits=False))
    ledger.cleaning.clean_soon()
    return taken


def _take_game(ledger: Ledger, export: Mapping[str, Any], *, as_it_was: bool) -> str:
    game = imports.ready_game(export, as_it_was=as_it_was, bounds=HOST)
    outcome = _put(ledger, game.rows, export)
    if outcome == "continued":
        update_group_of(ledger, game.book.id)
    return outcome


def _put(ledger: Ledger, rows: BookRows, export: Mapping[str, Any]) -> str:
    """Store the book of an export or continue it; return what was done."""
    version, own = ledger.version(rows.book), len(export["events"])
    if not version:
        ledger.import_rows(rows)
        return "new"
    if version >= own:  # nothing to accept as it was that is not here
        rows = rows._replace(events=rows.events[:own])
    try:
        count = ledger.extend(rows)
    except Diverged:
        return "diverged"
    if count and rows.kind == "game":
        with ledger.book_transaction(rows.book) as transaction:
            new = ledger.events(rows.book, after=transaction.version - count)
            erase_accounts(transaction, new)
    return "continued" if count else "known"


def _take_group(ledger: Ledger, export: Mapping[str, Any], *, as_it_was: bool, waits: bool) -> str:
    """Take in a group with its games; return what was done.

    A game belongs to one group. While another group has one of them here, this one ``waits``:
    nothing is done and the outcome is empty. Else it stays as it is, and the games go on.
    """
    alone = {name: value for name, value in export.items() if name != "games"}
    games = export.get("games")
    if not isinstance(games, list):
        raise BadExport("no group with its games")
    group = imports.read_group(alone, games, as_it_was=as_it_was, bounds=HOST)
    is_torn = len(export["events"]) > (ledger.version(group.book.id) or 0) and any(
        ledger.seasons.group_of(game) not in (None, group.book.id) for game in group.book.evenings
    )
    if is_torn and waits:
        return ""
    rows = rows_of_book(group.book, group.events)
    outcome = "diverged" if is_torn else _put(ledger, rows, export)
    is_theirs = outcome in ("new", "continued")
    if is_theirs:
        _let_go(ledger, group.book)
    evenings = zip(games, group.evenings, strict=True)
    outcomes = {outcome, *(_take_evening(ledger, group, *one, is_theirs) for one in evenings)}
    if "diverged" in outcomes:
        return "diverged"
    return outcome if outcome == "new" or outcomes == {"known"} else "continued"


def _let_go(ledger: Ledger, group: Group) -> None:
    """Delete the stored evenings of games that the group no longer has; the games stay."""
    for book_id in ledger.versions_in(group.id).keys() - {group.id, *group.evenings}:
        ledger.seasons.delete_evening(book_id)


def _take_evening(
    ledger: Ledger,
    group: imports.ImportedGroup,
    export: Any,
    evening: imports.ImportedEvening,
    is_theirs: bool,
) -> str:
    """Take in a game of a group; return what was done.

    Unless the group here is now that of the copy (``is_theirs``), only games that are here go on.
    """
    rows, game_id = imports.rows_of_evening(export, evening), evening.stored.game
    if not is_theirs and not ledger.version(game_id):
        return "known"
    outcome = _put(ledger, rows, export)
    to_book = outcome == "continued"
    if is_theirs:
        ledger.seasons.save_evening(group.book.id, evening.stored)
        more = {event.kind for event in ledger.events(game_id, after=len(export["events"]))}
        to_book = outcome == "diverged" or not more <= {*NO_RESULT}
    if to_book:
        update_group_of(ledger, game_id)
    return outcome


# ---- reminding -----------------------------------------------------------------------


def note_copy(ledger: Ledger) -> None:
    """Note that there is a copy of everything up to now."""
    last = ledger.store.inspection.last()
    ledger.settings.set(COPIED, f"{last.number if last else 0} {now()}")


def is_copied(ledger: Ledger) -> bool:
    """Return whether nothing has been written since the last copy."""
    return not ledger.store.inspection.count_after(_copied(ledger))


def count_without_copy(ledger: Ledger) -> int:
    """Return the number of games that have changed since the last copy, or of all."""
    changed = ledger.store.inspection.books(_copied(ledger))
    return sum(kind == "game" for _, kind in changed)


def last_copy(ledger: Ledger) -> str:
    """Return when the last copy was made; empty if there is none."""
    return (ledger.settings.get(COPIED) or "").partition(" ")[2]


def _copied(ledger: Ledger) -> int:
    return int((ledger.settings.get(COPIED) or "0").partition(" ")[0])
