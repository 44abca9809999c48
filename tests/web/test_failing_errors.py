"""A database that cannot be read fails the error handlers too; they still answer."""

import sqlite3
from contextlib import closing
from typing import Any
from unittest.mock import Mock

import pytest
from flask import Flask

from rest import QUICK, Club, Table, codes
from scorekeeper.domain.errors import Problem
from scorekeeper.i18n import language
from scorekeeper.store import NotFound, NotSaved, Unreadable
from scorekeeper.store.errors import OutcomeUnknown
from scorekeeper.store.ledger import Ledger
from scorekeeper.web.errors import BY_STATUS
from scorekeeper.web.rate_limits import limits_from
from web.pages.conftest import Browser

ERRORS = [
    (ZeroDivisionError(), 500),
    (Unreadable("gone"), 503),
    (NotSaved("gone"), 503),
    (NotSaved("full", disk_full=True), 507),
    (OutcomeUnknown("perhaps"), 503),
    (NotFound("gone"), 404),
]


def code_of(error: Exception) -> str:
    """Return the code of an error that its status does not tell."""
    return "E_OUTCOME_UNKNOWN" if isinstance(error, OutcomeUnknown) else ""


def break_after(
    app: Flask, monkeypatch: pytest.MonkeyPatch, endpoint: str, error: Exception
) -> None:
    """Make a view fail, and from then on every query of the database."""

    def unreadable(*_: Any, **__: Any) -> Any:
        raise Unreadable("gone")

    def view(**_: Any) -> Any:
        monkeypatch.setattr(app.extensions["ledger"].store.engine, "rows", unreadable)
        raise error

    app.config["PROPAGATE_EXCEPTIONS"] = False
    monkeypatch.setitem(app.view_functions, endpoint, view)


@pytest.mark.parametrize(("error", "status"), ERRORS)
@pytest.mark.parametrize("kind", ["game", "group"])
def test_the_api_answers_though_nothing_can_be_read(
    app: Flask, monkeypatch: pytest.MonkeyPatch, kind: str, error: Exception, status: int
) -> None:
    table = Table(app).begin() if kind == "game" else Club(app).found()
    break_after(app, monkeypatch, f"api.read_{kind}", error)

    answer = table.get(f"/{kind}s/{{id}}")
    expected = code_of(error) or BY_STATUS[status][0]
    assert (answer.status_code, codes(answer)) == (status, [(expected, [])])


@pytest.mark.parametrize(("error", "status"), ERRORS)
@pytest.mark.parametrize(("kind", "endpoint"), [("game", "board"), ("group", "group")])
def test_a_page_answers_though_nothing_can_be_read(
    app: Flask,
    monkeypatch: pytest.MonkeyPatch,
    kind: str,
    endpoint: str,
    error: Exception,
    status: int,
) -> None:
    table = Table(app).begin() if kind == "game" else Club(app).found()
    app.extensions["ledger"].rights.remember("reader", table.id, table.pen)
    reader = app.test_client()
    reader.set_cookie("browser", "reader")
    break_after(app, monkeypatch, f"pages.{endpoint}", error)

    page = reader.get(f"/{'g' if kind == 'game' else 's'}/{table.id}")
    assert page.status_code == status
    assert "<h1" in page.text
    assert not code_of(error) or language("de").problem(Problem(code_of(error))) in page.text


def harm(app: Flask, book_id: str) -> None:
    """Change the stored first event of a book in spite of the triggers."""
    with closing(sqlite3.connect(app.config["DATA"])) as db, db:
        db.execute("DROP TRIGGER events_stay")
        db.execute("UPDATE events SET hash = x'00' WHERE book = ? AND number = 1", (book_id,))


@pytest.mark.parametrize(("kind", "endpoint"), [("game", "board"), ("group", "group")])
def test_an_error_in_a_damaged_book_names_its_damage(
    app: Flask, monkeypatch: pytest.MonkeyPatch, kind: str, endpoint: str
) -> None:
    table = Table(app).begin() if kind == "game" else Club(app).found()
    reader = Browser(app, "en")
    reader.client.set_cookie("browser", "reader")
    app.extensions["ledger"].rights.remember("reader", table.id, table.pen)

    def broken(**_: Any) -> Any:
        raise ZeroDivisionError

    app.config["PROPAGATE_EXCEPTIONS"] = False
    monkeypatch.setitem(app.view_functions, f"api.read_{kind}", broken)
    monkeypatch.setitem(app.view_functions, f"pages.{endpoint}", broken)
    path = f"/{'g' if kind == 'game' else 's'}/{table.id}"
    whole = table.get(f"/{kind}s/{{id}}"), reader.get(path)
    harm(app, table.id)
    damaged = table.get(f"/{kind}s/{{id}}"), reader.get(path)
    said = f"The data of {table.id} is damaged (entry 1)"

    assert [answer.status_code for answer in whole] == [500, 500]
    assert codes(whole[0]) == [("E_SERVER", [])]
    assert said not in whole[1].text
    assert [answer.status_code for answer in damaged] == [503, 503]
    assert codes(damaged[0]) == [("E_DAMAGED", [])]
    assert said in damaged[0].json["detail"]
    assert said in damaged[1].text


def test_a_game_erased_during_a_request_is_not_found(
    app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = Table(app).begin()

    def gone(self: Ledger, game_id: str) -> Any:
        raise NotFound(game_id)

    app.config["PROPAGATE_EXCEPTIONS"] = False
    monkeypatch.setattr(Ledger, "game", gone)
    assert table.record(QUICK).status_code == 404


def test_a_saved_round_is_answered_though_the_shared_limits_cannot_be_reached(
    app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = Table(app).begin()
    store = Mock(**{"over.return_value": -1, "charge.side_effect": Unreadable("gone")})
    app.config["LIMIT_LOOPBACK"] = True
    monkeypatch.setitem(app.extensions, "limits", limits_from(app.config, store))

    assert table.record(QUICK).status_code == 201
    assert store.charge.called
