"""The running evening: the board, its history, its settlement and its paper."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from flask import Response, abort, redirect, request, session, url_for
from werkzeug.wrappers import Response as AnyResponse

from scorekeeper import __version__, service
from scorekeeper.context import language, ledger, right
from scorekeeper.domain.errors import RuleError
from scorekeeper.domain.game import Game
from scorekeeper.domain.settlement import Settlement
from scorekeeper.pages import pad
from scorekeeper.pages.blueprint import (
    changed_meanwhile,
    fingerprint,
    form_key,
    form_version,
    game_or_404,
    page,
    pages,
)
from scorekeeper.pages.rounds import points_in_words


@pages.get("/g/<game_id>")
def board(game_id: str) -> AnyResponse:
    """The pad: totals, places, every round, what comes next. A 304 costs next to nothing."""
    tag = _board_tag(ledger().version(game_id))
    if tag in request.if_none_match:
        return Response(status=304, headers={"ETag": f'"{tag}"'})
    game, lang = game_or_404(game_id), language()
    answer = Response(
        page(
            "board.html",
            game=game,
            heads=pad.heads(game, lang),
            lines=pad.lines(game, lang),
            to_the_end=pad.to_the_end(game, lang),
            why_over=pad.why_over(game, lang) if game.is_over else "",
            undone=_undone(game),
        )
    )
    answer.set_etag(tag)
    return answer


def _board_tag(version: int | None) -> str:
    """Everything the board depends on: the game, the reader, his right, our own look."""
    form = session.get("csrf_token", "")[:8] if right() == "pen" else ""
    return f"{version}-{language().code}-{right()}-{form}-{__version__}-{fingerprint('style.css')}"


def _undone(game: Game) -> int | None:
    """The round that was just struck out and may be put back."""
    number = request.args.get("undone", type=int)
    rows = {row.number for row in game.sheet.rows if row.struck_at}
    return number if number in rows else None


@pages.get("/g/<game_id>/sheet.pdf")
def sheet_pdf(game_id: str) -> Response:
    """The score sheet on paper."""
    from scorekeeper.pdf import score_sheet  # reportlab takes its time; the board needs none

    game = game_or_404(game_id)
    paper = score_sheet(game, _settled(game), language(), head=ledger().head(game_id))
    name = f"scorekeeper-{game_id}.pdf"
    return Response(
        paper,
        mimetype="application/pdf",
        headers={"Content-Disposition": f'inline; filename="{name}"'},
    )


# ---- settlement ----------------------------------------------------------------------


@dataclass(frozen=True)
class Payment:
    """One payment of the settlement and whether it was made."""

    number: int
    payer: str
    payee: str
    amount: str
    paid_at: str | None


@pages.get("/g/<game_id>/settlement")
def settlement(game_id: str) -> str:
    """Who pays whom, in the table of [001] §6, and why that is right."""
    game = game_or_404(game_id)
    settled, refused = None, ""
    try:
        settled = game.settlement()
    except RuleError as error:
        refused = language().problem(error.problems[0], game.players)
    return page(
        "settlement.html",
        game=game,
        settled=settled,
        refused=refused,
        payments=payments(game, settled) if settled else [],
        columns=columns(settled) if settled else [],
        cents=settled is not None and settled.amounts != settled.payable_amounts,
    )


def _settled(game: Game) -> Settlement | None:
    """The settlement, where there is one to print."""
    try:
        return game.settlement()
    except RuleError:
        return None


def columns(settled: Settlement) -> list[Sequence[int]]:
    """By side: the other sides, in the order of the table."""
    sides = range(len(settled.totals))
    return [[other for other in sides if other != side] for side in sides]


def payments(game: Game, settled: Settlement) -> list[Payment]:
    """The payments in words; none where no point value was agreed."""
    unit = game.rules.settle.unit
    return [
        Payment(
            number=number,
            payer=game.sides[due.payer],
            payee=game.sides[due.payee],
            amount=language().money(Fraction(due.amount), unit),
            paid_at=game.paid_at(due),
        )
        for number, due in enumerate(settled.transfers or ())
    ]


@pages.post("/g/<game_id>/settlement/<int:number>")
def pay(game_id: str, number: int) -> AnyResponse:
    """Tick a payment, or take the tick back."""
    key, version = form_key(), form_version()
    paid = request.form.get("paid") == "yes"
    try:
        stale = changed_meanwhile(
            lambda: service.mark_paid(ledger(), game_id, number, paid, expect=version, key=key)
        )
    except KeyError:
        abort(404)
    notice = "stale" if stale else None
    return redirect(url_for("pages.settlement", game_id=game_id, notice=notice), 303)


# ---- history -------------------------------------------------------------------------


@dataclass(frozen=True)
class Entry:
    """One change in words."""

    at: str
    by: str
    words: str
    before: str = ""
    after: str = ""


@pages.get("/g/<game_id>/history")
def history(game_id: str) -> str:
    """Every change: when, by which right, before and after; the newest first."""
    game = game_or_404(game_id)
    changes = [told(game, change) for change in service.history(ledger(), game_id)]
    return page("history.html", game=game, entries=changes[::-1])


def told(game: Game, change: service.Change) -> Entry:
    """A change of the game in words."""
    event, lang = change.event, language()
    facts = {name: event.payload[name] for name in ("number", "amount") if name in event.payload}
    for name, key in (("payer", "from"), ("payee", "to"), ("player", "seat")):
        if key in event.payload:
            facts[name] = game.sides[event.payload[key]]
    if "amount" in facts:
        facts["amount"] = lang.money(Fraction(facts["amount"]), game.rules.settle.unit)
    if event.kind == "secret":
        facts["right"] = lang(f"pages.right.{event.payload['right']}")
    if event.kind == "details":
        facts["words"] = lang.all_of(filter(None, event.texts.values())) or "–"
    rewritten = event.kind == "corrected"
    shows_after = rewritten or event.kind in ("round", "restored")
    return Entry(
        at=event.at,
        by=lang(f"pages.right.{event.by}"),
        words=lang(f"pages.history.{event.kind}", **facts),
        before=points_in_words(game, change.before.score)
        if change.before and (rewritten or event.kind == "struck")
        else "",
        after=points_in_words(game, change.after.score) if change.after and shows_after else "",
    )
