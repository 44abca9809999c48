"""Check reports changes, losses and damage outside the ledger."""

import shutil
import sqlite3
from contextlib import closing, suppress
from dataclasses import replace
from functools import partial

import pytest

from bars import tries, trying
from scorekeeper.domain.game.changes import ScoredRound, score_for
from scorekeeper.domain.rounds.facts import RoundScore, Seat, SeatScore
from scorekeeper.store import Unreadable, read_ledger
from scorekeeper.store.chain import link
from scorekeeper.store.check import Processes, check, find_digits
from scorekeeper.store.report import CheckResult
from scorekeeper.store.sql.inspection import Position
from scorekeeper.store.sqlite.inspection import Inspection
from store.conftest import checked
from store.contract.conftest import SqliteDatabase


@pytest.fixture
def evening(table):
    """A closed ledger with two games; returns its file."""
    for game_id in ("monday", "tuesday"):
        table.open(game_id)
        for points in (25, 40, 15):
            table.record(game_id, points, key=f"key {points}", digest=f"body {points}")
        table.correct(game_id, 2, 45)
    table.ledger.close()
    return table.ledger.store.engine.path


@pytest.fixture
def position(table):
    """The last event of a ledger with two games; then the second one goes on."""
    for game_id in ("monday", "tuesday"):
        table.open(game_id)
        table.record(game_id, 25)
    last = table.ledger.store.inspection.last()
    table.record("tuesday", 40)
    return last


def tamper(path, *statements):
    """Change the file with another program that drops the triggers for a while."""
    SqliteDatabase(path).tamper(*statements)


def bad(report):
    return [line.key for line in report.lines if not line.ok]


def test_a_sound_ledger_passes_and_the_report_has_its_size(evening):
    report = checked(evening)

    assert report.good
    assert bad(report) == []
    sizes = {"games": 2, "books": 2, "events": 10}
    assert report.line("chain").facts == {**sizes, "bad": 0, "places": ()}


@pytest.mark.parametrize(
    ("statement", "place"),
    [
        ("UPDATE events SET payload = replace(payload, '40', '41') WHERE number = 3", 3),
        ("UPDATE events SET payload = payload || ' ' WHERE number = 4", 4),
        ("UPDATE events SET at = '2020-01-01T00:00:00Z' WHERE number = 1", 1),
        ("UPDATE events SET by_right = 'watch' WHERE number = 2", 2),
        ("UPDATE events SET kind = 'struck' WHERE number = 5", 5),
        ("UPDATE events SET key = NULL WHERE number = 2", 2),
        ("UPDATE events SET digest = 'other' WHERE number = 2", 2),
        ("UPDATE events SET hash = x'00' WHERE number = 5", 5),
        ("UPDATE books SET version = 4", 0),
        ("UPDATE books SET head = x'00'", 0),
        ("DELETE FROM events WHERE number = 5", 0),
    ],
)
def test_a_changed_event_is_reported_with_its_number(evening, statement, place):
    where = " AND " if "WHERE" in statement else " WHERE "
    column = "id" if "books" in statement else "book"
    tamper(evening, f"{statement}{where}{column} = 'monday'")
    report = checked(evening)

    assert not report.good
    assert report.line("chain").facts["places"] == (("monday", place),)


def test_a_missing_event_is_reported(evening):
    tamper(evening, "DELETE FROM events WHERE book = 'monday' AND number = 3")

    assert checked(evening).line("chain").facts["places"] == (("monday", 3),)


def test_a_changed_name_is_reported_but_not_an_erased_one(evening):
    tamper(evening, "DELETE FROM texts WHERE field = 'name.0'")
    erased = checked(evening)
    tamper(evening, "UPDATE texts SET text = 'Robert' WHERE text = 'Bob' AND book = 'monday'")
    changed = checked(evening)

    assert erased.good
    assert bad(changed) == ["texts"]
    assert changed.line("texts").facts["places"] == (("monday", 1),)


def test_a_missing_trigger_is_reported(evening):
    tamper(evening)  # all back in their place
    assert checked(evening).good
    with closing(sqlite3.connect(evening)) as other:
        other.execute("DROP TRIGGER events_stay")

    assert checked(evening).line("tables").facts == {"names": ("events_stay",)}


def test_events_that_cannot_be_replayed_are_reported(table):
    table.open("monday")
    with table.ledger.store.engine.write() as db:
        head = bytes.fromhex(table.ledger.head("monday"))
        event = (2, "now", "struck", "pen", '{"number":7}', None, None)
        head = link(head, "monday", event)
        db.execute("INSERT INTO events VALUES ('monday', ?, ?, ?, ?, ?, ?, ?, ?)", (*event, head))
        db.execute("UPDATE books SET version = 2, head = ?", (head,))
    report = check(table.ledger)

    assert bad(report) == ["replay"]
    assert report.line("replay").facts["places"] == (("monday", 2),)


def test_a_round_scored_differently_today_is_reported_and_not_changed(evening):
    def as_then(game, facts):
        points = facts.seats[1].points
        scores = (SeatScore(), *(SeatScore(minus=points),) * 3)
        score = RoundScore(
            outcome="out", winner=0, verification="verified", scores=scores, lines=()
        )
        return ScoredRound(facts, score, seats=4, rules=game.rules)

    def dearer(game, facts):
        return as_then(game, replace(facts, seats=(Seat(), Seat(points=50))))

    def refused(game, facts):
        raise ValueError

    assert checked(evening, as_then).line("prices").ok
    for changed in (dearer, refused):
        report = checked(evening, changed)
        assert report.good
        assert bad(report) == ["prices"]
        assert report.line("prices").facts["bad"] == report.line("prices").facts["rounds"] == 8


