"""Correcting the name of a member in a group and at all evenings."""

from collections.abc import Callable, Mapping

from scorekeeper.domain.game.frame import Frame, correct_frame
from scorekeeper.domain.game.state import Game
from scorekeeper.domain.group.state import Group
from scorekeeper.services import games, groups
from scorekeeper.services.bookkeeping import append_draft
from scorekeeper.services.clock import now
from scorekeeper.services.writes import change_book
from scorekeeper.store.ledger import BookTransaction, Ledger
from scorekeeper.store.writes import Write


def correct_member(
    ledger: Ledger, group_id: str, member: int, name: str, write: Write, *, before: str = ""
) -> Group:
    """Rename a member, and the player at every evening who still has the name so far.

    ``before`` is another name to correct there, such as that at the evening where it was noticed.
    Raises RuleError as ``groups.rename_member`` does, also if another player of an evening has
    the name; then nothing is renamed.
    """

    def change(transaction: BookTransaction) -> None:
        group = transaction.group
        draft = groups.renamed(group, member, name)
        known = {group.players[member], before} - {"", name}
        if group.players[member] != name:
            append_draft(transaction, draft)
        for game_id, seating in group.evenings.items():
            if member in seating.members:
                _rename(ledger, game_id, seating.members.index(member), name, known)

    request = ["renamed everywhere", member, name, before]
    return change_book(Group, ledger, group_id, request, change, write)


def _rename(ledger: Ledger, game_id: str, seat: int, name: str, known: set[str]) -> None:
    with ledger.book_transaction(game_id) as evening:
        game = evening.game
        if game.players[seat] in known and game.thrown_away_at is None:
            append_draft(evening, correct_frame(game, Frame(names={seat: name}), now()))


def correct_everywhere(
    ledger: Ledger,
    game_id: str,
    request: object,
    framed: Callable[[Game], Frame],
    names: Mapping[int, str],
    write: Write,
) -> Game:
    """Correct the frame of an evening, and new names, by seat, in its whole group too."""
    group_id = ledger.group_of(game_id)
    if group_id is None:
        return games.correct_frame(ledger, game_id, request, framed, write)
    with ledger.book_transaction(group_id) as transaction:  # locked before its games
        before = ledger.game(game_id).players
        game = games.correct_frame(ledger, game_id, request, framed, write)
        seating = transaction.group.evenings[game_id]
        for seat, name in names.items():
            known = Write(holders=write.holders)
            member = seating.members[seat]
            correct_member(ledger, group_id, member, name, known, before=before[seat])
    return game
