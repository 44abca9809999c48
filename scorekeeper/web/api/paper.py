"""PDF files: score sheets, statements, pads and rules cards."""

from typing import Any

from flask import Response, abort

from scorekeeper import pdf
from scorekeeper.domain.game import Game
from scorekeeper.domain.options import RuleSet
from scorekeeper.domain.settlement import Settlement
from scorekeeper.i18n import LANGUAGES, Language
from scorekeeper.services.printing import YES_NO, PadOrder, PadSchema, printed_pad
from scorekeeper.web.api.blueprint import IF_NONE_MATCH, SECRET, blp, conditional, conditional_after
from scorekeeper.web.api.rules import RulesBodySchema, preset_or_404
from scorekeeper.web.api.transfer import file_answer
from scorekeeper.web.background import in_pool, in_pool_later
from scorekeeper.web.context import language, language_in, ledger
from scorekeeper.web.file_names import game_file, rules_file
from scorekeeper.web.links import printed_link
from scorekeeper.web.permissions import group_name
from scorekeeper.wire.rounds import MAX_PLAYERS
from scorekeeper.wire.strict import Choice, ShortText, StrictSchema

TAGS = ["Import and export"]
PDF_SCHEMA = {"type": "string", "format": "binary"}
PDF_TYPE, PNG_TYPE = "application/pdf", "image/png"


class SheetQuerySchema(StrictSchema):
    """The form of the sheet; with details, every round is listed with its cards."""

    size = Choice(*pdf.SHEET_SIZES, load_default="A4")
    details = Choice(*YES_NO, load_default="no")
    lang = Choice(*LANGUAGES)


class StatementQuerySchema(StrictSchema):
    """The player (in teams, the side) of the statement, by index; the default is everyone."""

    side = Choice(*map(str, range(MAX_PLAYERS)))
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
@blp.doc(**SECRET, parameters=[IF_NONE_MATCH])
@blp.arguments(SheetQuerySchema(), location="query")
@blp.response(200, PDF_SCHEMA, content_type=PDF_TYPE)
@conditional
def sheet_pdf(query: dict[str, str], game_id: str) -> Response:
    """Return the score sheet as a PDF."""
    game = ledger().game(game_id)
    paper = in_pool(
        pdf.score_sheet,
        game,
        game.settled,
        requested_language(query),
        head=ledger().head(game_id),
        size=query["size"],
        details=query["details"] == "yes",
        group=group_name(game_id),
        address=printed_link(game_id),
    )
    name = game_file(game, requested_language(query))
    return file_answer(paper, PDF_TYPE, f"{name}.pdf", game)


@blp.get("/games/<game_id>/picture.png", tags=TAGS)
@blp.doc(**SECRET, parameters=[IF_NONE_MATCH])
@blp.arguments(CardQuerySchema(), location="query")
@blp.response(200, PDF_SCHEMA, content_type=PNG_TYPE)
@conditional
def picture(query: dict[str, str], game_id: str) -> Response:
    """Return the result of a game as a picture for a chat: winner, places, chart, payments."""
    lang = requested_language(query)
    game = ledger().game(game_id).with_stand_ins(lang.seat)
    title = game.title or group_name(game_id)
    drawn = in_pool(pdf.evening_picture, game, lang, title=title)
    return file_answer(drawn, PNG_TYPE, f"{game_file(game, lang)}.png", game)


@blp.get("/games/<game_id>/settlement.pdf", tags=TAGS)
@blp.doc(**SECRET, parameters=[IF_NONE_MATCH])
@blp.arguments(StatementQuerySchema(), location="query")
@blp.response(200, PDF_SCHEMA, content_type=PDF_TYPE)
@conditional_after(lambda query, game_id: _statement_of(query, game_id))
def settlement_pdf(query: dict[str, str], game_id: str) -> Response:
    """Return the settlement on one page, for everyone or for one player."""
    game, settlement, side = _statement_of(query, game_id)
    head = ledger().head(game_id)
    paper = in_pool(
        pdf.settlement_statement, game, settlement, requested_language(query), side=side, head=head
    )
    lang = requested_language(query)
    name = game_file(game, lang, lang("paper.statement"))
    return file_answer(paper, PDF_TYPE, f"{name}.pdf", game)


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
@blp.response(200, PDF_SCHEMA, content_type=PDF_TYPE)
@conditional
def game_card_pdf(query: dict[str, str], game_id: str) -> Response:
    """Return the rules of this table on one page."""
    game = ledger().game(game_id)
    paper = in_pool(pdf.rules_card, game.rules, requested_language(query), title=game.title)
    return file_answer(paper, PDF_TYPE, _card_name(game.rules, requested_language(query)), game)


def _card_name(rules: RuleSet, lang: Language) -> str:
    return rules_file(rules, lang, lang("paper.card.title")) + ".pdf"


@blp.get("/rules-card.pdf", tags=TAGS)
@blp.arguments(PresetCardQuerySchema(), location="query")
@blp.response(200, PDF_SCHEMA, content_type=PDF_TYPE)
def preset_card_pdf(query: dict[str, str]) -> Response:
    """Return the rules of a rule system on one page."""
    return _card(preset_or_404(query["preset"]), requested_language(query))


@blp.post("/rules-card.pdf", tags=TAGS)
@blp.arguments(RulesBodySchema())
@blp.response(200, PDF_SCHEMA, content_type=PDF_TYPE)
def card_pdf(body: dict[str, Any]) -> Response:
    """Return house rules on one page, with deviations from the rule system in bold."""
    return _card(body["rules"], language())


def _card(rules: RuleSet, lang: Language) -> Response:
    paper = in_pool_later(pdf.rules_card, rules, lang)
    return file_answer(paper, PDF_TYPE, _card_name(rules, lang))


@blp.get("/pads/<name>.pdf", tags=TAGS)
@blp.arguments(PadSchema(), location="query")
@blp.response(200, PDF_SCHEMA, content_type=PDF_TYPE)
def pad_pdf(order: PadOrder, name: str) -> Response:
    """Return a blank pad: two or four leaves per sheet with cutting marks, up to 20 sheets."""
    rules = preset_or_404(name)
    lang = language_in(order.lang) if order.lang else language()
    paper = in_pool_later(printed_pad, rules.preset, order, lang)
    return file_answer(paper, PDF_TYPE, rules_file(rules, lang, lang("file.pad")) + ".pdf")
