"""Use cases of a tournament: plan it, enter people, draw rounds, enter results, close rounds.

A tournament is part of a group. The group's pen is the director's right. Each table is a game
with a pen of its own, which writes at that table and ends with the round.
"""

import secrets
from collections.abc import Callable, Iterator, Sequence
from itertools import count

from scorekeeper.domain.errors import RuleError
from scorekeeper.domain.game import frame
from scorekeeper.domain.game.changes import Draft, NewGame
from scorekeeper.domain.game.state import Game
from scorekeeper.domain.group.changes import book_prizes, seat_members
from scorekeeper.domain.group.state import Group
from scorekeeper.domain.group.tables import (
    Stated,
    is_comparable,
    result_of,
    seats_of,
    stated_result,
)
from scorekeeper.domain.history.book import Event
from scorekeeper.domain.lookalikes import check_lookalikes, spelling
from scorekeeper.domain.tournament import changes
from scorekeeper.domain.tournament.changes import Entry
from scorekeeper.domain.tournament.draw import draw, is_as_drawn
from scorekeeper.domain.tournament.plan import Plan, encode_plan, refused
from scorekeeper.domain.tournament.state import Drawn, Tournament
from scorekeeper.services.bookkeeping import (
    append_draft,
    bring_back_retired,
    end_right,
    release,
    store_result,
)
from scorekeeper.services.clock import now
from scorekeeper.services.games import draw_dealer, new_id
from scorekeeper.services.writes import change_book, change_group
from scorekeeper.store.errors import NotFound
from scorekeeper.store.ledger import BookTransaction, Ledger
from scorekeeper.store.writes import Write

SEED_LENGTH = 24
MAX_TITLE = 80


def _new_seed() -> str:
    return "".join(secrets.choice("0123456789abcdef") for _ in range(SEED_LENGTH))


def tournament_of(group: Group) -> Tournament:
    """Return the tournament of a group; NotFound if it plays none."""
    if group.tournament is None:
        raise NotFound(group.id)
    return group.tournament


def _change(
    ledger: Ledger,
    group_id: str,
    request: object,
    change: Callable[[Group, Tournament], Draft | None],
    write: Write,
) -> Group:
    def draft(transaction: BookTransaction) -> Draft | None:
        group = transaction.group
        before = _playing(tournament_of(group))
        append_draft(transaction, change(group, tournament_of(group)))
        bring_back_retired(transaction, _playing(tournament_of(transaction.group)) - before)
        return book_prizes(transaction.group)

    return change_book(Group, ledger, group_id, request, draft, write)


def _playing(tournament: Tournament) -> set[int]:
    """Return the members who have entered and not left."""
    playing = (entrant for entrant in tournament.entrants if entrant.left is None)
    return {member for entrant in playing for member in entrant.members}


# ---- plan and entrants ---------------------------------------------------------------


def create_tournament(ledger: Ledger, group_id: str, plan: Plan, write: Write) -> Group:
    """Plan a tournament; RuleError E_TOURNAMENT if the group has one."""
    request, seed = ["tournament", encode_plan(plan)], _new_seed()
    return change_group(
        ledger, group_id, request, lambda group: changes.plan(group.tournament, plan, seed), write
    )


def change_plan(ledger: Ledger, group_id: str, plan: Plan, write: Write) -> Group:
    """Change the plan, which is possible until the first draw."""
    request = ["replanned", encode_plan(plan)]
    return _change(ledger, group_id, request, lambda _, now: changes.replan(now, plan), write)


def save_plan(ledger: Ledger, group_id: str, plan: Plan, write: Write) -> Group:
    """Plan a tournament, or change its plan if the group has one."""
    request, seed = ["tournament", encode_plan(plan)], _new_seed()

    def draft(group: Group) -> Draft | None:
        if group.tournament is None:
            return changes.plan(None, plan, seed)
        return changes.replan(group.tournament, plan)

    return change_group(ledger, group_id, request, draft, write)


def enter(ledger: Ledger, group_id: str, entries: Sequence[Entry], write: Write) -> Group:
    """Let people or pairs enter; they are members by name, and new names join the group.

    A name that differs from a known one in capitals or spaces only is that one.
    """

    def draft(group: Group, tournament: Tournament) -> Draft:
        known = list(_as_known(entries, group.players))
        entered = changes.enter(tournament, group.players, group.texts, known)
        new = [name for field, name in entered.texts.items() if field.startswith("member.")]
        _check_new_names(group, new, known)
        return entered

    request = ["entered", [[list(entry.names), entry.club] for entry in entries]]
    return _change(ledger, group_id, request, draft, write)


