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


def test_each_family_has_its_own_rates() -> None:
    found = {name: rates(rules) for name, rules in PRESETS.items()}

    for name, rules in PRESETS.items():
        assert (found[name].gin is not None) is (rules.family == "gin"), name
        assert (found[name].knock is not None) is (rules.family == "knock"), name
    assert {name for name in found if found[name].melded} == {"rummy-500"}


def test_only_without_dearer_spades_a_browser_counts_gin_by_itself() -> None:
    oklahoma = preset("gin-american").override({"gin.oklahoma": True})

    for factor, counted in ((1, True), (2, False)):
        gin = rates(oklahoma.override({"gin.oklahoma_spades": factor})).gin
        assert gin and gin.counted is counted
