"""Melds: RULES 5.1 to 5.5 and 3.2."""

from typing import Any

import pytest

from examples import cards, examples
from scorekeeper.domain.cards.card import JOKER, Card, Rank
from scorekeeper.domain.cards.notation import read_cards, write_cards
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
from scorekeeper.domain.rules import RuleSet
from scorekeeper.domain.rules.presets import preset

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
        ("JK 5H 7H", "5H JK=6H 7H"),  # gaps are filled before the order counts
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
def test_a_written_order_that_is_no_run_leaves_the_joker_undeclared(text: str) -> None:
    assert refused(text) == "E_JOKER_UNDECLARED"


def test_one_natural_with_jokers_is_ambiguous_until_they_are_declared() -> None:
    assert refused("5H JK JK", GIN) == "E_JOKER_UNDECLARED.kind"
    assert written(meld("5H JK=6H JK", GIN)) == "5H JK=6H JK=7H"
    assert written(meld("5H JK=5S JK", GIN)) == "5H JK=5S JK"


def test_an_ambiguity_names_the_possible_cards_of_the_jokers() -> None:
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
def test_an_ambiguity_between_a_set_and_a_run_is_named(
    name: str, case: tuple[RuleSet, str, str]
) -> None:
    rules, text, run = case
    with pytest.raises(RuleError) as error:
        meld(text, rules)
    facts = error.value.problems[0].facts

    assert named(error.value) == name
    assert (facts["rank"], facts["run"]) == (cards(text)[0].rank, cards(run))


def test_only_adjacent_jokers_must_be_unambiguous() -> None:
    assert written(meld("9H JK JK QH JK", PALAST)) == "9H JK=10H JK=JH QH JK=KH"
    assert refused("JK 8H 9H JK=10H JK=JH", PALAST) == "E_JOKER_AMBIGUOUS"


def test_two_jokers_in_a_set_of_three_stand_for_any_missing_suits() -> None:  # RULES 5.3.4
    rules = PALAST.override({"joker.min_naturals": 1, "meld.run_min": 4})  # else perhaps a run
    nines = meld("9C JK JK", rules)

    assert written(nines) == "9C JK JK"
    assert meld("9C JK=9D JK=9S", rules).kind == "set"
    assert [written(swap_joker(nines, *cards(nine), rules)[0]) for nine in ("9D", "9H", "9S")] == [
        "9C 9D JK",
        "9C 9H JK",
        "9C 9S JK",
    ]


def test_a_reading_with_too_few_naturals_causes_no_ambiguity() -> None:
    wild_twos = PALAST.override({"wild.twos": True})

    assert written(meld("AH 2H JK JK", wild_twos)) == "AH 2H JK=3H JK=4H"  # not 2H=JH


def test_three_adjacent_jokers_are_too_many_in_romme_palast() -> None:
    assert refused("3H JK JK JK 7H 8H", PALAST) == "E_JOKER_ADJACENT"
    assert meld("3H JK JK JK 7H 8H", FAMILY).naturals == 3


@pytest.mark.parametrize(
    ("text", "as_read"),
    [
        ("2H 3H 4H 2H", "2H 3H 4H 2H=5H"),  # the first two is natural
        ("2H=5H 3H 4H 2H", "2H 3H 4H 2H=5H"),
        ("2S 2D 2H 2C", "2C 2D 2H 2S"),
        ("2H 2C 2H", "2C 2H 2H"),  # one of them is the two of diamonds or spades
        ("9H 2C 9D", "9D 9H 2C"),
        ("2H 10H JH", "2H=9H 10H JH"),
        ("AS 2S 2H 4S", "AS 2S 2H=3S 4S"),
        ("2H 2H 3H", "2H=AH 2H 3H"),  # the second two is natural
        ("4H 3H 2H 2H", "2H=AH 2H 3H 4H"),
        ("2H 2H 2H 3H", "2H=KH 2H=AH 2H 3H"),
        ("2C 2H 2H 3H", "2C=KH 2H=AH 2H 3H"),
        ("2H 2H 4H 2C", "2H 2H=3H 4H 2C=5H"),
        ("KH AH 2H 2H", "KH AH 2H 2H=3H"),
    ],
)
def test_a_two_is_natural_if_that_gives_a_valid_meld(text: str, as_read: str) -> None:
    assert written(meld(text, CONTINENTAL)) == as_read


@pytest.mark.parametrize(
    ("text", "as_read"),
    [
        ("9H 9H 10H", "9H=8H 9H 10H"),
        ("10H 9H 9H", "9H=8H 9H 10H"),
        ("9H 10H 9H", "9H 10H 9H=JH"),
        ("7H 9H 9H JK", "7H 9H=8H 9H JK=10H"),
    ],
)
def test_the_written_order_tells_a_wild_card_from_the_same_card_in_its_place(
    text: str, as_read: str
) -> None:
    rules = preset("indian-points").for_round(4, cut=cards("9C")[0])

    assert written(meld(text, rules)) == as_read


def test_wild_cards_alone_are_no_meld() -> None:
    assert refused("JK JK JK", GIN) == refused("JK=5H JK=6H JK=7H", GIN) == "E_MIN_NATURALS"


def test_a_joker_in_a_set_of_three_should_carry_its_card() -> None:
    assert unpinned(meld("4C 4S JK"), FAMILY)
    assert not unpinned(meld("4C 4S JK=4H"), FAMILY)
    assert not unpinned(meld("4C 4S JK 4H"), FAMILY)  # only the four of diamonds is missing
    assert not unpinned(meld("4C 4S JK", PALAST), PALAST)


