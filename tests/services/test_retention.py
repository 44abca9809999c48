"""Names are found and erased in the whole database, by command or after a period."""

import re
from datetime import datetime, timedelta

import pytest

from commands import run
from scorekeeper import config
from scorekeeper.domain.game.changes import NewGame
from scorekeeper.domain.group.changes import NewGroup
from scorekeeper.services import games, groups, names, retention
from scorekeeper.services.clock import TIME, set_clock
from scorekeeper.services.retention import Retention
from scorekeeper.store import Ledger
from scorekeeper.store.sql.names import Names
from scorekeeper.store.writes import Write
from short import FAMILY, begun

NOW = "2026-06-12T20:00:00Z"


def new_game(*players: str, title: str = "") -> NewGame:
    return NewGame(title, "", FAMILY, players)


def ago(days: int) -> str:
    return (datetime.fromisoformat(NOW) - timedelta(days=days)).strftime(TIME)


def untouched(ledger: Ledger, days: int) -> int:
    with set_clock(NOW):
        return retention.erase_untouched(ledger, days)


@pytest.fixture
def record(ledger: Ledger) -> dict[str, str]:
    """A member Wally with an evening, a player Wally in a game, and a name in a third one."""
    group = groups.create_group(ledger, NewGroup("Runde", ("Anna", "Wally"))).group.id
    evening = groups.open_evening(ledger, group, new_game("Anna", "Wally"), write=Write()).id
    alone = begun(ledger, "Carl", "WALLY")
    named = begun(ledger, "Carl", "Doris", title="Ohne Wally")
    begun(ledger, "Emil", "Wallyburga", title="Wallyburgas Fest")
    return {"group": group, "evening": evening, "alone": alone, "named": named}


# ---- by name -------------------------------------------------------------------------


def test_a_name_is_found_in_all_books_groups_first(ledger, record):
    found = names.find_name(ledger, "wally").occurrences

    assert found[0].book.id == record["group"]
    assert {one.book.id: (one.bearers, one.mentions) for one in found} == {
        record["group"]: ((1,), 0),
        record["evening"]: ((1,), 0),
        record["alone"]: ((1,), 0),
        record["named"]: ((), 1),
    }


def test_only_the_name_is_erased_in_all_books(ledger, record, tmp_path):
    names.erase_occurrences(ledger, names.find_name(ledger, "Wally").occurrences, "Wally")
    bytes_left = b"".join(file.read_bytes() for file in tmp_path.iterdir())
    if ledger.store.is_shared:
        bytes_left = str(ledger.store.engine.rows("SELECT text FROM texts")).encode()

    assert names.find_name(ledger, "Wally") == names.Found(())
    assert ledger.group(record["group"]).players == ("Anna", "")
    assert ledger.game(record["named"]).title == "Ohne …"
    assert b"WALLY" not in bytes_left
    assert bytes_left.count(b"Wally") == bytes_left.count(b"Wallyburga") == 2


def test_a_former_name_leads_to_its_player(ledger, record):
    groups.rename_member(ledger, record["group"], 1, "Vroni", write=Write())
    found = names.find_name(ledger, "Wally", record["group"]).occurrences

    assert [(one.book.id, one.bearers) for one in found] == [
        (record["group"], (1,)),
        (record["evening"], (1,)),
    ]


@pytest.mark.parametrize(
    ("typed", "written"),
    [
        ("Strauß", "Strauß"),
        ("STRAUSS", "Strauß"),
        ("Strauß", "Strauss"),
        ("Rene\u0301e", "Renée"),
        ("İbrahim", "İbrahim"),
    ],
)
def test_case_and_spacing_of_a_name_do_not_matter(ledger, typed, written):
    bears = begun(ledger, "Carl", written)
    named = begun(ledger, "Carl", "Doris", title=f"Ohne {written}")

    found = names.find_name(ledger, typed).occurrences
    names.erase_occurrences(ledger, found, typed)

    assert {(one.book.id, one.bearers, one.mentions) for one in found} == {
        (bears, (1,), 0),
        (named, (), 1),
    }
    assert ledger.game(bears).players == ("Carl", "")
    assert ledger.game(named).title == "Ohne …"


