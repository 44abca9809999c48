"""Polling is answered 304 cheaply, and never with an outdated version."""

from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import create_environ

import short
from scorekeeper.domain.game.changes import NewGame
from scorekeeper.domain.group.changes import NewGroup
from scorekeeper.services import games, groups
from scorekeeper.store import cache, open_ledger
from scorekeeper.store.rights import digest
from scorekeeper.store.writes import Write
from scorekeeper.web import conditional_requests


class Evening:
    """A game on a server, and a phone that polls it."""

    def __init__(self, app: Any) -> None:
        self.app = app
        self.ledger = app.extensions["ledger"]
        rules = games.new_rules("german-family", {})
        order = NewGame("Abend", "", rules, ("Anna", "Bernd"))
        self.opened = games.create_game(self.ledger, order, browser="phone")
        self.id = self.opened.game.id
        self.browser = "phone"

    def ask(self, tag: str | None = None, **headers: str) -> Any:
        client: FlaskClient = self.app.test_client()
        client.set_cookie("browser", self.browser)
        more = {"If-None-Match": tag} if tag else {}
        return client.get(f"/g/{self.id}", headers={**more, **headers})

    def play(self) -> None:
        short.record(self.ledger, self.id, 0, 12)


@pytest.fixture
def evening(app: Flask) -> Evening:
    return Evening(app)


def test_an_unchanged_board_gets_the_same_answer_every_time(evening: Evening) -> None:
    tag = evening.ask().headers["ETag"]

    answers = [evening.ask(tag) for _ in range(3)]

    assert [answer.status_code for answer in answers] == [304] * 3
    for answer in answers:
        del answer.headers["X-Request-Id"]
    first, *others = (dict(answer.headers) for answer in answers)
    assert all(headers == first for headers in others)
    assert "Content-Security-Policy" in first


def test_a_new_round_is_seen_at_once(evening: Evening) -> None:
    tag = evening.ask().headers["ETag"]
    assert evening.ask(tag).status_code == evening.ask(tag).status_code == 304

    evening.play()

    assert evening.ask(tag).status_code == 200


@pytest.mark.bar("A3")
def test_a_replaced_pen_is_refused_on_the_next_poll(evening: Evening) -> None:
    tag = evening.ask().headers["ETag"]
    assert evening.ask(tag).status_code == evening.ask(tag).status_code == 304

    games.replace_secret(evening.ledger, evening.id, "pen", write=Write())

    assert evening.ask(tag).status_code == 404


# ---- another right of the same browser -----------------------------------------------


@pytest.mark.parametrize("of_group", [False, True])
def test_who_watched_and_is_given_the_pen_sees_the_board_with_it(
    evening: Evening, of_group: bool
) -> None:
    book_id, pen, watch = evening.id, evening.opened.pen, evening.opened.watch
    if of_group:
        group = groups.create_group(evening.ledger, NewGroup("Runde", ()))
        groups.admit_game(evening.ledger, group.group.id, evening.id, write=Write())
        book_id, pen, watch = group.group.id, group.pen, group.watch
    evening.browser = "another phone"
    evening.ledger.rights.remember(evening.browser, book_id, watch)
    tag = evening.ask().headers["ETag"]
    assert evening.ask(tag).status_code == evening.ask(tag).status_code == 304

    evening.ledger.rights.remember(evening.browser, book_id, pen)

    assert evening.ask(tag).status_code == 200
    with pytest.raises(conditional_requests.NotInMemory):
        at_once(evening, tag)


def test_a_phone_whose_evenings_moved_to_another_one_gets_none_of_them(evening: Evening) -> None:
    tag = evening.ask().headers["ETag"]
    assert evening.ask(tag).status_code == evening.ask(tag).status_code == 304

    evening.ledger.rights.copy(digest("phone"), "new phone", moves=True)

    assert evening.ask(tag).status_code == 404


def test_another_reader_gets_another_answer(evening: Evening) -> None:
    tag = evening.ask().headers["ETag"]
    assert evening.ask(tag).status_code == evening.ask(tag).status_code == 304

    stranger = evening.app.test_client().get(f"/g/{evening.id}", headers={"If-None-Match": tag})
    in_english = evening.ask(tag, **{"Accept-Language": "en"})

    assert (stranger.status_code, in_english.status_code) == (404, 200)


