"""A game is exported and imported without loss (B3)."""

import json
from copy import deepcopy

import pytest

from bars import trying
from scorekeeper.domain.game.state import Game
from scorekeeper.domain.replay import replay
from scorekeeper.store import AlreadyExists, BadExport
from scorekeeper.store.check import check
from scorekeeper.store.exports import read_export


@pytest.fixture
def exported(table):
    game_id = table.open(key="start", digest="body")
    table.record(game_id, 25, key="k", digest="d")
    table.correct(game_id, 1, 30)
    return table.ledger.export(game_id)


def sent(data):
    return json.loads(json.dumps(data))


def brought(ledger, data):
    game_id, events = read_export(Game, data)
    game = replay(game_id, events)
    return game, ledger.import_book(game, events)


@pytest.mark.bar("B3")
def test_an_imported_game_has_the_same_head_history_and_texts(table, elsewhere):
    for evening, dice in enumerate(trying("B3")):
        game_id = table.open(f"evening-{evening}")
        for _ in range(dice.randint(0, 12)):
            table.record(game_id, dice.randint(0, 300))
        data = sent(table.ledger.export(game_id))
        game, _ = brought(elsewhere, data)

        assert elsewhere.head(game_id) == table.ledger.head(game_id) == data["head"]
        assert game == elsewhere.game(game_id) == table.ledger.game(game_id)
        assert elsewhere.export(game_id) == data
    assert check(elsewhere).good


def test_the_secrets_of_a_game_are_not_exported(table, elsewhere, exported):
    _, (pen, watch) = brought(elsewhere, sent(exported))

    assert elsewhere.rights.of_secret("evening", table.pen) is None
    assert elsewhere.rights.of_secret("evening", pen) == "pen"
    assert elsewhere.rights.of_secret("evening", watch) == "watch"


def test_an_existing_game_is_reported_and_not_imported_twice(table, exported):
    with pytest.raises(AlreadyExists) as known:
        brought(table.ledger, sent(exported))

    assert known.value.book_id == "evening"
    assert table.ledger.rights.of_secret("evening", table.pen) == "pen"


def test_a_repeated_round_is_recognised_after_an_import(table_at, elsewhere, exported):
    brought(elsewhere, sent(exported))
    again = table_at(elsewhere).record("evening", 25, key="k", digest="d")

    assert again.version == 2
    assert elsewhere.version("evening") == 3


CHANGES = {
    "points": lambda data: data["events"][1]["payload"]["score"]["scores"][1].__setitem__(0, 1),
    "time": lambda data: data["events"][1].update(at="2020-01-01T00:00:00Z"),
    "key": lambda data: data["events"][1].update(key=None),
    "last missing": lambda data: data["events"].pop(),
    "first missing": lambda data: data["events"].pop(0),
    "turned round": lambda data: data["events"].reverse(),
    "none": lambda data: data["events"].clear(),
    "head": lambda data: data.update(head="0" * 64),
    "id": lambda data: data.update(id="another"),
    "hostile id": lambda data: data.update(id="../evening"),
    "format": lambda data: data.update(format="scorekeeper game 99"),
    "texts": lambda data: data.update(texts=[]),
    "a text": lambda data: data["texts"]["1"].update(title=1),
    "an event": lambda data: data["events"].__setitem__(0, "created"),
    "a number": lambda data: data["events"][0].update(number=1.0),
    "a payload": lambda data: data["events"][0].update(payload=[]),
    "no events": lambda data: data.pop("events"),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES.keys())
def test_a_changed_or_broken_export_is_refused_and_nothing_is_written(elsewhere, exported, change):
    data = deepcopy(sent(exported))
    change(data)

    with pytest.raises(BadExport):
        brought(elsewhere, data)

    assert elsewhere.version("evening") is None
    assert elsewhere.store.engine.rows("SELECT * FROM events") == []


@pytest.mark.parametrize("harm", [{"number": 7}, {"number": "1"}, {"payload": []}])
def test_an_event_of_an_export_has_its_number_and_a_payload(exported, harm):
    data = sent(exported)
    data["events"][0] |= harm

    with pytest.raises(BadExport, match=r"^an event without number or payload$"):
        read_export(Game, data)
