"""Everything that comes as a PDF file: sheets and statements of a game, pads, rules cards."""

from typing import Any

from flask import Response, abort, url_for

from scorekeeper import pdf
from scorekeeper.domain.game import Game
from scorekeeper.domain.options import RuleSet
from scorekeeper.domain.settlement import Settlement
from scorekeeper.i18n import LANGUAGES, Language
from scorekeeper.services.printing import YES_NO, PadOrder, PadSchema, printed_pad
from scorekeeper.web.api.blueprint import IF_NONE_MATCH, SECRET, blp, fresh, fresh_if
from scorekeeper.web.api.rules import RulesBodySchema, known_preset
from scorekeeper.web.api.travel import file_answer
from scorekeeper.web.background import in_pool, in_pool_later
from scorekeeper.web.context import language, ledger, speaking
from scorekeeper.wire.schemas import MOST_PLAYERS
from scorekeeper.wire.strict import Choice, Line, Strict

TAGS = ["Import and export"]
FILE = {"type": "string", "format": "binary"}
KIND = "application/pdf"


class SheetQuerySchema(Strict):
    """How the sheet is printed; with details every round is listed with its cards."""

    size = Choice(*pdf.SHEET_SIZES, load_default="A4")
    details = Choice(*YES_NO, load_default="no")
    lang = Choice(*LANGUAGES)


class StatementQuerySchema(Strict):
    """Whose statement, by the place in the list of players (in teams of sides); else everyone's."""

    side = Choice(*map(str, range(MOST_PLAYERS)))
    lang = Choice(*LANGUAGES)


class CardQuerySchema(Strict):
    """Which language a card is in."""

    lang = Choice(*LANGUAGES)


class PresetCardQuerySchema(CardQuerySchema):
    """Whose rules a card shows."""

    preset = Line(1, 40, required=True)


def wished(query: dict[str, str]) -> Language:
    """The language that was asked for, else the reader's."""
    return speaking(query["lang"]) if "lang" in query else language()


@blp.get("/games/<game_id>/sheet.pdf", tags=TAGS)
@blp.doc(**SECRET, parameters=[IF_NONE_MATCH])
@blp.arguments(SheetQuerySchema(), location="query")
@blp.response(200, FILE, content_type=KIND)
@fresh
def sheet_pdf(query: dict[str, str], game_id: str) -> Response:
    """The score sheet on paper, with a code that leads to the live page."""
    game = ledger().game(game_id)
    paper = in_pool(
        pdf.score_sheet,
        game,
        game.settled,
        wished(query),
        head=ledger().head(game_id),
        size=query["size"],
        address=url_for("pages.board", game_id=game_id, _external=True),
        details=query["details"] == "yes",
    )
    return file_answer(paper, KIND, f"scorekeeper-{game_id}.pdf", game)


@blp.get("/games/<game_id>/settlement.pdf", tags=TAGS)
@blp.doc(**SECRET, parameters=[IF_NONE_MATCH])
@blp.arguments(StatementQuerySchema(), location="query")
@blp.response(200, FILE, content_type=KIND)
@fresh_if(lambda query, game_id: _to_state(query, game_id))
def settlement_pdf(query: dict[str, str], game_id: str) -> Response:
    """The settlement on one page, for everyone or for one of them."""
    game, settlement, side = _to_state(query, game_id)
    head = ledger().head(game_id)
    paper = in_pool(pdf.settlement_statement, game, settlement, wished(query), side=side, head=head)
    return file_answer(paper, KIND, f"scorekeeper-{game_id}-settlement.pdf", game)


def _to_state(query: dict[str, str], game_id: str) -> tuple[Game, Settlement, int | None]:
    """A game, its settlement, and for whom it is stated; 404 where there is none."""
    game = ledger().game(game_id)
    settlement = game.settlement()
    side = int(query["side"]) if "side" in query else None
    if settlement is None or (side or 0) >= len(game.sides):
        abort(404)
    return game, settlement, side


@blp.get("/games/<game_id>/rules-card.pdf", tags=TAGS)
@blp.doc(**SECRET, parameters=[IF_NONE_MATCH])
@blp.arguments(CardQuerySchema(), location="query")
@blp.response(200, FILE, content_type=KIND)
@fresh
def game_card_pdf(query: dict[str, str], game_id: str) -> Response:
    """The rules of this table on one page."""
    game = ledger().game(game_id)
    paper = in_pool(pdf.rules_card, game.rules, wished(query), title=game.title)
    return file_answer(paper, KIND, f"scorekeeper-{game_id}-rules.pdf", game)


@blp.get("/rules-card.pdf", tags=TAGS)
@blp.arguments(PresetCardQuerySchema(), location="query")
@blp.response(200, FILE, content_type=KIND)
def preset_card_pdf(query: dict[str, str]) -> Response:
    """The rules of a rule system on one page."""
    return _card(known_preset(query["preset"]), wished(query))


@blp.post("/rules-card.pdf", tags=TAGS)
@blp.arguments(RulesBodySchema())
@blp.response(200, FILE, content_type=KIND)
def card_pdf(body: dict[str, Any]) -> Response:
    """House rules on one page, what differs from the rule system in bold."""
    return _card(body["rules"], language())


def _card(rules: RuleSet, lang: Language) -> Response:
    paper = in_pool_later(pdf.rules_card, rules, lang)
    return file_answer(paper, KIND, f"scorekeeper-{rules.preset}-rules.pdf")


@blp.get("/pads/<name>.pdf", tags=TAGS)
@blp.arguments(PadSchema(), location="query")
@blp.response(200, FILE, content_type=KIND)
def pad_pdf(order: PadOrder, name: str) -> Response:
    """A blank pad: two or four leaves on a paper with marks for cutting, up to 20 papers."""
    rules = known_preset(name)
    lang = speaking(order.lang) if order.lang else language()
    paper = in_pool_later(printed_pad, rules.preset, order, lang)
    return file_answer(paper, KIND, f"scorekeeper-{rules.preset}-pad.pdf")
