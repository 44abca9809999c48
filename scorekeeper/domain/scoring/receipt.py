"""The receipt that a family makes out for a round, and what its lines come to."""

from collections.abc import Iterable
from dataclasses import dataclass

from scorekeeper.domain.errors import Problem
from scorekeeper.domain.options import RuleSet
from scorekeeper.domain.rounds import Mark, ScoreLine, SeatScore

MARKS: tuple[Mark, ...] = ("verified", "counted", "unverified")
"""From the surest to the weakest (RULES 6.1)."""
MISCOUNTED = "W_HAND_COUNT"


@dataclass(frozen=True, kw_only=True)
class Receipt:
    """How a family prices a round whose facts have passed its checks."""

    winner: int | None = None
    """The seat (in teams: the side) that won; None if nobody did."""
    lines: tuple[ScoreLine, ...] = ()
    marks: tuple[Mark, ...] = ()
    """How sure each part of the entry is."""


def total(side: int, lines: Iterable[ScoreLine], rules: RuleSet) -> SeatScore:
    """Add up the lines of one seat, in teams of one side.

    The league counts plus points without the boxes (RULES 7.4.13).
    """
    own = [line for line in lines if line.seat == side]
    league = sum(line.plus for line in own if line.reason != "box")
    return SeatScore(
        minus=sum(line.minus for line in own),
        plus=sum(line.plus for line in own),
        reduction=sum(line.reduction for line in own),
        league=league if rules.counts_for_league else None,
    )


def weakest(marks: Iterable[Mark], warnings: Iterable[Problem]) -> Mark:
    """Return the mark of a whole round: the weakest among its parts (RULES 6.1).

    A hand of the wrong size makes the round counted at best (RULES 6.6).
    """
    found = set(marks)
    if any(one.code == MISCOUNTED for one in warnings):
        found.add("counted")
    return max(found, key=MARKS.index, default="verified")