def test_the_written_order_of_a_whole_suit_places_the_ace() -> None:
    assert meld("AH..KH", PALAST).points == 85
    assert meld("2H..AH", PALAST).points == 95
    assert meld("KH AH 2H..QH", PALAST).points == 85  # not in order: the ace is low


def test_readings_do_not_depend_on_the_order() -> None:
    assert [written(each) for each in readings(cards("JK 9H 8H"), FAMILY)] == [
        "JK=7H 8H 9H",
        "8H 9H JK=10H",
    ]


def test_cards_without_an_order_are_a_meld_if_some_reading_is_legal() -> None:  # RULES 5.6
    assert [written(each) for each in readings(cards("8H 9H JK JK"), PALAST)] == [
        "JK=7H 8H 9H JK=10H"  # the jokers are not adjacent
    ]
    assert readings(cards("3H 4S JK"), PALAST) == []


# --- cards that are no meld -------------------------------------------------------------

NO_MELDS = {
    "E_SUIT_NEEDED": (FAMILY, (Card(Rank.KING, None), *cards("KH KS"))),
    "E_JOKER_NOT_IN_DECK": (preset("luxembourg"), cards("KH KS JK")),
    "E_RULE_OFF": (FAMILY, cards("9H 2H=10H JH")),
    "E_MELD_SHORT": (FAMILY, cards("9H 10H")),
    "E_MELD_SHORT.run": (preset("continental"), cards("9H 10H JH")),
    "E_MIN_NATURALS": (FAMILY, cards("9H JK JK")),
    "E_SET.suit_twice": (FAMILY, cards("7H 7H 7S")),
    "E_SET.too_many": (FAMILY, cards("7H 7S 7C 7D JK")),
    "E_SET.declared": (FAMILY, cards("JK=8H 7H 7S")),
    "E_RUN.suits_mixed": (FAMILY, cards("7H 8C 9D")),
    "E_RUN.card_twice": (FAMILY, cards("7H 8H 8H 9H")),
    "E_RUN.too_many": (FAMILY, cards("AH..KH JK")),
    "E_RUN.ace_low_only": (preset("luxembourg"), cards("QC KC AC")),
    "E_RUN.ace_high_only": (preset("kalooki"), cards("AH 2H 3H")),
    "E_CARD_NOT_IN_DECK": (preset("chinchon"), cards("8H 8C 8D")),
    "E_RUN.corner_off": (PALAST, cards("KH AH 2H")),
    "E_RUN.gap": (FAMILY, cards("5H 6H 9H")),
    "E_RUN.rainbow_length": (RAINBOW, cards("AH 2S 3D")),
    "E_RUN.rainbow_suit_twice": (RAINBOW, cards("AH 2S 3D 4S")),
    "E_RUN.rainbow_colours": (RAINBOW, cards("AH 2D 3S 4C")),
    "E_RUN.rainbow_gap": (RAINBOW, cards("AH 2S 3D 5C")),
}


@pytest.mark.parametrize(("name", "case"), NO_MELDS.items(), ids=NO_MELDS)
def test_cards_that_are_no_meld_are_refused_with_the_reason(
    name: str, case: tuple[RuleSet, Any]
) -> None:
    rules, held = case
    with pytest.raises(RuleError) as error:
        read_meld(held, rules)

    assert named(error.value) == name
    assert error.value.problems[0].facts["cards"] == held
    assert readings(held, rules) == []


def test_a_gap_is_refused_with_the_missing_cards() -> None:
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
        ("4H 5H 6H", "JK", "4H 5H 6H JK=7H"),  # as if written after it
        ("4H 5H 6H", "JK=3H", "JK=3H 4H 5H 6H"),
        ("9D 9C JK", "9S", "9C 9D JK=9H 9S"),
        ("8H 9H JK", "JH", "8H 9H JK=10H JH"),
        ("7H 7S 7C", "JK", "7C JK=7D 7H 7S"),
    ],
)
def test_a_card_is_laid_off_where_it_fits(table: str, card: str, grown: str) -> None:
    assert written(lay_off(meld(table), *cards(card), FAMILY)) == grown


def test_a_joker_extends_a_run_downwards_if_it_ends_at_the_ace() -> None:
    assert written(lay_off(meld("QH KH AH", PALAST), JOKER, PALAST)) == "JK=JH QH KH AH"


def test_a_two_laid_off_is_natural_if_possible() -> None:
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
def test_a_card_that_does_not_fit_is_refused_with_the_reason(
    name: str, case: tuple[RuleSet, str, str]
) -> None:
    rules, table, card = case
    with pytest.raises(RuleError) as error:
        lay_off(meld(table, rules), *cards(card), rules)

    assert named(error.value) == name
    assert error.value.problems[0].facts["card"] == cards(card)[0]


def test_the_cards_that_could_be_laid_off_instead_are_named() -> None:
    with pytest.raises(RuleError) as error:
        lay_off(meld("4H 5H 6H"), *cards("9H"), FAMILY)

    assert write_cards(error.value.problems[0].facts["allowed"]) == ["3H", "7H"]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("table", "card", "left"),
    [
        ("9H JK=10H JH", "10H", "9H 10H JH"),
        ("9D 9C JK", "9S", "9C 9D 9S"),  # open suit: either missing one
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
def test_a_wrong_card_cannot_be_swapped_for_a_joker(name: str, case: tuple[str, str]) -> None:
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
