"""What all tests together hold: whatever a test does, it is watched from here."""

import gzip
import json
import logging
import re
import sys
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from flask import Flask, Response, request
from werkzeug.exceptions import RequestEntityTooLarge

from scorekeeper.domain.errors import Problem, Where
from scorekeeper.domain.options import OPTIONS
from scorekeeper.domain.replay import replay
from scorekeeper.i18n import LANGUAGES, PLACEHOLDER, language
from scorekeeper.services import games, groups
from scorekeeper.store import Ledger, Unreadable
from scorekeeper.store.sqlite.engine import Engine
from scorekeeper.web import api

TAMPERING = re.compile(r"\s*(UPDATE|DELETE FROM|(INSERT OR )?REPLACE INTO) events\b", re.IGNORECASE)


@pytest.fixture(autouse=True, scope="session")
def _no_event_is_ever_touched() -> Iterator[None]:
    """Bar L5: every statement of every connection is read.

    What a test tries in order to be refused bears a comment and is not meant here.
    """
    touched: list[str] = []
    opened = Engine._open

    def watched(engine: Engine, *more: Any) -> Any:
        db = opened(engine, *more)
        db.conn.set_trace_callback(lambda sql: touched.append(sql) if TAMPERING.match(sql) else 0)
        return db

    Engine._open = watched  # type: ignore[method-assign]
    yield
    Engine._open = opened  # type: ignore[method-assign]

    assert touched == []


@pytest.fixture(autouse=True, scope="session")
def _every_book_in_memory_is_what_its_events_make() -> Iterator[None]:
    """Bar L4: whenever a ledger is closed, all that it has in memory is replayed."""
    closed = Ledger.close

    def watched(ledger: Ledger) -> None:
        books, ledger._books._books = ledger._books._books, type(ledger._books._books)()
        for book in books.values():
            with suppress(Unreadable):  # a test has damaged the file
                assert book == replay(book.id, ledger.store.events.read(book.id, 0, book.version))
        closed(ledger)

    Ledger.close = watched  # type: ignore[method-assign]
    yield
    Ledger.close = closed  # type: ignore[method-assign]


A_SECRET = re.compile(r"[0-9a-z]{4}(?:-[0-9a-z]{4}){6}")
PLAYED = Path(api.__file__).with_name("recorded_calls.json")
PUBLISHED = frozenset(A_SECRET.findall(PLAYED.read_text(encoding="utf-8")))
"""Secrets of the examples in the description: made by a fixed chance, for all to read."""


class Canaries(logging.Handler):
    """Every secret that was ever given out, and where one was seen that does not belong there."""

    def __init__(self) -> None:
        super().__init__()
        self.known: set[str] = set()
        self.seen: list[tuple[str, str]] = []
        self.mine = threading.local()

    def given_out(self, secret: str) -> str:
        """Remember a secret; the answer to the request that made it may show it."""
        if secret not in PUBLISHED:
            self.known.add(secret)
        if hasattr(self.mine, "shown"):
            self.mine.shown.add(secret)
        return secret

    def look(self, where: str, text: str, allowed: frozenset[str] = frozenset()) -> None:
        found = self.known.intersection(A_SECRET.findall(text)) - allowed
        self.seen += [(where, secret) for secret in found]

    def emit(self, record: logging.LogRecord) -> None:
        with suppress(Exception):  # what cannot be formatted is told elsewhere
            self.look(f"log of {record.name}", self.format(record))

    def listen(self, answer: Response) -> None:
        """Look at an answer: who typed a secret into a form may see it there again."""
        typed: frozenset[str] = frozenset()
        with suppress(RequestEntityTooLarge):
            typed = frozenset(A_SECRET.findall(" ".join(request.form.values())))
        where = f"{request.method} {request.endpoint}"
        self.look(f"address of {where}", request.full_path + (request.referrer or ""))
        headers = str(answer.headers).replace(answer.headers.get("Set-Cookie", "\n"), "")
        self.look(f"headers of {where}", headers)
        if not answer.direct_passthrough:
            body = answer.get_data()
            if answer.content_encoding == "gzip":
                body = gzip.decompress(body)
            text = body.decode("utf-8", "replace")
            self.look(where, text, typed | self.mine.shown)
            browser = next((v for n, v in request.cookies.items() if n.endswith("browser")), "")
            if len(browser) > 20 and browser in text:
                self.seen.append((where, "browser"))