def test_long_queries_do_not_fill_the_memory(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The oldest entries are dropped over the limit, and their requests are still answered."""
    monkeypatch.setattr(conditional_requests, "MAX_BYTES", 20_000)
    tag = evening.ask().headers["ETag"]
    client: FlaskClient = evening.app.test_client()
    client.set_cookie("browser", "phone")
    cache = evening.app.extensions["not_modified_cache"]
    for number in range(50):
        headers = {"If-None-Match": tag, "Accept-Language": "de" + " " * 1000}
        path = f"/g/{evening.id}?x={number}{'y' * 1000}"
        assert client.get(path, headers=headers).status_code == 304

    assert 1 < len(cache) < 20
    assert evening.ask(tag).status_code == 304


# ---- at once -------------------------------------------------------------------------


def at_once(evening: Evening, tag: str, path: str = "") -> str:
    """Return the answer that comes from memory alone."""
    headers = {"If-None-Match": tag, "Cookie": f"browser={evening.browser}"}
    environ = create_environ(path or f"/g/{evening.id}", headers=headers)
    body: list[str] = []
    evening.app(
        {**environ, conditional_requests.FROM_MEMORY: True}, lambda status, *_: body.append(status)
    )
    return body[0]


@pytest.mark.sqlite  # PostgreSQL is asked for the version
def test_an_unchanged_board_is_answered_from_memory(evening: Evening, clock: list[float]) -> None:
    tag = evening.ask().headers["ETag"]
    with pytest.raises(conditional_requests.NotInMemory):
        at_once(evening, tag)
    assert evening.ask(tag).status_code == 304

    assert at_once(evening, tag).startswith("304")
    with pytest.raises(conditional_requests.NotInMemory):
        at_once(evening, tag, "/")
    clock[0] += cache.HEADS_TTL_S
    with pytest.raises(conditional_requests.NotInMemory):
        at_once(evening, tag)


def test_an_answer_from_memory_ends_with_a_new_round(evening: Evening, clock: list[float]) -> None:
    tag = evening.ask().headers["ETag"]
    evening.ask(tag)
    evening.play()

    with pytest.raises(conditional_requests.NotInMemory):
        at_once(evening, tag)


# ---- versions in memory --------------------------------------------------------------


@pytest.fixture
def queries(evening: Evening, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Record the queries of the database from now on."""
    looked, rows = [], evening.ledger.store.engine.rows

    def look(sql: str, *values: object) -> object:
        looked.append(sql)
        return rows(sql, *values)

    monkeypatch.setattr(evening.ledger.store.engine, "rows", look)
    return looked


@pytest.mark.sqlite
def test_polling_an_unchanged_game_never_waits_for_the_disk(
    evening: Evening, clock: list[float], queries: list[str]
) -> None:
    tag = evening.ask().headers["ETag"]
    assert evening.ask(tag).status_code == 304
    queries.clear()

    assert [evening.ask(tag).status_code for _ in range(3)] == [304] * 3

    assert queries == []


def test_changes_of_another_process_are_seen_after_a_few_seconds(
    evening: Evening, clock: list[float]
) -> None:
    tag = evening.ask().headers["ETag"]
    assert evening.ask(tag).status_code == 304
    tool = open_ledger(evening.app.config["DATA"])
    short.record(tool, evening.id, 0, 12)
    tool.close()

    clock[0] += cache.HEADS_TTL_S

    assert evening.ask(tag).status_code == 200


def test_a_version_read_before_a_change_is_not_cached(evening: Evening, clock: list[float]) -> None:
    ledger = evening.ledger
    rows = ledger.store.engine.rows

    def slow(sql: str, *values: object) -> object:
        found = rows(sql, *values)
        ledger.store.engine.rows = rows
        evening.play()  # while a phone still holds what it read
        return found

    ledger.store.engine.rows = slow
    before = ledger.versions(evening.id)

    assert ledger.versions(evening.id) == (before[0] + 1,)


def test_a_change_of_its_group_is_seen_at_once(evening: Evening, clock: list[float]) -> None:
    ledger = evening.ledger
    group = groups.create_group(ledger, NewGroup("Runde", ())).group
    (alone,) = ledger.versions(evening.id)

    groups.admit_game(ledger, group.id, evening.id, write=Write())
    both = ledger.versions(evening.id)
    groups.rename_group(ledger, group.id, "Stammtisch", write=Write())

    assert len(both) == 2 and alone in both
    assert sum(ledger.versions(evening.id)) == sum(both) + 1
