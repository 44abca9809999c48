"""Evenings under way, at which phones ask for the new board after each round."""

import json
from dataclasses import dataclass, replace
from datetime import date
from functools import reduce
from itertools import cycle, islice
from pathlib import Path
from random import Random
from typing import Any

from scorekeeper.domain.game.state import Game, created
from scorekeeper.services.backfill import played_game
from scorekeeper.services.demo import evening_of, people_of
from scorekeeper.store import open_ledger

Request = dict[str, Any]
DAY = date(2026, 6, 12)
POINTS = 15
"""The points that each loser of a round has left."""
WRITER, *WATCHERS = PHONES = tuple(f"phone-{number}" for number in range(4))
"""The browsers at every table."""


@dataclass(frozen=True)
class Evening:
    """A stored game that is under way."""

    address: str
    record: Request
    """Records the next round."""

    def read(self, page: str = "", phone: str = WRITER) -> Request:
        """Return the request of a phone for a page of this evening."""
        headers = {"Cookie": f"browser={phone}", "Accept-Encoding": "gzip"}
        return read_request(self.address + page, 200, headers)

    def after_rounds(self, page: str, count: int) -> list[Request]:
        """Return requests that record some rounds, and read a page after each."""
        return [self.record, self.read(page)] * count


def begun(data: Path, rounds: int) -> Evening:
    """Store a game with this many rounds, which every phone of the table follows."""
    chance = Random(1)  # the same players and rules for every length
    evening = evening_of(people_of(4, chance), DAY, chance)
    of_length = replace(
        evening,
        rounds=tuple(islice(cycle(evening.rounds), rounds)),
        at=tuple(islice(cycle(evening.at), rounds + 2)),
    )
    over, (first, *events) = played_game(of_length)
    game = reduce(Game.apply, events[:rounds], created(over.id, first))
    ledger = open_ledger(data)
    pen, watch = ledger.import_book(game, [first, *events[:rounds]])
    ledger.rights.remember(WRITER, game.id, pen)
    for phone in WATCHERS:
        ledger.rights.remember(phone, game.id, watch)
    ledger.close()
    return Evening(f"/g/{game.id}", record_request(game.id, pen, won_round(len(game.players))))


def won_round(players: int) -> dict[str, Any]:
    """Return a round by points, which the first player has won."""
    return {"outcome": "out", "winner": 0, "seats": [{}, *[{"points": POINTS}] * (players - 1)]}


def record_request(game: str, pen: str, facts: dict[str, Any]) -> Request:
    """Return the request that records a round."""
    return {
        "method": "POST",
        "path": f"/api/v1/games/{game}/rounds",
        "headers": {"Authorization": f"Bearer {pen}", "Content-Type": "application/json"},
        "body": json.dumps(facts),
        "expect": 201,
    }


def read_request(path: str, expect: int = 200, headers: dict[str, str] | None = None) -> Request:
    """Return a reading request."""
    return {"method": "GET", "path": path, "headers": headers or {}, "expect": expect}
