"""Entering a round, explaining its points, correcting it and striking it out."""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from flask import redirect, request, url_for
from markupsafe import Markup
from werkzeug.wrappers import Response

from scorekeeper.domain.cards.names import NAMES
from scorekeeper.domain.cards.notation import read_cards
from scorekeeper.domain.errors import Problem, RuleError, Where
from scorekeeper.domain.game.changes import ScoredRound, at_place, order_of, rules_for_melds
from scorekeeper.domain.game.rows import Row
from scorekeeper.domain.game.state import Game
from scorekeeper.domain.rounds.facts import Round, RoundScore
from scorekeeper.domain.rounds.scoring import gin
from scorekeeper.domain.rounds.scoring.rates import rates
from scorekeeper.i18n import Language
from scorekeeper.i18n.formats import NBSP
from scorekeeper.services import games
from scorekeeper.services.writes import Stale, is_recorded
from scorekeeper.store.errors import KeyReused, NotFound
from scorekeeper.store.writes import Write
from scorekeeper.web import context
from scorekeeper.web.background import score_entry
from scorekeeper.web.context import language, ledger, row_or_404
from scorekeeper.web.observability import round_recorded, round_refused
from scorekeeper.web.pages.amounts import whole_or_none
from scorekeeper.web.pages.blueprint import (
    form_key,
    form_version,
    form_write,
    game_or_404,
    page,
    pages,
    reads_photographs,
)
from scorekeeper.web.pages.entry import corrections, keys
from scorekeeper.web.pages.entry import fields as forms
from scorekeeper.web.pages.entry.faults import faults_by_field, unfinished
from scorekeeper.web.pages.entry.layout import NOBODY, EntryLayout, Field
from scorekeeper.web.pages.entry.receipts import receipts, rules_behind
from scorekeeper.web.pages.entry.result import gin_result, how_sure, what_is_checked
from scorekeeper.web.pages.entry.two_entries import TwoEntries, two_entries
from scorekeeper.web.pages.prepared import prepared
from scorekeeper.web.security_headers import FRAMED
from scorekeeper.wire.rounds import RoundEntry, load_round
from scorekeeper.wording import pad, waiting

Answer = str | tuple[str, int] | tuple[str, Mapping[str, str]] | Response
Shown = TypeVar("Shown")


