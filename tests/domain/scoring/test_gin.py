"""Gin Rommé: RULES 6.4, 7.4, 7.5."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bars import drawn, tries
from brute_force import Naive
from examples import K1, LAY_7C, O1, O2, score
from random_hands import GIN, hands, lying, rule_sets
from scorekeeper.domain.cards.card import PACK, Card
from scorekeeper.domain.errors import RuleError
from scorekeeper.domain.rounds.facts import Round, RoundScore, Seat
from scorekeeper.domain.rounds.scoring.gin import lay_down
from scorekeeper.domain.rules import RuleSet
from scorekeeper.domain.solver import best_arrangements


def test_declaring_no_lay_offs_wins_less_and_causes_a_warning() -> None:  # RULES 7.4.3
    o2 = "2S 3S 4S QH QC QS 7C 9C 10D AC"
    none = {"seats": [{"hand": K1}, {"hand": o2, "layoffs": []}]}

    result = score("gin", none)

    assert [side.plus for side in result.scores if side] == [31, 0]  # 27 - 6 and the box
    assert [warning.code for warning in result.warnings] == ["W_BETTER_ARRANGEMENT"]


@pytest.mark.parametrize("ace_in_hand", [1, 11])
def test_aces_declared_with_deadwood_count_more_with_tedesco(
    ace_in_hand: int,
) -> None:  # RULES 6.4, 7.4.4
    options = {"gin.tedesco": True, "value.ace_hand": ace_in_hand}
    seats = [{"deadwood": 6}, {"deadwood": ace_in_hand, "aces": 1}]

    result = score("gin", {"options": options, "seats": seats})

    assert [side.plus for side in result.scores if side] == [15 - 6 + 10, 0]  # and the box
    assert result.warnings == ()


@pytest.mark.parametrize(
    ("end", "points"),
    [({}, 18 + 10), ({"end.mode": "manual"}, 18), ({"end.mode": "rounds", "end.rounds": 5}, 18)],
)
def test_there_are_no_boxes_without_a_points_limit(
    end: dict[str, Any], points: int
) -> None:  # RULES 7.4.8
    result = score("gin", {"options": end, "seats": [{"deadwood": 6}, {"deadwood": 24}]})

    assert [side.plus for side in result.scores if side] == [points, 0]


def test_a_joker_as_the_oklahoma_card_leaves_the_usual_limit() -> None:  # RULES 7.4.1
    rules = {"gin.oklahoma": True, "gin.joker_rule": True}

    def knock(deadwood: int) -> RoundScore:
        seats = [{"deadwood": deadwood}, {"deadwood": 24}]
        return score("gin", {"options": rules, "oklahoma_card": "JK", "seats": seats})

    assert [side.plus for side in knock(10).scores if side] == [14 + 10, 0]
    with pytest.raises(RuleError, match="E_KNOCK_LIMIT"):
        knock(11)


def test_a_partners_knock_does_not_fulfil_a_call_of_hirschn() -> None:  # RULES 7.5
    seats = [{"deadwood": 3}, {"deadwood": 9}, {"deadwood": 12}, {"deadwood": 14}]

    def knock(turns: int) -> list[int]:
        call = {"caller": 2, "turns_after": turns}
        terms = {"teams": True, "gin.hirschn": True}
        result = score("gin", {"options": terms, "hirschn": call, "seats": seats})
        return [side.plus for side in result.scores if side]

    assert knock(2) == [18, 0]
    assert knock(3) == [18, 15]


def test_partners_of_the_knocker_do_not_lay_off() -> None:  # RULES 7.5
    seats = [
        {"deadwood": 3},
        {"deadwood": 9},
        {"deadwood": 9, "layoffs": [LAY_7C]},
        {"deadwood": 9},
    ]

    with pytest.raises(RuleError, match="E_LAYOFF_KNOCKER"):
        score("gin", {"options": {"teams": True}, "seats": seats})


def test_both_defending_partners_lay_off() -> None:  # RULES 7.5
    seats = [
        {"hand": "4C 5C 6C 9H 9S 9D 2H"},
        {"hand": "7C 8H 8D 8S KH KD QD"},
        {"deadwood": 10},
        {"hand": "8C 3H 3D 3S 10H 10D 9C"},
    ]

    result = score("gin", {"options": {"teams": True}, "seats": seats})

    # 7C goes on the run, then 8C, then 9C on the run or on the nines: 30 and 20 are left.
    difference = next(line for line in result.lines if line.reason == "difference")
    assert difference.facts == {"own": 12, "others": 50}


def test_defending_partners_with_three_jokers_are_arranged_within_the_budget() -> None:
    seats = [
        {"hand": "9C AH 2H AC 6S 8C 7C"},
        {"hand": "5C 6C JS JD JC JH 8D"},
        {"hand": "7H 8H 9H 3C 3H 3S 3D"},
        {"hand": "10C QC 4C JK 4S JK JK"},
    ]

    result = score("gin", {"options": {"gin.joker_rule": True, "teams": True}, "seats": seats})

    assert [each.plus for each in result.scores if each] == [0, 32]  # 8D against 10: undercut


def test_eight_jokers_in_the_hands_are_arranged_within_the_budget() -> None:
    options = {"gin.joker_rule": True, "teams": True, "deck.jokers": 8, "gin.tedesco": True}
    seats = [
        {"hand": "JC JK JK 8S 7S JK JK"},
        {"hand": "6C KC 8C JK 3C 10C JK"},
        {"hand": "6S AC JS QC JK QS KS"},
        {"hand": "9S 10S QD JK 7C 9C 4C"},
    ]

    result = score("gin", {"options": options, "seats": seats})

    # The knocker shows four jacks and 6S 7S 8S, which take 9S and 10S; 3C KC 4C QD are left.
    # The partner has AC QC 6S left.
    difference = next(line for line in result.lines if line.reason == "difference")
    assert difference.facts == {"own": 17, "others": 27}


@pytest.mark.bar("solver")
@drawn("solver", rule_sets(), hands(most=13), times=tries("solver") // 10)
def test_the_knocker_shows_what_leaves_the_defenders_most(
    rules: RuleSet, cards: tuple[Card, ...]
) -> None:  # RULES 7.4.2
    gin = replace(GIN.gin, layoff_on_gin=True)
    melds = replace(rules.meld, set_suits="different")
    rules = replace(rules, family="gin", gin=gin, out=GIN.out, teams=True, meld=melds)
    knocking, one, other = cards[-5:], cards[:-5:2], cards[1:-5:2]  # jokers come last
    seats = tuple(Seat(hand=hand) for hand in (knocking, one, (), other))
    naive, defending = Naive(rules), [[*map(str, one)], [*map(str, other)]]
    expected = max(
        naive.least_together(defending, tuple(map(lying, shown.melds)))
        for shown in best_arrangements(knocking, rules)
    )

    found = lay_down(Round(outcome="knock", knocker=0, seats=seats), rules)

    assert found.deadwood(1) == expected


def test_a_joker_of_a_defender_may_be_laid_off_at_either_end_to_make_room() -> None:
    seats = [
        {"hand": "7C 8C 9C 2H 2D 2S AH"},
        {"hand": "5C QH QD QS KH KD KS"},
        {"deadwood": 9},
        {"hand": "JK 3H 3D 3S 10H 10D 10S"},
    ]

    result = score("gin", {"options": {"gin.joker_rule": True, "teams": True}, "seats": seats})

    difference = next(line for line in result.lines if line.reason == "difference")
    assert difference.facts == {"own": 10, "others": 0}  # the joker is 6C, below the run


@pytest.mark.parametrize(("partner", "left"), [(12, 30 + 5), (0, 37 + 5)])
def test_defenders_lay_off_after_small_gin_but_not_after_big_gin(
    partner: int, left: int
) -> None:  # RULES 7.5
    seats = [
        {"hand": "4C 5C 6C 9H 9S 9D 9C"},
        {"hand": "7C 8H 8D 8S KH KD QD"},
        {"deadwood": partner},
        {"deadwood": 5},
    ]

    result = score("gin", {"options": {"teams": True}, "seats": seats})

    difference = next(line for line in result.lines if line.reason == "difference")
    assert difference.facts == {"own": partner, "others": left}


@pytest.mark.parametrize(
    ("claim", "code"),
    [({}, "E_DISCARD_REQUIRED"), ({"big_gin": True}, "E_KNOCK_LIMIT")],
)
def test_eleven_cards_are_big_gin_only_if_all_of_them_are_melded(
    claim: dict[str, Any], code: str
) -> None:  # RULES-MORE 6, checks 8
    melds = ["AC 2C 3C 4C", "9H 9S 9D", "JD QD KD"]
    cards = {"hand": " ".join([*melds, "2H"]), "melds": melds, "discard": "none"}
    other = {"hand": "2S 3S 4S QH QC QS KH 8D 5D 10C"}

    with pytest.raises(RuleError, match=code):
        score("gin", {"preset": "gin-american", **claim, "seats": [cards, other]})


@pytest.mark.parametrize("meld", [0, 1])
def test_the_knocker_shows_melds_that_a_declared_lay_off_fits(meld: int) -> None:
    """The run and the set of eights may be shown in either order (RULES 7.4.3)."""
    knocker = {"hand": "5S 6S 7S 8S 8H 8D 8C AC 2D 3H", "discard": "KD"}
    melds = ["JH QH KH", "4C 4D 4H", "10C 10D 10S"]
    laid_off = [{"card": "4S", "meld": {"seat": 0, "index": meld}}]
    other = {"hand": " ".join([*melds, "4S"]), "melds": melds, "layoffs": laid_off}

    result = score("gin", {"seats": [knocker, other]})

    assert [side.plus for side in result.scores if side] == [0, 36]


@given(st.integers(0, 10), st.integers(0, 98), st.booleans())
def test_gin_pays_one_side_and_the_league_does_not_count_boxes(
    own: int, other: int, doubled: bool
) -> None:
    example = {
        "options": {"gin.joker_rule": True},
        "joker_discarded": doubled,
        "seats": [{"deadwood": own}, {"deadwood": other}],
    }

    result = score("gin", example)

    winner, loser = (0, 1) if result.winner == 0 else (1, 0)
    points = [side for side in result.scores if side]
    assert points[loser].plus == 0 < points[winner].plus
    assert points[winner].plus == sum(line.plus for line in result.lines)
    assert [side.minus for side in points] == [0, 0]
    assert points[winner].league == points[winner].plus - 10


@pytest.mark.parametrize(
    ("allowed", "plus"),
    [
        ("own_and_layoff", [0, 35]),  # G07: the knocker's 6 are undercut by 1
        ("own", [31, 0]),  # 27 are left: 21 and the box
        ("none", [70, 0]),  # all ten cards are left: 66
    ],
)
def test_in_gin_the_opponent_may_put_down_what_the_rules_allow(
    allowed: str, plus: list[int]
) -> None:
    options = {"out.opponent_melds": allowed}

    result = score("gin", {"options": options, "seats": [{"hand": K1}, {"hand": O2}]})

    assert [side.plus for side in result.scores if side] == plus


MELDED = ["4C 5C 6C", "9H 9S 9D", "JD QD KD", "2S 3S 4S", "QH QC QS", "8C 8D 8H"]


@settings(max_examples=60)
@given(st.permutations(MELDED), st.permutations(PACK))
def test_a_knock_scores_the_same_by_cards_and_by_points(melds: list[str], pack: list[Any]) -> None:
    own = " ".join(melds[:3]).split()
    rest = [str(card) for card in pack if str(card) not in own]
    low = next(name for name in rest if name[0] in "A23")
    rest.remove(low)
    shown = {"seats": [{"hand": " ".join([*own, low])}, {"hand": " ".join(rest[:10])}]}

    full = score("gin", shown)

    held = {line.facts["of"]: line.facts["held"] for line in full.lines if "held" in line.facts}
    quick = score("gin", {"seats": [{"deadwood": held[0]}, {"deadwood": held[1]}]})
    assert quick.scores == full.scores
    assert quick.winner == full.winner


# ---- announced deadwood (RULES 6.4) ---------------------------------------------------


@pytest.mark.parametrize(
    ("own", "other", "found"),
    [
        (6, 24, []),
        (None, None, []),
        (7, 24, [(0, 7, 6)]),
        (6, 0, [(1, 0, 24)]),
        (5, 25, [(0, 5, 6), (1, 25, 24)]),
    ],
)
def test_announced_deadwood_is_compared_with_the_cards(
    own: int | None, other: int | None, found: list[tuple[int, int, int]]
) -> None:
    seats: list[dict[str, Any]] = [{"hand": K1}, {"hand": O1}]
    for seat, said in zip(seats, (own, other), strict=True):
        if said is not None:
            seat["announced"] = said

    result = score("gin", {"seats": seats})

    assert [side.plus for side in result.scores if side] == [28, 0]
    assert result.verification == "verified"
    assert [warning.code for warning in result.warnings] == ["W_ANNOUNCED"] * len(found)
    compared = [
        (one.facts["seat"], one.facts["announced"], one.facts["held"]) for one in result.warnings
    ]
    assert compared == found


def test_announced_deadwood_is_that_after_laying_off_with_tedesco_aces() -> None:
    o2 = "2S 3S 4S QH QC QS 7C 9C 10D AC"  # 7C, 9C and 10D are laid off, the ace is left
    said = [{"hand": K1}, {"hand": o2, "announced": 15}]

    dear = score("gin", {"options": {"gin.tedesco": True}, "seats": said})
    cheap = score("gin", {"seats": said})

    assert dear.warnings == ()
    assert [warning.facts["held"] for warning in cheap.warnings] == [1]


def test_announced_deadwood_is_compared_with_ranks() -> None:
    result = score("gin", {"seats": [{"rest": "4", "announced": 4}, {"rest": "K", "announced": 9}]})

    assert [(one.code, one.facts["held"]) for one in result.warnings] == [("W_ANNOUNCED", 10)]


def test_announced_deadwood_is_compared_before_doubling() -> None:  # RULES 7.4.5
    doubled = {"options": {"gin.joker_rule": True}, "joker_discarded": True}

    result = score("gin", doubled | {"seats": [{"rest": "4"}, {"rest": "K", "announced": 10}]})

    assert result.warnings == ()


def test_announced_deadwood_with_points_only_is_refused() -> None:
    with pytest.raises(RuleError) as refused:
        score("gin", {"seats": [{"deadwood": 4, "announced": 4}, {"deadwood": 9}]})

    (found,) = refused.value.problems
    assert (found.code, found.facts["why"]) == ("E_FORM", "announced")
    assert found.path == ("seats", 0, "announced")


def test_only_gin_has_announcements() -> None:
    with pytest.raises(RuleError, match="E_FORM"):
        score("knock", {"seats": [{"rest": "4", "announced": 4}, {"count": 9}]})


def test_a_lay_off_that_does_not_fit_is_refused_once_with_two_defenders() -> None:  # RULES 7.5
    misfit = {"card": "KH", "meld": {"seat": 0, "index": 0}}
    seats = [
        {"hand": "4C 5C 6C 9H 9S 9D 2H", "melds": ["4C 5C 6C", "9H 9S 9D"], "discard": "3C"},
        {"hand": "7C 8H 8D 8S KH KD QD", "layoffs": [misfit]},
        {"deadwood": 10},
        {"hand": "8C 3H 3D 3S 10H 10D 9C"},
    ]

    with pytest.raises(RuleError) as refused:
        score("gin", {"options": {"teams": True}, "seats": seats})

    assert [one.code for one in refused.value.problems] == ["E_LAYOFF"]
