"""Sets of numbers as bits of an integer: cards of a hand, or counts of wild cards."""

from collections.abc import Iterator, Sequence
from itertools import accumulate, combinations


def lowest(bits: int) -> int:
    """Return the number of the lowest bit set."""
    return (bits & -bits).bit_length() - 1


def numbers(bits: int) -> Iterator[int]:
    """Yield the numbers of the bits set, the lowest first."""
    while bits:
        yield (bits & -bits).bit_length() - 1
        bits &= bits - 1


class Totals(dict[int, int]):
    """The totals of what cards cost or are worth, by the cards as bits; each is worked out once.

    A further copy of a card counts as much as the first one.
    """

    def __init__(self, each: Sequence[int]) -> None:
        super().__init__()
        self.each = each
        """What each card costs or is worth, by its number."""

    def __missing__(self, cards: int) -> int:
        each, total, left = self.each, 0, cards
        while left:
            total += each[((left & -left).bit_length() - 1) % len(each)]
            left &= left - 1
        self[cards] = total
        return total


def some_of(bits: int, least: int) -> Iterator[int]:
    """Yield every subset of these bits that has at least ``least`` of them and is not empty."""
    there = [1 << number for number in numbers(bits)]
    for missing in range(min(len(there) - max(least, 1), len(there)) + 1):
        for gone in combinations(there, missing):
            yield bits - sum(gone)


def beginnings(cards: int) -> Iterator[int]:
    """Yield the first cards of a run: all proper beginnings of it."""
    begun = 0
    for number in numbers(cards):
        begun |= 1 << number
        if begun != cards:
            yield begun


def sums(some: int, others: int) -> int:
    """Return every number of one set added to every number of another, as bits."""
    found = 0
    while others:
        found |= some * (others & -others)
        others &= others - 1
    return found


def shares(wanted: Sequence[int], wilds: int) -> Iterator[tuple[int, ...]]:
    """Yield every way to distribute wild cards to pieces, most to the first ones first.

    ``wanted`` has, for each piece, the numbers of wild cards that it can take, as bits.
    """
    if not wilds:
        if all([counts & 1 for counts in wanted]):
            yield (0,) * len(wanted)
        return
    if len(wanted) == 1:
        if wanted[0] >> wilds & 1:
            yield (wilds,)
        return
    within = [*accumulate(reversed(wanted), sums, initial=1)][::-1]

    def share(at: int, left: int) -> Iterator[tuple[int, ...]]:
        """Yield the ways for the pieces from this one on; ``within`` has their possible totals."""
        if at == len(wanted):
            yield ()
            return
        for count in reversed(list(numbers(wanted[at]))):
            if count <= left and within[at + 1] >> left - count & 1:
                for others in share(at + 1, left - count):
                    yield (count, *others)

    if within[0] >> wilds & 1:
        yield from share(0, wilds)
