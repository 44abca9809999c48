"""Melds: RULES 5.1 to 5.5 and 3.2."""

from collections.abc import Sequence
from itertools import combinations, product
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from examples import cards, examples
from scorekeeper.domain.cards import JOKER, PACK, Card, Rank, Suit
from scorekeeper.domain.errors import RuleError
from scorekeeper.domain.melds import (
    WHYS,
    Meld,
    card_value,
    first_meld_points,
    hand_value,
    lay_off,
    read_meld,
    readings,
    swap_joker,
    unpinned,
)
from scorekeeper.domain.notation import read_cards, write_cards
from scorekeeper.domain.options import RuleSet
from scorekeeper.domain.presets import preset

PALAST = preset("romme-palast")
FAMILY = preset("german-family")
CONTINENTAL = preset("american-continental")
GIN = preset("gin-palast").override({"gin.joker_rule": True})
RAINBOW = GIN.override({"meld.rainbow": True})


def meld(text: str, rules: RuleSet = FAMILY) -> Meld:
    return read_meld(cards(text), rules)


def written(meld: Meld) -> str:
    return " ".join(write_cards(meld.cards))


def refused(text: str, rules: RuleSet = FAMILY) -> str:
    with pytest.raises(RuleError) as error:
        meld(text, rules)
    return named(error.value)


def named(error: RuleError) -> str:
    (problem,) = error.problems
    why = problem.facts.get("why")
    return f"{problem.code}.{why}" if why else problem.code


@pytest.mark.parametrize("example", examples("melds"))
def test_worked_example(example: dict[str, Any]) -> None:
    rules = preset(example["preset"]).override(example.get("options", {}))
    if "first" in example:
        reached = first_meld_points([meld(text, rules) for text in example["first"]], rules)
        assert reached == example["reached"]
        assert (reached >= rules.meld.first_min) is example["enough"]
    elif "error" in example:
        with pytest.raises(RuleError) as error:
            found = meld(example["cards"], rules)
            swap_joker(found, *cards(example["swap"]), rules)
        assert named(error.value) == ".".join(
            part for part in (example["error"], example.get("why")) if part
        )
    elif "swap" in example:
        grown, gained = swap_joker(meld(example["cards"], rules), *cards(example["swap"]), rules)
        assert str(gained) == example["gained"]
        assert cards(example["swap"])[0] in grown.cards
    else:
        found = meld(example["cards"], rules)
        assert (found.kind, found.points) == (example["kind"], example["points"])
        assert " ".join(map(str, found.wild)) == example.get("wild", "")


# --- wild cards -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "as_read"),
    [
        ("JK 5H 7H", "5H JK=6H 7H"),  # the gap before the order
        ("9H 8H JK", "JK=7H 8H 9H"),  # read downwards
        ("JK 9H 8H", "8H 9H JK=10H"),
        ("QH KH JK", "QH KH JK=AH"),
        ("5H 7H JK JK", "5H JK=6H 7H JK=8H"),
        ("JK=9S 10S JK", "JK=9S 10S JK=JS"),
    ],
)
def test_the_written_order_places_a_joker_once_gaps_are_filled(text: str, as_read: str) -> None:
    rules = FAMILY.override({"joker.min_naturals": 1})

    assert written(meld(text, rules)) == as_read


@pytest.mark.parametrize("text", ["8H JK 9H", "JK 5H 7H JK", "9H JK 8H"])
def test_an_order_that_is_no_run_leaves_the_joker_undeclared(text: str) -> None:
    assert refused(text) == "E_JOKER_UNDECLARED"


def test_one_natural_among_jokers_is_a_set_or_a_run_until_it_is_declared() -> None:
    assert refused("5H JK JK", GIN) == "E_JOKER_UNDECLARED.kind"
    assert written(meld("5H JK=6H JK", GIN)) == "5H JK=6H JK=7H"
    assert written(meld("5H JK=5S JK", GIN)) == "5H JK=5S JK"