def _as_known(entries: Sequence[Entry], players: Sequence[str]) -> Iterator[Entry]:
    def spelt(name: str) -> str:
        return " ".join(name.casefold().split())

    known = {spelt(name): name for name in reversed(players) if name}
    for entry in entries:
        names = (
            name if name in players else known.setdefault(spelt(name), name) for name in entry.names
        )
        yield Entry(tuple(names), entry.club)


def _check_new_names(group: Group, new: Sequence[str], entries: Sequence[Entry]) -> None:
    """Raise RuleError E_FORM at the entry whose new name looks like another one."""
    known = group.players
    try:
        check_lookalikes((*known, *new), "entrants", known=known)
    except RuleError as error:
        name = error.problems[0].facts["value"]
        place = next(place for place, entry in enumerate(entries) if name in entry.names)
        raise RuleError("E_FORM", ("entrants", place), **error.problems[0].facts) from None


def withdraw(ledger: Ledger, group_id: str, entrant: int, write: Write) -> Group:
    """Let somebody leave after the round that is being played."""
    request = ["withdrawn", entrant]
    return _change(ledger, group_id, request, lambda _, now: changes.withdraw(now, entrant), write)


def bring_back(ledger: Ledger, group_id: str, entrant: int, write: Write) -> Group:
    """Let somebody who left play on from the next round."""
    request = ["returned", entrant]
    return _change(
        ledger, group_id, request, lambda _, now: changes.bring_back(now, entrant), write
    )


# ---- rounds --------------------------------------------------------------------------


def draw_round(
    ledger: Ledger, group_id: str, write: Write, *, closing: bool = False, late: bool = False
) -> Group:
    """Draw the next round and begin a game at each table.

    ``closing`` closes the round before it if it is open, ``late`` even without some tables. Nothing
    is drawn if that decides a knockout. Raises RuleError E_TOURNAMENT if the last round is open,
    the tournament is over, or too few are there.
    """
    seed = _new_seed()

    def change(transaction: BookTransaction) -> None:
        if closing and tournament_of(transaction.group).current:
            _close(ledger, transaction, late=late)
            if tournament_of(transaction.group).is_decided:
                return
        tournament = tournament_of(transaction.group)
        changes.check_drawable(tournament)
        drawn, at = draw(tournament, seed), now()
        games = [new_id() for _ in drawn.tables]
        append_draft(transaction, changes.drawn(tournament, drawn, seed, games))
        for table, game_id in enumerate(games):
            _begin_table(ledger, transaction, game_id, table, at)

    return change_book(Group, ledger, group_id, ["drawn", closing, late], change, write)


def _begin_table(
    ledger: Ledger, transaction: BookTransaction, game_id: str, table: int, at: str
) -> None:
    group = transaction.group
    tournament = tournament_of(group)
    one = tournament.rounds[-1]
    members = tuple(seats_of(tournament, one.tables[table]))
    names = _names_at_table(group.players, members)
    title = f"{group.name[: MAX_TITLE - 8]} {one.number}/{table + 1}"
    new_game = draw_dealer(NewGame(title, "", tournament.plan.rules, names))
    game, *_ = ledger.create(Game, game_id, new_game.first_event(at))
    append_draft(transaction, seat_members(game_id, members, game.rules.gin.training, {}))
    store_result(ledger, transaction.group, game)


def _names_at_table(players: Sequence[str], members: Sequence[int]) -> tuple[str, ...]:
    """Return names that can be told apart; those of members who were erased are empty."""
    taken = {spelling(players[member]) for member in members}
    names = list[str]()
    for member in members:
        numbered = (f"#{number}" for number in count(member + 1))
        free = (name for name in numbered if spelling(name) not in taken)
        names.append(players[member] or next(free))
        taken.add(spelling(names[-1]))
    return tuple(names)


def undraw_round(ledger: Ledger, group_id: str, write: Write) -> Group:
    """Take back a draw before anything was played; its games are thrown away."""

    def change(transaction: BookTransaction) -> None:
        tournament = tournament_of(transaction.group)
        draft = changes.undraw(tournament)
        one = tournament.rounds[-1]
        sheets = [ledger.game(game_id).sheet for game_id in one.games]
        if any(sheet.written or sheet.given for sheet in sheets):
            raise refused("played", number=one.number)
        append_draft(transaction, draft)
        for game_id in one.games:
            if game_id in transaction.group.evenings:
                release(ledger, transaction, ledger.game(game_id))
                ledger.seasons.delete_evening(game_id)
            with ledger.book_transaction(game_id) as table:
                end_right(ledger, table)
                append_draft(table, frame.throw_away(table.game))

    return change_book(Group, ledger, group_id, ["undrawn"], change, write)


