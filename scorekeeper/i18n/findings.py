"""Findings for REST clients: code, message, path, facts, and the rule behind them."""

from collections.abc import Sequence
from typing import Any

from scorekeeper.domain.errors import Problem
from scorekeeper.domain.record import plain_facts
from scorekeeper.i18n import Language


def finding(problem: Problem, lang: Language, players: Sequence[str] = ()) -> dict[str, Any]:
    """Return an error or a warning as JSON."""
    answer = {
        "code": problem.code,
        "message": lang.problem(problem, players),
        "path": list(problem.path),
        "facts": plain_facts(problem.facts),
    }
    rule = rule_behind(problem, lang)
    return answer | ({"rule": rule} if rule else {})


def rule_behind(problem: Problem, lang: Language) -> str:
    """Return the rule behind a finding with its source; empty if it names none."""
    clause = problem.facts.get("clause")
    return clause_words(str(clause), lang) if clause else ""


def clause_words(clause: str, lang: Language) -> str:
    """Return a clause of RULES in plain words with its source: ``... (Rasche, § 8b)``."""
    key = f"clause.{clause}"
    return lang(key) if key in lang else ""
