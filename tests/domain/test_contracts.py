"""Contracts, sets of any suits and a wild rank of the round, against exhaustive searches."""

from collections.abc import Iterator
from itertools import combinations, permutations
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import evenings
from examples import cards, played, score
from random_games import game_answer
from scorekeeper.domain.cards.card import JOKER, PACK, Card, Rank
from scorekeeper.domain.errors import RuleError
from scorekeeper.domain.game.changes import (
    Draft,
    at_place,
    check_sequel,
    reopen,
    revert,
    score_for,
    seat_player,
)
from scorekeeper.domain.game.state import Game
from scorekeeper.domain.history.book import Event
from scorekeeper.domain.melds import Meld, card_value, is_meld, read_meld, readings
from scorekeeper.domain.rounds.facts import Round, Seat
from scorekeeper.domain.rules.plan import Needed, PlanKind
from scorekeeper.domain.rules.presets import PRESETS
from scorekeeper.domain.solver import arrange
from scorekeeper.domain.solver.condition import PURE, RUN, Condition, fits
from scorekeeper.wire.referee import TurnQuestionSchema
from scorekeeper.wire.strict import load

CONTRACT = PRESETS["contract-rummy"].for_round(4)
MELDS = [
    read_meld(cards(text), CONTRACT)
    for text in ("5H 5D 5H", "KC KC KS KD", "2C 2D 2S 2H 2H", "4C 5C 6C 7C", "3H 4H 5H 6H 7H 8H")
]


def fits_somehow(melds: list[Meld], need: list[Needed]) -> bool:
    """Try every assignment of the melds to what is asked for."""
    kinds = {"S": "set", "R": "run"}
    return len(melds) == len(need) and any(
        all(
            meld.kind == kinds[one.kind] and len(meld.places) >= one.least
            for meld, one in zip(order, need, strict=True)
        )
        for order in permutations(melds)
    )


NEEDED = st.builds(Needed, st.sampled_from("SR"), st.integers(3, 7))


@given(st.lists(st.sampled_from(MELDS), max_size=4), st.lists(NEEDED, min_size=1, max_size=4))
def test_melds_fit_a_contract_if_any_assignment_fits(melds: list[Meld], need: list[Needed]) -> None:
    assert fits(melds, need) == fits_somehow(melds, need)


def least_left(hand: tuple[Card, ...], rules: Any) -> int:
    """Return the fewest points left of a hand, by trying every meld with the first card."""
    if not hand:
        return 0
    first, others = hand[0], hand[1:]
    least = card_value(first, rules) + least_left(others, rules)
    for size in range(2, len(others) + 1):
        for some in combinations(range(len(others)), size):
            if is_meld((first, *(others[at] for at in some)), rules):
                rest = tuple(card for at, card in enumerate(others) if at not in some)
                least = min(least, least_left(rest, rules))
    return least


def dealt(dice: Random, rules: Any, size: int) -> tuple[Card, ...]:
    """Return a hand from a few ranks, so that it has melds."""
    low = dice.randint(1, 9)
    few = [card for card in PACK if card.rank and low <= card.rank < low + 4]
    stock = [*few * rules.deck.packs, *[JOKER] * rules.deck.jokers]
    return tuple(dice.sample(stock, size))


@settings(max_examples=30)
@given(st.randoms(use_true_random=False))
def test_a_hand_in_which_suits_of_sets_do_not_matter_is_arranged_at_its_best(dice: Random) -> None:
    hand = dealt(dice, CONTRACT, 8)

    assert arrange(hand, CONTRACT).points == least_left(hand, CONTRACT)


@settings(max_examples=30)
@given(st.randoms(use_true_random=False), st.integers(1, 11))
def test_a_hand_with_a_wild_rank_is_arranged_at_its_best(dice: Random, number: int) -> None:
    began = PRESETS["three-thirteen"]
    rules = began.for_round(3, began.round.plan[number - 1])
    hand = dealt(dice, rules, 7)

    assert arrange(hand, rules).points == least_left(hand, rules)


