"""The terms of a game in sentences: when it ends, and what it is played for."""

from collections.abc import Iterator

from scorekeeper.domain.rules import RuleSet
from scorekeeper.i18n import Language

LIMIT = ("end.points", "end.rounds", "end.compare", "end.measure")
"""Options that are worded together with ``end.mode``."""
STAKE = ("settle.point_value", "settle.unit", "settle.payable", "settle.stake")
"""Options that are worded together."""


def limit(rules: RuleSet, lang: Language) -> str:
    """Return what ends a game: ``bei 100 Pluspunkten``."""
    end, measure = rules.end, "net_lost" if rules.limit_sign < 0 else rules.end.measure
    parts = []
    if end.mode != "rounds":
        parts.append(lang(f"paper.limit.{end.compare}.{measure}", points=end.points))
    if end.mode != "points":
        parts.append(lang("paper.limit.rounds", n=end.rounds))
    return lang.one_of(parts)


def rule_or_limit(name: str, rules: RuleSet, lang: Language) -> str:
    """Return an option as a sentence; that of ``end.mode`` names the limit."""
    if name == "end.mode" and rules.end.mode != "manual":
        return lang("paper.card.end", limit=limit(rules, lang))
    return lang.rule_sentence(name, rules[name])


def stake_sentences(rules: RuleSet, lang: Language) -> Iterator[str]:
    """Yield the point value and the stake of the table, whichever apply."""
    terms, unit = rules.settle, rules.settle.unit
    if terms.mode != "none" and terms.point_value is not None:
        value, steps = lang.rate(terms.point_value, unit), lang.money(terms.payable, unit)
        yield lang("paper.card.stake", amount=value, steps=steps)
    if terms.stake:
        yield lang("paper.card.table_stake", amount=lang.money(terms.stake, unit))
