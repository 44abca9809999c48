"""Use cases of a group (*Stammtisch*): members, evenings, money.

As in ``games``: every change is one transaction, and a repeated key returns the result of the
first time.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from scorekeeper.domain import rules as options
from scorekeeper.domain.errors import RuleError
from scorekeeper.domain.game.changes import Draft, NewGame, check_names, check_players
from scorekeeper.domain.game.state import Game
from scorekeeper.domain.group import changes as group_changes
from scorekeeper.domain.group.changes import NewGroup, check_member
from scorekeeper.domain.group.state import MONEY, Group, Move, moves_in
from scorekeeper.domain.group.units import in_finest
from scorekeeper.domain.history.book import Event
from scorekeeper.domain.lookalikes import check_lookalikes
from scorekeeper.domain.money.settlement import Transfer
from scorekeeper.domain.rules import RuleSet
from scorekeeper.services.bookkeeping import (
    append_draft,
    bring_back_retired,
    members_named,
    release,
    seat_game,
    settle_accounts,
    store_result,
)
from scorekeeper.services.clock import now
from scorekeeper.services.erasure import erase_fields, erase_seat
from scorekeeper.services.games import draw_dealer, new_id, replace_secret
from scorekeeper.services.writes import change_book, change_group
from scorekeeper.store.errors import AlreadyExists
from scorekeeper.store.ledger import BookTransaction, Ledger
from scorekeeper.store.writes import PROGRAM, Write


@dataclass(frozen=True)
class CreatedGroup:
    """A new group and its two secrets, which are shown only once."""

    group: Group
    pen: str
    watch: str


@dataclass(frozen=True)
class AccountEntry:
    """An entry of the account book, or of a member's statement."""

    event: Event
    moves: tuple[Move, ...]
    """The changes of balances; in a statement, only the member's."""
    balances: Mapping[str, Fraction]
    """The member's balances after it, by unit; empty without a member."""
    reversed: bool
    """Whether it was reversed later."""


# ---- the group and its members -------------------------------------------------------


def create_group(
    ledger: Ledger, new_group: NewGroup, *, key: str | None = None, browser: str | None = None
) -> CreatedGroup:
    """Found a group, or return the group founded before with the same key in the same browser."""
    check_names(new_group.members, "members")
    check_lookalikes(new_group.members, "members")
    first = new_group.first_event(now(), key)
    try:
        return CreatedGroup(*ledger.create(Group, new_id(), first, browser=browser))
    except AlreadyExists as known:  # sent twice
        return CreatedGroup(ledger.group(known.book_id), "", "")


def rename_group(ledger: Ledger, group_id: str, name: str, write: Write) -> Group:
    """Rename the group."""
    request = ["details", name]
    draft = group_changes.rename_group(name)
    return change_book(Group, ledger, group_id, request, lambda _: draft, write)


def keep_rating(ledger: Ledger, group_id: str, on: bool, write: Write) -> Group:
    """Keep a rating of the members from now on, or none; nothing changes if it is so already."""
    return change_group(
        ledger, group_id, ["rating", on], lambda group: group_changes.keep_rating(group, on), write
    )


def add_member(ledger: Ledger, group_id: str, name: str, write: Write) -> Group:
    """Add a member."""

    def draft(group: Group) -> Draft:
        check_lookalikes((*group.players, name), "members", known=group.players)
        return group_changes.join(group, name)

    return change_group(ledger, group_id, ["member", name], draft, write)


def rename_member(ledger: Ledger, group_id: str, member: int, name: str, write: Write) -> Group:
    """Rename a member; old score sheets keep the old name."""
    request = ["renamed", member, name]
    return change_group(
        ledger, group_id, request, lambda group: renamed(group, member, name), write
    )


def renamed(group: Group, member: int, name: str) -> Draft:
    """Return the draft of a new name; RuleError too if it looks like that of another member."""
    draft = group_changes.rename_member(group, member, name)
    others = group.players[:member] + group.players[member + 1 :]
    check_lookalikes((*others, name), "members", known=others)
    return draft


def retire_member(ledger: Ledger, group_id: str, member: int, retired: bool, write: Write) -> Group:
    """Retire a member, or let a retired one come back; nothing changes if it is so already."""
    change = group_changes.retire if retired else group_changes.bring_back
    request = ["retired", member, retired]
    return change_group(ledger, group_id, request, lambda group: change(group, member), write)


def erase_member(
    ledger: Ledger, group_id: str, member: int, write: Write, *, by: str = "pen"
) -> Group:
    """Erase a member's name here and in all evenings; the numbers stay."""

    def change(transaction: BookTransaction) -> None:
        check_member(transaction.group, member)
        field = f"member.{member}"
        names = {text for _, of, text in transaction.words() if of == field}
        for game_id, seating in transaction.group.evenings.items():
            for seat in (seat for seat, one in enumerate(seating.members) if one == member):
                with ledger.book_transaction(game_id) as evening:
                    erase_seat(evening, seat, names, by=by)
        left = erase_fields(transaction, [field])
        transaction.append("erased", {"member": member}, at=now(), by=by, texts={**left, field: ""})

    group = change_book(Group, ledger, group_id, ["erased", member], change, write)
    ledger.cleaning.clean_soon()
    return group


