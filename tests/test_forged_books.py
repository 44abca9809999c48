"""Forged books: whatever is imported, no page, paper, table or call breaks (W9)."""

import json
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from flask import Flask

from bars import tried, tries, trying
from forged import Books, books, forge
from pages.walk import everywhere
from rest import ROOT
from scorekeeper import imports, pooled
from scorekeeper.api import travel
from scorekeeper.domain.replay import replay
from scorekeeper.import_checks import Checked, CheckedGroup

Json = dict[str, Any]
LANGUAGES = ("de", "en", "lb")


@pytest.fixture(scope="module")
def valid(tmp_path_factory: pytest.TempPathFactory) -> Books:
    """The books that are forged, made once."""
    return books(tmp_path_factory.mktemp("valid"))


class Reader:
    """Imports a book and looks at everything that can be seen of it."""

    def __init__(self, app: Flask) -> None:
        app.config["PROPAGATE_EXCEPTIONS"] = False
        self.app = app
        self.client = app.test_client()
        self.client.set_cookie("browser", "reader")

    def take_in(self, book: Json, as_it_was: bool, lang: str) -> list[str]:
        """What broke: the addresses that answered 5xx, import first."""
        kind = "groups" if book["format"] == "scorekeeper group 1" else "games"
        path = f"{ROOT}/{kind}/import" + ("?as_it_was=true" if as_it_was else "")
        answer = self.client.post(path, json=book, headers={"Accept-Language": lang})
        if answer.status_code >= 500:
            return [f"{path}: {answer.status_code}"]
        if answer.status_code != 201:
            return []
        told = answer.json or {}
        self.accepted += 1
        self.app.extensions["ledger"].remember("reader", told["id"], told["pen"])
        games = [game["id"] for game in book.get("games", [])] or [told["id"]]
        group = told["id"] if kind == "groups" else "none"
        broken = []
        for game in games:
            seen = list(everywhere(self.app, f"/g/{game}", f"/s/{group}"))
            for address in seen if game == games[0] else seen[:40]:
                if group == "none" and "/none" in address:
                    continue
                status = self.look(address, told["pen"], lang)
                if status >= 500:
                    broken.append(f"{address}: {status}")
        return broken

    accepted = 0

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
    assert reader.accepted or tries("W9") < 20


def test_valid_books_come_in_and_every_page_of_them_is_there(app: Flask, valid: Books) -> None:
    reader = Reader(app)
    for book in (*valid.games, *valid.groups):
        assert reader.take_in(book, False, "en") == []
    assert reader.accepted == len(valid.games) + len(valid.groups)


def unchecked_game(book_id: str, events: Any, *_: Any) -> Checked[Any]:
    return Checked(replay(book_id, events), tuple(events))  # type: ignore[type-var]


def unchecked_group(book_id: str, events: Any, *_: Any) -> CheckedGroup:
    return CheckedGroup(replay(book_id, events), tuple(events))  # type: ignore[arg-type]


@pytest.mark.bar("W9", control="no checks")
def test_the_same_books_break_pages_where_nothing_is_checked(
    app: Flask, valid: Books, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(travel, "in_pool_later", lambda job, *given: job(*given))
    monkeypatch.setattr(pooled, "in_pool_later", lambda job, *given: job(*given))
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