def test_a_doubt_names_what_the_jokers_may_be() -> None:
    with pytest.raises(RuleError) as error:
        meld("8H 9H JK JK", PALAST)
    facts = error.value.problems[0].facts

    assert [" ".join(map(str, facts[name])) for name in ("one", "other")] == ["10H JH", "6H 7H"]
    assert facts["clause"] == "5.3.4"


DOUBTS = {
    "E_JOKER_UNDECLARED.kind": (GIN, "8H JK JK", "6H 7H"),
    "E_JOKER_AMBIGUOUS.kind": (PALAST.override({"joker.min_naturals": 1}), "KH JK JK", "JH QH"),
}


@pytest.mark.parametrize(("name", "case"), DOUBTS.items(), ids=DOUBTS)
def test_a_doubt_between_a_set_and_a_run_says_so(name: str, case: tuple[RuleSet, str, str]) -> None:
    rules, text, run = case
    with pytest.raises(RuleError) as error:
        meld(text, rules)
    facts = error.value.problems[0].facts

    assert named(error.value) == name
    assert (facts["rank"], facts["run"]) == (cards(text)[0].rank, cards(run))


def test_a_joker_with_a_joker_beside_it_must_be_unmistakable_but_not_a_lonely_one() -> None:
    assert written(meld("9H JK JK QH JK", PALAST)) == "9H JK=10H JK=JH QH JK=KH"
    assert refused("JK 8H 9H JK=10H JK=JH", PALAST) == "E_JOKER_AMBIGUOUS"


def test_a_reading_with_too_few_naturals_makes_no_joker_ambiguous() -> None:
    wild_twos = PALAST.override({"wild.twos": True})

    assert written(meld("AH 2H JK JK", wild_twos)) == "AH 2H JK=3H JK=4H"  # no 2H = JH


def test_more_than_two_jokers_side_by_side_are_too_many_in_romme_palast() -> None:
    assert refused("3H JK JK JK 7H 8H", PALAST) == "E_JOKER_ADJACENT"
    assert meld("3H JK JK JK 7H 8H", FAMILY).naturals == 3


@pytest.mark.parametrize(
    ("text", "as_read"),
    [
        ("2H 3H 4H 2H", "2H 3H 4H 2H=5H"),  # the first is itself
        ("2H=5H 3H 4H 2H", "2H 3H 4H 2H=5H"),
        ("2S 2D 2H 2C", "2C 2D 2H 2S"),
        ("2H 2C 2H", "2C 2H 2H"),  # one of them is the two of diamonds or spades
        ("9H 2C 9D", "9D 9H 2C"),
        ("2H 10H JH", "2H=9H 10H JH"),
        ("AS 2S 2H 4S", "AS 2S 2H=3S 4S"),
    ],
)
def test_a_two_is_natural_if_the_meld_is_valid_that_way(text: str, as_read: str) -> None:
    assert written(meld(text, CONTINENTAL)) == as_read


def test_wild_cards_alone_are_no_meld() -> None:
    assert refused("JK JK JK", GIN) == refused("JK=5H JK=6H JK=7H", GIN) == "E_MIN_NATURALS"


def test_a_joker_in_a_set_of_three_should_carry_its_card() -> None:
    assert unpinned(meld("4C 4S JK"), FAMILY)
    assert not unpinned(meld("4C 4S JK=4H"), FAMILY)
    assert not unpinned(meld("4C 4S JK 4H"), FAMILY)  # only diamonds are left
    assert not unpinned(meld("4C 4S JK", PALAST), PALAST)


def test_the_written_order_of_a_whole_suit_puts_the_ace_below_or_above() -> None:
    assert meld("AH..KH", PALAST).points == 85
    assert meld("2H..AH", PALAST).points == 95
    assert meld("KH AH 2H..QH", PALAST).points == 85  # in no order: the ace is low


def test_readings_are_all_legal_ways_whatever_the_order() -> None:
    assert [written(each) for each in readings(cards("JK 9H 8H"), FAMILY)] == [
        "JK=7H 8H 9H",
        "8H 9H JK=10H",
    ]


