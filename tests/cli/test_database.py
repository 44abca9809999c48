"""Commands that maintain the database: check, rebuild, backup, restore."""

import shutil
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

import short
from commands import fetch, run
from scorekeeper.cli.output import check_line
from scorekeeper.domain.game import changes
from scorekeeper.domain.game.changes import NewGame, score_again, score_for
from scorekeeper.i18n import LANGUAGES, language
from scorekeeper.services.games import create_game, end_game, new_rules
from scorekeeper.store import open_ledger
from scorekeeper.store.check import check
from scorekeeper.store.sqlite import migrations
from scorekeeper.store.sqlite.hold import hold
from scorekeeper.store.sqlite.journal import JOURNALS
from scorekeeper.store.writes import Write


@pytest.fixture
def record(tmp_path: Path) -> tuple[Path, str, str]:
    """A database with one round: its file, the id of the game and the digits of its sheet."""
    data = tmp_path / "scorekeeper.sqlite"
    ledger = open_ledger(data)
    opened = create_game(ledger, NewGame("", "", new_rules("german-family", {}), ("A", "B")))
    short.record(ledger, opened.game.id, 0, 12)
    head = ledger.head(opened.game.id)
    ledger.close()
    return data, opened.game.id, head[:16]


@pytest.fixture
def data(record: tuple[Path, str, str]) -> Path:
    return record[0]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_check_passes_a_sound_database(lang, data):
    result = run("check", "--data", data, lang=lang)

    assert result.exit_code == 0, result.output
    assert result.output.count(language(lang)("terminal.good")) >= 8


@pytest.mark.parametrize("journal", JOURNALS)
def test_check_names_the_journal_with_which_rounds_are_saved(tmp_path, journal):
    data = tmp_path / "scorekeeper.sqlite"
    open_ledger(data, journal=journal).close()

    assert f"journal {journal}" in run("check", "--data", data, lang="en").stdout


def test_check_reports_a_changed_round(data):
    content = data.read_bytes()
    assert b'"points":12' in content
    data.write_bytes(content.replace(b'"points":12', b'"points":21'))

    result = run("check", "--data", data)

    assert result.exit_code == 1
    assert "BAD" in result.output


def test_check_finds_the_digits_of_a_printed_sheet(record):
    data, game, digits = record

    assert game in run("check", "--data", data, "--against", digits).output
    assert run("check", "--data", data, "--against", "0123456789abcdef").exit_code == 1
    assert run("check", "--data", data, "--against", "no digits").exit_code == 1


def test_a_backup_is_complete_and_can_be_checked(data, tmp_path):
    copy = tmp_path / "copy.sqlite"

    result = run("backup", copy, "--data", data)

    assert result.exit_code == 0
    assert f"{copy} (games 1, events 2)" in result.output
    assert run("check", "--data", copy).exit_code == 0


def test_a_backup_that_cannot_be_written_is_reported(data, tmp_path):
    assert run("backup", tmp_path / "nowhere" / "copy.sqlite", "--data", data).exit_code == 1


@pytest.mark.parametrize("name", ["itself", "link", "hard link", ".key", "-journal", "-wal"])
def test_a_backup_never_replaces_the_database_or_a_file_beside_it(name, data, tmp_path):
    target = data.with_name(f"{data.name}{name}") if name[0] in ".-" else tmp_path / name
    if name == "itself":
        target = data
    elif name == "link":
        target.symlink_to(data)
    elif name == "hard link":
        target.hardlink_to(data)
    before = data.read_bytes()

    refused = run("backup", target, "--data", data)

    words = "is a database, or belongs to one, and would be lost. Name another file."
    assert (refused.exit_code, refused.output) == (1, f"{target} {words}\n")
    assert data.read_bytes() == before


def test_a_backup_never_replaces_a_database_that_is_in_use(record, tmp_path):
    data, game, _ = record
    copy = tmp_path / "copy.sqlite"
    run("backup", copy, "--data", data)

    with hold(data, "reserved"), closing(open_ledger(data)) as served:
        refused = run("backup", data, "--data", copy)
        short.record(served, game, 5, 0)

    assert (refused.exit_code, refused.output) == (
        1,
        f"{data} is in use by a running scorekeeper or by another command. Stop that first.\n",
    )
    assert run("backup", copy, "--data", data).exit_code == 0  # nobody uses that one


def test_a_backup_follows_a_link_and_keeps_it(data, tmp_path):
    link, copy = tmp_path / "newest.sqlite", tmp_path / "copies" / "copy.sqlite"
    copy.parent.mkdir()
    link.symlink_to(copy)

    assert run("backup", link, "--data", data).exit_code == 0
    assert link.readlink() == copy
    assert run("check", "--data", copy).exit_code == 0


