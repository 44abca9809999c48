"""A turn as a list of moves, and a single robbery: RULES 10.2."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from examples import cards
from scorekeeper.domain.cards.card import Card, Rank, Suit
from scorekeeper.domain.errors import RuleError
from scorekeeper.domain.melds import read_meld
from scorekeeper.domain.referee.facts import Turn
from scorekeeper.domain.referee.steps import Step, after_steps, steal
from scorekeeper.domain.referee.table_change import TableChange
from scorekeeper.domain.referee.turn import check_turn
from scorekeeper.domain.rules import RuleSet
from turns import FAMILY, PALAST, ROBBER, named, turn

# --- one robbery --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("meld", "stolen", "remain"),
    [
        ("7S 7D 7C 7H", "7D", ["7C 7H 7S"]),
        ("4H 5H 6H JK=7H 8H", "4H 5H", ["6H JK=7H 8H"]),  # the joker stays a seven
        ("4H 5H JK=6H 7H 8H", "JK", None),
        ("4H 5H JK=6H 7H 8H", "JK=6H", None),
        ("4H JK=5H 6H 7H 8H 9H JK=10H", "JK=10H", ["4H JK=5H 6H 7H 8H 9H"]),
        ("4H..10H", "7H 8H", None),  # 9-10 are left over
        ("AH..KH", "AH 6H", ["2H 3H 4H 5H", "7H 8H 9H 10H JH QH KH"]),
        ("QH KH AH..JH", "AH 6H", ["2H 3H 4H 5H", "7H 8H 9H 10H JH QH KH"]),  # ends join
    ],
)
def test_the_rest_of_a_robbed_meld_must_be_melds(
    meld: str, stolen: str, remain: list[str] | None
) -> None:
    found = read_meld(cards(meld), ROBBER)
    if remain is None:
        with pytest.raises(RuleError, match="E_STEAL_LEAVES_INCOMPLETE") as refused:
            steal(found, cards(stolen), ROBBER)
        assert refused.value.problems[0].facts["clause"] == "10.2"
    else:
        rest = {rest.cards for rest in steal(found, cards(stolen), ROBBER)}
        assert rest == {cards(text) for text in remain}


@given(st.integers(3, 13), st.data())
def test_a_robbery_leaves_at_least_three_cards_or_none(size: int, data: Any) -> None:
    run = read_meld([Card(Rank(n), Suit.HEARTS) for n in range(1, size + 1)], ROBBER)
    stolen = data.draw(st.lists(st.sampled_from(run.cards), min_size=1, unique=True))
    pieces, count = [], 0
    for card in (*run.cards, None):
        if card is None or card in stolen:
            pieces, count = [*pieces, count], 0
        else:
            count += 1
    fits = all(piece == 0 or piece >= 3 for piece in pieces)
    around = size == 13 and not {Rank.ACE, Rank.KING} & {card.rank for card in stolen}
    assume(not around)

    try:
        remain = steal(run, stolen, ROBBER)
    except RuleError as error:
        assert named(error.problems)[0].startswith("E_STEAL_LEAVES_INCOMPLETE.")
        assert not fits
    else:
        assert fits
        assert sum(len(meld.cards) for meld in remain) == size - len(stolen)


# --- a turn move by move ------------------------------------------------------------------


def steps(*moves: tuple[str, str] | tuple[str, str, int]) -> list[Step]:
    return [Step(move, cards(text), *number) for move, text, *number in moves]  # type: ignore[arg-type]


TABLE = turn(["7S 7D 7C", "4C 5C 6C"], "5S 6S 8D 9D", [])
ROBBERY = (("steal", "7S 7D 7C", 0), ("lay", "5S 6S 7S"), ("lay", "7D 8D 9D"))


@pytest.mark.parametrize(
    ("rules", "played", "moves", "findings"),
    [
        (ROBBER, TABLE, (*ROBBERY, ("lay_off", "7C", 1)), []),  # R03
        (ROBBER, TABLE, ROBBERY, ["E_CARD_NOT_RELAID"]),
        (ROBBER, TABLE, (("steal", "7D", 0),), ["E_STEAL_LEAVES_INCOMPLETE.three"]),
        (ROBBER, TABLE, (("steal", "8D", 0),), ["E_CARD_FROM_NOWHERE.not_in_meld"]),
        (ROBBER, TABLE, (("lay", "5S 6S 7S"),), ["E_CARD_FROM_NOWHERE"]),  # still in the set
        (ROBBER, TABLE, (("lay_off", "5S", 1),), ["E_LAYOFF.run"]),
        (ROBBER, TABLE, (*ROBBERY, ("lay_off", "7C", 0)), ["E_FORM.no_meld"]),  # robbed whole
        (ROBBER, TABLE, (*ROBBERY, ("steal", "7C", 9)), ["E_FORM.no_meld"]),
        (ROBBER, TABLE, (("lay_off", "7C", None),), ["E_FORM.missing"]),
        (FAMILY, TABLE, ROBBERY, ["E_REARRANGE.steal"]),
        (
            ROBBER,
            replace(TABLE, has_laid=False),
            (*ROBBERY, ("lay_off", "7C", 1)),
            ["E_NOT_LAID.rob"],
        ),
        (ROBBER, turn(["7S 7D 7C"], "5H 6H", []), (("lay", "5H 6H"),), ["E_MELD_SHORT"]),
        (
            ROBBER,
            turn(["5D JK=6D 7D 8D"], "6D QS QC", []),
            (("swap", "6D", 0), ("lay", "QS QC JK=QH")),
            [],
        ),  # R09
        (
            ROBBER,
            turn(["4H..10H"], "7H 10H", []),
            (("steal", "7H", 0), ("lay_off", "7H", 1), ("lay_off", "7H", 0)),
            ["E_CARD_NOT_RELAID.hand"],
        ),
        (FAMILY, turn(["9H JK=10H JH"], "10H", [], "JK"), (("swap", "10H", 0),), []),  # R12
    ],
)
def test_a_turn_move_by_move(
    rules: RuleSet, played: TableChange, moves: Any, findings: list[str]
) -> None:
    assert named(check_turn(Turn(change=played, steps=steps(*moves)), rules)) == findings


@pytest.mark.parametrize(
    ("moves", "findings"),
    [
        ((("lay", "KH KD KS"), ("lay_off", "6H", 0)), []),
        ((("lay_off", "6H", 0), ("lay", "KH KD KS")), ["E_NOT_LAID.first_turn"]),
    ],
)
def test_a_first_meld_comes_before_other_moves(moves: Any, findings: list[str]) -> None:
    played = turn(["7H 8H 9H"], "6H KH KD KS", [], has_laid=False)

    assert named(check_turn(Turn(change=played, steps=steps(*moves)), PALAST)) == findings


def test_steps_with_cards_that_the_deck_does_not_have_are_refused() -> None:
    played = turn(["7H 8H 9H"], "7H 7H", [])

    with pytest.raises(RuleError) as refused:
        after_steps(played, steps(("lay_off", "6H", 0)), FAMILY)

    assert {problem.code for problem in refused.value.problems} == {"E_DUPLICATE_CARD"}
