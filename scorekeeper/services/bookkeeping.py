"""Book the changes of a game in its group, in the same transaction."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice

from scorekeeper.domain.errors import RuleError
from scorekeeper.domain.game.changes import Draft, check_sequel
from scorekeeper.domain.game.frame import check_open
from scorekeeper.domain.game.state import Game
from scorekeeper.domain.group.changes import (
    book_prizes,
    bring_back,
    enter_table,
    leave,
    seat_members,
    taken_back,
)
from scorekeeper.domain.group.state import (
    Booked,
    Group,
    Move,
    encode_moves,
    moves_of,
    payments_to_book,
    still_to_book,
)
from scorekeeper.domain.lookalikes import check_lookalikes
from scorekeeper.services.clock import now
from scorekeeper.store.errors import Damaged
from scorekeeper.store.evenings import StoredEvening, stored_evening
from scorekeeper.store.ledger import BookTransaction, Ledger

NO_RESULT = ("secret", "erased", "as_it_was")
"""Kinds of events that do not affect the result of a game."""
AT_ONCE = {"player", "paid", "unpaid", "frame", "thrown_away", "brought_back"}
"""Kinds of events that a group books even before the end."""
MOST_RUNNING = 100
"""As many games of a group that have no result are looked at."""


def append_draft(transaction: BookTransaction, draft: Draft | None) -> None:
    """Append a draft, if there is one; RuleError if it may not follow.

    That is E_FRAME in an evening that was thrown away, and as ``check_sequel`` for a round.
    """
    if draft is not None:
        check_open(transaction.book, draft.kind)
        transaction.append(draft.kind, draft.payload, at=now(), by="pen", texts=draft.texts)
        check_sequel(transaction.book, draft.kind, draft.payload.get("number", 0))


def update_group(ledger: Ledger, transaction: BookTransaction) -> None:
    """Book the result of a game once it is over, and correct it whenever it changes.

    Payments are booked at once, players who join are seated, and a new date is stored. Nothing
    else is booked before the end, so recording a round costs the group nothing.
    """
    kinds = {event.kind for event in transaction.appended}
    if transaction.evening is None or kinds <= {*NO_RESULT}:
        return
    was_over = transaction.evening[1]
    if was_over or transaction.game.is_over or kinds & AT_ONCE:
        _book_evening(ledger, transaction)


def update_group_of(ledger: Ledger, game_id: str) -> None:
    """Book in its group, if it has one, what a game has become elsewhere."""
    with ledger.book_transaction(game_id) as transaction:
        if transaction.evening:
            _book_evening(ledger, transaction)


def _book_evening(ledger: Ledger, transaction: BookTransaction) -> None:
    assert transaction.evening
    with ledger.book_transaction(transaction.evening[0]) as book:
        book_evening(ledger, book, transaction)


def book_evening(ledger: Ledger, group: BookTransaction, evening: BookTransaction) -> None:
    """Book in its group what an evening has become: who plays, money, result, tournament."""
    game = evening.game
    if len(game.players) != len(group.group.evenings[game.id].members):
        seat_newcomers(group, game)
    settle_accounts(ledger, group, game)
    store_result(ledger, group.group, game)
    update_tournament(ledger, group, evening)


def seat_newcomers(transaction: BookTransaction, game: Game) -> None:
    """Seat late players as the members of their names, or as new members.

    Those who were seated by a copy, and joined another course of this evening, lose their seat.
    """
    seating = transaction.group.evenings[game.id]
    seated = len(seating.members)
    members = members_named(transaction.group, game.players[seated:], seating.members)
    members = members[: len(game.players)]
    bring_back_retired(transaction, members[seated:])
    seat_game(transaction, game, members, seating.training)


def bring_back_retired(transaction: BookTransaction, members: Iterable[int]) -> None:
    """Let the retired among these members come back, because they play again."""
    for member in sorted(transaction.group.retired.intersection(members)):
        append_draft(transaction, bring_back(transaction.group, member))


def members_named(
    group: Group, names: tuple[str, ...], before: tuple[int, ...] = ()
) -> tuple[int, ...]:
    """Return the members with these names after those seated; new names get new indexes."""
    members, new = list(before), group.members
    for name in names:
        known = [member for member, known in enumerate(group.players) if name and known == name]
        members.append(known[0] if known else new)
        new += not known
    return tuple(members)


def seat_game(
    transaction: BookTransaction, game: Game, members: tuple[int, ...], training: bool
) -> None:
    """Record which members sit where in a game; new members join the group.

    A game whose rules are for training (RULES 3.5) always counts as training.
    """
    known = transaction.group.players
    new = {seat: member for seat, member in enumerate(members) if member >= len(known)}
    try:
        check_lookalikes((*known, *(game.players[seat] for seat in new)), "members", known=known)
    except RuleError as error:
        seat = next(seat for seat in new if game.players[seat] == error.problems[0].facts["value"])
        raise RuleError("E_FORM", ("players", seat, "name"), **error.problems[0].facts) from None
    names = {f"member.{member}": game.players[seat] for seat, member in new.items()}
    training = training or game.rules.gin.training
    append_draft(transaction, seat_members(game.id, members, training, names))


def update_tournament(ledger: Ledger, transaction: BookTransaction, table: BookTransaction) -> None:
    """Enter the result of a tournament's table once it is over, and correct it when it changes.

    A table that is late loses its right to write with its result.
    """
    draft = enter_table(transaction.group, table.game)
    if draft is None:
        return
    assert transaction.group.tournament
    one = transaction.group.tournament.rounds[draft.payload["round"] - 1]
    append_draft(transaction, draft)
    append_draft(transaction, book_prizes(transaction.group))
    if one.closed and draft.payload["table"] not in one.results:
        end_right(ledger, table)


def end_right(ledger: Ledger, table: BookTransaction) -> None:
    """End the right to write at a table of a tournament; whoever wrote there may still watch.

    The pen of the group, which the director has, writes in all its games.
    """
    ledger.rights.keep_watching(table.id)
    made = table.append("secret", {"right": "pen"}, at=now(), by="pen")
    table.replace_secret("pen", ledger.links.secret(table.id, "pen", (made.number, made.at)))


def release(ledger: Ledger, transaction: BookTransaction, game: Game) -> None:
    """Remove a game from the group and undo its bookings."""
    append_draft(transaction, leave(transaction.group, game.id))
    settle_accounts(ledger, transaction, game)


def settle_accounts(ledger: Ledger, transaction: BookTransaction, game: Game) -> None:
    """Book what is missing between the balances and the game's result and its payments."""
    unit = game.rules.settle.unit
    if not transaction.group.booked.get(game.id, Booked(unit)).accepts(unit):
        _clear_booked(ledger, transaction, game.id)
    if moves := still_to_book(transaction.group, game):
        _book(transaction, game.id, str(game.rules.settle.payable), moves)
    seating = transaction.group.evenings.get(game.id)
    known = transaction.group.booked.get(game.id, Booked(unit)).paid
    counts = {due: len(entries) for due, entries in known.items()}
    missing = Counter(payments_to_book(game, seating))
    missing.subtract(counts)
    for due in missing.elements():
        assert seating
        paid = {"due": [*due[:2], str(due[2])], "moves": encode_moves(moves_of(game, seating, due))}
        transaction.append("paid", {"game": game.id, "unit": unit, **paid}, at=now(), by="pen")
    for due in (-missing).elements():
        take_back(ledger, transaction, transaction.group.booked[game.id].paid[due][-1])


