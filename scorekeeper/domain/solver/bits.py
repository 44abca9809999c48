"""Sets of numbers as bits of an integer: cards of a hand, or counts of wild cards."""

from collections.abc import Iterator
from itertools import combinations


def lowest(bits: int) -> int:
    """Return the number of the lowest bit set."""
    return (bits & -bits).bit_length() - 1


def numbers(bits: int) -> Iterator[int]:
    """Yield the numbers of the bits set, the lowest first."""
    while bits:
        yield (bits & -bits).bit_length() - 1
        bits &= bits - 1


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
