"""The most groups of players that are even among themselves: what makes payments fewest.

A set of players is an integer with a bit for each, the highest for the lowest side; so the
greater of two sets comes first in the order of RULES 9.5.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations
from math import lcm

STEPS = 60_000
"""Some 30 ms. Of hundreds of settlements by chance, no twenty players took 25,000 steps; 22
took up to 130,000, 28 several millions."""


class _TooManySteps(Exception):
    pass


def most_groups(
    amounts: Sequence[Fraction], steps: int = STEPS
) -> tuple[tuple[tuple[int, ...], ...], bool]:
    """Who has to pay or to get, in the most even groups, and whether there are provably no more.

    Of several ways it is the first in the order of RULES 9.5. A search that takes too many
    steps is given up: then pairs, threes and fours that are even are taken as they come, which
    makes few payments, but not provably the fewest.
    ValueError for amounts that do not add up to zero.
    """
    if sum(amounts):
        raise ValueError(f"amounts add up to {sum(amounts)}")
    whole = lcm(*(amount.denominator for amount in amounts))
    table = _Table([int(amount * whole) for amount in amounts], steps)
    try:
        groups, proved = table.most(), True
    except _TooManySteps:
        groups, proved = table.small_ones_first(), False
    return tuple(tuple(table.sides(group)) for group in groups), proved


class _Table:
    """What everyone has to get or to pay, and how many steps the search may still take."""

    def __init__(self, amounts: Sequence[int], steps: int) -> None:
        self.amounts = amounts
        self.bits = [1 << place for place in reversed(range(len(amounts)))]
        self.everyone = self._set_of(set(amounts) - {0})
        self.opposites = [
            (self._set_of({amount}), self._set_of({-amount}))
            for amount in set(amounts)
            if amount > 0 and -amount in amounts
        ]
        self.known: dict[tuple[int, int], tuple[int, ...] | None] = {}
        self.steps = steps

    def _set_of(self, wanted: set[int]) -> int:
        each = zip(self.bits, self.amounts, strict=True)
        return sum(bit for bit, amount in each if amount in wanted)

    def sides(self, players: int) -> list[int]:
        """The sides of a set, ascending."""
        return [side for side, bit in enumerate(self.bits) if players & bit]

    # ---- the search ------------------------------------------------------------------

    def most(self) -> tuple[int, ...]:
        """The most groups there are: fewer and fewer are looked for."""
        for wanted in range(self._at_most(self.everyone), 0, -1):
            if groups := self._split(self.everyone, wanted):
                return groups
        return ()

    def _at_most(self, players: int) -> int:
        """More groups than this cannot be: every pair of opposites, and the others by three.

        Some best way has all these pairs. If two opposites are in two groups, they may as
        well be one, and all the others of both groups the second; if they are in one group,
        they may leave it as one more. Without opposites no two are even.
        """
        pairs = self._pairs(players)
        return pairs + (players.bit_count() - 2 * pairs) // 3

    def _pairs(self, players: int) -> int:
        return sum(
            min((players & ones).bit_count(), (players & others).bit_count())
            for ones, others in self.opposites
        )

    def _split(self, players: int, wanted: int) -> tuple[int, ...] | None:
        """The first way in order to make so many groups; None: there is none."""
        if wanted == 1:
            return (players,)
        if (players, wanted) not in self.known:
            self.known[players, wanted] = self._first_way(players, wanted)
        return self.known[players, wanted]

    def _first_way(self, players: int, wanted: int) -> tuple[int, ...] | None:
        pairs = min(self._pairs(players), wanted - 1)
        room_for_others = 2 * pairs + 3 * (wanted - 1 - pairs)
        for group in self._even_groups(players, players.bit_count() - room_for_others):
            rest = players ^ group
            if self._at_most(rest) >= wanted - 1 and (others := self._split(rest, wanted - 1)):
                return (group, *others)
        return None

    def _even_groups(self, players: int, largest: int) -> list[int]:
        """The even groups of the lowest side with some of the others, in order.

        Either half of the others is tried by itself, and the two are matched by their sums.
        """
        first, *others = self.sides(players)
        others.sort(key=self.amounts.__getitem__)
        middle = self.amounts[others[len(others) // 2]]
        lower = self._choices((s for s in others if self.amounts[s] <= middle), largest - 1)
        upper = self._choices((s for s in others if self.amounts[s] > middle), largest - 1)
        by_sum: dict[int, list[int]] = defaultdict(list)
        for total, chosen in upper:
            by_sum[total].append(chosen)
        found: list[int] = []
        for total, chosen in lower:
            matching = by_sum.get(-total - self.amounts[first], ())
            self._count(len(matching))
            found += [self.bits[first] | chosen | more for more in matching]
        return sorted((group for group in found if group.bit_count() <= largest), reverse=True)

    def _choices(self, sides: Iterable[int], most: int) -> list[tuple[int, int]]:
        """Every choice of at most so many sides, with its sum; of equal amounts the lower first.

        ``sides`` come by their amounts. Which of several equal ones are chosen makes no
        other groups, so the first in order stands for all.
        """
        found = [(0, 0)]
        last = twin = 0
        for side in sides:
            amount, bit = self.amounts[side], self.bits[side]
            twin = twin if amount == last else 0
            longer = [
                (total + amount, chosen | bit)
                for total, chosen in found
                if chosen & twin == twin and chosen.bit_count() < most
            ]
            self._count(len(longer))
            found += longer
            last, twin = amount, bit
        return found

    def _count(self, steps: int) -> None:
        self.steps -= steps
        if self.steps < 0:
            raise _TooManySteps

    # ---- where the search takes too long ---------------------------------------------

    def small_ones_first(self) -> tuple[int, ...]:
        """Groups of two, then of three, then of four; all others make the last one.

        Each is matched by its sum, from a first part and a second one, so that the work
        grows with the square of the players.
        """
        left, groups = self.everyone, []
        for first, second in ((1, 1), (2, 1), (2, 2)):
            by_sum: dict[int, list[int]] = defaultdict(list)
            for total, chosen in self._parts(left, second):
                by_sum[total].append(chosen)
            for total, chosen in self._parts(left, first):
                if chosen & left == chosen:
                    others = left ^ chosen
                    matching = (more for more in by_sum[-total] if more & others == more)
                    if more := next(matching, 0):
                        groups.append(chosen | more)
                        left = others ^ more
        return tuple(sorted([*groups, left] if left else groups, reverse=True))

    def _parts(self, players: int, size: int) -> Iterator[tuple[int, int]]:
        """Every choice of so many players with its sum, in order."""
        for sides in combinations(self.sides(players), size):
            yield sum(self.amounts[side] for side in sides), sum(self.bits[side] for side in sides)
