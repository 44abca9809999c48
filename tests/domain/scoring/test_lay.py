"""Family lay: RULES 6.2, 6.6, 7.1, 7.2."""

from typing import Any

import pytest

from examples import body_of, examples
from scorekeeper.domain.errors import RuleError
from scorekeeper.domain.rounds.facts import RoundScore
from scorekeeper.domain.rounds.scoring import score_round
from scorekeeper.domain.rules.presets import PRESETS
from scorekeeper.wire.rounds import load_round


def score(example: dict[str, Any]) -> RoundScore:
    rules = PRESETS[example["preset"]].override(example.get("options", {}))
    facts, noticed = load_round(body_of("lay", example))
    return score_round(facts, rules, len(example["seats"]), noticed=noticed)


@pytest.mark.parametrize("example", examples("lay"))
def test_worked_example(example: dict[str, Any]) -> None:
    if "errors" in example:
        with pytest.raises(RuleError) as refused:
            score(example)

        assert [problem.code for problem in refused.value.problems] == example["errors"]
        return
    result = score(example)

    points = [seat for seat in result.scores if seat is not None]
    stated = [name for name in ("minus", "plus", "net") if name in example]
    for name in stated if "net" in stated else ("minus", "plus"):
        nothing = [0] * len(points)
        assert [getattr(seat, name) for seat in points] == example.get(name, nothing), name
    if example.get("winner") == "nobody":
        assert result.winner is None
    if "warnings" in example:
        assert [warning.code for warning in result.warnings] == example["warnings"]
    if "mark" in example:
        assert result.verification == example["mark"]


def family(options: dict[str, object] | None = None, **body: Any) -> dict[str, Any]:
    return {"preset": "german-family", "options": options or {}, "winner": 0, **body}


def codes(example: dict[str, Any]) -> list[str]:
    """Return the codes of the errors or warnings of a round."""
    try:
        return [warning.code for warning in score(example).warnings]
    except RuleError as error:
        return [problem.code for problem in error.problems]


