"""Conditions on the melds of a player: a minimum for the first meld, a maximum per turn."""

from typing import NamedTuple

Tally = tuple[int, tuple[int, ...]]
"""The number of melds, and the points of those that count towards a condition."""


class Condition(NamedTuple):
    """A condition on own melds: the minimum of a first meld, the maximum in one turn."""

    needed: int = 0
    """The points that they must reach (RULES 5.5)."""
    counted: int = 0
    """The number of melds that count towards it, the dearest ones; 0 for all."""
    most: int = 0
    """The maximum number of melds; 0 for any number."""

    def add(self, tally: Tally, points: int) -> Tally:
        """Return the tally with one more meld, reduced to what the condition needs."""
        count, counting = tally
        if self.counted == 1:
            counting = (self.needed,) if points >= self.needed else counting
        elif self.counted:
            counting = tuple(sorted((*counting, points), reverse=True)[: self.counted])
        else:
            counting = (min(self.needed, sum(counting) + points),)
        return count + bool(self.most), counting

    def may_add(self, tally: Tally) -> bool:
        """Return whether one more meld is allowed."""
        return not self.most or tally[0] < self.most


NOTHING: Tally = (0, ())
