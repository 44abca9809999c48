"""Hand rommé and claims of discards (RULES 6.2)."""

import pytest

from scorekeeper.domain.errors import RuleError
from scorekeeper.domain.rounds.scoring import score_round
from scorekeeper.domain.rules.presets import preset
from scorekeeper.wire.rounds import load_round


@pytest.mark.parametrize(
    ("options", "klopfen", "found"),
    [
        ({"klopfen.mode": "palast"}, 0, []),
        ({"klopfen.mode": "palast", "klopfen.after_first_meld": False}, 1, []),
        ({"klopfen.mode": "rasche"}, 1, []),
        (
            {"klopfen.mode": "rasche", "klopfen.after_first_meld": True},
            1,
            ["E_HANDROMME_NOT_FIRST"],
        ),
        ({}, 1, ["E_KLOPFEN_OFF"]),
    ],
)
def test_a_hand_romme_and_a_claim_exclude_each_other_after_a_first_meld(
    options: dict[str, object], klopfen: int, found: list[str]
) -> None:  # RULES 6.2
    seats = [{"klopfen": klopfen}, {"points": 9, "laid": True, "klopfen": klopfen}]

    body = {"outcome": "out", "winner": 0, "hand_romme": True, "seats": seats}
    rules = preset("german-family").override(options)
    try:
        refused = list(score_round(load_round(body).round, rules, 2).warnings)
    except RuleError as error:
        refused = list(error.problems)

    assert {one.code for one in refused} - {"W_HANDROMME_UNCHECKED"} == set(found)
