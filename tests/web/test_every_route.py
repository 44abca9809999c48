"""Every route, method and right: bars A2 of the pages, W1, A5.

The API has its own test of A2, with valid bodies (api/test_rights.py).
"""

import io
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import pytest
from flask import Flask
from pypdf import PdfReader
from werkzeug.routing import Rule
from werkzeug.test import TestResponse

from rest import ROOT, Table
from scorekeeper.web import permissions
from scorekeeper.web.security_headers import FRAMED, HEADERS
from web.pages.conftest import Browser

METHODS = ("GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE", "TRACE")
HOLDERS = ("none", "watch", "pen", "other pen", "old pen", "garbage")
IBAN = "LU28 0019 4006 4475 0000"
KNOWN = {"name": "german-family", "number": "1", "filename": "base.css"}
KNOWN |= {"at_table": "1", "entrant": "1", "what": "cards"}


@dataclass
class House:
    """A game in a group, with an account number, and the secrets of both."""

    app: Flask
    reader: Browser
    game: str
    group: str

    def place(self, rule: Rule) -> str:
        """Return the path of a route with existing ids."""
        known = {**KNOWN, "game_id": self.game, "group_id": self.group}
        path = rule.rule
        for name in rule.arguments:
            converter = f"int:{name}" if f"<int:{name}>" in path else name
            converter = f"path:{name}" if f"<path:{name}>" in path else converter
            path = path.replace(f"<{converter}>", known.get(name, "0"))
        return path

    def heads(self) -> list[str]:
        """Return a summary of everything in the database."""
        ledger = self.app.extensions["ledger"]
        return [ledger.head(book) for book in (self.game, self.group)]

    def codes(self, book: str) -> Mapping[str, str]:
        """New secrets to watch and to write; those before open nothing from now on."""
        path = f"/g/{book}" if book == self.game else f"/s/{book}"
        return {right: self.reader.new_code(path, right) for right in ("watch", "pen")}


@pytest.fixture
def house(app: Flask) -> House:
    anna = Browser(app)
    group = anna.found("Runde", ("Anna", "Bernd", "Claire"))
    game = anna.next_evening(group, unit="ct", point_value="1")
    anna.enter(game, 0, hand__1="5", hand__2="7")
    night = f"{group}/tournament"
    anna.send(f"{night}/plan")
    anna.send(f"{night}/entrants", names="Anna\nBernd\nClaire", do="enter")
    anna.send(night, do="draw")
    page = f"{game}/settlement"
    account = {"holder": "Claire Muster", "iban": IBAN, "do": "keep"}
    anna.send(f"{page}/account", page=page, side="2", **account)
    return House(app, anna, game.rpartition("/")[2], group.rpartition("/")[2])


def pages_of(app: Flask) -> list[Rule]:
    """Return every page about one game or one group."""
    return [
        rule
        for rule in app.url_map.iter_rules()
        if rule.endpoint.startswith("pages.") and {"game_id", "group_id"} & rule.arguments
    ]


def visitor(house: House, holder: str) -> Browser:
    """Return a browser with a right in the game and the group, or with an invalid one."""
    if holder == "pen":
        return house.reader
    guest = Browser(house.app)
    if holder == "garbage":
        guest.client.set_cookie("browser", "a" * 32)
    if holder == "other pen":
        guest.begin()
    if holder in ("watch", "old pen"):
        for book in (house.group, house.game):
            right = "watch" if holder == "watch" else "pen"

            assert guest.send("/enter", code=house.codes(book)[right]).status_code == 303
            if holder == "old pen":
                house.codes(book)
    return guest


@pytest.mark.bar("A2")
@pytest.mark.parametrize("holder", HOLDERS)
def test_every_page_admits_exactly_the_rights_in_the_table(house: House, holder: str) -> None:
    guest = visitor(house, holder)
    token = {"csrf_token": guest.form("/enter")["csrf_token"]}
    before = house.heads()
    for rule in pages_of(house.app):
        for method in sorted(rule.methods or ()):
            to_read, to_change = permissions.RIGHTS[rule.endpoint]
            needed = to_read if method in permissions.READ_METHODS else to_change
            may = holder == "pen" or (holder == "watch" and needed == "watch")
            path = house.place(rule)
            data = token if method == "POST" else None
            if may and method == "POST":
                continue  # other tests prove its effect
            answer = guest.client.open(path, method=method, data=data)

            if may:
                assert answer.status_code in (200, 303), (method, path)
            else:
                refused = 403 if holder == "watch" else 404
                assert answer.status_code == refused, (method, path)
    assert house.heads() == before


def test_a_head_request_with_a_form_writes_nothing(house: House) -> None:
    guest = visitor(house, "watch")
    version = house.app.extensions["ledger"].version(house.group)
    form = {"do": "pay", "from": "0", "to": "1", "amount": "5", "unit": "ct", "key": "k"}
    about = {"data": form | {"version": str(version)}}

    answer = guest.client.head(f"/s/{house.group}/money", **about)

    assert (answer.status_code, answer.data) == (200, b"")
    assert house.app.extensions["ledger"].version(house.group) == version


