"""Stored evenings are compared with the events of their games, and rebuilt from them."""

import sqlite3
from contextlib import closing
from datetime import date
from math import ceil
from pathlib import Path
from typing import Any

import pytest

import short
from bars import tried, tries, trying
from club_nights import NAMES, Club
from scorekeeper.domain.game.changes import NewGame
from scorekeeper.domain.group.changes import NewGroup
from scorekeeper.services import games, groups
from scorekeeper.services.demo import DemoSettings, make
from scorekeeper.services.games import new_rules
from scorekeeper.store import Ledger, NotSaved, open_ledger, read_ledger
from scorekeeper.store.check import Rebuilt, check, rebuild
from scorekeeper.store.writes import Write
from store.conftest import checked

AT = "2026-06-12T19:40:05Z"


@pytest.fixture
def group(ledger: Ledger) -> str:
    """A group of five evenings, the last one unfinished."""
    group = make(ledger, DemoSettings(evenings=4, members=4, seed=2, until=date(2026, 6, 1))).group
    order = NewGame("", "", new_rules("german-family", {}), group.players[:3])
    game = groups.open_evening(ledger, group.id, order, write=Write())
    short.record(ledger, game.id, 0, 5, 7)
    return group.id


def everything(ledger: Ledger, group_id: str) -> list[object]:
    """Return the stored rows, without the results of unfinished evenings."""
    return [
        [(one.game, one.day, one.seating, one.over) for one in ledger.seasons.evenings(group_id)],
        ledger.seasons.evenings(group_id, over=True),
        ledger.seasons.figures(group_id),
        ledger.seasons.encounters(group_id),
    ]


@pytest.mark.usefixtures("group")
def test_correct_stored_evenings_are_not_rewritten(ledger):
    report = check(ledger)

    assert report.good
    assert report.clean
    assert report.line("evenings").facts["evenings"] == 5


@pytest.mark.parametrize(
    ("harm", "anew"),
    [
        ("UPDATE results SET worth = worth + 1 WHERE seat = 0", 4),
        ("UPDATE results SET member = 3 - member", 5),
        ("UPDATE evenings SET rounds = rounds + 1", 4),
        ("UPDATE evenings SET over = 0", 4),
        ("UPDATE evenings SET training = 1 - training", 5),
        ("DELETE FROM encounters", 4),
        ("DELETE FROM encounters; DELETE FROM results; DELETE FROM evenings", 5),
    ],
)
def test_wrong_stored_evenings_are_reported_and_rebuilt(ledger, path, group, harm, anew):
    before = everything(ledger, group)
    with closing(sqlite3.connect(path)) as other:
        other.executescript(harm)
    harmed = path.read_bytes()
    with closing(read_ledger(path)) as reading:
        first = check(reading)
    assert path.read_bytes() == harmed

    assert first.good and not first.clean
    assert first.line("evenings").facts["bad"] == anew
    assert rebuild(ledger) == Rebuilt(5, anew)
    assert rebuild(ledger) == Rebuilt(5, 0)
    assert check(ledger).clean
    assert everything(ledger, group) == before


def test_rebuild_deletes_an_evening_without_a_group(ledger, group):
    alone = short.begun(ledger, "A", "B")
    (evening, *_) = ledger.seasons.evenings(group)
    _, *about = ledger.seasons.evening_rows(evening.game)["evenings"][0]
    with ledger.store.engine.write() as db:
        marks = ", ".join("?" * (1 + len(about)))
        db.execute(f"INSERT INTO evenings VALUES ({marks})", (alone, *about))
    report = check(ledger)

    assert report.line("evenings").facts["places"] == ((alone, 0),)
    assert ledger.seasons.group_of(alone) == group
    assert rebuild(ledger) == Rebuilt(5, 1)
    assert ledger.seasons.group_of(alone) is None


@pytest.mark.parametrize("table", ["results", "encounters"])
def test_results_of_a_group_that_did_not_play_are_reported(ledger, group, table):
    other = groups.create_group(ledger, NewGroup("Others", ("A", "B"))).group.id
    (evening, *_) = ledger.seasons.evenings(group, over=True)
    (_, *more), *_ = ledger.seasons.evening_rows(evening.game)[table]
    with ledger.store.engine.write() as db:
        marks = ", ".join("?" * (1 + len(more)))
        db.execute(f"INSERT INTO {table} VALUES ({marks})", (other, *more))
    report = check(ledger)

    assert report.line("evenings").facts["places"] == ((evening.game, 0),)


