"""Refusals and scores of single rounds, down to their facts."""

from typing import Any

import pytest

from examples import cards
from scorekeeper.domain.budget import Budget, limited
from scorekeeper.domain.cards.card import Card, Rank
from scorekeeper.domain.errors import RuleError
from scorekeeper.domain.history.codec import encode_score
from scorekeeper.domain.history.score_check import check_score
from scorekeeper.domain.melds import card_value, lay_off, lay_on, read_meld
from scorekeeper.domain.referee.verdicts import judge_meld
from scorekeeper.domain.rounds.facts import Round, RoundScore, ScoreLine, Seat
from scorekeeper.domain.rounds.marks import extras
from scorekeeper.domain.rounds.scoring import score_round
from scorekeeper.domain.rules import RuleSet
from scorekeeper.domain.rules.presets import PRESETS
from scorekeeper.domain.solver.bits import numbers
from scorekeeper.domain.solver.exhaustive import ExhaustivePieces
from scorekeeper.domain.solver.pieces import BIT, CARDS, TWOS
from scorekeeper.domain.solver.search import search_of
from scorekeeper.wire.rounds import load_round

GIN = PRESETS["gin-palast"]


def facts_of(code: str, body: dict[str, Any], rules: RuleSet, seats: int = 2) -> dict[str, Any]:
    """Return the facts of the only error with which a round is refused."""
    with pytest.raises(RuleError) as refused:
        score_round(load_round(body).round, rules, seats)
    (problem,) = (one for one in refused.value.problems if one.code == code)
    return dict(problem.facts)


def refusal(body: dict[str, Any], rules: RuleSet) -> tuple[str, tuple[Any, ...], dict[str, Any]]:
    """Return code, path and facts of the only error with which a round of two is refused."""
    with pytest.raises(RuleError) as refused:
        score_round(load_round(body).round, rules, 2)
    (problem,) = refused.value.problems
    return problem.code, problem.path, dict(problem.facts)


GIN_HAND = "2H 3H 4H 5H 7C 7D 7S 9D 10D JD"


def test_a_card_laid_off_on_gin_is_named() -> None:
    layoffs = [{"card": "6H", "meld": {"seat": 1, "index": 0}}]
    defender = {"hand": "6H 2C 2D 4S 5S 8C 9C JC QC KD", "layoffs": layoffs}
    body = {"outcome": "knock", "knocker": 1, "seats": [defender, {"hand": GIN_HAND}]}

    facts = facts_of("E_LAYOFF_GIN", body, GIN)

    assert (facts["seat"], (facts["card"],)) == (0, cards("6H"))


def test_a_hand_has_no_negative_points() -> None:
    played = Round(outcome="out", winner=0, seats=(Seat(), Seat(points=-1)))

    with pytest.raises(RuleError) as refused:
        score_round(played, PRESETS["german-family"], 2)

    (problem,) = refused.value.problems
    assert (problem.code, problem.path) == ("E_POINTS", ("seats", 1, "points"))
    assert problem.facts == {"seat": 1, "value": -1}


def test_whoever_calls_hirschn_sits_at_the_table() -> None:
    call = {"caller": 2, "turns_after": 1}
    body = {"outcome": "knock", "knocker": 0, "seats": [{"deadwood": 0}, {"deadwood": 20}]}
    rules = GIN.override({"gin.hirschn": True})

    assert refusal(body | {"hirschn": call}, rules) == (
        "E_FORM",
        ("hirschn", "caller"),
        {"why": "no_seat", "seat": 2},
    )


def test_a_hand_without_suits_is_refused_with_its_place() -> None:
    hands = [{"hand": "2H 3H 4H 5H 6H 7H"}, {"hand": "2S 3 4S 5S 6S 7S"}]
    body = {"outcome": "knock", "knocker": 0, "seats": hands}

    code, path, facts = refusal(body, PRESETS["knock-rummy"].override({"deal.cards": {2: 6}}))

    assert (code, path) == ("E_SUIT_NEEDED", ("seats", 1, "hand"))
    assert facts["rank"] == Card(Rank.THREE, None)


@pytest.mark.parametrize(("dealt", "fits"), [(10, True), (9, False), (11, False)])
def test_a_gin_hand_has_as_many_cards_as_two_players_are_dealt(dealt: int, fits: bool) -> None:
    rules = GIN.override({"deal.cards": {2: dealt, 4: 7}})
    body = {"outcome": "knock", "knocker": 0, "seats": [{"hand": GIN_HAND}, {"deadwood": 20}]}

    warnings = score_round(load_round(body).round, rules, 2).warnings

    assert ("W_HAND_COUNT" not in {one.code for one in warnings}) == fits