@pytest.mark.parametrize("lang", LANGUAGES)
def test_restore_replaces_the_database_and_keeps_the_old_one(lang, data, tmp_path):
    copy, elsewhere = tmp_path / "copy.sqlite", tmp_path / "new" / "scorekeeper.sqlite"
    run("backup", copy, "--data", data)

    result = run("restore", copy, "--data", data, lang=lang)

    assert result.exit_code == 0, result.output
    (aside,) = tmp_path.glob("scorekeeper-replaced-*.sqlite")
    words = language(lang)
    assert words("maintenance.restored", file=str(data), games=1, events=2) in result.output
    assert words("maintenance.kept_aside", file=str(aside)) in result.output
    assert run("check", "--data", data).exit_code == 0
    assert run("restore", copy, "--data", elsewhere, lang=lang).exit_code == 0
    assert run("check", "--data", elsewhere).exit_code == 0


@pytest.mark.parametrize("lang", LANGUAGES)
def test_restore_refuses_a_backup_with_fewer_events(lang, record, tmp_path):
    data, game, _ = record
    copy = tmp_path / "copy.sqlite"
    run("backup", copy, "--data", data)
    ledger = open_ledger(data)
    end_game(ledger, game, write=Write())
    ledger.close()

    refused = run("restore", copy, "--data", data, lang=lang)
    forced = run("restore", copy, "--data", data, "--force", lang=lang)

    poorer = language(lang)("maintenance.poorer", file=str(copy), offered=2, there=3)
    assert (refused.exit_code, refused.stderr) == (1, f"{poorer}\n")
    assert forced.exit_code == 0


@pytest.mark.parametrize("lang", LANGUAGES)
def test_restore_refuses_a_damaged_backup(lang, data, tmp_path):
    words = language(lang)
    changed, other = tmp_path / "changed.sqlite", tmp_path / "letter.txt"
    changed.write_bytes(data.read_bytes().replace(b'"points":12', b'"points":21'))
    other.write_text("Dear neighbour, " * 100)
    before = data.read_bytes()

    results = [run("restore", file, "--data", data, lang=lang) for file in (changed, other)]
    absent = run("restore", tmp_path / "none.sqlite", "--data", data, lang=lang)

    assert [result.exit_code for result in (*results, absent)] == [1, 1, 1]
    for file, result in zip((changed, other), results, strict=True):
        assert result.stderr.startswith(words("maintenance.not_restored", file=str(file)))
    assert words("terminal.bad") in results[0].stderr
    assert absent.stderr.startswith(
        words("maintenance.no_file", file=str(tmp_path / "none.sqlite"))
    )
    assert data.read_bytes() == before


def test_a_database_in_use_is_neither_served_again_nor_replaced(served, data, tmp_path):
    copy = tmp_path / "copy.sqlite"
    _, _, port = served("--data", str(data))

    again = run("serve", "--port", 0, "--data", data)
    backed_up = run("backup", copy, "--data", data)
    replaced = run("restore", copy, "--data", data)

    in_use = language("en")("maintenance.in_use", file=str(data))
    assert (again.exit_code, again.stderr) == (1, f"{in_use}\n")
    assert backed_up.exit_code == 0
    assert (replaced.exit_code, replaced.stderr) == (1, f"{in_use}\n")
    assert fetch(port) == 200


def test_a_database_is_not_migrated_while_an_old_server_uses_it(data, monkeypatch):
    """A backup before an upgrade runs while the old version still serves the database."""
    before = data.read_bytes()
    step = migrations.MIGRATIONS[-1:]
    with monkeypatch.context() as patched, hold(data, "reserved"):
        patched.setattr(migrations, "MIGRATIONS", (*migrations.MIGRATIONS, *step))
        result = run("rebuild", "--data", data)
        checked = run("check", "--data", data)

    in_use = language("en")("maintenance.in_use", file=str(data))
    outdated = language("en")("terminal.outdated", file=str(data))
    assert (result.exit_code, result.stderr) == (1, f"{in_use}\n")
    assert (checked.exit_code, checked.stderr) == (1, f"{outdated}\n")
    assert data.read_bytes() == before


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_result_of_check_has_its_words(lang, data):
    ledger = open_ledger(data)
    report = check(ledger, score_for)
    ledger.close()
    words = language(lang)

    keys = {line.key for line in report.lines}
    assert {"engine", "pragmas", "chain", "replay", "prices", "space"} <= keys
    for line in report.lines:
        facts = {"error": "disk I/O error", **line.facts}  # only where it cannot be read
        good, bad = (check_line(replace(line, ok=ok, facts=facts), words) for ok in (True, False))
        assert good.startswith(words("terminal.good"))
        assert bad.startswith(words("terminal.bad"))
        assert "terminal.check" not in good + bad


@pytest.mark.parametrize("lang", LANGUAGES)
def test_check_reports_a_different_score_and_writes_nothing(lang, data, monkeypatch):
    before = data.read_bytes()
    monkeypatch.setattr(changes, "score_again", different_score(score_again))

    result = run("check", "--data", data, lang=lang)

    assert result.exit_code == 1
    assert language(lang)("terminal.check_found") in result.stderr
    assert data.read_bytes() == before


