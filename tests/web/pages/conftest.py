"""Browsers for the tests of the pages: one that fills in forms, and Chromium."""

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from html import unescape

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.datastructures import MultiDict
from werkzeug.test import TestResponse

from web.pages.phone import HOME_NETWORK, TALL, Network, Table, Thumb
from web.pages.walk import PICTURES, gathered


def pytest_terminal_summary(terminalreporter) -> None:
    """Print the folder of the screenshots."""
    if "SCREENS" in os.environ:
        terminalreporter.write_line(f"Pictures of the pages: {PICTURES}")


NAMES = ("Anna", "Bernd", "Claire", "Dieter")
KEY = re.compile(r"\b(pages|paper|reason|mark|option|value|play|preset)\.[a-z_]+(\.[a-z_]+)*\b")
"""A catalogue key on a page, which means that its text is missing."""


def words(html: str) -> str:
    """Return the text of a page: no tags, single spaces."""
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", html))


def pad_line(html: str) -> list[str]:
    """The line being written: what stands under each name."""
    line = html.split('id="line"')[1].split("</div>")[0]
    cells = (cell.split("</a>")[0] for cell in line.split('class="who"')[1:])
    return [words(cell.split("</span>", 1)[1]).strip() for cell in cells]


def codes(html: str) -> list[str]:
    """The codes of the links that a page shows, each once."""
    return list(dict.fromkeys(re.findall(r'/enter#([^"<]+)', html)))


SCRIPT = re.compile(r"<(script|style)\b.*?</\1>|<!--.*?-->", re.DOTALL)
FIELD = re.compile(
    r"""<(input|textarea|select|option)\b((?:[^>"']|"[^"]*"|'[^']*')*)>|</(select)>"""
)
ATTRIBUTE = re.compile(r"""([^\s=/"'>]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?""")


class Form:
    """The fields of a page as a browser would send them.

    They are found by pattern: reading every element took a fifth of the time of the pages' tests.
    """

    def __init__(self, html: str) -> None:
        self.fields: MultiDict[str, str] = MultiDict()
        html, select = SCRIPT.sub("", html), ""
        for found in FIELD.finditer(html):
            tag, given = found[1], attributes(found[2] or "")
            name, value = given.get("name", ""), given.get("value", "")
            if tag == "input" and name:
                if given.get("type") not in ("radio", "checkbox") or "checked" in given:
                    self.fields.add(name, value)
            elif tag == "textarea":
                self.fields[name] = unescape(html[found.end() : html.index("<", found.end())])
            elif tag == "option" and select:
                if "selected" in given:
                    self.fields[select] = value
                self.fields.setdefault(select, value)
            elif tag != "input":
                select = name


def attributes(tag: str) -> dict[str, str]:
    """Return the attributes of a tag; one without a value is empty."""
    return {name: unescape("".join(values)) for name, *values in ATTRIBUTE.findall(tag)}


def for_money(fields: Mapping[str, object]) -> Mapping[str, object]:
    """Return fields with the switch of the stake on, if they name a value of a point."""
    return {"money": "yes", **fields} if fields.get("point_value") else fields


class Browser:
    """A reader with their cookies."""

    def __init__(self, app: Flask, language: str = "de") -> None:
        self.client: FlaskClient = app.test_client()
        self.headers = {"Accept-Language": language}

    def get(self, path: str, **headers: str) -> TestResponse:
        return self.client.get(path, headers={**self.headers, **headers})

    def post(self, path: str, fields: Mapping[str, object]) -> TestResponse:
        return self.client.post(path, data=fields, headers=self.headers)

    def form(self, path: str) -> MultiDict[str, str]:
        return self.form_in(self.get(path))

    def form_in(self, answer: TestResponse) -> MultiDict[str, str]:
        return Form(answer.text).fields

    def send(self, path: str, *, page: str = "", **fields: object) -> TestResponse:
        """Open a page, fill in its form and send it; ``__`` in a name stands for ``-``."""
        return self.post(path, self.filled(page or path, **fields))

    def filled(self, page: str, **fields: object) -> MultiDict[str, str]:
        """Return the form of a page with some of its fields filled in."""
        form = self.form(page)
        for name, value in for_money(fields).items():
            form.setlist(name.replace("__", "-"), value if isinstance(value, list) else [value])
        return form

    def begin(self, **fields: object) -> str:
        """Create a game and return its path; the rule system is chosen before its rules."""
        form = self.form("/new")
        if "preset" in fields:
            form = Form(self.send("/new", preset=fields["preset"], do="rules").text).fields
        for name, value in {"name": list(NAMES), "do": "start", **for_money(fields)}.items():
            form.setlist(name, value if isinstance(value, list) else [value])
        answer = self.post("/new", form)

        assert answer.status_code == 303, answer.text
        return str(answer.location).partition("?")[0]

    def found(self, name: str, members: Sequence[str]) -> str:
        """Found a group and return its path."""
        answer = self.send("/groups/new", name=name, member=list(members), do="found")

        assert answer.status_code == 200, answer.text
        return "/s/" + answer.text.split('href="/s/')[1].split('"')[0]

    def next_evening(self, group: str, **fields: object) -> str:
        """Begin an evening of a group as its form proposes it."""
        answer = self.send(f"{group}/new", **{"do": "start", **fields})

        assert answer.status_code == 303, answer.text
        return str(answer.location)

    def code(self, book: str, right: str = "watch") -> str:
        """The code of the current link of a game or group, without drawing the page with it."""
        book_id = book.rpartition("/")[2]
        secret = self.client.application.extensions["ledger"].link_secret(book_id, right)
        return f"{book_id}.{secret}"

    def new_code(self, book: str, right: str = "watch") -> str:
        """The code of a new link, which replaces the current one."""
        answer = self.send(f"{book}/share", right=right)

        assert (answer.status_code, answer.location) == (303, f"{book}/share?notice={right}")
        return self.code(book, right)

    def newest_entry(self, money: str) -> int:
        """Return the number of the newest entry that can be reversed."""
        return int(self.get(money).text.split('name="number" value="')[1].split('"')[0])

    def enter(self, game: str, winner: int, **fields: object) -> TestResponse:
        return self.send(f"{game}/round", winner=str(winner), do="save", **fields)


