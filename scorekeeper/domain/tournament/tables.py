"""How many tables of which size, and who sits out."""

from collections.abc import Mapping, Sequence
from itertools import combinations, islice

from scorekeeper.domain.tournament.plan import Remainder

MOST_CHOICES = 250
"""As many sets of entrants who might sit out are compared."""


def table_sizes(count: int, size: int, remainder: Remainder) -> tuple[int, ...]:
    """Return the sizes of the tables for so many entrants, larger ones first.

    Whoever is not at one of them sits out. With smaller tables, as few as possible are smaller
    by one, and only if that is impossible does anybody sit out.

    >>> table_sizes(14, 4, "smaller"), table_sizes(14, 4, "sit_out"), table_sizes(5, 4, "smaller")
    ((4, 4, 3, 3), (4, 4, 4), (4,))
    """
    if remainder == "smaller" and size > 2:
        for seated in range(count, 0, -1):
            tables = -(-seated // size)
            smaller = tables * size - seated
            if smaller <= tables:
                return (size,) * (tables - smaller) + (size - 1,) * smaller
    return (size,) * (count // size)


def sitting_out(
    order: Sequence[int], before: Mapping[int, int], count: int
) -> tuple[tuple[int, ...], ...]:
    """Return the sets of entrants who may sit out, the one to prefer first.

    ``before`` is how often each has sat out. Nobody sits out while somebody else has done so less
    often; among equals, those at the end of the order do first.
    """
    if not count:
        return ((),)
    asked = sorted(reversed(order), key=lambda entrant: before.get(entrant, 0))
    last = before.get(asked[count - 1], 0)
    sure = tuple(one for one in asked if before.get(one, 0) < last)
    others = [one for one in asked if before.get(one, 0) == last]
    choices = combinations(others, count - len(sure))
    return tuple((*sure, *choice) for choice in islice(choices, MOST_CHOICES))
