"""The further systems, begun from the form, entered on their pads, with the scores of REST."""

from typing import Any

import pytest

from pdf.paper import text_of
from scorekeeper.services.clock import set_clock
from web.pages.conftest import words

THREE = ["Anna", "Bernd", "Claire"]


def totals(anna: Any, game: str, measure: str) -> list[int]:
    """The totals of a game, as REST answers them."""
    return [tally.of(measure) for tally in stored(anna, game).sheet.tallies]


def stored(anna: Any, game: str) -> Any:
    return anna.client.application.extensions["ledger"].game(game.rpartition("/")[2])


RANKS = {"way__1": "ranks", "way__2": "ranks"}
EVENINGS = {
    "rummy-500": (  # N86, N88
        THREE,
        [
            (
                1,
                {
                    "laid_points__0": "60",
                    "hand__0": "72",
                    "laid_points__1": "45",
                    "laid_points__2": "0",
                    "hand__2": "20",
                },
            ),
            (
                "none",
                {
                    "laid_points__0": "30",
                    "hand__0": "5",
                    "laid_points__1": "10",
                    "hand__1": "40",
                    "laid_points__2": "0",
                    "hand__2": "12",
                },
            ),
        ],
        "net",
        [-12 + 25, 45 - 30, -20 - 12],
    ),
    "rummy": (  # N92, N93
        THREE,
        [
            (0, {**RANKS, "hand__1": "K A 7", "hand__2": "D D"}),
            (0, {"hand__1": "18", "hand__2": "20", "hand_romme": "yes"}),
        ],
        "plus",
        [38 + 76, 0, 0],
    ),
    "contract-rummy": (THREE, [(0, {"hand__1": "40", "hand__2": "18"})], "minus", [0, 40, 18]),
    "kalooki-jamaica": (THREE, [(0, {"hand__1": "66", "hand__2": "21"})], "minus", [0, 66, 21]),
    "shanghai": (  # N69, N70
        THREE,
        [
            (0, {**RANKS, "hand__1": "9 10 A JK 2", "hand__2": "K"}),
            (0, {"hand__1": "30", "hand__2": "15", "hand_romme": "yes"}),
        ],
        "net",
        [25, -80, -25],
    ),
    "continental": (  # N73, N74
        THREE,
        [
            (0, {**RANKS, "hand__1": "JK A K 7", "hand__2": "3"}),
            (0, {"hand__1": "25", "hand__2": "40", "hand_romme": "yes"}),
        ],
        "net",
        [10, -87 - 25, -3 - 40],
    ),
    "three-thirteen": (  # N77
        THREE[:2],
        [(0, {"way__1": "ranks", "hand__1": "3 K A"})],
        "minus",
        [0, 14],
    ),
    "phases": (  # N81, N82
        THREE[:2],
        [
            (0, {"laid__1": "yes", "way__1": "ranks", "hand__1": "9 10 A JK"}),
            (0, {"hand__1": "90"}),
        ],
        "minus",
        [0, 145],
    ),
    "gin-american": (  # N1, N2, N3
        THREE[:2],
        [
            (0, {"hand__0": "4", "hand__1": "19"}),
            (0, {"hand__0": "7", "hand__1": "7"}),
            (0, {"how": "gin", "hand__1": "31"}),
            (0, {"how": "gin", "big_gin": "yes", "hand__1": "31"}),
        ],
        "plus",
        [15 + 56 + 62, 25],
    ),
}
"""For each system its players, its rounds (who ended them, the fields), and the totals then."""


@pytest.mark.parametrize("preset", EVENINGS)
def test_an_evening_is_entered_on_the_pad_with_the_scores_of_rest(anna: Any, preset: str) -> None:
    names, rounds, measure, expected = EVENINGS[preset]
    game = anna.begin(preset=preset, name=names)

    for ended, fields in rounds:
        ender = "knocker" if preset.startswith("gin") else "winner"
        ways = {f"way__{seat}": "points" for seat in range(len(names))}
        saved = anna.send(f"{game}/round", **{ender: str(ended), "do": "save", **ways, **fields})
        assert saved.status_code == 303, saved.text.split("<form")[1]

    assert totals(anna, game, measure) == expected
    number = len(rounds)
    again = anna.send(f"{game}/round/{number}/correct", do="save")
    assert again.status_code == 303
    assert totals(anna, game, measure) == expected


