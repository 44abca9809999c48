"""Stakes in the rules of a game."""

import pytest

from scorekeeper.domain.rules.presets import preset
from scorekeeper.i18n import LANGUAGES, language
from scorekeeper.wording.terms import rule_or_limit


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize("name", ["rejoin_stake", "round_stake", "hand_stake"])
def test_every_stake_names_its_currency(code: str, name: str) -> None:
    stakes = {"settle.unit": "EUR", "settle.round_stake": "1", f"settle.{name}": "1/2"}

    sentence = rule_or_limit(f"settle.{name}", preset("kalooki").override(stakes), language(code))

    assert "€" in sentence or "EUR" in sentence
