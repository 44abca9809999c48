"""Answers of the referee as JSON, to the questions of ``referee``."""

from collections.abc import Sequence
from typing import Any

from scorekeeper.domain.cards.notation import write_cards
from scorekeeper.domain.errors import Problem
from scorekeeper.domain.melds import Meld, first_meld_points
from scorekeeper.domain.referee.facts import Turn
from scorekeeper.domain.referee.remedies import Instead, remedies
from scorekeeper.domain.referee.verdicts import HandVerdict, MeldVerdict, Remedy
from scorekeeper.domain.rules import RuleSet
from scorekeeper.domain.solver import Arrangement
from scorekeeper.i18n import Language
from scorekeeper.i18n.findings import clause_words, finding


def reading_answer(meld: Meld) -> dict[str, Any]:
    """Return a meld with its cards and what each of them stands for."""
    return {
        "kind": meld.kind,
        "points": meld.points,
        "cards": [
            {
                "card": str(place.card.physical),
                "stands_for": str(place.at) if place.is_wild else None,
            }
            for place in meld.places
        ],
    }


def meld_answer(
    verdict: MeldVerdict, rules: RuleSet, remarks: Sequence[Problem], lang: Language
) -> dict[str, Any]:
    """Return whether cards are a meld, which one and why, and what would make it right."""
    nothing: dict[str, Any] = {"kind": None, "points": None, "cards": []}
    reading = reading_answer(verdict.meld) if verdict.meld else nothing
    first = verdict.first
    return {
        "valid": verdict.is_valid,
        **reading,
        "readings": [reading_answer(meld) for meld in verdict.readings],
        "reasons": [
            {"clause": clause, "message": clause_words(clause, lang, rules)}
            for clause in verdict.grounds
        ],
        "first_meld": first
        and {"reached": first.reached, "needed": first.needed, "enough": first.is_enough},
        "fixes": [
            {
                "how": remedy.how,
                "cards": write_cards(remedy.cards),
                "message": remedy_words(remedy, lang),
            }
            for remedy in verdict.remedies
        ],
        "problems": [
            finding(problem.under("cards"), lang, (), rules) for problem in verdict.problems
        ],
        "warnings": [
            *(finding(remark, lang, (), rules) for remark in remarks),
            *(finding(warning.under("cards"), lang, (), rules) for warning in verdict.warnings),
        ],
    }


def remedy_words(remedy: Remedy, lang: Language) -> str:
    """Return a fix in words."""
    cards = remedy.cards
    return lang(f"fix.{remedy.how}", cards=cards, card=cards[0], other=cards[-1])


def hand_answer(
    verdict: HandVerdict, rules: RuleSet, remarks: Sequence[Problem], lang: Language
) -> dict[str, Any]:
    """Return the best arrangement of a hand, its first melds, and the ways to go out."""
    return {
        **arrangement_answer(verdict.best),
        "first_meld": _first_answer(verdict, rules) if verdict.needed else None,
        "ways_out": [
            {"discard": way.discard and str(way.discard), **arrangement_answer(way.arrangement)}
            for way in verdict.ways_out
        ],
        "warnings": [finding(remark, lang, (), rules) for remark in remarks],
    } | ({"contract": _contract_answer(verdict)} if verdict.contract else {})


def _first_answer(verdict: HandVerdict, rules: RuleSet) -> dict[str, Any]:
    answer: dict[str, Any] = {"needed": verdict.needed, "cheapest": None, "dearest": None}
    if verdict.first:
        for name in ("cheapest", "dearest"):
            melds = getattr(verdict.first, name)
            points = first_meld_points(melds, rules)
            answer[name] = {"points": points, "melds": [reading_answer(meld) for meld in melds]}
    return answer


def _contract_answer(verdict: HandVerdict) -> dict[str, Any]:
    need = " ".join(map(str, verdict.contract))
    return {"need": need, "complete": verdict.has_contract}


def arrangement_answer(arrangement: Arrangement) -> dict[str, Any]:
    """Return melds, lay-offs and the rest of an arrangement."""
    return {
        "points": arrangement.points,
        "melds": [reading_answer(meld) for meld in arrangement.melds],
        "layoffs": [{"card": str(card), "meld": meld} for card, meld in arrangement.layoffs],
        "rest": write_cards(arrangement.rest),
    }


def turn_finding(problem: Problem, turn: Turn, rules: RuleSet, lang: Language) -> dict[str, Any]:
    """Return a problem with a turn, with allowed alternatives."""
    fixes = [
        {
            "how": remedy.key,
            "cards": write_cards(remedy.cards),
            "on": write_cards(remedy.on),
            "message": instead_words(remedy, lang),
        }
        for remedy in remedies(problem, turn, rules)
    ]
    return finding(problem, lang, (), rules) | {"fixes": fixes}


def instead_words(remedy: Instead, lang: Language) -> str:
    """Return an alternative in words."""
    return lang(f"instead.{remedy.key}", cards=remedy.cards, on=remedy.on)
