"""The most even groups, at a table and among many: RULES 9.5."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from random import Random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from examples import after
from scorekeeper.domain.money import netting
from scorekeeper.domain.money.netting import most_groups
from scorekeeper.domain.money.settlement import payments

Groups = list[list[int]]


def even(amounts: Sequence[int]) -> list[Fraction]:
    """Return the amounts, and one more so that they add up to zero."""
    return [Fraction(amount, 3) for amount in (*amounts, -sum(amounts))]


def partitions(seats: Sequence[int]) -> Iterator[Groups]:
    """Yield every way to split seats into groups; groups by lowest seat, seats ascending."""
    if not seats:
        yield []
        return
    *others, last = seats
    for groups in partitions(others):
        for i, group in enumerate(groups):
            yield [*groups[:i], [*group, last], *groups[i + 1 :]]
        yield [*groups, [last]]


def by_trying_all(amounts: Sequence[Fraction]) -> Groups:
    """Return the first even partition with the most groups, as RULES 9.5 says."""
    involved = [side for side, amount in enumerate(amounts) if amount]
    ways = (
        groups
        for groups in partitions(involved)
        if all(sum(amounts[side] for side in group) == 0 for group in groups)
    )
    return min(ways, key=lambda groups: (-len(groups), groups))


def most_by_leaving_one_by_one(amounts: Sequence[Fraction]) -> int:
    """Return the most even groups: how often the sum is zero when players leave one by one."""
    sums = [Fraction(0)]
    for amount in filter(None, amounts):
        sums += [total + amount for total in sums]
    most = [0] * len(sums)
    for players in range(1, len(sums)):
        without_one = (players & ~(1 << place) for place in range(players.bit_length()))
        most[players] = max(most[left] for left in without_one if left != players)
        most[players] += sums[players] == 0
    return most[-1]


@settings(max_examples=400)
@given(st.lists(st.integers(-4, 4), min_size=1, max_size=6).map(even))
@example([Fraction(n) for n in (3, 1, -4, -3, 5, -2)])  # two threes come before the pair 0, 3
@example([Fraction(n) for n in (1, 1, 1, -1, -1, -1)])
@example([Fraction(n) for n in (2, -1, 2, -1, -1, -1)])
def test_the_groups_of_a_table_are_the_first_that_a_naive_search_finds(
    amounts: list[Fraction],
) -> None:
    groups, proved = most_groups(amounts)

    assert proved
    assert [list(group) for group in groups] == by_trying_all(amounts)


@settings(max_examples=60)
@given(st.lists(st.integers(-12, 12), min_size=7, max_size=10).map(even))
def test_many_players_have_as_many_groups_as_possible(amounts: list[Fraction]) -> None:
    groups, proved = most_groups(amounts)

    assert proved
    assert all(sum(amounts[side] for side in group) == 0 for group in groups)
    assert sorted(sum(groups, ())) == [side for side, amount in enumerate(amounts) if amount]
    assert len(groups) == most_by_leaving_one_by_one(amounts)


def test_twenty_players_in_even_fives_need_sixteen_payments() -> None:
    """The fives have no amounts in common: thousands, hundreds, tens and ones."""
    fives = [[n * scale for n in (1, 3, 4, 6, -14)] for scale in (1000, 100, 10, 1)]
    amounts = [Fraction(n) for five in zip(*fives, strict=True) for n in five]

    transfers, proved = payments(tuple(amounts))

    assert proved
    assert len(transfers) <= 20 - 4
    assert after(transfers, amounts) == [0] * 20


def test_twenty_random_amounts_are_settled_provably() -> None:
    for seed in range(40):
        chance = Random(seed)
        amounts = even([chance.randint(-(10 ** (1 + seed % 4)), 5000) for _ in range(19)])

        transfers, proved = payments(tuple(amounts))

        assert proved
        assert len(transfers) < sum(map(bool, amounts))
        assert after(transfers, amounts) == [0] * 20


def test_thirty_players_with_opposite_amounts_pay_in_pairs() -> None:
    amounts = [Fraction(sign * 700) for sign in (1, -1) for _ in range(15)]

    transfers, proved = payments(tuple(amounts))

    assert proved
    assert [(one.payer, one.payee) for one in transfers] == [(n + 15, n) for n in range(15)]


def test_of_equal_amounts_only_the_first_are_tried() -> None:
    """Five threes balance three fives: 24 players with 252,252 such groups to choose from."""
    amounts = [Fraction(3)] * 15 + [Fraction(-5)] * 9

    groups, proved = most_groups(amounts)

    assert proved
    assert groups == tuple(
        (*range(5 * n, 5 * n + 5), *range(15 + 3 * n, 18 + 3 * n)) for n in range(3)
    )


def test_an_abandoned_search_still_settles_without_claiming_the_fewest_payments() -> None:
    chance = Random(7)
    amounts = even([chance.randint(-(10**6), 10**6) for _ in range(39)])
    amounts += [Fraction(5), Fraction(-5)]

    groups, proved = most_groups(amounts)

    assert not proved
    assert (40, 41) in groups
    assert all(sum(amounts[side] for side in group) == 0 for group in groups)
    assert sorted(sum(groups, ())) == list(range(42))


def test_beyond_the_budget_pairs_threes_and_fours_are_found() -> None:
    pair, three, four = (10**9, -(10**9)), (1000, 20, -1020), (7, 500_000, -3, -500_004)
    chance = Random(9)
    others = [chance.randint(-(10**6), 10**6) * 10**12 for _ in range(30)]
    amounts = even([*pair, *three, *four, *others])

    groups, proved = most_groups(amounts)

    assert not proved
    assert {(0, 1), (2, 3, 4), (5, 6, 7, 8)} <= set(groups)


def test_an_abandoned_search_still_begins_with_the_first_players(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(netting, "STEPS", 0)
    amounts = [Fraction(amount) for amount in (5, -2, 7, -3, 2, -7, -2)]

    groups, proved = most_groups(amounts)

    assert groups == ((0, 3, 6), (1, 4), (2, 5))
    assert not proved


def test_of_very_many_players_only_even_pairs_are_looked_for() -> None:
    """The powers of two of each three add up to zero with no others."""
    amounts = [Fraction(part * 2 ** (3 * place)) for place in range(70) for part in (1, 2, -3)]
    twins = [Fraction(7), Fraction(-7)]
    few, proved_few = most_groups(amounts[:180])
    many, proved_many = most_groups([*amounts, *twins])

    assert (len(few), proved_few) == (60, False)
    assert (many[0], proved_many) == (tuple(range(210)), False)
    assert many[1:] == ((210, 211),)


def test_a_hundred_members_with_huge_amounts_are_settled() -> None:
    chance = Random(8)
    amounts = even([chance.randint(-(10**30), 10**30) for _ in range(99)])

    transfers, proved = payments(tuple(amounts))

    assert not proved
    assert len(transfers) <= 99
    assert after(transfers, amounts) == [0] * 100


def test_nothing_is_paid_if_nobody_owes_anything() -> None:
    assert most_groups([Fraction(0)] * 3) == most_groups([]) == ((), True)


def test_amounts_that_do_not_add_up_to_zero_are_refused() -> None:
    with pytest.raises(ValueError, match="add up to 1"):
        most_groups([Fraction(3), Fraction(-2)])
