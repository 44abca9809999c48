"""Write the record of a release, which every later version must be able to open.

``python tools/released.py 1.0.0``, once per release, at its commit. The record goes to
tests/data/databases/1.0.0.sql, with what it must show to 1.0.0.json; neither is written
again afterwards. tests/store/test_releases.py opens all of them.
"""

import json
import sqlite3
import sys
from contextlib import closing
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from scorekeeper.services import demo, games
from scorekeeper.services.bookkeeping import set_clock
from scorekeeper.services.evening import read_evening
from scorekeeper.store import open_ledger
from scorekeeper.store.ledger import Ledger
from scorekeeper.wire.rounds import load_round

ROOT = Path(__file__).parents[1]
RELEASES = ROOT / "tests" / "data" / "databases"
AT = "2026-11-21T19:00:00Z"
EXAMPLES = ("evening", "gin-palast", "romme-palast")
BROWSER = "phone"
"""The browser that holds the pen of every example."""
LAST = date(2026, 11, 20)


def store_example(ledger: Ledger, name: str) -> None:
    """Store an example evening; correct a round, strike and restore the last one."""
    evening = read_evening((ROOT / "examples" / f"{name}.json").read_bytes())
    game_id = games.create_game(ledger, evening.order, browser=BROWSER).game.id
    rounds = [load_round(body).round for body in evening.rounds]
    for number, facts in enumerate(rounds, 1):
        games.record_round(ledger, game_id, facts, key=f"{name} {number}")
    games.correct_round(ledger, game_id, 1, rounds[1], expect=None)
    games.strike_round(ledger, game_id, len(rounds), expect=None)
    games.restore_round(ledger, game_id, len(rounds), expect=None)


def contents(ledger: Ledger) -> dict[str, Any]:
    """Return the state of every book of a record as JSON values."""
    ids = sorted(book_id for book_id, *_ in ledger.store.inspection.books())
    return {book_id: book_contents(ledger, book_id) for book_id in ids}


def book_contents(ledger: Ledger, book_id: str) -> dict[str, Any]:
    """Return the state of one book: the head of its chain, names, points, money."""
    book = ledger.book(book_id)
    about: dict[str, Any] = {"version": book.version, "head": ledger.head(book_id)}
    if ledger.kind(book_id) == "group":
        group = ledger.group(book_id)
        balance = [str(amount) for amount in group.balance(demo.UNIT)]
        return {**about, "evenings": len(group.evenings), "balance": balance}
    game = ledger.game(book_id)
    totals = [[tally.minus, tally.plus] for tally in game.sheet.tallies]
    settled = game.settlement()
    amounts = [str(amount) for amount in (settled and settled.amounts) or ()]
    return {**about, "players": list(game.players), "totals": totals, "amounts": amounts}


def main(version: str) -> None:
    """Write the record of this version and its expected contents."""
    RELEASES.mkdir(exist_ok=True)
    with TemporaryDirectory() as folder:
        path = Path(folder, "release.sqlite")
        with closing(open_ledger(path, journal="truncate")) as ledger, set_clock(AT):
            for name in EXAMPLES:
                store_example(ledger, name)
            demo.make(ledger, demo.DemoSettings(evenings=2, members=4, seed=1, until=LAST))
            expected = json.dumps(contents(ledger), indent=1, ensure_ascii=False)
        with closing(sqlite3.connect(path)) as record:
            (tables,) = record.execute("PRAGMA user_version").fetchone()
            lines = [*record.iterdump(), f"PRAGMA user_version = {tables};"]
    (RELEASES / f"{version}.sql").write_text("\n".join(lines) + "\n", encoding="utf-8")
    (RELEASES / f"{version}.json").write_text(expected + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