def test_the_discard_asked_for_is_that_of_the_knocker() -> None:
    knocker = {"hand": GIN_HAND, "melds": ["2H 3H 4H 5H", "7C 7D 7S", "9D 10D JD"]}
    body = {"outcome": "knock", "knocker": 1, "seats": [{"deadwood": 20}, knocker]}
    rules = GIN.override({"out.discard_required": True})

    warnings = score_round(load_round(body).round, rules, 2).warnings

    assert [(one.code, one.path) for one in warnings] == [
        ("W_DISCARD_UNKNOWN", ("seats", 1, "discard"))
    ]


BIG_GIN = "2H 3H 4H 5H 7C 7D 7S 9D 10D JD QD"
TEN = {"hand": GIN_HAND, "melds": ["2H 3H 4H 5H", "7C 7D 7S", "9D 10D JD"]}
NOT_BIG_GIN = {
    "a discard": ({"hand": BIG_GIN, "discard": "KH"}, "E_FORM.big_gin", "discard"),
    "ten cards, and no discard": (TEN | {"discard": None}, "E_DISCARD_REQUIRED", "discard"),
    "ten cards, and nothing said of a discard": (TEN, "E_DISCARD_REQUIRED", "hand"),
}


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize(("knocker", "key", "name"), NOT_BIG_GIN.values(), ids=NOT_BIG_GIN)
def test_big_gin_needs_eleven_cards_without_a_discard(
    knocker: dict[str, Any], key: str, name: str, seat: int
) -> None:
    seats = [{"deadwood": 20}, {"deadwood": 20}]
    seats[seat] = knocker
    body = {"outcome": "knock", "knocker": seat, "big_gin": True, "seats": seats}

    code, path, facts = refusal(body, PRESETS["gin-american"])

    assert ".".join(filter(None, (code, facts.pop("why", "")))) == key
    assert (path, facts) == (("seats", seat, name), {"seat": seat})


RUN = {"melds": ["AC 2C 3C 4C 5C 6C 7C"], "discard": "KH"}
TWO_MELDS = {"melds": ["AC 2C 3C", "4C 4H 4S 4D"], "discard": "KH"}
ONE_RUN: dict[str, tuple[dict[str, Any], dict[str, bool], int | str]] = {
    "one run": (RUN, {"one_run": True}, 25),
    "one run, and nothing is said": (RUN, {}, 25),
    "one run, and the players say no": (RUN, {"one_run": False}, "is_one"),
    "two melds": (TWO_MELDS, {"one_run": True}, "melds"),
    "two melds, as said": (TWO_MELDS, {"one_run": False}, 0),
    "points are left": ({"points": 3}, {"one_run": True}, "rest"),
    "points are left, as said": ({"points": 3}, {"one_run": False}, 0),
    "no cards": ({}, {"one_run": True}, 25),
    "no cards, and no run": ({}, {"one_run": False}, 0),
}


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize(("winner", "said", "outcome"), ONE_RUN.values(), ids=ONE_RUN)
def test_one_run_is_what_the_cards_of_the_winner_show(
    winner: dict[str, Any], said: dict[str, bool], outcome: int | str, seat: int
) -> None:
    seats = [{"points": 20}, {"points": 20}]
    seats[seat] = winner
    body = {"outcome": "out", "winner": seat, "seats": seats, **said}
    rules = PRESETS["chinchon"].override({"out.one_run": 25})

    if isinstance(outcome, str):
        assert refusal(body, rules) == ("E_ONE_RUN", ("one_run",), {"why": outcome, "seat": seat})
        return
    lines = score_round(load_round(body).round, rules, 2).lines

    assert sum(line.plus for line in lines if line.reason == "one_run") == outcome


def test_a_reduction_of_the_winner_is_a_line_of_its_own() -> None:
    rules = PRESETS["wiener"].override({"score.winner_reduction": 10})
    body = {"outcome": "out", "winner": 0, "seats": [{}, {"points": 30}, {"points": 5}]}

    lines = score_round(load_round(body).round, rules, 3).lines

    assert [(one.seat, one.reduction) for one in lines if one.reason == "reduction"] == [(0, 10)]


@pytest.mark.parametrize("name", ["minus", "plus", "reduction"])
def test_points_of_a_stored_line_are_whole_numbers(name: str) -> None:
    body = {"outcome": "out", "winner": 0, "seats": [{}, {"points": 30}]}
    entry = load_round(body).round
    score = encode_score(score_round(entry, PRESETS["german-family"], 2))
    check_score(score, entry, 2, 2)
    score["lines"][0][name] = "5"

    with pytest.raises(ValueError):
        check_score(score, entry, 2, 2)


