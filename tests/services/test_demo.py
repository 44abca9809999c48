"""The demo group is plausible, complete, and the same for the same seed."""

from dataclasses import replace
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


def test_a_seed_always_plays_the_same_evenings(ledger):
    """The evenings of seed 5 are of all four games, with every kind of win."""
    group = make(ledger, replace(WISHES, seed=5)).group
    days = [one.day for one in ledger.seasons.evenings(group.id)]
    figures = {group.players[one.member]: one for one in ledger.seasons.figures(group.id)}

    assert days[0] == "2026-06-12" and days[-1] == "2026-05-13"
    assert {
        name: (one.evenings, one.minus, one.plus, one.gins, one.undercuts, one.hand_rommes)
        for name, one in figures.items()
    } == {
        "Anna": (11, 10564, 1262, 5, 4, 0),
        "Bernd": (9, 7609, 410, 0, 2, 1),
        "Claire": (6, 4079, 0, 0, 0, 1),
        "Dieter": (8, 5039, 644, 5, 2, 1),
        "Eva": (10, 7721, 609, 2, 2, 1),
    }
    assert [2 * cents for cents in group.balance("ct")] == [-9302, -2411, 7797, 5584, -1668]