@dataclass(frozen=True)
class Verdict:
    """The result of the current input of the entry form."""

    entry: RoundEntry | None = None
    scored: ScoredRound | None = None
    """Also set while players are missing; those count nothing yet."""
    missing: Sequence[int] = ()
    ender_missing: bool = False
    faults: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Messages by field that refuse the round; the empty name is for the whole round."""
    problems: Sequence[Problem] = ()
    """The problems behind ``faults``."""
    warnings: Sequence[str] = ()
    unfinished: Collection[str] = ()
    """Fields whose only fault is that cards are missing; not shown as errors during entry."""

    @property
    def score(self) -> RoundScore | None:
        """The score of the input, if there is one."""
        return self.scored.score if self.scored else None

    @property
    def final_faults(self) -> Mapping[str, Sequence[str]]:
        """Faults that no further input can mend."""
        return {name: words for name, words in self.faults.items() if name not in self.unfinished}

    @property
    def incomplete(self) -> Sequence[int]:
        """The seats without complete input."""
        begun = {int(field.rpartition("-")[2]) for field in self.unfinished}
        return sorted(begun.union(self.missing))

    def is_wrong(self, seat: int) -> bool:
        """Return whether something about this seat is refused."""
        names = (field.rpartition("-") for field in self.final_faults)
        return any(number == str(seat) and name != "glass" for name, _, number in names)

    @property
    def ready(self) -> bool:
        """Whether the round can be saved as it stands."""
        return self.score is not None and not self.missing


def judge(
    game: Game, form: forms.Fields, row: Row | None = None, *, to_save: bool = False
) -> Verdict:
    """Read the fields of the entry form, also for a correction, and score the round."""
    layout = EntryLayout(game.rules)
    body = forms.round_body(form, len(game.players), game.rules)
    missing = forms.missing(body, game.rules)
    ender_missing = body["outcome"] == layout.outcome and layout.ender not in body
    additive = not layout.ender_counts  # points left do not depend on other players
    for seat in missing if additive else ():
        body["seats"][seat] = forms.completed(body, seat, game.rules)
    entry = None
    try:
        entry = load_round(body, rules_for_melds(game))
        if row:
            entry = entry._replace(round=corrections.corrected(game, row, entry.round))
        scored = score_entry(game, entry, to_save=to_save)
    except RuleError as error:
        open_yet: set[Where] = {("seats", seat) for seat in missing}
        if ender_missing:
            open_yet.add((layout.ender,))
        if missing and "oklahoma_card" not in body:
            open_yet.add(("oklahoma_card",))
        problems = [problem for problem in error.problems if problem.path not in open_yet]
        return Verdict(
            entry,
            missing=missing,
            ender_missing=ender_missing,
            faults=faults_by_field(problems, game, body.get(layout.ender)),
            problems=problems,
            unfinished=unfinished(problems),
        )
    about_missing = [("seats", seat) for seat in missing]
    warnings = [
        language().problem(found, game.players)
        for found in scored.score.warnings
        if found.path[:2] not in about_missing
    ]
    return Verdict(entry, scored, missing=missing, warnings=warnings)


# ---- entry ---------------------------------------------------------------------------


@pages.route("/g/<game_id>/round", methods=["GET", "POST"])
def entry(game_id: str) -> Answer:
    """Enter the next round: preview first, then save."""
    game = game_or_404(game_id)
    if request.method != "POST":
        if key := request.args.get("key"):  # of a draft (waiting.js)
            there = is_recorded(ledger(), game_id, key)
            return redirect(url_for("pages.board", game_id=game_id), 303) if there else ("", 204)
        form = empty_form(game) | _wanted(game)
        return entry_page(game, form), FRAMED  # by the board: inside.js
    form = forms.with_chosen_moves(request.form)
    saves = form.get("do") == "save"
    verdict = judge(game, form, to_save=saves)
    if not saves:
        return entry_page(game, form, verdict)
    write, board = form_write(), url_for("pages.board", game_id=game_id, _anchor="next")
    if not verdict.ready or verdict.scored is None:
        if recorded_before(game_id, form, write):
            return redirect(board, 303)
        round_refused(verdict.problems)
        notice = "saved_before" if is_recorded(ledger(), game_id, form_key()) else ""
        return entry_page(game, form, verdict, notice=notice), 422
    try:
        recorded = games.record_round(ledger(), game_id, verdict.scored, write)
    except Stale:
        return _meanwhile(game_id, form, verdict), 409
    except KeyReused:
        return entry_page(game, form, verdict, notice="saved_before"), 422
    except RuleError as error:
        round_refused(error.problems)
        ender = form.get(EntryLayout(game.rules).ender)
        refused = replace(verdict, scored=None, faults=faults_by_field(error.problems, game, ender))
        return entry_page(game, form, refused), 422
    round_recorded(repeated=recorded.repeated)
    return redirect(board, 303)


def recorded_before(
    game_id: str, form: forms.Fields, write: Write, kind: str = "round", number: int = 0
) -> bool:
    """Return whether a form that is refused now is a repeat of one that was saved.

    It is read as at the version it was made for: players may have joined since then.
    """
    try:
        then = ledger().game_at(game_id, form_version())
        placed = at_place(then, kind, number)
        body = forms.round_body(form, then.sheet.seats, placed.rules)
        facts = load_round(body, rules_for_melds(placed)).round
        if kind == "corrected":
            facts = corrections.corrected(then, row_or_404(then, number), facts)
    except (NotFound, RuleError, KeyError):
        return False
    return games.recorded_before(ledger(), game_id, facts, write, kind, number) is not None


def _meanwhile(game_id: str, form: forms.Fields, verdict: Verdict) -> str:
    """Ask whether a round that was saved meanwhile is the one entered here."""
    game, both = game_or_404(game_id), None
    if verdict.entry and verdict.score:
        facts = verdict.entry.round
        both = two_entries(ledger(), game, form_version(), facts, verdict.score, language())
    notice = "" if both else "stale"
    return entry_page(game, form, verdict, notice=notice, both=both)


def entry_page(
    game: Game,
    form: forms.Fields,
    verdict: Verdict | None = None,
    *,
    at: Row | int | None = None,
    notice: str = "",
    both: TwoEntries | None = None,
) -> str:
    """Render the entry form with its input, its points and what is wrong.

    ``at`` is the round that is corrected, or the number of one that was missed.
    """
    row, missed = (at, None) if isinstance(at, Row) else (None, at)
    number = row.number if row else missed or len(game.sheet.rows) + 1
    standing = game.sheet.standing.before(number)
    is_begun = verdict is not None or row is not None
    follows = waiting.next_form_depends(game.rules) and not (row or missed)
    verdict = verdict or (judge(game, form, row) if row else Verdict())
    notation, layout = forms.notation_of(form), forms.layout_of(form, game.rules)
    fields = _fields(game, layout, form, notation, verdict) | {"standing": standing}
    return page(
        "entry.html",
        **fields,
        seats=_seats(fields) if is_begun or missed else _unbegun_seats(game, form, fields),
        number=number,
        checked=_with_score(what_is_checked, game, verdict) or "",
        planned=pad.planned(game, number, language()),
        plan=pad.plan_in_words(game, language()) if follows else None,
        result=_with_score(gin_result, game, verdict) if verdict.ready else None,
        cells=_cells(game, verdict),
        stands=[_stands(game, seat) for seat in range(len(game.players))],
        hand_romme=keys.hand_romme(game.rules, language()),
        facts_of_score=_with_score(waiting.scored, game, verdict) if verdict.ready else None,
        comes_to=points_in_words(game, verdict.score) if verdict.ready and verdict.score else "",
        limit=knock_limit(game, form),
        glass=forms.glass_rows(form),
        glass_most=forms.MAX_GLASS,
        wild_ranks=forms.wild_ranks() if layout.asks_wild else (),
        glass_calls=forms.glass_calls(language()) if game.rules.gin.glass else (),
        missing=language().all_of(game.players[seat] for seat in verdict.incomplete),
        so_far=keys.sum_so_far(game, verdict.score, verdict.missing),
        keypads=keys.keypads(game.rules, notation, language()),
        rates=_rates(game),
        said=keys.texts_for_counting(game, language()),
        # with a photograph first, or by typing
        chooses_way=not (is_begun or missed) and ("photo" in request.args or not _known_way(game)),
        row=row,
        missed=missed,
        state=waiting.state(game) if follows else None,
        notice=notice,
        both=both,
    )


def _fields(
    game: Game, layout: EntryLayout, form: forms.Fields, notation: str, verdict: Verdict
) -> dict[str, Any]:
    """Return the variables of the fields of all players."""
    return {
        "game": game,
        "layout": layout,
        "hints": {field.name: _hints(field, game, notation) for field in layout.fields},
        "unfolded": _unfolded(layout, form, verdict),
        "form": form,
        "notation": notation,
        "verdict": verdict,
        "workings": keys.workings(game, verdict.entry, verdict.missing, language()),
        "table": keys.table_melds(game, verdict.entry, verdict.score, notation),
    }


def _seats(fields: Mapping[str, Any]) -> Markup:
    """Return the fields of all players, without the indentation of the template."""
    return Markup(re.sub(r"\n\s+", "\n", page("_seats.html", **fields)))


def _unbegun_seats(game: Game, form: forms.Fields, fields: Mapping[str, Any]) -> Markup:
    """Return the fields of all players before anything is entered, drawn once for a table."""
    shown = {name: text for name, text in form.items() if name != fields["layout"].ender}
    (seats,) = prepared().once(
        ("seats", game.id, language().code),
        repr((game.players, game.rules_since, shown, reads_photographs(), fields["standing"].out)),
        lambda: (_seats(fields),),
    )
    return seats


def _with_score(
    shown: Callable[[Game, Round, RoundScore, Language], Shown], game: Game, verdict: Verdict
) -> Shown | None:
    """Return something about the score of the current input; None without a score."""
    if not (verdict.entry and verdict.score):
        return None
    return shown(game, verdict.entry.round, verdict.score, language())


def _cells(game: Game, verdict: Verdict) -> list[str | None]:
    """Return the points by seat where they are known; in gin, what each player has left."""
    if not (verdict.score and verdict.score.counts):
        if game.rules.family != "gin" or verdict.score:
            return [None] * len(game.players)
        typed = keys.workings(game, verdict.entry, verdict.missing, language())
        return [None if one.points is None else language().number(one.points) for one in typed]
    if game.rules.family == "gin":
        lines = (line.facts for line in verdict.score.lines if line.reason == "deadwood")
        held = {facts["of"]: language().words(facts["held"]) for facts in lines}
        return [held.get(seat) for seat in range(len(game.players))]
    return list(pad.points_by_side(game, verdict.score, language()))


def _stands(game: Game, seat: int) -> str:
    """Return the total of a player's side in words, to check that it is the right one."""
    side, measure = seat % game.sheet.sides, game.rules.rank.measure
    leads = "leads" if side in game.sheet.leaders else "stands"
    total = pad.shown_as(game.sheet.tallies[side].of(measure), measure, language())
    return language()(f"pages.entry.{leads}", total=total)


