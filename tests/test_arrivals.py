"""What comes from elsewhere is held to what could have been written here."""

from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest
from flask import Flask

from rest import QUICK, Table, codes
from scorekeeper.domain.book import Event
from scorekeeper.store.chain import links

Json = dict[str, Any]
ABROAD = "table-7"


@pytest.fixture
def table(app: Flask) -> Table:
    return Table(app).begin()


def forged(table: Table, change: Callable[[Json], object]) -> Json:
    """An export of which every link fits, whatever was changed in it."""
    data: Json = deepcopy(table.get("/games/{id}/export.json").json)
    change(data)
    names = ("number", "at", "kind", "by", "payload")
    events = [Event(*(event[name] for name in names)) for event in data["events"]]
    *_, head = links(ABROAD, events)
    return data | {"id": ABROAD, "head": head.hex()}


def began(at: str) -> Callable[[Json], object]:
    return lambda data: data["events"][0].update(at=at)


def says(field: str, text: str) -> Callable[[Json], object]:
    return lambda data: data["texts"]["1"].update({field: text})


def test_a_game_comes_in_under_any_id_and_a_new_round_of_it_is_seen_at_once(table: Table) -> None:
    opened = table.post("/games/import", forged(table, says("note.1", "wie gehabt"))).json
    table.id, table.pen = ABROAD, opened["pen"]
    seen = {"headers": {"If-None-Match": '"1"'}}
    unchanged = [table.get("/games/{id}", **seen).status_code for _ in range(2)]

    assert unchanged == [304, 304]
    assert table.post("/games/{id}/rounds", QUICK, key="k").status_code == 201
    assert table.get("/games/{id}", **seen).status_code == 200


@pytest.mark.parametrize(
    "change",
    [
        began("yesterday"),
        began("2026-02-30T20:00:00Z"),
        began("2026-06-12T20:00:00+02:00"),
        began("0001-01-01T00:00:00Z"),
        began("9999-12-31T23:59:59Z"),
        says("name.99", "Anna"),
        says("name.abc", "Anna"),
        says("member.0", "Anna"),
        says("iban.0", "LU28 0019 4006 4475 0000"),
        says("\ud800", "Anna"),
        says("name.0", " Anna"),
        says("name.0", "Rene\u0301e"),
    ],
)
def test_times_and_words_that_nobody_could_have_written_here_stay_out(
    table: Table, change: Callable[[Json], object]
) -> None:
    answer = table.post("/games/import", forged(table, change))

    assert (answer.status_code, codes(answer)) == (422, [("E_IMPORT", [])])
