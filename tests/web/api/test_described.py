"""Requests made from the OpenAPI document are answered as it says (W5).

Schemathesis generates the requests from the OpenAPI document alone. Half of their secrets,
versions and cards are then replaced with valid ones, and most rounds with realistic ones;
otherwise nearly all requests would be refused at once.
"""

import json
import math
import random
import warnings
from collections import Counter
from typing import Any

import pytest
from flask import Flask
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import seed as drawn_by
from hypothesis import strategies as st
from werkzeug.test import TestResponse

from bars import seed, tried, tries
from rest import ROOT, Club, Table, described
from scorekeeper.domain.cards.card import JOKER, PACK
from scorekeeper.domain.rules.presets import PRESETS
from scorekeeper.i18n import LANGUAGES
from scorekeeper.web.api.examples import ROUNDS, TABLES

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    import schemathesis
    from schemathesis import GenerationMode

THOUSAND = 1000
TWICE = 2
"""The number of exchanges tried with each request, because generating one takes longer."""
ROUND = f"{ROOT}/games/{{game_id}}/rounds"


def made_up(app: Flask, count: int, number: int) -> list[Any]:
    """Yield this many requests, three in four of them valid by the document."""
    document = described(app).document
    schema = schemathesis.openapi.from_dict(document)
    operations = [found.ok() for found in schema.get_all_operations()]
    modes = [GenerationMode.POSITIVE] * 3 + [GenerationMode.NEGATIVE]
    operations += [one for one in operations if one.path == ROUND] * 9
    ways = [one.as_strategy(generation_mode=mode) for one in operations for mode in modes]
    cases: list[Any] = []

    @drawn_by(number)
    @settings(
        max_examples=count,
        database=None,
        deadline=None,
        derandomize=False,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(st.sampled_from(ways).flatmap(lambda way: way))
    def draw(case: Any) -> None:
        cases.append(case)

    draw()
    return cases


class World:
    """Games of every family and a group, and requests about them."""

    def __init__(self, app: Flask, dice: random.Random) -> None:
        self.app, self.dice = app, dice
        self.client = app.test_client()
        self.tables = {family: opened(app, family) for family in TABLES}
        self.club = Club(app).found()
        self.club.evening(points=(0, 12, 35))
        self.club.evening()

    def ask(self, case: Any) -> TestResponse:
        """Send a request after exchanging many of its values for existing ones."""
        family, table = self.dice.choice(list(self.tables.items()))
        held = self.club if "{group_id}" in case.path else table
        headers = dict(case.headers or {}) | self.known(held)
        body = self.sensible(case.body) if case.media_type else None
        if body is not None and case.path.startswith(ROUND) and self.often(0.9):
            body = self.round(family)
        answer = self.client.open(
            self.place(case, held),
            method=case.method,
            headers=headers,
            query_string=case.query or None,
            data=body if body is None or isinstance(body, bytes) else json.dumps(body, default=str),
            content_type=case.media_type,
        )
        if answer.status_code < 300 and case.method != "GET":
            self.go_on(held, answer)
        return answer

    def often(self, chance: float = 0.8) -> bool:
        return self.dice.random() < chance

    def place(self, case: Any, held: Table) -> str:
        """Return the path, mostly with existing ids."""
        given = dict(case.path_parameters or {})
        there = {"group_id": self.club.id, "name": self.dice.choice(list(PRESETS))}
        there["game_id"] = self.club.game if held is self.club else held.id
        low = self.dice.randint(0, 3)
        path = case.path
        for name, value in given.items():
            path = path.replace(
                f"{{{name}}}", str(there.get(name, low) if self.often(0.95) else value)
            )
        return path

    def known(self, held: Table) -> dict[str, str]:
        """Return headers with the pen and the current version."""
        version = self.app.extensions["ledger"].version(held.id)
        secret = self.dice.choice((*[held.pen] * 9, held.watch))
        headers = {
            "Authorization": f"Bearer {secret}",
            "If-Match": f'"{version}"',
            "If-None-Match": f'"{version - self.dice.randint(0, 1)}-en"',
            "Idempotency-Key": "key" if self.often(0.1) else str(self.dice.random()),
            "Accept-Language": self.dice.choice(LANGUAGES),
        }
        return {name: value for name, value in headers.items() if self.often(0.95)}

    def round(self, family: str) -> Any:
        """Return a round as people play it."""
        usual = dict(ROUNDS[family]["value"])
        if family == "lay" and self.often():
            seats = [{"points": self.dice.randint(0, 300)} for _ in range(4)]
            winner = self.dice.randrange(4)
            seats[winner] = {}
            usual = {"outcome": "out", "winner": winner, "seats": seats}
        return {**usual, "note": "Glück"} if self.often(0.2) else usual

    def sensible(self, body: Any) -> Any:
        """Return the same body with meaningful words in its places."""
        if isinstance(body, dict):
            return {
                name: self.dice.choice(SENSIBLE[name])
                if name in SENSIBLE and self.often(0.6)
                else self.sensible(value)
                for name, value in body.items()
            }
        return [self.sensible(one) for one in body] if isinstance(body, list) else body

    def go_on(self, held: Table, answer: TestResponse) -> None:
        """Store the result of a change, and reopen a game that is over."""
        result = answer.json if answer.is_json else {}
        if "secret" in result:
            setattr(held, result["right"], result["secret"])
        if result.get("over") or result.get("game", {}).get("over"):
            about = {"match": held.version} if held is not self.club else {}
            if about:
                held.call("PATCH", "/games/{id}", {"over": False}, **about)


def opened(app: Flask, family: str) -> Table:
    """Return a game of a family with a round."""
    game = TABLES[family]
    names = "ABCDEF"[: game["players"]]
    table = Table(app).begin(players=names, rules=dict(game["rules"]))
    table.record(ROUNDS[family]["value"])
    return table


def dealt(dice: random.Random, count: int) -> str:
    """Return cards as text."""
    return " ".join(map(str, dice.sample([*PACK * 2, *[JOKER] * 4], count)))


HANDS = [dealt(random.Random(count), count) for count in range(3, 15)]
SENSIBLE: dict[str, Any] = {
    "preset": list(PRESETS),
    "options": ({}, {"joker.hand_value": 50}, {"deck.jokers": 2}, {"settle.mode": "none"}),
    "cards": ("KH KD KS", "5H 6H JK", "AS 2S 3S 4S", *HANDS),
    "hand": HANDS,
    "rest": ("K 2", "9", *HANDS),
    "before": ([], ["4H 5H 6H"], ["7S 8S 9S", "QH QD JK"]),
    "after": ([], ["4H 5H 6H 7H"], ["7S 8S 9S"]),
    "hand_used": ("7H", "", "QC"),
    "unit": ("ct", "EUR"),
    "in": ("EUR", "ct"),
    "amount": ("5", "1/3"),
    "rate": ("1/100", "100"),
    "point_value": (None, "1", "1/10"),
    "payable": ("1", "5", "1/100"),
    "totals": ([12, 0, 35], [0, 1], [-5, 5]),
    "sheet": ("date;Anna;Ben\n2026-03-05;0;12\n", "Datum;A;B;C\n5.3.26;1;2;3\n"),
    "name": ("Anna", "Doris", "Eva"),
    "number": (1, 2, 3, 4),
}
"""Values for bodies that are not JSON."""


@pytest.mark.bar("W5")
def test_every_answer_matches_its_schema(app: Flask) -> None:
    """At least half of the rounds posted to a game are accepted."""
    document, sent, rounds = described(app), 0, Counter[int]()
    while sent < tries("W5"):
        number = seed("W5") + sent
        world = World(app, random.Random(number))
        some = min(THOUSAND, tries("W5") - sent)
        for case in TWICE * made_up(app, math.ceil(some / TWICE), number):
            try:
                answer = world.ask(case)
                document.check(case.method, answer)
            except Exception:
                print(case.as_curl_command())
                raise
            if (case.method, case.path) == ("POST", ROUND):
                rounds[answer.status_code] += 1

            assert answer.status_code < 500, case.as_curl_command()
        tried(some)
        sent += some

    assert 2 * sum(rounds[status] for status in rounds if status < 400) >= rounds.total(), rounds