REFUSED = {  # RULES 6.6: rounds that are refused, with their codes
    "nobody went out": (family(winner=None, seats=[{}, {"points": 5}]), "E_FORM"),
    "a winner without a seat": (family(winner=5, seats=[{}, {"points": 5}]), "E_FORM"),
    "an absent winner": (
        family(seats=[{"absent": True}, {"points": 5}, {"points": 5}]),
        "E_FORM",
    ),
    "fewer than two present": (family(seats=[{}, {"absent": True}]), "E_FORM"),
    "absent with cards": (
        family(seats=[{}, {"points": 2}, {"absent": True, "points": 3}]),
        "E_FORM",
    ),
    "nothing said of a loser": (family(seats=[{}, {}]), "E_HAND_MISSING"),
    "nothing but that a loser laid nothing, which has no price": (
        family(seats=[{}, {"laid": False}]),
        "E_HAND_MISSING",
    ),
    "both a hand and points": (family(seats=[{}, {"hand": "KH", "points": 10}]), "E_FORM"),
    "both a rest and its points": (
        family({"out.max_rest": 5}, seats=[{"hand": "2H", "points": 0}, {"points": 10}]),
        "E_FORM",
    ),
    "deadwood in Rommé": (family(seats=[{}, {"points": 10, "deadwood": 3}]), "E_FORM"),
    "a knock in Rommé": (family(outcome="knock", seats=[{}, {"points": 10}]), "E_FORM"),
    "claims without the rule": (
        family(seats=[{}, {"points": 10, "klopfen": 1}]),
        "E_KLOPFEN_OFF",
    ),
    "a claim before laying out": (
        family({"klopfen.mode": "palast"}, seats=[{}, {"points": 9, "klopfen": 1, "laid": False}]),
        "E_KLOPFEN_TOO_EARLY",
    ),
    "turns without the rule": (family(seats=[{}, {"points": 10, "turns": 2}]), "E_RULE_OFF"),
    "a Hirschn call": (
        family(seats=[{}, {"points": 10}], hirschn={"caller": 0, "turns_after": 1}),
        "E_RULE_OFF",
    ),
    "hand rommé where there is none": (
        {**family(hand_romme=True, seats=[{}, {"points": 9}]), "preset": "luxembourg"},
        "E_HANDROMME_OFF",
    ),
    "a hand rommé after a first meld": (
        family(
            hand_romme=True,
            seats=[{"first_meld": ["KH KD KS", "QH QD QS"], "melds": []}, {"points": 9}],
        ),
        "E_HANDROMME_NOT_FIRST",
    ),
    "a hand rommé with cards missing": (
        family(hand_romme=True, seats=[{"melds": ["KH KD KS"], "discard": "2C"}, {"points": 9}]),
        "E_HAND_COUNT",
    ),
    "a hand rommé that swaps a joker": (
        family(
            {"hand_romme.allow_layoff": False},
            hand_romme=True,
            seats=[
                {"swaps": [{"card": "8S", "meld": {"seat": 1, "index": 0}}]},
                {"melds": ["7S JK=8S 9S"], "points": 9},
            ],
        ),
        "E_HANDROMME_LAYOFF",
    ),
    "a first meld too low": (
        family(seats=[{"first_meld": ["5H 5D 5S"], "discard": "2C"}, {"points": 9}]),
        "E_FIRST_MIN",
    ),
    "melds, but nothing as a first meld": (
        family(seats=[{}, {"first_meld": [], "melds": ["5H 5D 5S"], "hand": "2C"}]),
        "E_FIRST_MIN",
    ),
    "two melds at once in Luxembourg": (
        {
            **family(seats=[{"first_meld": ["5H 5D 5S", "6H 6D 6S"]}, {"points": 9}]),
            "preset": "luxembourg",
        },
        "E_MELDS_PER_TURN",
    ),
    "a meld that is none": (
        family(seats=[{"melds": ["5H 6H 9H"], "discard": "2C"}, {"points": 9}]),
        "E_RUN",
    ),
    "a joker in a deck without": (
        {**family(seats=[{}, {"hand": "JK"}]), "preset": "luxembourg"},
        "E_JOKER_NOT_IN_DECK",
    ),
    "a lay-off that does not fit": (
        family(
            seats=[
                {"layoffs": [{"card": "9H", "meld": {"seat": 1, "index": 0}}], "discard": "2C"},
                {"melds": ["KH KD KS"], "hand": "3C"},
            ]
        ),
        "E_LAYOFF",
    ),
    "a lay-off on a meld that is not there": (
        family(
            seats=[
                {"layoffs": [{"card": "9H", "meld": {"seat": 1, "index": 0}}], "discard": "2C"},
                {"hand": "3C"},
            ]
        ),
        "E_LAYOFF",
    ),
    "a lay-off before laying out": (
        family(
            seats=[
                {},
                {"melds": ["KH KD KS"], "hand": "3C"},
                {
                    "laid": False,
                    "layoffs": [{"card": "KC", "meld": {"seat": 1, "index": 0}}],
                    "hand": "3D",
                },
            ]
        ),
        "E_NOT_LAID",
    ),
    "a swap for the wrong card": (
        family(
            seats=[
                {"melds": ["9D JK=9S 9C"], "hand": "3C"},
                {"swaps": [{"card": "9H", "meld": {"seat": 0, "index": 0}}], "hand": "4C"},
                {"discard": "2C"},
            ],
            winner=2,
        ),
        "E_SWAP_MISMATCH",
    ),
    "a swap in one's own meld under Palast rules": (
        {
            **family(
                seats=[
                    {},
                    {
                        "melds": ["9D JK=9S 9C"],
                        "swaps": [{"card": "9S", "meld": {"seat": 1, "index": 0}}],
                        "hand": "4C",
                    },
                ]
            ),
            "preset": "romme-palast",
        },
        "E_SWAP_NOT_ALLOWED",
    ),
}


@pytest.mark.parametrize(("example", "code"), REFUSED.values(), ids=REFUSED)
def test_is_refused_by_its_code(example: dict[str, Any], code: str) -> None:
    with pytest.raises(RuleError) as refused:
        score(example)

    assert [problem.code for problem in refused.value.problems] == [code]


