"""The running evening: the board, its history, its settlement and its paper."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from flask import Response, abort, redirect, request, session, url_for
from werkzeug.wrappers import Response as AnyResponse

from scorekeeper import __version__, service
from scorekeeper.context import language, ledger, right
from scorekeeper.domain.errors import RuleError
from scorekeeper.domain.game import Game
from scorekeeper.domain.settlement import Settlement
from scorekeeper.domain.sheet import Row
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
from scorekeeper.pages.chart import chart, standing
from scorekeeper.pages.games import house_rules
from scorekeeper.pages.rounds import points_in_words
from scorekeeper.pages.sharing import known_link

LAST_ROUNDS = 7
"""So many fit on a television, readable across the room."""
TV_CHART = (300, 290)


@pages.get("/g/<game_id>")
def board(game_id: str) -> AnyResponse:
    """The pad: totals, places, every round, what comes next. A 304 costs next to nothing."""
    since = request.args.get("since", 0, type=int)
    return _followed(
        game_id,
        f"board-{since}",
        lambda game, tag: page(
            "board.html",
            **_standing(game, tag),
            fresh=changed_since(game, since),
            undone=_undone(game),
            house=len(house_rules(game.rules)),
        ),
    )


@pages.get("/g/<game_id>/tv")
def tv(game_id: str) -> AnyResponse:
    """The board for a tablet or television: the last rounds, the chart, who deals."""
    code = known_link(game_id)
    return _followed(
        game_id,
        f"tv-{bool(code)}",
        lambda game, tag: page("tv.html", **_standing(game, tag, TV_CHART, LAST_ROUNDS), code=code),
    )


def _followed(game_id: str, what: str, shown: Callable[[Game, str], str]) -> AnyResponse:
    """A page that readers keep asking for: only what they have not seen is sent."""
    tag = f"{what}-{_board_tag(ledger().version(game_id))}"
    if tag in request.if_none_match:
        return Response(status=304, headers={"ETag": f'"{tag}"'})
    answer = Response(shown(game_or_404(game_id), tag))
    answer.set_etag(tag)
    return answer


def _standing(
    game: Game, tag: str, size: tuple[int, int] = (340, 220), last: int = 0
) -> dict[str, Any]:
    """What a board shows of a game; of its rounds the last few, or all."""
    lang = language()
    return {
        "game": game,
        "tag": tag,
        "heads": pad.heads(game, lang),
        "lines": pad.lines(game, lang)[-last:],
        "chart": chart(game, lang, *size),
        "standing": standing(game, lang),
        "news": news(game),
        "to_the_end": pad.to_the_end(game, lang),
        "why_over": pad.why_over(game, lang) if game.is_over else "",
    }


def news(game: Game) -> str:
    """What happened last, in a few words for those who look on."""
    newest = service.newest(ledger(), game)
    if newest.kind == "round":
        row = game.sheet.row(newest.payload["number"])
        return language()("pages.news.round", number=row.number, words=_what_happened(game, row))
    return told(game, service.Change(newest)).words


def _what_happened(game: Game, row: Row) -> str:
    winner = row.score.winner
    if row.score.outcome == "out" and winner is not None:
        return language()("pages.entry.went_out", player=game.sides[winner])
    return points_in_words(game, row.score)


def changed_since(game: Game, version: int) -> dict[int, str]:
    """Rounds that were written again since a reader saw that version: what he saw there."""
    if not 0 < version < game.version:
        return {}
    seen = ledger().game_at(game.id, version).sheet.rows
    return {
        row.number: language()("pages.board.changed", before=points_in_words(game, old.score))
        for old, row in zip(seen, game.sheet.rows, strict=False)
        if (old.score, old.counts) != (row.score, row.counts)
    }


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
