"""PDF files, and a page to print."""

from dataclasses import dataclass

from flask import Response, abort, request

from scorekeeper import pdf
from scorekeeper.domain.errors import RuleError
from scorekeeper.domain.rules.presets import PRESETS
from scorekeeper.services.printing import YES_NO, pad_order
from scorekeeper.web import paper
from scorekeeper.web.context import language, ledger
from scorekeeper.web.pages.blueprint import faults_of, first_field_name, game_or_404, page, pages
from scorekeeper.web.pages.new_game.fields import FIRST_PRESET
from scorekeeper.wire.rounds import MAX_PLAYERS
from scorekeeper.wording.sheet import Words

PAD_FIELDS = ("size", "up", "pages", "players", "teams", "hollywood", "stake")
"""The fields of the pad form, besides the names."""


@pages.get("/g/<game_id>/picture.png")
def picture(game_id: str) -> Response:
    """Return the result of a game as a picture for a chat."""
    return paper.result_picture(game_or_404(game_id), language()).response("inline")


# ---- a game on paper -----------------------------------------------------------------


@pages.get("/g/<game_id>/sheet.pdf")
def sheet_pdf(game_id: str) -> Response:
    """Return the score sheet in A4 or A5, with or without details."""
    size, details = request.args.get("size", "A4"), request.args.get("details", "no")
    if size not in pdf.SHEET_SIZES or details not in YES_NO:
        abort(404)
    sheet = paper.score_sheet(game_or_404(game_id), language(), size, details=details == "yes")
    return sheet.response("inline")


@pages.get("/g/<game_id>/settlement.pdf")
def settlement_pdf(game_id: str) -> Response:
    """Return the settlement on one page, for everyone or for the ``side`` in the query."""
    game = game_or_404(game_id)
    settlement, side = game.settled, request.args.get("side", type=int)
    if settlement is None or not 0 <= (side or 0) < len(game.sides):
        abort(404)
    return paper.statement(game, settlement, language(), side).response("inline")


@pages.get("/g/<game_id>/rules-card.pdf")
def card_pdf(game_id: str) -> Response:
    """Return the rules of this table on one page."""
    return paper.card_of_game(game_or_404(game_id), language()).response("inline")


@dataclass(frozen=True)
class PrintedRound:
    """A round on the page to print."""

    number: int
    dealer: str
    cells: list[tuple[str, str]]
    """By side: the points of the round and the total after it."""
    mark: str
    struck: bool


@pages.get("/g/<game_id>/print")
def print_view(game_id: str) -> str:
    """Show the score sheet as a page, for screen readers and large text."""
    game = game_or_404(game_id)
    words = Words(game, language())
    sides = range(len(words.sides))
    rounds = [
        PrintedRound(
            number=row.number,
            dealer=words.players[row.dealer],
            cells=[(words.points(row, side), words.running(row, side)) for side in sides],
            mark=words.mark(row, words.sides),
            struck=row.struck_at is not None,
        )
        for row in game.sheet.rows
    ]
    return page(
        "print.html",
        game=game,
        words=words,
        rounds=rounds,
        settled=game.settled,
        foot=words.footer(ledger().head(game_id)),
    )


# ---- without a game ------------------------------------------------------------------


@pages.get("/pads")
def pads() -> str:
    """Show which pads and rules cards there are to print."""
    return pads_page()


def pads_page(faults: dict[str, list[str]] | None = None) -> str:
    """Render the form of a pad with its input and what is wrong with it."""
    names = request.args.getlist("name")
    return page(
        "pads.html",
        form={"preset": FIRST_PRESET, **request.args.to_dict()},
        names=[*names, *[""] * MAX_PLAYERS][:MAX_PLAYERS],
        faults=faults or {},
        sizes=pdf.PAD_SIZES,
        ups=pdf.PADS_PER_PAPER,
        most_pages=pdf.MAX_PAGES,
    )


@pages.get("/pads/pad.pdf")
def pad_pdf() -> Response | tuple[str, int]:
    """Return a pad, or the form again with what is wrong."""
    values = {name: text for name in PAD_FIELDS if (text := request.args.get(name))}
    name = request.args.get("preset", "")
    try:
        order = pad_order({**values, "names": typed_names()})
        return paper.pad(name, order, language()).response("inline")
    except RuleError as error:
        return pads_page(faults_of(error.problems, first_field_name)), 422


def typed_names() -> list[str]:
    """Return the names in the order of their fields, without empty ones at the end."""
    names = request.args.getlist("name")
    return names[: max((place for place, name in enumerate(names, 1) if name.strip()), default=0)]


@pages.get("/pads/rules-card.pdf")
def preset_card_pdf() -> Response:
    """Return the rules of a rule system on one page."""
    name = request.args.get("preset", "")
    if name not in PRESETS:
        abort(404)
    return paper.preset_card(name, language()).response("inline")
