"""First melds and ways out: RULES 5.5, 6.6.5, 6.6.6."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations

from hypothesis import given, settings
from hypothesis import strategies as st

from examples import cards
from scorekeeper.domain.cards import JOKER, Card, Rank, Suit
from scorekeeper.domain.melds import Meld, hand_value, readings
from scorekeeper.domain.openings import first_melds, ways_out
from scorekeeper.domain.options import RuleSet
from scorekeeper.domain.presets import preset

FAMILY = preset("german-family")
PALAST = preset("romme-palast")
LUXEMBOURG = preset("luxembourg")


def written(melds: tuple[Meld, ...]) -> list[str]:
    return [" ".join(map(str, meld.cards)) for meld in melds]


def test_together_all_melds_of_the_turn_reach_the_minimum() -> None:  # M16
    assert first_melds(cards("7H 7S 7C 5D 6D 7D"), FAMILY) is None
    found = first_melds(cards("7H 7S 7C 6D 7D 8D"), FAMILY)

    assert found
    assert sorted(written(found.cheapest)) == ["6D 7D 8D", "7C 7H 7S"]


def test_single_one_meld_must_reach_the_minimum() -> None:  # M01, M17
    assert first_melds(cards("7H 7S 7C 5D 6D 7D"), PALAST) is None
    found = first_melds(cards("10H 10S 10C AH AS AD"), PALAST)

    assert found
    assert written(found.cheapest) == ["10C 10H 10S"]
    assert written(found.dearest) == ["AD AH AS"]


def test_a_joker_stands_where_it_counts_most_or_least() -> None:  # RULES 5.4
    rules = PALAST.override({"meld.first_min": 20})

    found = first_melds(cards("8H 9H JK"), rules)

    assert found
    assert written(found.cheapest) == ["JK=7H 8H 9H"]
    assert written(found.dearest) == ["8H 9H JK=10H"]


def test_no_more_melds_than_a_turn_allows() -> None:
    found = first_melds(cards("7H 7S 7C KC KD KS"), LUXEMBOURG)

    assert found
    assert written(found.dearest) == ["KC KD KS"]


WILD = FAMILY.override({"wild.twos": True})
UNMISTAKABLE = PALAST.override({"wild.twos": True, "joker.min_naturals": 1})
SMALL = tuple(
    Card(rank, suit) for rank in (Rank.TWO, *tuple(Rank)[4:9]) for suit in tuple(Suit)[:3]
)


@given(
    st.lists(st.sampled_from((*SMALL, JOKER)), max_size=8),
    st.sampled_from((FAMILY, PALAST, WILD, UNMISTAKABLE)),
    st.sampled_from((0, 20, 30, 40)),
    st.sampled_from(("single", "together")),
)
@settings(max_examples=150)
def test_no_melds_reach_it_with_less_or_count_more(
    hand: list[Card], rules: RuleSet, minimum: int, scope: str
) -> None:
    meld = replace(rules.meld, first_min=minimum, first_scope=scope)
    rules = replace(rules, meld=meld)
    sums = {
        sum(points) for points in laid_out(tuple(hand), rules) if points
        if scope == "together" or len(points) == 1
    }  # fmt: skip
    enough = [points for points in sums if points >= minimum]

    found = first_melds(hand, rules)

    if not enough:
        assert found is None
        return
    assert found
    assert found.is_proved
    assert sum(each.points for each in found.cheapest) == min(enough)
    assert sum(each.points for each in found.dearest) == max(enough)
    for melds in (found.cheapest, found.dearest):
        assert len(melds) == 1 or scope == "together"
        assert Counter(p.card for m in melds for p in m.places) <= Counter(hand)
        assert all(each in readings(each.cards, rules) for each in melds)


def laid_out(hand: tuple[Card, ...], rules: RuleSet) -> Iterator[tuple[int, ...]]:
    """The points of the melds, for every choice of melds."""
    if not hand:
        yield ()
        return
    first, others = hand[0], hand[1:]
    yield from laid_out(others, rules)
    for size in range(2, len(others) + 1):
        for chosen in combinations(range(len(others)), size):
            group = (first, *(others[i] for i in chosen))
            left = tuple(card for i, card in enumerate(others) if i not in chosen)
            for points in {meld.points for meld in readings(group, rules)}:
                for further in laid_out(left, rules):
                    yield (points, *further)


def test_a_hand_with_too_many_first_melds_says_so() -> None:
    rules = replace(UNMISTAKABLE, meld=replace(FAMILY.meld, first_min=50))

    found = first_melds(cards("2C 2C 2D 2D 2H 2H 2S 2S 3C 4C 5C 6C 7C 8C JK JK"), rules)

    assert found
    assert not found.is_proved
    assert sum(each.points for each in found.cheapest) >= 50


# --- going out --------------------------------------------------------------------------


def test_a_hand_romme_needs_no_minimum_where_it_is_waived() -> None:  # L06
    ways = ways_out(cards("AS 2S 3S 2H 2D 2C 3H 3D 3C 4H 4D 4C 4S KD"), FAMILY)

    assert [str(way.discard) for way in ways] == ["KD"]


def test_a_minimum_that_is_not_waived_is_asked_for() -> None:
    rules = FAMILY.override({"hand_romme.waives_first_min": False})
    hand = cards("AS 2S 3S 2H 2D 2C 3H 3D 3C 4H 4D 4C 4S KD")

    assert ways_out(hand, rules) == ()  # 6+6+9+16 = 37
    assert ways_out(hand, rules, has_laid=True)


def test_every_card_that_may_be_the_discard_is_named() -> None:
    ways = ways_out(cards("5H 6H 7H 8H 9C 9D 9S"), FAMILY)

    assert {str(way.discard) for way in ways} == {"5H", "8H"}


def test_without_a_discard_only_where_none_is_required() -> None:
    hand = cards("5C 6C 7C")

    assert ways_out(hand, FAMILY) == ()
    assert [way.discard for way in ways_out(hand, LUXEMBOURG)] == [None]


def test_a_rest_within_the_limit_may_stay() -> None:  # L17
    rules = FAMILY.override({"out.max_rest": 5})

    (best, *_) = ways_out(cards("8H 8S 8C 2H 3C KD"), rules)

    assert best.arrangement.points <= 5
    assert not ways_out(cards("8H 8S 8C 2H 4C KD"), rules)


def test_the_last_cards_may_be_laid_off() -> None:
    table = readings(cards("6S 7S 8S"), FAMILY)

    ways = ways_out(cards("10H 10S 10C 9S 4D"), FAMILY, table)

    assert [str(way.discard) for way in ways] == ["4D"]
    assert [str(card) for card, _ in ways[0].arrangement.layoffs] == ["9S"]


def test_no_more_melds_go_out_than_a_turn_allows() -> None:
    assert ways_out(cards("5C 6C 7C 9C 9D 9H"), LUXEMBOURG) == ()


def test_what_is_left_is_counted() -> None:
    rules = FAMILY.override({"out.max_rest": 9})

    ways = ways_out(cards("8H 8S 8C 8D 2H 3C KD"), rules)

    assert ways
    for way in ways:
        assert hand_value(way.arrangement.rest, rules) == way.arrangement.points <= 9
