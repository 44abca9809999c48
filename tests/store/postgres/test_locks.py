"""Transactions lock the group first, then its games: they never wait for each other (G4)."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

import short
from bars import tried, tries, trying
from patience import PATIENCE_S
from scorekeeper.domain.game.changes import NewGame
from scorekeeper.domain.group.changes import NewGroup
from scorekeeper.domain.money.settlement import Transfer
from scorekeeper.services import games, groups
from scorekeeper.services.games import new_rules
from scorekeeper.store import Ledger, NotSaved
from scorekeeper.store.check import check
from scorekeeper.store.postgres import events
from scorekeeper.store.writes import Write

NAMES = ("Anna", "Ben")


def test_a_game_that_ends_while_it_joins_a_group_is_booked(opened):
    """Whoever admits it waits until the end is written, or the end until it is admitted."""
    one, other = opened(), opened()
    group = groups.create_group(one, NewGroup("Friday", NAMES)).group.id
    game = short.begun(one, *NAMES)
    short.record(one, game, 0, 12)
    admitting = threading.Thread(target=groups.admit_game, args=(one, group, game, Write()))
    with other.transaction():
        games.end_game(other, game, Write())
        admitting.start()
        admitting.join(0.5)
    admitting.join(PATIENCE_S)

    assert [evening.over for evening in one.seasons.evenings(group)] == [True]
    assert one.group(group).balance("ct") == (12, -12)


class Evening:
    """A group with an evening, and what may happen to both at the same time."""

    def __init__(self, ledger: Ledger) -> None:
        self.ledger = ledger
        rules = new_rules("wiener", {"end.mode": "manual"})
        self.group = groups.create_group(ledger, NewGroup("Friday", NAMES, rules)).group.id
        order = NewGame("", "", rules, NAMES)
        self.game = groups.open_evening(ledger, self.group, order, write=Write()).id
        payment = Transfer(0, 1, 1)
        self.changes = (
            lambda key: short.record(ledger, self.game, 0, 10, key=key),
            lambda key: games.end_game(ledger, self.game, write=Write(key=key)),
            lambda key: games.reopen_game(ledger, self.game, write=Write(key=key)),
            lambda key: groups.rename_group(ledger, self.group, key, write=Write(key=key)),
            lambda key: groups.pay(ledger, self.group, payment, "ct", write=Write(key=key)),
            lambda key: groups.erase_member(ledger, self.group, 1, write=Write(key=key)),
        )

    def all_at_once(self, dice, many: int) -> list[BaseException | None]:
        """Make changes in several threads and return what went wrong with each."""
        chosen = [dice.choice(self.changes) for _ in range(many)]
        start = threading.Barrier(many, timeout=PATIENCE_S)

        def change(number: int) -> None:
            start.wait()
            chosen[number](f"{number}-{dice_key}")

        dice_key = dice.randint(0, 10**9)
        with ThreadPoolExecutor(many) as threads:
            futures = [threads.submit(change, number) for number in range(many)]
            return [future.exception() for future in futures]


@pytest.mark.bar("G4")
def test_changes_of_a_group_and_its_game_at_once_never_deadlock(ledger):
    evening = Evening(ledger)
    for dice in trying("G4", tries("G4") // 8):
        failed = [error for error in evening.all_at_once(dice, 8) if isinstance(error, NotSaved)]

        assert failed == []
        tried(7)
    assert check(ledger).clean


@pytest.mark.bar("G4", control="game before group")
def test_the_other_order_of_locks_deadlocks(ledger, monkeypatch):
    evening = Evening(ledger)
    monkeypatch.setattr(events, "LOCK", events.LOCK.replace("kind DESC", "kind"))
    for dice in trying("G4", 50):
        failed = [error for error in evening.all_at_once(dice, 8) if isinstance(error, NotSaved)]
        if any("deadlock" in str(error) for error in failed):
            tried(failed=1)
            return
    pytest.fail("no deadlock")
