"""Melds of random cards, compared with a naive reading of RULES 5.1, 5.2 and 5.4."""

from collections.abc import Sequence
from itertools import combinations, product
from typing import Any

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from examples import cards
from scorekeeper.domain.cards.card import CARDS, JOKER, PACK, Card, Rank, Suit
from scorekeeper.domain.cards.notation import write_cards
from scorekeeper.domain.errors import RuleError
from scorekeeper.domain.melds import Meld, lay_off, read_meld, readings
from scorekeeper.domain.rules import RuleSet
from scorekeeper.domain.rules.presets import preset

PALAST = preset("romme-palast")
FAMILY = preset("german-family")
CONTINENTAL = preset("american-continental")
GIN = preset("gin-palast").override({"gin.joker_rule": True})
RAINBOW = GIN.override({"meld.rainbow": True})

ACES = [
    FAMILY.override({"ace.high": False, "ace.corner": False}),
    FAMILY.override({"ace.corner": False}),
    FAMILY,
]
TABLES = [*ACES, PALAST, CONTINENTAL, GIN, RAINBOW, FAMILY.override({"wild.twos": True})]
tables = st.sampled_from(TABLES)
hands = st.one_of(
    st.lists(st.sampled_from([*PACK, JOKER]), min_size=3, max_size=6),
    st.builds(  # adjacent ranks, so that many are melds
        lambda suit, start, steps, jokers: [
            *(Card(Rank((start + step) % 13 + 1), suit) for step in steps), *[JOKER] * jokers
        ],
        st.sampled_from(Suit), st.integers(0, 12),
        st.lists(st.integers(0, 5), min_size=1, max_size=5, unique=True), st.integers(0, 3),
    ),
    st.builds(
        lambda rank, suits, jokers: [*(Card(rank, suit) for suit in suits), *[JOKER] * jokers],
        st.sampled_from(Rank), st.lists(st.sampled_from(Suit), min_size=1, max_size=4, unique=True),
        st.integers(0, 3),
    ),
).flatmap(st.permutations)  # fmt: skip


def windows(size: int, rules: RuleSet) -> list[list[int]]:
    """Return every sequence of ``size`` ranks, around the corner or not."""
    row = [*range(1, 14)]
    row += row[: size - 1] if rules.ace.corner else [1] * rules.ace.high
    return [row[i : i + size] for i in range(min(13, len(row) - size + 1))]


@st.composite
def likely_melds(draw: Any, rules: RuleSet, most_wild: int = 2) -> list[Card]:
    """Return a set or a run with some cards replaced by jokers, perhaps declared."""
    if draw(st.booleans()):
        suits = draw(st.lists(st.sampled_from(Suit), min_size=3, max_size=4, unique=True))
        held = [Card(draw(st.sampled_from(Rank)), Suit.CLUBS)] * len(suits)
        held = [Card(card.rank, suit) for card, suit in zip(held, suits, strict=True)]
    else:
        ranks = draw(st.sampled_from(windows(draw(st.integers(3, 8)), rules)))
        suit = draw(st.sampled_from(Suit))
        held = [Card(Rank(rank), suit) for rank in ranks]
    for i in draw(st.sets(st.integers(0, len(held) - 1), max_size=most_wild)):
        held[i] = draw(st.sampled_from([JOKER, Card(None, None, held[i])]))
    return held


def try_meld(held: Sequence[Card], rules: RuleSet) -> Meld | None:
    try:
        return read_meld(held, rules)
    except RuleError:
        return None


@given(st.data(), st.sampled_from([*ACES, PALAST, GIN]))
def test_a_meld_is_read_back_from_its_declarations(data: Any, rules: RuleSet) -> None:
    held = data.draw(likely_melds(rules))
    found = try_meld(held, rules)

    if found:
        assert read_meld(cards(" ".join(write_cards(found.cards))), rules) == found
        assert found in readings(held, rules)


