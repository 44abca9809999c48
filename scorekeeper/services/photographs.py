"""The cards in a photograph. Nothing of the picture is stored or logged."""

import ctypes
from contextlib import suppress
from typing import Any

from scorekeeper.camera import MOST_CARDS, MOST_MEGABYTES, MOST_MEGAPIXELS
from scorekeeper.domain.errors import Problem, RuleError

PLACES = 4
"""Decimals of places and likelihoods in answers."""


def refused_picture(why: str) -> Problem:
    """Return the problem of a picture that cannot be read."""
    limits = {"bytes": {"most": MOST_MEGABYTES}, "pixels": {"most": MOST_MEGAPIXELS}}
    return Problem("E_PICTURE", {"why": why, **limits.get(why, {})})


def cards_in(picture: bytes, packs: int, jokers: int) -> list[dict[str, Any]]:
    """Return the cards in a picture row by row, of a deck with these numbers of packs and jokers.

    Runs in a worker, which loads numpy and the networks with its first picture. Raises RuleError
    E_PICTURE, E_NO_CARDS or E_MANY_CARDS.
    """
    from scorekeeper.camera import cards, pictures, recognition

    copies = [packs] * len(cards.NAMES) + [jokers]
    try:
        rows = recognition.recognise(picture, copies)
    except pictures.Unreadable as error:
        raise RuleError.of([refused_picture(error.reason)]) from None
    finally:
        _return_memory()
    count = sum(map(len, rows))
    if not count:
        raise RuleError("E_NO_CARDS")
    if count > MOST_CARDS:
        raise RuleError("E_MANY_CARDS", count=count, most=MOST_CARDS)
    least = recognition.threshold()
    return [
        {
            "cards": [
                {
                    "card": seen.name,
                    "sure": round(seen.sure, PLACES),
                    "box": [round(share, PLACES) for share in seen.box],
                    "alternatives": [] if seen.sure >= least else list(seen.likeliest),
                }
                for seen in row
            ]
        }
        for row in rows
    ]


def _return_memory() -> None:
    """Return the memory of the picture to the system; the C library would keep 100 MB of it."""
    with suppress(AttributeError, OSError, TypeError):  # only glibc has this
        ctypes.CDLL(None).malloc_trim(0)
