"""The referee on hands that need certain runs (``meld.lives``), and after a contract."""

from random import Random
from typing import Any

import pytest

from examples import cards
from scorekeeper.domain.cards.card import JOKER, PACK, Card
from scorekeeper.domain.errors import RuleError
from scorekeeper.domain.referee.verdicts import HandVerdict, judge_hand
from scorekeeper.domain.rounds.facts import LayOff, MeldRef, Round, Seat
from scorekeeper.domain.rounds.scoring import score_round
from scorekeeper.domain.rules import RuleSet
from scorekeeper.domain.rules.presets import preset
from scorekeeper.domain.solver import has_lives
from scorekeeper.wire.referee import TurnQuestionSchema
from scorekeeper.wire.strict import load

INDIAN = preset("indian-pool")
REMI = preset("remi-51").override({"meld.lives": [1, 1]})
RUNS = "4H 5H 6H 9C 10C JC 2S 2D 2H KC KD KH KS 8S"
ONE_RUN = "4H 5H 6H 9C 9H 9S 2S 2D 2H KC KD KH KS 8S"
NO_PURE_RUN = "4H JK 6H 9C JK JC 2S 2D 2H KC KD KH KS 8S"


def judged(text: str, rules: RuleSet, **more: Any) -> HandVerdict:
    return judge_hand(cards(text), rules, **more)


def test_a_hand_with_its_runs_goes_out() -> None:
    verdict = judged(RUNS, INDIAN)

    assert verdict.best.points == 8
    assert [str(way.discard and way.discard.rank) for way in verdict.ways_out] == ["8"]


@pytest.mark.parametrize("text", [ONE_RUN, NO_PURE_RUN])
def test_without_its_runs_every_card_counts_and_nobody_goes_out(text: str) -> None:
    verdict = judged(text, INDIAN)

    assert verdict.ways_out == ()
    assert verdict.best.melds == ()
    assert len(verdict.best.rest) == 14


def test_every_way_out_that_is_found_is_scored() -> None:
    dice, found = Random(5), 0
    for _ in range(60):
        hand = _nearly_out(dice)
        for way in judge_hand(hand, INDIAN).ways_out:
            found += 1
            assert has_lives(way.arrangement.melds, INDIAN)
            assert way.discard is not None
            melds = tuple(meld.cards for meld in way.arrangement.melds)
            winner = Seat(melds=melds, hand=(), discard=(way.discard,))
            wild = cards("7S")[0]
            facts = Round(outcome="out", winner=0, seats=(winner, Seat(points=20)), wild=wild)
            assert score_round(facts, INDIAN, 2).winner == 0
    assert found > 10


def _nearly_out(dice: Random) -> tuple[Card, ...]:
    """Return two runs, a set and what is drawn; some runs with a joker."""
    hand: list[Card] = []
    for low, length in ((dice.randint(1, 3), 3), (dice.randint(8, 9), 4)):
        suit = dice.choice("CDHS")
        hand += [one for one in PACK if one.suit == suit and low <= int(one.rank or 0)][:length]
    rank = dice.choice((5, 6))
    hand += [one for one in PACK if one.rank == rank][:3]
    hand += dice.sample([one for one in PACK if one.rank in (11, 12, 13)], 4)
    if dice.random() < 0.5:
        hand[dice.randrange(7)] = JOKER
    return tuple(hand)


def test_the_first_melds_have_the_run_that_is_needed() -> None:
    without = judged("10H 10S 10C JH JK KH AH 2C 3D 5S 7D 8C 9D 4C", REMI)
    beside = judged("2H 3H 4H KH KS KC QH QS QC 2C 5S 7D 8C 4C", REMI)

    assert (without.first, without.best.melds, without.needed) == (None, (), 51)
    assert beside.first is not None
    assert has_lives(beside.first.cheapest, REMI)
    assert has_lives(beside.first.dearest, REMI)


def test_after_the_first_melds_no_run_is_needed() -> None:
    assert judged("9D 9H 9S 2C", REMI, has_laid=True).best.points == 2


def test_after_a_contract_cards_are_only_laid_off() -> None:
    rules = preset("contract-rummy")
    verdict = judged("4C 9C 9D 9H", rules, table=(cards("4H 4D 4S"),), has_laid=True)

    assert verdict.best.melds == ()
    assert verdict.best.points == 27


SETS = ["KC KD KH", "QC QD QH"]
RUN = ["KC KD KH", "9H 10H JH QH"]
WITH_JOKER = ["KC KD KH", "9H JK JH QH"]
LAST = {"hand_left": 0, "drawn": [{"from": "stock"}], "discard": "5D"}


def of_turn(rules: dict[str, Any], melds: list[str], **facts: Any) -> list[str]:
    body = {"rules": rules, "before": [], "hand_used": " ".join(melds), "after": melds, **facts}
    return [problem.code for problem in load(TurnQuestionSchema(), body).judge()]


