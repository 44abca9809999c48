"""PDF files: score sheets, statements, pads and rules cards."""

from typing import Any

from flask import Response, abort

from scorekeeper import pdf
from scorekeeper.domain.game.changes import MOST_SEATS
from scorekeeper.domain.game.state import Game
from scorekeeper.domain.money.settlement import Settlement
from scorekeeper.domain.rules.presets import preset
from scorekeeper.i18n import LANGUAGES, Language
from scorekeeper.services.printing import YES_NO, PadOrder, PadSchema
from scorekeeper.web import paper
from scorekeeper.web.api.blueprint import IF_NONE_MATCH, SECRET, blp, conditional, conditional_after
from scorekeeper.web.api.rules import RulesBodySchema, preset_or_404
from scorekeeper.web.api.transfer import download
from scorekeeper.web.context import language, language_in, ledger
from scorekeeper.web.files import PDF, PNG
from scorekeeper.wire.strict import Choice, ShortText, StrictSchema

TAGS = ["Import and export"]
BINARY_SCHEMA = {"type": "string", "format": "binary"}


class SheetQuerySchema(StrictSchema):
    """The form of the sheet; with details, every round is listed with its cards."""

    size = Choice(*pdf.SHEET_SIZES, load_default="A4")
    details = Choice(*YES_NO, load_default="no")
    lang = Choice(*LANGUAGES)


class StatementQuerySchema(StrictSchema):
    """The player (in teams, the side) of the statement, by index; the default is everyone."""

    side = Choice(*map(str, range(MOST_SEATS)))
    lang = Choice(*LANGUAGES)


class CardQuerySchema(StrictSchema):
    """The language of a card."""

    lang = Choice(*LANGUAGES)


class PresetCardQuerySchema(CardQuerySchema):
    """The rule system of a card."""

    preset = ShortText(1, 40, required=True)


def requested_language(query: dict[str, str]) -> Language:
    """Return the language of the query, else the client's."""
    return language_in(query["lang"]) if "lang" in query else language()


@blp.get("/games/<game_id>/sheet.pdf", tags=TAGS)
@blp.doc(**SECRET)
@blp.arguments(SheetQuerySchema(), location="query")
@blp.response(200, BINARY_SCHEMA, content_type=PDF)
def sheet_pdf(query: dict[str, str], game_id: str) -> Response:
    """Return the score sheet as a PDF; it has no ETag, because it also shows the group's name."""
    game, details = ledger().game(game_id), query["details"] == "yes"
    file = paper.score_sheet(game, requested_language(query), query["size"], details=details)
    return download(file)


@blp.get("/games/<game_id>/picture.png", tags=TAGS)
@blp.doc(**SECRET)
@blp.arguments(CardQuerySchema(), location="query")
@blp.response(200, BINARY_SCHEMA, content_type=PNG)
def picture(query: dict[str, str], game_id: str) -> Response:
    """Return the result of a game as a picture for a chat: winner, places, chart, payments.

    It has no ETag, because it also shows the group's name.
    """
    lang = requested_language(query)
    game = ledger().game(game_id).with_stand_ins(lang.seat)
    return download(paper.result_picture(game, lang))


@blp.get("/games/<game_id>/settlement.pdf", tags=TAGS)
@blp.doc(**SECRET, parameters=[IF_NONE_MATCH])
@blp.arguments(StatementQuerySchema(), location="query")
@blp.response(200, BINARY_SCHEMA, content_type=PDF)
@conditional_after(lambda query, game_id: _statement_of(query, game_id))
def settlement_pdf(query: dict[str, str], game_id: str) -> Response:
    """Return the settlement on one page, for everyone or for one player."""
    game, settlement, side = _statement_of(query, game_id)
    return download(paper.statement(game, settlement, requested_language(query), side), game)


def _statement_of(query: dict[str, str], game_id: str) -> tuple[Game, Settlement, int | None]:
    """Return a game, its settlement and the side of the statement; 404 if there is none."""
    game = ledger().game(game_id)
    settlement = game.settlement()
    side = int(query["side"]) if "side" in query else None
    if settlement is None or (side or 0) >= len(game.sides):
        abort(404)
    return game, settlement, side


@blp.get("/games/<game_id>/rules-card.pdf", tags=TAGS)
@blp.doc(**SECRET, parameters=[IF_NONE_MATCH])
@blp.arguments(CardQuerySchema(), location="query")
@blp.response(200, BINARY_SCHEMA, content_type=PDF)
@conditional
def game_card_pdf(query: dict[str, str], game_id: str) -> Response:
    """Return the rules of this table on one page."""
    game = ledger().game(game_id)
    return download(paper.card_of_game(game, requested_language(query)), game)


@blp.get("/rules-card.pdf", tags=TAGS)
@blp.doc(parameters=[IF_NONE_MATCH])
@blp.arguments(PresetCardQuerySchema(), location="query")
@blp.response(200, BINARY_SCHEMA, content_type=PDF)
def preset_card_pdf(query: dict[str, str]) -> Response:
    """Return the rules of a rule system on one page."""
    name = preset(query["preset"]).preset
    return download(paper.preset_card(name, requested_language(query)))


@blp.post("/rules-card.pdf", tags=TAGS)
@blp.arguments(RulesBodySchema())
@blp.response(200, BINARY_SCHEMA, content_type=PDF)
def card_pdf(body: dict[str, Any]) -> Response:
    """Return house rules on one page, with deviations from the rule system in bold."""
    return download(paper.rules_card(body["rules"], language()))


@blp.get("/pads/<name>.pdf", tags=TAGS)
@blp.doc(parameters=[IF_NONE_MATCH])
@blp.arguments(PadSchema(), location="query")
@blp.response(200, BINARY_SCHEMA, content_type=PDF)
def pad_pdf(order: PadOrder, name: str) -> Response:
    """Return a blank pad: two or four leaves per sheet with cutting marks, up to 20 sheets."""
    rules = preset_or_404(name)
    lang = language_in(order.lang) if order.lang else language()
    return download(paper.pad(rules.preset, order, lang))
