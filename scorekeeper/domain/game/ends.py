"""Why a game is over, and who deals next, as its score sheet says."""

from dataclasses import dataclass
from typing import Literal

from scorekeeper.domain.game.planned import PlanRows


@dataclass(frozen=True)
class Ending:
    """The reason why the rules end the game."""

    why: Literal["points", "rounds", "plan", "one_run"]
    limit: int
    sides: tuple[int, ...]
    """The sides that reached the points limit."""
    winner: int | None = None
    """Gin: the side that won the game (RULES 8.4)."""


@dataclass(frozen=True)
class Deal:
    """The dealer of the next round, the first player, and the number of cards."""

    dealer: int
    first: int
    cards: int
    plan_row: PlanRows = None
    sits_out: int | None = None
    """The seat that sits out, of three who play gin."""
