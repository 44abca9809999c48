"""The pages of every rule system: the form of a game, its entry, board, settlement and end."""

from typing import Any

import pytest

from scorekeeper.domain.rules.presets import PRESETS

PAGES = ("", "/round", "/settlement", "/history", "/more")


@pytest.mark.parametrize("preset", PRESETS)
def test_a_game_is_begun_from_the_form_and_its_pages_are_there(anna: Any, preset: str) -> None:
    rules = PRESETS[preset]
    names = ["Anna", "Bernd", "Claire"][: min(3, rules.players.max)]

    game = anna.begin(preset=preset, name=names)

    for page in PAGES:
        assert anna.get(game + page).status_code == 200, page


@pytest.mark.parametrize("preset", ["contract-rummy", "three-thirteen", "shanghai"])
def test_a_round_of_a_plan_is_entered_in_points(anna: Any, preset: str) -> None:
    game = anna.begin(preset=preset, name=["Anna", "Bernd", "Claire"])

    saved = anna.enter(game, 0, hand__1="20", hand__2="35")

    assert saved.status_code == 303
    assert "35" in anna.get(game).text


def test_the_settlement_says_that_all_pay_the_winner(anna: Any) -> None:
    money = {"point_value": "1", "unit": "ct"}
    game = anna.begin(preset="rummy-500", name=["Anna", "Bernd"], **money)
    saved = anna.enter(game, 0, laid_points__0="60", laid_points__1="20", hand__1="5")

    assert saved.status_code == 303

    page = anna.get(f"{game}/settlement").text

    assert "Jeder zahlt dem Gewinner den Unterschied." in page
    assert "zusammengefasst" not in page  # a payment for each loser, and nothing to combine
    assert "seinen eigenen Stand" not in page
