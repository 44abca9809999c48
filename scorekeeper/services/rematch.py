"""The rematch: the next game at the same table."""

from collections.abc import Sequence
from dataclasses import replace

from scorekeeper.domain.errors import RuleError
from scorekeeper.domain.game.changes import NewGame
from scorekeeper.domain.game.state import Game
from scorekeeper.services import games, groups
from scorekeeper.services.games import CreatedGame
from scorekeeper.store.ledger import Ledger
from scorekeeper.store.writes import Write


def seats_of(game: Game) -> list[int]:
    """Return the seats of those who sit down to the next game, clockwise.

    Whoever gave up the place does not. If the others are too many, some of them have left too.
    """
    seats = [seat for seat in game.sheet.clockwise if seat not in game.sheet.replaced]
    if len(seats) > game.rules.players.max:
        seats = [seat for seat in seats if seat in game.sheet.at_table]
    return seats


def rematch_of(game: Game, names: Sequence[str]) -> NewGame:
    """Return the next game at the same table under the same rules; the next dealer begins.

    ``names`` are those of all seats. Raises RuleError E_FORM for a player whose name was erased.
    """
    seats = seats_of(game)
    for seat in seats:
        if not names[seat]:
            raise RuleError("E_FORM", ("players", seat, "name"), why="no_name", number=seat + 1)
    dealer = seats.index(game.sheet.next_deal.dealer)
    rules = game.rules.override({"deal.first_dealer": dealer})
    return NewGame(game.title, game.place, rules, tuple(names[seat] for seat in seats))


def play_again(
    ledger: Ledger,
    game: Game,
    write: Write,
    *,
    group_id: str | None,
    browser: str | None = None,
) -> CreatedGame:
    """Begin the rematch of a game, once for each key; in its group if ``group_id`` names it.

    A game of a group has no secrets to show: the secrets of the group open it.
    """
    if group_id is None:
        new_game = rematch_of(game, game.players)
        pen = replace(write, key=None)  # the key identifies the new game, not a change of this one
        with ledger.book_transaction(game.id, pen) as transaction:
            transaction.check_pens()  # nothing is appended to this game
            return games.create_game(ledger, new_game, key=write.key, browser=browser)
    group = ledger.group(group_id)
    names = [group.players[member] for member in group.evenings[game.id].members]
    new_game = rematch_of(game, names)
    return CreatedGame(groups.open_evening(ledger, group_id, new_game, write), "", "")
