"""A ledger, a group of players, and helpers to inspect a closed database."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from scorekeeper.domain import rules as options
from scorekeeper.domain.game.state import Game
from scorekeeper.domain.history.book import Event
from scorekeeper.domain.history.codec import encode_score
from scorekeeper.domain.rounds.facts import RoundScore, ScoreLine, SeatScore
from scorekeeper.domain.rules.presets import preset
from scorekeeper.store import Ledger, open_ledger
from scorekeeper.store.check import Price, check
from scorekeeper.store.report import Report
from scorekeeper.store.writes import Write

AT = "2026-06-12T19:40:05Z"


class Table:
    """Four players who use a ledger."""

    pen: str
    watch: str
    """The secrets of the game that was opened last."""

    def __init__(self, ledger: Ledger) -> None:
        self.ledger = ledger

    def created(self) -> dict[str, Any]:
        return {"rules": options.encode_rules(preset("german-family")), "players": 4}

    def round(self, number: int, points: int) -> dict[str, Any]:
        """Record a round that the first player wins; the others have ``points`` each."""
        score = RoundScore(
            outcome="out",
            winner=0,
            verification="unverified",
            scores=(SeatScore(), *(SeatScore(minus=points),) * 3),
            lines=tuple(ScoreLine(seat=seat, reason="hand", minus=points) for seat in (1, 2, 3)),
        )
        wire = {"outcome": "out", "winner": 0, "seats": [{}, *[{"points": points}] * 3]}
        return {"number": number, "round": wire, "score": encode_score(score)}

    def open(self, game_id: str = "evening", *, browser: str | None = None, **more: Any) -> str:
        names = {"title": "Ein Abend zu viert", "name.0": "Änne", "name.1": "Bob"}
        first = Event(1, AT, "created", "pen", self.created(), names, **more)
        _, self.pen, self.watch = self.ledger.create(Game, game_id, first, browser=browser)
        return game_id

    def record(
        self, game_id: str, points: int, *, key: str | None = None, digest: str | None = None
    ) -> Game:
        write = Write(key=key)
        with self.ledger.book_transaction(game_id, write, digest=digest) as transaction:
            if transaction.repeated is None:
                number = len(transaction.game.sheet.rows) + 1
                transaction.append("round", self.round(number, points), at=AT, by="pen")
                return transaction.game
            then = transaction.repeated
        return self.ledger.game_at(game_id, then.number)

    def correct(self, game_id: str, number: int, points: int) -> Game:
        with self.ledger.book_transaction(game_id) as transaction:
            transaction.append("corrected", self.round(number, points), at=AT, by="pen")
            return transaction.game


def checked(path: Path, price: Price | None = None) -> Report:
    """Return the report of a check."""
    with closing(open_ledger(path)) as ledger:
        return check(ledger, price)


def version_in(path: Path, book: str = "evening", **more: Any) -> int | None:
    """Return the number of events of a book in a file."""
    with closing(open_ledger(path, **more)) as ledger:
        return ledger.version(book)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "evenings.sqlite"


@pytest.fixture
def ledger(path: Path) -> Iterator[Ledger]:
    ledger = open_ledger(path)
    yield ledger
    ledger.close()


@pytest.fixture
def table(ledger: Ledger) -> Table:
    return Table(ledger)


@pytest.fixture
def table_at() -> type[Table]:
    """A table for a test that opens its ledgers itself."""
    return Table
