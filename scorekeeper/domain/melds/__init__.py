"""Melds: reading cards as melds, adding cards to them, and their points (RULES 5)."""

from scorekeeper.domain.melds.findings import WHYS
from scorekeeper.domain.melds.layoffs import lay_off, lay_on, may_cover_jokers, swap_joker
from scorekeeper.domain.melds.meld import Meld, MeldKind, Place, first_meld_points, unpinned
from scorekeeper.domain.melds.order import Order, ranks_of
from scorekeeper.domain.melds.reading import is_meld, read_meld, readings
from scorekeeper.domain.melds.values import card_value, deck_values, hand_value

__all__ = [
    "WHYS",
    "Meld",
    "MeldKind",
    "Order",
    "Place",
    "card_value",
    "deck_values",
    "first_meld_points",
    "hand_value",
    "is_meld",
    "lay_off",
    "lay_on",
    "may_cover_jokers",
    "ranks_of",
    "read_meld",
    "readings",
    "swap_joker",
    "unpinned",
]
