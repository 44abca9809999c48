"""Systems with elimination, drops and one run, entered from their pad as over REST."""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

Fields = Mapping[str, Any]
NAMES = ["Anna", "Bernd", "Claire", "Dieter"]

EVENINGS: Mapping[str, tuple[int, Fields, Sequence[tuple[int, Fields]], Sequence[int]]] = {
    "N16": (3, {"preset": "scala-40"}, [(0, {"hand__1": "46", "hand__2": "15"})], [0, 46, 15]),
    "N17": (
        3,
        {"preset": "scala-40"},
        [(0, {"hand__1": "46", "hand__2": "15", "hand_romme": "yes"})],
        [0, 92, 30],
    ),
    "N18": (
        3,
        {"preset": "scala-40"},
        [
            (0, {"hand__1": "60", "hand__2": "40"}),
            (0, {"hand__1": "41", "hand__2": "60"}),
            (2, {"hand__0": "5"}),
            (0, {"hand__2": "1"}),
        ],
        [5, 101, 101],
    ),
    "N20": (
        3,
        {"preset": "scala-40", "score.not_laid": "100"},
        [(0, {"hand_romme": "yes", "laid__1": "no", "laid__2": "yes", "hand__2": "12"})],
        [0, 200, 24],
    ),
    "N21": (
        4,
        {"preset": "scala-40", "end.rejoin": "highest"},
        [
            (0, {"hand__1": "110", "hand__2": "30", "hand__3": "50"}),
            (0, {"rejoin__1": "yes", "hand__1": "10", "hand__2": "20", "hand__3": "51"}),
        ],
        [0, 60, 50, 101],
    ),
    "N23": (3, {"preset": "kalooki"}, [(0, {"hand__1": "36", "hand__2": "10"})], [0, 36, 10]),
    "N25": (
        3,
        {"preset": "kalooki"},
        [
            (0, {"hand__1": "160", "hand__2": "20"}),
            (1, {"rejoin__1": "yes", "hand_romme": "yes", "hand__0": "30", "hand__2": "140"}),
            (0, {"hand__1": "131"}),
        ],
        [30, 151, 160],
    ),
    "N33": (
        3,
        {"preset": "chinchon"},
        [(0, {"hand__0": "4", "hand__1": "19", "hand__2": "5"})],
        [4, 19, 5],
    ),
    "N35": (
        3,
        {"preset": "chinchon"},
        [(0, {"one_run": "yes", "hand__1": "20", "hand__2": "5"})],
        [0, 20, 5],
    ),
    "N38": (
        3,
        {"preset": "chinchon"},
        [
            (0, {"hand__1": "100", "hand__2": "101"}),
            (1, {"rejoin__2": "yes", "hand__1": "3", "hand__0": "10", "hand__2": "2"}),
        ],
        [10, 103, 102],
    ),
    "N43": (
        3,
        {"preset": "indian-points"},
        [(0, {"hand__1": "34", "drop__2": "first"})],
        [0, 34, 20],
    ),
    "N44": (
        3,
        {"preset": "indian-points"},
        [
            (
                0,
                {
                    "wild": "7",
                    "way__1": "cards",
                    "notation": "en",
                    "hand__1": "4H 5H 6H 9C 10C QC JK 2S 2D 2H KC 9D 3S",
                    "drop__2": "middle",
                },
            )
        ],
        [0, 12, 40],
    ),
    "N51": (
        3,
        {"preset": "indian-pool"},
        [
            (0, {"drop__1": "middle", "hand__2": "60"}),
            (1, {"drop__0": "first", "drop__2": "wrong"}),
        ],
        [20, 40, 140],
    ),
    "N52": (
        3,
        {"preset": "indian-pool"},
        [
            (0, {"drop__1": "middle", "hand__2": "60"}),
            (1, {"drop__0": "first", "drop__2": "wrong"}),
            (0, {"rejoin__2": "yes", "hand__1": "61", "hand__2": "59"}),
            (0, {"drop__2": "first"}),
        ],
        [20, 101, 120],
    ),
    "N56": (
        2,
        {"preset": "indian-deals"},
        [(0, {"hand__1": "45"}), (1, {"hand__0": "30"})],
        [30, 45],
    ),
    "N59": (2, {"preset": "indian-deals"}, [(0, {"drop__1": "wrong"})], [0, 80]),
    "N60": (3, {"preset": "remi-51"}, [(0, {"hand__1": "41", "hand__2": "7"})], [0, 41, 7]),
    "N61": (
        3,
        {"preset": "remi-51"},
        [(0, {"hand__1": "41", "hand__2": "7", "hand_romme": "yes"})],
        [0, 82, 14],
    ),
}
"""Players, fields of the new game, the rounds, and the minus points at the end."""


def played(anna: Any, example: str) -> str:
    players, about, rounds, _ = EVENINGS[example]
    game = str(anna.begin(name=NAMES[:players], **about))
    for winner, fields in rounds:
        saved = anna.enter(game, winner, **fields)
        assert saved.status_code == 303, saved.text
    return game


def state(app: Any, game: str) -> Any:
    return app.extensions["ledger"].game(game.removeprefix("/g/"))


@pytest.mark.parametrize("example", EVENINGS)
def test_an_example_entered_from_the_pad_has_its_totals(app: Any, anna: Any, example: str) -> None:
    game = played(anna, example)

    assert [tally.minus for tally in state(app, game).sheet.tallies] == EVENINGS[example][3]
