"""No file contains an erased name; numbers, chain and printed digits do not change."""

import time
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import short
from scorekeeper.domain.game.changes import NewGame
from scorekeeper.domain.game.state import Account
from scorekeeper.domain.group.changes import NewGroup
from scorekeeper.domain.money.settlement import Transfer
from scorekeeper.services import erasure, games, groups
from scorekeeper.services.games import new_rules
from scorekeeper.services.retention import LONG_S, QUIET_S, Retention
from scorekeeper.store import Ledger, cleaning, open_ledger
from scorekeeper.store.check import check, find_digits
from scorekeeper.store.cleaning import Cleaning
from scorekeeper.store.sqlite.backup import backup
from scorekeeper.store.sqlite.engine import Engine
from scorekeeper.store.writes import Write
from short import FAMILY, begun

AT = "2026-06-12T22:00:00Z"
NAME = "Zwetschgenliesl"
GIN = new_rules("gin-palast", {"teams": True})


@pytest.fixture(params=("truncate", "wal"))
def ledger(tmp_path: Path, request) -> Iterator[Ledger]:
    ledger = open_ledger(tmp_path / "games.sqlite", journal=request.param)
    yield ledger

    assert all(line.ok for line in check(ledger).lines if line.key != "engine")  # may know wal
    ledger.close()


def traces(folder: Path, name: str = NAME) -> list[str]:
    """Return the files that contain a name, whatever its case."""
    files = (file for file in folder.rglob("*") if file.is_file())
    return [file.name for file in files if name.lower().encode() in file.read_bytes().lower()]


def evening(ledger: Ledger) -> str:
    """An evening with a name in all places for text, also in texts replaced since."""
    game = begun(ledger, "Anna", NAME, "Carl", title=f"Bei {NAME}s Mutter")
    short.record(ledger, game, 0, 30, 45, note=f"{NAME} gibt, {NAME.lower()} schaut")
    short.correct(ledger, game, 1, 0, 30, 45, note="doch nicht")
    short.record(ledger, game, 10, 0, 20, note=f"{NAME}'s Joker; Carl zahlt")
    games.change_details(ledger, game, {"place": f"{NAME}, hinten"}, write=Write())
    games.store_account(ledger, game, 1, Account(NAME, "LU280019400644750000"), write=Write())
    return game


def test_no_file_contains_an_erased_name(ledger, tmp_path):
    game = evening(ledger)
    assert traces(tmp_path)
    erasure.erase_player(ledger, game, 1, write=Write())

    assert traces(tmp_path) == []
    assert traces(tmp_path, "LU280019400644750000") == []


def test_without_rewriting_the_file_the_journal_contains_the_name(tmp_path, monkeypatch):  # control
    monkeypatch.setattr(Cleaning, "clean", lambda names: None)
    ledger = open_ledger(tmp_path / "games.sqlite", journal="wal")
    erasure.erase_player(ledger, evening(ledger), 1, write=Write())

    assert traces(tmp_path) != []
    ledger.close()


def test_a_name_is_erased_from_rearranged_pages(ledger, tmp_path, monkeypatch):
    games = [begun(ledger, "Anna", f"{NAME}{n}", title="Abend " * (n % 7)) for n in range(100)]
    with monkeypatch.context() as later:
        later.setattr(Cleaning, "clean", lambda names: None)
        for game in games:
            erasure.erase_player(ledger, game, 1, write=Write())
    ledger.cleaning.clean()

    assert traces(tmp_path) == []


def test_a_later_backup_does_not_contain_the_name(ledger, tmp_path):
    game = evening(ledger)
    erasure.erase_player(ledger, game, 1, write=Write())
    backup(ledger, tmp_path / "backups.sqlite", AT)

    assert traces(tmp_path) == []


def test_a_backup_contains_no_traces_of_erased_names(ledger, tmp_path, monkeypatch):
    monkeypatch.setattr(Cleaning.clean, "__defaults__", (0,))  # as if it was too large
    game = evening(ledger)
    for _ in range(40):
        begun(ledger, "Anna", "Bernd")
    erasure.erase_player(ledger, game, 1, write=Write())
    ledger.store.engine.db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    (tmp_path / "apart").mkdir()
    backup(ledger, tmp_path / "apart" / "backup.sqlite", AT)

    assert ledger.settings.get("unclean")
    assert traces(tmp_path / "apart") == []


