"""Forged books: no import breaks a page, document, table or call (W9).

Each case is an export, changed in one to three places. It is imported over REST into a database
that all cases share, with or without ``as_it_was``, in one of the languages. The import must not
answer 5xx. About one in fourteen is accepted; then every page, PDF, table and call of the game, or
of the group and its first game, is requested once in that language, with the start page of a
browser that knows the book, and every page of the group's other games. None may answer 5xx.

Jobs for the pool run in this process (``Here``), because each is the same function there. The
tests of the pool cover its limits.
"""

import json
import os
import pickle
import time
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import pytest
from flask import Flask

from bars import tried, tries, trying
from forged_exports import Books, books, forge
from rest import ROOT
from scorekeeper.domain.replay import replay
from scorekeeper.i18n import LANGUAGES
from scorekeeper.services import imports
from scorekeeper.services.import_checks import Checked
from scorekeeper.services.imported_groups import CheckedGroup
from scorekeeper.workers.pool import SECONDS
from scorekeeper.workers.runner import Stopped
from web.pages.walk import OF_GAME, WITHOUT_GAME, everywhere

pytestmark = pytest.mark.sqlite  # test_every_route opens each page and call on both engines
Json = dict[str, Any]
THE_SAME = {*WITHOUT_GAME.values()} - {"/"}
"""Pages that show nothing of a book."""


@pytest.fixture(scope="module")
def valid(tmp_path_factory: pytest.TempPathFactory) -> Books:
    """The books to forge, made once."""
    return books(tmp_path_factory.mktemp("valid"))


class Here:
    """Runs jobs like the pool, but in this process.

    Arguments and results are pickled as on the way to a worker and back, and a job that exceeds
    its time limit counts as stopped.
    """

    def run(
        self,
        job: Callable[..., Any],
        *given: Any,
        client: Any,
        urgent: bool,
        gone: Any,
        **named: Any,
    ) -> Any:
        given, named = pickle.loads(pickle.dumps((given, named)))
        began = time.process_time()
        try:
            done, result = True, job(*given, **named)
        except Exception as error:
            done, result = False, error
        if time.process_time() - began > SECONDS:
            raise Stopped("time")
        result = pickle.loads(pickle.dumps(result))
        if done:
            return result
        raise result


class Reader:
    """Imports a book and requests everything that shows it."""

    def __init__(self, app: Flask) -> None:
        app.config["PROPAGATE_EXCEPTIONS"] = False
        app.extensions["workers"] = Here()
        self.app = app
        self.client = app.test_client()
        self.accepted = 0

    def import_book(self, book: Json, as_it_was: bool, lang: str) -> list[str]:
        """Return the addresses that answered 5xx, import first."""
        kind = "groups" if book["format"] == "scorekeeper group 1" else "games"
        path = f"{ROOT}/{kind}/import" + ("?as_it_was=true" if as_it_was else "")
        answer = self.client.post(path, json=book, headers={"Accept-Language": lang})
        if answer.status_code >= 500:
            return [f"{path}: {answer.status_code}"]
        if answer.status_code != 201:
            return []
        body = answer.json or {}
        self.accepted += 1
        browser = f"reader-{self.accepted}"  # the home page lists what a browser knows
        self.client.set_cookie("browser", browser)
        self.app.extensions["ledger"].rights.remember(browser, body["id"], body["pen"])
        broken = []
        for address in self.seen(book, body["id"]):
            status = self.look(address, body["pen"], lang)
            if status >= 500:
                broken.append(f"{address}: {status}")
        return broken

    def seen(self, book: Json, book_id: str) -> Iterator[str]:
        """Return all addresses that show something of an imported book."""
        group = book_id if "games" in book else "none"
        first, *others = [game["id"] for game in book.get("games", [])] or [book_id]
        for address in everywhere(self.app, f"/g/{first}", f"/s/{group}"):
            turned = ".pdf" in address and address.startswith(ROOT) == bool(self.accepted % 2)
            if "/none" not in address and address not in THE_SAME and not turned:
                yield address
        for game in others:
            yield f"/s/{group}/e/{game}"
            yield from (f"/g/{game}{path}" for path in OF_GAME.values())

    def look(self, address: str, pen: str, lang: str) -> int:
        known = {"Authorization": f"Bearer {pen}"} if address.startswith(ROOT) else {}
        with self.client.get(address, headers={"Accept-Language": lang, **known}) as answer:
            return answer.status_code


def cases(valid: Books, dice: Random) -> Iterator[Json]:
    """Draw a forged game or group of any family."""
    pool = valid.games if dice.random() < 0.6 else valid.groups
    yield forge(dice.choice(pool), dice, f"{dice.randrange(10**6):06}")


@pytest.mark.bar("W9")
def test_no_forged_book_breaks_the_import_or_a_page(app: Flask, valid: Books) -> None:
    reader = Reader(app)
    for dice in trying("W9"):
        for book in cases(valid, dice):
            broken = reader.import_book(book, dice.random() < 0.5, dice.choice(LANGUAGES))

            assert broken == [], json.dumps(book)[:200]
    assert reader.accepted or tries("W9") < 20 or "TRY" in os.environ


@pytest.mark.long
def test_valid_books_are_imported_and_all_their_pages_work(app: Flask, valid: Books) -> None:
    reader = Reader(app)
    for book in (*valid.games, *valid.groups):
        assert reader.import_book(json.loads(book), False, "en") == []
    assert reader.accepted == len(valid.games) + len(valid.groups)


def unchecked_game(book_id: str, events: Any, *_: Any) -> Checked[Any]:
    return Checked(replay(book_id, events), tuple(events))  # type: ignore[type-var]


def unchecked_group(book_id: str, events: Any, *_: Any) -> CheckedGroup:
    return CheckedGroup(replay(book_id, events), tuple(events))  # type: ignore[arg-type]


@pytest.mark.bar("W9", control="no checks")
def test_without_checks_the_same_books_break_pages(
    app: Flask, valid: Books, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(imports, "check_game", unchecked_game)
    monkeypatch.setattr(imports, "check_group", unchecked_group)
    monkeypatch.setattr(imports, "check_evening", lambda *_: ())
    reader = Reader(app)
    for number in range(200):
        dice = Random(f"control {number}")
        for book in cases(valid, dice):
            failed = bool(reader.import_book(book, True, "en"))
            tried(failed=int(failed))
            if failed:
                return
    pytest.fail("nothing broke")
