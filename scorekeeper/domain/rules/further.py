"""Further systems of the rummy family, each as its difference from another one (RULES-MORE 4)."""

from collections.abc import Mapping

LAYING: Mapping[str, object] = {
    "settle.point_value": None,
    "settle.unit": "ct",
    "ace.corner": False,
    "joker.pinned_in_sets": False,
    "joker.swapped_to": "hand",
    "layoff.first_turn": True,
}
"""What the systems with laying out have in common."""

FURTHER: Mapping[str, tuple[str, Mapping[str, object]]] = {
    "scala-40": (
        "german-family",
        {
            **LAYING,
            "players.max": 6,
            "deck.jokers": 4,
            "deal.upcard": True,
            "joker.hand_value": 25,
            "meld.first_min": 40,
            "end.mode": "points",
            "end.points": 101,
            "end.compare": "reach",
            "end.eliminate": True,
            "settle.mode": "none",
        },
    ),
}
"""The system that each begins with, and its changes."""
