"""What is particular to SQLite: the size of a row, and writers that share one commit."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from bars import tried
from scorekeeper.store import Ledger
from scorekeeper.store.writes import Write
from short import begun, record
from store.conftest import AT
from store.contract.test_writers import WIENER, points_of


def test_a_round_costs_less_than_a_kilobyte(table, path):
    game_id = table.open()
    empty = path.stat().st_size
    hand = {"hand": ["KH", "9C", "AS", "JK"]}
    for number in range(1, 201):
        payload = table.round(number, 44)
        payload["round"]["seats"] = [{"discard": "8H"}, hand, hand, hand]
        key, digest = f"0b5ba0bb-3e5b-4f00-8000-{number:012}", f"{number:032x}"
        with table.ledger.book_transaction(game_id, Write(key=key), digest=digest) as transaction:
            transaction.append("round", payload, at=AT, by="pen")

    assert (path.stat().st_size - empty) / 200 < 1000


@pytest.mark.bar("C4")
def test_a_round_sent_twice_in_one_commit_is_recorded_once(ledger: Ledger) -> None:
    game_id = begun(ledger, "A", "B", rules=WIENER)
    engine = ledger.store.engine
    engine._waiting.append(None)  # whenever one goes, another one has come: nobody commits
    with ThreadPoolExecutor(1) as others, engine.defer_wait():
        first, second = (record(ledger, game_id, 0, 10, key="key") for _ in range(2))
        engine._waiting.pop()
        others.submit(record, ledger, game_id, 0, 20, key="another").result(10)
    tried()

    assert (first.repeated, second.repeated) == (False, True)
    assert (first.game, first.row) == (second.game, second.row)
    assert points_of(ledger, game_id) == [10, 20]
