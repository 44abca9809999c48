"""Hostile bodies, and the headers of all answers (W1, W6)."""

import json
import random
import re
import time
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from bars import SOAK, seed, some, tried, tries
from rest import QUICK, Club, Table, codes
from scorekeeper.domain.errors import RuleError
from scorekeeper.store.errors import NotSaved
from scorekeeper.web.api.group_transfer import MAX_GROUP
from scorekeeper.web.api.transfer import MAX_IMPORT
from scorekeeper.web.security_headers import HEADERS
from scorekeeper.wire.strict import StrictSchema, load

ANYTHING = (
    *(None, True, 0, 5, -1, 1.5, "", "x", "1"),
    *([], [1], ["x"], [None], [[]], [{}], {}, {"a": 1}),
)
WRITES = (
    ("POST", "/rules/check"),
    ("POST", "/rules-card.pdf"),
    ("POST", "/melds/check"),
    ("POST", "/hands/arrange"),
    ("POST", "/table/check"),
    ("POST", "/rounds/score"),
    ("POST", "/settlements"),
    ("POST", "/games"),
    ("POST", "/games/import"),
    ("PATCH", "/games/{id}"),
    ("POST", "/games/{id}/secrets"),
    ("POST", "/games/{id}/codes"),
    ("POST", "/games/{id}/codes/end"),
    ("POST", "/games/{id}/rounds"),
    ("POST", "/games/{id}/rounds/preview"),
    ("PUT", "/games/{id}/rounds/1"),
    ("POST", "/games/{id}/rounds/1/insert"),
    ("POST", "/games/{id}/points"),
    ("PUT", "/games/{id}/settlement/transfers/0"),
    ("POST", "/groups"),
    ("POST", "/groups/import"),
    ("POST", "/groups/{id}/sheets"),
    ("PATCH", "/groups/{id}"),
    ("POST", "/groups/{id}/members"),
    ("PATCH", "/groups/{id}/members/1"),
    ("POST", "/groups/{id}/games"),
    ("PUT", "/groups/{id}/games/{game}"),
    ("POST", "/groups/{id}/payments"),
    ("POST", "/groups/{id}/settlements"),
    ("PUT", "/groups/{id}/rates"),
    ("POST", "/groups/{id}/conversions"),
    ("POST", "/groups/{id}/reversals"),
    ("POST", "/groups/{id}/tournament"),
    ("PUT", "/groups/{id}/tournament"),
    ("POST", "/groups/{id}/tournament/entrants"),
    ("PUT", "/groups/{id}/tournament/rounds/1/tables/1/result"),
    ("POST", "/groups/{id}/tournament/close"),
    ("POST", "/groups/{id}/secrets"),
    ("POST", "/groups/{id}/codes"),
    ("POST", "/groups/{id}/codes/end"),
    ("POST", "/codes"),
)
"""Every call that takes a body; a test below compares the list with the app."""

PHOTOGRAPHS = {("POST", "/cards/recognise"), ("POST", "/games/{id}/cards/recognise")}
"""The calls that take pictures, which are attacked in a file of their own."""
MAY_BE_EMPTY = ("/games/{id}/codes", "/groups/{id}/codes", "/groups/{id}/tournament/close")
"""Calls that need no key in their body."""
LARGER = {"/games/import": MAX_IMPORT, "/groups/import": MAX_GROUP}
"""The larger limits of imports."""
MAX_MS = 100
JSON = {"content_type": "application/json"}
NAMES = (
    ("rules", "seats", "title", "cards", "round", "totals", "right", "paid", "outcome"),
    ("name", "members", "players", "from", "to", "amount", "unit", "in", "rate", "number"),
)
VALUES: tuple[Any, ...] = (
    None, True, -1, 1.5, 10**17, "", "x" * 5000, "\ud800", "\x00", "\u202e", [], {}, [[]], [{}],
    {"a": {"b": {"c": {}}}}, ["JK"] * 300, {"preset": "robber", "options": {"\ud800": 1}},
    {"preset": "x" * 41}, [None] * 6, [{"hand": "4H..4H" * 60}] * 6, [{"points": 10**17}] * 2,
)  # fmt: skip

MARKS = "\u0315\u0300"
"""Two combining marks in the wrong order; sorting many takes quadratic time."""
MOVES = ("layoffs", "swaps")
MELDS = ("melds", "first_meld")
SEATS: tuple[Any, ...] = (
    {name: [dict.fromkeys(map(str, range(25)))] * 16 for name in MOVES},
    {name: ["??"] * 16 for name in MELDS},
    {"melds": ["2H..AH " * 90] * 16},
    {"melds": [f"4H{' ' * 600}?"] * 16},
)
"""Many of the errors that a round can have."""


