"""Lots that anybody can check: hashes of a seed that is printed beside the draw."""

from collections.abc import Iterable
from hashlib import sha256


def lot(seed: str, number: int, entrant: int) -> str:
    """Return the lot of an entrant in a round: the SHA-256 of ``seed:number:entrant``.

    The lowest comes first. Number 0 is the lot between equals in the standings.
    """
    return sha256(f"{seed}:{number}:{entrant}".encode()).hexdigest()


def lots(entrants: Iterable[int], seed: str, number: int) -> list[int]:
    """Return entrants in the order of their lots for a round."""
    return sorted(entrants, key=lambda entrant: lot(seed, number, entrant))
