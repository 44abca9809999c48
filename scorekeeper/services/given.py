"""Use cases of points without a round: give them, take them back."""

from collections.abc import Mapping
from typing import Any

from scorekeeper.domain.game import given
from scorekeeper.domain.game.state import Game
from scorekeeper.services.writes import change_game
from scorekeeper.store.ledger import Ledger
from scorekeeper.store.writes import Write


def give_points(ledger: Ledger, game_id: str, points: Mapping[str, Any], write: Write) -> Game:
    """Give points to a side; ``points`` are the arguments of ``domain.game.given.give``."""
    return change_game(
        ledger, game_id, ["given", dict(points)], lambda game: given.give(game, **points), write
    )


def take_back_points(ledger: Ledger, game_id: str, event: int, write: Write) -> Game:
    """Take back the points that an event gave; KeyError if it gave none, or they are taken back."""
    return change_game(
        ledger, game_id, ["taken_back", event], lambda game: given.take_back(game, event), write
    )