def test_other_texts_stay_and_the_name_becomes_an_ellipsis(ledger):
    game = evening(ledger)
    left = erasure.erase_player(ledger, game, 1, write=Write())

    assert left.players == ("Anna", "", "Carl")
    assert (left.title, left.place) == ("Bei … Mutter", "…, hinten")
    assert left.note(2) == "… Joker; Carl zahlt"
    assert ledger.events(game)[1].texts == {"note.1": "… gibt, … schaut"}
    assert left.account(1) is None


def test_a_name_is_erased_from_a_book_that_is_not_cached(ledger):
    game = begun(ledger, "Carl", "Doris", title=f"Ohne {NAME}")
    ledger.cleaning.clean()
    with ledger.book_transaction(game) as transaction:
        erasure.erase_mentions(transaction, [NAME], by="host")

    assert ledger.game(game).title == "Ohne …"
    assert ledger.events(game)[-1].kind == "erased"


def test_only_whole_words_match_the_name(ledger):
    game = begun(ledger, "Al", "Bernd", title="Alles bei Al, Kanal 3, AL")
    erasure.erase_player(ledger, game, 0, write=Write())

    assert ledger.game(game).title == "Alles bei …, Kanal 3, …"


def test_a_name_with_pattern_characters_is_matched_literally(ledger):
    game = begun(ledger, ".* (A|B)", "Bernd", title="Anna und .* (A|B) und Bernd")
    erasure.erase_player(ledger, game, 0, write=Write())

    assert ledger.game(game).title == "Anna und … und Bernd"


def test_another_player_of_a_similar_name_keeps_it(ledger):
    game = begun(ledger, "Anna", "Anna B.", title="Anna und Anna B.")
    erasure.erase_player(ledger, game, 0, write=Write())

    assert ledger.game(game).players == ("", "Anna B.")
    texts = ledger.events(game)[0].texts
    assert (texts["name.1"], texts["title"]) == ("Anna B.", "… und … B.")


def test_results_and_printed_digits_do_not_change(ledger):
    game = evening(ledger)
    before, digits = ledger.game(game), ledger.head(game)[:16]
    after = erasure.erase_player(ledger, game, 1, write=Write())

    assert after.sheet == before.sheet
    assert after.settlement() == before.settlement()
    assert find_digits(ledger, digits) == ((game, before.version),)


def test_a_replayed_game_does_not_contain_the_name(ledger):
    game = evening(ledger)
    left = erasure.erase_player(ledger, game, 1, write=Write())
    again = open_ledger(
        ledger.store.engine.path, journal=str(ledger.store.engine.pragmas["journal_mode"])
    )

    assert again.game(game) == left
    assert NAME not in str(again.export(game))
    again.close()


def test_erasing_a_partner_erases_the_account_of_the_side(ledger, tmp_path):
    game = begun(ledger, "Anna", "Bernd", NAME, "Doris", rules=GIN)
    account = Account(NAME, "LU280019400644750000")
    games.store_account(ledger, game, 0, account, write=Write())
    left = erasure.erase_player(ledger, game, 2, write=Write())

    assert left.account(0) is None
    assert traces(tmp_path) == []


def test_erasing_twice_adds_one_event(ledger):
    game = begun(ledger, "Anna", NAME)
    first = erasure.erase_player(ledger, game, 1, write=Write())

    assert erasure.erase_player(ledger, game, 1, write=Write()).version == first.version


def test_an_unknown_player_cannot_be_erased(ledger):
    with pytest.raises(KeyError):
        erasure.erase_player(ledger, begun(ledger, "Anna", "Bernd"), 2, write=Write())


def test_a_member_is_erased_from_the_group_and_all_its_evenings(ledger, tmp_path):
    order = NewGroup(f"{NAME}s Runde", ("Anna", NAME))
    group = groups.create_group(ledger, order).group.id
    for title in ("Erster", f"Für {NAME}"):
        game = groups.open_evening(
            ledger, group, NewGame(title, "", FAMILY, ("Anna", NAME)), write=Write()
        )
        short.record(ledger, game.id, 0, 30, note=f"{NAME} fehlt")
    groups.rename_member(ledger, group, 1, f"{NAME} M.", write=Write())
    groups.pay(
        ledger, group, Transfer(1, 0, Fraction(1)), "ct", note=f"{NAME} zahlt bar", write=Write()
    )
    left = groups.erase_member(ledger, group, 1, write=Write())

    assert traces(tmp_path) == []
    assert left.name == "… Runde"
    assert left.players == ("Anna", "")


