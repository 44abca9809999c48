"""The path of a round from a request to its row: scored once, outside the transaction."""

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from flask import Flask

from rest import QUICK, Table
from scorekeeper.domain.game import changes
from scorekeeper.domain.game import state as game
from scorekeeper.domain.rounds.facts import Round
from scorekeeper.services import games
from scorekeeper.services.writes import Stale
from scorekeeper.store.writes import PROGRAM, Write
from scorekeeper.web import background
from web.pages.conftest import Browser

STEPS = [
    (background, "score_round"),
    (changes, "encode_round"),
    (changes, "encode_score"),
    (games, "encode_round"),
    (game, "decode_round"),
    (game, "decode_score"),
]
"""Where a round changes its form."""


@pytest.fixture
def table(app: Flask) -> Table:
    return Table(app).begin()


@pytest.fixture
def anna(app: Flask) -> Browser:
    return Browser(app)


@pytest.fixture
def walked(app: Flask, monkeypatch: pytest.MonkeyPatch) -> Counter[tuple[str, bool]]:
    """Count each step, with whether it was taken inside a write transaction."""
    steps: Counter[tuple[str, bool]] = Counter()
    store = app.extensions["ledger"].store

    def counted(name: str, step: Callable[..., Any]) -> Callable[..., Any]:
        def count(*args: Any, **more: Any) -> Any:
            steps[name, store.in_transaction] += 1
            return step(*args, **more)

        return count

    for module, name in STEPS:
        monkeypatch.setattr(module, name, counted(name, getattr(module, name)))
    return steps


ONCE = {
    ("score_round", False): 1,
    ("encode_round", False): 1,
    ("encode_score", True): 1,
    ("decode_round", True): 1,
    ("decode_score", True): 1,
}


def test_a_round_over_rest_is_scored_and_encoded_once(table: Table, walked) -> None:
    assert table.record(QUICK).status_code == 201
    assert walked == ONCE


def test_a_round_saved_on_a_page_is_scored_and_encoded_once(anna: Browser, walked) -> None:
    table = anna.begin()
    form = anna.filled(f"{table}/round", winner="0", hand__1="12", hand__2="35", hand__3="60")
    walked.clear()

    assert anna.post(f"{table}/round", {**form, "do": "save"}).status_code == 303
    assert walked == ONCE


def test_a_correction_on_a_page_is_scored_and_encoded_once(anna: Browser, walked) -> None:
    table = anna.begin()
    anna.enter(table, 0, hand__1="12", hand__2="35", hand__3="60")
    form = anna.filled(f"{table}/round/1/correct", hand__1="13")
    walked.clear()

    assert anna.post(f"{table}/round/1/correct", {**form, "do": "save"}).status_code == 303
    assert walked == ONCE


def test_a_repeat_is_answered_with_the_first_result_after_a_player_has_joined(table: Table) -> None:
    first = table.record(QUICK, key="press")
    joined = table.call("PATCH", "/games/{id}", {"player": {"name": "Emil"}}, match=table.version)
    assert joined.status_code == 200
    assert table.record(QUICK, key="new").status_code == 422  # a seat is missing now

    again = table.record(QUICK, key="press")

    assert (again.status_code, again.json) == (first.status_code, first.json)


def test_a_form_sent_twice_is_saved_once_although_a_player_has_joined(anna: Browser) -> None:
    table = anna.begin()
    form = anna.filled(f"{table}/round", winner="0", hand__1="12", hand__2="35", hand__3="60")
    sent = {**form, "do": "save"}
    assert anna.post(f"{table}/round", sent).status_code == 303
    anna.send(f"{table}/players", page=f"{table}/more", name="Emil")

    assert anna.post(f"{table}/round", sent).status_code == 303
    assert anna.get(f"{table}/round/2").status_code == 404


def test_a_round_scored_for_fewer_players_is_stale(table: Table) -> None:
    ledger = table.app.extensions["ledger"]
    facts = Round(outcome="cancelled")
    scored = changes.score_for(ledger.game(table.id), facts)
    games.add_player(ledger, table.id, "Emil", PROGRAM)

    with pytest.raises(Stale):
        games.record_round(ledger, table.id, scored, Write(key="k"))
