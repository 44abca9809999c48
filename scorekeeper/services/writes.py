"""How a change is made: one event or several in one transaction, once for each key."""

import hashlib
from collections.abc import Callable
from typing import TypeVar

from scorekeeper.domain.game.changes import Draft
from scorekeeper.domain.game.state import Game
from scorekeeper.domain.group.state import Group
from scorekeeper.domain.history.book import Book
from scorekeeper.services.bookkeeping import append_draft, update_group
from scorekeeper.store.chain import canonical
from scorekeeper.store.errors import KeyReused
from scorekeeper.store.ledger import BookTransaction, Ledger
from scorekeeper.store.writes import Write

B = TypeVar("B", bound=Book)


class Stale(Exception):
    """The game has changed since the version that the client saw."""

    def __init__(self, version: int) -> None:
        super().__init__(f"now at version {version}")
        self.version = version


def change_book(
    of: type[B],
    ledger: Ledger,
    book_id: str,
    request: object,
    change: Callable[[BookTransaction], Draft | None],
    write: Write,
) -> B:
    """Make a change of a game or group and return it as of this change.

    ``change`` returns the event to append, or appends its events itself. A game's group is updated
    in the same transaction. ``request`` says what is asked for: a repeat of it with the same key
    changes nothing and returns the result of the first time, and another request with that key
    raises KeyReused. Raises Stale if the book is not at the version that ``write`` expects.
    """
    digest = request_digest(request)
    with ledger.book_transaction(book_id, write, digest=digest) as transaction:
        if transaction.repeated is None:
            check_version(transaction, write.expected)
            append_draft(transaction, change(transaction))
            update_group(ledger, transaction)
            book = transaction.book
        else:
            book = ledger.book_at(book_id, transaction.repeated.number)
    assert isinstance(book, of)
    return book


def change_game(
    ledger: Ledger,
    game_id: str,
    request: object,
    change: Callable[[Game], Draft | None],
    write: Write,
) -> Game:
    """Make a change that depends on nothing but the game; see ``change_book``."""
    return change_book(
        Game, ledger, game_id, request, lambda transaction: change(transaction.game), write
    )


def change_group(
    ledger: Ledger,
    group_id: str,
    request: object,
    change: Callable[[Group], Draft | None],
    write: Write,
) -> Group:
    """Make a change that depends on nothing but the group; see ``change_book``."""
    return change_book(
        Group, ledger, group_id, request, lambda transaction: change(transaction.group), write
    )


def is_recorded(ledger: Ledger, book_id: str, key: str) -> bool:
    """Return whether something was recorded in a book under a key."""
    try:
        with ledger.book_transaction(book_id, Write(key=key)) as transaction:
            return transaction.repeated is not None
    except KeyReused:
        return True


def check_version(transaction: BookTransaction, version: int | None) -> None:
    """Raise Stale if a book is not at the version that the client saw."""
    if version is not None and transaction.version != version:
        raise Stale(transaction.version)


def request_digest(request: object) -> str:
    """Return a digest of a request, to recognise the same request.

    It is stored with the event, so its form must stay as it is: a repeat may arrive after an
    upgrade.
    """
    return hashlib.sha256(canonical(request).encode()).hexdigest()[:32]
