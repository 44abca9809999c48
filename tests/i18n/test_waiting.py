"""What a browser is told about a game, so that it can go on with it alone."""

import re
from typing import Any

import pytest

from evenings import begun, evening
from examples import played
from scorekeeper.domain.rules.presets import PRESETS
from scorekeeper.i18n import LANGUAGES, language
from scorekeeper.wording.waiting import scored, state, tallied

GERMAN = language("de", "UTC")
WORDS = {
    "leads": "führt",
    "won": "gewinnt",
    "went": "aus in {n}",
    "left": "noch {n}",
    "laid": "{n} gelegt",
    "to_go": "noch {n}",
    "over": "zu Ende",
    "count": "{own} zu {other}",
    "boxes": "{n} Boxen",
    "all": ["{others} und A", "{others} und B", "{others} und C"],
    "wins": ["{players} gewinnt.", "{players} gewinnen."],
}


AND = {
    "de": ("und", "und", "und"),
    "en": ("and", "and", "and"),
    "lb": ("an", "a", "a"),
    "fr": ("et", "et", "et"),
}
"""The word before each of A, B and C at the end of a list."""


def blanks(words: Any) -> list[str]:
    """Return the names that are replaced by numbers and names in words or lists of words."""
    return re.findall(r"{\w+}", " ".join(words) if isinstance(words, list) else words)


@pytest.mark.parametrize("code", LANGUAGES)
def test_the_words_have_the_same_blanks_in_every_language(code: str) -> None:
    told = tallied(begun(PRESETS["robber"], 3), language(code))

    assert {name: blanks(words) for name, words in told["words"].items()} == {
        name: blanks(words) for name, words in WORDS.items()
    }


def test_a_game_is_told_with_its_words_and_who_deals_next() -> None:
    game = evening({"preset": "romme-palast", "rounds": ["A: B 40, C 15"]})

    told = tallied(game, GERMAN)

    assert told == {
        "rows": 1,
        "both": True,
        "sides": ("A", "B", "C"),
        "teams": False,
        "games": [],
        "now": state(game),
        "deal": {
            "dealer": 1,
            "present": [0, 1, 2],
            "turns": "left",
            "deals": [f"{player} gibt 13 Karten" for player in "ABC"],
            "begins": [f"{player} beginnt" for player in "ABC"],
        },
        "thousands": GERMAN.thousands,
        "places": ["1. Platz", "2. Platz", "3. Platz"],
        "words": WORDS,
    }


def test_names_that_the_browser_lists_have_the_and_that_goes_with_the_last_one() -> None:
    game = begun(PRESETS["robber"], 3)
    named = {code: tallied(game, language(code))["words"]["all"] for code in LANGUAGES}

    assert named == {
        code: [f"{{others}} {word} {name}" for word, name in zip(words, game.sides, strict=True)]
        for code, words in AND.items()
    }


@pytest.mark.parametrize(
    ("preset", "options", "rounds", "rows", "least"),
    [
        ("german-family", {}, None, 0, 0),
        ("german-family", {"end.mode": "rounds", "end.rounds": 6}, 6, 0, 0),
        ("indian-pool", {"end.mode": "points_or_rounds", "end.rounds": 12}, 12, 0, 0),
        ("contract-rummy", {}, 7, 7, 0),
        ("contract-rummy", {"end.mode": "manual"}, 7, 7, 0),  # the plan is played to its end
        ("phases", {}, None, 10, 0),  # everybody at their own pace
        ("gin-palast", {"gin.pro_min_wins": 3}, None, 0, 3),
    ],
)
def test_a_game_is_told_with_what_ends_it(
    preset: str, options: dict[str, Any], rounds: int | None, rows: int, least: int
) -> None:
    game = begun(PRESETS[preset].override(options), 2)

    assert state(game)["ends"] == {"rounds": rounds, "rows": rows, "least": least}


