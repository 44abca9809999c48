"""The board of a game, on phones and on a television."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from flask import Response, request
from markupsafe import Markup
from werkzeug.wrappers import Response as AnyResponse

from scorekeeper.domain.game.state import Game
from scorekeeper.domain.rounds.checks import FAMILY_OUTCOMES
from scorekeeper.services import games
from scorekeeper.services.clock import TIME
from scorekeeper.services.discard import KEPT_DAYS
from scorekeeper.web.context import language, ledger, right
from scorekeeper.web.pages.blueprint import (
    game_or_404,
    group_of,
    macro,
    page,
    pages,
)
from scorekeeper.web.pages.chart import chart, standing
from scorekeeper.web.pages.entry.views import points_in_words
from scorekeeper.web.pages.history import change_in_words, recent, what_happened
from scorekeeper.web.pages.new_game.views import house_rules
from scorekeeper.web.pages.prepared import prepared, prepared_response, tag_of
from scorekeeper.web.pages.sharing import SECRET, watch_code
from scorekeeper.web.permissions import GroupOfGame
from scorekeeper.wording import pad, waiting
from scorekeeper.wording.finale import finale, heads, lines

STYLESHEETS = ("base", "pad", "board", "many")
LAST_ROUNDS, SOME_ROUNDS, FEW_ROUNDS = 7, 5, 1
"""As many as a television can show readably across the room."""
LONG_PAD = 40
"""Rounds shown at once; a link leads to the earlier ones."""
TV_CHART = (250, 242)
"""Displayed larger than drawn, which enlarges the letters."""


@pages.get("/g/<game_id>")
def board(game_id: str) -> AnyResponse:
    """Show the pad: totals, ranks, every round, the next deal. A 304 costs almost nothing."""
    since, but = (request.args.get(name, 0, type=int) for name in ("since", "but"))
    last = 0 if request.args.get("all") else LONG_PAD
    begun = "-begun" * (request.args.get("begun") == "yes")
    return _polled(
        game_id,
        f"board-{since}-{but}-{last}{begun}",
        lambda game, tag, group: page(
            "board.html",
            **_common_variables(game, tag, group),
            drawn=prepared().once(
                ("board", game_id, since, but, last, language().code, request.script_root),
                str(game.version),
                lambda: _drawn(game, since, but, last),
            ),
            tallied=waiting.tallied(game, language()) if right() == "pen" else {},
            outcome=FAMILY_OUTCOMES[game.rules.family],
            erased_on=_erased_on(game),
            new_rules=list(pad.new_rules(game, len(game.sheet.rows) + 1, language())),
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
            heads=heads(game, lang),
            lines=lines(game, lang, _rounds_on_tv(game)),
            chart=chart(game, lang, TV_CHART),
            standing=standing(game, lang),
            news=news(game),
            house=len(house_rules(game.rules)),
            code=code,
        ),
        is_own=code is not None,
    )
    answer.headers.update(SECRET if code else {})
    return answer


def _rounds_on_tv(game: Game) -> int:
    """Return how many rounds a television has room for, beside three games or their final count."""
    if game.sheet.columns and game.is_over:
        return FEW_ROUNDS
    return SOME_ROUNDS if game.rules.gin.hollywood else LAST_ROUNDS


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
    version, may_write = ".".join(map(str, ledger().versions(game_id))), right() == "pen"
    tag = tag_of(f"{what}-{right()}", version, STYLESHEETS, has_form=may_write)
    if request.if_none_match.contains_weak(tag):
        return Response(status=304, headers={"ETag": f'W/"{tag}"'})
    game = game_or_404(game_id)
    group = group_of(game)
    if is_own or may_write:
        answer = Response(shown(game, tag, group))
    else:
        answer = prepared_response(tag, lambda: shown(game, tag, group), group.id if group else "")
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


def _drawn(game: Game, since: int, but: int, last: int) -> DrawnBoard:
    """Draw a board with the last few rounds or all.

    Rounds changed since a version are marked, except the one that the reader has changed.
    """
    lang = language()
    fresh = {nr: words for nr, words in changed_since(game, since).items() if nr != but}
    return DrawnBoard(
        rules=macro("_parts.html", "rules_link")(game, len(house_rules(game.rules))),
        pad=macro("_board.html", "pad")(
            game, heads(game, lang), lines(game, lang, last), fresh, finale(game, lang)
        ),
        chart=macro("_board.html", "run")(chart(game, lang)),
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
        "finale": finale(game, lang),
        "planned": pad.planned(game, len(game.sheet.rows) + 1, lang),
        "remaining": pad.remaining(game, lang),
        "winners": pad.winners(game, lang) if game.is_over else "",
        "why_over": pad.why_over(game, lang) if game.is_over else "",
    }


def news(game: Game) -> str:
    """Return the last change in a few words."""
    if game.latest.kind == "round":
        row = game.sheet.row(game.latest.payload["number"])
        return language()("pages.news.round", number=row.number, words=what_happened(game, row))
    then = None
    if game.latest.kind == "frame":
        then = ledger().game_at(game.id, game.version - 1)
    return change_in_words(game, games.Change(game.latest, then=then)).words


def changed_since(game: Game, version: int) -> dict[int, str]:
    """Return the previous points of rounds that changed since a version."""
    if not 0 < version < game.version:
        return {}
    seen = {row.ordinal: row for row in ledger().game_at(game.id, version).sheet.written}
    return {
        row.number: language()("pages.board.changed", before=points_in_words(game, old.score))
        for row in game.sheet.written
        if (old := seen.get(row.ordinal)) and (old.score, old.counts) != (row.score, row.counts)
    }


def _erased_on(game: Game) -> str:
    """Return the day on which an evening in the bin is erased; empty if it is not there."""
    if game.thrown_away_at is None:
        return ""
    try:
        thrown = datetime.fromisoformat(game.thrown_away_at)
        return language().date((thrown + timedelta(days=KEPT_DAYS)).strftime(TIME))
    except (ValueError, OverflowError):  # an imported game may hold any time
        return language().date(game.thrown_away_at)
