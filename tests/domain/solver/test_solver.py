"""The solver: RULES 5.6, 7.4.2, 7.4.3; compared with a second, naive solver."""

import json
from collections import Counter
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bars import drawn, tries
from brute_force import Naive
from examples import DATA, cards, examples
from random_hands import Case, hands, packs, rule_sets, tables
from scorekeeper.domain.budget import Budget
from scorekeeper.domain.cards.card import JOKER, PACK, Card, Rank
from scorekeeper.domain.melds import (
    Meld,
    card_value,
    hand_value,
    lay_on,
    read_meld,
    readings,
)
from scorekeeper.domain.rules import Ace, RuleSet, Wild
from scorekeeper.domain.rules.presets import preset
from scorekeeper.domain.solver.arrangement import Arrangement
from scorekeeper.domain.solver.bits import numbers
from scorekeeper.domain.solver.exhaustive import ExhaustivePieces
from scorekeeper.domain.solver.fast import Sums, may_be_split
from scorekeeper.domain.solver.laying import arrange_to_lay
from scorekeeper.domain.solver.pieces import BIT, CARDS, COPIES, MeldOptions, Pieces
from scorekeeper.domain.solver.prepared import prepare
from scorekeeper.domain.solver.search import Search, arrange, best_arrangements

HANDS = tries("solver")
many = partial(settings, suppress_health_check=list(HealthCheck))

GIN = preset("gin-palast")
JOKERS = GIN.override({"gin.joker_rule": True})
WIENER = preset("wiener")
PALAST = preset("romme-palast")


def melds(*texts: str, rules: RuleSet = JOKERS) -> list[Meld]:
    return [read_meld(cards(text), rules) for text in texts]


def written(found: Arrangement) -> list[str]:
    return [" ".join(map(str, meld.cards)) for meld in found.melds]


# --- the rules --------------------------------------------------------------------------


@pytest.mark.parametrize("example", examples("arrange"))
def test_worked_example(example: dict[str, Any]) -> None:
    rules = preset(example["preset"]).override(example.get("options", {}))
    if "defends" in example:
        rules = rules.for_defenders
    table = melds(*example.get("table", ()), rules=rules)

    has_laid = example.get("has_laid", True)
    found = arrange_to_lay(cards(example["hand"]), rules, table, has_laid=has_laid)

    assert found.points == example["points"]
    assert found.rest == cards(example["rest"])
    assert written(found) == example.get("melds", written(found))
    layoffs = [[str(card), meld] for card, meld in found.layoffs]
    assert layoffs == example.get("layoffs", layoffs)


def test_the_knocker_may_choose_among_the_best_arrangements() -> None:  # G34
    hand = cards("2D 7S 5S 9H 6S 8S 9S 4S 9D 9C")
    opponent = cards("10S AD 5H AH 10H 7D 10D QH QD JH")

    ways = list(best_arrangements(hand, GIN))

    assert {way.points for way in ways} == {2}
    assert max(arrange(opponent, GIN, way.melds).points for way in ways) == 44


def test_a_joker_may_stand_for_every_fitting_card() -> None:
    ways = best_arrangements(cards("8H 9H JK KC"), JOKERS)

    assert [written(way) for way in ways] == [["JK=7H 8H 9H"], ["8H 9H JK=10H"]]


def test_an_own_meld_is_broken_up_if_laying_off_is_better() -> None:
    hand = cards("7S 7H 7D 7C 8S")

    assert arrange(hand, GIN).points == 8
    assert arrange(hand, GIN, melds("4S 5S 6S")).points == 0


def test_cards_are_laid_off_in_a_chain_at_both_ends() -> None:
    found = arrange(cards("2S 3S 7S KH"), GIN, melds("4S 5S 6S"))

    assert {str(card) for card, _ in found.layoffs} == {"3S", "2S", "7S"}