def test_without_an_order_a_meld_is_there_if_some_reading_is_legal() -> None:  # RULES 5.6
    assert [written(each) for each in readings(cards("8H 9H JK JK"), PALAST)] == [
        "JK=7H 8H 9H JK=10H"  # each joker alone, so neither is a block
    ]
    assert readings(cards("3H 4S JK"), PALAST) == []


# --- why not ----------------------------------------------------------------------------

NO_MELDS = {
    "E_SUIT_NEEDED": (FAMILY, (Card(Rank.KING, None), *cards("KH KS"))),
    "E_JOKER_NOT_IN_DECK": (preset("luxembourg"), cards("KH KS JK")),
    "E_RULE_OFF": (FAMILY, cards("9H 2H=10H JH")),
    "E_MELD_SHORT": (FAMILY, cards("9H 10H")),
    "E_MIN_NATURALS": (FAMILY, cards("9H JK JK")),
    "E_SET.suit_twice": (FAMILY, cards("7H 7H 7S")),
    "E_SET.too_many": (FAMILY, cards("7H 7S 7C 7D JK")),
    "E_SET.declared": (FAMILY, cards("JK=8H 7H 7S")),
    "E_RUN.suits_mixed": (FAMILY, cards("7H 8C 9D")),
    "E_RUN.card_twice": (FAMILY, cards("7H 8H 8H 9H")),
    "E_RUN.too_many": (FAMILY, cards("AH..KH JK")),
    "E_RUN.ace_low_only": (preset("luxembourg"), cards("QC KC AC")),
    "E_RUN.corner_off": (PALAST, cards("KH AH 2H")),
    "E_RUN.gap": (FAMILY, cards("5H 6H 9H")),
    "E_RUN.rainbow_length": (RAINBOW, cards("AH 2S 3D")),
    "E_RUN.rainbow_suit_twice": (RAINBOW, cards("AH 2S 3D 4S")),
    "E_RUN.rainbow_colours": (RAINBOW, cards("AH 2D 3S 4C")),
    "E_RUN.rainbow_gap": (RAINBOW, cards("AH 2S 3D 5C")),
}


@pytest.mark.parametrize(("name", "case"), NO_MELDS.items(), ids=NO_MELDS)
def test_cards_that_are_no_meld_are_told_why(name: str, case: tuple[RuleSet, Any]) -> None:
    rules, held = case
    with pytest.raises(RuleError) as error:
        read_meld(held, rules)

    assert named(error.value) == name
    assert error.value.problems[0].facts["cards"] == held
    assert readings(held, rules) == []


def test_a_gap_is_told_with_the_cards_that_are_missing() -> None:
    with pytest.raises(RuleError) as error:
        meld("5H JK 9H 10H")
    facts = error.value.problems[0].facts

    assert (write_cards(facts["missing"]), facts["count"]) == (["6H", "7H", "8H"], 1)


def test_an_entry_far_too_long_is_refused_at_once() -> None:
    assert refused("9H " * 200) == "E_SET.suit_twice"
    assert refused("9H " + "JK " * 199) == "E_RUN.too_many"


# --- melds on the table -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("table", "card", "grown"),
    [
        ("7H 7S 7C", "7D", "7C 7D 7H 7S"),
        ("4H 5H 6H", "7H", "4H 5H 6H 7H"),
        ("4H 5H 6H", "3H", "3H 4H 5H 6H"),
        ("QH KH AH", "2H", "QH KH AH 2H"),
        ("4H 5H 6H", "JK", "4H 5H 6H JK=7H"),  # as if written behind
        ("4H 5H 6H", "JK=3H", "JK=3H 4H 5H 6H"),
        ("9D 9C JK", "9S", "9C 9D JK=9H 9S"),
        ("8H 9H JK", "JH", "8H 9H JK=10H JH"),
        ("7H 7S 7C", "JK", "7C JK=7D 7H 7S"),
    ],
)
def test_a_card_is_laid_off_where_it_fits(table: str, card: str, grown: str) -> None:
    assert written(lay_off(meld(table), *cards(card), FAMILY)) == grown