def _clear_booked(ledger: Ledger, transaction: BookTransaction, game_id: str) -> None:
    """Take back all that an evening has booked, whose unit was corrected in a copy taken in."""
    booked = transaction.group.booked[game_id]
    for number in chain.from_iterable(booked.paid.values()):
        take_back(ledger, transaction, number)
    if moves := [(one, booked.unit, -amount) for one, amount in booked.amounts.items() if amount]:
        _book(transaction, game_id, str(booked.payable), moves)


def _book(transaction: BookTransaction, game_id: str, payable: str, moves: Sequence[Move]) -> None:
    about = {"game": game_id, "unit": moves[0][1], "payable": payable}
    transaction.append("booked", {**about, "moves": encode_moves(moves)}, at=now(), by="pen")


def take_back(ledger: Ledger, transaction: BookTransaction, number: int) -> None:
    """Reverse an entry by a new one."""
    (entry,) = ledger.events(transaction.id, number, after=number - 1)
    append_draft(transaction, taken_back(entry))


def store_result(ledger: Ledger, group: Group, game: Game) -> None:
    """Store the result of an evening for season and statistics."""
    ledger.seasons.save_evening(group.id, stored_evening(game, group.evenings[game.id]))


def current_result(ledger: Ledger, one: StoredEvening) -> StoredEvening:
    """Return the result of an evening; an unfinished one is computed, unless it is damaged."""
    game = None if one.over else next(ledger.readable(Game, [one.game]), None)
    return stored_evening(game, one.seating) if game else one


def kept(ledger: Ledger, evenings: Iterable[StoredEvening]) -> list[StoredEvening]:
    """Return evenings without those that were thrown away."""
    found = list(evenings)
    unfinished = ledger.readable(Game, [evening.game for evening in found if not evening.over])
    thrown = {game.id for game in unfinished if game.thrown_away_at}
    return [evening for evening in found if evening.game not in thrown]


def without_result(
    ledger: Ledger, group_id: str, damaged: list[Damaged] | None = None
) -> Iterator[Game]:
    """Return the games of a group that are not over or were thrown away, the latest first.

    A table of a tournament whose result was typed is over, whatever was written there. Damaged
    ones are left out, or collected in a list.
    """
    found = list(ledger.seasons.running(group_id, MOST_RUNNING))
    group = next(ledger.readable(Group, [group_id] if found else [], damaged), None)
    tournament = group.tournament if group else None
    ids = [one for one in found if not (tournament and tournament.has_result(one))]
    return ledger.readable(Game, ids, damaged)


def running_games(
    ledger: Ledger, group_id: str, limit: int, damaged: list[Damaged] | None = None
) -> list[Game]:
    """Return the games of a group that are not over nor thrown away, the latest first."""
    unfinished = without_result(ledger, group_id, damaged)
    return list(islice((game for game in unfinished if not game.thrown_away_at), limit))