def test_points_that_no_hand_can_have_cause_a_warning() -> None:  # RULES 6.6.10
    assert codes(family(seats=[{}, {"points": 0}])) == ["W_POINTS_IMPOSSIBLE"]
    assert codes(family(seats=[{}, {"points": 1}])) == ["W_POINTS_IMPOSSIBLE"]
    assert codes(family(seats=[{}, {"points": 900}])) == ["W_POINTS_IMPOSSIBLE"]
    assert codes(family(seats=[{}, {"points": 2}])) == []
    assert codes(family({"value.ace_hand": 1}, seats=[{}, {"points": 1}])) == []
    rest = {"out.max_rest": 9}
    assert codes(family(rest, seats=[{"points": 1}, {"points": 9}])) == ["W_POINTS_IMPOSSIBLE"]
    assert codes(family(rest, seats=[{"points": 0}, {"points": 9}])) == []


def test_with_an_extra_turn_two_players_may_be_out() -> None:  # RULES 6.6.4
    extra = {"out.extra_turn": True}

    assert codes(family(extra, seats=[{}, {"hand": ""}])) == []
    assert codes(family(extra, seats=[{}, {"points": 0}])) == []


@pytest.mark.parametrize(("turns", "found"), [(3, []), (2, ["W_HAND_COUNT"])])
def test_a_hand_romme_has_more_cards_if_two_are_drawn(
    turns: int, found: list[str]
) -> None:  # RULES 6.6.3
    melds = ["3C 4C 5C 6C", "7H 8H 9H 10H", "KS KD KH KC", "QS QD QH QC"]
    shown = {"melds": melds, "discard": "2C", "turns": turns}

    small = family({"draw.two_small_table": True}, hand_romme=True, seats=[shown, {"points": 9}])

    assert codes(small) == found


@pytest.mark.parametrize(
    ("options", "turns", "found"),
    [
        ({}, 1, ["E_NOT_LAID"]),
        ({}, 2, []),
        ({"layoff.first_turn": True}, 1, []),
        ({"meld.first_min": 0}, 1, []),
    ],
)
def test_in_the_only_turn_the_first_meld_comes_alone(
    options: dict[str, object], turns: int, found: list[str]
) -> None:  # layoff.first_turn
    laid = {
        "first_meld": ["KH KD KS KC"],
        "layoffs": [{"card": "9S", "meld": {"seat": 0, "index": 0}}],
    }
    seats = [{"melds": ["6S 7S 8S"], "discard": "2C"}, {**laid, "turns": turns, "hand": "3C 4C"}]

    assert codes(family({"draw.two_small_table": True, **options}, seats=seats)) == found


@pytest.mark.parametrize(
    ("claims", "most"),
    [
        ({"klopfen.mode": "palast"}, 10 + 2),
        ({"klopfen.mode": "palast", "klopfen.extra_cards": 2}, 10 + 3),
        ({"klopfen.mode": "rasche"}, 10 + 3),
        ({"klopfen.mode": "rasche", "klopfen.extra_cards": 1}, 10 + 2),
    ],
)
@pytest.mark.parametrize(("more", "found"), [(0, []), (1, ["W_HAND_COUNT"]), (2, ["E_HAND_COUNT"])])
def test_a_claim_adds_the_discard_and_cards_from_the_stock(
    claims: dict[str, object], most: int, more: int, found: list[str]
) -> None:  # RULES 6.6.3
    held = {"laid": True, "klopfen": 1, "hand": distinct(most + more)}

    assert codes(family(claims, seats=[{}, held])) == found


def distinct(cards: int) -> str:
    """Return this many different cards of two packs."""
    names = [f"{rank}{suit}" for suit in "CDHS" for rank in (*range(2, 11), "J", "Q", "K")]
    return " ".join((names * 2)[:cards])


@pytest.mark.parametrize(("cards", "found"), [(24, "W"), (25, ""), (26, "W"), (27, "E")])
def test_a_hand_with_many_claims_is_judged_by_the_rules(
    cards: int, found: str
) -> None:  # RULES 5.6
    held = {"laid": False, "klopfen": 4, "hand": distinct(cards)}
    ranks = held | {"hand": " ".join(["2 3 4 5 6 7 8 9 10 J Q K A 2 3 4 5 6 7 8 9 10 J Q K A 2"])}
    ranks["hand"] = " ".join(str(ranks["hand"]).split()[:cards])
    claims = {"klopfen.mode": "rasche", "klopfen.after_first_meld": False}
    expected = [f"{found}_HAND_COUNT"] if found else []

    assert codes(family(claims, seats=[{}, held])) == expected
    assert codes(family(claims, seats=[{}, ranks])) == expected


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("more", [0, 1])
def test_two_cards_are_drawn_with_two_and_three_players_only(players: int, more: int) -> None:
    """With exactly two or three players, a hand grows with each turn (RULES 6.6.3)."""
    drawn = 4 if players <= 3 else 0
    held = {"laid": False, "turns": 4, "hand": distinct(13 + drawn + more)}
    seats = [{}, held, *[{"points": 9}] * (players - 2)]

    found = codes(family({"draw.two_small_table": True}, seats=seats))

    assert found == ["W_HAND_COUNT"] * more