@pytest.mark.parametrize(
    ("preset", "options", "players", "turns"),
    [
        ("german-family", {}, 3, "left"),
        ("shanghai", {}, 3, "left"),
        ("three-thirteen", {}, 3, None),  # the next round has another number of cards
        ("luxembourg", {}, 2, "left"),
        ("knock-rummy", {}, 3, "left"),
        ("knock-rummy", {}, 2, None),  # the winner deals
        ("gin-american", {}, 2, "loser"),
        ("gin-palast", {"players.max": 3}, 3, None),  # somebody sits out
        ("gin-palast", {"teams": True}, 4, None),
    ],
)
def test_a_browser_knows_who_deals_next_where_that_is_plain(
    preset: str, options: dict[str, Any], players: int, turns: str | None
) -> None:
    game = begun(PRESETS[preset].override(options), players)

    assert tallied(game, GERMAN)["deal"]["turns"] == turns


def test_what_the_winner_collects_is_told_as_such() -> None:
    game = evening({"preset": "luxembourg", "rounds": ["A: B 40, C 15"]})
    row = game.sheet.rows[-1]
    told = scored(game, row.round, row.score, GERMAN)

    assert told["silent"]
    assert told["points"] == [(0, 55, 0), (0, 0, 0), (0, 0, 0)]


PLAIN = {
    "share": 0.5, "sign": 1, "out": None, "gone": None, "entries": None, "laid": None,
    "columns": None, "gin": None, "first": None,
}  # fmt: skip
"""What is told of most games."""


def test_a_pool_is_told_with_who_is_out_and_how_they_come_back() -> None:
    options = {"end.rejoin_max": 2}
    rounds = ["A: B 80, C 30", "A: B 40, C 5", "B back; C: A 5, B 40", "A: B 70"]
    game = evening({"preset": "indian-pool", "options": options, "rounds": rounds})

    assert state(game) == {
        **PLAIN,
        "share": 0.0,
        "counted": 4,
        "tallies": [(5, 0, 3, 4), (146, 0, 0, 4), (35, 0, 1, 3)],
        "measure": "minus",
        "limit": 101,
        "over": False,
        "limited": "minus",
        "out": [0, 4, 0],
        "gone": [False, False, False],
        "entries": [0, 1, 0],
        "more": 1,
        "most": 2,
        "up_to": 79,
        "last": 4,
        "ends": {"rounds": None, "rows": 0, "least": 0},
    }


def test_three_games_of_gin_are_told_with_their_boxes() -> None:
    knocks = [(0, 0, 40), (1, 20, 0), (0, 0, 20)]
    rounds = [
        {"knocker": knocker, "seats": [{"deadwood": own}, {"deadwood": other}]}
        for knocker, own, other in knocks
    ]
    options = {"gin.hollywood": True}
    game = played({"preset": "gin-american", "options": options, "rounds": rounds})
    row = game.sheet.rows[-1]

    now = state(game)

    assert now == {
        **PLAIN,
        "share": 0.0,
        "counted": 3,
        "tallies": [(0, 110, 2, 3), (0, 45, 1, 3)],
        "measure": "plus",
        "limit": 100,
        "over": False,
        "limited": "plus",
        "columns": [
            {"points": (110, 45), "boxes": (2, 1), "entries": (2, 1), "winner": 0},
            {"points": (45, 0), "boxes": (1, 0), "entries": (1, 0), "winner": None},
            {"points": (0, 0), "boxes": (0, 0), "entries": (0, 0), "winner": None},
        ],
        "gin": {"three": True, "box": 25, "game": 100, "shutout": "game_bonus"},
        "ends": {"rounds": None, "rows": 0, "least": 0},
    }
    assert tallied(game, GERMAN)["games"] == ["Spiel 1", "Spiel 2", "Spiel 3"]
    assert scored(game, row.round, row.score, GERMAN) == {
        "points": [(0, 45, 0), (0, 0, 0)],
        "winner": 0,
        "mark": (0, "Gin"),
        "silent": False,
        "boxes": 1,
        "laid": [True, False],
        "back": (),
        "wins": False,
    }


def test_a_round_is_told_with_who_came_back_and_what_counts() -> None:
    rounds = ["A: B 80, C 30", "A: B 40, C 5", "B back; C: A 5, B 40"]
    game = evening({"preset": "indian-pool", "rounds": rounds})
    row = game.sheet.rows[-1]

    assert scored(game, row.round, row.score, GERMAN) == {
        "points": [(5, 0, 0), (40, 0, 0), (0, 0, 0)],
        "winner": 2,
        "mark": (2, "Rommé"),
        "silent": False,
        "boxes": 0,
        "laid": [False, False, True],
        "back": (1,),
        "wins": False,
    }