def _rates(game: Game) -> dict[str, object]:
    """Return the rates as mappings, without what is off; ``asdict`` would copy every number."""
    found = vars(rates(game.rules, order_of(game)))
    found = found | {name: found[name] and vars(found[name]) for name in ("gin", "knock")}
    return {name: rate for name, rate in found.items() if rate is not None and rate is not False}


def _hints(field: Field, game: Game, notation: str) -> list[str]:
    """Return what to know about a field: in general, in this notation, in this family."""
    lang, name = language(), field.name
    hint = f"pages.entry.hint.{name}"
    hints = (hint, f"{hint}.{notation}", f"{hint}.{game.rules.family}")
    return [lang(one) for one in hints if one in lang]


def _unfolded(layout: EntryLayout, form: forms.Fields, verdict: Verdict) -> set[int]:
    """Return the seats whose folded fields hold something."""
    folded = {field.name for field in layout.folded}
    used = {name for name, text in form.items() if text} | set(verdict.faults)
    parts = (name.rpartition("-") for name in used)
    return {int(seat) for name, _, seat in parts if name in folded and seat.isdecimal()}


def knock_limit(game: Game, form: forms.Fields) -> int | None:
    """Return the most points with which a player may knock; None if unlimited or not known yet."""
    rules = game.rules
    if rules.family != "gin":
        return rules.knock.limit if rules.family == "knock" else None
    if not rules.gin.oklahoma:
        return rules.gin.knock_limit
    try:
        (card,), _ = read_cards(form.get("oklahoma_card", ""), language().notation)
    except (RuleError, ValueError):
        return None
    return gin.knock_limit(Round(outcome="knock", oklahoma_card=card), rules)


