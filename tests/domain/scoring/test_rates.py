"""The rates by which a browser counts: what they say is what a round costs."""

from scorekeeper.domain.rounds.scoring.rates import rates
from scorekeeper.domain.rules.presets import PRESETS, preset


def test_a_hand_romme_is_multiplied_only_where_it_is_played() -> None:
    family = preset("german-family")

    assert rates(family).factor == family.hand_romme.factor > 1
    assert rates(family.override({"hand_romme.enabled": False})).factor == 1
    assert {rates(rules).factor for rules in PRESETS.values() if rules.family != "lay"} == {1}


def test_leaving_a_round_has_a_price_where_the_game_knows_it() -> None:
    indian = preset("indian-points")

    assert dict(rates(indian).drops or {}) == {"first": 20, "middle": 40, "wrong": 80}
    assert rates(preset("german-family")).drops is None
