"""Marks on a row of the sheet: how the round ended, and bonuses and penalties.

They are derived from the lines of the score, so that every mark has its points.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from scorekeeper.domain.rounds.facts import Round, RoundScore, ScoreLine

ENDS = ("undercut", "gin", "big_gin", "small_gin", "rummy")
"""Reasons that say how a knock ended; without one it was a plain knock."""
EXTRAS = ("penalty", "hirschn", "hirschn_fail", "glass", "glass_missed")


@dataclass(frozen=True)
class Mark:
    """A mark of one side: ``undercut``, or ``penalty`` with its points."""

    name: str
    side: int
    points: int = 0
    facts: Mapping[str, object] = field(default_factory=dict)


def ending(score: RoundScore, facts: Round) -> Mark | None:
    """Return how a round ended, as a mark of the side concerned; None if it was not scored."""
    if score.outcome == "out" and score.winner is not None:
        return Mark("out", score.winner)
    if score.outcome != "knock" or facts.knocker is None:
        return None
    knocker = facts.knocker % len(score.scores)
    names = {line.reason for line in score.lines}
    name = next((reason for reason in ENDS if reason in names), "knock")
    if name == "undercut" and score.winner is not None:
        return Mark(name, score.winner)
    return Mark(name, knocker)


def extras(score: RoundScore) -> Iterator[Mark]:
    """Yield the bonuses and penalties, in the order of the score."""
    for line in score.lines:
        if line.reason == "difference" and line.facts.get("factor"):
            yield Mark("joker", line.seat, facts={"factor": line.facts["factor"]})
        elif line.reason in EXTRAS:
            yield Mark(line.reason, line.seat, line.plus or line.minus)
    if shared := [line for line in score.lines if _is_share(line)]:
        yield Mark("pot", shared[0].seat, facts={"sides": tuple(line.seat for line in shared)})


def box(score: RoundScore) -> int:
    """Return the box bonus of the round."""
    return sum(line.plus for line in score.lines if line.reason == "box")


def _is_share(line: ScoreLine) -> bool:
    shared = line.facts.get("shared")
    return line.reason == "pot" and isinstance(shared, int) and shared > 1