def malformed() -> Iterator[bytes]:
    """Bodies that are not unambiguous JSON."""
    yield from (b"", b"{", b"nul", b"\xff\xfe{}", b"{}{}", b"{'a': 1}", b'{"a": 01}')
    yield from (b'{"a": NaN}', b'{"a": Infinity}', b'{"a": 1e999}', b'{"a": "\x00"}')
    yield b'{"a": ' + b"9" * 5000 + b"}"
    yield b'{"title": "a", "title": "b"}'
    yield b"[" * 60_000
    yield b'{"a":' * 9_000 + b"1" + b"}" * 9_000
    yield b'{"seats": ' + b"[" * 20 + b"]" * 20 + b"}"


def well_formed() -> Iterator[bytes]:
    """Bodies that are JSON of the wrong form."""
    yield from (b"null", b"[]", b"0", b'"out"', b"{}", b"[{}]")
    yield json.dumps({str(n): n for n in range(4000)}).encode()
    yield json.dumps({"x" * 60_000: 1}).encode()
    yield json.dumps([{}] * 15_000).encode()
    for value in VALUES:
        yield from (json.dumps(dict.fromkeys(names, value)).encode() for names in NAMES)
    for name in NAMES[0] + NAMES[1]:
        yield json.dumps({name: "a" + MARKS * 15_000}, ensure_ascii=False).encode()
    for seat in SEATS:
        facts = {"outcome": "out", "winner": 0, "seats": [seat] * 6}
        yield json.dumps(facts).encode()
        yield json.dumps({"rules": {"preset": "robber"}, "players": 6, "round": facts}).encode()


@pytest.fixture
def table(app: Flask, request: pytest.FixtureRequest) -> Table:
    """Return the pen for a call: that of a game, or of a group with an evening."""
    if "/groups/{id}" not in request.node.name:
        return Table(app).begin()
    club = Club(app).found()
    club.evening()
    return club


def bodies() -> list[tuple[int, bytes]]:
    """Yield as many bodies as the bar tries, each with the status that refuses it."""
    found = [(400, body) for body in malformed()] + [(422, body) for body in well_formed()]
    dice = random.Random(seed("W6"))
    while len(found) < tries("W6"):
        name, other = dice.choice(NAMES[0]), dice.choice(NAMES[1])
        body = {"nobody knows": 1, name: dice.choice(VALUES), other: [dice.choice(VALUES)]}
        found.append((422, json.dumps(body).encode()))
    return some("W6", found)


@pytest.mark.bar("W6")
@pytest.mark.parametrize(("method", "path"), WRITES)
def test_no_hostile_body_breaks_a_call(table: Table, method: str, path: str) -> None:
    if table.version == "1":
        table.record(QUICK)
    slowest = 0.0
    for expected, body in bodies():
        if body == b"{}" and path in MAY_BE_EMPTY:
            continue
        answer, took = timed(table, method, path, body)
        if took > MAX_MS:  # a pause of the machine or of the garbage collector does not recur
            _, again = timed(table, method, path, body)
            took = min(took, again)
        slowest = max(slowest, took)

        assert answer.status_code == expected, (body[:60], answer.text[:200])
        assert len(answer.data) < 16_384
        tried()
    print(f"{method} {path}: slowest {slowest:.0f} ms, bar {MAX_MS} ms")

    assert table.version == "2"
    if SOAK:  # where nothing else runs beside it
        assert slowest < MAX_MS


def timed(table: Table, method: str, path: str, body: bytes) -> tuple[TestResponse, float]:
    """Return the answer to a body, and the milliseconds it took."""
    start = time.perf_counter()
    answer = table.call(method, path, data=body, match="2", key="k", **JSON)
    return answer, (time.perf_counter() - start) * 1000


@pytest.mark.parametrize(("method", "path"), WRITES)
def test_a_body_must_be_declared_as_json(table: Table, method: str, path: str) -> None:
    kinds = (None, "text/plain", "application/x-www-form-urlencoded", "application/jsonx")
    for kind in kinds:
        answer = table.call(method, path, data=b"{}", content_type=kind, match="1", key="k")

        assert answer.status_code == 415


@pytest.mark.parametrize(("method", "path"), WRITES)
def test_a_body_is_at_most_64_kib(table: Table, method: str, path: str) -> None:
    most = LARGER.get(path, 64 * 1024)

    answer = table.call(method, path, data=b" " * (most + 1), match="1", key="k", **JSON)

    assert answer.status_code == 413
    assert f" {most // 1024} KiB" in answer.json["detail"]


def test_every_call_that_takes_a_body_is_attacked_here(app: Flask) -> None:
    document = app.test_client().get("/api/v1/openapi.json").json
    takes = {
        (method.upper(), re.sub("{(game|group)_id}", "{id}", path.removeprefix("/api/v1")))
        for path, operations in document["paths"].items()
        for method, operation in operations.items()
        if "requestBody" in operation
    }

    places = (
        ("rounds/1", "rounds/{number}"),
        ("/0", "/{number}"),
        ("{game}", "{id}"),
        ("members/1", "members/{member}"),
        ("tables/1", "tables/{at_table}"),
    )
    attacked = set()
    for method, path in WRITES:
        for here, named in places:
            path = path.replace(here, named)
        attacked.add((method, path))

    assert attacked | PHOTOGRAPHS == takes