@given(st.data(), st.sampled_from(ACES))
def test_the_written_order_of_naturals_never_makes_a_meld_invalid(
    data: Any, rules: RuleSet
) -> None:
    held = data.draw(likely_melds(rules, most_wild=0))

    assert read_meld(data.draw(st.permutations(held)), rules) == read_meld(held, rules)


@given(st.data())
def test_a_run_is_read_as_written_whichever_of_its_twos_is_natural(data: Any) -> None:
    every = windows(data.draw(st.integers(3, 6)), CONTINENTAL)
    ranks = data.draw(st.sampled_from([one for one in every if Rank.TWO in one]))
    run = [CARDS[Rank(rank), Suit.HEARTS] for rank in ranks]
    wild = data.draw(st.sets(st.sampled_from(run), max_size=len(run) - 2))
    held = [CARDS[Rank.TWO, Suit.HEARTS] if card in wild else card for card in run]

    assert [place.at for place in read_meld(held, CONTINENTAL).places] == run


@given(hands, tables)
def test_points_agree_with_a_naive_count(held: Any, rules: RuleSet) -> None:
    for found in readings(held, rules):
        points, before = 0, None
        for at in (place.at.rank for place in found.places):
            high = found.kind == "set" or before == Rank.KING
            points += (11 if high else 1) if at == Rank.ACE else min(10, int(at or 0))
            before = at
        assert found.points == points


def is_meld(at: frozenset[Card], size: int, rules: RuleSet) -> bool:
    """Return whether these natural cards are a meld: RULES 5.1 and 5.2 word by word."""
    ranks, suits = {card.rank for card in at}, {card.suit for card in at}
    if len(at) != size or size < 3:
        return False
    if len(ranks) == 1:
        return size <= 4
    return any(
        set(window) == ranks and (len(suits) == 1 or is_rainbow(at, window, rules))
        for window in windows(size, rules)
    )


def is_rainbow(at: frozenset[Card], window: list[int], rules: RuleSet) -> bool:
    colours = {(window.index(card.rank or 0) % 2, card.suit in ("D", "H")) for card in at}
    return rules.meld.rainbow and len({card.suit for card in at}) == 4 and len(colours) == 2


@settings(max_examples=60)
@given(
    hands.filter(lambda held: len(held) <= 5 and held.count(JOKER) <= 2),
    st.sampled_from([*ACES, GIN, RAINBOW, CONTINENTAL]),
)
def test_readings_agree_with_trying_every_card_for_every_wild_card(
    held: Any, rules: RuleSet
) -> None:
    wild = [c for c in held if c.is_joker or (rules.wild.twos and c.rank == Rank.TWO)]
    assume(len(wild) <= 2 and (rules.deck.jokers or JOKER not in held))
    naturals = [c for c in held if c not in wild]
    expected = set()
    for meant in product(PACK, repeat=len(wild)):
        at = frozenset((*naturals, *meant))
        own = len({two for two in wild if two in at - set(naturals)})
        if is_meld(at, len(held), rules) and len(naturals) + own >= min(
            rules.joker.min_naturals, len(held)
        ):
            expected.add(at)

    assert {at for found in readings(held, rules) for at in every_suit(found)} == expected


def every_suit(found: Meld) -> list[frozenset[Card]]:
    """Return the cards that the meld may stand for, with every choice of open suits."""
    fixed = [place.at for place in found.places if place.at.suit]
    opens = len(found.places) - len(fixed)
    lacking = [Card(fixed[0].rank, suit) for suit in Suit]
    return [
        frozenset((*fixed, *more))
        for more in combinations([card for card in lacking if card not in fixed], opens)
    ]


@given(likely_melds(FAMILY, most_wild=0), st.sampled_from(PACK))
def test_a_card_fits_a_meld_exactly_if_together_they_are_a_meld(held: Any, card: Card) -> None:
    together = try_meld([*held, card], FAMILY)
    try:
        grown = lay_off(read_meld(held, FAMILY), card, FAMILY)
    except RuleError:
        grown = None

    assert grown == together