def test_a_joker_goes_below_a_run_that_ends_at_the_ace() -> None:
    assert written(lay_off(meld("QH KH AH", PALAST), JOKER, PALAST)) == "JK=JH QH KH AH"


def test_a_two_laid_off_is_itself_if_it_can_be() -> None:
    run = meld("3H 4H 5H", CONTINENTAL)

    assert written(lay_off(run, *cards("2H"), CONTINENTAL)) == "2H 3H 4H 5H"
    assert written(lay_off(run, *cards("2C"), CONTINENTAL)) == "3H 4H 5H 2C=6H"


ONE_ASIDE = PALAST.override({"joker.max_adjacent": 1})
NO_LAYOFFS = {
    "E_LAYOFF.rainbow": (RAINBOW, "AH 2S 3D 4C", "5H"),
    "E_LAYOFF.set": (FAMILY, "7H 7S 7C", "8H"),
    "E_LAYOFF.run": (FAMILY, "4H 5H 6H", "8H"),
    "E_LAYOFF.full": (FAMILY, "7H 7S 7C 7D", "7H"),
    "E_LAYOFF.joker_adjacent": (ONE_ASIDE, "8H 9H JK", "JK=JH"),
    "E_LAYOFF.joker_ambiguous": (PALAST, "8H 9H JK", "JK=JH"),
}


@pytest.mark.parametrize(("name", "case"), NO_LAYOFFS.items(), ids=NO_LAYOFFS)
def test_a_card_that_does_not_go_there_is_told_why(
    name: str, case: tuple[RuleSet, str, str]
) -> None:
    rules, table, card = case
    with pytest.raises(RuleError) as error:
        lay_off(meld(table, rules), *cards(card), rules)

    assert named(error.value) == name
    assert error.value.problems[0].facts["card"] == cards(card)[0]


def test_what_could_be_laid_off_instead_is_named() -> None:
    with pytest.raises(RuleError) as error:
        lay_off(meld("4H 5H 6H"), *cards("9H"), FAMILY)

    assert write_cards(error.value.problems[0].facts["allowed"]) == ["3H", "7H"]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("table", "card", "left"),
    [
        ("9H JK=10H JH", "10H", "9H 10H JH"),
        ("9D 9C JK", "9S", "9C 9D 9S"),  # open: either missing suit
        ("9D 9C JK", "9H", "9C 9D 9H"),
        ("3H 3D JK JK", "3S", "JK=3C 3D 3H 3S"),
    ],
)
def test_a_joker_is_exchanged_for_the_card_it_stands_for(table: str, card: str, left: str) -> None:
    swapped, gained = swap_joker(meld(table), *cards(card), FAMILY)

    assert (written(swapped), gained) == (left, JOKER)


NO_SWAPS = {
    "E_SWAP_MISMATCH.no_joker": ("7H 8H 9H", "8H"),
    "E_SWAP_MISMATCH.other_card": ("9D JK=9S 9C", "9H"),
}


@pytest.mark.parametrize(("name", "case"), NO_SWAPS.items(), ids=NO_SWAPS)
def test_another_card_frees_no_joker(name: str, case: tuple[str, str]) -> None:
    table, card = case
    with pytest.raises(RuleError) as error:
        swap_joker(meld(table), *cards(card), FAMILY)

    assert named(error.value) == name


def test_every_reason_has_its_example() -> None:
    assert {name for name in (NO_MELDS | DOUBTS | NO_LAYOFFS | NO_SWAPS) if "." in name} == set(
        WHYS
    )


# --- points -----------------------------------------------------------------------------


