"""The plan of a tournament, refused for what is wrong with it."""

from fractions import Fraction
from typing import Any

import pytest

from scorekeeper.domain.errors import RuleError
from scorekeeper.domain.rules import decode_rules, encode_rules
from scorekeeper.domain.rules.presets import PRESETS
from scorekeeper.domain.tournament.plan import MAX_ROUNDS, Money, Plan, check_plan, without_stakes

RULES = without_stakes(PRESETS["german-family"].override({"end.mode": "rounds", "end.rounds": 4}))
FEE = {"fee": Fraction(5), "unit": "EUR"}
SHARES = {"": (), "rising": (1, 2), "nothing for the last": (50, 0), "beyond": (10**9, 1)}


def refusal(**money: Any) -> tuple[str, Any, tuple[object, ...]]:
    with pytest.raises(RuleError) as refused:
        check_plan(Plan(format="random", rounds=3, rules=RULES, money=Money(**{**FEE, **money})))
    (problem,) = refused.value.problems
    return problem.code, problem.facts["why"], problem.path


def test_an_entry_fee_with_falling_shares_is_a_plan() -> None:
    for shares in ((1,), (50, 30, 20), (40, 40)):
        check_plan(Plan(format="random", rounds=3, rules=RULES, money=Money(**FEE, shares=shares)))


@pytest.mark.parametrize("shares", SHARES.values(), ids=SHARES)
def test_shares_do_not_rise_and_none_is_without_a_prize(shares: tuple[int, ...]) -> None:
    assert refusal(shares=shares) == ("E_TOURNAMENT", "shares", ("money", "shares"))


@pytest.mark.parametrize(
    ("money", "why", "name"),
    [
        ({"fee": Fraction(-1)}, "fee", "fee"),
        ({"fee": Fraction(10**9)}, "fee", "fee"),
        ({"fee": Fraction(1, 200)}, "coin", "fee"),
        ({"kept": Fraction(-1)}, "kept", "kept"),
        ({"kept": Fraction(10**12)}, "kept", "kept"),
        ({"kept": Fraction(1, 3)}, "coin", "kept"),
        ({"kept": Fraction(2), "booked": True}, "booked", "kept"),
    ],
)
def test_fee_and_what_is_kept_are_amounts_of_the_unit(
    money: dict[str, Any], why: str, name: str
) -> None:
    assert refusal(**money) == ("E_TOURNAMENT", why, ("money", name))


@pytest.mark.parametrize("rounds", [0, MAX_ROUNDS + 1])
def test_a_number_of_rounds_beyond_the_limits_is_refused(rounds: int) -> None:
    with pytest.raises(RuleError) as refused:
        check_plan(Plan(format="random", rounds=rounds, rules=RULES))
    (problem,) = refused.value.problems

    assert (problem.facts, problem.path) == ({"why": "rounds", "most": MAX_ROUNDS}, ("rounds",))


def test_the_tables_of_a_plan_play_for_nothing_whatever_the_stakes() -> None:
    names = ("point_value", "stake", "rejoin_stake", "round_stake", "hand_stake")
    stakes = {f"settle.{name}": "2" for name in names}
    rules = PRESETS["kalooki"].override({**stakes, "settle.unit": "EUR"})
    unpaid = without_stakes(rules)
    options = unpaid.resolved()

    assert [options[name] for name in stakes] == [None, "0", None, "0", None]
    assert {name for name, value in rules.resolved().items() if options[name] != value} == {*stakes}
    assert decode_rules(encode_rules(unpaid)) == unpaid