def test_nothing_is_laid_off_on_a_rainbow_but_its_joker_is_covered() -> None:
    rules = JOKERS.override({"meld.rainbow": True})
    table = melds("AH 2S JK=3D 4C", rules=rules)

    assert arrange(cards("5H 5D"), rules, table).layoffs == ()
    assert arrange(cards("3D 5D"), rules, table).layoffs == ((*cards("3D"), 0),)


def test_jokers_are_covered_only_with_the_joker_rule_of_gin() -> None:
    rules = JOKERS.override({"gin.joker_layon": False})

    assert arrange(cards("8H KC"), rules, melds("7H JK=8H 9H")).layoffs == ()


def test_declared_melds_are_not_rearranged() -> None:  # RULES 7.4.3
    found = arrange(cards("7S 7H 7D"), GIN, melds("4S 5S 6S"), melds=False)

    assert found.melds == ()
    assert found.points == 14


def test_no_lay_offs_where_the_rules_have_none() -> None:  # RULES 7.3.2
    assert arrange(cards("7S"), WIENER, melds("4S 5S 6S")).points == 7


def test_of_equal_points_fewer_cards_are_left() -> None:
    rules = JOKERS.override({"joker.hand_value": 0})

    assert arrange(cards("4S 5S 6S JK"), rules).rest == ()


def test_cards_that_fit_no_meld_are_left() -> None:
    hand = (*cards("4S 5S 6S JK"), Card(Rank.KING, None))

    assert [str(card) for card in arrange(hand, GIN).rest] == ["JK", "K"]


def test_declarations_of_wild_cards_do_not_matter() -> None:
    assert arrange(cards("JK=2C 8H 9H"), JOKERS).points == 0


def test_dearer_first_melds_are_found_if_the_wild_two_fits_no_cheaper_one() -> None:
    rules = JOKERS.override(
        {
            "wild.twos": True,
            "joker.placement": "unique_if_two",
            "joker.min_naturals": 2,
            "meld.rainbow": True,
            "ace.high": True,
            "ace.corner": True,
        }
    )

    assert arrange(cards("JC JD QC 2C JK JK"), rules).points == 20


def test_no_card_leaves_nothing() -> None:
    assert arrange((), WIENER) == Arrangement(0, (), (), ())


def test_equal_runs_are_two_melds_and_a_long_run_is_one() -> None:
    twice = arrange(cards("5C 6C 7C 5C 6C 7C"), WIENER)
    long = arrange(cards("5C 6C 7C 8C 9C 10C JC"), WIENER)

    assert twice.points == long.points == 0
    assert [len(meld.places) for meld in twice.melds] == [3, 3]
    assert [len(meld.places) for meld in long.melds] == [7]


def test_of_two_equal_runs_only_one_is_joined_with_a_third() -> None:
    rules = WIENER.override({"joker.min_naturals": 1})

    found = arrange(cards("4S 5S 6S 7S 8S 9S 10S 4S 5S JK JK"), rules)

    assert (found.points, found.rest) == (0, ())
    assert sorted(len(meld.places) for meld in found.melds) == [3, 8]


# --- random hands, rules and tables -----------------------------------------------------


@pytest.mark.bar("solver")
@drawn("solver", hands(), rule_sets())
def test_no_division_of_the_hand_leaves_less(hand: tuple[Card, ...], rules: RuleSet) -> None:
    assert arrange(hand, rules, ()).points == Naive(rules).least([str(card) for card in hand])