def empty_form(game: Game) -> dict[str, str]:
    """Return an empty form in the table's way of entry, without the players not expected."""
    form = {"outcome": EntryLayout(game.rules).outcome, "notation": language().notation}
    way, expected = _known_way(game) or "points", game.sheet.expected
    for seat in range(len(game.players)):
        form[f"way-{seat}"] = way
        if seat not in expected and seat not in game.sheet.standing.out:
            form[f"absent-{seat}"] = "yes"
    return form


def _wanted(game: Game) -> dict[str, str]:
    """Return the player who ended the round and the notation of a draft, as the URL names them."""
    ended, notation = request.args.get("ender", ""), request.args.get("notation")
    wanted: dict[str, str] = {}
    layout, seat = EntryLayout(game.rules), whole_or_none(ended)
    is_seat = seat is not None and seat < len(game.players)
    if is_seat or (ended == NOBODY and layout.asks_nobody):
        wanted[layout.ender] = ended
    if notation and notation in NAMES:
        wanted["notation"] = notation
    return wanted


def _usual_way(game: Game) -> str:
    """Return the way of entry used most in the latest round with cards or points, or nothing."""
    for row in reversed(game.sheet.rows):
        ways = Counter(filter(None, map(forms.way_of, row.round.seats)))
        if row.struck_at is None and ways:
            return ways.most_common(1)[0][0]
    return ""


def _known_way(game: Game) -> str:
    """Return the table's way of entry, at first that of this phone's last evening; or nothing."""
    return _usual_way(game) or next(filter(None, map(_usual_way, _last_evenings(game))), "")


def _last_evenings(game: Game) -> Iterator[Game]:
    """Return the games that this phone followed last, other than this one."""
    browser = context.browser()
    held = ledger().rights.books_of(browser, "game")[:3] if browser else []
    return ledger().readable(Game, [book for book, _ in held if book != game.id])


# ---- one round -----------------------------------------------------------------------


@pages.get("/g/<game_id>/round/<int:number>")
def one_round(game_id: str, number: int) -> str:
    """Explain each number of a round, and show what it was before corrections."""
    game = game_or_404(game_id)
    row = row_or_404(game, number)
    lang = language()
    return page(
        "round.html",
        game=game,
        row=row,
        line=pad.line(game, row, lang),
        how_sure=how_sure(game, row.round, row.score, lang),
        receipts=receipts(game, row),
        why=rules_behind(game, row.score),
        warnings=[lang.problem(found, game.players) for found in row.score.warnings],
        earlier=[(version, points_in_words(game, version.score)) for version in row.earlier],
    )


def points_in_words(game: Game, score: RoundScore) -> str:
    """Return the points of a score in words, such as ``Anna 0, Bernd 15``."""
    if not score.counts:
        return language()(f"pages.board.{score.outcome}")
    numbers = pad.points_by_side(game, score, language())
    return ", ".join(map(NBSP.join, zip(game.sides, numbers, strict=False)))
