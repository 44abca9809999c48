"""A finding as a program reads it: code, words, place, facts, and the rule behind it."""

from collections.abc import Sequence
from typing import Any

from scorekeeper.domain.errors import Problem
from scorekeeper.domain.record import plain_facts
from scorekeeper.i18n import Language


def finding(problem: Problem, lang: Language, players: Sequence[str] = ()) -> dict[str, Any]:
    """An error or a warning as it is told."""
    told = {
        "code": problem.code,
        "message": lang.problem(problem, players),
        "path": list(problem.path),
        "facts": plain_facts(problem.facts),
    }
    rule = rule_behind(problem, lang)
    return told | ({"rule": rule} if rule else {})


def rule_behind(problem: Problem, lang: Language) -> str:
    """The rule that a finding rests on, with its source; empty where it names none."""
    clause = problem.facts.get("clause")
    return clause_words(str(clause), lang) if clause else ""


def clause_words(clause: str, lang: Language) -> str:
    """A clause of RULES in the words of the table: ``... ([001] §8b)``."""
    key = f"clause.{clause}"
    return lang(key) if key in lang else ""
