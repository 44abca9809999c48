"""Wild twos where it matters which two is where (RULES 5.3), compared with trying everything.

The hands have several twos, as wild cards and as themselves. Usual random hands seldom need the
slower search that tells them apart.
"""

from collections import Counter
from itertools import combinations, product

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from brute_force import Naive
from examples import cards
from random_hands import GIN, WIENER, lying
from scorekeeper.domain.budget import Budget
from scorekeeper.domain.cards.card import JOKER, Card, Rank, Suit
from scorekeeper.domain.melds import Meld, hand_value, lay_on, readings
from scorekeeper.domain.rules import RuleSet
from scorekeeper.domain.solver.arrangement import Arrangement
from scorekeeper.domain.solver.bits import numbers
from scorekeeper.domain.solver.exhaustive import ExhaustivePieces
from scorekeeper.domain.solver.hand import hand_of
from scorekeeper.domain.solver.pieces import natural_cards
from scorekeeper.domain.solver.prepared import prepare
from scorekeeper.domain.solver.search import arrange
from scorekeeper.domain.solver.together import arrange_together

TWOS = tuple(Card(Rank.TWO, suit) for suit in Suit)
SUITS = tuple(Suit)[:2]
"""Two suits of different colours, for rainbows."""
NEAR = tuple(Card(rank, suit) for rank in (Rank.ACE, Rank.THREE, Rank.FOUR) for suit in SUITS)
FAR = tuple(Card(rank, suit) for rank in (Rank.NINE, Rank.TEN, Rank.JACK) for suit in SUITS)
DECK = (*TWOS, *TWOS, *NEAR, *FAR, *2 * (JOKER,))
many = settings(max_examples=80, deadline=None, suppress_health_check=list(HealthCheck))


@st.composite
def rule_sets(draw: st.DrawFn) -> RuleSet:
    """Return rules with wild twos of which adjacent ones must be unmistakable."""
    high = draw(st.booleans())
    options = {
        "wild.twos": True,
        "deck.packs": 2,
        "joker.placement": "unique_if_two",
        "joker.min_naturals": draw(st.sampled_from((1, 2))),
        "joker.max_adjacent": draw(st.sampled_from((0, 1, 2))),
        "joker.hand_value": draw(st.sampled_from((0, 20))),
        "wild.twos_value": draw(st.sampled_from(("joker", "face"))),
        "ace.high": high,
        "ace.corner": high and draw(st.booleans()),
    }
    if draw(st.booleans()):
        rainbow = {"gin.joker_rule": True, "meld.rainbow": draw(st.booleans())}
        return GIN.override(options | rainbow)
    sets = draw(st.sampled_from(("different", "any")))
    jokers = {"deck.jokers": 4, "layoff.scope": "all", "meld.set_suits": sets}
    return WIENER.override(options | jokers)


@st.composite
def hands(draw: st.DrawFn, most: int = 7) -> tuple[Card, ...]:
    """Return cards with two or more twos."""
    twos = draw(st.lists(st.sampled_from(range(8)), unique=True, min_size=2, max_size=4))
    others = st.sampled_from(range(8, len(DECK)))
    rest = draw(st.lists(others, unique=True, min_size=1, max_size=most - len(twos)))
    return tuple(DECK[at] for at in (*twos, *rest))


@st.composite
def melds_of(draw: st.DrawFn, rules: RuleSet) -> list[Meld]:
    """Return one or two melds on the table, some of them with wild cards."""
    texts = (
        "3C 4C 5C", "AC 2C 3C", "JK=3C 4C 5C", "3C JK=4C 5C", "2C 3C JK=4C", "9C 9D 9S",
        "3C 3D 3S", "3C 3D JK=3S", "8C 9C 10C", "8C JK=9C 10C", "2C 2D 2S",
    )  # fmt: skip
    chosen = draw(st.lists(st.sampled_from(texts), min_size=1, max_size=2))
    return [read[0] for text in chosen if (read := readings(cards(text), rules))]


def texts(hand: tuple[Card, ...]) -> list[str]:
    return [str(card) for card in hand]


def used(found: Arrangement) -> Counter[Card]:
    """Return all the cards of an arrangement."""
    melded = [place.card for meld in found.melds for place in meld.places]
    return Counter([*melded, *(card.physical for card, _ in found.layoffs), *found.rest])


@given(rule_sets(), hands())
@many
def test_no_division_of_the_hand_leaves_less(rules: RuleSet, hand: tuple[Card, ...]) -> None:
    found = arrange(hand, rules)

    assert found.points == hand_value(found.rest, rules) == Naive(rules).least(texts(hand))
    assert used(found) == Counter(hand)


@given(rule_sets(), hands(most=6), st.data())
@many
def test_no_lay_off_leaves_less(
    rules: RuleSet, hand: tuple[Card, ...], data: st.DataObject
) -> None:
    table = data.draw(melds_of(rules))
    expected = Naive(rules).least(texts(hand), tuple(map(lying, table)))

    found = arrange(hand, rules, table)

    assert found.points == hand_value(found.rest, rules) == expected
    assert used(found) == Counter(hand)
    for card, index in found.layoffs:
        table[index] = lay_on(table[index], card, rules)


@given(rule_sets(), hands(most=6), st.data())
@many
def test_no_lay_offs_of_two_hands_leave_less(
    rules: RuleSet, hand: tuple[Card, ...], data: st.DataObject
) -> None:
    table = data.draw(melds_of(rules))
    cut = data.draw(st.integers(0, len(hand)))
    two = [hand[:cut], hand[cut:]]
    expected = Naive(rules).least_together([texts(one) for one in two], tuple(map(lying, table)))

    found = arrange_together(two, rules, table, (True, True))

    assert sum(one.points for one in found) == expected
    assert sum(map(used, found), Counter()) == Counter(hand)


@given(rule_sets(), hands())
@many
def test_the_pieces_that_tell_twos_apart_are_all_melds(
    rules: RuleSet, hand: tuple[Card, ...]
) -> None:
    """Every group of cards that is a meld is a piece, and no other group."""
    prepared = prepare(rules).exhaustive
    held, naive = hand_of(hand, prepared), Naive(rules)
    pieces = ExhaustivePieces(rules, prepared.prices).among(held.naturals, 4, Budget())

    found = {
        (*sorted(map(str, natural_cards(piece.cards))), *("JK",) * jokers)
        for piece in pieces
        for jokers in numbers(piece.wilds)
    }

    some = texts(tuple(card for card in hand if card != JOKER))
    groups = {
        (*sorted(group), *("JK",) * jokers)
        for size, jokers in product(range(1, len(some) + 1), range(5))
        for group in combinations(some, size)
    }
    assert found == {group for group in groups if naive.is_meld(group)}
