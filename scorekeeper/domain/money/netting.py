"""The most groups of players whose amounts add up to zero, which give the fewest payments.

Such a group is called even. A set of players is an integer with a bit for each, the highest
for the lowest side, so that larger integers come first in the order of RULES 9.5.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations
from math import comb, lcm

STEPS = 60_000
"""About 30 ms. In hundreds of random settlements, twenty players never took 25,000 steps; 22
took up to 130,000, and 28 several million."""
CHOICES = 20_000
"""The most choices that are looked through for even threes and fours: the pairs of 200 players."""


class _TooManySteps(Exception):
    pass


def most_groups(amounts: Sequence[Fraction]) -> tuple[tuple[tuple[int, ...], ...], bool]:
    """Return the most even groups of sides, and whether they are provably the most.

    Of several ways, this is the first in the order of RULES 9.5. A search that takes too many
    steps is abandoned: then even pairs, threes and fours are taken in order, of very many players
    pairs only, which gives few payments, but not provably the fewest.
    Raises ValueError for amounts that do not add up to zero.
    """
    if sum(amounts):
        raise ValueError(f"amounts add up to {sum(amounts)}")
    whole = lcm(*(amount.denominator for amount in amounts))
    search = _Search([int(amount * whole) for amount in amounts])
    try:
        groups, proved = search.most(), True
    except _TooManySteps:
        groups, proved = search.small_ones_first(), False
    return tuple(tuple(search.sides(group)) for group in groups), proved


class _Search:
    """The amounts of all players, and the steps that the search may still take."""

    def __init__(self, amounts: Sequence[int]) -> None:
        self.amounts = amounts
        self.bits = [1 << place for place in reversed(range(len(amounts)))]
        self.everyone = self._set_of(set(amounts) - {0})
        self.opposites = [
            (self._set_of({amount}), self._set_of({-amount}))
            for amount in set(amounts)
            if amount > 0 and -amount in amounts
        ]
        self.known: dict[tuple[int, int], tuple[int, ...] | None] = {}
        self.steps = STEPS

    def _set_of(self, wanted: set[int]) -> int:
        each = zip(self.bits, self.amounts, strict=True)
        return sum(bit for bit, amount in each if amount in wanted)

    def sides(self, players: int) -> list[int]:
        """Return the sides of a set, ascending."""
        return [side for side, bit in enumerate(self.bits) if players & bit]

    # ---- the search ------------------------------------------------------------------

    def most(self) -> tuple[int, ...]:
        """Return the most groups, searching for fewer and fewer."""
        for wanted in range(self._at_most(self.everyone), 0, -1):
            if groups := self._split(self.everyone, wanted):
                return groups
        return ()

    def _at_most(self, players: int) -> int:
        """Return an upper bound: one group per pair of opposites, and one per three others.

        Some best way has all these pairs. If two opposites are in two groups, they can form one
        group and all others of both groups a second; if they are in one group, they can leave it
        as one more. Without opposites, no two players are even.
        """
        pairs = self._pairs(players)
        return pairs + (players.bit_count() - 2 * pairs) // 3

    def _pairs(self, players: int) -> int:
        return sum(
            min((players & ones).bit_count(), (players & others).bit_count())
            for ones, others in self.opposites
        )

    def _split(self, players: int, wanted: int) -> tuple[int, ...] | None:
        """Return the first way, in order, to form this many groups; None if there is none."""
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
        """Return the even groups of the lowest side with some of the others, in order.

        The choices from each half of the others are computed separately and matched by their sums.
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
        """Return every choice of at most this many sides, with its sum.

        ``sides`` are sorted by amount. Choosing others of several equal amounts gives equivalent
        groups, so only the first in order is returned.
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

    # ---- if the search takes too long ------------------------------------------------

    def small_ones_first(self) -> tuple[int, ...]:
        """Return groups of two, then of three, then of four; all others form the last group.

        Each is composed of two parts matched by their sums, so that the work grows with the square
        of the number of players. More than 200 form groups of two only.
        """
        left, groups = self.everyone, []
        for first, second in ((1, 1), (2, 1), (2, 2)):
            if comb(left.bit_count(), first) > CHOICES:
                break
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
        """Yield every choice of this many players with its sum, in order."""
        for sides in combinations(self.sides(players), size):
            yield sum(self.amounts[side] for side in sides), sum(self.bits[side] for side in sides)
