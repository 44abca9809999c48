"""From the lines of a receipt to the score of a round."""

from collections.abc import Iterable, Sequence

from scorekeeper.domain.errors import Problem
from scorekeeper.domain.rounds import Mark, Round, RoundScore, ScoreLine, SeatScore

MARKS: tuple[Mark, ...] = ("verified", "counted", "unverified")
"""From the surest to the weakest (RULES 6.1)."""


def scored(
    facts: Round,
    lines: Sequence[ScoreLine],
    marks: Iterable[Mark],
    warnings: tuple[Problem, ...],
    *,
    winner: int | None,
) -> RoundScore:
    """The score that the lines add up to, seat by seat; None for the absent."""
    return RoundScore(
        outcome=facts.outcome,
        winner=winner,
        mark=weakest(marks),
        scores=tuple(
            None if seat.absent else total(i, lines) for i, seat in enumerate(facts.seats)
        ),
        lines=tuple(lines),
        warnings=warnings,
    )


def total(seat: int, lines: Iterable[ScoreLine], league: int | None = None) -> SeatScore:
    """What one seat's lines come to."""
    own = [line for line in lines if line.seat == seat]
    return SeatScore(
        minus=sum(line.minus for line in own),
        plus=sum(line.plus for line in own),
        reduction=sum(line.reduction for line in own),
        league=league,
    )


def weakest(marks: Iterable[Mark]) -> Mark:
    """The mark of a whole round is the weakest among its players."""
    return max(marks, key=MARKS.index, default="verified")