def test_a_card_of_the_wild_rank_is_natural_where_it_can_be() -> None:  # RULES-MORE 5.5
    began = PRESETS["three-thirteen"]
    rules = began.for_round(2, began.round.plan[3])  # sixes are wild

    assert read_meld(cards("4H 5H 6H"), rules).wild == ()
    assert read_meld(cards("4H 6S 6H"), rules).wild == cards("5H")


# ---- a game by a plan ----------------------------------------------------------------


@given(st.randoms(use_true_random=False))
def test_a_game_of_phases_ends_and_counts_the_contracts_laid(dice: Random) -> None:
    seats = dice.randint(2, 4)
    rounds: list[dict[str, Any]] = []
    laid = [0] * seats
    while max(laid) < 10:
        winner = dice.randrange(seats)
        said = [seat == winner or dice.random() < 0.6 for seat in range(seats)]
        laid = [before + now for before, now in zip(laid, said, strict=True)]
        facts = [
            {} if seat == winner else {"laid": said[seat], "points": 20} for seat in range(seats)
        ]
        rounds.append({"winner": winner, "seats": facts})

    game = played({"preset": "phases", "rounds": rounds})

    assert list(game.sheet.rows_laid) == laid
    assert game.is_over and not played({"preset": "phases", "rounds": rounds[:-1]}).is_over
    order = sorted(range(seats), key=lambda seat: (-laid[seat], game.sheet.tallies[seat].minus))
    assert [game.sheet.ranks[seat] for seat in order] == sorted(game.sheet.ranks)


@pytest.mark.parametrize("preset", ["contract-rummy", "shanghai", "three-thirteen"])
def test_a_plan_of_the_table_is_played_row_by_row_and_is_over_after_the_last(preset: str) -> None:
    plan = PRESETS[preset].round.plan
    one = {"winner": 0, "seats": [{}, {"points": 5}, {"points": 10}]}
    for number in range(1, len(plan)):
        game = played({"preset": preset, "rounds": [one] * number})
        row = plan[number]
        assert not game.is_over
        assert (game.sheet.next_deal.plan_row, game.sheet.next_deal.cards) == (number + 1, row.deal)
    assert played({"preset": preset, "rounds": [one] * len(plan)}).is_over


def phases() -> Game:
    loses = {"winner": 0, "seats": [{}, {"laid": False, "points": 20}]}
    return played({"preset": "phases", "rounds": [loses, loses]})


def test_a_correction_that_gives_a_later_round_another_row_is_refused() -> None:
    game = phases()
    facts = Round(outcome="out", winner=0, seats=(Seat(), Seat(laid=True, points=20)))
    scored = score_for(at_place(game, "corrected", 1), facts)

    after = game.apply(Event(game.version + 1, "", "corrected", "pen", scored.payload(1)))

    with pytest.raises(RuleError, match="E_PLAN_ROW"):
        check_sequel(after, "corrected", 1)


def test_a_struck_round_moves_the_plan_of_those_after_it() -> None:
    game = phases()

    after = game.apply(Event(game.version + 1, "", "struck", "pen", {"number": 1}))

    with pytest.raises(RuleError, match="E_PLAN_ROW"):
        check_sequel(after, "struck", 1)
    last = game.apply(Event(game.version + 1, "", "struck", "pen", {"number": 2}))
    check_sequel(last, "struck", 2)


def laying(cards: str) -> dict[str, str]:
    return {"move": "lay", "cards": cards}


