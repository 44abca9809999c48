"""One example round per family for the OpenAPI document and the handbook (RULES 6)."""

from collections.abc import Mapping
from typing import Any

Example = Mapping[str, Any]

TABLES: Mapping[str, Example] = {
    "lay": {"rules": {"preset": "german-family"}, "players": 4},
    "hand": {"rules": {"preset": "wiener"}, "players": 3},
    "gin": {
        "rules": {
            "preset": "gin-palast",
            "options": {"gin.oklahoma": True, "gin.hirschn": True, "gin.glass": True},
        },
        "players": 2,
    },
    "gin in teams": {
        "rules": {"preset": "gin-palast", "options": {"teams": True}},
        "players": 4,
    },
    "knock": {"rules": {"preset": "knock-rummy"}, "players": 3},
}
"""The rules of each round in ``ROUNDS``."""

ROUNDS: Mapping[str, Example] = {
    "lay": {
        "summary": "with laying out: cards, ranks and points, a hand rommé",
        "value": {
            "outcome": "out",
            "winner": 0,
            "hand_romme": True,
            "seats": [
                {"melds": ["AS 2S 3S", "2H 2D 2C", "3H 3D 3C", "4H 4D 4C 4S"], "discard": "KD"},
                {"hand": "KH 9C AS JK"},
                {"hand": "K Q"},
                {"points": 15},
            ],
        },
    },
    "hand": {
        "summary": "without laying out: the winner keeps 9, the others meld as they can",
        "value": {
            "outcome": "out",
            "winner": 0,
            "seats": [
                {
                    "melds": ["9H 9S 9D", "7C 8C 9C 10C", "5D 6D 7D"],
                    "hand": "2C 3D 4S",
                    "discard": "QS",
                },
                {"hand": "QD 5H 5C 2S AH AD JK KH KC KS 7S 8S 9S"},
                {"rest": "K 5 2"},
            ],
        },
    },
    "gin": {
        "summary": "Oklahoma, Hirschn! and the glass; lay-offs as stated",
        "value": {
            "outcome": "knock",
            "knocker": 1,
            "oklahoma_card": "7D",
            "seats": [
                {
                    "hand": "2S 3S 4S QH QC QS 7C 9C 10D AC",
                    "layoffs": [{"card": "7C", "meld": {"seat": 1, "index": 0}}],
                },
                {
                    "hand": "4C 5C 6C 9H 9S 9D JD QD KD 6H",
                    "melds": ["4C 5C 6C", "9H 9S 9D", "JD QD KD"],
                    "discard": "8S",
                    "announced": 6,
                },
            ],
            "hirschn": {"caller": 1, "turns_after": 2},
            "glass": [{"by": 0, "kind": "group", "rank": "8", "hit": True, "pile": "8H 2C 8D 8C"}],
        },
    },
    "gin in teams": {
        "summary": "seats 0 and 2 against 1 and 3; points go to the sides",
        "value": {
            "outcome": "knock",
            "knocker": 0,
            "seats": [{"deadwood": 3}, {"rest": "9"}, {"rest": "K 2"}, {"deadwood": 14}],
        },
    },
    "knock": {
        "summary": "cards, points and ranks",
        "value": {
            "outcome": "knock",
            "knocker": 0,
            "seats": [
                {"hand": "3H 4H 5H 8H 8D 8S 2C", "discard": "KH"},
                {"count": 12},
                {"rest": "K 2"},
            ],
        },
    },
}
"""One round per family."""

SCORES: Mapping[str, Example] = {
    family: {**example, "value": {**TABLES[family], "round": example["value"]}}
    for family, example in ROUNDS.items()
}
"""The same rounds with their rules, to be scored without a game."""
