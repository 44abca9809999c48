"""Games and groups are sent to another machine: exported, and imported there."""

import json
from typing import Any

from scorekeeper.domain.game.changes import score_for
from scorekeeper.domain.game.state import Game
from scorekeeper.services import imports
from scorekeeper.services.exports import group_lines
from scorekeeper.services.groups import CreatedGroup
from scorekeeper.store import Ledger
from scorekeeper.store.check import check


def arrived(ledger: Ledger, game_id: str, elsewhere: Ledger) -> Game:
    """Return a game as it is elsewhere after its import there."""
    imports.import_game(elsewhere, json.loads(json.dumps(ledger.export(game_id))))
    assert check(elsewhere, score_for).clean
    return elsewhere.game(game_id)


def sent(ledger: Ledger, group_id: str) -> tuple[Any, list[Any]]:
    """A group and its games as they are imported elsewhere."""
    group, *games = map(json.loads, group_lines(ledger, group_id))
    return group, games


def taken_in(
    ledger: Ledger, export: Any, games: list[Any], *, as_it_was: bool = False
) -> CreatedGroup:
    group = imports.read_group(export, iter(games), as_it_was=as_it_was)
    return imports.write_group(ledger, group, iter(games))