def test_an_id_with_a_nul_is_not_found_and_no_failure(house: House) -> None:
    """PostgreSQL refuses to compare a text with this character."""
    table, statuses = Table(house.app), set()
    secret = house.codes(house.group)["pen"].partition(".")[2]
    for rule in list(house.app.url_map.iter_rules()):
        for name in {"game_id", "group_id"} & rule.arguments:
            path = house.place(rule).replace(getattr(house, name.removesuffix("_id")), "a%00b")
            for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}:
                headers = {"Authorization": f"Bearer {secret}", "If-None-Match": '"1-en"'}
                for client in (table.client, house.reader.client):
                    answer = client.open(path, method=method, headers=headers)
                    statuses.add(answer.status_code)

    assert statuses <= {303, 400, 404, 415, 422, 428}
    assert 404 in statuses


def test_a_code_or_a_key_with_a_nul_opens_and_writes_nothing(house: House) -> None:
    token = {"csrf_token": house.reader.form("/enter")["csrf_token"]}
    before = house.heads()
    for path, fields, status in (
        ("/enter", {"code": "ab\0cde"}, 404),
        ("/enter", {"code": "a\0b.secret"}, 404),
        (f"/g/{house.game}/share/code", {"code": "ab\0cde"}, 200),
        (f"/g/{house.game}/share/code", {"code": "ab\0cde", "do": "end"}, 204),
        (f"/g/{house.game}/end", {"key": "a\0b", "version": "1"}, 400),
    ):
        answer = house.reader.post(path, {**token, **fields})

        assert answer.status_code == status, (path, fields)
    entry = house.reader.get(f"/g/{house.game}/round?key=a%00b")
    assert entry.status_code == 204
    assert house.heads() == before


def everything(house: House) -> Iterator[tuple[TestResponse, str]]:
    """Call every route with every method, with the pen and without any right.

    Only the API looks for a pen in the headers; for pages the reader's browser has it.
    """
    table = Table(house.app)
    secret = house.codes(house.group)["pen"].partition(".")[2]
    for rule in list(house.app.url_map.iter_rules()):
        path = house.place(rule)
        pen = [{"Authorization": f"Bearer {secret}"}] if path.startswith(ROOT) else []
        for method in METHODS:
            for headers in ({}, *pen):
                yield closed(table.client.open(path, method=method, headers=headers)), path
        yield closed(house.reader.client.get(path)), path


def closed(answer: TestResponse) -> TestResponse:
    """Read an answer to its end, because a file would stay open."""
    assert isinstance(answer.data, bytes)
    answer.close()
    return answer


@pytest.mark.sqlite
@pytest.mark.bar("W1")
def test_every_answer_of_every_route_carries_the_security_headers(house: House) -> None:
    statuses = set()
    for answer, path in everything(house):
        statuses.add(answer.status_code)

        wanted = HEADERS | (FRAMED if is_framed(answer, path) else {})

        assert set(wanted.items()) <= set(answer.headers.items()), path
        assert all(len(answer.headers.getlist(name)) == 1 for name in wanted), path
        assert answer.headers.getlist("Cache-Control"), path

    assert statuses >= {200, 400, 404, 405, 415}


def is_framed(answer: TestResponse, path: str) -> bool:
    """Return whether this is the entry form, which the board shows in a frame."""
    shows_form = answer.request.method in ("GET", "HEAD") and answer.status_code == 200
    return shows_form and re.fullmatch(r"/g/\w+/round", path) is not None


@pytest.mark.sqlite
@pytest.mark.bar("A5")
def test_no_route_reveals_a_secret_or_an_account(
    house: House, caplog: pytest.LogCaptureFixture
) -> None:
    """Nor do log lines, tables and PDFs; invariants.py checks that in all other tests."""
    caplog.set_level(0)
    secrets = [
        code.partition(".")[2]
        for book in (house.group, house.game)
        for code in house.codes(book).values()
    ]
    cookie = house.reader.client.get_cookie("browser")
    assert cookie is not None
    hidden = [*secrets, cookie.value, IBAN, IBAN.replace(" ", "")]
    for rule in list(house.app.url_map.iter_rules()):
        for guest in (house.reader.client, Table(house.app).client):
            headers = {"Authorization": f"Bearer {secrets[1]}"}
            answer = closed(guest.get(house.place(rule), headers=headers))
            is_paper = answer.mimetype == "application/pdf"
            text = printed(answer.data) if is_paper else answer.data.decode("utf-8", "replace")

            shows = secrets if rule.rule.endswith(("/share", "/links")) else ()

            assert not [one for one in hidden if one in text and one not in shows], rule
            assert not [one for one in secrets if one in str(answer.headers)], rule

    assert not [one for one in hidden if one in caplog.text]


def printed(data: bytes) -> str:
    return " ".join(page.extract_text() for page in PdfReader(io.BytesIO(data)).pages)
