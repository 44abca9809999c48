"""The receipt that a family writes for a round, and the totals of its lines."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from scorekeeper.domain.errors import Problem
from scorekeeper.domain.rounds.facts import ScoreLine, SeatScore, Verification
from scorekeeper.domain.rules import RuleSet

VERIFICATIONS: tuple[Verification, ...] = ("verified", "counted", "unverified")
"""From the best checked to the least checked (RULES 6.1)."""
MISCOUNTED = "W_HAND_COUNT"
COUNTED_ONLY = (MISCOUNTED, "W_LIVES_UNCHECKED")
"""Warnings about what was not, or not rightly, counted."""


@dataclass(frozen=True, kw_only=True)
class Receipt:
    """The lines of a round whose facts have passed the checks of its family."""

    winner: int | None = None
    """The seat (in teams: the side) that won; None if nobody did."""
    lines: tuple[ScoreLine, ...] = ()
    verifications: tuple[Verification, ...] = ()
    """How each part of the entry was checked."""


def at_most(rules: RuleSet, line: ScoreLine) -> ScoreLine:
    """Return the line, or a line of ``score.cap`` if it has more minus points than that."""
    if not 0 < rules.score.most < line.minus:
        return line
    facts = {**line.facts, "counted": line.minus}
    return replace(line, reason="cap", minus=rules.score.most, facts=facts)


def total(side: int, lines: Iterable[ScoreLine], rules: RuleSet) -> SeatScore:
    """Return the sum of the lines of one seat, in teams of one side.

    The league counts plus points without box bonuses (RULES 7.4.13).
    """
    own = [line for line in lines if line.seat == side]
    return SeatScore(
        minus=sum([line.minus for line in own]),
        plus=sum([line.plus for line in own]),
        reduction=sum([line.reduction for line in own]),
        league=sum([line.plus for line in own if line.reason != "box"])
        if rules.counts_for_league
        else None,
    )


def weakest(parts: Iterable[Verification], warnings: Iterable[Problem]) -> Verification:
    """Return how a whole round was checked: the weakest among its parts (RULES 6.1).

    With a hand of the wrong size, a round is at most ``counted`` (RULES 6.6).
    """
    found = set(parts)
    if any(warning.code in COUNTED_ONLY for warning in warnings):
        found.add("counted")
    return max(found, key=VERIFICATIONS.index, default="verified")