def test_the_digits_of_a_printed_sheet_are_found(table):
    game_id = table.open()
    table.record(game_id, 25)
    printed = table.ledger.head(game_id)[:16]
    table.record(game_id, 40)

    assert find_digits(table.ledger, printed) == ((game_id, 2),)
    assert find_digits(table.ledger, f"{printed[:8]} {printed[8:].upper()}") == ((game_id, 2),)
    assert find_digits(table.ledger, "0" * 16) == ()
    for nonsense in ("", "12", "not digits at all", "%" * 16):
        with pytest.raises(ValueError):
            find_digits(table.ledger, nonsense)


def content(path):
    """Return all content of the database; None if it cannot be read."""
    try:
        with closing(sqlite3.connect(path)) as other:
            return [
                other.execute(f"SELECT * FROM {name} ORDER BY 1, 2").fetchall()
                for name in ("events", "texts")
            ]
    except (sqlite3.Error, UnicodeDecodeError):
        return None


@pytest.mark.bar("D8")
def test_every_bit_flip_that_changes_content_is_reported(evening, tmp_path):
    written, whole = content(evening), evening.read_bytes()
    used = [place for place, byte in enumerate(whole) if byte]
    silent = changed = 0
    for dice in trying("D8"):
        flipped = bytearray(whole)
        place = dice.choice((dice.choice(used), dice.randrange(len(whole))))
        flipped[place] ^= 1 << dice.randrange(8)
        damaged = tmp_path / "damaged.sqlite"
        damaged.write_bytes(flipped)
        if content(shutil.copy(damaged, tmp_path / "reading.sqlite")) == written:
            continue
        changed += 1
        with suppress(Unreadable):  # it does not even open
            silent += checked(damaged).good

        assert silent == 0

    assert changed > tries("D8") // 10


def test_a_report_states_what_sqlite_says(evening):
    report = checked(evening)

    assert report.line("pages").facts == {"found": ("ok",), "orphans": 0}
    assert report.line("pragmas").facts["synchronous"] == 2


def test_a_file_that_cannot_be_read_is_not_readable(evening, monkeypatch):
    def unreadable(*_):
        raise Unreadable("torn")

    monkeypatch.setattr(Inspection, "texts", unreadable)

    assert checked(evening).line("readable") == CheckResult("readable", False, {"error": "torn"})


# --- several processes, and games that go on ----------------------------------------------


@pytest.mark.usefixtures("external")
def test_several_processes_find_the_same_as_one(evening, monkeypatch):
    tamper(evening, "UPDATE events SET payload = '{}' WHERE book = 'tuesday' AND number = 3")
    monkeypatch.setattr("scorekeeper.store.check.GAMES_AT_ONCE", 1)
    with closing(read_ledger(evening)) as ledger:
        alone = check(ledger, score_for)
        together = check(ledger, score_for, processes=Processes(2, partial(read_ledger, evening)))

    assert together.lines[:-1] == alone.lines[:-1]  # the last is the free space
    assert together.line("chain").facts["places"] == (("tuesday", 3),)


@pytest.mark.parametrize("moment", ["events", "book"])
def test_a_round_that_is_recorded_meanwhile_is_no_damage(table, monkeypatch, moment):
    table.open()
    table.record("evening", 25)
    more = [40]
    read = getattr(Inspection, moment)

    def reading(inspection, book_id):
        if more:
            table.record(book_id, more.pop())
        return read(inspection, book_id)

    monkeypatch.setattr(Inspection, moment, reading)
    report = check(table.ledger)

    assert more == []
    assert bad(report) == []


# --- only what is new ---------------------------------------------------------------------


def test_only_books_with_new_events_are_checked_again(ledger, position):
    report = check(ledger, since=position)

    assert report.line("since").facts == {"events": 1}
    assert report.line("chain").facts["games"] == 1
    assert report.line("chain").facts["events"] == 3
    assert "pages" not in {line.key for line in report.lines}
    assert bad(report) == []


@pytest.mark.parametrize(
    ("statement", "line"),
    [
        ("UPDATE events SET payload = '{}' WHERE book = 'tuesday' AND number = 2", "chain"),
        ("UPDATE texts SET text = 'Eve' WHERE book = 'tuesday' AND field = 'name.0'", "texts"),
        ("UPDATE events SET payload = '{}' WHERE book = 'monday' AND number = 2", None),
        ("UPDATE texts SET text = 'Eve' WHERE book = 'monday' AND field = 'name.0'", None),
    ],
)
def test_damage_in_a_changed_book_is_found_and_elsewhere_by_a_full_check(
    ledger, path, position, statement, line
):
    ledger.close()
    tamper(path, statement)

    with closing(read_ledger(path)) as damaged:
        assert bad(check(damaged, since=position)) == ([line] if line else [])
        assert bad(check(damaged)) != []


@pytest.mark.parametrize("last", [Position(2, b"another link"), Position(99, b"")])
def test_another_database_is_checked_whole(evening, last):
    with closing(read_ledger(evening)) as ledger:
        assert check(ledger, since=last).lines[:-1] == check(ledger).lines[:-1]
