"""The director's page, the television, results of tables, standings.

Watchers see the same page without its buttons.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from flask import Response, abort, redirect, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from scorekeeper.domain.errors import Problem
from scorekeeper.domain.group.state import Group
from scorekeeper.domain.group.tables import Stated, seats_of, worth_of
from scorekeeper.domain.history.book import Event
from scorekeeper.domain.tournament.changes import check_table
from scorekeeper.domain.tournament.plan import SIZES
from scorekeeper.domain.tournament.prizes import purse
from scorekeeper.domain.tournament.scale import Scale
from scorekeeper.domain.tournament.standings import standings
from scorekeeper.domain.tournament.state import Tournament
from scorekeeper.services import tournaments
from scorekeeper.services.tournaments import tournament_of
from scorekeeper.store.writes import Write
from scorekeeper.web import paper
from scorekeeper.web.conditional_requests import BY_THE_CLOCK
from scorekeeper.web.context import language, ledger, right
from scorekeeper.web.links import is_only_here
from scorekeeper.web.pages.amounts import signed, whole
from scorekeeper.web.pages.blueprint import (
    Answer,
    form_page,
    group_or_404,
    handle_form,
    page,
    pages,
)
from scorekeeper.web.pages.prepared import prepared_response, tag_of
from scorekeeper.web.pages.tournament.shown import clock, rows, table_cards
from scorekeeper.web.paper import TOURNAMENT_PAPERS, TournamentPaper
from scorekeeper.wire.strict import load
from scorekeeper.wire.tournaments import TableResultSchema
from scorekeeper.wording.tournaments import (
    entrant_names,
    first_decision,
    line_words,
    money_words,
    tie_break_words,
)

FIRST_ROWS = 6
TV_ROWS = 11
"""As many ranks as a television shows readably; the page turns."""


def there(group_id: str) -> tuple[Group, Tournament]:
    """Return the group of a URL and its tournament; 404 if it plays none."""
    group = group_or_404(group_id)
    return (group, group.tournament) if group.tournament else abort(404)


def polled(
    group: Group, what: str, make: Callable[[], str], *, has_forms: bool = False
) -> AnyResponse:
    """Return a page that readers poll, or 304 if they have the current one.

    A page without forms is the same for all readers of a version, and made once.
    """
    own = has_forms and right() == "pen"
    tag = tag_of(what, group.version, ("base", "club"), has_form=own)
    if request.if_none_match.contains_weak(tag):
        return Response(status=304, headers={"ETag": f'W/"{tag}"'})
    answer = Response(make()) if own else prepared_response(tag, make)
    answer.set_etag(tag, weak=True)
    return answer


def _minute(what: str, group: Group) -> str:
    """Return a tag that changes every minute while a clock runs, for readers without scripts."""
    now = tournament_of(group)
    running = clock(now.plan, now.current)
    if running is None:
        return what
    request.environ[BY_THE_CLOCK] = True
    return f"{what}-{running.left // 60}"


# ---- the director and whoever watches ------------------------------------------------


@pages.route("/s/<group_id>/tournament", methods=["GET", "POST"])
def tournament(group_id: str) -> Answer:
    """Show the round with its tables, what is missing, the clock and the standings."""
    if group_or_404(group_id).tournament is None and right() == "pen":
        return redirect(url_for("pages.tournament_plan", group_id=group_id), 303)
    group, _ = there(group_id)
    if request.method != "POST":
        return polled(group, _minute("club", group), lambda: _night(group_id), has_forms=True)
    change = CHANGES.get(request.form.get("do", ""))
    if change is None:
        abort(400)
    return handle_form(
        lambda write: change(group_id, write),
        url_for("pages.tournament", group_id=group_id),
        lambda **wrong: _night(group_id, **wrong),
    )


def _draw(group_id: str, write: Write) -> Group:
    late = request.form.get("late") == "yes"
    return tournaments.draw_round(ledger(), group_id, write, closing=True, late=late)


CHANGES: Mapping[str, Callable[[str, Write], Group]] = {
    "draw": _draw,
    "close": lambda group_id, write: tournaments.close_round(ledger(), group_id, write),
    "undraw": lambda group_id, write: tournaments.undraw_round(ledger(), group_id, write),
    "end": lambda group_id, write: tournaments.conclude(ledger(), group_id, write),
}


def _is_final(now: Tournament) -> bool:
    return now.plan.pairing.winners_only and bool(now.rounds) and now.rounds[-1].is_final


def _night(group_id: str, **wrong: Any) -> str:
    return form_page("tournament.html", **wrong, **_variables(group_id, FIRST_ROWS))


def _variables(group_id: str, ranks: int | None = None) -> dict[str, Any]:
    """Return what the director and the television see: as many ranks, by default all."""
    group, now = there(group_id)
    lang = language()
    names = entrant_names(group, now, lang)
    last = now.rounds[-1] if now.rounds else None
    counted = sum(one.closed for one in now.rounds)
    cards = table_cards(now, last, names, lang) if last else []
    found = standings(now, counted)[:ranks] if counted else ()
    return {
        "group": group,
        "now": now,
        "round": last,
        "tables": cards,
        "repeats": len(now.repeats(last.number)) if last else 0,
        "out": [names[entrant] for entrant in last.out] if last else [],
        "clock": clock(now.plan, last),
        "counted": counted,
        "ranks": rows(found, names, now, counted, lang),
        "missing": [card.number for card in cards if card.is_open],
        "only_here": is_only_here(),
        "is_last": len(now.rounds) >= now.plan.rounds or _is_final(now),
    }


@pages.get("/s/<group_id>/tournament/tv")
def tournament_tv(group_id: str) -> AnyResponse:
    """Show tables and ranks across the room."""
    group, _ = there(group_id)
    return polled(
        group,
        _minute("tv", group),
        lambda: page("tournament_tv.html", tv_rows=TV_ROWS, **_variables(group_id)),
    )


# ---- the result of a table -----------------------------------------------------------


@pages.route("/s/<group_id>/tournament/<int:number>/<int:at_table>", methods=["GET", "POST"])
def tournament_table(group_id: str, number: int, at_table: int) -> Answer:
    """Show a table, with the form for its final totals."""
    _, now = there(group_id)
    games = now.rounds[number - 1].games if 1 <= number <= len(now.rounds) else ()
    game = games[at_table - 1] if 1 <= at_table <= len(games) else ""
    if request.method != "POST":
        return _table_page(group_id, number, at_table) if game else abort(404)
    drawn_again = request.form.get("game", game) != game

    def change(write: Write) -> Group:
        check_table(now, number, at_table - 1)
        stated: Sequence[Stated | None] | None = None
        if request.form.get("do") != "unstate":
            entrants = len(now.rounds[number - 1].tables[at_table - 1])
            stated = load(TableResultSchema(), {"scores": _typed(entrants)})["scores"]
        return tournaments.state_result(ledger(), group_id, (number, at_table - 1), stated, write)

    def shown(**wrong: Any) -> str:
        if game and not drawn_again:
            return _table_page(group_id, number, at_table, **wrong)
        # Others may sit there now: the numbers are shown, but not beside their names.
        typed = (request.form.get(f"points-{place}", "") for place in range(max(SIZES)))
        return _night(group_id, typed=" · ".join(filter(None, typed)), **wrong)

    if drawn_again:
        return shown(stale=True), 409
    return handle_form(change, url_for("pages.tournament", group_id=group_id), shown)


def _typed(entrants: int) -> list[dict[str, Any] | None]:
    """Return the totals of the form; None for one that is missing."""
    form = request.form
    points = [form.get(f"points-{place}", "").strip() for place in range(entrants)]
    return [
        {
            "points": signed(own),
            "wins": whole(form.get(f"wins-{place}", "") or "0"),
            "hand_wins": whole(form.get(f"hand_wins-{place}", "") or "0"),
        }
        if own
        else None
        for place, own in enumerate(points)
    ]


def _table_page(
    group_id: str, number: int, at_table: int, problems: Sequence[Problem] = (), **shown: Any
) -> str:
    group, now = there(group_id)
    lang, one, table = language(), now.rounds[number - 1], at_table - 1
    card = table_cards(now, one, entrant_names(group, now, lang), lang)[table]
    entries = tournaments.earlier_results(ledger(), group_id, number, table)
    wrong = tournaments.why_not_counted(ledger(), now, one, table)
    result = one.results.get(table)
    known = result.performances if result else one.typed.get(table, ())
    won = {
        "wins": [each.wins + each.hand_wins if each else "" for each in known] or [""] * max(SIZES),
        "hand_wins": [each.hand_wins if each else "" for each in known] or [""] * max(SIZES),
    }
    return form_page(
        "tournament_table.html",
        problems,
        wrong=lang.problem(wrong.problems[0]) if wrong else "",
        group=group,
        now=now,
        number=number,
        card=card,
        won=won,
        counted=_counted(now.plan.scale),
        earlier=[_entry(event, now) for event in entries] if len(entries) > 1 else [],
        players=[group.players[member] for member in seats_of(now, one.tables[table])],
        form=request.form,
        **shown,
    )


def _counted(scale: Scale) -> tuple[str, ...]:
    """Return what a typed list says besides the points, if it is worth anything."""
    if scale.hand_win:
        return "wins", "hand_wins"
    return ("wins",) if scale.win else ()


def _entry(event: Event, now: Tournament) -> tuple[str, str, str]:
    """Return an entry of a table's history: when, by whom, and the numbers as on the pad."""
    lang, scores = language(), event.payload["scores"]
    who = "none" if scores is None else event.payload["source"]
    numbers = " · ".join(
        lang.number(worth_of(each["worth"], now.plan.rules)) if each else "–"
        for each in scores or ()
    )
    return lang.time(event.at), lang(f"tournament.result.by.{who}"), numbers