def state_result(
    ledger: Ledger,
    group_id: str,
    place: tuple[int, int],
    stated: Sequence[Stated | None] | None,
    write: Write,
) -> Group:
    """Enter or correct the final totals of a table; None: the result of its game counts again.

    Totals that are None are missing; the table counts once all are there. ``place`` is the round,
    from 1, and the table, from 0. What the director typed counts, whatever is written at the table
    later. Raises RuleError E_TOURNAMENT for a table that was not drawn.
    """
    number, table = place

    def draft(_: Group, tournament: Tournament) -> Draft | None:
        changes.check_table(tournament, number, table)
        one, plan = tournament.rounds[number - 1], tournament.plan
        if stated is not None:
            scores = stated_result(stated, plan.rules)
            return changes.result(tournament, number, table, scores, "stated")
        game = ledger.game(one.games[table])
        played = result_of(game, plan, len(one.tables[table]))
        if played is None and one.closed and table in one.results:
            raise refused("missing", number=number, tables=[table + 1])
        return changes.result(tournament, number, table, played, "game")

    totals = [one and [one.points, one.wins, one.hand_wins] for one in stated or ()]
    request = ["result", number, table, None if stated is None else totals]
    return _change(ledger, group_id, request, draft, write)


def close_round(ledger: Ledger, group_id: str, write: Write, *, late: bool = False) -> Group:
    """Close the round: the tables can no longer write, except those that are ``late``.

    Raises RuleError E_TOURNAMENT if a table is missing, unless late ones are allowed.
    """

    def change(transaction: BookTransaction) -> None:
        _close(ledger, transaction, late=late)

    return change_book(Group, ledger, group_id, ["closed", late], change, write)


def _close(ledger: Ledger, transaction: BookTransaction, *, late: bool) -> None:
    tournament = tournament_of(transaction.group)
    if one := tournament.current:
        _check_rules(ledger, tournament, one)
    append_draft(transaction, changes.close(tournament, late=late))
    append_draft(transaction, book_prizes(transaction.group))
    assert one
    for table, game_id in enumerate(one.games):
        if table in one.results:
            with ledger.book_transaction(game_id) as game:
                end_right(ledger, game)


def _check_rules(ledger: Ledger, tournament: Tournament, one: Drawn) -> None:
    """Raise RuleError for a table that is over, but played by other rules or other people."""
    for table in one.missing:
        if problem := why_not_counted(ledger, tournament, one, table):
            raise problem


def why_not_counted(
    ledger: Ledger, tournament: Tournament, one: Drawn, table: int
) -> RuleError | None:
    """Return why a game that is over is no result of its table; None if nothing is wrong."""
    if table not in one.missing:
        return None
    game = ledger.game(one.games[table])
    wrong = game.is_over and not is_comparable(game, tournament.plan, len(one.tables[table]))
    return refused("other_rules", table=table + 1) if wrong else None


def conclude(ledger: Ledger, group_id: str, write: Write) -> Group:
    """End the tournament before its last planned round."""
    return _change(ledger, group_id, ["concluded"], lambda _, now: changes.conclude(now), write)


def earlier_results(ledger: Ledger, group_id: str, number: int, table: int) -> list[Event]:
    """Return every result that a table has had since its round was drawn, oldest first."""
    group = ledger.group(group_id)
    kinds = ("drawn", "undrawn", "result")
    rounds, found = 0, list[Event]()
    for event in ledger.events_of(group_id, kinds, group.version):
        if event.kind == "result":
            at = event.payload["round"], event.payload["table"]
            found += [event] * (at == (number, table))
        else:
            rounds += 1 if event.kind == "drawn" else -1
            if rounds < number:
                found.clear()
    return found


# ---- checking ------------------------------------------------------------------------


def is_draw_confirmed(ledger: Ledger, group_id: str, number: int) -> bool:
    """Return whether a round is what its seed draws from the tournament as it was before."""
    group = ledger.group(group_id)
    drawn: list[int] = []
    for event in ledger.events_of(group_id, ("drawn", "undrawn"), group.version):
        if event.kind == "drawn":
            drawn.append(event.number)
        else:
            drawn.pop()
    before = ledger.book_at(group_id, drawn[number - 1] - 1)
    assert isinstance(before, Group)
    return is_as_drawn(tournament_of(before), tournament_of(group).rounds[number - 1])
