"""A damaged event: its game reports it, all others still work."""

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from typing import Any

import pytest
from flask import Flask

import short
from rest import QUICK, Club, Table, codes
from scorekeeper.app import open_database
from scorekeeper.store.chain import canonical
from scorekeeper.store.check import check
from scorekeeper.store.errors import Damaged
from scorekeeper.store.reading import replayed

Harm = Callable[[dict[str, Any]], str]


def without(name: str) -> Harm:
    return lambda payload: canonical({key: payload[key] for key in payload if key != name})


def other(name: str, value: Any) -> Harm:
    return lambda payload: canonical({**payload, name: value})


HARMS: dict[str, Harm] = {
    "cut off": lambda payload: canonical(payload)[:-7],
    "not JSON": lambda _: "\x00\x01",
    "a list": lambda _: "[]",
    "nothing": lambda _: "",
    "no score": without("score"),
    "no facts": without("round"),
    "a number for the score": other("score", 7),
    "a text for the points": lambda payload: canonical(payload).replace("[12,", '["x",'),
    "a number for the facts": other("round", 7),
    "a reason that there is not": lambda payload: canonical(payload).replace(
        '"reason":"hand"', '"reason":7'
    ),
}


LATE = (HARMS["a number for the facts"], HARMS["a reason that there is not"])
"""Damage that is noticed only when the round is shown."""


def damage(app: Flask, game_id: str, harm: Harm) -> None:
    """Change the stored first round in spite of the triggers, and empty the caches."""
    app.extensions["ledger"].close()
    where = "WHERE book = ? AND number = 2"
    with closing(sqlite3.connect(app.config["DATA"])) as db, db:
        (payload,) = db.execute(f"SELECT payload FROM events {where}", (game_id,)).fetchone()
        db.execute("DROP TRIGGER events_stay")
        harmed = harm(json.loads(payload))
        db.execute(f"UPDATE events SET payload = ? {where}", (harmed, game_id))
    open_database(app)


@pytest.fixture
def tables(app: Flask) -> tuple[Table, Table]:
    """Two games of one browser; the first will be damaged."""
    app.config["PROPAGATE_EXCEPTIONS"] = False
    found = Table(app).begin(), Table(app).begin()
    for table in found:
        table.record(QUICK)
        table.record(QUICK)
    return found


@pytest.mark.parametrize("harm", HARMS.values(), ids=HARMS.keys())
def test_a_damaged_game_is_reported_and_others_still_work(
    app: Flask, tables: tuple[Table, Table], harm: Harm
) -> None:
    hurt, whole = tables
    damage(app, hurt.id, harm)
    ledger = app.extensions["ledger"]
    for table in tables:
        ledger.rights.remember("reader", table.id, table.pen)
    reader = app.test_client()
    reader.set_cookie("browser", "reader")

    for path in ("", "/settlement", "/rounds/1", "/sheet.pdf"):
        answer = hurt.get(f"/games/{{id}}{path}")
        if path and harm in LATE and answer.status_code == 200:
            continue  # it shows nothing of what is damaged
        assert (answer.status_code, codes(answer)) == (503, [("E_DAMAGED", [])]), path
        assert f"The data of {hurt.id} is damaged (entry 2)" in answer.json["detail"]
    page = reader.get(f"/g/{hurt.id}/round/1", headers={"Accept-Language": "en"})
    assert page.status_code == 503
    assert "(entry 2)" in page.text
    assert "scorekeeper check" in page.text
    home = reader.get("/", headers={"Accept-Language": "en"})
    assert home.status_code == 200
    assert f'href="/g/{whole.id}"' in home.text
    assert whole.get("/games/{id}").status_code == 200
    assert whole.record(QUICK).status_code == 201
    assert not check(ledger).good


@pytest.mark.parametrize("is_over", [False, True])
def test_one_damaged_game_leaves_every_other_page_of_its_reader(
    app: Flask, tables: tuple[Table, Table], is_over: bool
) -> None:
    """The next round of a game begins like the last one, a new game like the one before."""
    hurt, _ = tables
    fresh = Table(app).begin()
    ended = hurt if is_over else fresh
    ended.call("PATCH", "/games/{id}", {"over": True}, match=ended.version)
    damage(app, hurt.id, HARMS["cut off"])
    for table in (fresh, *tables):
        app.extensions["ledger"].rights.remember("reader", table.id, table.pen)
    reader = app.test_client()
    reader.set_cookie("browser", "reader")

    for path in ("/", "/evenings", "/new", "/referee", f"/g/{fresh.id}", f"/g/{fresh.id}/round"):
        answer = reader.get(path)
        allowed = (200, 303, 403) if path.startswith("/g/") else (200,)
        assert answer.status_code in allowed, path


@pytest.mark.parametrize("hurts_group", [False, True])
def test_one_damaged_evening_or_group_leaves_the_pages_of_the_others(
    app: Flask, hurts_group: bool
) -> None:
    app.config["PROPAGATE_EXCEPTIONS"] = False
    club, other = Club(app).found(), Club(app).found()
    hurt, _ = club.evening(), other.evening()
    hurt.record(short.body(0, 12, 5))
    club.call("PATCH", "/groups/{id}", {"name": "Dienstag"}, match=club.version)
    damage(app, club.id if hurts_group else hurt.id, HARMS["cut off"])
    for group in (club, other):
        app.extensions["ledger"].rights.remember("reader", group.id, group.pen)
    reader = app.test_client()
    reader.set_cookie("browser", "reader")

    paths = ["/", "/evenings", f"/s/{other.id}", f"/s/{other.id}/new"]
    if not hurts_group:
        paths += [f"/s/{club.id}", f"/s/{club.id}/new"]
        for path in ("", "/games"):
            assert club.get("/groups/{id}" + path).status_code == 200
    for path in paths:
        assert reader.get(path).status_code == 200, path
    if not hurts_group:
        for path in ("/", f"/s/{club.id}"):
            page = reader.get(path, headers={"Accept-Language": "en"}).text
            assert f"The data of {hurt.id} is damaged" in page


def test_damage_is_reported_at_its_event_also_after_a_game_in_memory(
    app: Flask, tables: tuple[Table, Table]
) -> None:
    hurt, _ = tables
    hurt.record(QUICK)
    *known, third, fourth = app.extensions["ledger"].events(hurt.id)
    game = replayed(hurt.id, known)
    harmed = json.loads(HARMS["a text for the points"](fourth.payload))
    damages = []
    for events in ([third, replace(fourth, payload=harmed)], [fourth, third]):
        with pytest.raises(Damaged) as refused:
            replayed(hurt.id, events, game)
        damages.append((refused.value.book_id, refused.value.number))
    with pytest.raises(Damaged, match=hurt.id):
        replayed(hurt.id, [])

    assert damages == [(hurt.id, 4), (hurt.id, 4)]


def test_check_reports_a_damaged_game_with_a_valid_chain(
    app: Flask, tables: tuple[Table, Table], monkeypatch: pytest.MonkeyPatch
) -> None:
    hurt, _ = tables
    damage(app, hurt.id, HARMS["not JSON"])
    monkeypatch.setattr("scorekeeper.store.book_check.broken_link", lambda *_: None)
    report = check(app.extensions["ledger"])

    assert report.line("replay").facts["places"] == ((hurt.id, 2),)
