"""JSON answers about players who are out, and those who came back."""

from typing import Any

from scorekeeper.domain.game.state import Game
from scorekeeper.web.api.blueprint import AnswerSchema
from scorekeeper.web.api.parts import integer


class EliminationSchema(AnswerSchema):
    """A player who reached the limit, with the round and the total."""

    seat = integer()
    round = integer()
    total = integer()


class AdjustmentSchema(AnswerSchema):
    """What coming back added to the minus points of a player; it may be negative."""

    before_round = integer()
    seat = integer()
    minus = integer()


class ReturningSchema(AnswerSchema):
    """A player who may come back before the next round, and the total to begin with."""

    seat = integer()
    total = integer()


def standing_answer(game: Game) -> dict[str, Any]:
    """Return who is left, who went out and who came back; nothing where nobody is eliminated."""
    if not game.rules.end.eliminate:
        return {}
    standing = game.sheet.standing
    returning = {} if game.is_over else standing.returning
    return {
        "left": list(standing.left),
        "eliminated": [vars(one) for one in standing.eliminated],
        "adjustments": [vars(one) for one in standing.adjustments],
        "returning": [{"seat": seat, "total": total} for seat, total in returning.items()],
    }