@pytest.fixture(autouse=True, scope="session")
def _no_secret_is_seen_again() -> Iterator[None]:
    """Bar A5: a secret is in no log line, address or answer but the one that hands it out."""
    canaries = Canaries()
    made, answered = games.new_secret, Flask.full_dispatch_request

    def watched(app: Flask) -> Response:
        canaries.mine.shown = set()
        answer = answered(app)
        canaries.listen(answer)
        del canaries.mine.shown
        return answer

    for module in (games, groups):
        module.new_secret = lambda: canaries.given_out(made())  # type: ignore[attr-defined]
    Flask.full_dispatch_request = watched  # type: ignore[method-assign]
    logging.getLogger().addHandler(canaries)
    yield
    logging.getLogger().removeHandler(canaries)
    Flask.full_dispatch_request = answered  # type: ignore[method-assign]
    for module in (games, groups):
        module.new_secret = made  # type: ignore[attr-defined]

    assert canaries.seen == []


def _names(description: object) -> Iterator[str]:
    """Every name that a body or an address has, from the description of the interface."""
    match description:
        case {"in": str(), "name": str(name)}:
            yield name
        case {"properties": dict(properties)}:
            yield from properties
    if isinstance(description, dict | list):
        inner = description.values() if isinstance(description, dict) else description
        for one in inner:
            yield from _names(one)


DESCRIPTION = Path(__file__).parents[1] / "docs" / "openapi.json"
PLACES = frozenset(_names(json.loads(DESCRIPTION.read_text(encoding="utf-8")))) | {
    "iban",
    "point",
    "wins",
    *("games", "events", "texts"),
}
"""Where something can be wrong: also questions of pages and command line, and parts of exports."""
SAID_ALIKE = {("E_KNOCK_LIMIT", "limit"), ("E_POINTS", "type")}
SAID_ALIKE |= {("W_HAND_COUNT", "few"), ("W_HAND_COUNT", "many"), ("E_RULE_OFF", "off")}
"""Reasons without a sentence of their own."""


@pytest.fixture(autouse=True, scope="session")
def _every_finding_can_be_said() -> Iterator[None]:
    """A finding that the rules make has a sentence, states all its facts, and names its place.

    It is looked at where it is made, so that the test that runs is the one that fails.
    """
    made = Problem.__init__
    seen: set[object] = set()

    def watched(problem: Problem, code: str, facts: Any = None, path: Where = ()) -> None:
        made(problem, code, {} if facts is None else facts, path)
        stated = frozenset(name for name, fact in problem.facts.items() if fact is not None)
        about = (code, problem.facts.get("why"), stated, path)
        if about not in seen and _is_made_by_rules(sys._getframe(1)):
            _can_be_said(problem, stated)
            seen.add(about)

    Problem.__init__ = watched  # type: ignore[method-assign]
    yield
    Problem.__init__ = made  # type: ignore[method-assign]


HELPERS = {"problem", "warning", "against", "__init__", "replace", "under"}
"""Functions that make a finding for others; mutmut calls its copies x_..., xǁ..."""


def _is_made_by_rules(frame: FrameType | None) -> bool:
    """Whether a function of the rules makes this finding; a test may make up and store its own."""
    while frame:
        module = str(frame.f_globals["__name__"])
        name = frame.f_code.co_name.partition("__mutmut")[0]
        name = name.removeprefix("x_").rpartition("ǁ")[2]
        passes_on = name in HELPERS or module == "scorekeeper.domain.errors"
        if not passes_on and not module.startswith("mutmut."):
            return module.startswith("scorekeeper.domain.") and not module.endswith(".record")
        frame = frame.f_back
    return False


def _can_be_said(problem: Problem, stated: frozenset[str]) -> None:
    why = problem.facts.get("why")
    special = f"{problem.code}.{why}"
    if why is not None and (problem.code, why) not in SAID_ALIKE:
        assert special in language("en"), f"{problem} has a reason that no sentence gives"
    for code in LANGUAGES:
        lang = language(code)
        key = special if special in lang else problem.code
        assert key in lang, f"{problem} has no sentence"
        for sentence in lang._sentences[key]:
            missing = {place["name"] for place in PLACEHOLDER.finditer(sentence)} - stated
            missing -= {"player"} if "seat" in stated else set()
            assert not missing, f"{problem} does not state {missing}"
    option = problem.facts.get("option")
    assert option in (None, *OPTIONS) or why == "unknown", f"{problem} names no option"
    for part in problem.path:
        known = isinstance(part, int) or part in PLACES or "." in part or part.isdecimal()
        unknown_option = problem.code == "E_CONFIG" and part == problem.facts.get("option")
        assert known or unknown_option, f"{problem} names no place"
