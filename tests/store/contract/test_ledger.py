"""Events are chained, and each is recorded once."""

import hashlib
import json
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import pytest

from bars import tries, trying
from scorekeeper.domain.replay import replay
from scorekeeper.store import AlreadyExists, KeyReused, NotFound, NotSaved
from scorekeeper.store.book_check import broken_at

AT = "2026-06-12T19:40:05Z"


def points_of(game):
    return [row.points(1).minus for row in game.sheet.rows]


# A game and its events


def test_a_recorded_round_survives_reopening_the_ledger(table, database):
    table.record(table.open(), 25)
    table.ledger.close()
    again = database.open()
    game = again.game("evening")
    again.close()

    assert points_of(game) == [25]
    assert (game.title, game.players[:2]) == ("Ein Abend zu viert", ("Änne", "Bob"))


def test_events_are_numbered_without_gaps_and_have_time_and_right(table):
    game_id = table.open()
    table.record(game_id, 10)
    table.correct(game_id, 1, 20)
    events = table.ledger.events(game_id)

    assert [(event.number, event.kind, event.by, event.at) for event in events] == [
        (1, "created", "pen", AT),
        (2, "round", "pen", AT),
        (3, "corrected", "pen", AT),
    ]


def test_the_old_value_of_a_corrected_round_stays_readable(table):
    game_id = table.open()
    table.record(game_id, 10)
    table.correct(game_id, 1, 20)

    assert points_of(table.ledger.game(game_id)) == [20]
    assert points_of(table.ledger.game_at(game_id, 2)) == [10]
    assert points_of(table.ledger.game_at(game_id, 1)) == []


@pytest.mark.parametrize("version", [0, -1, 3, 99])
def test_a_future_version_is_not_found(table, version):
    game_id = table.open()
    table.record(game_id, 10)

    with pytest.raises(NotFound):
        table.ledger.game_at(game_id, version)


def test_an_unknown_book_is_not_found(ledger):
    assert ledger.version("nowhere") is None
    for ask in (ledger.game, ledger.events, ledger.head, ledger.export):
        with pytest.raises(NotFound):
            ask("nowhere")
    with pytest.raises(NotFound), ledger.book_transaction("nowhere"):
        pass


def test_an_invalid_event_is_not_written(table):
    game_id = table.open()

    with pytest.raises(KeyError), table.ledger.book_transaction(game_id) as transaction:
        transaction.append("struck", {"number": 7}, at=AT, by="pen")

    assert table.ledger.version(game_id) == 1


@pytest.mark.bar("L5")
@pytest.mark.parametrize(
    "tampering",
    [
        "UPDATE /* refused */ events SET at = 'never'",
        "DELETE /* refused */ FROM events",
        "INSERT OR REPLACE /* refused */ INTO events"
        " SELECT book, number, 'never', kind, by_right, payload, key, digest, hash FROM events",
        "INSERT INTO events"
        " SELECT book, number + 2, at, kind, by_right, payload, key, digest, hash FROM events",
    ],
    ids=["update", "delete", "replace", "gap"],
)
def test_triggers_refuse_to_change_delete_or_skip_events(table, tampering):
    game_id = table.open()
    before = table.ledger.export(game_id)

    with pytest.raises(NotSaved, match="events"), table.ledger.transaction():
        table.ledger.store.engine.execute(tampering)

    assert table.ledger.export(game_id) == before


# The chain


def test_the_head_is_the_hash_of_all_events_in_their_order(table):
    game_id = table.open(key="k1", digest="d1")
    table.record(game_id, 10)
    link = b""
    for e in table.ledger.events(game_id):
        content = [game_id, e.number, e.at, e.kind, e.by, e.payload, e.key, e.digest]
        text = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        link = hashlib.sha256(link + text.encode()).digest()

    assert table.ledger.head(game_id) == link.hex()


def test_events_are_counted_and_a_changed_end_is_the_first_thing_broken(table, database):
    game_id, other = table.open(), table.open("other")
    table.record(game_id, 10)
    inspection = table.ledger.store.inspection

    assert inspection.count_events() == 3
    assert broken_at(inspection, game_id) is None
    table.ledger.close()
    database.tamper("UPDATE books SET version = 7 WHERE id = 'evening'")
    with closing(database.open()) as ledger:
        assert broken_at(ledger.store.inspection, game_id) == 0
        assert broken_at(ledger.store.inspection, other) is None
        assert broken_at(ledger.store.inspection, "nowhere") is None


