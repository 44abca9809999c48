"""Everything can be copied from one database to another, on any engine (G6)."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date

import pytest

from bars import tries, trying
from scorekeeper.domain.game.changes import score_for
from scorekeeper.services import groups
from scorekeeper.services.demo import DemoSettings, make
from scorekeeper.store import Ledger, copying, open_ledger
from scorekeeper.store.check import check
from scorekeeper.store.errors import Diverged
from scorekeeper.store.writes import Write


@pytest.fixture
def first(tmp_path) -> Iterator[Ledger]:
    """A SQLite database with a group, a single game, an erased name and rights."""
    ledger = open_ledger(tmp_path / "first.sqlite")
    group = make(ledger, DemoSettings(3, 4, 5, date(2026, 2, 20))).group
    groups.erase_member(ledger, group.id, 1, write=Write())
    ledger.secret_key()
    yield ledger
    ledger.close()


def alone(table, ledger: Ledger, game_id: str = "alone") -> None:
    """Add a single game with everything that a game may have."""
    table.ledger = ledger
    table.open(game_id, key="start", digest="body", browser="phone")
    for points in (10, 20, 30):
        table.record(game_id, points, key=f"k{points}", digest="d")
    with ledger.book_transaction(game_id) as transaction:
        transaction.append("secret", {"right": "paper"}, at="now", by="pen")
        transaction.replace_secret("paper", "printed")


def boards(ledger: Ledger) -> dict[str, object]:
    """Return what a reader sees of every book, and every stored evening."""
    ids = [book_id for book_id, _ in ledger.store.inspection.books()]
    return {
        book_id: (
            ledger.head(book_id),
            ledger.book(book_id),
            ledger.store.events.heads(book_id),
            ledger.seasons.evening_rows(book_id),
            sorted(ledger.store.rights.browsers_of(book_id)),
        )
        for book_id in ids
    }


class Broken(Exception):
    """The copy was interrupted."""


@contextmanager
def breaking(ledger: Ledger, after: int) -> Iterator[None]:
    """Interrupt a ledger after this number of writes of rows."""
    engine, left = ledger.store.engine, [after]
    write = engine.execute_many

    def limited(*rows: object) -> None:
        left[0] -= 1
        if left[0] < 0:
            raise Broken
        write(*rows)

    engine.execute_many = limited
    yield
    engine.execute_many = write


def test_a_copy_equals_its_original_there_and_back(table_at, first, ledger, tmp_path):
    alone(table_at(first), first)
    copying.copy(first.store, ledger.store)
    back = open_ledger(tmp_path / "back.sqlite")
    copied = copying.copy(ledger.store, back.store)

    assert copied.different == ()
    assert (copied.books, copied.same) == (5, 0)
    assert boards(back) == boards(ledger) == boards(first)
    assert ledger.created_with("start", "phone", "body") == "alone"
    assert ledger.rights.of_secret("alone", "printed") == "watch"
    assert back.settings.get("secret_key") == first.settings.get("secret_key")
    assert check(ledger, score_for).clean
    assert [*check(ledger).line("texts").facts["places"]] == []
    back.close()


def test_a_second_copy_adds_what_is_new(table_at, first, ledger):
    table = table_at(first)
    alone(table, first)
    copying.copy(first.store, ledger.store)
    table.record("alone", 40)
    with first.book_transaction("alone") as transaction:
        transaction.erase("name.0")
        transaction.reword(1, "title", "Zu dritt")
        texts = {"name.0": "", "title": "Zu dritt"}
        transaction.append("erased", {"seat": 0}, at="now", by="pen", texts=texts)
        transaction.replace_secret("watch", "a new one")
    copied = copying.copy(first.store, ledger.store)

    assert (copied.books, copied.events, copied.same) == (1, 2, 4)
    assert boards(ledger) == boards(first)
    assert "Änne" not in str(ledger.store.names.words("alone"))
    assert "zu viert" not in str(ledger.store.names.words("alone"))
    assert ledger.rights.of_secret("alone", table.watch) is None


def test_another_game_of_the_same_id_is_not_touched(table_at, first, ledger):
    table_at(first).open()
    table = table_at(ledger)
    table.record(table.open(), 99)
    before = ledger.export("evening")

    with pytest.raises(Diverged):
        copying.copy(first.store, ledger.store)

    assert ledger.export("evening") == before


@pytest.mark.bar("G6")
def test_a_copy_that_breaks_off_anywhere_is_completed_by_another(first, database):
    for dice in trying("G6", tries("G6") // 2):
        fresh = database.another()
        target = fresh.open()
        with breaking(target, dice.randint(0, 15)), pytest.raises(Broken):
            copying.copy(first.store, target.store)
        target.close()
        again = fresh.open()

        assert copying.copy(first.store, again.store).different == ()
        assert boards(again) == boards(first)
        again.close()
