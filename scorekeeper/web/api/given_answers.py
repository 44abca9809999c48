"""Points without a round in answers."""

from typing import Any

from scorekeeper.domain.game.given import note_field
from scorekeeper.domain.game.rows import Given
from scorekeeper.domain.game.state import Game
from scorekeeper.web.api.blueprint import AnswerSchema
from scorekeeper.web.api.parts import flag, integer, text


class GivenAnswerSchema(AnswerSchema):
    """Points without a round; ``number`` is that of their event."""

    number = integer()
    at = text()
    after_round = integer(metadata={"description": "0 if they came before the first round"})
    side = integer()
    minus = integer()
    plus = integer()
    start = flag()
    note = text()


def given_answer(game: Game, one: Given) -> dict[str, Any]:
    """Return points that were given."""
    points = {"minus": one.points.minus, "plus": one.points.plus, "start": one.start}
    numbers = {row.ordinal: row.number for row in game.sheet.written}
    return {
        "number": one.event,
        "at": one.at,
        "after_round": numbers.get(one.after, 0),
        "side": one.side,
        **points,
        "note": game.texts.get(note_field(one.event), ""),
    }
