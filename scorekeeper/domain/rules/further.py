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

AT_THE_END: Mapping[str, object] = {
    "settle.point_value": None,
    "settle.unit": "ct",
    "ace.corner": False,
    "joker.pinned_in_sets": False,
}
"""What the systems without laying out have in common."""

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
    "kalooki": (
        "german-family",
        {
            **LAYING,
            "players.max": 5,
            "deck.jokers": 2,
            "ace.low": False,
            "joker.hand_value": 15,
            "meld.first_min": 40,
            "hand_romme.factor": 1,
            "end.mode": "points",
            "end.points": 150,
            "end.compare": "over",
            "end.eliminate": True,
            "end.rejoin": "highest",
            "settle.mode": "none",
        },
    ),
    "remi-51": ("german-family", {**LAYING, "deck.jokers": 4, "meld.first_min": 51}),
    "chinchon": (
        "wiener",
        {
            **AT_THE_END,
            "players.max": 4,
            "deck.packs": 1,
            "deck.jokers": 0,
            "deck.ranks": 40,
            "deal.cards": 7,
            "deal.upcard": True,
            "value.ace_hand": 1,
            "ace.high": False,
            "out.max_rest": 5,
            "out.opponent_melds": "own_and_layoff",
            "out.one_run": "wins",
            "score.out_bonus": 10,
            "end.mode": "points",
            "end.points": 100,
            "end.compare": "over",
            "end.measure": "net",
            "end.eliminate": True,
            "end.rejoin": "highest",
            "rank.measure": "net",
            "settle.mode": "none",
            "settle.measure": "net",
        },
    ),
    "gin-american": (
        "gin-palast",
        {
            "deal.next_dealer": "loser",
            "gin.gin_bonus": 25,
            "gin.undercut_bonus": 25,
            "gin.box_bonus": 25,
            "gin.box_above_limit": 0,
            "gin.box_at": "game",
            "gin.big_gin": 31,
            "gin.game_bonus": 100,
            "gin.shutout": "game_bonus",
            "settle.mode": "winner",
        },
    ),
    "rummy-500": (
        "german-family",
        {
            **LAYING,
            "players.max": 8,
            "deck.packs": {2: 1, 3: 1, 4: 1, 5: 2, 6: 2, 7: 2, 8: 2},
            "deck.jokers": {2: 2, 3: 2, 4: 2, 5: 4, 6: 4, 7: 4, 8: 4},
            "deal.cards": {2: 13, 3: 7, 4: 7, 5: 7, 6: 7, 7: 7, 8: 7},
            "deal.upcard": True,
            "stock.exhausted": "count",
            "value.ace_hand": 15,
            "meld.first_min": 0,
            "joker.hand_value": 15,
            "joker.swap": "none",
            "out.discard_required": False,
            "hand_romme.enabled": False,
            "score.mode": "melded",
            "end.mode": "points",
            "end.points": 500,
            "end.compare": "reach",
            "end.measure": "net",
            "rank.measure": "net",
            "settle.mode": "winner",
        },
    ),
    "rummy": (
        "luxembourg",
        {
            "meld.max_per_turn": 0,
            "hand_romme.enabled": True,
            "hand_romme.factor": 2,
            "hand_romme.allow_layoff": True,
            "settle.mode": "winner",
        },
    ),
}
"""The system that each begins with, and its changes."""
