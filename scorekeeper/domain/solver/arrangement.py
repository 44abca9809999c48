"""A hand arranged, the answer of the solver."""

from typing import NamedTuple

from scorekeeper.domain.cards.card import Card
from scorekeeper.domain.melds import Meld

CARD_COUNTS = 32
"""A cost is 32 x points + cards, so that points come first."""


class Arrangement(NamedTuple):
    """A hand arranged: its melds, its lay-offs and the cards left."""

    points: int
    """The points of the cards left."""
    melds: tuple[Meld, ...]
    layoffs: tuple[tuple[Card, int], ...]
    """Cards with the index of the meld that each is laid off on, in a possible order."""
    rest: tuple[Card, ...]
