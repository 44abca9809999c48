"""Concurrent writers of one game, and repeated requests (C1, C4)."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from bars import steps, tried, tries, trying
from patience import PATIENCE_S
from scorekeeper.domain.game.changes import score_for
from scorekeeper.services import games, writes
from scorekeeper.services.games import Stale, new_rules
from scorekeeper.store import Ledger
from scorekeeper.store.check import check
from scorekeeper.store.writes import Write
from short import begun, facts, record

WRITERS = 50
EVENING = 200


WIENER = new_rules("wiener", {})


def points_of(ledger: Ledger, game_id: str) -> list[int]:
    return [row.points(1).minus for row in ledger.game(game_id).sheet.rows]


def race(ledger: Ledger) -> tuple[list[int], int]:
    """Let all writers increase a round; return the acknowledged versions and the round."""
    game_id = begun(ledger, "A", "B", rules=WIENER)
    record(ledger, game_id, 0, 0, key="first")
    done: list[int] = []
    start = threading.Barrier(WRITERS, timeout=PATIENCE_S)

    def write() -> None:
        start.wait()
        while (seen := ledger.game(game_id)).version < steps("C1") + 2:
            one_more = seen.sheet.rows[0].points(1).minus + 1
            scored = score_for(ledger.game(game_id), facts(0, one_more))
            try:
                answer = games.correct_round(
                    ledger, game_id, 1, scored, write=Write(expected=seen.version)
                )
            except Stale:
                continue
            done.append(answer.game.version)

    threads = [threading.Thread(target=write) for _ in range(WRITERS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    (points,) = points_of(ledger, game_id)
    return sorted(done), points


@pytest.mark.bar("C1")
def test_one_of_fifty_writers_with_the_same_version_wins(ledger: Ledger) -> None:
    for _ in range(tries("C1")):
        done, points = race(ledger)

        assert done == list(range(3, steps("C1") + 3))  # no gap, no double
        assert points == steps("C1")  # no loss
        tried()
    assert check(ledger).good


@pytest.mark.bar("C1", control="no version check")
def test_without_the_version_check_writers_overwrite_each_other(
    ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writes, "check_version", lambda *_: None)
    done, points = race(ledger)

    assert points < len(done)
    tried(failed=len(done) - points)


@pytest.mark.bar("C4")
def test_rounds_delivered_one_to_five_times_are_recorded_once(ledger: Ledger) -> None:
    """Evenings of two hundred rounds, recorded by eight threads."""
    for dice in trying("C4", tries("C4") // EVENING):
        game_id = begun(ledger, "A", "B", rules=WIENER)
        posts = [n for n in range(EVENING) for _ in range(dice.randint(1, 5))]
        dice.shuffle(posts)

        def deliver(n: int, game_id: str = game_id) -> tuple[int, int]:
            return n, record(ledger, game_id, 0, n, key=f"key {n}").row.points(1).minus

        with ThreadPoolExecutor(8) as posting:
            answers = list(posting.map(deliver, posts))

        assert all(n == answered for n, answered in answers)
        assert sorted(points_of(ledger, game_id)) == list(range(EVENING))
        tried(EVENING - 1)
    assert check(ledger).good