@pytest.mark.parametrize(
    ("facts", "codes"),
    [
        ({"hand_used": "5H 5D 5H KC KC KS", "after": ["5H 5D 5H", "KC KC KS"]}, []),
        ({"hand_used": "5H 5D 5H", "after": ["5H 5D 5H"]}, ["E_CONTRACT"]),
        ({"hand_used": "5H 5D 5H", "after": ["5H 5D 5H"], "has_laid": True}, ["E_CONTRACT"]),
        ({"steps": [laying("5H 5D 5H"), laying("KC KC KS")], "hand_used": "5H 5D 5H KC KC KS"}, []),
        ({"steps": [laying("5H 5D 5H")], "hand_used": "5H 5D 5H"}, ["E_CONTRACT"]),
        (
            {"steps": [laying("5H 5D 5H")], "hand_used": "5H 5D 5H", "has_laid": True},
            ["E_CONTRACT"],
        ),
    ],
)
@pytest.mark.parametrize("options", [{}, {"robber.enabled": True}])
def test_the_referee_checks_the_contract_in_a_turn(
    facts: dict[str, Any], codes: list[str], options: dict[str, Any]
) -> None:
    rules = {"preset": "contract-rummy", "options": options}
    body = {"rules": rules, "plan_row": 1, "has_laid": False, **facts}

    found = load(TurnQuestionSchema(), body).judge()

    assert [problem.code for problem in found] == codes


@pytest.mark.parametrize(("at_once", "codes"), [(True, []), (False, ["E_MELDS_PER_TURN"])])
def test_a_hand_romme_lays_all_melds_in_one_turn(at_once: bool, codes: list[str]) -> None:
    melds = ["7H 7D 7S", "2C 3C 4C", "JD JC JS JH"]
    rules = {"preset": "rummy", "options": {"meld.max_per_turn": 1}}
    cards = {"before": [], "hand_used": " ".join(melds), "after": melds, "has_laid": not at_once}
    last = {"hand_left": 0, "drawn": [{"from": "stock"}], "discard": "KD"}

    found = load(TurnQuestionSchema(), {"rules": rules, **cards, **last}).judge()

    assert [problem.code for problem in found] == codes


def test_a_correction_is_taken_back_after_somebody_has_joined() -> None:
    loses = {"winner": 0, "seats": [{}, {"laid": False, "points": 20}]}
    game = played({"preset": "phases", "rounds": [loses]})
    facts = Round(outcome="out", winner=0, seats=(Seat(), Seat(laid=False, points=30)))
    scored = score_for(at_place(game, "corrected", 1), facts)
    game = evenings.after(game, Draft("corrected", scored.payload(1)))
    game = evenings.after(game, seat_player(game, "C"))

    game = evenings.after(game, revert(game, 1))

    assert [tally.minus for tally in game.sheet.tallies] == [0, 20, 0]


def test_nobody_has_laid_more_contracts_than_there_are() -> None:
    """After the last one, a game that goes on plays it again (7.5), and points decide."""
    game = evenings.evening({
        "preset": "phases", "options": {"round.plan": "10 S3 S3; 10 S3 R4"},
        "rounds": ["B: A 10 laid, C 30 laid", "B: A 40 laid, C 30 no"],
    })  # fmt: skip
    assert (game.is_over, game.sheet.rows_laid) == (True, (2, 2, 1))

    game = evenings.played(evenings.after(game, reopen(game)), "A: B 35 no, C 30 laid")

    assert game.sheet.rows_laid == (2, 2, 2)
    assert game.sheet.ranks == (2, 1, 3)


def groupings(hand: tuple[Card, ...]) -> Iterator[list[tuple[Card, ...]]]:
    """Yield every way to split cards into groups of three or more."""
    if not hand:
        yield []
        return
    first, others = hand[0], range(1, len(hand))
    for size in range(2, len(hand)):
        for some in combinations(others, size):
            rest = tuple(hand[at] for at in others if at not in some)
            for groups in groupings(rest):
                yield [(first, *(hand[at] for at in some)), *groups]