def keep_house_rules(ledger: Ledger, group_id: str, rules: RuleSet, write: Write) -> Group:
    """Set the house rules and the stake with which evenings begin."""
    draft = group_changes.set_house_rules(rules)
    request = ["house", draft.payload["house"]]
    return change_book(Group, ledger, group_id, request, lambda _: draft, write)


# ---- evenings ------------------------------------------------------------------------


def open_evening(
    ledger: Ledger, group_id: str, new_game: NewGame, write: Write, *, training: bool = False
) -> Game:
    """Begin a game of the group and return it as it begins; see ``begin_evening``."""
    return begun_game(ledger, begin_evening(ledger, group_id, new_game, write, training=training))


def begin_evening(
    ledger: Ledger,
    group_id: str,
    new_game: NewGame,
    write: Write,
    *,
    as_usual: bool = False,
    training: bool = False,
) -> Group:
    """Begin a game of the group: players are members by name, new names join the group.

    A retired member who plays has come back. The group's rights apply to the game. It also has
    secrets of its own, which can be replaced and shown. Rules that are only ``as_usual`` are not
    part of the request, so a repeat is recognised even if the usual rules have changed. Returns
    the group as of this change; the game is its last evening.
    """
    rules = None if as_usual else options.encode_rules(new_game.rules)
    request = ["evening", rules, new_game.texts, training]

    def change(transaction: BookTransaction) -> None:
        check_players(new_game.rules, new_game.players)
        first = draw_dealer(new_game).first_event(now())
        game, *_ = ledger.create(Game, new_id(), first)
        members = members_named(transaction.group, game.players)
        bring_back_retired(transaction, members)
        seat_game(transaction, game, members, training)
        store_result(ledger, transaction.group, game)

    return change_book(Group, ledger, group_id, request, change, write)


def begun_game(ledger: Ledger, group: Group) -> Game:
    """Return the last evening of a group as it began."""
    return ledger.game_at(list(group.evenings)[-1], 1)


def add_played_game(
    ledger: Ledger, transaction: BookTransaction, game: Game, events: Sequence[Event]
) -> None:
    """Add a game played in the past as an evening of the group.

    As in ``open_evening``, players are members by name, and new names join.
    """
    ledger.import_book(game, events)
    seat_game(transaction, game, members_named(transaction.group, game.players), training=False)
    settle_accounts(ledger, transaction, game)
    store_result(ledger, transaction.group, game)


def usual_rules(ledger: Ledger, group: Group) -> RuleSet | None:
    """Return the rules an evening begins with: house rules, else those of the last evening."""
    if group.house or not group.evenings:
        return group.house
    return ledger.game(list(group.evenings)[-1]).rules


def admit_game(
    ledger: Ledger,
    group_id: str,
    game_id: str,
    write: Write,
    *,
    members: Sequence[int | None] | None = None,
    training: bool | None = None,
) -> Group:
    """Add a game to the group, or change its seating or whether it counts.

    ``members`` is by seat; None means the member with the player's name, or a new one.
    Arguments left out change nothing; a new game counts, with members by name. Its result is
    booked, or booked again.
    """
    chosen = None if members is None else list(members)

    def change(transaction: BookTransaction) -> None:
        with ledger.book_transaction(game_id) as evening:  # locks the game, which may be ending
            game, is_in = evening.game, evening.evening
        if is_in and is_in[0] != group_id:
            raise RuleError("E_GROUP", ("game",), why="other_group")
        if training is False and game.rules.gin.training:
            raise RuleError("E_GROUP", ("training",), why="training_rules")
        before = transaction.group.evenings.get(game_id)
        requested = before.members if before and chosen is None else _by_seat(game, chosen)
        seated = _seated(transaction.group, game.players, requested)
        for seat, member in enumerate(seated):
            if members is not None and members[seat] is not None:
                check_member(transaction.group, member, "members", seat)
        if before and before.members != seated:  # payments belong to the members who made them
            release(ledger, transaction, game)
        current = bool(before and before.training)
        seat_game(transaction, game, seated, current if training is None else training)
        settle_accounts(ledger, transaction, game)
        store_result(ledger, transaction.group, game)

    request = ["game", game_id, chosen, training]
    return change_book(Group, ledger, group_id, request, change, write)


