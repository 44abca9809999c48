"""The running evening: the board, its history, its settlement and its paper."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from flask import Response, abort, redirect, request, session, url_for
from markupsafe import Markup
from werkzeug.wrappers import Response as AnyResponse

from scorekeeper.config import VERSION
from scorekeeper.domain.errors import RuleError
from scorekeeper.domain.game import Account, Game
from scorekeeper.domain.iban import masked, read_iban
from scorekeeper.domain.marks import ending
from scorekeeper.domain.settlement import Settlement, Transfer
from scorekeeper.domain.sheet import Row
from scorekeeper.i18n import most_decimals
from scorekeeper.pdf.words import Words
from scorekeeper.services import games
from scorekeeper.web.context import language, ledger, right
from scorekeeper.web.pages import pad
from scorekeeper.web.pages.blueprint import (
    changed_meanwhile,
    faults_of,
    fingerprint,
    form_key,
    form_version,
    game_or_404,
    page,
    pages,
)
from scorekeeper.web.pages.chart import chart, standing
from scorekeeper.web.pages.games import house_rules
from scorekeeper.web.pages.giro import euros, giro_code
from scorekeeper.web.pages.rounds import points_in_words
from scorekeeper.web.pages.sharing import SECRET, known_link
from scorekeeper.wire.schemas import AccountSchema
from scorekeeper.wire.strict import load

LAST_ROUNDS = 7
"""So many fit on a television, readable across the room."""
LONG_PAD = 40
"""A longer pad shows its last rounds; those before are one press away."""
TV_CHART = (250, 242)
"""Shown larger than it is drawn, so that its letters are."""


@pages.get("/g/<game_id>")
def board(game_id: str) -> AnyResponse:
    """The pad: totals, places, every round, what comes next. A 304 costs next to nothing."""
    since = request.args.get("since", 0, type=int)
    last = 0 if request.args.get("all") else LONG_PAD
    begun = "-begun" * (request.args.get("begun") == "yes")
    return _followed(
        game_id,
        f"board-{since}-{last}{begun}",
        lambda game, tag: page(
            "board.html",
            **_standing(game, tag, last=last),
            fresh=changed_since(game, since),
            undone=_undone(game),
        ),
    )


@pages.get("/g/<game_id>/tv")
def tv(game_id: str) -> AnyResponse:
    """The board for a tablet or television: the last rounds, the chart, who deals."""
    code = known_link(game_id)
    answer = _followed(
        game_id,
        f"tv-{bool(code)}",
        lambda game, tag: page("tv.html", **_standing(game, tag, TV_CHART, LAST_ROUNDS), code=code),
    )
    answer.headers.update(SECRET if code else {})
    return answer


def _followed(game_id: str, what: str, shown: Callable[[Game, str], str]) -> AnyResponse:
    """A page that readers keep asking for: only what they have not seen is sent.

    Packed or not it is the same page: hence the weak tag.
    """
    tag = f"{what}-{_board_tag(ledger().versions(game_id))}"
    if request.if_none_match.contains_weak(tag):
        return Response(status=304, headers={"ETag": f'W/"{tag}"'})
    answer = Response(shown(game_or_404(game_id), tag))
    answer.set_etag(tag, weak=True)
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
        "lines": pad.lines(game, lang, last),
        "chart": chart(game, lang, *size),
        "standing": standing(game, lang),
        "news": news(game),
        "house": len(house_rules(game.rules)),
        "to_the_end": pad.to_the_end(game, lang),
        "why_over": pad.why_over(game, lang) if game.is_over else "",
    }


def news(game: Game) -> str:
    """What happened last, in a few words for those who look on."""
    newest = games.newest(ledger(), game)
    if newest.kind == "round":
        row = game.sheet.row(newest.payload["number"])
        return language()("pages.news.round", number=row.number, words=_what_happened(game, row))
    return told(game, games.Change(newest)).words


def _what_happened(game: Game, row: Row) -> str:
    lang, points = language(), points_in_words(game, row.score)
    mark = ending(row.score, row.round)
    if mark is None:
        return points
    player = game.sides[mark.side]
    if mark.name == "out":
        return lang("pages.entry.went_out", player=player)
    word = lang(f"mark.word.{mark.name}")
    return lang("pages.news.knock", player=player, word=word, points=points)


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


def _board_tag(versions: Sequence[int]) -> str:
    """Everything the board depends on: game, group, the reader, his right, our own look."""
    form = session.get("csrf_token", "")[:8] if right() == "pen" else ""
    version = ".".join(map(str, versions))
    return f"{version}-{language().code}-{right()}-{form}-{VERSION}-{fingerprint('style.css')}"


def _undone(game: Game) -> int | None:
    """The round that was just struck out and may be put back."""
    number = request.args.get("undone", type=int)
    rows = {row.number for row in game.sheet.rows if row.struck_at}
    return number if number in rows else None


# ---- settlement ----------------------------------------------------------------------


@dataclass(frozen=True)
class Payment:
    """One payment of the settlement, whether it was made and how it can be."""

    number: int
    payer: str
    payee: str
    side: int
    """Whose account it goes to."""
    amount: str
    paid_at: str | None
    euros: str
    """The sum that a bank moves; empty where the unit is no money or parts of a cent are due."""
    account: Account | None
    """Where to: the number masked."""
    code: Markup | None
    """To scan with a banking app; for whoever holds the pen to show."""


@pages.get("/g/<game_id>/settlement")
def settlement(game_id: str) -> str:
    """Who pays whom, in the table of [001] §6, and why that is right."""
    return settlement_page(game_or_404(game_id))


def settlement_page(
    game: Game, side: int | None = None, faults: Mapping[str, Sequence[str]] | None = None
) -> str:
    """The settlement; with what is wrong with an account that was typed for a side."""
    settled, refused = None, ""
    try:
        settled = game.settlement()
    except RuleError as error:
        refused = language().problem(error.problems[0], game.players)
    due = payments(game, settled) if settled else []
    return page(
        "settlement.html",
        game=game,
        settled=settled,
        words=Words(game, language()),
        refused=refused,
        payments=due,
        message=in_one_message(game, due),
        columns=columns(settled) if settled else [],
        cents=settled is not None and settled.amounts != settled.payable_amounts,
        most_decimals=most_decimals,
        typed_side=side,
        form=request.form,
        faults=faults or {},
    )


def in_one_message(game: Game, due: Sequence[Payment]) -> str:
    """The payments as a text to send round."""
    lang = language()
    paid = f" ({lang('pages.settlement.done')})"
    lines = [
        f"{one.payer} {lang('pages.settlement.pays')} {one.payee} {one.amount}"
        + (paid if one.paid_at else "")
        for one in due
    ]
    return "\n".join([pad.title_of(game, lang), standing(game, lang), *lines])


def columns(settled: Settlement) -> list[Sequence[int]]:
    """By side: the other sides, in the order of the table."""
    sides = range(len(settled.totals))
    return [[other for other in sides if other != side] for side in sides]


def payments(game: Game, settled: Settlement) -> list[Payment]:
    """The payments in words; none where no point value was agreed."""
    return [_payment(game, number, due) for number, due in enumerate(settled.transfers or ())]


def in_payment(game: Game, amount: Fraction) -> str:
    """An amount that changes hands, as exact as it can be paid."""
    terms = game.rules.settle
    return language().money(amount, terms.unit, decimals=most_decimals([terms.payable]))


def _payment(game: Game, number: int, due: Transfer) -> Payment:
    lang, unit = language(), game.rules.settle.unit
    account, amount = game.account(due.payee), euros(due.amount, unit)
    code = None
    if account and amount and right() == "pen":
        code = giro_code(account.holder, account.iban, amount, pad.title_of(game, lang))
    return Payment(
        number=number,
        payer=game.sides[due.payer],
        payee=game.sides[due.payee],
        side=due.payee,
        amount=in_payment(game, due.amount),
        paid_at=game.paid_at(due),
        euros=lang.cents(amount) if amount else "",
        account=replace(account, iban=masked(account.iban)) if account else None,
        code=code,
    )


@pages.post("/g/<game_id>/settlement/account")
def account(game_id: str) -> AnyResponse | tuple[str, int]:
    """Keep where somebody wants to be paid, or erase it."""
    key, version = form_key(), form_version()
    side = request.form.get("side", 0, type=int)
    try:
        left = None if request.form.get("do") == "erase" else _typed_account()
        stale = changed_meanwhile(
            lambda: games.leave_account(ledger(), game_id, side, left, expect=version, key=key)
        )
    except RuleError as error:
        faults = faults_of(error.problems, lambda place: str(place[-1]))
        return settlement_page(game_or_404(game_id), side, faults), 422
    except KeyError:
        abort(404)
    notice = "stale" if stale else None
    return redirect(url_for("pages.settlement", game_id=game_id, notice=notice), 303)


def _typed_account() -> Account:
    typed = {name: request.form.get(name, "") for name in ("holder", "iban")}
    given = load(AccountSchema(), typed)
    return Account(given["holder"], read_iban(given["iban"]))


@pages.post("/g/<game_id>/settlement/<int:number>")
def pay(game_id: str, number: int) -> AnyResponse:
    """Tick a payment, or take the tick back."""
    key, version = form_key(), form_version()
    paid = request.form.get("paid") == "yes"
    try:
        stale = changed_meanwhile(
            lambda: games.mark_paid(ledger(), game_id, number, paid, expect=version, key=key)
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
    changes = [told(game, change) for change in games.history(ledger(), game_id)]
    return page("history.html", game=game, entries=changes[::-1])


def told(game: Game, change: games.Change) -> Entry:
    """A change of the game in words."""
    event, lang = change.event, language()
    facts = {name: event.payload[name] for name in ("number", "amount") if name in event.payload}
    for name, key in (("payer", "from"), ("payee", "to"), ("player", "side")):
        if key in event.payload:
            facts[name] = game.sides[event.payload[key]]
    if "seat" in event.payload:
        facts["player"] = game.players[event.payload["seat"]]
    if "amount" in facts:
        facts["amount"] = in_payment(game, Fraction(facts["amount"]))
    if event.kind == "secret":
        facts["right"] = lang(f"pages.right.{event.payload['right']}")
    if event.kind == "details":
        facts["words"] = lang.all_of(filter(None, event.texts.values())) or "–"
    kind = event.kind
    if kind == "created" and game.drawn_dealer is not None:
        kind, facts["player"] = "created_drawn", game.players[game.drawn_dealer]
    elif kind == "account":
        kind = "account_kept" if event.payload["kept"] else "account_erased"
    elif kind == "erased" and "seat" not in event.payload:
        kind = "words_erased"
    rewritten = event.kind == "corrected"
    shows_after = rewritten or event.kind in ("round", "restored")
    return Entry(
        at=event.at,
        by=lang(f"pages.right.{event.by}"),
        words=lang(f"pages.history.{kind}", **facts),
        before=points_in_words(game, change.before.score)
        if change.before and (rewritten or event.kind == "struck")
        else "",
        after=points_in_words(game, change.after.score) if change.after and shows_after else "",
    )
