"""The end of an evening: who has won, what decided it, and the rematch."""

from typing import Any

from flask import Response
from marshmallow import fields

from scorekeeper.domain.game.state import Game
from scorekeeper.domain.game.story import HIGHLIGHTS, highlights
from scorekeeper.i18n import Language
from scorekeeper.services.rematch import play_again
from scorekeeper.web.api.answers import GameSchema
from scorekeeper.web.api.blueprint import (
    IF_NONE_MATCH,
    SECRET,
    AnswerSchema,
    answer,
    blp,
    conditional,
)
from scorekeeper.web.api.games import new_game_response
from scorekeeper.web.api.parts import flag, integer, list_of, part, text
from scorekeeper.web.context import language, ledger
from scorekeeper.web.permissions import request_write, writable_group
from scorekeeper.web.rate_limits import limit_creation
from scorekeeper.wording.endings import highlight_lines, how_won

TAGS = ["Games"]


class HighlightSchema(AnswerSchema):
    """A moment that decided the evening; ``side`` is the player's seat, in teams the side."""

    code = text(metadata={"enum": list(HIGHLIGHTS)})
    round = integer()
    facts = fields.Dict(required=True)
    message = text()


class StorySchema(AnswerSchema):
    """The players in first place, since when, and why; once the game is over, the winners."""

    over = flag()
    first = list_of(fields.Integer())
    message = text()
    highlights = list_of(HighlightSchema)


class RematchSchema(AnswerSchema):
    """The next game of a table; in a group, whose secrets open it, without its own."""

    id = text()
    pen = text(allow_none=True)
    watch = text(allow_none=True)
    game = part(GameSchema)


@blp.get("/games/<game_id>/story", tags=TAGS)
@blp.doc(**SECRET, parameters=[IF_NONE_MATCH])
@blp.response(200, StorySchema)
@conditional
def read_story(game_id: str) -> Response:
    """Return who has won, or leads, and the three or four moments that decided the evening."""
    game, lang = ledger().game(game_id), language()
    body = {
        "over": game.is_over,
        "first": list(game.sheet.leaders),
        "message": how_won(game, lang),
        "highlights": _highlights(game.with_stand_ins(lang.seat), lang),
    }
    return answer(body, game)


def _highlights(game: Game, lang: Language) -> list[dict[str, Any]]:
    return [
        {
            "code": moment.code,
            "round": line.number,
            "facts": dict(moment.facts),
            "message": f"{line.head} {line.rest}",
        }
        for moment, line in zip(highlights(game.sheet), highlight_lines(game, lang), strict=True)
    ]


@blp.post("/games/<game_id>/rematch", tags=TAGS)
@blp.doc(**SECRET)
@blp.response(201, RematchSchema)
@limit_creation
def rematch(game_id: str) -> Response:
    """Begin the next game at the same table: the same players and rules, the next dealer.

    With the pen of a group, the game becomes its next evening.
    """
    group_id = writable_group(game_id)  # adds its pen to what the write checks
    again = play_again(ledger(), ledger().game(game_id), request_write(), group_id=group_id)
    return new_game_response(again)
