"""Write the database of a release, which every later version must be able to open.

``python tools/released.py 1.1.0``, once per release, at its commit. It plays evenings of every
rule system and the years of a group over REST, and writes to tests/data/databases/

- 1.1.0.sql.gz: the database;
- 1.1.0.json.gz: the secrets of its books, the page that a phone had open, and every answer.

Neither is written again afterwards; tests/store/test_releases.py compares both with what the
current version makes of them. The tool uses nothing but REST and HTML forms, so that a version
older than the tool can be asked too: ``PYTHONPATH=CHECKOUT CHECKOUT/.venv/bin/python
tools/released.py 1.0.0``.
"""

import gzip
import json
import re
import sqlite3
import sys
from collections.abc import Mapping
from contextlib import closing
from dataclasses import asdict, dataclass, field
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from flask.testing import FlaskClient

from scorekeeper import create_app

ROOT = Path(__file__).parents[1]
RELEASES = ROOT / "tests" / "data" / "databases"
API = "/api/v1"
ANNA, BERND, CLAIRE, DIETER = ({"name": name} for name in ("Anna", "Bernd", "Claire", "Dieter"))
TABLES = ("rounds", "totals", "settlements", "payments")
CSV = tuple(f"/export.csv?table={table}" for table in TABLES)
GAME_ANSWERS = ("", "/history", "/settlement", "/export.json", *CSV)
GROUP_ANSWERS = (
    *("", "/games?limit=100", "/money", "/statement", "/history", "/encounters", "/export.json"),
    *("/members/0", "/members/1", "/statement?member=1"),
    *(f"/season?year=all&family=all&by={by}" for by in ("points", "average", "wins", "league")),
    *(f"/season?year={year}&family=lay&by=money&unit=ct" for year in (2024, 2025, "all")),
    *("/season.csv?year=all&family=all&by=points", *CSV),
)
SHEET = """date;Anna;Bernd;Claire
2024-11-07;0;35;12
;20;0;5
2025-02-06;15;0;
;0;8;40
;31;22;0
"""


@dataclass
class Book:
    """A game or group and its secrets; the replaced ones opened it earlier."""

    kind: str
    id: str
    pen: str
    watch: str
    replaced: list[str] = field(default_factory=list)

    @property
    def path(self) -> str:
        return f"/{self.kind}s/{self.id}"


class Caller:
    """Calls over REST; every call has a key of its own."""

    def __init__(self, client: FlaskClient, keys: str = "key") -> None:
        self.client = client
        self._keys = (f"{keys} {number}" for number in count(1))

    def get(self, book: Book, path: str = "") -> Any:
        """Return an answer that a watcher gets: JSON, or the text of a table."""
        headers = {"Authorization": f"Bearer {book.watch}", "Accept-Language": "en"}
        answer = self.client.get(API + book.path + path, headers=headers)
        assert answer.status_code == 200, (path, answer.text)
        return answer.json if answer.is_json else answer.text

    def send(self, method: str, book: Book | None, path: str, body: Any = None) -> Any:
        """Make a change with the pen at the current version and return the answer."""
        headers = {"Idempotency-Key": next(self._keys), "Accept-Language": "en"}
        if book:
            known = self.client.get(
                API + book.path, headers={"Authorization": f"Bearer {book.watch}"}
            )
            headers |= {"Authorization": f"Bearer {book.pen}", "If-Match": known.headers["ETag"]}
        answer = self.client.open(
            API + (book.path if book else "") + path, method=method, json=body, headers=headers
        )
        assert answer.status_code < 300, (method, path, answer.text)
        return answer.json

    def new(self, kind: str, body: Any, *, group: Book | None = None) -> Book:
        """Create a game, a group or an evening of a group."""
        made = self.send("POST", group, f"/{kind}s", body)
        return Book(kind, made["id"], *(made.get(name, "") for name in ("pen", "watch")))

    def replace(self, book: Book, right: str) -> None:
        """Replace a secret."""
        book.replaced.append(getattr(book, right))
        setattr(book, right, self.send("POST", book, "/secrets", {"right": right})["secret"])

    def record(self, book: Book, *bodies: Any) -> None:
        for body in bodies:
            self.send("POST", book, "/rounds", body)