def test_cards_in_hand_count_by_the_rules_of_the_table() -> None:  # RULES 3.2, 11.2
    h1, h3, ranks = cards("KH 9C AS JK"), cards("5S 5H JK JK"), "K 9 A JK"

    assert (hand_value(h1, PALAST), hand_value(h3, PALAST)) == (50, 50)
    assert hand_value(h1, PALAST.override({"joker.hand_value": 50})) == 80
    assert hand_value(read_cards(ranks, bare=True)[0], PALAST) == 50
    assert hand_value(cards("JH AS 7D"), preset("luxembourg")) == 18


def test_a_wild_two_in_hand_counts_as_a_joker_or_two() -> None:
    face = CONTINENTAL.override({"wild.twos_value": "face"})

    for two in (Card(Rank.TWO, None), *cards("2H")):
        assert card_value(two, CONTINENTAL) == 20
        assert card_value(two, face) == card_value(two, FAMILY) == 2


def test_a_first_turn_without_melds_has_no_points() -> None:
    assert first_meld_points([], PALAST) == first_meld_points([], FAMILY) == 0


# --- properties -------------------------------------------------------------------------

ACES = [
    FAMILY.override({"ace.high": False, "ace.corner": False}),
    FAMILY.override({"ace.corner": False}),
    FAMILY,
]
TABLES = [*ACES, PALAST, CONTINENTAL, GIN, RAINBOW, FAMILY.override({"wild.twos": True})]
tables = st.sampled_from(TABLES)
hands = st.one_of(
    st.lists(st.sampled_from([*PACK, JOKER]), min_size=3, max_size=6),
    st.builds(  # neighbours, so that many are melds
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
    """So many ranks in order, around the corner or not."""
    row = [*range(1, 14)]
    row += row[: size - 1] if rules.ace.corner else [1] * rules.ace.high
    return [row[i : i + size] for i in range(min(13, len(row) - size + 1))]


@st.composite
def likely_melds(draw: Any, rules: RuleSet, most_wild: int = 2) -> list[Card]:
    """A set or a run, some of its cards replaced by jokers that may say what they are."""
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
def test_a_meld_written_with_its_declarations_is_the_same_meld(data: Any, rules: RuleSet) -> None:
    held = data.draw(likely_melds(rules))
    found = try_meld(held, rules)

    if found:
        assert meld(written(found), rules) == found
        assert found in readings(held, rules)


@given(st.data(), st.sampled_from(ACES))
def test_the_written_order_of_naturals_never_makes_a_meld_invalid(
    data: Any, rules: RuleSet
) -> None:
    held = data.draw(likely_melds(rules, most_wild=0))

    assert read_meld(data.draw(st.permutations(held)), rules) == read_meld(held, rules)


@given(hands, tables)
def test_points_are_what_a_pencil_would_count(held: Any, rules: RuleSet) -> None:
    for found in readings(held, rules):
        points, before = 0, None
        for at in (place.at.rank for place in found.places):
            high = found.kind == "set" or before == Rank.KING
            points += (11 if high else 1) if at == Rank.ACE else min(10, int(at or 0))
            before = at
        assert found.points == points


def is_meld(at: frozenset[Card], size: int, rules: RuleSet) -> bool:
    """Whether so many natural cards are a meld: RULES 5.1 and 5.2 word by word."""
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
def test_readings_are_what_trying_every_card_for_every_wild_card_finds(
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
    """What the meld may stand for, its open suits spelled out."""
    fixed = [place.at for place in found.places if place.at.suit]
    opens = len(found.places) - len(fixed)
    lacking = [Card(fixed[0].rank, suit) for suit in Suit]
    return [
        frozenset((*fixed, *more))
        for more in combinations([card for card in lacking if card not in fixed], opens)
    ]


@given(likely_melds(FAMILY, most_wild=0), st.sampled_from(PACK))
def test_a_card_goes_on_a_meld_exactly_if_all_are_one_meld(held: Any, card: Card) -> None:
    together = try_meld([*held, card], FAMILY)
    try:
        grown = lay_off(read_meld(held, FAMILY), card, FAMILY)
    except RuleError:
        grown = None

    assert grown == together
