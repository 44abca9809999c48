"""The referee's verdicts: as text for terminals, as JSON lines for batches."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from marshmallow import Schema

from scorekeeper.domain.cards.card import Card
from scorekeeper.domain.errors import Problem, RuleError, has_errors
from scorekeeper.domain.melds import Meld, first_meld_points
from scorekeeper.domain.referee.remedies import remedies
from scorekeeper.domain.rules import RuleSet
from scorekeeper.domain.solver import Arrangement
from scorekeeper.i18n import Language
from scorekeeper.i18n.findings import clause_words, finding, rule_behind
from scorekeeper.wire.referee import HandQuestion, MeldQuestion, TurnQuestion
from scorekeeper.wire.referee_answers import instead_words, remedy_words
from scorekeeper.wire.strict import load, read_json

INDENT = "  "


# ---- in words ------------------------------------------------------------------------


def meld_lines(question: MeldQuestion, lang: Language) -> Iterator[str]:
    """Yield whether cards are a meld, why, and what would make them one."""
    verdict = question.judge()
    if verdict.meld and verdict.is_valid:
        kind = lang(f"pages.meld.{verdict.meld.kind}")
        worth = lang("referee.worth", points=verdict.meld.points)
        yield f"{lang('referee.is_meld', kind=kind)} {worth}"
        yield INDENT + _meld(verdict.meld, lang)
        for clause in verdict.grounds:
            yield INDENT + lang("referee.rule", rule=clause_words(clause, lang, question.rules))
    else:
        yield lang("referee.is_none")
        for problem in verdict.problems:
            yield from _problem_lines(problem, question.rules, lang)
    if verdict.first and verdict.first.is_enough:
        facts = {"reached": verdict.first.reached, "needed": verdict.first.needed}
        yield lang("referee.first_enough", **facts)
    yield from _remarks((*question.remarks, *verdict.warnings), lang)
    for remedy in verdict.remedies:
        yield remedy_words(remedy, lang)
    if verdict.others:
        yield lang("referee.also" if verdict.meld else "referee.laid_so")
        for meld in verdict.others:
            yield f"{INDENT}{_meld(meld, lang)}{lang.sign(':')} {lang.number(meld.points)}"


def hand_lines(question: HandQuestion, lang: Language) -> Iterator[str]:
    """Yield the best arrangement of a hand, possible first melds, and ways to go out."""
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
            laid = lang.clauses(_meld(meld, lang) for meld in getattr(verdict.first, name))
            yield f"{INDENT}{lang(f'referee.{name}')}{lang.sign(':')} {laid}"
    elif verdict.needed:
        yield lang("referee.cannot_begin", needed=verdict.needed)
    if verdict.contract:
        need = lang.contract(" ".join(map(str, verdict.contract)))
        yield lang(f"referee.contract_{'complete' if verdict.has_contract else 'open'}", need=need)
    discards = [way.discard for way in verdict.ways_out if way.discard]
    if discards:
        yield lang("referee.out_with", cards=discards)
    if len(discards) < len(verdict.ways_out):
        yield lang("referee.out_without")
    if not verdict.ways_out:
        yield lang("referee.not_out")
    yield from _remarks(question.remarks, lang)


def turn_lines(question: TurnQuestion, lang: Language) -> Iterator[str]:
    """Yield whether a turn was allowed, the rules it broke, and what would be allowed."""
    found = question.judge()
    yield lang("referee.refused" if has_errors(found) else "referee.allowed")
    for problem in found:
        yield from _problem_lines(problem, question.rules, lang)
        allowed = remedies(problem, question.turn, question.rules)
        if allowed:
            yield INDENT + lang("turn.instead")
        for one in allowed:
            yield f"{INDENT * 2}{instead_words(one, lang)}"
    yield from _remarks(question.remarks, lang)


def _arranged(arrangement: Arrangement, lang: Language) -> Iterator[str]:
    for meld in arrangement.melds:
        yield f"{INDENT}{lang(f'pages.meld.{meld.kind}')}{lang.sign(':')} {_meld(meld, lang)}"
    for card, number in arrangement.layoffs:
        on = lang("referee.on_meld", number=number + 1)
        yield f"{INDENT}{_card(card.physical, card.stands_for, lang)} {on}"
    if arrangement.rest:
        rest = " ".join(map(lang.card, arrangement.rest))
        yield f"{INDENT}{lang('referee.rest')}{lang.sign(':')} {rest}"


def _meld(meld: Meld, lang: Language) -> str:
    places = ((place.card, place.at if place.is_wild else None) for place in meld.places)
    return " ".join(_card(card, at, lang) for card, at in places)


def _card(card: Card, at: Card | None, lang: Language) -> str:
    """Return a card: ``♥10``, or ``Joker=♥10`` for a wild card."""
    return f"{lang.card(card)}={lang.card(at)}" if at else lang.card(card)


def _problem_lines(problem: Problem, rules: RuleSet, lang: Language) -> Iterator[str]:
    yield INDENT + lang.problem(problem)
    if rule := rule_behind(problem, lang, rules):
        yield INDENT + lang("referee.rule", rule=rule)


def _remarks(remarks: Sequence[Problem], lang: Language) -> Iterator[str]:
    for remark in remarks:
        yield f"{lang('pages.check')} {lang.problem(remark)}"


# ---- in batches ----------------------------------------------------------------------


def answers(
    lines: Iterable[bytes], schema: Schema, defaults: dict[str, Any], lang: Language
) -> Iterator[dict[str, Any]]:
    """Yield one answer for each line that is not blank, in order.

    A line is the body of a REST call; ``defaults`` supplies what it leaves out. The answer to
    an invalid line is its number and its problems.
    """
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        rules = None
        try:
            body = read_json(line)
            if isinstance(body, dict):
                body = {**defaults, **body}
            question = load(schema, body)
            rules = question.rules
            yield question.answer(lang)
        except RuleError as error:
            problems = [finding(problem, lang, (), rules) for problem in error.problems]
            yield {"line": number, "problems": problems}