def round_of(*points: int | None) -> dict[str, Any]:
    """Return a round by points: 0 went out, None was absent."""
    seats = [{"absent": True} if own is None else {"points": own} if own else {} for own in points]
    return {"outcome": "out", "winner": points.index(0), "seats": seats}


def play_example(caller: Caller, evening: Mapping[str, Any]) -> Book:
    """Play an example; correct a round, strike one, and strike and restore the last one."""
    body = {name: evening[name] for name in ("title", "rules", "stake", "players")}
    book = caller.new("game", {**body, "place": "bei Anna"})
    rounds = evening["rounds"]
    caller.record(book, *rounds)
    caller.send("PUT", book, "/rounds/2", {**rounds[0], "note": "verzählt"})
    caller.send("DELETE", book, "/rounds/1")
    caller.send("DELETE", book, f"/rounds/{len(rounds)}")
    caller.send("POST", book, f"/rounds/{len(rounds)}/restore")
    return book


def play_single_games(caller: Caller) -> list[Book]:
    """Play every example, and games that were ended, paid, joined, erased and shared anew."""
    examples = sorted((ROOT / "examples").glob("*.json"))
    books = [play_example(caller, json.loads(file.read_text("utf-8"))) for file in examples]
    paid, joined, erased = books[1], books[-1], books[-2]
    caller.send("PATCH", paid, "", {"over": True})
    caller.send("PUT", paid, "/settlement/transfers/0", {"paid": True})
    caller.send("PATCH", joined, "", {"player": {"name": "Élise"}})
    caller.record(joined, round_of(12, 0, None, 7))
    caller.send("PATCH", joined, "", {"title": "Wiener zu viert"})
    caller.send("DELETE", erased, "/players/1")
    caller.replace(erased, "watch")
    caller.replace(erased, "pen")
    return books


def play_group(caller: Caller) -> list[Book]:
    """Let a group play for years: sheets, evenings, money, members who come and go."""
    house = {"preset": "german-family", "options": {"joker.hand_value": 50}}
    stake = {"point_value": "1/2", "unit": "ct"}
    members = [ANNA, BERND, CLAIRE]
    group = caller.new(
        "group", {"name": "Donnerstag", "members": members, "rules": house, "stake": stake}
    )
    caller.send("POST", group, "/sheets", {"sheet": SHEET, "rules": house, "stake": stake})
    caller.send("POST", group, "/members", DIETER)
    gin = {"rules": {"preset": "gin-palast"}, "stake": {"point_value": "1/100", "unit": "EUR"}}
    evenings = [
        caller.new("game", {"players": players, **more}, group=group)
        for players, more in (
            (members, {"title": "Eröffnung"}),
            ([ANNA, CLAIRE], gin),
            ([CLAIRE, DIETER, BERND], {"training": True}),
            ([*members, DIETER], {"title": "läuft noch"}),
        )
    ]
    for evening in evenings:
        evening.pen, evening.watch = group.pen, group.watch
    first, second, training, _ = evenings
    caller.record(first, round_of(0, 41, 17), round_of(30, 0, 22), round_of(9, 55, 0))
    knock = {"outcome": "knock", "knocker": 1, "seats": [{"deadwood": 31}, {"deadwood": 4}]}
    caller.record(second, knock, knock)
    caller.record(training, round_of(0, 50, 60))
    for evening in (first, second, training):
        caller.send("PATCH", evening, "", {"over": True})
    caller.send("PUT", first, "/rounds/2", round_of(30, 0, 25))
    spend(caller, group)
    caller.send("PATCH", group, "/members/2", {"name": "Claire L."})
    caller.send("DELETE", group, "/members/3")
    alone = caller.new("game", {"title": "", "rules": house, "stake": stake, "players": members})
    caller.record(alone, round_of(0, 13, 14))
    caller.send("PUT", group, f"/games/{alone.id}", {"pen": alone.pen, "members": [0, 1, 2]})
    caller.replace(group, "watch")
    for evening in evenings:
        evening.watch = group.watch
    return [group, *evenings, alone]


