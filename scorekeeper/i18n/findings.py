"""Findings for REST clients: code, message, path, facts, and the rule behind them."""

from collections.abc import Sequence
from typing import Any

from scorekeeper.domain.errors import Problem
from scorekeeper.domain.history.codec import plain_facts
from scorekeeper.domain.rules import RuleSet
from scorekeeper.domain.rules.citations import clause_behind, place_of
from scorekeeper.i18n import Language
from scorekeeper.i18n.formats import NBSP


def finding(
    problem: Problem, lang: Language, players: Sequence[str] = (), rules: RuleSet | None = None
) -> dict[str, Any]:
    """Return an error or a warning as JSON; ``rules`` are those that it is about, if known."""
    answer = {
        "code": problem.code,
        "message": lang.problem(problem, players),
        "path": list(problem.path),
        "facts": plain_facts(problem.facts),
    }
    rule = rule_behind(problem, lang, rules)
    return answer | ({"rule": rule} if rule else {})


def rule_behind(problem: Problem, lang: Language, rules: RuleSet | None) -> str:
    """Return the rule behind a finding with its source; empty if it is about none."""
    clause = clause_behind(problem)
    return clause_words(clause, lang, rules) if clause else ""


def clause_words(clause: str, lang: Language, rules: RuleSet | None) -> str:
    """Return a clause of RULES in plain words with its source: ``... (Rasche, § 8b)``.

    The source belongs to the rules of the game at hand; empty if they are not known.
    """
    key = f"clause.{clause}"
    place = place_of(clause, rules.preset if rules else None)
    if key not in lang or place is None:
        return ""
    tag, part = place
    source = ", ".join(filter(None, (lang(f"source.{tag}"), part.replace("§ ", f"§{NBSP}"))))
    return lang("referee.cited", rule=lang(key), source=source)