def test_no_file_contains_a_removed_account(ledger, tmp_path):
    game = begun(ledger, "Anna", "Bernd")
    games.store_account(
        ledger, game, 0, Account("A. Muster", "LU280019400644750000"), write=Write()
    )
    games.store_account(ledger, game, 0, None, write=Write())

    assert traces(tmp_path, "LU280019400644750000") == traces(tmp_path, "A. Muster") == []


def test_a_large_file_is_cleaned_by_the_maintenance_task(ledger, tmp_path, monkeypatch):
    monkeypatch.setattr(Cleaning.clean, "__defaults__", (0,))
    game = evening(ledger)
    for _ in range(40):
        begun(ledger, "Anna", "Bernd")
    erasure.erase_player(ledger, game, 1, write=Write())
    ledger.cleaning.clean(None)

    assert traces(tmp_path) == []
    assert ledger.settings.get("unclean") is None


def rewritings(ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Record the times at which the file is rewritten, by the monotonic clock."""
    times: list[float] = []
    anew = Engine.rewrite

    def counted(engine: Any) -> bool:
        times.append(time.monotonic())
        return anew(engine)

    monkeypatch.setattr(Engine, "rewrite", counted)
    return times


def test_erasing_many_names_cleans_only_a_few_times(ledger, tmp_path, monkeypatch, clock):
    game = begun(ledger, "Anna", NAME)
    times = rewritings(ledger, monkeypatch)
    for _ in range(20):
        games.store_account(ledger, game, 1, Account(NAME, "LU280019400644750000"), write=Write())
        games.store_account(ledger, game, 1, None, write=Write())
        clock[0] += 1
    often = len(times)
    clock[0] += cleaning.PERIOD_S
    erasure.erase_player(ledger, game, 1, write=Write())

    assert often == cleaning.MAX_CLEANINGS
    assert len(times) == cleaning.MAX_CLEANINGS + 1
    assert traces(tmp_path) == []


def test_a_file_of_medium_size_is_cleaned_when_nobody_records(ledger, tmp_path, monkeypatch, clock):
    monkeypatch.setattr(Cleaning.clean, "__defaults__", (0,))
    game = evening(ledger)
    retention = Retention(ledger, 0)
    retention.run()  # the daily upkeep is done
    times = rewritings(ledger, monkeypatch)
    erasure.erase_player(ledger, game, 1, write=Write())
    retention.run()
    busy = list(times)
    clock[0] += QUIET_S
    retention.run()

    assert busy == []
    assert times == [clock[0]]
    assert traces(tmp_path) == []
    assert not ledger.names.is_unclean()


def test_a_busy_database_is_cleaned_after_an_hour(ledger, tmp_path, monkeypatch, clock):
    monkeypatch.setattr(Cleaning.clean, "__defaults__", (0,))
    game, other = evening(ledger), begun(ledger, "Anna", "Bernd")
    retention = Retention(ledger, 0)
    retention.run()
    times = rewritings(ledger, monkeypatch)
    erasure.erase_player(ledger, game, 1, write=Write())
    began = clock[0]
    while not times and clock[0] < began + 2 * LONG_S:
        short.record(ledger, other, 0, 5)
        retention.run()
        clock[0] += 600

    assert times == [began + LONG_S]
    assert traces(tmp_path) == []


def test_a_name_erased_during_cleaning_is_removed_by_the_next_cleaning(
    ledger, tmp_path, monkeypatch
):
    game, other = evening(ledger), begun(ledger, "Carl", NAME)
    monkeypatch.setattr(Cleaning, "clean_soon", lambda names: None)
    erasure.erase_player(ledger, game, 1, write=Write())
    anew = Engine.rewrite

    def meanwhile(engine: Any) -> bool:
        done = anew(engine)
        erasure.erase_player(ledger, other, 1, write=Write())
        return done

    with monkeypatch.context() as racing:
        racing.setattr(Engine, "rewrite", meanwhile)
        ledger.cleaning.clean()

    assert ledger.names.is_unclean()
    ledger.cleaning.clean()
    assert not ledger.names.is_unclean()
    assert traces(tmp_path) == []


def test_a_failed_cleaning_is_repeated(ledger, tmp_path, monkeypatch):
    monkeypatch.setattr(Engine, "rewrite", lambda engine: False)
    erasure.erase_player(ledger, evening(ledger), 1, write=Write())
    assert ledger.settings.get("unclean")
    monkeypatch.undo()
    ledger.cleaning.clean()

    assert traces(tmp_path) == []
