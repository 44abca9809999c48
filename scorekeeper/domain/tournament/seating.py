"""Dividing an ordered list of entrants into tables, so that as few as possible clash.

A clash is a number for two entrants that should not meet at one table. Up to ``EXACT`` entrants
the tables with the fewest clashes are found for certain; for more, the list is cut into tables
and improved by exchanging two entrants at a time. Both are deterministic.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

Clashes = Sequence[Sequence[int]]
"""By place in the list: how badly two entrants clash. Symmetric, with zeros on the diagonal."""
Table = tuple[int, ...]
"""Places in the list."""

EXACT = 12
MOST_EXCHANGES = 8_000
"""As many exchanges are looked at before the best tables so far are taken."""
NEAR = 12
"""So many places away in the list an exchange is looked for first."""
_FAR = 1_000_000
"""More than all distances of the entrants of a tournament together."""


class Seating:
    """An ordered list of entrants, to be divided into tables by their clashes."""

    def __init__(self, clashes: Clashes) -> None:
        self._clashes = clashes
        self._known: dict[tuple[Table, tuple[int, ...]], tuple[int, tuple[Table, ...]]] = {}

    def tables(self, places: Sequence[int], sizes: Sequence[int]) -> tuple[Table, ...]:
        """Return tables of these sizes for some places of the list, which add up to them.

        The fewest clashes come first; among equal ones, the tables whose members are nearest to
        each other in the list (certain up to ``EXACT`` entrants).
        """
        if len(places) <= EXACT:
            return self._best(tuple(places), tuple(sorted(sizes, reverse=True)))[1]
        clashes = [[self._clashes[one][other] for other in places] for one in places]
        found = improved(clashes, sizes)
        return tuple(tuple(places[one] for one in table) for table in found)

    def _best(self, left: Table, sizes: tuple[int, ...]) -> tuple[int, tuple[Table, ...]]:
        """Return the lowest cost at which those left can be divided, and the tables.

        The first of them opens a table, so every division is looked at once.
        """
        if not sizes:
            return 0, ()
        if (left, sizes) not in self._known:
            self._known[left, sizes] = min(self._divisions(left, sizes), key=lambda each: each[0])
        return self._known[left, sizes]

    def _divisions(
        self, left: Table, sizes: tuple[int, ...]
    ) -> Iterator[tuple[int, tuple[Table, ...]]]:
        first, others = left[0], left[1:]
        for size in dict.fromkeys(sizes):
            rest = list(sizes)
            rest.remove(size)
            for companions in combinations(others, size - 1):
                table = (first, *companions)
                cost = clashes_at(table, self._clashes) * _FAR + table[-1] - first
                remaining = tuple(one for one in others if one not in companions)
                more, tables = self._best(remaining, tuple(rest))
                yield cost + more, (table, *tables)


def clashes_at(table: Sequence[int], clashes: Clashes) -> int:
    """Return the clashes at a table."""
    return sum(clashes[one][other] for one, other in combinations(table, 2))


def improved(clashes: Clashes, sizes: Sequence[int]) -> tuple[Table, ...]:
    """Return the list cut into tables, with exchanges that leave fewer clashes."""
    search = _Exchanges(clashes, sizes)
    search.run()
    return tuple(tuple(sorted(table)) for table in search.tables)


@dataclass
class _Exchanges:
    """Exchanges of two entrants at a time, until nobody clashes or the steps are used up."""

    clashes: Clashes
    sizes: Sequence[int]

    def __post_init__(self) -> None:
        places = iter(range(len(self.clashes)))
        self.tables = [[next(places) for _ in range(size)] for size in self.sizes]
        self.table_of = [number for number, size in enumerate(self.sizes) for _ in range(size)]
        self.steps = 0

    def run(self) -> None:
        """Exchange whoever clashes; where that helps nobody, exchange at the least cost."""
        recent: dict[int, int] = {}
        best, fewest = self._copy(), self._all_clashes()
        now, turn = fewest, 0
        while now and self.steps < MOST_EXCHANGES:
            turn += 1
            found = self._next_exchange(recent, turn)
            if found is None:
                break
            one, other, change = found
            self._exchange(one, other)
            recent[one] = recent[other] = turn
            now += change
            if now < fewest:
                best, fewest = self._copy(), now
        self.tables = best

    def _copy(self) -> list[list[int]]:
        return [list(table) for table in self.tables]

    def _all_clashes(self) -> int:
        return sum(clashes_at(table, self.clashes) for table in self.tables)

    def _next_exchange(self, recent: dict[int, int], turn: int) -> tuple[int, int, int] | None:
        """Return the best exchange for somebody who clashes, longest not moved first."""
        clashing = [one for one in range(len(self.clashes)) if self._at_own_table(one)]
        clashing.sort(key=lambda one: (recent.get(one, 0), one))
        for one in clashing:
            near = self._best(one, self._others(one, 1, NEAR), recent, turn)
            if near and near[2] < 0:
                return near
            far = self._best(one, self._others(one, NEAR + 1, len(self.clashes)), recent, turn)
            found = min(filter(None, (near, far)), key=lambda each: each[2], default=None)
            if found:
                return found
        return None

    def _others(self, one: int, least: int, most: int) -> Iterator[int]:
        """Yield the entrants so many places away, nearer ones first."""
        for distance in range(least, most + 1):
            for other in (one + distance, one - distance):
                if 0 <= other < len(self.clashes):
                    yield other

    def _best(
        self, one: int, others: Iterator[int], recent: dict[int, int], turn: int
    ) -> tuple[int, int, int] | None:
        best: tuple[int, int, int] | None = None
        for other in others:
            if self.table_of[other] == self.table_of[one]:
                continue
            self.steps += 1
            change = self._change(one, other)
            if change >= 0 and turn - recent.get(other, -9) < 4:
                continue  # it would only be moved back
            if best is None or change < best[2]:
                best = one, other, change
                if change <= -self._at_own_table(one):
                    break
        return best

    def _at_own_table(self, one: int) -> int:
        row = self.clashes[one]
        return sum(row[other] for other in self.tables[self.table_of[one]])

    def _change(self, one: int, other: int) -> int:
        """Return how many clashes an exchange adds."""
        mine, theirs = self.tables[self.table_of[one]], self.tables[self.table_of[other]]
        ours, others = self.clashes[one], self.clashes[other]
        between = ours[other]
        before = sum(ours[each] for each in mine) + sum(others[each] for each in theirs)
        after = sum(ours[each] for each in theirs) + sum(others[each] for each in mine)
        return after - before - 2 * between

    def _exchange(self, one: int, other: int) -> None:
        mine, theirs = self.table_of[one], self.table_of[other]
        self.tables[mine][self.tables[mine].index(one)] = other
        self.tables[theirs][self.tables[theirs].index(other)] = one
        self.table_of[one], self.table_of[other] = theirs, mine
