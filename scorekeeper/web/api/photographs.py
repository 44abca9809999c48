"""Reading the cards in a photograph; nothing of it is stored."""

from typing import Any

from flask import Response, request
from marshmallow import fields
from werkzeug.exceptions import RequestEntityTooLarge

from scorekeeper.camera import MEGABYTE, MOST_MEGABYTES, is_installed
from scorekeeper.services.photographs import cards_in, refused_picture
from scorekeeper.web.api.blueprint import SECRET, AnswerSchema, answer, blp
from scorekeeper.web.api.parts import list_of, text
from scorekeeper.web.api.problems import refusal
from scorekeeper.web.background import in_pool_unless
from scorekeeper.web.context import ledger
from scorekeeper.web.errors import Refusal
from scorekeeper.wire.queries import Digits
from scorekeeper.wire.strict import StrictSchema

TAGS = ["Referee"]
KINDS = ("image/jpeg", "image/png", "image/webp")
FORM = "multipart/form-data"
MAX_PICTURE = MOST_MEGABYTES * MEGABYTE
MAX_UPLOAD = MAX_PICTURE + 64 * 1024
"""A picture, with what a form sends around it."""

BINARY = {"type": "string", "format": "binary"}
BODY: dict[str, Any] = {
    "description": f"a JPEG, PNG or WebP file of at most {MOST_MEGABYTES} MB, "
    "or a form with one such file",
    "required": True,
    "content": {kind: {"schema": BINARY} for kind in KINDS}
    | {FORM: {"schema": {"type": "object", "properties": {"picture": BINARY}}}},
}


class DeckSchema(StrictSchema):
    """The deck that the cards are of."""

    packs = Digits(1, 4, load_default=2)
    jokers = Digits(0, 8, load_default=8)


class SeenCardSchema(AnswerSchema):
    """A card in a photograph."""

    card = text(metadata={"examples": ["10H"]})
    sure = fields.Float(required=True, metadata={"description": "how sure, from 0 to 1"})
    box = list_of(
        fields.Float(),
        metadata={
            "description": "where its corners show: left, top, width and height, as shares of "
            "the upright picture",
            "minItems": 4,
            "maxItems": 4,
        },
    )
    alternatives = list_of(
        fields.String(),
        metadata={"description": "the two likeliest cards if it should be asked for, else empty"},
    )


class SeenRowSchema(AnswerSchema):
    """Cards that lie in a row, from left to right."""

    cards = list_of(SeenCardSchema)


class PhotographSchema(AnswerSchema):
    """The cards in a photograph in reading order; melds lie in rows."""

    rows = list_of(SeenRowSchema)


@blp.post("/cards/recognise", tags=TAGS)
@blp.doc(requestBody=BODY)
@blp.arguments(DeckSchema(), location="query")
@blp.response(200, PhotographSchema)
def recognise_cards(query: dict[str, int]) -> Response:
    """Read the cards in a photograph.

    It is not stored. Needs the extra scorekeeper[camera] on the server: 501 without it.
    """
    return _read(**query)


@blp.post("/games/<game_id>/cards/recognise", tags=TAGS)
@blp.doc(requestBody=BODY, **SECRET)
@blp.response(200, PhotographSchema)
def recognise_cards_of_game(game_id: str) -> Response:
    """Read the cards in a photograph, with the deck of this game: no jokers in gin."""
    game = ledger().game(game_id)
    deck = game.rules.for_round(len(game.sheet.expected)).deck
    return _read(deck.packs, deck.jokers)


def _read(packs: int, jokers: int) -> Response:
    if not is_installed():
        raise Refusal(501, "refused.no_camera")
    try:
        picture = _sent()
    except RequestEntityTooLarge:
        return refusal(413, refused_picture("bytes"))
    if len(picture) > MAX_PICTURE:
        return refusal(413, refused_picture("bytes"))
    rows = in_pool_unless(refused_picture("work"), cards_in, picture, packs, jokers)
    return answer({"rows": rows})


def _sent() -> bytes:
    """Return the picture of the request; 415 if it is sent as something else."""
    request.max_content_length = request.max_form_memory_size = MAX_UPLOAD
    if request.mimetype in KINDS:
        return request.get_data()
    if request.mimetype != FORM:
        raise Refusal(415, "E_CONTENT_TYPE", accepted=", ".join((*KINDS, FORM)))
    files = [file for _, file in request.files.items(multi=True)]
    return files[0].read() if len(files) == 1 else b""
