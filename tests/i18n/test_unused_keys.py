"""Keys of the catalogues that nothing uses are found, also where keys are joined from parts."""

import pytest

from tools.check_catalogues import Sources


@pytest.fixture(scope="module")
def sources() -> Sources:
    return Sources()


@pytest.mark.parametrize(
    "key",
    [
        "pages.share",
        "option.deck.jokers",
        "play.joker.swap.others",
        "reason.hand.cards",
        "terminal.check.chain.bad",
        "pages.entry.hint.ranks.fr",
        "E_FORM.no_winner",
    ],
)
def test_a_key_in_use_is_recognised(sources: Sources, key: str) -> None:
    assert sources.use(key)


@pytest.mark.parametrize(
    "key", ["pages.season.clubs", "option.deck.clubs", "reason.hand.clubs", "E_FORM.no_clubs"]
)
def test_a_key_that_nothing_uses_is_recognised(sources: Sources, key: str) -> None:
    assert not sources.use(key)
