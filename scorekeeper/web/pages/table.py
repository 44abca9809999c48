"""The board of a game and its history."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from heapq import nlargest
from operator import itemgetter
from typing import Any, NamedTuple

from flask import Response, request, session
from markupsafe import Markup
from werkzeug.wrappers import Response as AnyResponse

from scorekeeper.config import VERSION
from scorekeeper.domain.checks import FAMILY_OUTCOMES
from scorekeeper.domain.game import Game
from scorekeeper.domain.marks import ending
from scorekeeper.domain.sheet import Row
from scorekeeper.services import games
from scorekeeper.web.context import language, ledger, right
from scorekeeper.web.pages import pad
from scorekeeper.web.pages.blueprint import (
    GroupOfGame,
    fingerprint,
    game_or_404,
    group_of,
    macro,
    page,
    pages,
)
from scorekeeper.web.pages.chart import chart, standing
from scorekeeper.web.pages.games import house_rules
from scorekeeper.web.pages.prepared import prepared, prepared_response
from scorekeeper.web.pages.rounds import points_in_words
from scorekeeper.web.pages.settlement import payable_amount
from scorekeeper.web.pages.sharing import SECRET, watch_code

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
