"""The order of the ranks in runs: from which rank to which a run may go (RULES 5.2)."""

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from scorekeeper.domain.cards.card import Rank
from scorekeeper.domain.rules import RuleSet

MISSING = {52: range(0), 48: range(10, 11), 40: range(8, 11)}
"""The ranks that a Spanish pack lacks, by its number of cards; their neighbours are adjacent."""


@cache
def ranks_of(cards: int) -> tuple[Rank, ...]:
    """Return the ranks of a pack with this many cards."""
    return tuple(rank for rank in Rank if rank not in MISSING[cards])


class Order(NamedTuple):
    """The ranks in order, and where the ace may stand."""

    ranks: tuple[Rank, ...]
    low: bool
    """The ace may come before the 2."""
    high: bool
    """The ace may follow the king."""
    corner: bool
    """A run may go on around the ace."""

    @classmethod
    def of(cls, rules: RuleSet) -> "Order":
        ace = rules.ace
        return cls(ranks_of(rules.deck.ranks), ace.low, ace.high, ace.corner)

    @property
    def circle(self) -> "Order":
        """The same ranks, with the ace wherever it may be under any rules."""
        return self._replace(low=True, high=True, corner=True)

    def windows(self, size: int) -> Iterator[tuple[Rank, ...]]:
        """Yield every run of ``size`` ranks."""
        ranks = self.ranks
        for start in range(not self.low, len(ranks)):
            fits = self.corner or start + size <= len(ranks) + self.high
            if fits and size <= len(ranks):
                yield (ranks * 2)[start : start + size]

    def before(self, rank: Rank) -> Rank | None:
        """Return the rank that may come before this one at the lower end of a run."""
        place = self.ranks.index(rank)
        if place == 0 and not self.corner:
            return None
        return None if place == 1 and not self.low else self.ranks[place - 1]

    def after(self, rank: Rank) -> Rank | None:
        """Return the rank that may follow this one at the upper end of a run."""
        place = self.ranks.index(rank)
        if place == len(self.ranks) - 1:
            return self.ranks[0] if self.high else None
        return None if place == 0 and not self.corner else self.ranks[place + 1]
