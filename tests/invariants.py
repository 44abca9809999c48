"""Checks that run during all tests: bars L4, L5 and A5, and the facts of findings."""

import gzip
import json
import logging
import re
import sys
import threading
from collections.abc import Iterator
from contextlib import suppress
from functools import wraps
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from flask import Flask, Response, request
from werkzeug.exceptions import RequestEntityTooLarge

from findings import FORMS, FORMS_FILE, form_of
from scorekeeper.domain.errors import Problem, Where
from scorekeeper.domain.replay import replay
from scorekeeper.domain.rules import OPTIONS
from scorekeeper.i18n import LANGUAGES, PLACEHOLDER, language
from scorekeeper.store import Ledger, Unreadable
from scorekeeper.store.links import LinkKey
from scorekeeper.store.sqlite.engine import Engine
from scorekeeper.web import api

TAMPERING = re.compile(r"\s*(UPDATE|DELETE FROM|(INSERT OR )?REPLACE INTO) events\b", re.IGNORECASE)


@pytest.fixture(autouse=True, scope="session")
def _no_event_is_ever_touched() -> Iterator[None]:
    """Bar L5: check every statement of every connection.

    Statements that a test expects to be refused carry a comment and are exempt.
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
    """Bar L4: replay all cached books whenever a ledger is closed."""
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
"""The secrets in the examples of the description, which are public."""


class Canaries(logging.Handler):
    """Every secret given out, and the places where one was seen and must not be."""

    def __init__(self) -> None:
        super().__init__()
        self.known: set[str] = set()
        self.seen: list[tuple[str, str]] = []
        self.mine = threading.local()

    def given_out(self, secret: str) -> str:
        """Record a secret; the answer to the request that made it may contain it."""
        if secret not in PUBLISHED:
            self.known.add(secret)
        if hasattr(self.mine, "shown"):
            self.mine.shown.add(secret)
        return secret

    def look(self, where: str, text: str, allowed: frozenset[str] = frozenset()) -> None:
        found = self.known.intersection(A_SECRET.findall(text)) - allowed
        self.seen += [(where, secret) for secret in found]

    def emit(self, record: logging.LogRecord) -> None:
        with suppress(Exception):  # what cannot be formatted is result elsewhere
            self.look(f"log of {record.name}", self.format(record))

    def listen(self, answer: Response) -> None:
        """Check an answer; a secret typed into a form may be shown there again."""
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
    """Bar A5: a secret is in no log line, URL or answer except the one that hands it out."""
    canaries = Canaries()
    made, answered = LinkKey.secret, Flask.full_dispatch_request

    def watched(app: Flask) -> Response:
        canaries.mine.shown = set()
        answer = answered(app)
        canaries.listen(answer)
        del canaries.mine.shown
        return answer

    def given_out(*facts: Any) -> str:
        return canaries.given_out(made(*facts))

    LinkKey.secret = given_out  # type: ignore[method-assign]
    Flask.full_dispatch_request = watched  # type: ignore[method-assign]
    logging.getLogger().addHandler(canaries)
    yield
    logging.getLogger().removeHandler(canaries)
    Flask.full_dispatch_request = answered  # type: ignore[method-assign]
    LinkKey.secret = made  # type: ignore[method-assign]

    assert canaries.seen == []


def _names(description: object) -> Iterator[str]:
    """Return every name in the bodies and URLs of the API description."""
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
"""The places of problems, including queries of pages, the command line, and parts of exports."""
SAID_ALIKE = {("E_KNOCK_LIMIT", "limit"), ("E_POINTS", "type")}
SAID_ALIKE |= {("W_HAND_COUNT", "few"), ("W_HAND_COUNT", "many"), ("E_RULE_OFF", "off")}
"""Reasons that have no sentence of their own."""


@pytest.fixture(autouse=True, scope="session")
def _every_finding_can_be_said() -> Iterator[None]:
    """Check that a finding has a sentence, all its facts, and a known place.

    It is checked where it is made, so that the running test fails.
    """
    made = Problem.__init__
    seen: set[object] = set()

    @wraps(made)
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
    """Return whether a function of the rules makes this finding, not a test."""
    while frame:
        module = str(frame.f_globals["__name__"])
        name = frame.f_code.co_name.partition("__mutmut")[0]
        name = name.removeprefix("x_").rpartition("ǁ")[2]
        passes_on = name in HELPERS or module == "scorekeeper.domain.errors"
        if not passes_on and not module.startswith("mutmut."):
            return module.startswith("scorekeeper.domain.") and not module.endswith(".codec")
        frame = frame.f_back
    return False


def _can_be_said(problem: Problem, stated: frozenset[str]) -> None:
    why = problem.facts.get("why")
    special = f"{problem.code}.{why}"
    if why is not None and (problem.code, why) not in SAID_ALIKE:
        assert special in language("en"), f"{problem} has a reason that no sentence gives"
    for code in LANGUAGES:
        lang = language(code)
        key = lang.key_of(problem)
        assert key in lang, f"{problem} has no sentence"
        for sentence in lang._sentences[key]:
            missing = {place["name"] for place in PLACEHOLDER.finditer(sentence)} - stated
            missing -= {"player"} if "seat" in stated else set()
            assert not missing, f"{problem} does not state {missing}"
    named = [problem.facts.get(name) or () for name in ("option", "options", "needs")]
    for names in named:
        for option in (names,) if isinstance(names, str) else names:
            assert option in OPTIONS or why == "unknown", f"{problem} names no option"
    for part in problem.path:
        known = isinstance(part, int) or part in PLACES or "." in part or part.isdecimal()
        unknown_option = problem.code == "E_CONFIG" and part == problem.facts.get("option")
        assert known or unknown_option, f"{problem} names no place"
    form = form_of(problem)
    assert form in FORMS, f"{form} is not in {FORMS_FILE.name}"
