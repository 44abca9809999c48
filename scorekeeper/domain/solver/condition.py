"""Conditions on the melds of a player: a minimum, a maximum per turn, a contract."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from scorekeeper.domain.melds import Meld
from scorekeeper.domain.rules.plan import Needed

Tally = tuple[int, tuple[int, ...]]
"""The number of melds, and the points of those that count towards a condition."""
KINDS = {"S": "set", "R": "run"}
RUN, PURE = 100, 200
"""What is added to the length of a run, and of one without wild cards, in a tally."""


class Condition(NamedTuple):
    """A condition on own melds: the minimum of a first meld, the most in one turn, a contract."""

    needed: int = 0
    """The points that they must reach (RULES 5.5); 1 with a contract."""
    counted: int = 0
    """The number of melds that count towards it, the dearest ones; 0 for all."""
    most: int = 0
    """The maximum number of melds; 0 for any number."""
    contract: tuple[Needed, ...] = ()
    """The melds that they must be, neither more nor others (RULES-MORE 5.7).

    Tallies then hold the length of each meld instead of points, runs marked as such.
    """
    lives: tuple[int, ...] = (0, 0)
    """With a contract: the pure runs and the runs that they must include (RULES-MORE 5.6)."""

    def length(self, kind: str, cards: int, wilds: int) -> int:
        """Return a meld as it is tallied for the contract; 0 if the contract has no such meld."""
        asked = [one.least for one in self.contract if KINDS[one.kind] == kind]
        if not asked or cards + wilds < min(asked):
            return 0
        counted = min(cards + wilds, max(asked))
        return counted if kind == "set" else counted + (RUN if wilds else PURE)

    def add(self, tally: Tally, points: int) -> Tally:
        """Return the tally with one more meld, reduced to what the condition needs."""
        count, counting = tally
        if self.contract:
            counting = tuple(sorted((*counting, points)))
        elif self.counted == 1:
            counting = (self.needed,) if points >= self.needed else counting
        elif self.counted:
            counting = tuple(sorted((*counting, points), reverse=True)[: self.counted])
        else:
            counting = (min(self.needed, sum(counting) + points),)
        return count + bool(self.most), counting

    def may_add(self, tally: Tally, points: int = 0) -> bool:
        """Return whether one more meld is allowed."""
        if self.most and tally[0] >= self.most:
            return False
        if not (self.contract and points):
            return True
        alike = sum((one > RUN) == (points > RUN) for one in tally[1])
        return alike < sum((one.kind == "R") == (points > RUN) for one in self.contract)

    def is_met(self, tally: Tally) -> bool:
        """Return whether the melds of a tally reach the minimum, or are the contract."""
        if not self.contract:
            return sum(tally[1]) >= self.needed
        runs = [one % RUN for one in tally[1] if one > RUN]
        sets = [one for one in tally[1] if one < RUN]
        pure = sum(one > PURE for one in tally[1])
        asked = lengths_asked(self.contract)
        enough = all(map(_cover, (sets, runs), asked))
        return enough and pure >= self.lives[0] and len(runs) >= self.lives[1]

    def is_satisfied(self, melds: Sequence[Meld]) -> bool:
        """Return whether these melds satisfy the condition."""
        if self.contract:
            return fits(melds, self.contract) and has_runs(melds, self.lives)
        points = sorted((meld.points for meld in melds), reverse=True)
        reached = sum(points[: self.counted or None])
        return reached >= self.needed and len(melds) <= (self.most or len(melds))


def fits(melds: Sequence[Meld], need: Sequence[Needed]) -> bool:
    """Return whether melds are exactly those that a contract asks for; longer ones are allowed."""
    laid = [[len(meld.places) for meld in melds if meld.kind == kind] for kind in KINDS.values()]
    return len(melds) == len(need) and all(map(_cover, laid, lengths_asked(need)))


def has_runs(melds: Iterable[Meld], lives: tuple[int, ...]) -> bool:
    """Return whether melds have the runs that are needed, enough of them pure."""
    runs = [meld for meld in melds if meld.kind == "run"]
    return len(runs) >= lives[1] and sum(not meld.wild for meld in runs) >= lives[0]


def lengths_asked(need: Sequence[Needed]) -> list[list[int]]:
    """Return the least lengths of the sets and of the runs of a contract."""
    return [[one.least for one in need if one.kind == token] for token in KINDS]


def _cover(laid: Sequence[int], asked: Sequence[int]) -> bool:
    """Return whether melds have the lengths asked for.

    The longest are assigned to the longest that are asked for: if any assignment fits, this one
    does.
    """
    alike = len(laid) == len(asked)
    return alike and not any(map(int.__lt__, sorted(laid), sorted(asked)))


NOTHING: Tally = (0, ())
