"""Warnings about options without effect, and about uncommon ones (RULES 3.7.7, 3.7.8)."""

from collections.abc import Iterator, Mapping

from scorekeeper.domain.errors import Problem, problem
from scorekeeper.domain.rules.ruleset import RuleSet

DISTINGUISHED: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "lay": {"out.opponent_melds": ("none",)},
    "hand": {"layoff.scope": ("none",)},
    "knock": {"layoff.scope": ("none",), "out.opponent_melds": ("none", "own")},
}
"""The values that a family's scoring distinguishes; others do nothing (RULES 7.1, 7.3, 7.7)."""

ZERO_SUM = ("minus_plus", "knock")
"""The formulas by which net points can add up to zero (RULES 9.2)."""


def oddities(rules: RuleSet) -> Iterator[Problem]:
    """Yield warnings about options without effect and uncommon ones (RULES 3.7.7, 3.7.8)."""
    applicable = set(rules.names())

    def idle(name: str, needs: str) -> Problem:
        return problem("W_OPTION_IDLE", (name,), option=name, needs=needs)

    def unusual(name: str) -> Problem:
        return problem("W_OPTION_UNUSUAL", (name,), option=name)

    for name, values in DISTINGUISHED.get(rules.family, {}).items():
        if rules[name] not in values:
            yield idle(name, "family")
    if not rules.has_wild_cards:
        if "joker.pinned_in_sets" in applicable and rules.joker.pinned_in_sets:
            yield idle("joker.pinned_in_sets", "deck.jokers")
        if "joker.swap" in applicable and rules.joker.swap != "none":
            yield idle("joker.swap", "deck.jokers")
    if rules.end.points is not None and rules.end.mode in ("manual", "rounds"):
        yield idle("end.points", "end.mode")
    if rules.end.rounds is not None and rules.end.mode in ("manual", "points"):
        yield idle("end.rounds", "end.mode")
    for name in ("score.cap", "score.not_laid", "score.winner_reduction"):
        if rules[name] and not rules.score.losers_write:
            yield idle(name, "score.mode")
    if rules.draw.two_small_table:
        yield unusual("draw.two_small_table")
        if rules.players.max > 3:
            yield idle("draw.two_small_table", "players.max")
    if rules.klopfen.mode == "rasche":
        yield unusual("klopfen.mode")
    if rules.score.winner_reduction:
        yield unusual("score.winner_reduction")
    if rules.gin.tedesco and not rules.gin.cyclic:
        yield unusual("gin.tedesco")
    if not rules.hand_romme.enabled:
        for name in ("score.out_bonus", "settle.hand_stake"):
            if rules[name]:
                yield idle(name, "hand_romme.enabled")
    elif rules.score.mode == "melded" and rules.hand_romme.factor > 1:
        yield idle("hand_romme.factor", "score.mode")
    if rules.settle.mode == "balance" and rules.settle.measure != "net":
        yield idle("settle.mode", "settle.measure")
    elif rules.settle.mode == "balance" and rules.score.mode not in ZERO_SUM:
        yield idle("settle.mode", "score.mode")