def schemas(above: type[StrictSchema] = StrictSchema) -> Iterator[type[StrictSchema]]:
    """Yield every schema of a body or a query, in the application's modules."""
    for schema in above.__subclasses__():
        if schema.__module__.startswith("scorekeeper."):
            yield schema
        yield from schemas(schema)


@pytest.mark.parametrize("value", ANYTHING, ids=json.dumps)
def test_every_field_refuses_what_has_another_type(value: object) -> None:
    fields = [(schema, name) for schema in set(schemas()) for name in schema().fields]

    for schema, name in fields:
        key = schema().fields[name].data_key or name
        with suppress(RuleError):  # anything else would be answered with 500
            load(schema(), {key: value})

    assert len(fields) > 200


def test_an_error_has_one_body(table: Table) -> None:
    answer = table.record({**QUICK, "winner": 99}, lang="en")

    assert answer.mimetype == "application/problem+json"
    assert set(answer.json) == {"type", "title", "status", "detail", "instance", "problems"}
    (problem,) = answer.json["problems"]
    assert (problem["code"], problem["path"]) == ("E_FORM", ["winner"])
    assert problem["facts"] == {"why": "range", "least": 0, "most": 11, "value": 99}
    assert problem["message"] == answer.json["detail"]


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/nothing", 404),
        ("/games", 405),
        ("/", 404),
        ("/games/x/rounds/1/2", 404),
        ("/ä\u202e%00", 404),
    ],
)
def test_unknown_urls_get_the_same_error_body(nobody: Table, path: str, status: int) -> None:
    answer = nobody.get(path)

    assert answer.status_code == status
    assert answer.mimetype == "application/problem+json"
    assert answer.json["instance"].isascii()


@pytest.mark.parametrize("accepted", ["", "fr", "de;q=x", "*" * 500, "\xff", "en-US,lb;q=0.5"])
def test_any_accept_language_header_is_answered(nobody: Table, accepted: str) -> None:
    assert nobody.get("/presets/x", headers={"Accept-Language": accepted}).status_code == 404


@pytest.mark.bar("W1")
def test_every_answer_carries_the_security_headers(table: Table) -> None:
    answers = [
        table.get("/games/{id}"),
        table.get("/games/{id}", headers={"If-None-Match": '"1-en"'}),
        table.get("/games/{id}", secret=""),
        table.get("/nothing"),
        table.get("/docs"),
        table.get("/openapi.json"),
        table.get("/games/{id}/sheet.pdf"),
        table.get("/games/{id}/export.csv"),
        table.call("OPTIONS", "/games/{id}"),
        table.call("HEAD", "/games/{id}"),
        table.call("DELETE", "/games/{id}"),
        table.call("DELETE", "/games/{id}/rounds/1"),
        table.call("DELETE", "/games/{id}/rounds/1", match="9"),
        table.record(QUICK),
        table.record({}),
        table.record(QUICK, key=None),
        table.call("POST", "/games", data=b"{", **JSON),
        table.call("POST", "/games", data=b" " * 70_000, **JSON),
        table.call("POST", "/games", data=b"{}", content_type="text/plain"),
        table.record(QUICK, secret=table.watch),
    ]
    statuses = {answer.status_code for answer in answers}

    assert statuses == {200, 201, 304, 400, 403, 404, 405, 412, 413, 415, 422, 428}
    for answer in answers:
        assert set(HEADERS.items()) <= set(answer.headers.items()), answer.request.path
        assert answer.headers["Cache-Control"] in ("private, no-cache", "no-store")
        assert "Set-Cookie" not in answer.headers


def test_a_full_disk_is_reported_and_reading_goes_on(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:  # D5
    def fails(*_: Any, **__: Any) -> Any:
        raise NotSaved(OSError("disk"))

    monkeypatch.setattr("scorekeeper.services.games.record_round", fails)
    answer = table.record(QUICK)

    assert answer.status_code == 503
    assert table.get("/games/{id}").json["rounds"] == []


def test_an_internal_error_shows_no_traceback(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: Any) -> Any:
        raise ZeroDivisionError("secret inner workings")

    app.config["PROPAGATE_EXCEPTIONS"] = False
    monkeypatch.setattr("scorekeeper.web.api.rules.preset", fails)
    answer = Table(app).get("/presets/robber")

    assert (answer.status_code, answer.mimetype) == (500, "application/problem+json")
    assert "inner" not in answer.text
    assert codes(answer) == [("E_SERVER", [])]