# ---- paper ---------------------------------------------------------------------------


@pages.get("/s/<group_id>/tournament/<what>.pdf")
def tournament_paper(group_id: str, what: TournamentPaper) -> Response:
    """Return table cards, standings or certificates."""
    group, now = there(group_id)
    if what not in TOURNAMENT_PAPERS or (what != "standings" and not now.rounds):
        abort(404)
    if what == "certificates" and not any(one.results for one in now.rounds):
        abort(404)
    upto = _upto(now)
    return paper.tournament_paper(group, what, language(), upto).response("inline")


def _upto(now: Tournament) -> int:
    """Return the round in the query, after which the standings are shown.

    By default it is the last, unless that has only just been drawn.
    """
    after, last = request.args.get("after", type=int), len(now.rounds)
    if after is not None:
        return max(0, min(after, last))
    return last if now.is_over or not last or now.rounds[-1].results else last - 1


# ---- standings -----------------------------------------------------------------------


@pages.get("/s/<group_id>/tournament/standings")
def tournament_standings(group_id: str) -> AnyResponse:
    """Show all rounds of all entrants, the tie-breaks and the prizes."""
    group, now = there(group_id)
    upto = _upto(now)
    return polled(group, f"standings-{upto}", lambda: _standings_page(group, now, upto))