def test_a_small_table_is_one_with_few_players_present() -> None:  # RULES 6.2b
    held = {"laid": False, "turns": 4, "hand": distinct(17)}
    away = [{"points": 9}, {"absent": True}]

    assert codes(family({"draw.two_small_table": True}, seats=[{}, held, *away])) == []


HAND_ROMME = ["3C 4C 5C", "7H 8H 9H 10H", "KS KD KH KC"]  # eleven of fourteen cards
SIX_TO_EIGHT = {"melds": ["6S 7S 8S"], "hand": "2C"}
LAID_OFF = [{"card": card, "meld": {"seat": 1, "index": 0}} for card in ("9S", "10S", "JS", "QS")]
UNSTATED: Any = "unstated"


@pytest.mark.parametrize(
    ("laid_off", "discard", "found"),
    [
        (0, "4D", ["E_HAND_COUNT"]),  # 12
        (1, "4D", ["W_HAND_COUNT"]),  # 13
        (2, "4D", []),  # 11 + 2 + 1 = 14: dealt and drawn
        (3, "4D", ["W_HAND_COUNT"]),  # 15
        (4, "4D", ["E_HAND_COUNT"]),  # 16
        (0, UNSTATED, ["E_HAND_COUNT"]),  # 11 and perhaps a discard
        (1, UNSTATED, ["W_HAND_COUNT"]),
        (2, UNSTATED, []),  # 13 and a discard not recorded
        (3, UNSTATED, []),  # 14 without one
        (4, UNSTATED, ["W_HAND_COUNT"]),
        (1, None, ["E_HAND_COUNT"]),  # 12 without a discard
        (2, None, ["W_HAND_COUNT"]),
        (3, None, []),
        (4, None, ["W_HAND_COUNT"]),
    ],
)
def test_a_hand_romme_has_the_cards_dealt_and_the_one_drawn(
    laid_off: int, discard: object, found: list[str]
) -> None:  # RULES 6.6.6
    shown = {"melds": HAND_ROMME, "layoffs": LAID_OFF[:laid_off], "discard": discard}
    if discard is UNSTATED:
        del shown["discard"]
    may_keep_it = {"out.discard_required": False}

    declared = family(may_keep_it, hand_romme=True, seats=[shown, SIX_TO_EIGHT])

    assert codes(declared) == found


def test_the_rest_of_a_hand_romme_is_part_of_its_cards() -> None:  # RULES 6.6.6, 7.1.3
    keeps = {"melds": HAND_ROMME, "hand": "2D 3D", "discard": "4D"}

    assert codes(family({"out.max_rest": 5}, hand_romme=True, seats=[keeps, {"points": 9}])) == []


@pytest.mark.parametrize(
    ("options", "seat", "most"),
    [
        ({}, {}, 6 * 20 + 7 * 11),
        ({}, {"laid": False}, 6 * 20 + 7 * 11),
        ({}, {"laid": True}, 6 * 20 + 4 * 11),
        ({"joker.hand_value": 50}, {}, 6 * 50 + 7 * 11),
        ({"joker.hand_value": 0}, {}, 8 * 11 + 5 * 10),
        ({"deck.jokers": 0}, {}, 8 * 11 + 5 * 10),
        ({"deck.jokers": 0, "deck.packs": 1, "players.max": 3}, {}, 4 * 11 + 9 * 10),
        ({"wild.twos": True, "deck.jokers": 0}, {}, 8 * 20 + 5 * 11),
        ({"klopfen.mode": "palast"}, {"klopfen": 1, "laid": True}, 6 * 20 + 6 * 11),
    ],
)
def test_the_dearest_hand_is_possible_and_a_point_more_is_not(
    options: dict[str, object], seat: dict[str, object], most: int
) -> None:  # RULES 6.6.10
    assert codes(family(options, seats=[{}, seat | {"points": most}])) == []
    assert codes(family(options, seats=[{}, seat | {"points": most + 1}])) == [
        "W_POINTS_IMPOSSIBLE"
    ]