@pytest.mark.parametrize(
    ("melds", "facts", "codes"),
    [
        (SETS, {"has_laid": False}, ["E_LIVES"]),
        (WITH_JOKER, {"has_laid": False}, ["E_LIVES"]),
        (RUN, {"has_laid": False}, []),
        (SETS, {"has_laid": True}, []),
        ([*SETS, "2C 2D 2H", "9C 9D 9H 9S"], {"has_laid": False, **LAST}, ["E_LIVES"]),
        ([*RUN, "2C 2D 2H", "9C 9D 9S"], {"has_laid": False, **LAST}, []),
    ],
)
def test_a_turn_lays_the_run_that_is_needed_first(
    melds: list[str], facts: dict[str, Any], codes: list[str]
) -> None:
    remi = {"preset": "remi-51", "options": {"meld.lives": [1, 1]}}

    assert of_turn(remi, melds, **facts) == codes
    assert of_turn({"preset": "remi-51"}, melds, **facts) == []


def test_nothing_is_laid_off_before_the_run_that_is_needed() -> None:
    """Also where the first melds need no points."""
    free = {"preset": "remi-51", "options": {"meld.lives": [1, 1], "meld.first_min": 0}}
    facts = {"before": ["4C 5C 6C"], "hand_used": "7C", "after": ["4C 5C 6C 7C"]}

    assert of_turn(free, [], **facts, has_laid=False) == ["E_NOT_LAID"]
    assert of_turn(free, [], **facts, has_laid=True) == []


def test_a_score_has_no_lay_offs_before_the_run_that_is_needed() -> None:
    rules = preset("remi-51").override({"meld.lives": [1, 1], "meld.first_min": 0})
    winner = Seat(melds=(cards("4C 5C 6C"),), first_meld=(cards("4C 5C 6C"),))
    laid_off = (LayOff(cards("7C")[0], MeldRef(0, 0)),)

    def scored(laid: bool) -> int | None:
        loser = Seat(points=8, laid=laid, layoffs=laid_off)
        return score_round(Round(outcome="out", winner=0, seats=(winner, loser)), rules, 2).winner

    assert scored(True) == 0
    with pytest.raises(RuleError, match="E_NOT_LAID"):
        scored(False)


@pytest.mark.parametrize(
    ("hand", "points"),
    [
        ("4D 5D 6D 7C KD QH JS", 30),  # 7C is laid off
        ("4D 5D 6D 7D 7C KD QH", 20),
        ("7C 7D 7S KD QH JS 2C", 53),  # no run: nothing is laid off
    ],
)
def test_a_hand_with_its_run_lays_off_what_is_not_stated(hand: str, points: int) -> None:
    rules = preset("chinchon").override({"meld.lives": [1, 1]})
    shown = (cards("4C 5C 6C"), cards("2D 2S 2H"))
    winner = Seat(melds=shown, hand=cards("3D"), discard=cards("KH"))
    facts = Round(outcome="out", winner=0, seats=(winner, Seat(hand=cards(hand))))

    score = score_round(facts, rules, 2)

    assert score.scores[1] and score.scores[1].minus == points
    assert score.warnings == ()


@pytest.mark.parametrize(
    ("last", "codes"),
    [("KC KD KH KS", ["E_LIVES"]), ("9H 10H JH QH", ["E_LIVES"]), ("10C JC QC KC", [])],
)
def test_who_goes_out_shows_two_runs(last: str, codes: list[str]) -> None:
    melds = ["4H 5H 6H", "8C 8D 8S", "2C 2D 2S", last]
    rules = {"preset": "indian-points"}
    if last.startswith("9H"):
        melds[0], rules["options"] = "4H JK 6H", {"meld.lives": [2, 2]}

    assert of_turn(rules, melds, hand_left=0, wild="A") == codes


@pytest.mark.parametrize(
    ("facts", "at"),
    [
        ({"discard": "8H"}, "discard"),
        ({"drawn": [{"from": "discard", "card": "10C"}]}, "drawn"),
        ({"claim": {"card": "9C"}}, "claim"),
    ],
)
def test_a_turn_has_no_cards_that_the_deck_has_not(facts: dict[str, Any], at: str) -> None:
    body = {"rules": {"preset": "chinchon"}, "before": [], "hand_used": "", "after": [], **facts}
    found = load(TurnQuestionSchema(), body).judge()

    assert [(one.code, one.path[0]) for one in found if one.code[2:6] == "CARD"] == [
        ("E_CARD_NOT_IN_DECK", at)
    ]


@pytest.mark.parametrize(("ranks", "hand"), [(40, "8H 8D 8S"), (40, "7H 8H KD"), (48, "10H 2S")])
def test_a_hand_has_no_cards_that_the_deck_has_not(ranks: int, hand: str) -> None:
    rules = preset("chinchon").override({"deck.ranks": ranks})

    with pytest.raises(RuleError) as refused:
        judged(hand, rules)
    assert {(one.code, one.path) for one in refused.value.problems} == {
        ("E_CARD_NOT_IN_DECK", ("cards",))
    }
