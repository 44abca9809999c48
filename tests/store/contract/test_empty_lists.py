"""A list of ids, kinds or fields may be empty: PostgreSQL refuses ``IN ()``, SQLite accepts it."""

import re
from pathlib import Path

from scorekeeper import store
from scorekeeper.store import Ledger
from scorekeeper.store.sql.engine import placeholders

LIST = re.compile(r"\bIN \(\{(?!placeholders\(|GROUP_OF|chosen\})")
SOURCES = Path(store.__file__).parent


def test_no_ids_kinds_or_fields_match_nothing(ledger: Ledger, table_at) -> None:
    table = table_at(ledger)
    game = table.open()
    table.record(game, 12)

    assert ledger.names.words_of([], "title") == {}
    assert ledger.seasons.times_of([]) == {}
    assert ledger.events_of(game, [], 2) == []
    assert ledger.events_of(game, [], 2, limit=1) == []
    assert ledger.store.events.count(game, []) == 0


def test_erasing_no_field_erases_nothing(ledger: Ledger, table_at) -> None:
    game = table_at(ledger).open()
    before = ledger.names.words_of([game], "title")
    with ledger.book_transaction(game) as transaction:
        transaction.erase()

    assert ledger.names.words_of([game], "title") == before != {}


def test_no_rows_are_added(ledger: Ledger) -> None:
    with ledger.transaction():
        ledger.store.events.add_rows((), ())
        ledger.seasons.add_evenings("group", ())
        ledger.seasons.put_rows("game", {"evenings": [], "results": []})

    assert ledger.groups() == ()


def test_every_list_of_values_is_written_by_the_function_that_knows_of_empty_ones() -> None:
    found = {
        file.name: LIST.findall(file.read_text(encoding="utf-8")) for file in SOURCES.rglob("*.py")
    }

    assert {name: lists for name, lists in found.items() if lists} == {}
    assert placeholders(()) == "NULL"
    assert placeholders("ab") == "?, ?"
