"""A rating of the members from evening to evening: whom they finished ahead of, and how strong.

Like Elo's, for any number of players: Bradley and Terry's model with the approximation of
R. C. Weng and C.-J. Lin, "A Bayesian Approximation Method for Online Ranking" (JMLR 12, 2011),
algorithm 1. A member is believed to play about as well as ``strength``, give or take
``doubt``; what is shown is a cautious estimate, three doubts below.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

STRENGTH, DOUBT = 25.0, 25 / 3
"""What is believed of a newcomer."""
LUCK = DOUBT / 2
"""How much the cards decide on an evening, as a doubt."""
DRIFT = DOUBT / 100
"""How much the doubt grows from evening to evening: people learn, and rust."""
LEAST = 0.0001
"""The share of the squared doubt that an evening leaves at least."""
BEGIN, STEP = 1000, 40
"""What is shown for a newcomer, and for one unit of strength."""


class Pair(NamedTuple):
    """Two members who played against each other on an evening, with their ranks."""

    one: int
    other: int
    rank: int
    other_rank: int


class Belief(NamedTuple):
    """How well a member is believed to play."""

    strength: float = STRENGTH
    doubt: float = DOUBT

    @property
    def shown(self) -> int:
        """The rating as it is shown, a whole number; 1,000 for a newcomer."""
        return BEGIN + round(STEP * (self.strength - 3 * self.doubt))


NEWCOMER = Belief()


def ratings(evenings: Iterable[Sequence[Pair]]) -> dict[int, Belief]:
    """Return what is believed of every member after these evenings, the oldest first."""
    beliefs: dict[int, Belief] = {}
    for pairs in evenings:
        beliefs |= _after(pairs, beliefs)
    return beliefs


def _after(pairs: Sequence[Pair], before: Mapping[int, Belief]) -> dict[int, Belief]:
    """Return the beliefs after an evening about everybody who played on it."""
    members = sorted({member for pair in pairs for member in pair[:2]})
    at = {member: _drifted(before.get(member, NEWCOMER)) for member in members}
    moved, sharpened = dict.fromkeys(members, 0.0), dict.fromkeys(members, 0.0)
    for one, other, rank, other_rank in pairs:
        for member, opponent, score in (
            (one, other, _score(rank, other_rank)),
            (other, one, _score(other_rank, rank)),
        ):
            own, theirs = at[member], at[opponent]
            spread = math.sqrt(own.doubt**2 + theirs.doubt**2 + 2 * LUCK**2)
            expected = 1 / (1 + math.exp((theirs.strength - own.strength) / spread))
            share = own.doubt / spread
            moved[member] += own.doubt * share * (score - expected)
            sharpened[member] += share**3 * expected * (1 - expected)
    return {
        member: Belief(
            strength=at[member].strength + moved[member],
            doubt=at[member].doubt * math.sqrt(max(1 - sharpened[member], LEAST)),
        )
        for member in members
    }


def _drifted(belief: Belief) -> Belief:
    return belief._replace(doubt=math.hypot(belief.doubt, DRIFT))


def _score(rank: int, other_rank: int) -> float:
    return 0.5 if rank == other_rank else float(rank < other_rank)
