"""The referee in a terminal: verdicts as lines of text, batches as lines of JSON."""

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from marshmallow import Schema

from scorekeeper.domain.cards import Card
from scorekeeper.domain.checks import has_errors
from scorekeeper.domain.errors import Problem, RuleError
from scorekeeper.domain.melds import Meld, first_meld_points
from scorekeeper.domain.solver import Arrangement
from scorekeeper.domain.turn import WholeTurn, remedies
from scorekeeper.i18n import Language
from scorekeeper.i18n.findings import clause_words, finding, rule_behind
from scorekeeper.services.referee import (
    HandQuestion,
    MeldQuestion,
    TurnQuestion,
    instead_words,
    remedy_words,
)
from scorekeeper.wire.strict import load, read_json

INDENT = "  "


# ---- in words ------------------------------------------------------------------------


def meld_lines(question: MeldQuestion, lang: Language) -> Iterator[str]:
    """Whether cards are a meld, why, and what would make it right."""
    verdict = question.judge()
    if verdict.meld and verdict.is_valid:
        kind = lang(f"referee.{verdict.meld.kind}")
        worth = lang("referee.worth", points=verdict.meld.points)
        yield f"{lang('referee.is_meld', kind=kind)} {worth}"
        yield INDENT + _meld(verdict.meld, lang)
        for clause in verdict.grounds:
            yield INDENT + lang("referee.rule", rule=clause_words(clause, lang))
    else:
        yield lang("referee.is_none")
        for problem in verdict.problems:
            yield from _found(problem, lang)
    if verdict.first and verdict.first.is_enough:
        facts = {"reached": verdict.first.reached, "needed": verdict.first.needed}
        yield lang("referee.first_enough", **facts)
    yield from _remarks((*question.remarks, *verdict.warnings), lang)
    for remedy in verdict.remedies:
        yield remedy_words(remedy, lang)
    if verdict.others:
        yield lang("referee.also" if verdict.meld else "referee.laid_so")
        for meld in verdict.others:
            yield f"{INDENT}{_meld(meld, lang)}: {lang.number(meld.points)}"


def hand_lines(question: HandQuestion, lang: Language) -> Iterator[str]:
    """The best arrangement of a hand, what it can begin with, how it can go out."""
    verdict, rules = question.judge(), question.rules
    best = verdict.best
    yield lang("referee.left", points=best.points) if best.rest else lang("referee.all_melded")
    yield from _arranged(best, lang)
    if verdict.first:
        worth = {
            name: first_meld_points(getattr(verdict.first, name), rules)
            for name in ("cheapest", "dearest")
        }
        yield lang("referee.can_begin", needed=verdict.needed, **worth)
        for name in worth:
            melds = (_meld(meld, lang) for meld in getattr(verdict.first, name))
            yield f"{INDENT}{lang(f'referee.{name}')}: {'; '.join(melds)}"
    elif verdict.needed:
        yield lang("referee.cannot_begin", needed=verdict.needed)
    discards = [way.discard for way in verdict.ways_out if way.discard]
    if discards:
        yield lang("referee.out_with", cards=discards)
    if len(discards) < len(verdict.ways_out):
        yield lang("referee.out_without")
    if not verdict.ways_out:
        yield lang("referee.not_out")
    yield from _remarks(question.remarks, lang)


def turn_lines(question: TurnQuestion, lang: Language) -> Iterator[str]:
    """Whether a turn was allowed, by which rule not, and what would be allowed."""
    found = question.judge()
    yield lang("referee.refused" if has_errors(found) else "referee.allowed")
    for problem in found:
        yield from _found(problem, lang)
        allowed = remedies(problem, question.turn, question.rules)
        if allowed:
            yield INDENT + lang("turn.instead")
        for one in allowed:
            yield f"{INDENT * 2}{instead_words(one, lang)}"
    yield from _remarks(question.remarks, lang)


def drawn_words(turn: WholeTurn, lang: Language) -> Iterator[str]:
    """What was drawn, card by card: ``from the discard pile 7♣``."""
    for one in turn.drawn or ():
        card = f" {lang.card(one.card)}" if one.card else ""
        yield lang(f"turn.from.{one.source}") + card


def _arranged(arrangement: Arrangement, lang: Language) -> Iterator[str]:
    for meld in arrangement.melds:
        yield f"{INDENT}{lang(f'referee.{meld.kind}')}: {_meld(meld, lang)}"
    for card, number in arrangement.layoffs:
        on = lang("referee.on_meld", number=number + 1)
        yield f"{INDENT}{_card(card.physical, card.stands_for, lang)} {on}"
    if arrangement.rest:
        yield f"{INDENT}{lang('referee.rest')}: {' '.join(map(lang.card, arrangement.rest))}"


def _meld(meld: Meld, lang: Language) -> str:
    places = ((place.card, place.at if place.is_wild else None) for place in meld.places)
    return " ".join(_card(card, at, lang) for card, at in places)


def _card(card: Card, at: Card | None, lang: Language) -> str:
    """``♥10``; a wild card with what it is: ``Joker=♥10``."""
    return f"{lang.card(card)}={lang.card(at)}" if at else lang.card(card)


def _found(problem: Problem, lang: Language) -> Iterator[str]:
    yield INDENT + lang.problem(problem)
    if rule := rule_behind(problem, lang):
        yield INDENT + lang("referee.rule", rule=rule)


def _remarks(remarks: Sequence[Problem], lang: Language) -> Iterator[str]:
    for remark in remarks:
        yield f"{lang('pages.check')} {lang.problem(remark)}"


# ---- in batches ----------------------------------------------------------------------


def answers(
    lines: Iterable[bytes], schema: Schema, usual: dict[str, Any], lang: Language
) -> Iterator[dict[str, Any]]:
    """One answer for each line that is not blank, in their order.

    A line is the body of the API's call; what it leaves out is as in ``usual``. A line that
    cannot be answered is answered with its number and what is wrong with it.
    """
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            body = read_json(line)
            if isinstance(body, dict):
                body = {**usual, **body}
            yield load(schema, body).answer(lang)
        except RuleError as error:
            yield {"line": number, "problems": [finding(one, lang) for one in error.problems]}


def is_refusal(answer: dict[str, Any]) -> bool:
    """Whether a line could not be answered."""
    return "line" in answer


def json_line(answer: dict[str, Any]) -> str:
    """An answer as one line."""
    return json.dumps(answer, ensure_ascii=False, separators=(",", ":"))
