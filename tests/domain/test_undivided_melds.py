"""Cards laid in one row are split where a meld can take no more."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.domain.cards.card import PACK
from scorekeeper.domain.cards.notation import read_cards, write_cards
from scorekeeper.domain.melds import readings
from scorekeeper.domain.rounds.undivided import melds_in_order
from scorekeeper.domain.rules.presets import PRESETS

RULES = PRESETS["german-family"]


def cut(text: str) -> list[str]:
    cards, _ = read_cards(text)
    return [" ".join(write_cards(meld)) for meld in melds_in_order(cards, RULES)]


@pytest.mark.parametrize(
    "melds",
    [
        "7H 8H 9H",
        "7H 7S 7D | 8H 9H 10H",
        "7H 7S 7D 7C | 7H 7S 7D",  # a set has at most four cards
        "7H 8H 9H | 10H 10S 10D",  # the run leaves the ten to the set
        "8H 9H JK | 7H 7S 7D",
        "8H 9H JK JK",  # one meld, although it is ambiguous: read_meld refuses it
        "2S 2C 2D | 3C 3D 3H | 4D 4C 4S | 5C 5D 5H 5S",
        "7H 8H 9H 10H | 10S",  # the next meld is unfinished
        "7H 8H 9H | QS KS",
        "7H 7S 8D",  # no meld at the start: it is judged as a whole
        "7H",
        "",
    ],
)
def test_a_meld_ends_where_the_next_card_cannot_join(melds):
    assert cut(melds.replace("|", " ")) == [meld for meld in melds.split(" | ") if meld]


@given(st.lists(st.sampled_from(PACK), max_size=9).map(tuple))
def test_no_card_is_lost_and_all_but_the_last_are_melds(cards):
    melds = melds_in_order(cards, RULES)

    assert sum(melds, ()) == cards
    assert all(readings(meld, RULES) for meld in melds[:-1])
