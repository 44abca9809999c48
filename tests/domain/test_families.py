"""Families hand, gin and knock: RULES 6.3 to 6.5, 7.3 to 7.7."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from examples import USUAL, body_of, cards, examples
from scorekeeper.domain.cards import PACK
from scorekeeper.domain.errors import RuleError
from scorekeeper.domain.options import OPTIONS
from scorekeeper.domain.presets import PRESETS
from scorekeeper.domain.rounds import RoundScore
from scorekeeper.domain.scoring import score_round
from scorekeeper.domain.solver import arrange
from scorekeeper.i18n import LANGUAGES, language
from scorekeeper.wire.rounds import load_round

FAMILIES = ("hand", "gin", "knock")


def score(family: str, example: dict[str, Any]) -> RoundScore:
    """Score a round of an example."""
    rules = PRESETS[example.get("preset", USUAL[family])].override(example.get("options", {}))
    entry = load_round(body_of(family, example))
    return score_round(entry.round, rules, len(example["seats"]), noticed=entry.warnings)


@pytest.mark.parametrize("family", FAMILIES)
def test_every_family_has_its_examples(family: str) -> None:
    assert examples(family)


def check(family: str, example: dict[str, Any]) -> None:
    if "errors" in example:
        with pytest.raises(RuleError) as refused:
            score(family, example)
        assert [problem.code for problem in refused.value.problems] == example["errors"]
        return
    result = score(family, example)

    points = [score for score in result.scores if score is not None]
    for tally in ("minus", "plus", "net"):
        if tally in example:
            assert [getattr(side, tally) for side in points] == example[tally]
    if "league" in example:
        leagues = [None if n == "none" else n for n in example["league"]]
        assert [side.league for side in points] == leagues
    if "winner" in example:
        assert result.winner == (None if example["winner"] == "nobody" else example["winner"])
    if "warnings" in example:
        assert [warning.code for warning in result.warnings] == example["warnings"]
    if "best" in example:
        assert [warning.facts["best"] for warning in result.warnings] == [example["best"]]
    if "mark" in example:
        assert result.mark == example["mark"]


@pytest.mark.parametrize("example", examples("hand"))
def test_worked_example_of_family_hand(example: dict[str, Any]) -> None:
    check("hand", example)


@pytest.mark.parametrize("example", examples("gin"))
def test_worked_example_of_gin(example: dict[str, Any]) -> None:
    check("gin", example)


@pytest.mark.parametrize("example", examples("knock"))
def test_worked_example_of_knock(example: dict[str, Any]) -> None:
    check("knock", example)


K1 = "4C 5C 6C 9H 9S 9D JD QD KD 6H"
O1 = "2S 3S 4S QH QC QS KH 8D 5D AC"
O2 = "2S 3S 4S QH QC QS 7C 9C 10D AC"  # 27, and with three cards laid off on K1 one
LAY_7C = {"card": "7C", "meld": {"seat": 0, "index": 0}}

REFUSED: dict[str, tuple[str, dict[str, Any], str]] = {  # RULES 6.6
    "a hand and deadwood at once": (
        "gin",
        {"seats": [{"hand": "", "deadwood": 3}, {"deadwood": 9}]},
        "E_FORM",
    ),
    "a winner's rest in cards and in points": (
        "hand",
        {"seats": [{"hand": "2C 3C", "points": 3}, {"points": 9}]},
        "E_FORM",
    ),
    "a winner's rest in cards and in ranks": (
        "hand",
        {"seats": [{"hand": "2C", "rest": "3"}, {"points": 9}]},
        "E_FORM",
    ),
    "an absent player at gin": ("gin", {"seats": [{"deadwood": 3}, {"absent": True}]}, "E_FORM"),
    "nothing said of the opponent": ("gin", {"seats": [{"deadwood": 3}, {}]}, "E_HAND_MISSING"),
    "a hand of twelve": ("gin", {"seats": [{"hand": K1 + " 2H 3H"}, {"hand": O1}]}, "E_HAND_COUNT"),
    "a meld that is not in the hand": (
        "gin",
        {"seats": [{"hand": K1, "melds": ["7C 8C 9C"]}, {"deadwood": 9}]},
        "E_NOT_IN_HAND",
    ),
    "a card in two melds": (
        "gin",
        {"seats": [{"hand": K1, "melds": ["4C 5C 6C", "4C 5C 6C"]}, {"deadwood": 9}]},
        "E_CARD_TWICE",
    ),
    "suits missing where melds are sought": (
        "gin",
        {"seats": [{"hand": "4 5 6 9 9 9 J Q K 6"}, {"hand": O1}]},
        "E_SUIT_NEEDED",
    ),
    "laying off on gin": (
        "gin",
        {
            "seats": [
                {"hand": "3C 4C 5C 6C 9H 9S 9D JD QD KD"},
                {"hand": "2S 3S 4S QH QC QS 7C 9C 10D AC", "layoffs": [LAY_7C]},
            ]
        },
        "E_LAYOFF_GIN",
    ),
    "a lay-off by the knocker": (
        "gin",
        {"seats": [{"hand": K1, "layoffs": [LAY_7C]}, {"hand": O1}]},
        "E_LAYOFF_KNOCKER",
    ),
    "a lay-off that fits nowhere": (
        "gin",
        {
            "seats": [
                {"hand": K1, "melds": ["4C 5C 6C", "9H 9S 9D", "JD QD KD"]},
                {"hand": O1, "layoffs": [{"card": "KH", "meld": {"seat": 0, "index": 0}}]},
            ]
        },
        "E_LAYOFF",
    ),
    "Oklahoma without the turned card": (
        "gin",
        {"options": {"gin.oklahoma": True}, "seats": [{"deadwood": 3}, {"deadwood": 9}]},
        "E_OKLAHOMA_CARD",
    ),
    "a turned card that somebody holds": (
        "gin",
        {
            "options": {"gin.oklahoma": True},
            "oklahoma_card": "4C",
            "seats": [{"hand": K1, "discard": "2H"}, {"hand": O1}],
        },
        "E_DUPLICATE_CARD",
    ),
    "a turned card without Oklahoma": (
        "gin",
        {"oklahoma_card": "7D", "seats": [{"deadwood": 3}, {"deadwood": 9}]},
        "E_RULE_OFF",
    ),
    "a Hirschn call without the rule": (
        "gin",
        {
            "hirschn": {"caller": 0, "turns_after": 1},
            "seats": [{"deadwood": 3}, {"deadwood": 9}],
        },
        "E_RULE_OFF",
    ),
    "aces without Tedesco": (
        "gin",
        {"seats": [{"deadwood": 3}, {"deadwood": 9, "aces": 2}]},
        "E_RULE_OFF",
    ),
    "more aces than deadwood": (
        "gin",
        {"options": {"gin.tedesco": True}, "seats": [{"deadwood": 3}, {"deadwood": 1, "aces": 2}]},
        "E_POINTS",
    ),
    "a joker thrown away that was a seven": (
        "gin",
        {
            "options": {"gin.joker_rule": True},
            "joker_discarded": True,
            "seats": [{"deadwood": 3, "discard": "7H"}, {"deadwood": 9}],
        },
        "E_FORM",
    ),
    "a glass call that names no rank": (
        "gin",
        {
            "options": {"gin.glass": True},
            "glass": [{"by": 0, "kind": "group", "hit": True}],
            "seats": [{"deadwood": 3}, {"deadwood": 9}],
        },
        "E_GLASS",
    ),
    "two cards caught in a glass": (
        "gin",
        {
            "options": {"gin.glass": True},
            "glass": [{"by": 0, "kind": "group", "rank": "7", "hit": True, "pile": "7H 2C 7S"}],
            "seats": [{"deadwood": 3}, {"deadwood": 9}],
        },
        "E_GLASS",
    ),
    "a knock above the table's limit": (
        "knock",
        {"options": {"knock.limit": 10}, "seats": [{"count": 11}, {"count": 20}]},
        "E_KNOCK_LIMIT",
    ),
    "melds where the others put nothing down": (
        "gin",
        {
            "options": {"out.opponent_melds": "none"},
            "seats": [{"hand": K1}, {"hand": O1, "melds": ["2S 3S 4S"]}],
        },
        "E_RULE_OFF",
    ),
    "laying off where the others put down only melds": (
        "gin",
        {
            "options": {"out.opponent_melds": "own"},
            "seats": [{"hand": K1}, {"hand": O2, "layoffs": [LAY_7C]}],
        },
        "E_RULE_OFF",
    ),
    "a round without score where the pile is turned over": (
        "gin",
        {"options": {"stock.exhausted": "flip"}, "outcome": "void", "seats": []},
        "E_RULE_OFF",
    ),
    "laying off at knock": (
        "knock",
        {"seats": [{"count": 3}, {"count": 9, "layoffs": [LAY_7C]}]},
        "E_LAYOFF",
    ),
}


@pytest.mark.parametrize(("family", "example", "code"), REFUSED.values(), ids=REFUSED)
def test_is_refused_by_its_code(family: str, example: dict[str, Any], code: str) -> None:
    with pytest.raises(RuleError) as refused:
        score(family, example)

    assert {problem.code for problem in refused.value.problems} == {code}


def test_a_hand_of_more_points_than_cards_can_have_is_pointed_out() -> None:
    result = score("knock", {"seats": [{"count": 3}, {"count": 999}]})

    assert [warning.code for warning in result.warnings] == ["W_POINTS_IMPOSSIBLE"]


def test_a_wiener_winner_of_other_cards_than_dealt_is_asked() -> None:
    melds = ["3H 4H 5H", "6H 6D 6S", "9H 10H JH QH"]
    short = {"melds": melds, "hand": "2C 3D", "discard": "8D"}

    result = score("hand", {"seats": [short, {"points": 12}]})

    assert [warning.code for warning in result.warnings] == ["W_HAND_COUNT"]


@pytest.mark.parametrize(("turns", "found"), [(2, []), (1, ["W_HAND_COUNT"])])
def test_where_every_turn_draws_two_a_hand_grows_with_each(
    turns: int, found: list[str]
) -> None:  # RULES 6.6.3
    small = {"draw.two_small_table": True}
    held = {"hand": "QD 5H 5C 2S AH AD JK KH KD KS 7C 8C 9C 9D 9H", "turns": turns}

    result = score("hand", {"options": small, "seats": [{"points": 3}, held]})

    assert [warning.code for warning in result.warnings] == found


def test_hearing_nothing_of_lay_offs_the_best_are_made() -> None:  # RULES 7.4.3
    o2 = "2S 3S 4S QH QC QS 7C 9C 10D AC"
    none = {"seats": [{"hand": K1}, {"hand": o2, "layoffs": []}]}

    result = score("gin", none)

    assert [side.plus for side in result.scores if side] == [31, 0]  # 27 - 6 and the box
    assert [warning.code for warning in result.warnings] == ["W_BETTER_ARRANGEMENT"]


@pytest.mark.parametrize("ace_in_hand", [1, 11])
def test_an_ace_told_beside_its_deadwood_becomes_a_dear_one(
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
def test_where_no_points_end_the_game_there_are_no_boxes(
    end: dict[str, Any], points: int
) -> None:  # RULES 7.4.8
    result = score("gin", {"options": end, "seats": [{"deadwood": 6}, {"deadwood": 24}]})

    assert [side.plus for side in result.scores if side] == [points, 0]


@pytest.mark.parametrize(
    ("family", "left", "net"),
    [
        ("hand", ("2 3", "K JK"), [-5, -30]),
        ("gin", ("4", "K 4"), [10 + 10, 0]),
        ("knock", ("2 A", "K 4"), [11, -11]),
    ],
)
def test_what_is_left_may_be_told_in_ranks(
    family: str, left: tuple[str, str], net: list[int]
) -> None:  # RULES 6.1, 6.3, 6.4
    result = score(family, {"seats": [{"rest": rest} for rest in left]})

    assert [side.net for side in result.scores if side] == net
    assert result.mark == "counted"


def test_a_joker_turned_for_oklahoma_leaves_the_usual_limit() -> None:  # RULES 7.4.1
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
        told = score("gin", {"options": terms, "hirschn": call, "seats": seats})
        return [side.plus for side in told.scores if side]

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

    # 7C goes to the run, then 8C and, to the nines or behind them, 9C: 30 and 20 are left.
    difference = next(line for line in result.lines if line.reason == "difference")
    assert difference.facts == {"own": 12, "others": 50}


@pytest.mark.parametrize(("partner", "left"), [(12, 30 + 5), (0, 37 + 5)])
def test_against_a_small_gin_is_laid_off_against_a_big_one_not(
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


@given(st.integers(0, 10), st.integers(0, 98), st.booleans())
def test_gin_pays_one_side_and_the_league_leaves_out_the_boxes(
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


@st.composite
def deals(draw: st.DrawFn, players: int, dealt: int) -> list[str]:
    """Hands dealt from one pack."""
    names = [str(card) for card in draw(st.permutations(PACK))]
    return [" ".join(names[i * dealt : (i + 1) * dealt]) for i in range(players)]


@pytest.mark.parametrize(
    ("allowed", "plus"),
    [
        ("own_and_layoff", [0, 35]),  # G07: the knocker's 6 are undercut by 1
        ("own", [31, 0]),  # 27 stay: 21 and the box
        ("none", [70, 0]),  # all ten cards stay, 66
    ],
)
def test_at_gin_the_opponent_puts_down_what_the_table_allows(allowed: str, plus: list[int]) -> None:
    options = {"out.opponent_melds": allowed}

    result = score("gin", {"options": options, "seats": [{"hand": K1}, {"hand": O2}]})

    assert [side.plus for side in result.scores if side] == plus


@pytest.mark.parametrize(("allowed", "net"), [("own", 31), ("none", 55)])  # K08: 33, or all 57
def test_at_knock_the_others_put_down_what_the_table_allows(allowed: str, net: int) -> None:
    knocker = "3H 4H 5H 8H 8D 8S 10D JD QD 2C"
    other = "AS AC AD 6C 7C 8C KH KS 9D 4S"
    seats = [{"hand": knocker}, {"hand": other}]

    result = score("knock", {"options": {"out.opponent_melds": allowed}, "seats": seats})

    assert [side.net for side in result.scores if side] == [net, -net]


@settings(max_examples=60)
@given(deals(3, 7))
def test_quick_entry_of_knock_is_worth_what_the_cards_are(hands: list[str]) -> None:
    full = score("knock", {"seats": [{"hand": hand} for hand in hands]})
    best = [arrange(cards(hand), PRESETS["knock-rummy"]).points for hand in hands]

    quick = score("knock", {"seats": [{"count": count} for count in best]})

    assert quick.scores == full.scores


@settings(max_examples=40)
@given(deals(2, 13))
def test_quick_entry_of_wiener_is_worth_what_the_cards_are(hands: list[str]) -> None:
    full = score("hand", {"seats": [{"points": 0}, {"hand": hands[1]}]})
    best = arrange(cards(hands[1]), PRESETS["wiener"]).points

    quick = score("hand", {"seats": [{"points": 0}, {"points": best}]})

    assert quick.scores == full.scores


MELDED = ["4C 5C 6C", "9H 9S 9D", "JD QD KD", "2S 3S 4S", "QH QC QS", "8C 8D 8H"]


@settings(max_examples=60)
@given(st.permutations(MELDED), st.permutations(PACK))
def test_a_knock_that_is_low_enough_is_worth_the_same_by_cards_and_by_points(
    melds: list[str], pack: list[Any]
) -> None:
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


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("left", [{"points": 7}, {"rest": "7"}])
def test_melds_beside_points_or_ranks_are_refused_for_they_could_not_be_checked(family, left):
    quick = {"hand": "points", "gin": "deadwood", "knock": "count"}[family]
    left = {quick if name == "points" else name: value for name, value in left.items()}
    seats = [{"melds": ["4C 5C 6C"]} | left, {"melds": ["4H 5H 6H"]} | left]
    if family == "hand":  # who goes out shows his melds and counts his rest apart
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
        told = score(family, {"seats": [{name: 5}, {name: points}]})
        return [warning.code for warning in told.warnings]

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


# ---- facts that no rule asks for (RULES 6.1) ------------------------------------------

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
def test_a_fact_that_no_rule_asks_for_is_refused_for_what_is_wrong(family: str, name: str) -> None:
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
        if name == "drawn" and not known:  # whoever plays Luxembourg rules never heard of it
            assert "Tedesco" not in words


def test_where_a_card_came_from_is_refused_without_naming_it_too() -> None:  # RULES 6.1
    told = {"drawn": {"from": "stock"}, "seats": [{"deadwood": 3}, {"deadwood": 9}]}

    with pytest.raises(RuleError, match="E_RULE_OFF"):
        score("gin", told)
    score("gin", told | {"options": {"gin.tedesco": True}})


@pytest.mark.parametrize("family", FAMILIES)
def test_why_there_is_no_hand_romme_is_said_for_each_kind_of_game(family: str) -> None:
    quick = {"hand": "points", "gin": "deadwood", "knock": "count"}[family]

    with pytest.raises(RuleError) as refused:
        score(family, {"hand_romme": True, "seats": [{quick: 0}, {quick: 9}]})

    (found,) = refused.value.problems
    assert (found.code, found.facts["why"]) == ("E_HANDROMME_OFF", family)
    assert all(f"E_HANDROMME_OFF.{family}" in language(code) for code in LANGUAGES)


# ---- deadwood said aloud (RULES 6.4) --------------------------------------------------


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
def test_announced_deadwood_is_compared_with_the_cards_which_count(
    own: int | None, other: int | None, found: list[tuple[int, int, int]]
) -> None:
    seats: list[dict[str, Any]] = [{"hand": K1}, {"hand": O1}]
    for seat, said in zip(seats, (own, other), strict=True):
        if said is not None:
            seat["announced"] = said

    result = score("gin", {"seats": seats})

    assert [side.plus for side in result.scores if side] == [28, 0]
    assert result.mark == "verified"
    assert [warning.code for warning in result.warnings] == ["W_ANNOUNCED"] * len(found)
    told = [
        (one.facts["seat"], one.facts["announced"], one.facts["held"]) for one in result.warnings
    ]
    assert told == found


def test_deadwood_is_announced_after_laying_off_and_with_dear_aces() -> None:
    o2 = "2S 3S 4S QH QC QS 7C 9C 10D AC"  # 7C, 9C and 10D are laid off, the ace is left
    said = [{"hand": K1}, {"hand": o2, "announced": 15}]

    dear = score("gin", {"options": {"gin.tedesco": True}, "seats": said})
    cheap = score("gin", {"seats": said})

    assert dear.warnings == ()
    assert [warning.facts["held"] for warning in cheap.warnings] == [1]


def test_announced_beside_ranks_it_is_compared_too() -> None:
    result = score("gin", {"seats": [{"rest": "4", "announced": 4}, {"rest": "K", "announced": 9}]})

    assert [(one.code, one.facts["held"]) for one in result.warnings] == [("W_ANNOUNCED", 10)]


def test_a_doubled_hand_is_compared_as_it_lay_there() -> None:  # RULES 7.4.5
    told = {"options": {"gin.joker_rule": True}, "joker_discarded": True}

    result = score("gin", told | {"seats": [{"rest": "4"}, {"rest": "K", "announced": 10}]})

    assert result.warnings == ()


def test_points_are_not_announced_a_second_time() -> None:
    with pytest.raises(RuleError) as refused:
        score("gin", {"seats": [{"deadwood": 4, "announced": 4}, {"deadwood": 9}]})

    (found,) = refused.value.problems
    assert (found.code, found.facts["why"]) == ("E_FORM", "announced")
    assert found.path == ("seats", 0, "announced")


def test_only_gin_announces() -> None:
    with pytest.raises(RuleError, match="E_FORM"):
        score("knock", {"seats": [{"rest": "4", "announced": 4}, {"count": 9}]})


def test_a_lay_off_that_does_not_fit_is_refused_once_where_two_defend() -> None:  # RULES 7.5
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
