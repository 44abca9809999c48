"""Paper by press: sheets, statements, rules cards and pads as files, and a page to print."""

from dataclasses import dataclass

from flask import Response, abort, request, url_for

from scorekeeper import pdf
from scorekeeper.domain.errors import RuleError
from scorekeeper.domain.presets import PRESETS, preset
from scorekeeper.pdf.words import Words
from scorekeeper.services.printing import YES_NO, pad_order, printed_pad
from scorekeeper.web.background import in_pool, in_pool_later
from scorekeeper.web.context import language, ledger
from scorekeeper.web.pages.blueprint import faults_of, first_name, game_or_404, page, pages
from scorekeeper.web.pages.game_forms import FIRST_PRESET
from scorekeeper.wire.schemas import MOST_PLAYERS

WISHES = ("size", "up", "pages", "players", "teams")
"""What the form of a pad asks for, besides the names."""


def file(paper: bytes, name: str) -> Response:
    """A PDF file that the browser shows."""
    shown = {"Content-Disposition": f'inline; filename="scorekeeper-{name}.pdf"'}
    return Response(paper, mimetype="application/pdf", headers=shown)


# ---- a game on paper -----------------------------------------------------------------


@pages.get("/g/<game_id>/sheet.pdf")
def sheet_pdf(game_id: str) -> Response:
    """The score sheet on paper: A4 or A5, in detail or not."""
    size, details = request.args.get("size", "A4"), request.args.get("details", "no")
    if size not in pdf.SHEET_SIZES or details not in YES_NO:
        abort(404)
    game = game_or_404(game_id)
    paper = in_pool(
        pdf.score_sheet,
        game,
        game.settled,
        language(),
        head=ledger().head(game_id),
        size=size,
        address=url_for("pages.board", game_id=game_id, _external=True),
        details=details == "yes",
    )
    return file(paper, game_id)


@pages.get("/g/<game_id>/settlement.pdf")
def settlement_pdf(game_id: str) -> Response:
    """The settlement on one page, for all or for the ``side`` that is asked for."""
    game = game_or_404(game_id)
    settlement, side = game.settled, request.args.get("side", type=int)
    if settlement is None or not 0 <= (side or 0) < len(game.sides):
        abort(404)
    head = ledger().head(game_id)
    paper = in_pool(pdf.settlement_statement, game, settlement, language(), side=side, head=head)
    return file(paper, f"{game_id}-settlement")


@pages.get("/g/<game_id>/rules-card.pdf")
def card_pdf(game_id: str) -> Response:
    """The rules of this table on one page."""
    game = game_or_404(game_id)
    paper = in_pool(pdf.rules_card, game.rules, language(), title=game.title)
    return file(paper, f"{game_id}-rules")


@dataclass(frozen=True)
class PrintedRound:
    """A line of the page to print."""

    number: int
    dealer: str
    cells: list[tuple[str, str]]
    """By side: the points of the round, the total after it."""
    mark: str
    struck: bool


@pages.get("/g/<game_id>/print")
def print_view(game_id: str) -> str:
    """The score sheet as a page: the same words for who reads aloud or enlarges."""
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
    """What pads and rules cards there are to print."""
    return pads_page()


def pads_page(faults: dict[str, list[str]] | None = None) -> str:
    """The form of a pad as it was filled in, with what is wrong where it is wrong."""
    names = request.args.getlist("name")
    return page(
        "pads.html",
        form={"preset": FIRST_PRESET, **request.args.to_dict()},
        names=[*names, *[""] * MOST_PLAYERS][:MOST_PLAYERS],
        faults=faults or {},
        presets=PRESETS,
        sizes=pdf.PAD_SIZES,
        ups=pdf.PADS_PER_PAPER,
        most_pages=pdf.MAX_PAGES,
    )


@pages.get("/pads/pad.pdf")
def pad_pdf() -> Response | tuple[str, int]:
    """A pad, or the form again with what is wrong."""
    wishes = {name: text for name in WISHES if (text := request.args.get(name))}
    name = request.args.get("preset", "")
    try:
        order = pad_order({**wishes, "names": typed_names()})
        paper = in_pool_later(printed_pad, name, order, language())
    except RuleError as error:
        return pads_page(faults_of(error.problems, first_name)), 422
    return file(paper, f"{name}-pad")


def typed_names() -> list[str]:
    """The names in the order of their fields; what is empty at the end is nobody's."""
    names = request.args.getlist("name")
    return names[: max((place for place, name in enumerate(names, 1) if name.strip()), default=0)]


@pages.get("/pads/rules-card.pdf")
def preset_card_pdf() -> Response:
    """The rules of a rule system on one page."""
    name = request.args.get("preset", "")
    if name not in PRESETS:
        abort(404)
    return file(in_pool_later(pdf.rules_card, preset(name), language()), f"{name}-rules")