def different_score(score_round):
    """Return a scoring function that differs, as after a correction of the code."""

    def changed(*facts):
        scored = score_round(*facts)
        others = tuple(replace(one, minus=99) for one in scored.score.scores)
        return replace(scored, score=replace(scored.score, scores=others))

    return changed


@pytest.mark.parametrize("lang", LANGUAGES)
def test_check_reports_evenings_that_rebuild_repairs(lang, tmp_path):
    data, words = tmp_path / "demo.sqlite", language(lang)
    run("demo", "--evenings", "3", "--data", data)
    with closing(sqlite3.connect(data)) as other:
        other.executescript("UPDATE evenings SET rounds = rounds + 1 WHERE over")
    harmed = data.read_bytes()

    found = run("check", "--data", data, lang=lang)
    assert data.read_bytes() == harmed
    rebuilt = run("rebuild", "--data", data, lang=lang)
    again = run("check", "--data", data, lang=lang)

    assert (found.exit_code, rebuilt.exit_code, again.exit_code) == (1, 0, 0)
    assert "scorekeeper rebuild" in found.output
    assert words("terminal.rebuilt", n=3, evenings=3) in rebuilt.output


@pytest.mark.parametrize("lang", LANGUAGES)
def test_check_names_the_backup_to_restore(lang, data, tmp_path):
    newest = tmp_path / "backups" / "scorekeeper-20261121T150000Z.sqlite"
    newest.parent.mkdir()
    for name in (newest.name, "scorekeeper-20261120T150000Z.sqlite"):
        shutil.copy(data, newest.with_name(name))
    data.write_bytes(data.read_bytes().replace(b'"points":12', b'"points":21'))
    words = language(lang)

    changed = run("check", "--data", data, lang=lang)
    data.write_bytes(b"gone" * 1000)
    unreadable = run("check", "--data", data, lang=lang)
    shutil.rmtree(newest.parent)
    alone = run("check", "--data", data, lang=lang)

    assert [result.exit_code for result in (changed, unreadable, alone)] == [1, 1, 1]
    for result in (changed, unreadable):
        assert words("maintenance.newest", data=str(data), file=str(newest)) in result.stderr
    assert (
        words("maintenance.no_backups", folder=str(newest.parent), data=str(data)) in alone.stderr
    )


@pytest.mark.parametrize("lang", LANGUAGES)
def test_newer_and_foreign_files_are_reported(lang, tmp_path):
    for key, pragma in (("newer", "user_version = 99"), ("not_ours", "user_version = 0")):
        data = tmp_path / f"{key}.sqlite"
        with closing(sqlite3.connect(data)) as other:
            other.execute("CREATE TABLE recipes (name TEXT)")
            other.execute(f"PRAGMA {pragma}")
        said = language(lang)(f"maintenance.{key}", file=str(data))
        for command in (["check"], ["serve", "--port", "0"]):
            result = run(*command, "--data", data, lang=lang)

            assert (result.exit_code, result.stderr) == (1, f"{said}\n")


@pytest.mark.parametrize("command", [["check"], ["backup", "copy.sqlite"]])
def test_commands_do_not_create_a_missing_database(command, tmp_path):
    data = tmp_path / "none.sqlite"

    result = run(*command, "--data", data)

    assert result.exit_code == 1
    assert not data.exists()


@pytest.mark.parametrize("lang", LANGUAGES)
def test_check_of_what_is_new_begins_where_the_last_good_one_ended(lang, record):
    data, game_id, _ = record
    words = language(lang)
    first = run("check", "--new", "--data", data, lang=lang)
    with closing(open_ledger(data)) as ledger:
        short.record(ledger, game_id, 0, 21)
    second = run("check", "--new", "--data", data, lang=lang)
    third = run("check", "--new", "--data", data, lang=lang)

    assert [one.exit_code for one in (first, second, third)] == [0, 0, 0]
    assert words("terminal.check.pages") in first.output  # nothing was checked before
    assert words("terminal.check.since", events=1) in second.output
    assert words("terminal.check.since", events=0) in third.output


def test_the_last_check_of_a_server_is_remembered_on_a_new_machine(postgres, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "new"))
    with closing(open_ledger(postgres, link_key="key")) as ledger:
        create_game(ledger, NewGame("", "", new_rules("german-family", {}), ("A", "B")))
    run("check", "--data", postgres)

    assert language("en")("terminal.check.since", events=0) in (
        run("check", "--new", "--data", postgres).output
    )


@pytest.mark.parametrize("spoil", ["", "1", "x y", "1 xy", "1 00"])
def test_without_the_place_of_the_last_check_everything_is_checked(data, spoil):
    run("check", "--data", data)
    data.with_name(f"{data.name}.checked").write_text(spoil)

    assert language("en")("terminal.check.pages") in run("check", "--new", "--data", data).output


def test_a_check_that_finds_damage_is_not_remembered(data):
    content = data.read_bytes()
    data.write_bytes(content.replace(b'"points":12', b'"points":21'))
    run("check", "--data", data)
    data.write_bytes(content)

    assert language("en")("terminal.check.pages") in run("check", "--new", "--data", data).output
