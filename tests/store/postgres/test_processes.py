"""What one process changes, every other one sees on its next request (G3)."""

import pytest

from bars import tried, tries
from scorekeeper.store import Ledger

AT = "2026-06-12T19:40:05Z"


def changes_seen(table, other: Ledger, number: int) -> list[bool]:
    """Make three changes of a game and return whether the other ledger sees each at once."""
    game_id = table.open(f"game-{number}")
    assert other.rights.of_secret(game_id, table.watch) == "watch"  # it knows the game now
    assert other.game(game_id).players[0] == "Änne"
    with table.ledger.book_transaction(game_id) as transaction:
        transaction.append("secret", {"right": "watch"}, at=AT, by="pen")
        transaction.replace_secret("watch", "a new one")
    seen = [other.rights.of_secret(game_id, table.watch) is None]
    with table.ledger.book_transaction(game_id) as transaction:
        transaction.erase("name.0")
        transaction.append("erased", {"seat": 0}, at=AT, by="pen", texts={"name.0": ""})
    seen.append("Änne" not in other.game(game_id).players)
    with table.ledger.book_transaction(game_id) as transaction:
        transaction.append("ended", {}, at=AT, by="pen")
    return [*seen, other.game(game_id).is_over]


@pytest.mark.bar("G3")
def test_changes_are_seen_by_every_process_at_once(table_at, ledger, opened):
    table, other = table_at(ledger), opened()
    for number in range(tries("G3")):
        assert all(changes_seen(table, other, number))
        tried()


@pytest.mark.bar("G3", control="heads from memory")
def test_heads_from_memory_would_accept_a_replaced_secret(table_at, ledger, opened):
    other = opened()
    other.store.is_shared = False

    seen = changes_seen(table_at(ledger), other, 0)

    assert not all(seen)
    tried(failed=seen.count(False))


def test_rate_limits_count_for_all_processes_together(ledger, opened):
    (one, other), hour = ((ledger.store.limits, opened().store.limits), 3600 * 10**9)
    uses = [limits.use("begun", "10.0.0.7", hour // 4, hour) for limits in (one, other) * 2]

    assert uses == [0, 0, 0, 0]
    assert 0 < one.use("begun", "10.0.0.7", hour // 4, hour) <= hour // 4
    assert other.use("begun", "10.0.0.8", hour // 4, hour) == 0
    other.charge("added", "10.0.0.7", 2 * hour)
    assert one.over("added", "10.0.0.7", hour) > 0.9 * hour
    assert one.over("added", "10.0.0.8", hour) == -hour
    one.purge()
    assert other.use("begun", "10.0.0.7", hour // 4, hour) > 0


def test_short_codes_open_a_game_in_every_process(ledger, opened):
    one, other, life = ledger.store.codes, opened().store.codes, 60 * 10**9

    assert one.add("abc234", "evening", b"mark", life, 2)
    assert not other.add("abc234", "another", b"mark", life, 2)
    assert other.find("abc234") == ("evening", b"mark")
    assert other.renew("abc234", "evening", b"mark", life)
    assert not other.renew("abc234", "evening", b"another mark", life)
    other.end("abc234", "another")
    assert one.find("abc234")
    other.end("abc234", "evening")
    assert one.find("abc234") is None

    one.add("abc234", "evening", b"mark", life, 2)
    assert other.take("abc234") == ("evening", b"mark")
    assert one.take("abc234") is None
    one.add("abc234", "evening", b"mark", 0, 2)
    assert other.take("abc234") is None  # it has expired


def test_a_book_keeps_its_youngest_codes_and_an_expired_one_may_be_taken(ledger):
    codes, life = ledger.store.codes, 60 * 10**9
    for number in range(4):
        codes.add(f"code{number}", "evening", b"mark", life, 2)
    codes.add("gone", "evening", b"mark", -1, 2)

    assert [codes.find(f"code{number}") is not None for number in range(4)] == [
        False,
        False,
        True,
        True,
    ]
    assert codes.find("gone") is None
    assert codes.add("gone", "another", b"mark", life, 2)


def test_one_process_maintains_at_a_time(ledger, opened):
    other = opened()
    with ledger.store.sole_maintainer() as first, other.store.sole_maintainer() as second:
        assert (first, second) == (True, False)
    with other.store.sole_maintainer() as after:
        assert after
