"""Settlement: RULES 9."""

from fractions import Fraction
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bars import drawn
from examples import after, examples
from scorekeeper.domain.errors import RuleError
from scorekeeper.domain.money.settlement import Transfer, payments, settle, table_stakes
from scorekeeper.domain.rules import Settling
from scorekeeper.domain.rules.presets import PRESETS


@pytest.mark.parametrize("example", examples("settlement"))
def test_worked_example(example: dict[str, Any]) -> None:
    if "due" in example:
        transfers, _ = payments(tuple(map(Fraction, example["due"])))
        assert as_listed(transfers) == example["transfers"]
        return
    worths = [[None if n == "-" else n for n in worth] for worth in example["rounds"]]
    value, stake = example.get("point_value"), example.get("stake")
    stakes = table_stakes(Fraction(stake), example["ranks"]) if stake else None

    result = settle(
        worths,
        Settling(
            mode=example.get("mode", "pairwise"),
            measure=example["measure"],
            point_value=Fraction(value) if value else None,
            payable=step_of(example),
        ),
        stakes=stakes,
        paid=[Transfer(one, other, Fraction(sum_)) for one, other, sum_ in example.get("paid", ())],
    )

    assert result.balances == (tuple(example["balances"]) if "balances" in example else None)
    for name in ("stakes", "amounts", "payable_amounts"):
        if name in example:
            assert [str(amount) for amount in getattr(result, name)] == example[name]
    if "transfers" in example:
        assert as_listed(result.transfers or ()) == example["transfers"]
    if value is None and stake is None:
        assert (result.amounts, result.payable_amounts, result.transfers) == (None, None, None)


def step_of(example: dict[str, Any]) -> Fraction:
    """Return the step of payment as the rules of a game have it."""
    names = {"settle.unit": "unit", "settle.payable": "payable"}
    said = {option: example[name] for option, name in names.items() if name in example}
    step = PRESETS["luxembourg"].override(said).settle.payable
    assert isinstance(step, Fraction)
    return step


def as_listed(transfers: Any) -> list[list[object]]:
    return [[t.payer, t.payee, str(t.amount)] for t in transfers]


def test_the_pair_table_of_the_reference_example() -> None:  # RULES 9.6
    result = settle([(220, 360, 140, 490)], Settling())

    assert result.pairs == (
        (None, 140, -80, 270),
        (-140, None, -220, 130),
        (80, 220, None, 350),
        (-270, -130, -350, None),
    )


def test_balances_that_do_not_add_up_to_zero_are_refused() -> None:  # RULES 9.2
    with pytest.raises(RuleError, match="E_NOT_ZERO_SUM"):
        settle([(10, -3)], Settling(mode="balance", measure="net"))


def test_without_absences_round_by_round_is_the_same_as_by_totals() -> None:  # RULES 9.1
    rounds = [(50, 15, 0), (0, 90, 40), (30, 60, 0)]
    totals = [tuple(map(sum, zip(*rounds, strict=True)))]

    assert pairs(rounds) == pairs(totals)


def pairs(rounds: Any) -> Any:
    return settle(rounds, Settling()).pairs


worth = st.one_of(st.none(), st.integers(-2000, 2000))
evenings = st.integers(2, 6).flatmap(
    lambda n: st.lists(st.tuples(*[worth] * n), min_size=1, max_size=12)
)
values = st.fractions(min_value=0, max_value=10, max_denominator=30)
payables = st.fractions(min_value=Fraction(1, 20), max_value=50, max_denominator=20)


@pytest.mark.bar("L1")
@drawn("L1", evenings, st.sampled_from(["minus", "plus", "net"]), values, payables)
def test_nobody_gains_what_nobody_loses(
    rounds: Any, measure: Any, value: Fraction, payable: Fraction
) -> None:
    result = settle(rounds, Settling(measure=measure, point_value=value, payable=payable))

    assert result.amounts and result.payable_amounts and result.transfers is not None
    assert sum(result.balances) == sum(result.amounts) == sum(result.payable_amounts) == 0
    assert all(
        abs(paid - exact) < payable
        for paid, exact in zip(result.payable_amounts, result.amounts, strict=True)
    )
    assert all((paid / payable).denominator == 1 for paid in result.payable_amounts)
    assert after(result.transfers, result.payable_amounts) == [0] * len(result.balances)
    assert len(result.transfers) == fewest_by_hand(result.payable_amounts)


ranks = st.integers(2, 6).flatmap(
    lambda n: st.lists(st.one_of(st.none(), st.integers(1, n)), min_size=n, max_size=n)
)
stakes = st.fractions(min_value=0, max_value=100, max_denominator=12)


@given(ranks, stakes, st.sampled_from([1, 2]))
def test_the_stake_of_the_table_moves_from_losers_to_winners(  # RULES 9.7
    places: list[int | None], stake: Fraction, seats: int
) -> None:
    parts = table_stakes(stake, places, seats=seats)
    won = [part for part, place in zip(parts, places, strict=True) if place == 1]
    lost = [part for part, place in zip(parts, places, strict=True) if place not in (None, 1)]
    away = [part for part, place in zip(parts, places, strict=True) if place is None]

    assert len(set(won)) <= 1
    assert set(away) <= {0}
    if won:
        assert sum(parts) == 0
        assert set(lost) <= {-stake * seats}
        assert sum(won) == stake * seats * len(lost)
    else:
        assert set(parts) <= {0}


@given(evenings, st.sampled_from(["none", "pairwise"]), values, payables, stakes)
def test_with_a_stake_nobody_gains_what_nobody_loses(
    rounds: Any, mode: Any, value: Fraction, payable: Fraction, stake: Fraction
) -> None:
    sides = len(rounds[0])
    parts = table_stakes(stake, [1, *[2] * (sides - 1)])
    terms = Settling(mode=mode, measure="plus", point_value=value, payable=payable)
    plain = settle(rounds, terms)

    result = settle(rounds, terms, stakes=parts)

    assert result.amounts and result.payable_amounts and result.transfers is not None
    assert sum(result.amounts) == sum(result.payable_amounts) == 0
    points = plain.amounts or (Fraction(),) * sides
    assert result.amounts == tuple(map(sum, zip(points, parts, strict=True)))
    assert all(
        abs(paid - exact) < payable
        for paid, exact in zip(result.payable_amounts, result.amounts, strict=True)
    )
    assert after(result.transfers, result.payable_amounts) == [0] * sides


def fewest_by_hand(amounts: tuple[Fraction, ...]) -> int:
    """The fewest payments are the players involved less the most even groups.

    Groups are peeled off in every possible way: another way than the code's.
    """

    def most_groups(sides: frozenset[int]) -> int:
        if not sides:
            return 0
        return max(
            1 + most_groups(sides - set(group))
            for size in range(1, len(sides) + 1)
            for group in combinations(sorted(sides), size)
            if min(sides) in group and sum(amounts[side] for side in group) == 0
        )

    involved = frozenset(side for side, amount in enumerate(amounts) if amount)
    return len(involved) - most_groups(involved)


def test_who_wins_is_paid_for_the_rounds_that_both_played() -> None:  # RULES-MORE 9.1, RULES 9.1
    """The winner of two rounds, somebody who missed the second, and somebody who never played."""
    rounds = [(0, 10, 30, None), (0, 20, None, None)]
    terms = Settling(mode="winner", measure="minus", point_value=Fraction(1))

    assert settle(rounds, terms, winners=[0]).balances == (60, -30, -30, 0)
    assert settle(rounds, terms, winners=[0, 1]).balances == (15 + 0, 10, -25, 0)
