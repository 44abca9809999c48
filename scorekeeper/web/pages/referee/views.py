"""The referee: checks of melds, hands and turns; nothing is stored."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from flask import request

from scorekeeper.domain.cards.card import JOKER
from scorekeeper.domain.errors import Problem, RuleError, Where, has_errors
from scorekeeper.domain.game.dealers import left_of
from scorekeeper.domain.game.state import Game
from scorekeeper.domain.melds import first_meld_points
from scorekeeper.domain.referee.turn import draws_two
from scorekeeper.domain.referee.verdicts import HandVerdict, MeldVerdict
from scorekeeper.domain.rules import RuleSet
from scorekeeper.domain.rules.presets import PRESETS, preset
from scorekeeper.i18n.findings import clause_words, rule_behind
from scorekeeper.web.background import search_exactly
from scorekeeper.web.context import language
from scorekeeper.web.pages.amounts import whole_or_none
from scorekeeper.web.pages.blueprint import faults_of, game_or_404, page, pages
from scorekeeper.web.pages.entry import fields as forms
from scorekeeper.web.pages.entry.keys import Key, pack_keys
from scorekeeper.web.pages.new_game import fields as game_forms
from scorekeeper.web.pages.referee.asked import asked_round
from scorekeeper.web.pages.referee.turns import ROWS, judge_turn, sources_of
from scorekeeper.wire.referee import HandQuestionSchema, MeldQuestionSchema, TurnQuestionSchema
from scorekeeper.wire.referee_answers import remedy_words
from scorekeeper.wire.strict import StrictSchema, load

TURN = ("before", "own", "hand_used", "after", "to_hand")
"""The fields of a turn; filling in any of them asks for a check."""
SOURCES = ("000", "001", "002", "003", "004", "dec")


@dataclass(frozen=True)
class Ruling:
    """The answer of the rules to the current input."""

    meld: MeldVerdict | None = None
    hand: HandVerdict | None = None
    turn: tuple[Problem, ...] | None = None
    remarks: tuple[Problem, ...] = ()
    faults: Mapping[str, list[str]] = field(default_factory=dict)
    """Why input cannot be read, by field."""

    @property
    def refuses_turn(self) -> bool:
        """Whether the turn breaks a rule; warnings alone do not."""
        return has_errors(self.turn or ())


@pages.route("/referee", methods=["GET", "POST"])
def referee() -> str:
    """Judge by the rules of any system, without a game."""
    name = request.values.get("preset", "")
    return _page(preset(name if name in PRESETS else game_forms.FIRST_PRESET))


@pages.route("/g/<game_id>/referee", methods=["GET", "POST"])
def table_referee(game_id: str) -> str:
    """Judge by the rules of this table."""
    game = game_or_404(game_id)
    return _page(game.rules, game)


def _page(rules: RuleSet, game: Game | None = None) -> str:
    """Render the page for a turn, or the one for melds and hands."""
    reads, lang = request.method != "POST", language()
    form = {"notation": lang.notation, **request.values.to_dict()}
    form["notation"] = forms.notation_of(form)
    form.setdefault("ask", "turn" if game and reads and not request.args else "meld")
    asked = asked_round(rules, form, game, lang)
    rules = asked.rules
    shown = {
        "game": game,
        "rules": rules,
        "asked": asked,
        "pack": pack_keys(form["notation"]),
        "joker": Key(JOKER, str(JOKER)),
        "rule_behind": lambda problem: rule_behind(problem, lang, rules),
    }
    if form["ask"] == "turn":
        ruling = judge_turn(rules, form, asked.facts, lang)
        return page(
            "referee_turn.html",
            form=form,
            ruling=ruling,
            answers=ruling.answers,
            rows=range(ROWS),
            sources=sources_of(rules),
            two_cards=draws_two(rules, asked.facts.get("players")),
            next_player=_next_player(form, game),
            **shown,
        )
    form = {"has_laid": "yes", **form} if reads else form
    return page(
        "referee.html",
        form=form,
        ruling=judge(rules, form, asked.facts),
        points_of=lambda melds: first_meld_points(melds, rules),
        sources=SOURCES,
        clause_words=lambda clause: clause_words(clause, lang, rules),
        remedy_words=lambda remedy: remedy_words(remedy, lang),
        **shown,
    )


def _next_player(form: forms.Fields, game: Game | None) -> int | None:
    """Return who plays after the chosen player."""
    seat = whole_or_none(form.get("who", ""))
    if game is None or seat is None or seat not in game.sheet.clockwise:
        return None
    return left_of(seat, game.sheet.expected, game.sheet.clockwise)


def judge(rules: RuleSet, form: forms.Fields, about: Mapping[str, Any]) -> Ruling:
    """Check the cards of the form, and its turn if one is described.

    ``about`` is what is known about the round.
    """
    ruling, by = Ruling(), {**about, "rules": rules, "notation": form["notation"]}
    if form.get("cards", "").strip():
        ruling = _of_meld(form, by) if form.get("ask") != "hand" else _of_hand(form, by)
    if any(form.get(name, "").strip() for name in TURN):
        turn = _of_turn(form, by)
        faults = {**ruling.faults, **turn.faults}
        ruling = replace(ruling, turn=turn.turn, faults=faults)
    return ruling


def _of_meld(form: forms.Fields, by: Mapping[str, Any]) -> Ruling:
    body = {"cards": form["cards"], "first": bool(form.get("first"))}
    return _judged("meld", MeldQuestionSchema(), {**by, **body})


def _of_hand(form: forms.Fields, by: Mapping[str, Any]) -> Ruling:
    body = {
        "cards": form["cards"],
        "table": forms.lines(form.get("table", "")),
        "has_laid": bool(form.get("laid_before")),
    }
    return _judged("hand", HandQuestionSchema(), {**by, **body})


def _of_turn(form: forms.Fields, by: Mapping[str, Any]) -> Ruling:
    others = forms.lines(form.get("before", ""))
    own = [{"cards": line, "own": True} for line in forms.lines(form.get("own", ""))]
    body = {
        "before": [*others, *own],
        "hand_used": form.get("hand_used", ""),
        "after": forms.lines(form.get("after", "")),
        "to_hand": form.get("to_hand", ""),
        "has_laid": bool(form.get("has_laid")),
    }
    return _judged("turn", TurnQuestionSchema(), {**by, **body}, len(others))


def _judged(what: str, schema: StrictSchema, body: Mapping[str, Any], others: int = 0) -> Ruling:
    """Return the answer to a question about ``what``, or why it cannot be read."""
    try:
        question = load(schema, body)
        return Ruling(**{what: search_exactly(question.judge)}, remarks=question.remarks)
    except RuleError as error:
        return Ruling(faults=faults_of(error.problems, lambda place: _field(place, others)))


def _field(place: Where, others: int) -> str:
    """Return the field of a path; own melds follow the others' but have a field of their own."""
    match place:
        case ("before", int(index), *_) if index >= others:
            return "own"
        case (str(name), *_):
            return name
    return "cards"
