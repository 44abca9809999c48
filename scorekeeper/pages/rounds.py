"""Entering a round, reading why it counts what it counts, correcting and striking it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from flask import abort, redirect, request, url_for
from werkzeug.wrappers import Response

from scorekeeper import service
from scorekeeper.context import language, ledger
from scorekeeper.domain.cards import Card
from scorekeeper.domain.errors import Problem, RuleError
from scorekeeper.domain.game import Game
from scorekeeper.domain.melds import card_value
from scorekeeper.domain.rounds import RoundScore, ScoreLine
from scorekeeper.domain.sheet import Row
from scorekeeper.pages import forms, pad
from scorekeeper.pages.blueprint import (
    changed_meanwhile,
    form_key,
    form_version,
    game_or_404,
    page,
    pages,
)
from scorekeeper.schemas import Entry, dump_round, load_round
from scorekeeper.store.ledger import KeyReused

Answer = str | tuple[str, int] | Response


@dataclass(frozen=True)
class Verdict:
    """What the rules make of the fields as they are now."""

    entry: Entry | None = None
    score: RoundScore | None = None
    """Also while something is missing: then the missing count nothing yet."""
    missing: Sequence[int] = ()
    asks_winner: bool = False
    faults: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """What refuses the round, by field; under no name what is about all of it."""
    warnings: Sequence[str] = ()

    @property
    def ready(self) -> bool:
        """Whether the round can be saved as it stands."""
        return self.score is not None and not self.missing


def judge(game: Game, form: forms.Fields) -> Verdict:
    """Read the fields of the entry form and price what they say."""
    body = forms.round_body(form, len(game.players), game.rules)
    missing = forms.missing(body)
    asks_winner = body["outcome"] == "out" and "winner" not in body
    for seat in missing:
        body["seats"][seat] = {**body["seats"][seat], "points": 0}
    try:
        entry = load_round(body)
        score = service.preview_round(game, entry.round, entry.warnings)
    except RuleError as error:
        asked = [("winner",)] if asks_winner else []
        faults = faults_by_field([one for one in error.problems if one.path not in asked], game)
        return Verdict(missing=missing, asks_winner=asks_winner, faults=faults)
    about_missing = [("seats", seat) for seat in missing]
    warnings = [
        language().problem(found, game.players)
        for found in score.warnings
        if found.path[:2] not in about_missing
    ]
    return Verdict(entry, score, missing=missing, warnings=warnings)


def faults_by_field(problems: Sequence[Problem], game: Game) -> dict[str, list[str]]:
    """Every finding in words, at the field that it is about."""
    faults: dict[str, list[str]] = {}
    for found in problems:
        words = faults.setdefault(forms.round_field(found.path), [])
        sentence = language().problem(found, game.players)
        if sentence not in words:
            words.append(sentence)
    return faults


# ---- entry ---------------------------------------------------------------------------


@pages.route("/g/<game_id>/round", methods=["GET", "POST"])
def entry(game_id: str) -> Answer:
    """Enter the next round: look first, then save."""
    game = game_or_404(game_id)
    number = len(game.sheet.rows) + 1
    if request.method == "GET":
        return entry_page(game, number, _empty_form(game))
    verdict = judge(game, request.form)
    if request.form.get("do") != "save":
        return entry_page(game, number, request.form, verdict)
    if not verdict.ready or verdict.entry is None:
        return entry_page(game, number, request.form, verdict), 422
    try:
        service.record_round(
            ledger(),
            game_id,
            verdict.entry.round,
            wire=dump_round(verdict.entry.round),
            key=form_key(),
            noticed=verdict.entry.warnings,
            expect=form_version(),
        )
    except service.Stale:
        return entry_page(game, number, request.form, verdict, notice="stale"), 409
    except KeyReused:
        return entry_page(game, number, request.form, verdict, notice="saved_before"), 422
    except RuleError as error:
        refused = replace(verdict, score=None, faults=faults_by_field(error.problems, game))
        return entry_page(game, number, request.form, refused), 422
    return redirect(url_for("pages.board", game_id=game_id, _anchor="next"), 303)


@pages.route("/g/<game_id>/round/<int:number>/correct", methods=["GET", "POST"])
def correct(game_id: str, number: int) -> Answer:
    """Write a round again; what stood there stays readable."""
    game = game_or_404(game_id)
    row = _row_or_404(game, number)
    if request.method == "GET":
        wire = service.round_as_declared(game, row)
        return entry_page(game, number, forms.round_form(wire, _notation()), row=row)
    verdict = judge(game, request.form)
    if request.form.get("do") != "save":
        return entry_page(game, number, request.form, verdict, row=row)
    if not verdict.ready or verdict.entry is None:
        return entry_page(game, number, request.form, verdict, row=row), 422
    try:
        service.correct_round(
            ledger(),
            game_id,
            number,
            verdict.entry.round,
            wire=dump_round(verdict.entry.round),
            noticed=verdict.entry.warnings,
            expect=form_version(),
            key=form_key(),
        )
    except service.Stale:
        return entry_page(game, number, request.form, verdict, row=row, notice="stale"), 409
    except KeyReused:
        return entry_page(game, number, request.form, verdict, row=row, notice="saved_before"), 422
    return redirect(url_for("pages.one_round", game_id=game_id, number=number), 303)


def entry_page(
    game: Game,
    number: int,
    form: forms.Fields,
    verdict: Verdict | None = None,
    *,
    row: Row | None = None,
    notice: str = "",
) -> str:
    """The entry form with what was typed, what it comes to and what is wrong with it."""
    verdict = verdict or (judge(game, form) if row else Verdict())
    return page(
        "entry.html",
        game=game,
        number=number,
        form=form,
        verdict=verdict,
        cells=_cells(game, verdict),
        missing=language().all_of(game.players[seat] for seat in verdict.missing),
        row=row,
        notice=notice,
    )


def _cells(game: Game, verdict: Verdict) -> list[str | None]:
    """By seat: the points as far as they are known."""
    measure = game.rules.rank.measure
    if not (verdict.score and verdict.score.counts):
        return [None] * len(game.players)
    return [
        pad.shown_as(getattr(points, measure), measure, language()) if points else "–"
        for points in verdict.score.scores
    ]


def _empty_form(game: Game) -> dict[str, str]:
    """Nothing typed yet; every player as he was last entered, who was away still is."""
    form = {"outcome": "out", "notation": _notation()}
    rows = [row for row in game.sheet.rows if row.struck_at is None]
    for seat in range(len(game.players)):
        said_of = [
            row.facts["seats"][seat] for row in rows if seat < len(row.facts.get("seats", ()))
        ]
        ways = filter(None, map(forms.way_of, reversed(said_of)))
        form[f"way-{seat}"] = next(ways, "points")
        if said_of and said_of[-1].get("absent") and rows[-1].facts.get("seats"):
            form[f"absent-{seat}"] = "yes"
    return form


def _notation() -> str:
    return forms.NOTATIONS.get(language().code, "en")


# ---- one round -----------------------------------------------------------------------


@dataclass(frozen=True)
class Reason:
    """One line of the receipt in words, with the cards behind it."""

    words: str
    amount: str
    cards: Sequence[Card] = ()
    sum: str = ""
    """What the cards count: ``10 + 9 + 11 + 20``."""


@dataclass(frozen=True)
class Receipt:
    """Why a side got its points."""

    name: str
    points: str
    reasons: Sequence[Reason]


@pages.get("/g/<game_id>/round/<int:number>")
def one_round(game_id: str, number: int) -> str:
    """Why each number of a round stands where it stands, and what stood there before."""
    game = game_or_404(game_id)
    row = _row_or_404(game, number)
    lang = language()
    return page(
        "round.html",
        game=game,
        row=row,
        line=pad.line(game, row, lang),
        heads=pad.heads(game, lang),
        receipts=receipts(game, row.score),
        why=rules_behind(row.score),
        warnings=[lang.problem(found, game.players) for found in row.score.warnings],
        earlier=[(version, points_in_words(game, version.score)) for version in row.earlier],
    )


def points_in_words(game: Game, score: RoundScore) -> str:
    """``Anna 0, Bernd 15``: what a score gives everyone."""
    measure = game.rules.rank.measure
    if not score.counts:
        return language()(f"pages.board.{score.outcome}")
    return ", ".join(
        f"{name} {pad.shown_as(getattr(points, measure), measure, language()) if points else '–'}"
        for name, points in zip(game.sides, score.scores, strict=False)
    )


def receipts(game: Game, score: RoundScore) -> list[Receipt]:
    """The lines of a score, by side, in words."""
    measure = game.rules.rank.measure
    return [
        Receipt(
            name=game.sides[side],
            points=pad.shown_as(getattr(points, measure), measure, language()),
            reasons=[_reason(game, line) for line in score.lines if line.seat == side],
        )
        for side, points in enumerate(score.scores)
        if points is not None
    ]


def _reason(game: Game, line: ScoreLine) -> Reason:
    lang, cards = language(), line.facts.get("cards")
    if not (isinstance(cards, tuple) and cards):
        return Reason(lang.reason(line, game.sides), _amount(game, line))
    of = line.facts.get("of")
    return Reason(
        words=lang(
            f"pages.why.cards.{line.reason}", player=game.sides[of] if isinstance(of, int) else ""
        ),
        amount=_amount(game, line),
        cards=cards,
        sum=" + ".join(str(card_value(card, game.rules)) for card in cards),
    )


def _amount(game: Game, line: ScoreLine) -> str:
    """Minus points bare where they are what is counted, everything else with its sign."""
    if line.reduction:
        return language().number(-line.reduction)
    if line.minus and game.rules.rank.measure == "minus":
        return language().number(line.minus)
    return language().number(line.plus - line.minus, signed=True)


def rules_behind(score: RoundScore) -> list[str]:
    """The rules that a score rests on, each once, with where they come from."""
    reasons = dict.fromkeys(line.reason for line in score.lines)
    return [language()(f"pages.why.{reason}") for reason in reasons]


@pages.post("/g/<game_id>/round/<int:number>/strike")
def strike(game_id: str, number: int) -> Response:
    """Strike a round out; the board offers to put it back."""
    return _cross(game_id, number, strike=True)


@pages.post("/g/<game_id>/round/<int:number>/restore")
def restore(game_id: str, number: int) -> Response:
    """Let a struck round count again."""
    return _cross(game_id, number, strike=False)


def _cross(game_id: str, number: int, *, strike: bool) -> Response:
    _row_or_404(game_or_404(game_id), number)
    cross = service.strike_round if strike else service.restore_round
    key, version = form_key(), form_version()
    if changed_meanwhile(lambda: cross(ledger(), game_id, number, expect=version, key=key)):
        return redirect(url_for("pages.board", game_id=game_id, notice="stale"), 303)
    undone = number if strike else None
    return redirect(url_for("pages.board", game_id=game_id, undone=undone, _anchor="next"), 303)


def _row_or_404(game: Game, number: int) -> Row:
    try:
        return game.sheet.row(number)
    except KeyError:
        abort(404)
