"""An answer that fails after the commit says that the change was saved, and never the opposite."""

from typing import Any

import pytest
from flask import Flask

from rest import QUICK, Club, Table, codes
from scorekeeper.i18n import LANGUAGES, language
from scorekeeper.store import NotSaved, Unreadable
from scorekeeper.store.postgres.engine import Engine as PostgresEngine
from scorekeeper.store.sql.names import Names
from scorekeeper.store.sql.seasons import Seasons
from scorekeeper.store.sqlite.engine import Engine as SqliteEngine
from scorekeeper.web.api import rounds
from scorekeeper.web.pages.group import views as group_pages
from scorekeeper.web.pages.new_game import views as game_pages

GROUP = {"name": "Runde", "members": [{"name": "Anna"}, {"name": "Ben"}]}
FAILURES = [Unreadable("gone"), NotSaved("full", disk_full=True), ZeroDivisionError()]


def failing(error: Exception) -> Any:
    def fail(*_: Any, **__: Any) -> Any:
        raise error

    return fail


@pytest.fixture
def app(app: Flask) -> Flask:
    """The app as it is in service, where an error that nobody expected becomes an answer."""
    app.config["PROPAGATE_EXCEPTIONS"] = False
    return app


def count(app: Flask, table: str) -> int:
    return int(app.extensions["ledger"].store.engine.row(f"SELECT count(*) FROM {table}")[0])


@pytest.mark.parametrize("error", FAILURES, ids=lambda error: type(error).__name__)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_group_that_was_saved_is_not_said_to_be_lost(
    app: Flask, error: Exception, lang: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Seasons, "running", failing(error))
    answer = Club(app).post("/groups", GROUP, lang=lang)

    assert answer.status_code >= 500
    assert [one["code"] for one in answer.json["problems"]] == ["E_SAVED"]
    assert answer.json["detail"] == language(lang)("E_SAVED")
    assert count(app, "books") == 1


def test_a_round_that_was_saved_is_not_said_to_be_lost(
    app: Flask, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its answer is built while the disk works."""
    with monkeypatch.context() as broken:
        broken.setattr(rounds, "_round_response", failing(Unreadable("gone")))
        failed = table.record(QUICK, key="once")
    again = table.record(QUICK, key="once")

    assert (failed.status_code, failed.json["problems"][0]["code"]) == (503, "E_SAVED")
    assert again.status_code == 201
    assert len(app.extensions["ledger"].game(table.id).sheet.rows) == 1


def test_a_round_whose_commit_fails_is_lost_even_if_its_answer_fails_too(
    app: Flask, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = app.extensions["ledger"].store.engine
    error = NotSaved("no disk")
    with monkeypatch.context() as broken:
        broken.setattr(rounds, "_round_response", failing(Unreadable("gone")))
        if isinstance(engine, SqliteEngine):
            broken.setattr(engine, "_require_in_place", failing(OSError("no disk")))
        else:
            broken.setattr(PostgresEngine, "_commit", failing(error))
        failed = table.record(QUICK)

    assert failed.status_code >= 500
    assert "E_SAVED" not in failed.text
    assert app.extensions["ledger"].game(table.id).sheet.rows == ()


@pytest.mark.parametrize("lang", LANGUAGES)
def test_what_was_not_saved_is_said_to_be_lost(
    app: Flask, lang: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = type(app.extensions["ledger"].store.events)
    monkeypatch.setattr(engine, "add_book", failing(Unreadable("gone")))
    answer = Club(app).post("/groups", GROUP, lang=lang)

    assert (answer.status_code, codes(answer)) == (503, [("E_NOT_NOW", [])])
    assert answer.json["detail"] == language(lang)("E_NOT_NOW")
    assert count(app, "books") == 0


def test_a_failed_query_after_a_change_is_an_ordinary_error(
    app: Flask, club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What an earlier request of the same thread has saved does not count."""
    monkeypatch.setattr(Seasons, "running", failing(Unreadable("gone")))

    assert codes(club.get("/groups/{id}")) == [("E_NOT_NOW", [])]


def test_a_refused_change_is_not_said_to_be_saved(
    app: Flask, club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Names, "words_of", failing(Unreadable("gone")))
    version = club.app.extensions["ledger"].version(club.id)
    refused = club.post("/groups/{id}/members", {"name": "Anna"})

    assert refused.status_code == 422
    assert club.app.extensions["ledger"].version(club.id) == version


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize(
    ("path", "view"), [("/new", game_pages), ("/groups/new", group_pages)], ids=["game", "group"]
)
def test_a_page_says_the_same(
    app: Flask, lang: str, path: str, view: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    for shown in ("share_page", "redirect"):
        monkeypatch.setattr(view, shown, failing(Unreadable("gone")), raising=False)
    browser = app.test_client()
    headers = {"Accept-Language": lang}
    form = browser.get(path, headers=headers).text
    fields = {
        name: form.split(f'name="{name}" value="')[1].split('"')[0]
        for name in ("csrf_token", "key")
    }
    fields |= {"name": ["Anna", "Ben"] if path == "/new" else "Runde", "do": "start"}
    fields |= {"preset": "german-family", "member": ["Anna", "Ben"]}
    page = browser.post(path, data=fields, headers=headers)

    assert page.status_code == 503
    assert language(lang)("E_SAVED") in page.text
    assert count(app, "books") == 1
