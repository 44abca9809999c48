"""How a season came about: its evenings, and points and records of the system played most."""

import pytest

import short
from scorekeeper.domain.game.changes import NewGame
from scorekeeper.domain.group.changes import NewGroup
from scorekeeper.domain.group.season import Span
from scorekeeper.services import games, groups
from scorekeeper.services.clock import set_clock
from scorekeeper.services.games import new_rules
from scorekeeper.services.statistics import season_history
from scorekeeper.store import Ledger
from scorekeeper.store.writes import Write

pytestmark = pytest.mark.sqlite  # test_statistics has both engines

YEAR = Span(first="2026-01-01", last="2026-12-31")
PALAST = new_rules("romme-palast", {})


@pytest.fixture
def group(ledger: Ledger) -> str:
    return groups.create_group(ledger, NewGroup("Freitag", ("Anna", "Bernd"))).group.id


def evening(ledger: Ledger, group: str, day: str, *points: int, **more: object) -> None:
    """Play a round in which Anna has the first points and Bernd the others."""
    rules = PALAST if more.get("palast") else short.FAMILY
    with set_clock(f"{day}T20:00:00Z"):
        order = NewGame("", "", rules, ("Anna", "Bernd"))
        game = groups.open_evening(ledger, group, order, Write()).id
        short.record(ledger, game, *points)
        if more.get("over", True):
            games.end_game(ledger, game, Write())


def test_only_evenings_that_are_over_count_first_evening_first(ledger: Ledger, group: str) -> None:
    evening(ledger, group, "2025-12-31", 0, 50)
    evening(ledger, group, "2026-03-05", 0, 20)
    evening(ledger, group, "2026-03-12", 7, 0)
    evening(ledger, group, "2026-03-19", 0, 99, over=False)
    history = season_history(ledger, group, YEAR)

    assert [one.day for one in history.evenings] == ["2026-03-05", "2026-03-12"]
    assert history.times == ("2026-03-05T20:00:00Z", "2026-03-12T20:00:00Z")
    assert history.runs == {0: [(0, 0), (1, 20), (2, 13)], 1: [(0, 0), (1, -20), (2, -13)]}
    assert history.preset is None
    worst = dict(history.records)["worst"]
    assert (worst.began[:10], worst.member, worst.value) == ("2026-03-05", 1, 20)


def test_of_several_systems_the_one_played_most_is_compared(ledger: Ledger, group: str) -> None:
    evening(ledger, group, "2026-03-05", 0, 20)
    evening(ledger, group, "2026-03-12", 0, 90, palast=True)
    evening(ledger, group, "2026-03-19", 7, 0)
    history = season_history(ledger, group, YEAR)

    assert len(history.evenings) == 3
    assert [history.preset, *history.times] == [
        *("german-family", "2026-03-05T20:00:00Z", "2026-03-19T20:00:00Z"),
    ]
    assert history.runs == {0: [(0, 0), (1, 20), (2, 13)], 1: [(0, 0), (1, -20), (2, -13)]}
    assert dict(history.records)["worst"].value == 20


def test_a_single_evening_holds_no_records(ledger: Ledger, group: str) -> None:
    evening(ledger, group, "2026-03-05", 0, 20)
    evening(ledger, group, "2026-03-12", 0, 30, over=False)

    assert season_history(ledger, group, YEAR).records == []
    evening(ledger, group, "2026-03-19", 0, 25)
    assert dict(season_history(ledger, group, YEAR).records)["worst"].value == 25