@pytest.mark.bar("solver")
@drawn("solver", tables(), times=HANDS // 4)
def test_no_lay_off_leaves_less(case: Case) -> None:
    hand, rules, table, lying = case
    expected = Naive(rules).least([str(card) for card in hand], lying)
    assert arrange(hand, rules, table).points == expected


# --- properties of every hand -----------------------------------------------------------


@pytest.mark.long
@given(tables())
@many(max_examples=HANDS // 4)
def test_every_card_is_used_once_and_every_meld_reads_as_one(case: Case) -> None:
    hand, rules, table, _ = case

    found = arrange(hand, rules, table)

    melded = [place.card for meld in found.melds for place in meld.places]
    laid_off = [card.physical for card, _ in found.layoffs]
    assert Counter([*melded, *laid_off, *found.rest]) == Counter(hand)
    assert found.points == hand_value(found.rest, rules)
    for meld in found.melds:
        assert meld in readings(meld.cards, rules)
    for card, index in found.layoffs:
        table[index] = lay_on(table[index], card, rules)


@given(tables(), st.randoms())
@many(max_examples=HANDS // 20)
def test_the_order_in_which_a_hand_is_written_changes_nothing(case: Case, random: Any) -> None:
    hand, rules, table, _ = case
    written = list(hand)
    random.shuffle(written)

    assert arrange(written, rules, table) == arrange(hand, rules, table)


@given(tables(), st.sampled_from((*PACK, JOKER)))
@many(max_examples=HANDS // 20)
def test_an_additional_card_costs_at_most_its_value(case: Case, card: Card) -> None:
    hand, rules, table, _ = case

    more = arrange((*hand, card), rules, table).points

    assert more <= arrange(hand, rules, table).points + card_value(card, rules)


@given(hands(), rule_sets())
@many(max_examples=HANDS // 20)
def test_rules_that_allow_more_melds_leave_no_more(hand: tuple[Card, ...], rules: RuleSet) -> None:
    joker = replace(rules.joker, min_naturals=1, max_adjacent=0, placement="declared")
    free_jokers = replace(rules, joker=joker)
    high = replace(free_jokers, ace=replace(rules.ace, high=True))
    corner = replace(high, ace=Ace(high=True, corner=True))
    rainbow = replace(corner, meld=replace(rules.meld, rainbow=True))

    leasts = [arrange(hand, each).points for each in (rules, free_jokers, high, corner, rainbow)]

    assert leasts == sorted(leasts, reverse=True)


@given(tables())
@many(max_examples=HANDS // 20)
def test_laying_off_never_leaves_more(case: Case) -> None:
    hand, rules, table, _ = case

    assert arrange(hand, rules, table).points <= arrange(hand, rules).points


@given(hands(), rule_sets())
@many(max_examples=HANDS // 20)
def test_the_best_arrangements_are_different_and_equally_good(
    hand: tuple[Card, ...], rules: RuleSet
) -> None:
    best = arrange(hand, rules)

    ways = list(islice(best_arrangements(hand, rules), 50))

    assert ways[0] == best
    assert {way.points for way in ways} == {best.points}
    assert len({frozenset(Counter(way.melds).items()) for way in ways}) == len(ways)
    within = islice(Search(hand, rules).within(best.points, hand), 50)
    assert all(way.points == best.points for way in within)


def test_wild_twos_of_two_suits_are_told_apart_where_it_matters_which_is_where() -> None:
    options = {"wild.twos": True, "deck.packs": 2, "joker.placement": "unique_if_two"}

    ways = best_arrangements(cards("3H 3S 5S 5C 2D 2C"), PALAST.override(options))

    found = [{" ".join(map(str, meld.cards)) for meld in way.melds} for way in ways]
    assert found == [{"5C 5S 2C", "3H 3S 2D"}, {"5C 5S 2D", "3H 3S 2C"}]


# --- the fast paths ---------------------------------------------------------------------


@given(rule_sets(), packs(), st.integers(0, 4))
@many(max_examples=HANDS // 20)
def test_pieces_agree_with_readings(rules: RuleSet, pack: tuple[Card, ...], jokers: int) -> None:
    rules = replace(rules, wild=Wild(), deck=replace(rules.deck, jokers=4))
    held = sum(BIT[card] for card in pack[:9]) | sum(BIT[card] for card in pack[:3]) << COPIES
    prices = (1,) * COPIES

    plain = Pieces(MeldOptions.of(rules), prices)
    assert points_of(plain, held, jokers) == points_of(
        ExhaustivePieces(rules, prices), held, jokers
    )


def points_of(
    pieces: Pieces | ExhaustivePieces, held: int, jokers: int
) -> dict[tuple[int, int], set[int]]:
    """Return the possible points of melds by their cards and number of jokers."""
    found: dict[tuple[int, int], set[int]] = {}
    for piece in pieces.among(held, jokers, Budget()):
        for count in numbers(piece.wilds):
            found.setdefault((piece.cards, count), set()).update(pieces.worths(piece, count))
    return found


def test_one_card_with_four_jokers_is_a_run_though_with_fewer_it_is_a_set_too() -> None:
    rules = JOKERS.override({"joker.min_naturals": 1, "joker.max_adjacent": 0})
    seven = BIT[cards("7H")[0]]

    points = points_of(ExhaustivePieces(rules, (1,) * COPIES), seven, 4)

    assert points.keys() == {(seven, 2), (seven, 3), (seven, 4)}
    assert min(points[seven, 4]) == 3 + 4 + 5 + 6 + 7


@given(rule_sets(), packs(), st.integers(0, 4))
@many(max_examples=HANDS // 20)
def test_the_melds_of_a_piece_are_its_readings(
    rules: RuleSet, pack: tuple[Card, ...], jokers: int
) -> None:
    rules = replace(rules, wild=Wild(), deck=replace(rules.deck, jokers=4))
    prepared = prepare(rules)
    for piece in prepared.pieces.among(sum(BIT[card] for card in pack[:5]), jokers, Budget())[:20]:
        for count in numbers(piece.wilds):
            group = [*(CARDS[number] for number in numbers(piece.cards)), *[JOKER] * count]
            expected = [meld for meld in readings(group, rules) if meld.kind == piece.kind]
            assert set(prepared.melds(piece, (JOKER,) * count)) == set(expected)


@given(st.lists(st.sampled_from(PACK), max_size=16), st.booleans())
@many(max_examples=HANDS // 4)
def test_the_fast_path_agrees_with_the_search(hand: list[Card], tedesco: bool) -> None:
    rules = GIN.override({"gin.tedesco": True}).for_defenders if tedesco else GIN
    searched = next(Search(hand, rules).best(hand))
    counted = Sums(rules).best(hand)

    assert arrange(hand, rules).points == searched.points
    assert counted[:1] in ([], [searched])


@given(packs(), st.randoms())
@many(max_examples=HANDS // 4)
def test_the_fast_path_handles_sets_and_runs_that_share_cards(
    pack: tuple[Card, ...], random: Any
) -> None:
    hand = random.sample(pack, min(len(pack), random.randint(0, 16)))

    searched = Search(hand, GIN).best(hand)
    counted = Sums(GIN).best(hand)

    if counted and not may_be_split(counted[0].melds):
        assert counted == list(searched)
    else:
        assert arrange(hand, GIN).points == next(searched).points


# --- answers that stay ------------------------------------------------------------------


KEPT = json.loads((DATA / "arrangements.json").read_text(encoding="utf-8"))
"""Dealt hands with their whole arrangements, as version 1.1.0 chose them of several best ones."""


@pytest.mark.parametrize("part", range(4))
def test_of_several_best_arrangements_the_same_one_is_still_chosen(part: int) -> None:
    for kept in KEPT[part::4]:
        rules = preset(kept["preset"]).override(kept["options"])

        found = arrange(cards(kept["hand"]), rules, melds(*kept["table"], rules=rules))

        assert found.points == kept["points"], kept
        assert written(found) == kept["melds"], kept
        assert [[str(card), meld] for card, meld in found.layoffs] == kept["layoffs"], kept
        assert " ".join(map(str, found.rest)) == kept["rest"], kept


def test_the_arrangement_is_the_first_one_of_the_whole_search() -> None:
    for kept in KEPT[::4]:
        rules = preset(kept["preset"]).override(kept["options"])
        hand, table = cards(kept["hand"]), melds(*kept["table"], rules=rules)

        found = arrange(hand, rules, table)

        assert found == next(Search(hand, rules, table).best(hand)), kept
