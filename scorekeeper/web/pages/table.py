"""The board of a game, its settlement and its history."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from heapq import nlargest
from operator import itemgetter
from typing import Any, NamedTuple

from flask import Response, abort, redirect, request, session, url_for
from markupsafe import Markup
from werkzeug.wrappers import Response as AnyResponse

from scorekeeper.config import VERSION
from scorekeeper.domain.checks import FAMILY_OUTCOMES
from scorekeeper.domain.errors import RuleError
from scorekeeper.domain.game import Account, Game
from scorekeeper.domain.iban import masked, read_iban
from scorekeeper.domain.marks import ending
from scorekeeper.domain.settlement import Settlement, Transfer
from scorekeeper.domain.sheet import Row
from scorekeeper.i18n.amounts import amounts_of
from scorekeeper.pdf.words import Words
from scorekeeper.services import games
from scorekeeper.web.context import language, ledger, right
from scorekeeper.web.pages import pad
from scorekeeper.web.pages.blueprint import (
    GroupOfGame,
    faults_of,
    fingerprint,
    form_write,
    game_or_404,
    group_of,
    macro,
    page,
    pages,
    was_stale,
)
from scorekeeper.web.pages.chart import chart, standing
from scorekeeper.web.pages.games import house_rules
from scorekeeper.web.pages.giro import euros, giro_code
from scorekeeper.web.pages.prepared import prepared, prepared_response
from scorekeeper.web.pages.rounds import points_in_words
from scorekeeper.web.pages.sharing import SECRET, watch_code
from scorekeeper.wire.schemas import AccountSchema
from scorekeeper.wire.strict import load

LAST_ROUNDS = 7
"""As many as a television can show readably across the room."""
CHANGES = ("round", "corrected", "struck")
RECENT = 6
"""Changes that a wide screen shows beside the pad."""
LONG_PAD = 40
"""Rounds shown at once; a link leads to the earlier ones."""
BOARD_CHART = (340, 220)
TV_CHART = (250, 242)
"""Displayed larger than drawn, which enlarges the letters."""


@pages.get("/g/<game_id>")
def board(game_id: str) -> AnyResponse:
    """Show the pad: totals, ranks, every round, the next deal. A 304 costs almost nothing."""
    since = request.args.get("since", 0, type=int)
    last = 0 if request.args.get("all") else LONG_PAD
    begun = "-begun" * (request.args.get("begun") == "yes")
    return _polled(
        game_id,
        f"board-{since}-{last}{begun}",
        lambda game, tag, group: page(
            "board.html",
            **_common_variables(game, tag, group),
            drawn=prepared().once(
                ("board", game_id, since, last, language().code, request.script_root),
                str(game.version),
                lambda: _drawn(game, since, last),
            ),
            tallied=pad.tallied(game, language()) if right() == "pen" else {},
            outcome=FAMILY_OUTCOMES[game.rules.family],
            undone=_undone(game),
            corrected=_corrected(game),
        ),
    )


@pages.get("/g/<game_id>/tv")
def tv(game_id: str) -> AnyResponse:
    """Show the board for a tablet or television: last rounds, chart, dealer."""
    code, lang = watch_code(game_id), language()
    answer = _polled(
        game_id,
        f"tv-{bool(code)}",
        lambda game, tag, group: page(
            "tv.html",
            **_common_variables(game, tag, group),
            heads=pad.heads(game, lang),
            lines=pad.lines(game, lang, LAST_ROUNDS),
            chart=chart(game, lang, *TV_CHART),
            standing=standing(game, lang),
            news=news(game),
            house=len(house_rules(game.rules)),
            code=code,
        ),
        is_own=code is not None,
    )
    answer.headers.update(SECRET if code else {})
    return answer


def _polled(
    game_id: str,
    what: str,
    shown: Callable[[Game, str, GroupOfGame | None], str],
    *,
    is_own: bool = False,
) -> AnyResponse:
    """Return a page that readers poll, or 304 if they have the current one.

    All who watch get the same page, unless it is their own. The tag is weak because the page may
    be compressed.
    """
    tag = f"{what}-{_board_tag(ledger().versions(game_id))}"
    if request.if_none_match.contains_weak(tag):
        return Response(status=304, headers={"ETag": f'W/"{tag}"'})
    game = game_or_404(game_id)
    group = group_of(game)
    if is_own or right() == "pen":
        answer = Response(shown(game, tag, group))
    else:
        group_id = group.id if group else None
        depends_on = request.script_root, request.full_path, language().code, group_id
        answer = prepared_response(depends_on, tag, lambda: shown(game, tag, group))
    answer.set_etag(tag, weak=True)
    return answer


class DrawnBoard(NamedTuple):
    """The parts of a board that are the same for all readers of a version."""

    rules: Markup
    pad: Markup
    chart: Markup
    recent: Markup
    news: str
    standing: str


def _drawn(game: Game, since: int, last: int) -> DrawnBoard:
    """Draw a board with the last few rounds or all, and mark those changed since a version."""
    lang = language()
    fresh = changed_since(game, since)
    return DrawnBoard(
        rules=macro("_parts.html", "rules_link")(game, len(house_rules(game.rules))),
        pad=macro("_board.html", "pad")(
            game, pad.heads(game, lang), pad.lines(game, lang, last), fresh
        ),
        chart=macro("_board.html", "run")(chart(game, lang, *BOARD_CHART)),
        recent=macro("_board.html", "recent")(game, recent(game)),
        news=news(game),
        standing=standing(game, lang),
    )


def _common_variables(game: Game, tag: str, group: GroupOfGame | None) -> dict[str, Any]:
    """Return the variables of a board and of the television."""
    lang = language()
    return {
        "game": game,
        "tag": tag,
        "group": group,
        "remaining": pad.remaining(game, lang),
        "winners": pad.winners(game, lang) if game.is_over else "",
        "why_over": pad.why_over(game, lang) if game.is_over else "",
    }


def news(game: Game) -> str:
    """Return the last change in a few words."""
    if game.latest.kind == "round":
        row = game.sheet.row(game.latest.payload["number"])
        return language()("pages.news.round", number=row.number, words=_what_happened(game, row))
    return change_in_words(game, games.Change(game.latest)).words


def _what_happened(game: Game, row: Row) -> str:
    lang, mark = language(), ending(row.score, row.round)
    if mark is None:
        return points_in_words(game, row.score)
    player = game.sides[mark.side]
    if mark.name == "out":
        return lang("pages.entry.went_out", player=player)
    word = lang(f"mark.word.{mark.name}")
    points = points_in_words(game, row.score)
    return lang("pages.news.knock", player=player, word=word, points=points)


def changed_since(game: Game, version: int) -> dict[int, str]:
    """Return the previous points of rounds that changed since a version."""
    if not 0 < version < game.version:
        return {}
    seen = ledger().game_at(game.id, version).sheet.rows
    return {
        row.number: language()("pages.board.changed", before=points_in_words(game, old.score))
        for old, row in zip(seen, game.sheet.rows, strict=False)
        if (old.score, old.counts) != (row.score, row.counts)
    }


def _board_tag(versions: Sequence[int]) -> str:
    """Return a tag of everything the board depends on: versions, language, right, form and code."""
    form = session.get("csrf_token", "")[:8] if right() == "pen" else ""
    version = ".".join(map(str, versions))
    look = "".join(fingerprint(f"{sheet}.css") for sheet in ("base", "pad", "board"))
    return f"{version}-{language().code}-{right()}-{form}-{VERSION}-{look}"


def _corrected(game: Game) -> int | None:
    """Return the round that was just corrected."""
    number = request.args.get("corrected", type=int)
    return number if number in {row.number for row in game.sheet.rows if row.earlier} else None


def _undone(game: Game) -> int | None:
    """Return the struck round that the board offers to restore: just struck, or the last one."""
    struck = [row.number for row in game.sheet.rows if row.struck_at]
    number = request.args.get("undone", type=int)
    if number in struck:
        return number
    return struck[-1] if struck and game.sheet.rows[-1].struck_at else None


# ---- settlement ----------------------------------------------------------------------


@dataclass(frozen=True)
class Payment:
    """A payment of the settlement."""

    number: int
    payer: str
    payee: str
    side: int
    """The side whose account it goes to."""
    sum: str
    """The amount without its unit."""
    amount: str
    paid_at: str | None
    euros: str
    """The sum to transfer; empty if the unit is no currency or the amount has parts of a cent."""
    account: Account | None
    """The account to pay to, with a masked IBAN."""
    code: Markup | None
    """A QR code for banking apps, shown only to the pen."""


@pages.get("/g/<game_id>/settlement")
def settlement(game_id: str) -> str:
    """Show who pays whom, in the table of [001] §6, and why."""
    return settlement_page(game_or_404(game_id))


def settlement_page(
    game: Game, number: int | None = None, faults: Mapping[str, Sequence[str]] | None = None
) -> str:
    """Render the settlement, with what is wrong with the account entered at a payment."""
    return page("settlement.html", game=game, **settlement_variables(game, number, faults))


def settlement_variables(
    game: Game, number: int | None = None, faults: Mapping[str, Sequence[str]] | None = None
) -> dict[str, Any]:
    """Return the variables of a page with the settlement."""
    settled, refused = None, ""
    try:
        settled = game.settlement()
    except RuleError as error:
        refused = language().problem(error.problems[0], game.players)
    due = payments(game, settled) if settled else []
    return {
        "settled": settled,
        "words": Words(game, language()),
        "refused": refused,
        "payments": due,
        "message": in_one_message(game, due),
        "columns": columns(settled) if settled else [],
        "cents": settled is not None and settled.amounts != settled.payable_amounts,
        "amounts": amounts_of(game.rules),
        "typed_at": number,
        "form": request.form,
        "faults": faults or {},
    }


def in_one_message(game: Game, due: Sequence[Payment]) -> str:
    """Return the payments as a text message."""
    lang = language()
    paid = f" ({lang('pages.settlement.done')})"
    lines = [
        f"{one.payer} {lang('pages.settlement.pays')} {one.payee} {one.amount}"
        + (paid if one.paid_at else "")
        for one in due
    ]
    won = [pad.winners(game, lang)] if game.is_over else []
    return "\n".join([pad.title_of(game, lang), *won, standing(game, lang), *lines])


def columns(settled: Settlement) -> list[Sequence[int]]:
    """Return the other sides of each side, in the order of the table."""
    sides = range(len(settled.totals))
    return [[other for other in sides if other != side] for side in sides]


def payments(game: Game, settled: Settlement) -> list[Payment]:
    """Return the payments; none if no point value was agreed."""
    return [_payment(game, number, due) for number, due in enumerate(settled.transfers or ())]


def payable_amount(game: Game, amount: Fraction) -> str:
    """Return an amount to pay as people say it."""
    return amounts_of(game.rules).words(amount, language())


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
        sum=amounts_of(game.rules).number(due.amount, lang, signed=False),
        amount=payable_amount(game, due.amount),
        paid_at=game.paid_at(due),
        euros=lang.cents(amount) if amount else "",
        account=replace(account, iban=masked(account.iban)) if account else None,
        code=code,
    )


@pages.post("/g/<game_id>/settlement/account")
def account(game_id: str) -> AnyResponse | tuple[str, int]:
    """Store or erase the account of a side."""
    write = form_write()
    side, number = (request.form.get(name, 0, type=int) for name in ("side", "number"))
    try:
        left = None if request.form.get("do") == "erase" else _typed_account()
        stale = was_stale(lambda: games.store_account(ledger(), game_id, side, left, write=write))
    except RuleError as error:
        faults = faults_of(error.problems, lambda place: str(place[-1]))
        return settlement_page(game_or_404(game_id), number, faults), 422
    except KeyError:
        abort(404)
    return _after_payment(game_id, stale, anchor=f"giro-{number}")


def _typed_account() -> Account:
    typed = {name: request.form.get(name, "") for name in ("holder", "iban")}
    fields = load(AccountSchema(), typed)
    return Account(fields["holder"], read_iban(fields["iban"]))


@pages.post("/g/<game_id>/settlement/<int:number>")
def pay(game_id: str, number: int) -> AnyResponse:
    """Mark a payment as made or not made."""
    write = form_write()
    paid = request.form.get("paid") == "yes"
    try:
        stale = was_stale(lambda: games.mark_paid(ledger(), game_id, number, paid, write=write))
    except KeyError:
        abort(404)
    return _after_payment(game_id, stale, anchor=f"pay-{number}")


def _after_payment(game_id: str, stale: bool, anchor: str | None = None) -> AnyResponse:
    """Return to the page that shows the payments: the end of the evening, once it is over."""
    over = ledger().game(game_id).is_over
    endpoint = "pages.evening_end" if over else "pages.settlement"
    if stale:
        return redirect(url_for(endpoint, game_id=game_id, notice="stale"), 303)
    return redirect(url_for(endpoint, game_id=game_id, _anchor=anchor), 303)


# ---- history -------------------------------------------------------------------------


class HistoryEntry(NamedTuple):
    """A change in words."""

    at: str
    by: str
    words: str
    before: str = ""
    after: str = ""


def recent(game: Game) -> list[HistoryEntry]:
    """Return the last changes of rounds, newest first, from the sheet: no event is read."""
    lang = language()
    changes = (
        (at, row.number, kind, row)
        for row in game.sheet.rows
        for kind, at in zip(CHANGES, (row.at, row.corrected_at, row.struck_at), strict=True)
        if at
    )
    return [
        HistoryEntry(
            at=at,
            by="",
            words=lang(f"pages.history.{kind}", number=number),
            after=_what_happened(game, row) if kind == "round" else "",
        )
        for at, number, kind, row in nlargest(RECENT, changes, key=itemgetter(0, 1))
    ]


@pages.get("/g/<game_id>/history")
def history(game_id: str) -> str:
    """Show every change: when, by which right, before and after; newest first."""
    game = game_or_404(game_id)
    changes = [change_in_words(game, change) for change in games.history(ledger(), game_id)]
    return page("history.html", game=game, entries=changes[::-1])


def change_in_words(game: Game, change: games.Change) -> HistoryEntry:
    """Return a change of the game in words."""
    event, lang = change.event, language()
    facts = {name: event.payload[name] for name in ("number", "amount") if name in event.payload}
    for name, key in (("payer", "from"), ("payee", "to"), ("player", "side")):
        if key in event.payload:
            facts[name] = game.sides[event.payload[key]]
    if "seat" in event.payload:
        facts["player"] = game.players[event.payload["seat"]]
    if "amount" in facts:
        facts["amount"] = payable_amount(game, Fraction(facts["amount"]))
    if event.kind == "details":
        facts["words"] = lang.all_of(filter(None, event.texts.values())) or "–"
    kind = event.kind
    if kind == "created" and game.drawn_dealer is not None:
        kind, facts["player"] = "created_drawn", game.players[game.drawn_dealer]
    elif kind == "account":
        kind = "account_kept" if event.payload["kept"] else "account_erased"
    elif kind == "erased" and "seat" not in event.payload:
        kind = "words_erased"
    elif kind == "secret" and event.payload["right"] == "paper":
        kind = "paper_withdrawn" if "withdrawn" in event.payload else "paper_given"
    elif kind == "secret":
        facts["right"] = lang(f"pages.right.{event.payload['right']}")
    rewritten = event.kind == "corrected"
    shows_after = rewritten or event.kind in ("round", "restored")
    return HistoryEntry(
        at=event.at,
        by=lang(f"pages.right.{event.by}"),
        words=lang(f"pages.history.{kind}", **facts),
        before=points_in_words(game, change.before.score)
        if change.before and (rewritten or event.kind == "struck")
        else "",
        after=points_in_words(game, change.after.score) if change.after and shows_after else "",
    )