@settings(max_examples=15)
@given(st.randoms(use_true_random=False), st.integers(1, 4))
def test_the_referee_allows_exactly_the_contracts_that_can_be_made(dice: Random, row: int) -> None:
    """Every way to lay some cards, against the meaning of the contract."""
    rules = PRESETS["contract-rummy"]
    need = [*rules.round.plan[row - 1].need]
    kinds = {"set": "S", "run": "R"}
    hand = dealt(dice, CONTRACT, {1: 6, 2: 7, 3: 8, 4: 9}[row])

    for groups in groupings(hand):
        read = [list(readings(group, CONTRACT)) for group in groups]
        if any(len({(kinds[one.kind], len(one.places)) for one in each}) != 1 for each in read):
            continue  # no meld, or a joker makes it a set or a run
        melds = [[str(card) for card in group] for group in groups]
        body = {"rules": {"preset": "contract-rummy"}, "plan_row": row, "has_laid": False}
        body |= {"hand_used": [card for meld in melds for card in meld], "after": melds}
        found = {problem.code for problem in load(TurnQuestionSchema(), body).judge()}
        if found <= {"E_CONTRACT"}:  # a joker whose place is open is another matter
            assert ("E_CONTRACT" not in found) == fits_somehow([one for one, *_ in read], need)


def test_a_plan_may_be_written_as_text() -> None:
    kind = PlanKind()
    plan = PRESETS["kalooki-jamaica"].round.plan

    assert kind.read(kind.text(plan)) == kind.read(kind.write(plan)) == plan
    assert kind.read("-; 3 =K")[1].wild is Rank.KING


@pytest.mark.parametrize(
    "value",
    ["S2", "R14", "S9", "2", "S3 S3 S3 S3 S3 S3", "=1", [{"cards": 3}], 7, ";".join("-" * 21)],
)
def test_a_plan_that_makes_no_sense_is_refused(value: object) -> None:
    with pytest.raises(RuleError, match="E_CONFIG"):
        PRESETS["contract-rummy"].override({"round.plan": value})


def test_a_round_without_its_row_is_refused() -> None:
    body = {"winner": 0, "seats": [{}, {"points": 5}, {"points": 5}]}

    with pytest.raises(RuleError, match="E_PLAN_ROW"):
        score("lay", {"preset": "contract-rummy", **body})


def test_a_contract_with_lives_needs_both() -> None:
    """Two runs of three, of which one must be without wild cards (RULES-MORE 5.6, 5.7)."""
    condition = Condition(needed=1, contract=(Needed("R", 3),) * 2, lives=(1, 2))
    pure, wild = PURE + 3, RUN + 3

    assert condition.is_met((0, (wild, pure)))
    assert not condition.is_met((0, (wild, wild)))
    assert not condition.is_met((0, (pure,)))
    assert not condition.is_met((0, (3, pure)))


def test_a_contract_without_lives_still_needs_every_meld() -> None:
    two_sets = Condition(needed=1, contract=(Needed("S", 3),) * 2)

    assert two_sets.is_met((0, (3, 3)))
    assert not two_sets.is_met((0, (3,)))


def test_a_missed_round_may_have_more_players_than_those_after_it() -> None:
    """Everybody plays their own phase, so the contracts laid before are counted by seat."""
    laid = {"points": 25, "laid": True}
    two, three = [{}, {"points": 30, "laid": False}], [{}, {"points": 30, "laid": False}, laid]
    steps = [
        ["round", {"outcome": "out", "winner": 0, "seats": two}],
        ["seat", "Claire"],
        ["inserted", 1, {"outcome": "out", "winner": 0, "seats": three, "plan_row": [1, 1, 1]}],
        ["round", {"outcome": "out", "winner": 0, "seats": three}],
    ]

    _, *answers, _ = game_answer({"preset": "phases", "options": {}, "players": 2, "steps": steps})

    later = {"why": "later_each"}
    assert answers[2] == {"refused": [["E_PLAN_ROW", ["rounds", 1, "plan_row"], later]]}
    assert answers[3]["laid"] == [2, 0, 1]


@pytest.mark.parametrize("row", [8, 20])
def test_a_row_that_the_plan_does_not_have_is_refused_and_told_how_many_it_has(row: int) -> None:
    body = {"winner": 0, "plan_row": row, "seats": [{}, {"points": 5}, {"points": 5}]}

    with pytest.raises(RuleError, match="E_PLAN_ROW") as refused:
        score("lay", {"preset": "contract-rummy", **body})

    (found,) = refused.value.problems
    assert (found.path, found.facts) == (("plan_row",), {"why": "range", "rows": 7})
