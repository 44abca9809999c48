"""Forged books: whatever is imported, no page, paper, table or call breaks (W9).

Each case is one export, changed in one to three places, and is imported over REST into a
record that all cases share, as it was or not, in one of the languages. That must not answer
5xx. About one in fourteen is accepted; then every page, paper, table and call of the game, or
of the group and its first game, is asked for once in that language, with the home page of a
browser that knows the book, and every page of the group's other games. None may answer 5xx.

Jobs for the pool are done in this process (``Here``), since each is the same function there;
that processes are killed where they take too much is tested with the pool.
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
from forged import Books, books, forge
from rest import ROOT
from scorekeeper.domain.replay import replay
from scorekeeper.services import imports
from scorekeeper.services.import_checks import Checked
from scorekeeper.services.imported_groups import CheckedGroup
from scorekeeper.store.sqlite import engine
from scorekeeper.workers.pool import SECONDS, Stopped
from web.pages.walk import OF_GAME, WITHOUT_GAME, everywhere

Json = dict[str, Any]
LANGUAGES = ("de", "en", "lb")
THE_SAME = {*WITHOUT_GAME.values()} - {"/"}
"""Pages that show nothing of any book."""


@pytest.fixture(scope="module")
def valid(tmp_path_factory: pytest.TempPathFactory) -> Books:
    """The books that are forged, made once."""
    return books(tmp_path_factory.mktemp("valid"))


@pytest.fixture(autouse=True)
def _unsynced(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits for the disk of a record that nobody keeps."""
    monkeypatch.setattr(engine, "FULL", 0)


class Here:
    """Does jobs as the pool does, in this process.

    What goes in and what comes out is pickled as on the way to a worker and back, and a job
    that takes longer than it may counts as stopped.
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
    """Imports a book and looks at everything that can be seen of it."""

    def __init__(self, app: Flask) -> None:
        app.config["PROPAGATE_EXCEPTIONS"] = False
        app.extensions["workers"] = Here()
        self.app = app
        self.client = app.test_client()
        self.accepted = 0

    def take_in(self, book: Json, as_it_was: bool, lang: str) -> list[str]:
        """Return the addresses that answered 5xx, import first."""
        kind = "groups" if book["format"] == "scorekeeper group 1" else "games"
        path = f"{ROOT}/{kind}/import" + ("?as_it_was=true" if as_it_was else "")
        answer = self.client.post(path, json=book, headers={"Accept-Language": lang})
        if answer.status_code >= 500:
            return [f"{path}: {answer.status_code}"]
        if answer.status_code != 201:
            return []
        told = answer.json or {}
        self.accepted += 1
        browser = f"reader-{self.accepted}"  # the home page lists what a browser knows
        self.client.set_cookie("browser", browser)
        self.app.extensions["ledger"].rights.remember(browser, told["id"], told["pen"])
        broken = []
        for address in self.seen(book, told["id"]):
            status = self.look(address, told["pen"], lang)
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
    """A forged game, or group, of any family."""
    pool = valid.games if dice.random() < 0.6 else valid.groups
    yield forge(dice.choice(pool), dice, f"{dice.randrange(10**6):06}")


@pytest.mark.bar("W9")
def test_no_forged_book_breaks_an_import_or_any_page_after_it(app: Flask, valid: Books) -> None:
    reader = Reader(app)
    for dice in trying("W9"):
        for book in cases(valid, dice):
            broken = reader.take_in(book, dice.random() < 0.5, dice.choice(LANGUAGES))

            assert broken == [], json.dumps(book)[:200]
    assert reader.accepted or tries("W9") < 20 or "TRY" in os.environ


def test_valid_books_come_in_and_every_page_of_them_is_there(app: Flask, valid: Books) -> None:
    reader = Reader(app)
    for book in (*valid.games, *valid.groups):
        assert reader.take_in(json.loads(book), False, "en") == []
    assert reader.accepted == len(valid.games) + len(valid.groups)


def unchecked_game(book_id: str, events: Any, *_: Any) -> Checked[Any]:
    return Checked(replay(book_id, events), tuple(events))  # type: ignore[type-var]


def unchecked_group(book_id: str, events: Any, *_: Any) -> CheckedGroup:
    return CheckedGroup(replay(book_id, events), tuple(events))  # type: ignore[arg-type]


@pytest.mark.bar("W9", control="no checks")
def test_the_same_books_break_pages_where_nothing_is_checked(
    app: Flask, valid: Books, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(imports, "check_game", unchecked_game)
    monkeypatch.setattr(imports, "check_group", unchecked_group)
    monkeypatch.setattr(imports, "check_evening", lambda *_: ())
    reader = Reader(app)
    for number in range(200):
        dice = Random(f"control {number}")
        for book in cases(valid, dice):
            failed = bool(reader.take_in(book, True, "en"))
            tried(failed=int(failed))
            if failed:
                return
    pytest.fail("nothing broke")
