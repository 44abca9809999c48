"""The room on the table: which cards of a hand its melds can still take during a search."""

from collections.abc import Sequence

from scorekeeper.domain.solver.bits import sums
from scorekeeper.domain.solver.pieces import FIRST, Piece


class Room:
    """What the melds on the table can take. Each takes one piece, or wild cards only."""

    def __init__(self, layoffs: Sequence[Piece], wilds: int, every_copy: int) -> None:
        self.wild_only = [layoff for layoff in layoffs if not layoff.cards]
        self.full = (2 << wilds) - 1
        """Every number of wild cards, as bits."""
        self.cards: dict[int, int] = {}
        """The cards that a meld can take, by the bit of the meld."""
        for layoff in layoffs:
            self.cards[layoff.onto] = (
                self.cards.get(layoff.onto, 0) | (layoff.cards & FIRST) * every_copy
            )
        self._taking: dict[int, int] = {}
        """The melds that can take any of the cards left, by these cards."""
        self._takes_all: dict[int, bool] = {}

    def reach(self, reach: int, used: int) -> int:
        """Return the numbers of wild cards, as bits, with those that unused melds can take."""
        for layoff in self.wild_only:
            if not used & layoff.onto:
                reach |= sums(reach, layoff.wilds)
        return reach

    def relevant(self, used: int, left: int) -> int:
        """Return those used melds that could take more of the cards left.

        States that differ only in other melds are equivalent. But if their room for wild cards may
        be needed at the end, all used melds are returned.
        """
        taking = self._taking.get(left)
        if taking is None:
            taking = sum([meld for meld, cards in self.cards.items() if cards & left])
            self._taking[left] = taking
        return used & taking if self._takes_all_wilds(used | taking) else used

    def _takes_all_wilds(self, used: int) -> bool:
        """Return whether the other melds can take any number of wild cards."""
        if used not in self._takes_all:
            self._takes_all[used] = not self.full & ~self.reach(1, used)
        return self._takes_all[used]
