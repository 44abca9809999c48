"""Rules that the families hand, gin and knock have in common: RULES 6.1 to 6.6, 7.3 to 7.7."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from examples import cards, score
from scorekeeper.domain.cards.card import PACK
from scorekeeper.domain.errors import RuleError
from scorekeeper.domain.rounds.scoring import score_round
from scorekeeper.domain.rules import OPTIONS
from scorekeeper.domain.rules.presets import PRESETS
from scorekeeper.domain.solver import arrange
from scorekeeper.i18n import LANGUAGES, language
from scorekeeper.wire.rounds import load_round

FAMILIES = ("hand", "gin", "knock")


def test_points_above_those_of_any_hand_cause_a_warning() -> None:
    result = score("knock", {"seats": [{"count": 3}, {"count": 999}]})

    assert [warning.code for warning in result.warnings] == ["W_POINTS_IMPOSSIBLE"]


def test_the_first_of_the_lowest_left_of_the_knocker_wins() -> None:
    seats = [{"count": 4}, {"count": 9}, {"count": 20}, {"count": 4}]

    result = score("knock", {"options": {"knock.ties": "first_left"}, "knocker": 1, "seats": seats})

    assert result.winner == 3


@pytest.mark.parametrize(
    ("order", "counts", "options", "net"),
    [
        ([0, 2, 1], (10, 5, 5), {}, [-15, 7, 8]),
        ([2, 1, 0], (10, 5, 5), {}, [-15, 7, 8]),
        ([0, 2, 1, 3], (12, 5, 5, 9), {}, [-17, 10, 11, -4]),  # K05
        ([0, 2, 1, 3], (12, 5, 5, 9), {"knock.ties": "first_left"}, [-17, 0, 21, -4]),
        ([0, 3, 1, 2], (12, 5, 9, 5), {}, [-17, 10, -4, 11]),  # a newcomer sits between
        ([0, 3, 1, 2], (12, 5, 9, 5), {"knock.ties": "first_left"}, [-17, 0, -4, 21]),
        ([0, 2, 1], (10, 5, 9, 5), {}, [-15, 10, -4, 9]),  # who joined later sits last
        (
            [0, 3, 2, 1],
            (0, 12, 20, 9),
            {"knock.rummy_bonus_from": "once"},
            [66, -20, -28, -18],
        ),
    ],
)
def test_left_of_the_knocker_is_where_the_players_sat(  # RULES 7.7.3, 7.7.5
    order: list[int], counts: tuple[int, ...], options: dict[str, Any], net: list[int]
) -> None:
    seats = [{"count": count} for count in counts]

    result = score("knock", {"options": options, "order": order, "seats": seats})

    assert [one and one.net for one in result.scores] == net


@pytest.mark.parametrize(
    ("order", "place", "why"), [([0, 3, 1], 1, "no_seat"), ([0, 2, 2], 2, "duplicate")]
)
def test_an_order_names_seats_of_the_table_once(order: list[int], place: int, why: str) -> None:
    seats = [{"count": 5}, {"count": 12}, {"count": 20}]

    with pytest.raises(RuleError) as error:
        score("knock", {"order": order, "seats": seats})

    (found,) = error.value.problems
    assert (found.code, found.facts["why"], found.path) == ("E_FORM", why, ("order", place))


def test_a_winner_with_a_wrong_number_of_cards_causes_a_warning() -> None:
    melds = ["3H 4H 5H", "6H 6D 6S", "9H 10H JH QH"]
    short = {"melds": melds, "hand": "2C 3D", "discard": "8D"}

    result = score("hand", {"seats": [short, {"points": 12}]})

    assert [warning.code for warning in result.warnings] == ["W_HAND_COUNT"]


@pytest.mark.parametrize(("turns", "found"), [(2, []), (1, ["W_HAND_COUNT"])])
def test_a_hand_grows_with_each_turn_if_two_cards_are_drawn(
    turns: int, found: list[str]
) -> None:  # RULES 6.6.3
    small = {"draw.two_small_table": True}
    held = {"hand": "QD 5H 5C 2S AH AD JK KH KD KS 7C 8C 9C 9D 9H", "turns": turns}

    result = score("hand", {"options": small, "seats": [{"points": 3}, held]})

    assert [warning.code for warning in result.warnings] == found


@pytest.mark.parametrize(
    ("family", "left", "net"),
    [
        ("hand", ("2 3", "K JK"), [-5, -30]),
        ("gin", ("4", "K 4"), [10 + 10, 0]),
        ("knock", ("2 A", "K 4"), [11, -11]),
    ],
)
def test_the_rest_may_be_declared_in_ranks(
    family: str, left: tuple[str, str], net: list[int]
) -> None:  # RULES 6.1, 6.3, 6.4
    result = score(family, {"seats": [{"rest": rest} for rest in left]})

    assert [side.net for side in result.scores if side] == net
    assert result.verification == "counted"


counts = st.lists(st.integers(0, 80), min_size=2, max_size=6)
terms = st.fixed_dictionaries(
    {
        "knock.rummy_bonus_from": st.sampled_from(["each", "once"]),
        "knock.rummy_unbeatable": st.booleans(),
        "knock.ties": st.sampled_from(["split", "first_left"]),
        "knock.penalty": st.integers(0, 30),
    }
)


@given(counts, terms)
def test_knock_is_zero_sum_in_every_round(counts: list[int], terms: dict[str, Any]) -> None:
    seats = [{"count": count} for count in counts]

    result = score("knock", {"options": terms, "seats": seats})

    assert sum(side.net for side in result.scores if side) == 0


@st.composite
def deals(draw: st.DrawFn, players: int, dealt: int) -> list[str]:
    """Return hands dealt from one pack."""
    names = [str(card) for card in draw(st.permutations(PACK))]
    return [" ".join(names[i * dealt : (i + 1) * dealt]) for i in range(players)]


@pytest.mark.parametrize(("allowed", "net"), [("own", 31), ("none", 55)])  # K08: 33, or all 57
def test_in_knock_rummy_the_others_may_put_down_what_the_rules_allow(
    allowed: str, net: int
) -> None:
    knocker = "3H 4H 5H 8H 8D 8S 10D JD QD 2C"
    other = "AS AC AD 6C 7C 8C KH KS 9D 4S"
    seats = [{"hand": knocker}, {"hand": other}]

    result = score("knock", {"options": {"out.opponent_melds": allowed}, "seats": seats})

    assert [side.net for side in result.scores if side] == [net, -net]


@settings(max_examples=60)
@given(deals(3, 7))
def test_quick_entry_of_knock_rummy_scores_like_the_cards(hands: list[str]) -> None:
    full = score("knock", {"seats": [{"hand": hand} for hand in hands]})
    best = [arrange(cards(hand), PRESETS["knock-rummy"]).points for hand in hands]

    quick = score("knock", {"seats": [{"count": count} for count in best]})

    assert quick.scores == full.scores


@settings(max_examples=40)
@given(deals(2, 13))
def test_quick_entry_of_wiener_romme_scores_like_the_cards(hands: list[str]) -> None:
    full = score("hand", {"seats": [{"points": 0}, {"hand": hands[1]}]})
    best = arrange(cards(hands[1]), PRESETS["wiener"]).points

    quick = score("hand", {"seats": [{"points": 0}, {"points": best}]})

    assert quick.scores == full.scores


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("left", [{"points": 7}, {"rest": "7"}])
def test_melds_with_points_or_ranks_are_refused(family, left):
    quick = {"hand": "points", "gin": "deadwood", "knock": "count"}[family]
    left = {quick if name == "points" else name: value for name, value in left.items()}
    seats = [{"melds": ["4C 5C 6C"]} | left, {"melds": ["4H 5H 6H"]} | left]
    if family == "hand":  # the winner shows melds and counts the rest separately
        seats[0] = {"discard": "2H"}

    with pytest.raises(RuleError) as refused:
        score(family, {"seats": seats})

    found = {(one.code, one.facts["why"], one.path[2]) for one in refused.value.problems}
    assert found == {("E_FORM", "melds_without_hand", "melds")}


@pytest.mark.parametrize(
    ("family", "most"),
    [("hand", 4 * 20 + 8 * 11 + 10), ("gin", 10 * 10), ("knock", 10 * 10)],
)
def test_the_dearest_rest_is_possible_and_a_point_more_is_not(
    family: str, most: int
) -> None:  # RULES 6.6.10
    name = {"hand": "points", "gin": "deadwood", "knock": "count"}[family]

    def found(points: int) -> list[str]:
        result = score(family, {"seats": [{name: 5}, {name: points}]})
        return [warning.code for warning in result.warnings]

    assert found(most) == []
    assert found(most + 1) == ["W_POINTS_IMPOSSIBLE"]


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("listed", ["hand", "rest"])
def test_a_hand_that_must_be_arranged_has_at_most_sixteen_cards(
    family: str, listed: str
) -> None:  # RULES 5.6
    pack = [str(card) for card in PACK]
    names = pack if listed == "hand" else ["2", "3", "4", "5"] * 8
    name = {"hand": "points", "gin": "deadwood", "knock": "count"}[family]

    def codes(cards: int) -> list[tuple[str, object]]:
        seats = [{name: 5}, {listed: " ".join(names[:cards])}]
        try:
            score(family, {"seats": seats, "accept_irregular": True})
        except RuleError as error:
            return [(one.code, one.facts.get("why")) for one in error.problems]
        return []

    assert codes(16) == []
    assert codes(17) == [("E_FORM", "hand_length")]


# ---- facts of rules that are off (RULES 6.1) ------------------------------------------

ASKED_BY: dict[str, tuple[object, str]] = {
    "oklahoma_card": ("7D", "gin.oklahoma"),
    "drawn": ({"from": "discard", "card": "7D"}, "gin.tedesco"),
    "joker_discarded": (True, "gin.joker_rule"),
    "hirschn": ({"caller": 0, "turns_after": 1}, "gin.hirschn"),
    "glass": ([{"by": 0, "kind": "group", "rank": "7", "hit": True}], "gin.glass"),
    "aces": (1, "gin.tedesco"),
    "turns": (2, "draw.two_small_table"),
}


@pytest.mark.parametrize("name", ASKED_BY)
@pytest.mark.parametrize("family", ["lay", *FAMILIES])
def test_a_fact_of_a_rule_that_is_off_is_refused_with_the_option(family: str, name: str) -> None:
    value, option = ASKED_BY[name]
    quick = {"lay": "points", "hand": "points", "gin": "deadwood", "knock": "count"}[family]
    seats: list[dict[str, Any]] = [{quick: 0}, {quick: 9}]
    example: dict[str, Any] = {"seats": seats, "winner": 0} if family == "lay" else {"seats": seats}
    if name in ("aces", "turns"):
        seats[1][name] = value
    else:
        example[name] = value

    with pytest.raises(RuleError) as refused:
        score(family, example)

    (found,) = refused.value.problems
    known = family in OPTIONS[option].families
    why = (
        ("off" if known else "elsewhere")
        if name != "drawn"
        else ("drawn_off" if known else "drawn_elsewhere")
    )
    assert (found.code, found.facts) == ("E_RULE_OFF", {"why": why, "option": option})
    for code in LANGUAGES:
        words = language(code).problem(found, ["Anna", "Bernd"])
        if name == "drawn" and not known:  # players of other rules do not know Tedesco
            assert "Tedesco" not in words


def test_a_source_without_a_card_is_refused_without_tedesco() -> None:  # RULES 6.1
    example = {"drawn": {"from": "stock"}, "seats": [{"deadwood": 3}, {"deadwood": 9}]}

    with pytest.raises(RuleError, match="E_RULE_OFF"):
        score("gin", example)
    score("gin", example | {"options": {"gin.tedesco": True}})


@pytest.mark.parametrize("family", FAMILIES)
def test_a_hand_romme_is_refused_with_the_reason_of_the_family(family: str) -> None:
    quick = {"hand": "points", "gin": "deadwood", "knock": "count"}[family]

    with pytest.raises(RuleError) as refused:
        score(family, {"hand_romme": True, "seats": [{quick: 0}, {quick: 9}]})

    (found,) = refused.value.problems
    assert (found.code, found.facts["why"]) == ("E_HANDROMME_OFF", family)
    assert all(f"E_HANDROMME_OFF.{family}" in language(code) for code in LANGUAGES)


def test_the_most_points_of_a_round_hold_for_the_winner_too() -> None:  # RULES-MORE 7.2.3
    """Cards are cut; whoever types points has cut them already."""
    rules = PRESETS["german-family"].override({"out.max_rest": 9, "score.cap": 5})

    def scored(winner: dict[str, Any]) -> list[int]:
        body = {"outcome": "out", "winner": 0, "seats": [winner, {"points": 5}]}
        return [seat.minus for seat in score_round(load_round(body).round, rules, 2).scores if seat]

    assert [scored(rest)[0] for rest in ({"hand": "9H"}, {"points": 4})] == [5, 4]
    with pytest.raises(RuleError, match="E_POINTS"):
        scored({"points": 9})
