"""What a browser counts with."""

import pytest

from scorekeeper.domain.rounds.scoring.rates import rates
from scorekeeper.domain.rules.presets import preset


@pytest.mark.parametrize(
    ("name", "options", "most"),
    [
        ("german-family", {}, 208),  # 14 cards: six jokers and eight aces
        ("german-family", {"klopfen.mode": "palast"}, 258),  # and five court cards of claims
        ("luxembourg", {}, 110),
        ("gin-palast", {"teams": True}, 80),
    ],
)
def test_no_hand_is_worth_more_than_its_cards_and_one_too_many(name, options, most):  # RULES 6.6.3
    assert rates(preset(name).override(options)).most == most