def test_a_name_is_erased_in_all_evenings_of_a_group_and_nowhere_else(ledger, record):
    without_her = groups.open_evening(
        ledger, record["group"], new_game("Anna", "Emil", title="Wally ist krank"), write=Write()
    ).id

    found = names.find_name(ledger, "Wally", record["group"]).occurrences
    names.erase_occurrences(ledger, found, "Wally")

    assert ledger.game(without_her).title == "… ist krank"
    assert ledger.game(record["alone"]).players == ("Carl", "WALLY")
    assert ledger.game(record["named"]).title == "Ohne Wally"


def test_the_history_names_the_host(ledger, record):
    names.erase_occurrences(ledger, names.find_name(ledger, "Wally").occurrences, "Wally")

    for book in record.values():
        assert (ledger.events(book)[-1].kind, ledger.events(book)[-1].by) == ("erased", "host")


# ---- by age --------------------------------------------------------------------------


def test_names_are_erased_after_the_set_days_without_a_change(ledger):
    with set_clock(ago(101)):
        old = begun(ledger, "Anna", "Bernd", title="Bei Anna")
    with set_clock(ago(99)):
        young = begun(ledger, "Carl", "Doris")

    assert untouched(ledger, 100) == 1
    assert ledger.game(old).players == ("", "")
    assert ledger.game(old).title == "Bei …"
    assert ledger.game(young).players == ("Carl", "Doris")
    assert untouched(ledger, 100) == 0


def test_a_period_beyond_the_calendar_erases_nothing(ledger):
    begun(ledger, "Anna", "Wally")

    assert untouched(ledger, 10**12) == 0


def test_a_group_and_its_evenings_expire_together(ledger):
    with set_clock(ago(300)):
        group = groups.create_group(ledger, NewGroup("Runde", ("Anna", "Bernd"))).group.id
        first = groups.open_evening(ledger, group, new_game("Anna", "Bernd"), write=Write()).id
        last = groups.open_evening(ledger, group, new_game("Anna", "Bernd"), write=Write()).id
    with set_clock(ago(50)):
        games.change_details(ledger, last, {"place": "Küche"}, write=Write())

    assert untouched(ledger, 100) == 0
    assert ledger.game(first).players == ("Anna", "Bernd")

    assert untouched(ledger, 40) == 1
    assert ledger.group(group).players == ("", "")
    assert {ledger.game(one).players for one in (first, last)} == {("", "")}


def test_names_and_traces_are_erased_once_a_day(ledger):
    with set_clock(ago(101)):
        old = begun(ledger, "Anna", "Bernd")
    retention = Retention(ledger, 100)
    with set_clock(NOW):
        retention.run()

        assert ledger.game(old).players == ("", "")
        assert ledger.settings.get("unclean") is None

        with set_clock(ago(102)):
            older = begun(ledger, "Anna", "Bernd")
        retention.run()
        assert ledger.game(older).players == ("Anna", "Bernd")
    with set_clock(ago(-1)):
        retention.run()
    assert ledger.game(older).players == ("", "")


def test_a_failure_is_logged_and_repeated(ledger, monkeypatch, caplog):
    with set_clock(ago(101)):
        old = begun(ledger, "Anna", "Bernd")
    retention = Retention(ledger, 100)
    with monkeypatch.context() as broken:
        broken.setattr(Names, "untouched_since", lambda *_: 1 / 0)
        retention.run()
    assert caplog.messages == ["names that are due were not erased: ZeroDivisionError"]
    retention.run()

    assert ledger.game(old).players == ("", "")


