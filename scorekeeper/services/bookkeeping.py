"""What a game means for its group: every change is followed in the same transaction."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from scorekeeper.domain.changes import Draft
from scorekeeper.domain.game import Game
from scorekeeper.domain.group import Booked, Group, moves_of, still_to_book, stored
from scorekeeper.domain.group_changes import leave, seat_members, taken_back
from scorekeeper.store.evenings import Kept, kept
from scorekeeper.store.ledger import BookTransaction, Ledger

TIME = "%Y-%m-%dT%H:%M:%SZ"
_clock: ContextVar[str | None] = ContextVar("clock", default=None)


def now() -> str:
    """The time of writing, UTC, to the second."""
    return _clock.get() or time.strftime(TIME, time.gmtime())


@contextmanager
def as_if_at(time: str) -> Iterator[None]:
    """Let a made-up group write as if years passed; nobody's own evening does that."""
    before = _clock.set(time)
    try:
        yield
    finally:
        _clock.reset(before)


def write(transaction: BookTransaction, draft: Draft | None) -> None:
    """Append what was drafted, if there is anything to change."""
    if draft is not None:
        transaction.append(draft.kind, draft.payload, at=now(), by="pen", texts=draft.texts)


def follow(ledger: Ledger, transaction: BookTransaction) -> None:
    """Book what a game came to, once it is over, and correct it whenever that changes.

    While it goes on there is nothing to book, so a round costs its group nothing.
    """
    if transaction.evening is None:
        return
    group_id, was_over = transaction.evening
    joined = any(event.kind == "player" for event in transaction.appended)
    if not (was_over or joined or transaction.game.is_over):
        return
    with ledger.book_transaction(group_id) as book:
        if joined:
            seat_newcomers(book, transaction.game)
        settle_accounts(ledger, book, transaction.game)
        remember(ledger, book.group, transaction.game)


def seat_newcomers(book: BookTransaction, game: Game) -> None:
    """Who sat down later is the member of that name, or a new one."""
    seating = book.group.evenings[game.id]
    newcomers = game.players[len(seating.members) :]
    put(book, game, members_named(book.group, newcomers, seating.members), seating.training)


def members_named(
    group: Group, names: tuple[str, ...], before: tuple[int, ...] = ()
) -> tuple[int, ...]:
    """The members of these names after those who sit already; new names get new numbers."""
    members, new = list(before), group.members
    for name in names:
        known = [member for member, known in enumerate(group.players) if name and known == name]
        members.append(known[0] if known else new)
        new += not known
    return tuple(members)


def put(book: BookTransaction, game: Game, members: tuple[int, ...], training: bool) -> None:
    """Say who of the group sits where in a game; who is new joins by it.

    A game whose own rules are training (RULES 3.5) always bears the mark of training.
    """
    names = {
        f"member.{member}": game.players[seat]
        for seat, member in enumerate(members)
        if member >= book.group.members
    }
    training = training or game.rules.gin.training
    write(book, seat_members(game.id, members, training, names))


def release(ledger: Ledger, book: BookTransaction, game: Game) -> None:
    """Take a game out, and back whatever it brought to the balances."""
    write(book, leave(book.group, game.id))
    settle_accounts(ledger, book, game)


def settle_accounts(ledger: Ledger, book: BookTransaction, game: Game) -> None:
    """Bring the balances to what the game says: its result, and its ticked payments."""
    unit = game.rules.settle.unit
    if moves := still_to_book(book.group, game):
        payable = str(game.rules.settle.payable)
        payload = {"game": game.id, "unit": unit, "payable": payable, "moves": stored(moves)}
        book.append("booked", payload, at=now(), by="pen")
    seating = book.group.evenings.get(game.id)
    known = book.group.booked.get(game.id, Booked(unit)).paid
    wanted = {} if seating is None or seating.training else game.paid
    for due in sorted(wanted.keys() - known.keys()):
        assert seating
        paid = {"due": [*due[:2], str(due[2])], "moves": stored(moves_of(game, seating, due))}
        book.append("paid", {"game": game.id, "unit": unit, **paid}, at=now(), by="pen")
    for due in sorted(known.keys() - wanted.keys()):
        take_back(ledger, book, known[due])


def take_back(ledger: Ledger, book: BookTransaction, number: int) -> None:
    """Reverse an entry by a further one."""
    (entry,) = ledger.events(book.id, number, after=number - 1)
    write(book, taken_back(entry))


def remember(ledger: Ledger, group: Group, game: Game) -> None:
    """Keep what the evening came to for the questions of the season."""
    ledger.seasons.keep_evening(group.id, kept(game, group.evenings[game.id]))


def as_it_stands(ledger: Ledger, one: Kept) -> Kept:
    """What an evening came to; while it goes on nothing is kept of it yet, and it is reckoned."""
    return one if one.over else kept(ledger.game(one.game), one.seating)