def test_names_are_not_part_of_the_chain(table):
    table.open("named")
    names = table.ledger.events("named")[0].texts

    assert "Änne" in names.values()
    assert not any(
        "Änne" in str(row) for row in table.ledger.store.engine.rows("SELECT * FROM events")
    )


# The games in memory


@pytest.mark.bar("L4")
def test_a_cached_game_equals_its_replay(table):
    for number, dice in enumerate(trying("L4", tries("L4", every=60) // 2)):
        game_id = table.open(f"game-{number}")
        for _ in range(dice.randint(1, 12)):
            happens(table, game_id, dice)
            cached = table.ledger.game(game_id)

            assert cached == replay(game_id, table.ledger.events(game_id))
        assert cached == table.ledger.game_at(game_id, cached.version)


def happens(table, game_id, dice):
    """Draw any changes of the rounds of a game."""
    rows = table.ledger.game(game_id).sheet.rows
    with table.ledger.book_transaction(game_id) as transaction:
        kind = dice.choice(["round", "round", "corrected", "struck", "restored", "ended"])
        number = dice.randint(1, len(rows)) if rows else 1
        if kind in ("round", "corrected") or not rows:
            kind = kind if rows else "round"
            number = len(rows) + 1 if kind == "round" else number
            payload = table.round(number, dice.randint(0, 200))
        else:
            payload = {} if kind == "ended" else {"number": number}
        transaction.append(kind, payload, at=AT, by="pen", texts={f"note.{number}": kind})


def test_changes_of_another_process_are_seen(table, database):
    game_id = table.open()
    table.ledger.game(game_id)
    other = database.open()
    with other.book_transaction(game_id) as transaction:
        transaction.append("round", table.round(1, 30), at=AT, by="pen")
    other.close()

    assert points_of(table.ledger.game(game_id)) == [30]
    assert points_of(table.record(game_id, 40)) == [30, 40]


def test_a_round_rolled_back_is_not_cached(table):
    game_id = table.open()
    with pytest.raises(RuntimeError), table.ledger.book_transaction(game_id) as transaction:
        transaction.append("round", table.round(1, 10), at=AT, by="pen")
        table.ledger.game(game_id)
        raise RuntimeError

    assert points_of(table.ledger.game(game_id)) == []
    assert points_of(table.record(game_id, 20)) == [20]


# Once


def test_a_repeated_transaction_gets_its_first_event(table):
    game_id = table.open()
    first = table.record(game_id, 10, key="k", digest="d")
    table.record(game_id, 20)
    again = table.record(game_id, 10, key="k", digest="d")

    assert again == first
    assert points_of(table.ledger.game(game_id)) == [10, 20]


def test_the_same_key_with_another_body_is_refused(table):
    game_id = table.open()
    table.record(game_id, 10, key="k", digest="d")

    with pytest.raises(KeyReused):
        table.record(game_id, 11, key="k", digest="e")


def test_a_key_belongs_to_its_game(table):
    table.open("monday")
    table.open("tuesday")
    table.record("monday", 10, key="k", digest="d")
    tuesday = table.record("tuesday", 20, key="k", digest="e")

    assert points_of(tuesday) == [20]


def test_a_repeated_creation_makes_one_game(table):
    table.open("first", key="k", digest="d", browser="phone")

    with pytest.raises(AlreadyExists) as known:
        table.open("second", key="k", digest="d", browser="phone")
    with pytest.raises(KeyReused):
        table.open("second", key="k", digest="e", browser="phone")

    assert known.value.book_id == "first"
    assert table.ledger.created_with("k", "phone") == "first"
    assert table.ledger.created_with("k", "another phone") is None
    assert table.ledger.version("second") is None


def test_a_creation_key_belongs_to_its_browser(table):
    table.open("mine", key="1")
    table.open("yours", key="1")

    assert table.ledger.created_with("1", "phone") is None


def test_ten_concurrent_creations_make_one_game(table):
    def press(n):
        try:
            return table.open(f"game-{n}", key="k", browser="phone")
        except AlreadyExists as known:
            return known.book_id

    with ThreadPoolExecutor(10) as presses:
        assert len(set(presses.map(press, range(10)))) == 1