def test_lay_offs_number_the_first_meld_before_the_others() -> None:  # RULES 6.2
    owner = {"first_meld": ["KH KD KS", "QH QD QS"], "melds": ["2H 3H 4H"], "hand": "3C"}
    to_each = (
        [{"layoffs": [{"card": "5H", "meld": {"seat": 1, "index": index}}], "discard": "2C"}, owner]
        for index in range(4)
    )

    assert [codes(family(seats=seats)) for seats in to_each] == [
        ["E_LAYOFF"],
        ["E_LAYOFF"],
        [],
        ["E_LAYOFF"],
    ]


def test_after_the_first_meld_there_is_no_minimum() -> None:  # RULES 5.5
    laid = {"first_meld": ["KH KD KS KC"], "melds": ["2H 3H 4H"], "discard": "2C"}

    assert codes(family(seats=[laid, {"points": 9}])) == []


@pytest.mark.parametrize(("hand_romme", "reduction"), [(False, 10), (True, 20)])
def test_the_winners_reduction_is_doubled_by_a_hand_romme(
    hand_romme: bool, reduction: int
) -> None:  # RULES 7.1.5
    rules = {"score.winner_reduction": 10}

    result = score(family(rules, hand_romme=hand_romme, seats=[{}, {"points": 20}]))

    assert [points.reduction for points in result.scores if points] == [reduction, 0]


def test_an_absent_player_scores_nothing_and_is_not_zero() -> None:  # RULES 6.2b
    result = score(family(seats=[{}, {"absent": True}, {"points": 12}]))

    assert result.scores[1] is None
    assert [points and points.minus for points in result.scores] == [0, None, 12]


def test_a_misdeal_is_listed_without_score() -> None:  # RULES 6.1
    result = score({"preset": "german-family", "outcome": "cancelled", "seats": [{}, {}]})

    assert (result.outcome, result.winner, result.counts) == ("cancelled", None, False)
    assert [warning.code for warning in result.warnings] == ["W_CANCELLED"]


def test_a_winner_with_declared_melds_is_asked_for_the_discard() -> None:  # RULES 6.6.5
    shown = family(seats=[{"melds": ["KH KD KS"]}, {"points": 5}])

    assert codes(shown) == ["W_DISCARD_UNKNOWN"]


def test_a_rest_in_luxembourgish_romme_counts_for_nobody() -> None:  # RULES 6.2 [dec]
    example = {
        "preset": "luxembourg",
        "options": {"out.max_rest": 5},
        "winner": 0,
        "seats": [{"points": 4}, {"points": 20}],
    }

    result = score(example)

    assert [(points.minus, points.plus) for points in result.scores if points] == [(0, 20), (0, 0)]


def test_a_score_is_the_sum_of_its_lines() -> None:
    result = score(family(hand_romme=True, seats=[{}, {"hand": "K 9 A JK"}, {"points": 12}]))

    lines = [(line.seat, line.reason, line.minus) for line in result.lines]
    assert lines == [
        (1, "hand", 50),
        (1, "hand_romme", 50),
        (2, "hand", 12),
        (2, "hand_romme", 12),
    ]


def test_a_swapped_joker_is_declared_twice_and_counted_once() -> None:  # RULES 6.6.1
    swapped = {
        "preset": "german-family",
        "options": {"deck.jokers": 1},
        "winner": 2,
        "seats": [
            {"melds": ["9D JK=9S 9C"], "hand": "3C"},
            {"swaps": [{"card": "9S", "meld": {"seat": 0, "index": 0}}], "hand": "JK"},
            {},
        ],
    }

    assert codes(swapped) == []


def test_a_swapped_wild_two_is_declared_twice_and_counted_once() -> None:  # RULES 6.6.1
    swapped = {
        "preset": "german-family",
        "options": {"wild.twos": True, "deck.packs": 1, "players.max": 3},
        "winner": 2,
        "seats": [
            {"melds": ["9C 2H=10C JC"], "hand": "3C"},
            {"swaps": [{"card": "10C", "meld": {"seat": 0, "index": 0}}], "hand": "2H"},
            {},
        ],
    }

    assert codes(swapped) == []