def test_melds_in_one_row_are_divided_with_the_wild_rank_of_the_round(anna: Any) -> None:
    """In the fourth round six cards are dealt and sixes are wild, also where it is corrected."""
    game = anna.begin(preset="three-thirteen", name=THREE[:2])
    points = {"way__1": "points", "hand__1": "9", "do": "save"}
    for _ in range(3):
        assert anna.send(f"{game}/round", winner="0", **points).status_code == 303
    melds = {"way__0": "cards", "melds__0": "K♥ 6♦ K♠ 4♣ 5♣ 6♥", **points}

    saved = anna.send(f"{game}/round", winner="0", **melds)
    assert saved.status_code == 303, saved.text.split("<form")[1]
    anna.send(f"{game}/round", winner="0", **points)
    corrected = anna.send(f"{game}/round/4/correct", **melds | {"hand__1": "8"})
    assert corrected.status_code == 303, corrected.text.split("<form")[1]
    assert totals(anna, game, "minus") == [0, 9 * 3 + 8 + 9]


GIN = [
    (0, {"how": "gin", "hand__1": "40"}),
    (0, {"hand__0": "8", "hand__1": "3"}),
    (0, {"hand__0": "2", "hand__1": "40"}),
]  # N4: 65; 30 to Bernd; 38


def test_a_game_of_gin_is_reckoned_up_on_its_pages_and_on_paper(anna: Any) -> None:
    game = anna.begin(preset="gin-american", name=THREE[:2])
    for knocked, fields in GIN:
        ways = {"way__0": "points", "way__1": "points"}
        saved = anna.send(f"{game}/round", knocker=str(knocked), do="save", **ways, **fields)
        assert saved.status_code == 303

    assert 'aria-label="2 Boxen"' in anna.get(game).text
    for page in ("", "/end", "/settlement"):
        shown = words(anna.get(game + page).text.split('class="finale"')[1].split("</section>")[0])
        assert "Punkte 103 30" in shown
        assert "Spiel gewonnen +100" in shown
        assert "Boxen zu 25 +50 +25" in shown
        assert "Schneider nein" in shown
        assert "Zusammen 253 55" in shown
        assert "Anna gewinnt mit 198 (253 − 55)" in shown
    for paper in ("sheet", "settlement"):
        printed = text_of(anna.get(f"{game}/{paper}.pdf"))
        assert "Spiel gewonnen +100 Boxen zu 25 +50 +25 Schneider nein Zusammen 253 55" in printed
        assert "Anna gewinnt mit 198 (253 − 55)" in printed


def test_three_games_of_hollywood_stand_side_by_side(anna: Any) -> None:
    game = anna.begin(preset="gin-american", name=THREE[:2], **{"gin.hollywood": "yes"})

    for winner, points, how in ((0, 40, ""), (0, 30, ""), (1, 20, ""), (0, 35, "gin"), (0, 45, "")):
        fields = {f"hand__{1 - winner}": str(points)} | ({"how": how} if how else {})
        own = {} if how else {f"hand__{winner}": "1", f"hand__{1 - winner}": str(points + 1)}
        ways = {"way__0": "points", "way__1": "points"}
        saved = anna.send(
            f"{game}/round", knocker=str(winner), do="save", **{**ways, **fields, **own}
        )
        assert saved.status_code == 303

        if (winner, how) == (0, "gin"):
            pad = words(anna.get(game).text.split("<table")[1].split("</table>")[0])
            assert "Spiel 1 zu Ende Spiel 2 noch 10 Spiel 3 noch 40" in pad
            assert "Anna 130" in pad and "Bernd 20" in pad
            for line in ("1 40 2", "2 70 30 3", "3 20 4", "4 130 90 60 Anna: Gin, +60."):
                assert line in pad  # N14, the totals after each hand
            assert "Anna +260 305 zu 45" in pad
            assert "1 40 2 70 30 3 20 4 130 90 60" in text_of(anna.get(f"{game}/sheet.pdf"))

    shown = words(anna.get(game).text.split('class="finale"')[1].split("</section>")[0])
    assert "Zusammen 305 45 410 0 355 0" in shown  # N14
    assert "Anna gewinnt mit 1" in shown


def test_the_workings_of_a_hand_romme_show_what_is_doubled(anna: Any) -> None:
    game = anna.begin(name=THREE)
    held = {**RANKS, "hand__1": "K D 7", "hand__2": "K"}
    page = anna.send(f"{game}/round", winner="0", hand_romme="yes", do="check", **held).text

    assert "(10 + 10 + 7) × 2" in words(page)
    assert "10 × 2" in words(page)
    assert "(10) × 2" not in words(page)


def test_the_last_changes_come_newest_first_whatever_their_round(anna: Any) -> None:
    game = anna.begin(name=THREE)
    for minute in range(2):
        with set_clock(f"2026-03-01T20:0{minute}:00Z"):
            anna.enter(game, 0, hand__1="5", hand__2="7")
    with set_clock("2026-03-01T20:05:00Z"):
        anna.send(f"{game}/round/1/strike", page=game)
    told = words(anna.get(game).text.split('id="recent"')[1].split("</section>")[0])

    lines = ["Runde 1 zurückgenommen", "Runde 2 eingetragen", "Runde 1 eingetragen"]
    assert sorted(lines, key=told.index) == lines