def spend(caller: Caller, group: Book) -> None:
    """Pay in part, take a payment back, convert a unit, settle up."""
    payment = {"from": 1, "to": 0, "amount": "9/5", "unit": "ct"}
    caller.send("POST", group, "/payments", {**payment, "note": "bar"})
    caller.send("POST", group, "/payments", {**payment, "amount": "99"})
    wrong = caller.get(group, "/statement")["entries"][-1]
    caller.send("POST", group, "/reversals", {"number": wrong["number"]})
    caller.send("PUT", group, "/rates", {"unit": "EUR", "in": "ct", "rate": "100"})
    caller.send("POST", group, "/conversions", {"unit": "EUR", "in": "ct"})
    caller.send("POST", group, "/settlements", {"unit": "ct"})
    caller.send("POST", group, "/payments", {**payment, "note": "Vorschuss"})


def fields_of(html: str) -> dict[str, str]:
    """Return the hidden fields of the form that saves a round."""
    form = re.search(r"<form[^>]*\bmethod=.post.[^>]*data-(?:draft|kept)=.*?</form>", html, re.S)
    assert form
    hidden = re.findall(r'<input[^>]*type="hidden"[^>]*>', form[0])
    found = {}
    for one in hidden:
        name = re.search(r'name="([^"]+)"', one)
        value = re.search(r'value="([^"]*)"', one)
        if name:
            found[name[1]] = value[1] if value else ""
    return found


def open_form(client: FlaskClient, book: Book) -> dict[str, Any]:
    """Let a phone take the pen by its link and open the form of the next round."""
    token = re.search(r'name="csrf_token"[^>]*value="([^"]+)"', client.get("/enter").text)
    assert token
    form = {"code": f"{book.id}.{book.pen}", "csrf_token": token[1]}
    assert client.post("/enter", data=form).status_code == 303
    fields = fields_of(client.get(f"/g/{book.id}/round").text)
    cookies = {name: client.get_cookie(name).value for name in ("browser", "form")}  # type: ignore[union-attr]
    return {"path": f"/g/{book.id}/round", "fields": fields, "cookies": cookies}


def answers(caller: Caller, books: list[Book]) -> dict[str, Any]:
    """Return what a watcher is told of every book."""
    told = {}
    for book in books:
        for path in GROUP_ANSWERS if book.kind == "group" else GAME_ANSWERS:
            told[book.path + path] = caller.get(book, path)
    return told


def main(version: str) -> None:
    """Write the database of this version and what it answers."""
    RELEASES.mkdir(exist_ok=True)
    with TemporaryDirectory() as folder:
        path = Path(folder, "release.sqlite")
        app = create_app({"DATA": path, "BACKUPS": "off", "JOURNAL": "truncate", "TIMEZONE": "UTC"})
        client = app.test_client()
        caller = Caller(client)
        books = [*play_single_games(caller), *play_group(caller)]
        said = {
            "books": [asdict(book) for book in books],
            "form": open_form(client, books[0]),
            "answers": answers(caller, books),
        }
        with closing(sqlite3.connect(path)) as database:
            (tables,) = database.execute("PRAGMA user_version").fetchone()
            lines = [*database.iterdump(), f"PRAGMA user_version = {tables};", ""]
    write(f"{version}.sql.gz", "\n".join(lines))
    write(f"{version}.json.gz", json.dumps(said, indent=1, ensure_ascii=False) + "\n")


def write(name: str, text: str) -> None:
    (RELEASES / name).write_bytes(gzip.compress(text.encode(), mtime=0))


if __name__ == "__main__":
    main(*sys.argv[1:])