def test_stored_points_are_whole_numbers() -> None:
    body = {"outcome": "out", "winner": 0, "seats": [{}, {"points": 30}]}
    entry = load_round(body).round
    score = encode_score(score_round(entry, PRESETS["german-family"], 2))
    score["scores"][1][0] = 30.0

    with pytest.raises(ValueError):
        check_score(score, entry, 2, 2)


def test_only_a_pot_that_several_won_is_shared() -> None:
    line = {"facts": {"pot": 10, "shared": 2}, "plus": 5}
    lines = tuple(ScoreLine(seat=seat, reason="pot", **line) for seat in (0, 2))
    alone = (ScoreLine(seat=1, reason="pot", plus=10, facts={"pot": 10, "shared": 1}),)

    def named(lines: tuple[ScoreLine, ...]) -> list[tuple[str, Any]]:
        score = RoundScore(
            outcome="knock", winner=0, verification="counted", scores=(), lines=lines
        )
        return [(mark.name, mark.facts) for mark in extras(score)]

    assert named(lines) == [("pot", {"sides": (0, 2)})]
    assert named(alone) == []


@pytest.mark.parametrize(("minus", "plus"), [(10, 0), (0, 10)])
def test_a_penalty_is_named_with_its_points(minus: int, plus: int) -> None:
    line = ScoreLine(seat=1, reason="penalty", minus=minus, plus=plus)
    score = RoundScore(outcome="knock", winner=0, verification="counted", scores=(), lines=(line,))

    assert [(mark.side, mark.points) for mark in extras(score)] == [(1, 10)]


def test_a_run_of_twelve_takes_one_card_more() -> None:
    rules = PRESETS["german-family"]
    run = read_meld(cards("AH 2H 3H 4H 5H 6H 7H 8H 9H 10H JH QH"), rules)

    with pytest.raises(RuleError) as refused:
        lay_off(run, cards("2C")[0], rules)

    assert refused.value.problems[0].facts["allowed"] == cards("KH")


def test_jokers_alone_have_no_natural_card() -> None:
    with pytest.raises(RuleError) as refused:
        read_meld(cards("JK JK JK"), PRESETS["german-family"])

    (problem,) = refused.value.problems
    assert (problem.code, problem.facts["count"]) == ("E_MIN_NATURALS", 0)


def test_a_meld_is_a_first_meld_only_if_stated() -> None:
    hand = cards("2H 3H 4H")

    assert judge_meld(hand, PRESETS["german-family"]).first is None
    assert judge_meld(hand, PRESETS["german-family"], first=True).first is not None


def test_each_rule_set_has_a_search_of_its_own() -> None:
    hand, rules = cards("2H 3H 4H"), PRESETS["german-family"]
    with limited():
        assert search_of(hand, rules) is search_of(hand, rules)
        assert search_of(hand, rules) is not search_of(hand, GIN)


@pytest.mark.parametrize("preset", ["wiener", "american-continental"])
def test_a_piece_costs_what_its_cards_cost(preset: str) -> None:
    rules = PRESETS[preset].override({"wild.twos": True, "deck.jokers": 4})
    prices = [card_value(card, rules) for card in CARDS]
    held = sum(BIT[card] for card in cards("2H 2C 3H 4H 5H KC KD KS"))

    pieces = ExhaustivePieces(rules, prices).among(held, 2, Budget())

    assert any(piece.cards & TWOS for piece in pieces)
    for piece in pieces:
        assert piece.price == sum(prices[number] for number in numbers(piece.cards))


@pytest.mark.parametrize("covers", [True, False])
def test_a_real_card_covers_a_joker_only_where_the_rules_say_so(covers: bool) -> None:
    rules = GIN.override({"gin.joker_rule": True, "gin.joker_layon": covers})
    run = read_meld(cards("4H JK 6H"), rules)
    if covers:
        assert lay_on(run, cards("5H")[0], rules).cards == cards("4H 5H 6H")
        return
    with pytest.raises(RuleError, match="E_LAYOFF"):
        lay_on(run, cards("5H")[0], rules)


def test_of_many_ways_to_declare_wild_cards_four_are_named() -> None:
    found = judge_meld(cards("JK 8H JK 9H JK JK"), PRESETS["german-family"])

    assert [remedy.how for remedy in found.remedies] == ["declare"] * 4