def _seated(group: Group, names: Sequence[str], requested: Sequence[int | None]) -> tuple[int, ...]:
    """Return the member of each seat: as requested, else by name; only those by name can be new."""
    unsaid = (name for name, wish in zip(names, requested, strict=True) if wish is None)
    named = iter(members_named(group, tuple(unsaid)))
    return tuple(next(named) if wish is None else wish for wish in requested)


def _by_seat(game: Game, members: Sequence[int | None] | None) -> Sequence[int | None]:
    if members is None:
        return [None] * game.sheet.seats
    if len(members) != game.sheet.seats:
        seats, stated = game.sheet.seats, len(members)
        raise RuleError("E_GROUP", ("members",), why="seats", seats=seats, stated=stated)
    return members


def release_game(
    ledger: Ledger, group_id: str, game_id: str, write: Write, *, browser: str | None = None
) -> Group:
    """Remove a game from the group and undo its bookings.

    ``browser`` keeps its pen, which it may have had only through the group.
    """

    def change(transaction: BookTransaction) -> None:
        if game_id not in transaction.group.evenings:
            raise RuleError("E_GROUP", ("game",), why="no_game")
        if browser and (game_id, "pen") not in ledger.rights.books_of(browser, "game"):
            replace_secret(ledger, game_id, "pen", PROGRAM, browser=browser)
        release(ledger, transaction, ledger.game(game_id))
        ledger.seasons.delete_evening(game_id)

    return change_book(Group, ledger, group_id, ["left", game_id], change, write)


# ---- money ---------------------------------------------------------------------------


def pay(
    ledger: Ledger,
    group_id: str,
    payment: Transfer,
    unit: str,
    write: Write,
    *,
    note: str = "",
) -> Group:
    """Enter a payment between two members; more than the debt leaves a credit."""
    request = ["paid", payment.payer, payment.payee, str(payment.amount), unit, note]
    return change_group(
        ledger,
        group_id,
        request,
        lambda group: group_changes.pay(group, payment, unit, note),
        write,
    )


def settle_up(
    ledger: Ledger, group_id: str, unit: str, write: Write, *, net: bool = False
) -> Group:
    """Enter all open payments of a unit as made, in one entry.

    ``net`` first converts open balances in euros into this unit if it is cents.
    """

    def change(transaction: BookTransaction) -> Draft:
        if net:
            _convert_euros(transaction, unit)
        return group_changes.settle(transaction.group, unit)

    request = ["settled", unit, "net"] if net else ["settled", unit]
    return change_book(Group, ledger, group_id, request, change, write)


def _convert_euros(transaction: BookTransaction, unit: str) -> None:
    group = transaction.group
    units = [other for other in group.balances if any(group.balance(other))]
    for other, (into, rate) in in_finest(units).items():
        if into == unit != other:
            append_draft(transaction, group_changes.agree(other, unit, rate))
            append_draft(transaction, group_changes.convert(transaction.group, other, unit))


def agree_rate(
    ledger: Ledger, group_id: str, unit: str, into: str, rate: Fraction, write: Write
) -> Group:
    """Set the value of one unit in another, which is needed to convert balances."""
    request = ["rate", unit, into, str(rate)]
    draft = group_changes.agree(unit, into, rate)
    return change_book(Group, ledger, group_id, request, lambda _: draft, write)


def convert(ledger: Ledger, group_id: str, unit: str, into: str, write: Write) -> Group:
    """Convert all balances of a unit into another, at the agreed rate."""
    request = ["converted", unit, into]
    return change_group(
        ledger, group_id, request, lambda group: group_changes.convert(group, unit, into), write
    )


def reverse(ledger: Ledger, group_id: str, number: int, write: Write) -> Group:
    """Reverse an entry by a new one; both stay readable.

    What an evening booked is corrected in the evening. KeyError if there is no such entry.
    """

    def change(transaction: BookTransaction) -> Draft:
        if not 1 <= number <= transaction.version:
            raise KeyError(number)
        (entry,) = ledger.events(group_id, number, after=number - 1)
        return group_changes.reverse(transaction.group, entry)

    return change_book(Group, ledger, group_id, ["reversed", number], change, write)


def count_entries(ledger: Ledger, group: Group) -> int:
    """Return the number of entries that moved money."""
    return ledger.store.events.count(group.id, MONEY)


def statement(
    ledger: Ledger, group: Group, member: int | None = None, *, limit: int | None = None
) -> list[AccountEntry]:
    """Return the entries that moved money, in order; the last ``limit`` of all.

    With a member, return all of the member's entries with the balance after each.
    """
    balances: dict[str, Fraction] = {}
    entries = []
    for event in ledger.events_of(group.id, MONEY, group.version, limit=limit):
        moves = tuple(move for move in moves_in(event) if member in (None, move[0]))
        if not moves:
            continue
        if member is not None:
            for _, unit, amount in moves:
                balances[unit] = balances.get(unit, Fraction()) + amount
        entries.append(AccountEntry(event, moves, dict(balances), event.number in group.reversed))
    return entries