def _standings_page(group: Group, now: Tournament, upto: int) -> str:
    lang = language()
    names = entrant_names(group, now, lang)
    found = standings(now, upto)
    prizes, told = [], ""
    if money := now.plan.money:
        won, unit = purse(money, found), money.unit
        fees, kept = (money_words(amount, unit, lang) for amount in (won.fees, won.kept))
        told = lang("tournament.prizes.told", fees=fees, kept=kept)
        paid = won.prizes if upto else ()
        prizes = [(names[one], money_words(amount, unit, lang)) for one, amount in paid]
    return page(
        "tournament_standings.html",
        group=group,
        now=now,
        upto=upto,
        ranks=rows(found, names, now, upto, lang),
        ties=tie_break_words(now, lang),
        decision=first_decision(found, names, now, lang),
        prizes=prizes,
        told=told,
    )


@pages.get("/s/<group_id>/tournament/entrants/<int:entrant>")
def tournament_entrant(group_id: str, entrant: int) -> str:
    """Show the rounds of an entrant with the reason for every point."""
    group, now = there(group_id)
    if not 1 <= entrant <= len(now.entrants):
        abort(404)
    lang = language()
    one = next((each for each in standings(now) if each.entrant == entrant - 1), None)
    names = entrant_names(group, now, lang)
    rounds = []
    for result in one.rounds if one else ():
        tables = now.rounds[result.number - 1].tables
        seated = () if result.table is None else tables[result.table]
        others = [names[other] for other in seated if other != entrant - 1]
        lines = [(line_words(line, lang), lang.number(line.points)) for line in result.lines]
        points = lang.number(worth_of(result.worth or 0, now.plan.rules))
        rounds.append((result, lines, others, points))
    name = names[entrant - 1]
    return page("tournament_entrant.html", group=group, now=now, one=one, name=name, rounds=rounds)


@pages.get("/s/<group_id>/tournament/draws/<int:number>")
def tournament_draw(group_id: str, number: int) -> str:
    """Show a draw with its seed, drawn again and compared."""
    group, now = there(group_id)
    if not 1 <= number <= len(now.rounds):
        abort(404)
    names, lang = entrant_names(group, now, language()), language()
    one = now.rounds[number - 1]
    return page(
        "tournament_draw.html",
        group=group,
        round=one,
        tables=table_cards(now, one, names, lang),
        out=[names[entrant] for entrant in one.out],
        confirmed=tournaments.is_draw_confirmed(ledger(), group_id, number),
    )
