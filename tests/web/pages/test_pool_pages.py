"""Systems with elimination, drops and one run, entered from their pad as over REST."""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from pdf.paper import text_of

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


REFUSED: Mapping[str, tuple[Fields, Sequence[tuple[int, Fields]], tuple[int, Fields], str]] = {
    "N53": (
        {"preset": "indian-pool"},
        [
            (0, {"hand__1": "80", "hand__2": "80"}),
            (0, {"drop__1": "first", "hand__2": "21"}),
        ],
        (0, {"rejoin__2": "yes", "hand__1": "1", "hand__2": "2"}),
        "rejoin",
    ),
    "too late": (
        {"preset": "kalooki"},
        [
            (0, {"hand__1": "160", "hand__2": "20"}),
            (0, {"hand__2": "20"}),
        ],
        (0, {"rejoin__1": "yes", "hand__1": "1", "hand__2": "2"}),
        "rejoin",
    ),
    "N22": (
        {"preset": "scala-40"},
        [(0, {"hand__1": "110", "hand__2": "20"})],
        (0, {"out__1": "", "hand__1": "1", "hand__2": "2"}),
        "hand-1",
    ),
    "N39": (
        {"preset": "chinchon"},
        [],
        (0, {"hand__0": "6", "hand__1": "1", "hand__2": "2"}),
        "hand-0",
    ),
    "one run with a rest": (
        {"preset": "chinchon"},
        [],
        (0, {"one_run": "yes", "hand__0": "3", "hand__1": "1", "hand__2": "2"}),
        "one_run",
    ),
    "N49": ({"preset": "indian-points"}, [], (0, {"hand__1": "85", "hand__2": "2"}), "hand-1"),
    "N50": (
        {"preset": "indian-points"},
        [],
        (0, {"way__1": "ranks", "hand__1": "K 9", "hand__2": "2"}),
        "wild",
    ),
}


@pytest.mark.parametrize("example", REFUSED)
def test_what_cannot_be_is_refused_at_its_field(anna: Any, example: str) -> None:
    about, rounds, (winner, fields), field = REFUSED[example]
    game = anna.begin(name=NAMES[:3], **about)
    for one, said in rounds:
        assert anna.enter(game, one, **said).status_code == 303

    refused = anna.enter(game, winner, **fields)
    at = refused.text.split(f'id="fault-{field}"')[1].split("</div>")[0]

    assert refused.status_code == 422
    assert 'class="fault"' in at


def test_the_form_asks_who_comes_back_and_nothing_of_those_out(anna: Any) -> None:
    game = anna.begin(name=NAMES[:3], preset="kalooki")
    anna.enter(game, 0, hand__1="160", hand__2="20")
    asked = anna.get(f"{game}/round").text
    anna.enter(game, 0, hand__2="20")
    later = anna.get(f"{game}/round").text

    assert 'name="rejoin-1"' in asked
    assert "Steigt Bernd mit 20 wieder ein?" in asked
    assert "rejoin-" not in later
    assert 'id="ender-1"' not in later


def test_a_correction_keeps_who_came_back_dropped_and_was_wild(app: Any, anna: Any) -> None:
    game = played(anna, "N52")
    before = state(app, game).sheet.rows

    for number in (2, 3, 4):
        path = f"{game}/round/{number}/correct"
        assert anna.send(path, do="save", note="Notiz").status_code == 303

    after = state(app, game).sheet.rows
    assert [row.score.scores for row in after] == [row.score.scores for row in before]
    assert [row.round.rejoin for row in after] == [row.round.rejoin for row in before]
    assert [row.round.seats for row in after] == [row.round.seats for row in before]


def test_a_drop_can_be_corrected_to_points(app: Any, anna: Any) -> None:
    game = anna.begin(name=NAMES[:3], preset="indian-points")
    anna.enter(game, 0, drop__1="wrong", hand__2="5")

    anna.send(f"{game}/round/1/correct", do="save", drop__1="", way__1="points", hand__1="7")

    assert [tally.minus for tally in state(app, game).sheet.tallies] == [0, 7, 5]


def test_the_board_and_the_television_say_who_is_out_and_who_came_back(anna: Any) -> None:
    game = played(anna, "N21")

    for page in (game, f"{game}/tv"):
        shown = anna.get(page).text
        assert "aus in 2" in shown
        assert "noch 51" in shown
        assert 'class="gone rank-' in shown
    board = anna.get(game).text
    assert "Bernd ist mit 110 draußen und steigt mit 50 wieder ein" in board
    assert "Dieter ist mit 101 draußen" in board


def test_the_settlement_names_pot_re_entry_and_round_stakes(app: Any, anna: Any) -> None:
    stakes = {"settle.round_stake": "1", "settle.hand_stake": "2"}
    players, about, rounds, _ = EVENINGS["N25"]
    game = anna.begin(name=NAMES[:players], **about, **stakes, money="yes", stake="10")
    for winner, fields in rounds:
        assert anna.enter(game, winner, **fields).status_code == 303

    shown = anna.get(f"{game}/settlement").text

    assert state(app, game).settled.amounts == (31, -18, -13)
    for name in ("Einsatz", "Wiedereinstieg", "Topf", "Rundeneinsätze"):
        assert f">{name}<" in shown
    paper = text_of(anna.get(f"{game}/sheet.pdf"))
    assert "Wiedereinstieg 1" in paper
    assert "Topf: Jeder legt 0,10 € ein und 0,10 € für jeden Wiedereinstieg" in paper
    assert anna.get(f"{game}/print").text.count("<s>") == 4  # two who are out, and their totals