def test_a_damaged_evening_keeps_no_name_in_other_books(elsewhere, caplog):
    with set_clock(ago(101)):
        hurt, whole = (
            groups.create_group(elsewhere, NewGroup("Runde", ("Anna", "Bernd"))).group.id
            for _ in range(2)
        )
        new = new_game("Anna", "Bernd")
        evening = groups.open_evening(elsewhere, hurt, new, write=Write()).id
        alone = begun(elsewhere, "Carl", "Doris")
        damage(elsewhere, evening)

    assert untouched(elsewhere, 100) == 2
    assert elsewhere.group(whole).players == elsewhere.game(alone).players == ("", "")
    assert elsewhere.group(hurt).players == ("Anna", "Bernd")
    assert caplog.messages == [f"names that are due were not erased: Damaged in {hurt}"]


def damage(ledger: Ledger, game_id: str) -> None:
    """Append an event to a game that only begun that nobody can replay."""
    event = (2, ago(101), "round", "pen", "[]", None, None)
    with ledger.transaction():
        ledger.store.events.append(game_id, event, {}, bytes(32))


def test_a_failure_in_the_bin_keeps_no_name_elsewhere(ledger, monkeypatch, caplog):
    with set_clock(ago(101)):
        old = begun(ledger, "Anna", "Bernd")
    monkeypatch.setattr(Names, "thrown_away_before", lambda *_: 1 / 0)
    Retention(ledger, 100).run()

    assert ledger.game(old).players == ("", "")
    assert caplog.messages == ["names that are due were not erased: ZeroDivisionError"]


def test_without_a_period_the_command_erases_nothing(ledger):
    with set_clock(ago(5000)):
        old = begun(ledger, "Anna", "Bernd")
    Retention(ledger, 0).run()

    assert ledger.game(old).players == ("Anna", "Bernd")


def test_without_the_setting_no_name_is_erased():
    assert config.settings()["RETENTION_DAYS"] == 0


# ---- on the command line -------------------------------------------------------------


def erase(ledger: Ledger, *wishes: str, code: int = 0) -> str:
    ledger.cleaning.clean()  # this process keeps nothing in memory while another one erases
    done = run("erase", *wishes, "--data", ledger.store.place)

    assert done.exit_code == code, done.output
    return done.output


def test_without_yes_the_command_only_lists_names(ledger, record):
    said = erase(ledger, "--name", "Wally")

    assert f"Group {record['group']} “Runde”: Wally (one game)" in said
    assert f"Game {record['named']} “Ohne Wally”: one place in notes or title" in said
    assert "Nothing has been erased yet" in said
    assert ledger.group(record["group"]).players == ("Anna", "Wally")


def test_with_yes_the_command_erases_names(ledger, record):
    assert "Older backups keep the name" in erase(ledger, "--name", "Wally", "--yes")
    assert names.find_name(ledger, "Wally") == names.Found(())


def test_a_player_or_member_is_erased_by_number(ledger, record):
    said = erase(ledger, "--game", record["alone"], "--number", "1", "--yes")

    assert re.search(rf"Game {record['alone']} “Game on [^”]+ 20\d\d”: Carl", said)

    erase(ledger, "--group", record["group"], "--number", "2", "--yes")

    assert ledger.game(record["alone"]).players == ("", "WALLY")
    assert ledger.game(record["evening"]).players == ("Anna", "")


def test_a_name_can_be_erased_in_one_game_alone(ledger, record):
    erase(ledger, "--game", record["alone"], "--name", "Wally", "--yes")

    assert ledger.game(record["alone"]).players == ("Carl", "")
    assert ledger.group(record["group"]).players == ("Anna", "Wally")


@pytest.mark.parametrize(
    "wishes",
    [
        (),
        ("--number", "1"),
        ("--name", "Nobody"),
        ("--game", "nowhere", "--number", "1"),
        ("--game", "a", "--group", "b", "--name", "Anna"),
    ],
)
def test_an_unknown_member_is_refused(ledger, wishes):
    assert erase(ledger, *wishes, code=1)


def test_an_unknown_number_is_refused(ledger, record):
    assert "Nobody here" in erase(ledger, "--game", record["alone"], "--number", "3", code=1)