def test_an_evening_with_different_bookings_is_reported_and_not_changed(ledger, group):
    game = next(iter(ledger.group(group).evenings))
    moves = [[0, "ct", "1"], [1, "ct", "-1"]]
    with ledger.book_transaction(group) as transaction:
        payload = {"game": game, "unit": "ct", "payable": "1", "moves": moves}
        transaction.append("booked", payload, at=AT, by="pen")
    report = check(ledger)

    assert report.good
    assert report.line("accounts").facts["places"] == ((game, 0),)
    assert ledger.events(group)[-1].payload["moves"] == moves


@pytest.mark.parametrize("points", [7, 2_000_000])
def test_a_table_of_a_tournament_with_another_result_is_reported(ledger, points):
    """Such a database was imported, or written by an earlier version."""
    club = Club(ledger, NAMES[:4])
    club.draw()
    club.play_all()
    assert check(ledger).clean
    (game,) = club.now.rounds[0].games
    with ledger.book_transaction(game) as transaction:
        transaction.append("given", {"side": 0, "minus": points}, at=AT, by="pen")
    rebuild(ledger)
    report = check(ledger)

    assert report.good
    assert [line.key for line in report.lines if not line.ok] == ["accounts"]
    assert report.line("accounts").facts["places"] == ((game, 0),)


@pytest.mark.parametrize("change", ["ends", "leaves", "joins"])
def test_an_evening_that_changes_after_its_group_was_read_is_no_damage(ledger, group, change):
    (game_id,) = ledger.seasons.running(group, 2)
    if change == "joins":
        groups.release_game(ledger, group, game_id, write=Write())

    def changing(parts: list[Any]) -> list[Any]:
        if change == "ends":
            games.end_game(ledger, game_id, write=Write())
        elif change == "leaves":
            groups.release_game(ledger, group, game_id, write=Write())
        else:
            groups.admit_game(ledger, group, game_id, write=Write())
        return parts

    report = check(ledger, progress=changing)

    assert [line.key for line in report.lines if line.facts.get("places")] == []


def test_bookings_that_do_not_balance_cannot_be_replayed(ledger, group):
    with (
        pytest.raises(ValueError, match="makes money"),
        ledger.book_transaction(group) as transaction,
    ):
        transaction.append("settled", {"moves": [[0, "ct", "1"]]}, at=AT, by="pen")

    assert check(ledger).good


@pytest.mark.bar("L4")
def test_stored_evenings_equal_their_replay(tmp_path: Path) -> None:
    evenings = 15
    many = ceil(tries("L4", every=60) / 2 / evenings)
    for number, dice in enumerate(trying("L4", many)):
        path = tmp_path / f"{number}.sqlite"
        wishes = DemoSettings(evenings, dice.randint(2, 6), dice.randrange(2**32), date(2026, 6, 1))
        with closing(open_ledger(path)) as ledger:
            make(ledger, wishes)
        report = checked(path)

        assert report.good
        assert report.clean
        assert report.line("evenings").facts["evenings"] == evenings
        tried(evenings - 1)


def test_a_read_only_ledger_refuses_every_write(path, group):
    with closing(read_ledger(path)) as reading:
        assert reading.group(group).id == group
        with pytest.raises(NotSaved), reading.book_transaction(group) as transaction:
            transaction.append("details", {"fields": []}, at=AT, by="pen")
        with pytest.raises(NotSaved), reading.store.engine.write() as db:
            db.execute("DELETE FROM evenings")
    assert checked(path).clean


def test_the_evenings_of_every_group_are_compared(tmp_path):
    path = tmp_path / "groups.sqlite"
    with closing(open_ledger(path)) as ledger:
        for seed in (1, 2):
            make(ledger, DemoSettings(evenings=2, members=3, seed=seed, until=date(2026, 6, 1)))

    assert checked(path).line("evenings").facts["evenings"] == 4


def test_the_group_of_a_new_round_is_checked_with_it(ledger, group):
    """The game names no group; its group has not changed since."""
    (game,) = ledger.seasons.running(group, 2)
    last = ledger.store.inspection.last()
    short.record(ledger, game, 0, 5, 9)

    report = check(ledger, since=last)

    assert report.line("chain").facts["books"] == 2
    assert report.line("evenings").facts["evenings"] == 1
    assert report.clean
