"""The demo group is plausible, complete, and the same for the same seed."""

from datetime import date

from scorekeeper.services.demo import ROUNDS, DemoSettings, make
from scorekeeper.store.check import check

WISHES = DemoSettings(evenings=12, members=5, seed=7, until=date(2026, 6, 12))


def test_the_demo_is_a_group_like_any_other(ledger):
    heard: list[int] = []
    group = make(ledger, WISHES, heard.append).group
    evenings = ledger.seasons.evenings(group.id)

    assert sum(heard) == len(evenings) == 12
    assert evenings[0].day == "2026-06-12"
    assert all(one.over and one.evening.rounds == ROUNDS for one in evenings)
    assert all(2 <= len(one.seating.members) <= 5 for one in evenings)
    assert any(group.balance("ct"))
    assert sum(group.balance("ct")) == 0
    assert check(ledger).good


def test_the_same_seed_plays_the_same_evenings(ledger):
    first, again = (make(ledger, WISHES).group for _ in range(2))

    assert first.id != again.id
    assert ledger.seasons.figures(first.id) == ledger.seasons.figures(again.id)
    assert first.balances == again.balances