@pytest.fixture
def anna(app: Flask) -> Browser:
    """The reader who holds the pen."""
    return Browser(app)


@pytest.fixture
def bernd(app: Flask) -> Browser:
    """Another reader."""
    return Browser(app)


@pytest.fixture
def game(anna: Browser) -> str:
    return anna.begin()


@pytest.fixture
def played(anna) -> str:
    """A game with everything a page can show: a correction, a struck round, an account."""
    game = anna.begin(unit="ct", point_value="1", **{"joker.hand_value": "50"})
    anna.enter(game, 2, hand__0="33", hand__1="12", hand__3="60", hand_romme="yes", note="Glück")
    anna.enter(game, 1, hand__0="K D 9", way__0="ranks", hand__2="7", absent__3="yes")
    anna.enter(game, 0, hand__1="5", hand__2="7", hand__3="8")
    anna.send(f"{game}/round/1/correct", hand__0="43", do="save")
    anna.send(f"{game}/round/3/strike", page=game)
    page = f"{game}/settlement"
    account = {"holder": "Claire Muster", "iban": "LU28 0019 4006 4475 0000", "do": "keep"}
    anna.send(f"{page}/account", page=page, side="2", **account)
    return game


@pytest.fixture
def group(anna, played) -> str:
    """A group with everything its pages can show; the game above is its running evening."""
    return gathered(anna, played, NAMES)


@pytest.fixture(scope="session")
def over_plain_http(launch):
    """A browser for which the tests' server has an address in a home network."""
    browser = launch(f"--host-resolver-rules=MAP {HOME_NETWORK} 127.0.0.1")
    yield browser
    browser.close()


@pytest.fixture
def home_network(over_plain_http, table) -> Iterator[Thumb]:
    """A phone in a home network, on plain http."""
    made = Thumb(over_plain_http, table, host=HOME_NETWORK)
    yield made
    made.phone.close()

    assert made.complaints == []


@pytest.fixture
def stammtisch(anna) -> str:
    """Four players who have not played yet."""
    return anna.found("Kegelclub", NAMES)


def evening(reader, group: str, *points: int, **fields: object) -> str:
    """Play an evening of one round; the player with no points went out."""
    game = reader.next_evening(group, **{"point_value": "1/10", "unit": "Pf", **fields})
    held = {f"hand-{seat}": str(left) for seat, left in enumerate(points) if left}

    assert reader.enter(game, points.index(0), **held).status_code == 303
    reader.send(f"{game}/end", page=f"{game}/more")
    return game


def does(reader, group: str, do: str, **fields: object):
    """Press a button on the page of money."""
    return reader.send(f"{group}/money", do=do, **fields)


def pays(reader, group: str, payer: int, payee: int, amount: str, unit: str = "Pf", **more: object):
    said = {"from": str(payer), "to": str(payee), "amount": amount, "unit": unit, **more}
    return does(reader, group, "pay", **said)


@pytest.fixture
def table(app, external) -> Iterator[Table]:
    opened = Table(app)
    yield opened
    opened.stop()


@pytest.fixture
def anna_plays(thumb):
    """Create a game of any kind in this phone's browser."""
    return thumb.plays


@pytest.fixture
def thumb(chromium, table, request) -> Iterator[Thumb]:
    """A phone; its browser has a service worker only if the test is marked so.

    Installing one takes a fifth of the time of a short test.
    """
    has_worker = request.node.get_closest_marker("service_worker")
    worker = "allow" if has_worker else "block"
    made = Thumb(chromium, table, getattr(request, "param", TALL), service_workers=worker)
    yield made
    made.phone.close()

    assert made.complaints == []


@pytest.fixture
def plain(thumb) -> Thumb:
    """A phone whose browser has no service worker, as on plain http."""
    return thumb


@pytest.fixture
def network(table) -> Iterator[Network]:
    made = Network(table)
    yield made
    made.mend()


@pytest.fixture
def second_writer(thumb, chromium, table):
    """A phone that is about to save round 1, which another one has recorded meanwhile."""
    board = thumb.begin()
    other = Thumb(chromium, table, state=thumb.phone.storage_state())
    other.open(board)
    other.quick_round(25)
    table.record(board, (0, 10, 10, 10))
    yield other, board
    other.phone.close()


@pytest.fixture
def two_entries(second_writer):
    """A phone that has saved round 1, entered after another one had recorded it."""
    other, board = second_writer
    other.save()
    other.page.get_by_text("The same round?").wait_for()
    return other, board
